#!/usr/bin/env bash
# The program `compare` as its users run it: command_line_test.sh <compare> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

compare=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$compare" "${@:2}"; }
small=(--steps 3 --batch-tokens 128 --test-sentences 4 --width 16 --heads 2 --position-steps 3 --lengths "4,20")

check "every way to attend and every kind of position has a line"
"$compare" "${small[@]}" --out run >table.txt
for way in 'none: mean' 'none: recurrent' 'recurrent, additive' additive dot 'scaled dot' multi-head 'local window'; do
  grep -q "^$way  *[0-9]" table.txt || fail "$way: $(cat table.txt)"
done
for positions in sinusoidal learned relative alibi rotary none; do
  grep -qE "^$positions  +[0-9,]+ +[0-9.]+ s( +[0-9.]+ %){2} " table.txt || fail "$positions: $(cat table.txt)"
done

check "above each table stand its task with an example and what names do not say of its rows and columns, in at most 18 lines, below the heading that says which of two it is"
way_lines=$(sed '/^none: mean  *[0-9]/q' table.txt) position_lines=$(sed -n '/^2 of 2: Which way to tell places/,/^positions/p' table.txt)
[ "$(grep -n -m 1 parameters <<<"$way_lines" | cut -d: -f1)" -le 20 ] || fail "$way_lines"
head -1 table.txt | grep -qx '1 of 2: Which way to attend translates best?' || fail "no first heading: $way_lines"
[ "$(grep -B 1 '^2 of 2: ' table.txt | head -1)" = '' ] || fail "no empty line before the second heading: $(cat table.txt)"
grep -q '^  → [A-Z]' <<<"$way_lines" || fail "no translation: $way_lines"
grep -qF '  c=7 a=3 c=1 c?  →  c=1' <<<"$position_lines" || fail "no example: $position_lines"
for name in 'none: mean' 'none: recurrent' 'recurrent, additive' additive dot 'scaled dot' multi-head 'local window'; do
  grep -qE "^  $name  +[a-z0-9]" <<<"$way_lines" || fail "$name is not explained: $way_lines"
done
for name in sinusoidal learned relative alibi rotary none; do
  grep -qE "^  $name  +[a-z0-9]" <<<"$position_lines" || fail "$name is not explained: $position_lines"
done
grep -q 'in its own sentence 2 words to either side$' <<<"$way_lines" || fail "a window is said to hide the source: $way_lines"
for words in 'BLEU, from 0 to 100, ' '"Right words get" is about' '"Order changes" is how much'; do
  tr '\n' ' ' <table.txt | grep -qF "$words" || fail "$words is not explained: $(cat table.txt)"
done
if LC_ALL=C.UTF-8 grep -E '^.{81}' <<<"$way_lines"$'\n'"$position_lines"; then fail "the words above a table are too wide"; fi

check "on a terminal words come before the first bar, and no bar stands between the lines of a table"
if command -v script >/dev/null; then
  script -qefc "stty cols 80; '$compare' ${small[*]} --out seen" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d' >seen.txt
  first=$(grep -n -m 1 $'\x1b\\[K' seen.txt | cut -d: -f1)
  [ "$(grep -n -m 1 '^1 of 2: Which way to attend' seen.txt | cut -d: -f1)" -lt "$first" ] || fail "$(cat -v seen.txt)"
  if sed -n '/^way to attend/,/^local window/p; /^positions/,/^none/p' seen.txt | grep $'\x1b'; then fail "a bar in a table"; fi
fi

check "both tables fit 80 columns, also with all lengths that are tested unless told otherwise"
"$compare" "${small[@]:0:12}" --out wide >wide.txt
for table in table.txt wide.txt; do
  if LC_ALL=C.UTF-8 grep -E '^.{81}' <(grep -v : $table; grep '^none: ' $table); then fail "$table is too wide"; fi
done
grep -qE '^ +─+ right at length ─+$' wide.txt && grep -qE '^ +─+ right words get ─+$' wide.txt || fail "$(cat wide.txt)"
grep -qE ' 8 .* 256  ' wide.txt || fail "$(cat wide.txt)"

check "the maps of attention have the end of the sentence, so that their rows sum to 1, and so has the known alignment"
[ "$(grep -o '>⏎</text>' run/page.html | wc -l)" -eq $((2 * $(grep -o 'class="gradual map"' run/page.html | wc -l))) ]

check "it says what the figures say, on the terminal and on the page: nothing before anything is learnt"
for file in table.txt run/page.html; do
  grep -q 'Nothing comes out exactly right yet' $file || fail "no finding in $file"
  grep -qE 'Trained on length 16 and asked at length 20, ([a-z]+ does best: [0-9.]+ %|no kind is better than a guess .*; the best is [a-z]+ with [0-9.]+ %: give it more --position-steps)' <(plain $file) || fail "no finding of positions in $file"
done

check "the first line below a table says what came out, and no two empty lines follow each other"
[ "$(sed -n '/^none: mean  *[0-9]/,/^local window  *[0-9]/p' table.txt | sed 's/^$/-/; s/[ ,0-9].*//' | xargs)" = 'none: none: recurrent - additive dot scaled - multi-head local' ] || fail "the rows have no parts: $(cat table.txt)"
[ "$(sed '1,/^a guess  *[0-9]/d' table.txt | sed -n 2p | grep -cE '^In short: at length 20, [a-z]+ is best, [0-9.]+ % right; a guess, [0-9.]+ %\.$')" -eq 1 ] || fail "$(cat table.txt)"
[ "$(cat table.txt)" = "$(cat -s table.txt)" ] || fail "$(cat table.txt)"

check "without positions the order changes nothing, with any kind it does"
awk '/^(sinusoidal|learned|rotary) / { if ($NF < 1e-3) exit 1 } /^none  *[0-9,]+ / { found = 1; if ($NF != "0.00") exit 1 }
     END { if (!found) exit 1 }' table.txt || fail "$(cat table.txt)"

check "the page has the maps beside the known alignment and the curves by length, and needs no network"
for part in 'known alignment' 'class="gradual map"' 'class="gradual chart many"'; do
  grep -q "$part" run/page.html || fail "no $part"
done
grep -q '<line class="mark"' run/page.html || fail "no line at the length of training"
grep -qE '<b>[0-9.]+ %</b>' run/page.html || fail "the ranking is not in per cent"
for tick in 4 20; do grep -q "text-anchor=\"middle\"[^>]*>$tick</text>" run/page.html || fail "no tick at $tick"; done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi

check "what order changes is more than rounding with every kind but none, as a mark says, and a chart begins with its question"
[ "$(grep -o '>✓</td>' run/page.html | wc -l)" -eq 5 ] && [ "$(grep -o '>✗</td>' run/page.html | wc -l)" -eq 1 ] || fail "no marks"
grep -q 'All kinds do but “none”\. With “none”, shuffle what goes in' run/page.html || fail "no finding of the order"
grep -q 'where x is the sequence, f the attention and π the shuffle' run/page.html || fail "the formula is not explained"
for question in 'Which way gets the most sentences right?' 'Which kind still answers right in longer sequences?'; do
  grep -qF "<h3>$question</h3>" run/page.html || fail "no $question"
done

check "what looks best at the words that are translated is told with those that are as good"
grep -qE 'Most often with [a-z -]+: before [0-9]+ of 100 French words, the most weight lies on the English word that the French one translates.* Within chance of the best, with the standard error of 4 sentences: ' run/page.html || fail "no caveat"

check "the page begins in plain words, with formulas below the table and the chapters that explain them, and says why a row is empty"
if sed -n '/<h2 /,/<table/p' run/page.html | sed '/<table/,$d' | grep -q '[₁·]'; then fail "a formula in the first paragraphs"; fi
grep -q 'the scores are vᵀ.*: chapter 4. The recurrent networks are GRUs: chapter 10' run/page.html || fail "no chapters"
grep -q 'it translates no word, so its row in the known alignment is empty' run/page.html || fail "no word of the end"
grep -q '“none: recurrent” has no map, as it has no attention' run/page.html || fail "no word of the map that is missing"

check "in the chart of positions the best two keep their colours, and others are grey"
sed 's/<svg/\n&/g' run/page.html >pictures.txt
sed -n '/class="gradual chart many"/{p;q}' pictures.txt >chart.txt
grey=$(grep -o '<path class="faint neutral"' chart.txt | wc -l)
[ "$grey" -ge 1 ] && [ "$grey" -le 4 ] || fail "$grey grey curves"
grep -q '<path class="line s0"' chart.txt && grep -q '<path class="line s1"' chart.txt || fail "no colours"
grep -q '<g stroke-dasharray[^>]*><path class="line limit"' chart.txt && grep -q '>a guess</text>' chart.txt || fail "no guess"
if grep -q 'svg.many' run/page.html; then fail "a style of its own"; fi

check "the page names its columns as the terminal does"
for title in 'CPU time' 'exactly right' 'right words get weight' 'right words get the top' 'right words get top in best head' 'right at length 20'; do
  grep -qF ">$title</th>" run/page.html || fail "no column $title"
done

check "on a phone all tables stay tables, where few lengths are tested"
[ "$(grep -o '<table class="compact"' run/page.html | wc -l)" -eq 4 ] || fail "$(grep -o '<table class="[a-z]*"' run/page.html)"

check "with --json, one line of figures and nothing else; the same seed gives the same figures"
"$compare" "${small[@]}" --out run --json >first.json
"$compare" "${small[@]}" --out run --json --threads 1 >second.json
[ "$(wc -l <first.json)" -eq 1 ]
without_time() { sed -E 's/"cpu_seconds":[^,]*,//g' "$1"; }
[ "$(without_time first.json)" = "$(without_time second.json)" ]
grep -q '"accuracy_by_length":{"4":' first.json

check "bad input gets an error that names it"
expect_error "heads must divide width: heads is 3, width is 64" --heads 3
expect_error "--steps: must be a whole number above 0: got \"0\"" --steps 0
expect_error "--lengths" --lengths 8,-1
touch in_the_way
expect_error "in_the_way" "${small[@]}" --out in_the_way/run

check "a mistake in the command line ends with code 2"
code=0
"$compare" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

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
  grep -qE "^$positions  +[0-9,]+ +[0-9.]+ s( +[0-9.]+ %){2}$" table.txt || fail "$positions: $(cat table.txt)"
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
grep -A 1 -x '  local window  *as multi-head, but of its own sentence a word sees only' <<<"$way_lines" | grep -qx '  *2 words to either side, and in the decoder those before' || fail "a window is said to hide the source: $way_lines"
for words in 'Each is the same small transformer with another part in one place' 'the recurrent ones are networks of their own' 'BLEU, from 0 to 100, ' '"Top word is right": before a French word' \
  '"c=7" is one item, so this is a sequence of length 4' 'A guess is one of all the values that the name has had'; do
  tr '\n' ' ' <table.txt | grep -qF "$words" || fail "$words is not explained: $(cat table.txt)"
done
if grep -qi 'order changes' table.txt; then fail "what order changes stands in the terminal: $(cat table.txt)"; fi

check "a way that weighs all words alike has no top word, and that of a recurrent one without attention is empty too"
for way in 'none: mean' 'none: recurrent'; do grep -qE "^$way .* s +[0-9.]+ % +[0-9.]+$" table.txt || fail "$way: $(cat table.txt)"; done
grep -qE '^multi-head .* s +[0-9.]+ % +[0-9.]+ +[0-9]+ %$' table.txt || fail "$(cat table.txt)"
grep -qE 'none: mean</td><td[^>]*>[0-9]+ %</td><td[^>]*></td><td[^>]*></td>' <(plain run/page.html) || fail "the page has a top word"
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
  if LC_ALL=C.UTF-8 grep -E '^.{81}' <(grep '  ' $table); then fail "$table is too wide"; fi
done
grep -qE '^ +─+ right at length ─+$' wide.txt || fail "$(cat wide.txt)"
grep -qE ' 8 .* 256$' wide.txt || fail "$(cat wide.txt)"

check "the maps of attention have the end of the sentence, so that their rows sum to 1, and so has the known alignment"
[ "$(grep -o '>⏎</text>' run/page.html | wc -l)" -eq $((2 * $(grep -o 'class="gradual map"' run/page.html | wc -l))) ]

positions_in_short='In short: at length 20, ([a-z]+ is best, [0-9.]+ % right; a guess, [0-9.]+ %(, and hardly better: [a-z, ]+)?\.|no kind is better than a guess, [0-9.]+ %; the best is [a-z]+, [0-9.]+ %: give it more --position-steps)'
check "it says what the figures say, on the terminal and on the page: nothing before anything is learnt"
for file in table.txt run/page.html; do
  grep -q 'Nothing comes out exactly right yet' $file || fail "no finding in $file"
  tr '\n' ' ' < <(plain $file) | grep -qE "$positions_in_short" || fail "no finding of positions in $file"
done

check "the first line below a table says what came out, and no two empty lines follow each other"
[ "$(sed -n '/^no attention, or a/,/^local window  *[0-9]/p' table.txt | sed 's/^$/-/; s/[ ,].*//' | xargs)" = 'no none: none: recurrent - one additive dot scaled - 2 multi-head local' ] || fail "the rows have no parts: $(cat table.txt)"
[ "$(sed '1,/^a guess  *[0-9]/d' table.txt | sed -n 2p | grep -cE "^$positions_in_short")" -eq 1 ] || fail "$(cat table.txt)"
[ "$(cat table.txt)" = "$(cat -s table.txt)" ] || fail "$(cat table.txt)"

check "the page has the maps beside the known alignment and the curves by length, and needs no network"
for part in 'known alignment' 'class="gradual map"' 'class="gradual chart many"'; do
  grep -q "$part" run/page.html || fail "no $part"
done
grep -q '<line class="mark"' run/page.html || fail "no line at the length of training"
grep -qE '<b>[0-9.]+ %</b>' run/page.html || fail "the ranking is not in per cent"
for tick in 4 20; do grep -q "text-anchor=\"middle\"[^>]*>$tick</text>" run/page.html || fail "no tick at $tick"; done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi

check "the page says in figures what order changes, with every kind but none, without which mask, and a chart begins with its question"
grep -qE 'with “none”, the same comes out, shuffled\. With the others what comes out also changes, by [1-9][0-9]* % \([a-z]+\) to [1-9][0-9]* % \([a-z]+\) of its size\. This is measured without the causal mask' <(plain run/page.html) || fail "no finding of the order"
if grep -qF '‖' run/page.html; then fail "a norm on the page"; fi
for question in 'Which way gets the most sentences right?' 'Which kind still answers right in longer sequences?'; do
  grep -qF "<h3>$question</h3>" run/page.html || fail "no $question"
done

check "below the bars stand at once the known alignment, the best way, scaled dot and dot, before all tables, and the others on request"
first_maps=$(sed 's/<h3>/\n&/g; s/<svg/\n&/g' run/page.html | sed -n '/<h3>What does each look at?/,/<details><summary>The other ways/p')
titles=$(grep -oE 'class="title"[^>]*>[a-z, -]+' <<<"$first_maps" | sed 's/.*>//')
[ "$(head -1 <<<"$titles")" = 'known alignment' ] && grep -qx 'scaled dot' <<<"$titles" && grep -qx dot <<<"$titles" || fail "$titles"
[ "$(wc -l <<<"$titles")" -le 4 ] || fail "too many at once: $titles"
[ "$(sed 's/<table/\n&/g; s/<h3>/\n&/g' run/page.html | grep -oE -m 2 '^<(table|h3>What does each look at)' | head -1)" = '<h3>What does each look at' ] || fail "a table before the maps"

check "what looks best at the words that are translated is told with those that are as good"
grep -qE 'Most often with [a-z -]+: before [0-9]+ of 100 French words, the most weight lies on an English word that the French one translates.* As good, as far as 4 sentences tell: ' run/page.html || fail "no caveat"

check "the page begins in plain words, with formulas below the table and the chapters that explain them, and says why a row is empty"
if sed -n '/<h2 /,/<table/p' run/page.html | sed '/<table/,$d' | grep -q '[₁·]'; then fail "a formula in the first paragraphs"; fi
grep -q 'the scores are vᵀ.*: chapter 4. The recurrent networks are GRUs: chapter 10' run/page.html || fail "no chapters"
grep -q 'the end of a sentence, which translates no word' run/page.html || fail "no word of the end"
grep -q '“none: recurrent” has no map, as it has no attention' run/page.html || fail "no word of the map that is missing"

check "in the chart of positions the best two keep their colours, and others are grey"
sed 's/<svg/\n&/g' run/page.html >pictures.txt
sed -n '/class="gradual chart many"/{p;q}' pictures.txt >chart.txt
grey=$(grep -o '<path class="faint neutral"' chart.txt | wc -l)
[ "$grey" -ge 1 ] && [ "$grey" -le 4 ] || fail "$grey grey curves"
grep -q '<path class="line s0"' chart.txt && grep -q '<path class="line s1"' chart.txt || fail "no colours"
grep -q '<g stroke-dasharray[^>]*><path class="line limit"' chart.txt && grep -q '>a guess</text>' chart.txt || fail "no guess"
if grep -q 'svg.many' run/page.html; then fail "a style of its own"; fi

check "the page's titles of columns are short"
for title in 'CPU time' right BLEU weight top 'top, best head' 'length 20'; do
  grep -qF ">$title</th>" run/page.html || fail "no column $title"
done

check "on a phone all tables stay tables, where few lengths are tested"
[ "$(grep -o '<table class="compact"' run/page.html | wc -l)" -eq 3 ] || fail "$(grep -o '<table class="[a-z]*"' run/page.html)"

check "with --json, one line of figures and nothing else; the same seed gives the same figures"
"$compare" "${small[@]}" --out run --json >first.json
"$compare" "${small[@]}" --out run --json --threads 1 >second.json
[ "$(wc -l <first.json)" -eq 1 ]
without_time() { sed -E 's/"cpu_seconds":[^,]*,//g' "$1"; }
[ "$(without_time first.json)" = "$(without_time second.json)" ]
grep -q '"accuracy_by_length":{"4":' first.json

check "JSON keeps what the terminal leaves out, and what order changes is nothing without positions and more with any kind"
grep -q '"strongest_of_best_head":' first.json && grep -q '"weight":' first.json || fail "$(cat first.json)"
[ "$(grep -oE '"what_the_order_changes":[0-9.e-]+' first.json | awk -F: '{ print ($2 > 1e-3) }' | xargs)" = '1 1 1 1 1 0' ] || fail "$(cat first.json)"

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

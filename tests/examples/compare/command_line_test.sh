#!/usr/bin/env bash
# The program `compare` as its users run it: command_line_test.sh <compare> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

compare=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$compare" "${@:2}"; }
small=(--steps 3 --batch-tokens 128 --test-sentences 4 --width 16 --heads 2)

check "every way to attend has a line, the best first"
"$compare" "${small[@]}" --out run >table.txt
for way in 'equal weights' recurrent 'recurrent, additive' additive dot 'scaled dot' multi-head 'local window'; do
  grep -qE "^$way  +[0-9.]+ s +[0-9.]+ %( |$)" table.txt || fail "$way: $(cat table.txt)"
done
grep -E '^[a-z, -]+ +[0-9.]+ s +[0-9.]+ %' table.txt | sed 's/ %.*//; s/.* //' | sort -nrc || fail "the best is not the first: $(cat table.txt)"

check "above the table stand its question, the task with an example, what it is to attend, and then what each way does, in words of those before"
head=$(sed '/CPU time  exactly right/q' table.txt)
head -1 table.txt | grep -qx 'Which way to attend translates best?' || fail "no question first: $head"
grep -q '^  → [A-Z]' <<<"$head" || fail "no translation: $head"
tr '\n' ' ' <<<"$head" | grep -q 'right is what equals the expected one word for word' || fail "not what is right: $head"
tr '\n' ' ' <<<"$head" | grep -q 'To attend, a word gives each word that it may look at a score s, and softmax, eˢ/Σeˢ, makes of the scores weights that sum to 1: of 0, 1 and 2 it makes 0\.09, 0\.24 and 0\.67\..* The ways: ' || fail "$head"
if grep -qE '  the same[,. ]' <<<"$head"; then fail "a way is told by the one above it: $head"; fi
[ "$(grep -oE '^  (dot|scaled dot|additive|multi-head|local window|recurrent|recurrent, additive|equal weights)  +[a-z]' <<<"$head" | sed 's/^  //; s/  .*//' | paste -sd ';')" = 'equal weights;dot;scaled dot;additive;multi-head;local window;recurrent;recurrent, additive' ] || fail "not every way: $head"
tr -s '\n ' ' ' <table.txt | grep -qF 'seeing 2 words on each side in its sentence (in French the 2 before it)' || fail "a window is said to hide the source: $(cat table.txt)"

check "a way that weighs all words alike has no top word on the page, and that of a recurrent one without attention is empty too"
looks=$(plain run/page.html | tr '\n' ' ' | sed 's/.*Do they look at the words//; s/<h2.*//')
grep -qE '>equal weights</td><td[^>]*>[0-9]+ %</td><td[^>]*></td><td[^>]*></td>' <<<"$looks" || fail "the page has a top word"
grep -qE '>recurrent</td><td[^>]*></td><td[^>]*></td><td[^>]*></td>' <<<"$looks" || fail "the page has weights of no attention"
grep -qE '>multi-head</td>(<td[^>]*>[0-9]+ %</td>){3}' <<<"$looks" || fail "the page has no top word of multi-head"
if LC_ALL=C.UTF-8 grep -E '^.{81}' <<<"$head"; then fail "a line above the table is too wide"; fi

check "on a terminal words come before the first bar, and no bar stands between the lines of a table"
expect_no_bar_in_table 'Which way to attend' '[a-z].* s *[0-9.]* %' 'In short\|Nothing comes out' "$compare" "${small[@]}" --out seen

check "the maps of attention have the end of the sentence, so that their rows sum to 1, and so has the known alignment"
[ "$(grep -o '>⏎</text>' run/page.html | wc -l)" -eq $((2 * $(grep -o 'class="gradual map"' run/page.html | wc -l))) ]

check "below the table stands what came out, and what those make of a sentence that get it wrong: on the page too, and nothing before anything is learnt"
for file in table.txt run/page.html; do grep -q 'Nothing comes out exactly right yet' $file || fail "no finding in $file"; done
[ "$(sed '1,/CPU time  exactly right/d' table.txt | tr '\n' ' ' | grep -cE ' From “[A-Z][^”]*” 0 of 8 make what is right: ')" -eq 1 ] || fail "no translations: $(cat table.txt)"
[ "$(sed '1,/^The others make:$/d; /^Why they differ/,$d' table.txt | grep -cE '^  (equal weights|recurrent|additive|dot|scaled dot|multi-head|local window)')" -eq 8 ] || fail "not what each makes of it: $(cat table.txt)"
[ "$(cat table.txt)" = "$(cat -s table.txt)" ] || fail "two empty lines: $(cat table.txt)"

check "the page has the maps beside the known alignment, and needs no network"
for part in 'known alignment' 'class="gradual map"'; do
  grep -q "$part" run/page.html || fail "no $part"
done
grep -qE '<b>[0-9.]+ %</b>' run/page.html || fail "the ranking is not in per cent"
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html compare

check "the page begins with what came out; then come the bars, what each way is and what it makes of a sentence, and a question stands before each answer"
[ "$(sed -n '1,/<h2/p' run/page.html | grep -c 'Nothing comes out exactly right yet')" -eq 1 ] || fail "no result first"
[ "$(grep -oE '<h2[^>]*>[^<]*|class="bars|<h3>multi-head|<dt>[0-9] of [0-9]' run/page.html | sed 's/.*[>"]//' | awk '!seen[$0]++' | head -5 | paste -sd '|')" = 'bars|How does each attend?|multi-head|What comes of it?|0 of 8' ] || fail "$(grep -oE '<h2[^>]*>[^<]*' run/page.html)"

check "each way has a card with a picture and what it is"
cards=$(sed -n '/<div class="cards"/,/<h2/p' run/page.html)
[ "$(grep -oE '<h3>[a-z, -]+' <<<"$cards" | sed 's/<h3>//' | paste -sd ';')" = 'equal weights;dot;scaled dot;additive;multi-head;local window;recurrent;recurrent, additive' ] || fail "$cards"
[ "$(grep -o 'class="gradual way"' <<<"$cards" | wc -l)" -eq 8 ] || fail "not all are drawn"

check "the known alignment, the best way, if any, scaled dot and dot are seen at once, and the others on request"
first_maps=$(sed 's/<h2/\n&/g; s/<svg/\n&/g' run/page.html | sed -n '/<h2[^>]*>What does each look at?/,/<details><summary>The other ways/p')
titles=$(grep -oE 'class="title"[^>]*>[a-z, -]+' <<<"$first_maps" | sed 's/.*>//')
[ "$(grep -oE '<span dir="auto">[a-z, -]+' run/page.html | cut -d'>' -f2 | grep -xF "$titles" | paste -sd ';')" = "$(sed 1d <<<"$titles" | paste -sd ';')" ] || fail "the maps are not in the order of the bars: $titles"
for table in 'Do they look at' 'All figures, what they cost'; do
  [ "$(sed 's/<h2/\n&/g; s/<details/\n&/g' run/page.html | sed -n "/^<[a-z0-9]*[^>]*>\(<summary>\)*$table/,/<\/table>/p" | grep -oE '<tr><td[^>]*>[a-z, -]+' | sed 's/.*>//' | paste -sd ';')" = "$(grep -oE '<span dir="auto">[a-z, -]+' run/page.html | cut -d'>' -f2 | paste -sd ';')" ] || fail "$table: not in the order of the bars"
done
[ "$(head -1 <<<"$titles")" = 'known alignment' ] && grep -qx 'scaled dot' <<<"$titles" && grep -qx dot <<<"$titles" || fail "$titles"
grep -q '<details><summary>The other ways' <<<"$first_maps" || fail "nothing is folded: $titles"

check "what looks best at the words that are translated is told with those that are as good"
grep -qE 'Most often with [a-z -]+: for [0-9]+ of 100 French words, the English word with the most weight is one that the French one translates.* As good, as far as 4 sentences tell: ' run/page.html || fail "no caveat"

check "the page begins in plain words, with formulas below and the chapters that explain them, and says what has no map and what no map shows"
if sed '/<dl/,$d' run/page.html | grep -q '[₁·]'; then fail "a formula in the first paragraphs"; fi
grep -q 'each of d numbers:.*vᵀ.*Chapter 4 of the book.*chapter 10 has the recurrent networks, which are GRUs' <(tr '\n' ' ' <run/page.html) || fail "no chapters"
for words in 'A dark cell says: before the French word at its left' 'told the right translation, word by word' '⏎ is the end of a sentence' 'Every French word may look at all English ones, with the local window, too' '“recurrent” has no map, as it does not attend' 'only the one is shown that is closest'; do
  grep -q "$words" run/page.html || fail "no $words"
done

check "the page's titles of columns are short"
for title in 'CPU time' BLEU 'on right words' 'top word, all heads' 'top word, best head'; do
  grep -qF ">$title</th>" run/page.html || fail "no column $title"
done

check "with --json, one line of figures and nothing else; the same seed gives the same figures"
"$compare" "${small[@]}" --out run --json >first.json
"$compare" "${small[@]}" --out run --json --threads 1 >second.json
[ "$(wc -l <first.json)" -eq 1 ]
without_time() { sed -E 's/"cpu_seconds":[^,]*,//g' "$1"; }
[ "$(without_time first.json)" = "$(without_time second.json)" ]

check "JSON keeps what the terminal leaves out"
grep -q '"strongest_of_best_head":' first.json && grep -q '"weight":' first.json || fail "$(cat first.json)"

check "bad input gets an error that names it"
expect_error "heads must divide width: heads is 3, width is 64" --heads 3
expect_error "--steps: must be a whole number above 0: got \"0\"" --steps 0
touch in_the_way
expect_error "in_the_way" "${small[@]}" --out in_the_way/run

check "a mistake in the command line ends with code 2"
code=0
"$compare" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

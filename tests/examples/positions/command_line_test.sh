#!/usr/bin/env bash
# The program `positions` as its users run it: command_line_test.sh <positions> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

positions=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$positions" "${@:2}"; }
small=(--steps 3)
two=("${small[@]}" --lengths "4,20")

check "every kind of position has a line with the share that is right at each length and what tells the place, the best first; below them stands a guess"
"$positions" "${two[@]}" --out run >table.txt
for kind in sinusoidal learned relative alibi rotary none; do
  grep -qE "^$kind( +[0-9]+){2}  [a-z, ]+$" table.txt || fail "$kind: $(cat table.txt)"
done
for guess in 'a guess( +[0-9]+){2}  any value that the name has had' "commonest( +[0-9]+){2}  the name's commonest value"; do
  grep -qE "^$guess$" table.txt || fail "no $guess: $(cat table.txt)"
done

[ "$(sed '/^a guess/q' table.txt | grep -E '^[a-z]+( +[0-9]+){2}  [a-z]' | awk '{ print $3 }' | sort -nrc 2>&1)" = "" ] || fail "the best is not the first: $(cat table.txt)"

check "above the table stand its question, the task with an example, and what a length is, below it what becomes of each kind; the page says what each does"
head=$(sed '/^alibi  *[0-9]/q' table.txt)
head -1 table.txt | grep -qx 'Which kind of positions still works in longer sequences?' || fail "no question first: $head"
grep -qF '  c=7 a=3 c=1 c?  →  c=1' <<<"$head" || fail "no example: $head"
grep -qF '“c=7” is one item, so this is a sequence of length 4' <(tr '\n' ' ' <<<"$head") || fail "no length: $head"
for words in 'a list of waves is added to the item' 'for each place back the score falls' 'turned like clock hands'; do
  grep -qF "$words" <(plain run/page.html) || fail "no $words"
done
for words in 'what is farther counts less, at any distance' 'no training step has touched the lists of the later places'; do
  for file in table.txt run/page.html; do grep -qF "$words" <(plain $file | tr -s '\n ' ' ') || fail "no $words in $file"; done
done

check "on a terminal words come before the first bar, and no bar stands between the lines of the table"
expect_no_bar_in_table 'Which kind of positions' '.*places are told' 'a guess' "$positions" "${two[@]}" --out seen

check "words above the table and the table fit 80 columns, also with all lengths that are tested unless told otherwise"
"$positions" "${small[@]}" --out wide >wide.txt
for file in table.txt wide.txt; do
  if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^In short/q' $file | head -n -1); then fail "$file is too wide"; fi
  [ "$(cat $file)" = "$(cat -s $file)" ] || fail "two empty lines: $(cat $file)"
done
grep -qE '^ +─+ % right at length ─+$' wide.txt || fail "$(cat wide.txt)"
grep -qE '^ +8 .* 256  how places are told$' wide.txt || fail "$(cat wide.txt)"

check "below the table, and on the page, it says what the figures say, and what a guess is"
in_short='In short: at length 20 ((all|only) [a-z]+ \([0-9]+ %\).* clearly better than a guess|no kind is clearly better than a guess: give it more --steps)'
for file in table.txt run/page.html; do tr '\n' ' ' < <(plain $file) | grep -qE "$in_short" || fail "no finding in $file"; tr '\n' ' ' < <(plain $file) | grep -qF 'so that a guess is often right there' || fail "no guess in $file"; done
[ "$(sed '1,/^a guess  *[0-9]/d' table.txt | grep -c '^In short: at length 20')" -eq 1 ] || fail "$(cat table.txt)"

check "the page says what came out before all else, and then a chart, whose best two kinds keep their colours, and below it what each kind does, with a guess and the length of training"
sed 's/<svg/\n&/g; s/<table/\n&/g' run/page.html >parts.txt
grep -q 'Added to the score, mean of the heads' run/page.html || fail "no curves of what is added to scores"
place() { grep -n -m 1 "$1" parts.txt | cut -d: -f1; }
[ "$(place 'at length 20')" -lt "$(place 'class="gradual chart many"')" ] && [ "$(place 'class="gradual chart many"')" -lt "$(place 'turned like clock hands')" ] || fail "not in order"
sed -n '/class="gradual chart many"/{p;q}' parts.txt >chart.txt
grey=$(grep -o '<path class="faint neutral"' chart.txt | wc -l)
[ "$grey" -ge 1 ] && [ "$grey" -le 4 ] || fail "$grey grey curves"
grep -q '<path class="line s0"' chart.txt && grep -q '<path class="line s1"' chart.txt || fail "no colours"
grep -q '<g stroke-dasharray[^>]*><path class="line limit"' chart.txt && grep -q '>a guess</text>' chart.txt || fail "no guess"
grep -q '<line class="mark"' chart.txt || fail "no line at the length of training"
for tick in 4 20; do grep -q "text-anchor=\"middle\"[^>]*>$tick</text>" chart.txt || fail "no tick at $tick"; done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html positions

check "the page draws what each kind gives to places, and says what that is worth in longer sequences; the terminal holds two screens"
[ "$(grep -oE 'class="gradual kind" [^>]*aria-label="[a-z]+: what it gives' run/page.html | sed 's/.*aria-label="//; s/:.*//' | sort | xargs)" = 'alibi learned none relative rotary sinusoidal' ] || fail "not every kind is drawn"
[ "$(grep -o 'In longer sequences [a-z]' run/page.html | wc -l)" -eq 6 ] || fail "not every kind says what becomes of it"
[ "$(wc -l <wide.txt)" -le 50 ] || fail "$(wc -l <wide.txt) lines"

check "the page says in figures what order changes, with every kind but none, and without which mask"
grep -q 'With “none” it is the same as without shuffling\. With the other kinds what comes out changes, by .* (Here each item sees all others' <(plain run/page.html) || fail "no finding of the order"
grep -qE 'what comes out changes, by [1-9][0-9]* to [0-9]+ % of its size' <(plain run/page.html) || fail "not by how much"

check "the page shows what the question at the end looks at, with every kind, in a sequence as long as in training and in a longer one"
looks=$(sed 's/<h2/\n&/g' run/page.html | sed -n '/^<h2[^>]*>What does the question look at?/,/^<h2[^>]*>In code/p')
[ "$(grep -oE 'Of (16|64) items, the last of which asks: right is [a-h]=[0-9], said is [a-h][=?][0-9]?' <<<"$looks" | cut -d' ' -f2 | xargs)" = '16 64 16 64 16 64 16 64 16 64 16 64' ] || fail "$(grep -oE 'Of [0-9]+ items.{80}' <<<"$looks")"
[ "$(grep -oE '\(it is right in [0-9]+ % of such\)' <(plain wide/page.html) | wc -l)" -eq 12 ] || fail "not how often each kind is right in such sequences"
awk 'BEGIN { RS = "<h3>" } NR > 1 { print /<div class="choices"/ }' <<<"$looks" | head -2 | xargs | grep -qx '0 1' || fail "not the best kind, and below it one to choose"
awk 'BEGIN { RS = "<p class=\"weighted\"" } NR > 1 { sum = 0; n = split($0, part, "--weight:"); for (i = 2; i <= n; ++i) sum += part[i] + 0; if (sum < 0.9 || sum > 1.1) exit 1; ++strips } END { exit strips != 12 }' <<<"$looks" || fail "weights do not sum to 1"

check "with --json, one line of figures and nothing else; the same seed gives the same figures"
"$positions" "${two[@]}" --out run --json >first.json
"$positions" "${two[@]}" --out run --json --threads 1 >second.json
[ "$(wc -l <first.json)" -eq 1 ]
without_time() { sed -E 's/"cpu_seconds":[^,]*,//g' "$1"; }
[ "$(without_time first.json)" = "$(without_time second.json)" ]
grep -q '"accuracy_by_length":{"4":' first.json

check "what order changes is nothing without positions and more with any kind"
[ "$(grep -oE '"what_the_order_changes":[0-9.e-]+' first.json | awk -F: '{ print ($2 > 1e-3) }' | xargs)" = '1 1 1 1 1 0' ] || fail "$(cat first.json)"

check "bad input gets an error that names it, and no words above it"
expect_error "heads must divide width: heads is 3, width is 32" --heads 3
if [ -s out.txt ]; then fail "words above an error: $(cat out.txt)"; fi
expect_error "--lengths" --lengths 8,-1
touch in_the_way
expect_error "in_the_way" "${small[@]}" --out in_the_way/run
echo "all checks passed"

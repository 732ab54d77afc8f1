#!/usr/bin/env bash
# The program `images` as its users run it: command_line_test.sh <images> <empty folder to work in>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

images=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$images" "${@:2}"; }
small=(--steps 12 --batch 8 --tested 50 --width 16)

check "both models are trained and tested, and the page draws where the arrow looks, without a network"
"$images" "${small[@]}" --json --out run >figures.json
[ "$(grep -oE '"accuracy":' figures.json | wc -l)" -eq 2 ]
[ "$(grep -oE '"cpu_seconds":[0-9]' figures.json | wc -l)" -eq 2 ] || fail "$(cat figures.json)"
grep -q '<svg' run/page.html
grep -q 'gets [0-9.]* % of 50 new pictures right, the one .*; a guess among the 5 shapes would get 20.0 %' <(plain run/page.html) || fail "no result in a sentence"
for shape in arrow cross ring square triangle bar; do
  grep -q "</svg></div><figcaption>$shape</figcaption>" run/page.html || fail "no $shape by itself, with its name below it"
done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi

check "the same seed gives the same figures on one thread and on two"
"$images" "${small[@]}" --json --out a --threads 2 | sed 's/"cpu_seconds":[^,]*//g' >first.json
"$images" "${small[@]}" --json --out b --threads 1 | sed 's/"cpu_seconds":[^,]*//g' | cmp - first.json

check "it says how far it is, in words where nobody watches, and the page shows steps of the training"
"$images" "${small[@]}" --out told >table.txt 2>told.txt
grep -qE '^counting shapes +[0-9.]+ %$' table.txt || fail "$(cat table.txt)"
for model in 'attention among cells' 'each cell alone'; do grep -q "$model  *12/12 .*done in" told.txt || fail "$(cat told.txt)"; done
[ "$(grep -o 'of the weight of the arrow' told/page.html | wc -l)" -eq 8 ]

check "the pictures begin with the end of training, tell the right shape where the model is wrong, and say where another head is shown"
grep -q '<details open=""><summary dir="auto">12</summary>' told/page.html || fail "it does not begin with the last step"
[ "$(grep -o '✗' told/page.html | wc -l)" -eq "$(grep -oE '✗, right: (cross|ring|square|triangle|bar)' told/page.html | wc -l)" ] && grep -q '✗, right: ' told/page.html || fail "no right shape"
sed -nE 's/.*After [0-9]+ steps, in (round [0-9], head [0-9]),.*its tint; the strongest here is [0-9]+ %\. (Another head)?.*/\1,\2/p' <(plain told/page.html) |
  awk -F, '{ if (($3 != "") != (NR > 1 && $1 $2 != last)) exit 1; last = $1 $2 } END { exit NR != 8 }' || fail "a change of heads is not told"

check "the page says the task and shows a picture before any figure, and what the model that sees each cell alone answers"
task=$(grep -n -m 1 'which shape stands in the cell that the arrow points at' told/page.html | cut -d: -f1)
picture=$(grep -nE -m 1 '>Right: (cross|ring|square|triangle|bar)</text>' told/page.html | cut -d: -f1)
figures=$(grep -n -m 1 'of 50 new pictures right' told/page.html | cut -d: -f1)
[ "$task" -lt "$picture" ] && [ "$picture" -lt "$figures" ] || fail "lines $task, $picture and $figures"
alone=$(sed -n '/that sees each cell alone says to the same pictures/,$p' told/page.html)
[ "$(grep -cE '>(cross|ring|square|triangle|bar) [✓✗][^<]*</text></svg>' <<<"$alone")" -eq 6 ] || fail "no six answers, each below its picture"
grep -q 'Below each picture, what the model says' told/page.html || fail "nothing says where the answers are"

check "it begins with the task and an example"
head -1 table.txt | grep -q '^The task: a picture of 5 × 5 cells' && grep -q '^  answer: square$' table.txt || fail "$(cat table.txt)"

check "the table fits 80 columns, and a sentence says what came out"
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^a guess/q' table.txt); then fail "too wide"; fi
grep -qE '^The model whose cells look at one another gets [0-9.]+ % of 50 new pictures right' table.txt || fail "$(cat table.txt)"

check "bad input gets an error that names the rule"
expect_error "heads must divide" "${small[@]}" --heads 3
expect_error "the width must be even" --steps 1 --width 15 --heads 3
expect_error "--steps: must be a whole number above 0: got \"0\"" --steps 0
expect_error "--noise: must be a number that is not below 0: got \"-1\"" --noise -1

check "a mistake in the command line ends with code 2"
code=0
"$images" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

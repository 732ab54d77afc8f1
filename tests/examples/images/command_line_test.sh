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
grep -q 'where cells look at one another, they have not learnt where to look yet' run/page.html || fail "no result in a sentence"
for shape in arrow cross ring square triangle bar; do
  grep -q "</svg></div><figcaption>$shape</figcaption>" run/page.html || fail "no $shape by itself, with its name below it"
done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html images

check "the same seed gives the same figures on one thread and on two"
"$images" "${small[@]}" --json --out a --threads 2 | sed 's/"cpu_seconds":[^,]*//g' >first.json
"$images" "${small[@]}" --json --out b --threads 1 | sed 's/"cpu_seconds":[^,]*//g' | cmp - first.json

check "it says how far it is, in words where nobody watches, and the page shows steps of the training"
"$images" "${small[@]}" --out told >table.txt 2>told.txt
grep -qE '^counting shapes +[0-9.]+ %$' table.txt || fail "$(cat table.txt)"
for model in 'attention among cells' 'each cell alone'; do grep -q "$model  *12/12 .*done in" told.txt || fail "$(cat told.txt)"; done
[ "$(grep -o 'of the weight of the arrow' told/page.html | wc -l)" -eq 8 ]

check "the pictures begin with the end of training where nothing works before it, and say where another head is shown"
grep -q '<details open=""><summary dir="auto">12</summary>' told/page.html || fail "it does not begin with the last step"
sed -nE 's/.*After [0-9]+ steps, in (layer [0-9], head [0-9]),.*stronger its tint\. (Another head)?.*/\1,\2/p' <(plain told/page.html) |
  awk -F, '{ if (($3 != "") != (NR > 1 && $1 $2 != last)) exit 1; last = $1 $2 } END { exit NR != 8 }' || fail "a change of heads is not told"
[ "$(plain told/page.html | grep -oE 'on average over 200 pictures: more than 90 % in [0-9]+ of the 200, less in the others' | wc -l)" -eq 8 ] || fail "nothing says where the rest of the weight is"

check "the page says the task and shows a picture before any figure, and below each picture what is right and what both models answer"
task=$(grep -n -m 1 'which shape stands in the cell that the arrow points at' told/page.html | cut -d: -f1)
picture=$(grep -nE -m 1 '>It points (up|down|left|right): (cross|ring|square|triangle|bar)</text>' told/page.html | cut -d: -f1)
figures=$(grep -n -m 1 'where cells look at one another, they' told/page.html | cut -d: -f1)
[ "$task" -lt "$picture" ] && [ "$picture" -lt "$figures" ] || fail "lines $task, $picture and $figures"
shapes='(cross|ring|square|triangle|bar)'
shown=$(tr '\n' '|' <told/page.html | grep -oE ">right: $shapes\|attention: $shapes [✓✗]\|alone: $shapes [✓✗]</figcaption>" | tr -d '>' | sed 's/<.*//')
[ "$(wc -l <<<"$shown")" -eq 48 ] || fail "no six pictures in each of eight steps: $shown"
awk -F'[|: ]+' '{ if (($4 == $2) != ($5 == "✓") || ($7 == $2) != ($8 == "✓")) exit 1 }' <<<"$shown" || fail "what is right does not fit the marks: $shown"
grep -q 'stroke-opacity' told/page.html && grep -q 'class="row"' told/page.html || fail "the cells are not parted, or the pictures not in a row"

check "it begins with the task and an example"
head -1 table.txt | grep -qx 'What does the arrow point at?' && sed -n 3p table.txt | grep -q '^The task: a picture of 5 × 5 cells' && grep -q '^  answer: square$' table.txt && grep -q '^ring ○, square □, triangle △, bar ▬' table.txt || fail "$(cat table.txt)"

check "the terminal and the page say who learns, what a head is, and what the weight in the table is"
for name in 'attention among cells' 'each cell alone'; do
  grep -q "^  $name  *[a-z]" table.txt && grep -q "<dt>$name</dt><dd>[a-z]" told/page.html || fail "nothing says what $name is: $(cat table.txt)"
done
for said in 'in 2 layers with 4 heads each; a head is one way to look' 'Tested on 50 new pictures. "Weight there" is the share of its attention that the arrow'; do
  grep -qF "$said" <<<"$(tr -s ' \n' ' ' <table.txt)" && grep -qF "$said" <(plain told/page.html | sed 's/&quot;/"/g') || fail "not said: $said"
done
"$images" "${small[@]}" --heads 1 --rounds 1 --out one 2>/dev/null | tr -s ' \n' ' ' | grep -q 'in 1 layer with 1 head each' || fail "one is a plural"

check "the table fits 80 columns, and a sentence says what came out"
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^a guess/q' table.txt); then fail "too wide"; fi
grep -q '^In short: where cells look at one another, they have not learnt where to look yet: give it more --steps\.' table.txt || fail "$(cat table.txt)"

check "once it has learnt where to look, it says when and how, and the slider begins there"
"$images" --steps 1000 --tested 200 --batch 32 --width 32 --heads 1 --rounds 1 --noise 0 --learning-rate 0.008 --out learnt >learnt.txt 2>/dev/null
grep -qE '^For the first [0-9]+ steps attention, too, is no better than counting\. By then [0-9]+ % of its answers name a commonest shape of the picture, and [0-9]+ % of its weight is on what the arrow points at\. .*: [0-9]+ steps later the weight there is [0-9]+ %, and [0-9]+ % of the answers are right\.$' learnt.txt || fail "$(cat learnt.txt)"
grep -q "^How: each cell is told where it stands, and the arrow's cell knows its direction" learnt.txt || fail "$(cat learnt.txt)"
can_be_right=$(plain learnt/page.html | grep -oE 'The right shape is among the commonest in [0-9]+ %' | grep -oE '[0-9]+')
sed -nE 's/.*By then ([0-9]+) % .* and ([0-9]+) % of its weight .* there is ([0-9]+) %.*/\1 '"$can_be_right"' \2 \3/p' learnt.txt |
  awk '$1 >= $2 && $2 > 25 && $3 < 40 && $4 > $3 + 10 { ++n } END { exit n != 1 }' || fail "it does not count before it looks: $(cat learnt.txt)"
grep -q 'What attention says, and where its weight is (%)' learnt/page.html || fail "no curve of what it does"
opened=$(grep -oE '<details open=""><summary dir="auto">[0-9]+' learnt/page.html | grep -oE '[0-9]+$')
[ "$opened" -gt 125 ] && [ "$opened" -lt 1000 ] || fail "the slider begins at step $opened"

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

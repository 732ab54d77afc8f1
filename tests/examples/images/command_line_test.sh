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
[ "$(grep -o 'of the weight of the arrow' told/page.html | wc -l)" -eq 10 ]

check "the pictures begin with the end of training where nothing works before it, and say where another head is shown"
grep -q '<details open=""><summary dir="auto">12</summary>' told/page.html || fail "it does not begin with the last step"
sed -nE 's/.*After [0-9]+ steps, in (layer [0-9], head [0-9]),.*stronger its tint\. (Another head)?.*/\1,\2/p' <(plain told/page.html) |
  awk -F, '{ if (($3 != "") != (NR > 1 && $1 $2 != last)) exit 1; last = $1 $2 } END { exit NR != 10 }' || fail "a change of heads is not told"
[ "$(plain told/page.html | grep -oE 'on average over 200 pictures: more than 90 % in [0-9]+ of the 200, less in the others' | wc -l)" -eq 10 ] || fail "nothing says where the rest of the weight is"

check "the page says the task and shows a picture before any figure, and below each picture what both models answer"
task=$(grep -n -m 1 'which shape stands in the cell that the arrow points at' told/page.html | cut -d: -f1)
picture=$(grep -nE -m 1 '<figcaption>The arrow \(blue frame\) points (up|down|left|right), at a (cross|ring|square|triangle|bar)</figcaption>' told/page.html | cut -d: -f1)
figures=$(grep -n -m 1 'where cells look at one another, they' told/page.html | cut -d: -f1)
[ "$task" -lt "$picture" ] && [ "$picture" -lt "$figures" ] || fail "lines $task, $picture and $figures"
shapes='(cross|ring|square|triangle|bar)'
shown=$(plain told/page.html | tr '\n' '|' | grep -oE ">$shapes [✓✗], weight [0-9]+ %\|alone: $shapes [✓✗]</figcaption>" | tr -d '>,' | sed 's/<.*//')
[ "$(wc -l <<<"$shown")" -eq 60 ] || fail "no six pictures in each of ten steps: $shown"
awk -F'[|: ]+' '($1 == $7) ? $2 != $8 : $2 $8 == "✓✓" { exit 1 }' <<<"$shown" || fail "the marks contradict each other: $shown"
grep -q 'stroke-opacity' told/page.html && grep -q 'class="row"' told/page.html || fail "the cells are not parted, or the pictures not in a row"
grep -q '[.]row{[^}]*margin-inline:var(--inset)' told/page.html || fail "the pictures are not in the column of the text"

check "the most weight stands below each picture as its tints have it, and its frame has another colour than these"
plain told/page.html | tr '\n' '|' | sed 's/<svg/\n&/g' | grep ', weight [0-9]* %' >looks.txt
[ "$(wc -l <looks.txt)" -eq 60 ] || fail "$(wc -l <looks.txt) pictures"
while read -r look; do
  most=$(grep -oE '<title>[01][.][0-9]{2}</title>' <<<"$look" | grep -oE '[0-9.]{4}' | sort -nr | head -1 | awk '{ printf "%.0f", 100 * $1 }')
  grep -q ", weight $most %|" <<<"$look" || fail "the most is $most: $(grep -oE ', weight [^|]*' <<<"$look")"
done <looks.txt
if grep -q 'stroke="#e8590c"' told/page.html; then fail "a frame in the colour of tints"; fi
[ "$(grep -c 'class="s0" fill="none"' looks.txt)" -eq 60 ] || fail "no frame around the arrow"

check "the first picture stands beside words in their column, which say what is wrong there, and what the arrow looks at before the curves"
aside=$(tr '\n' ' ' <told/page.html | sed 's/.*<div class="aside column">//; s/<p>The shapes without noise:.*//; s/<svg/\n&/g; s/<rect[^>]*>//g')
right=$(grep -oE '>The arrow \(blue frame\) points (up|down|left|right), at a [a-z]+' <<<"$aside" | sed 's/.* //')
wrong=$(grep -oE 'Counting the shapes would say [a-z]+( or [a-z]+)* here, which is wrong, and so is the [a-z]+ behind the arrow' <<<"$aside")
grep -q '<p>Two models learn it:</p> *<dl class="terms"' <<<"$aside" || fail "the models are not beside the picture"
[ -n "$right" ] && [ -n "$wrong" ] && ! grep -qE "\\b$right\\b" <<<"$wrong" || fail "right is $right; $wrong"
[ "$(grep -oE '<h2[^>]*>(Where the arrow looks, while it learns|When does it learn where to look[?])' told/page.html | sed 's/.*>//; s/ .*//' | xargs)" = 'Where When' ] || fail "another order of sections"

check "it begins with the task and an example"
head -1 table.txt | grep -qx 'When does it help that pieces of a picture look at each other?' && sed -n 3p table.txt | grep -q '^The task: a picture of 5 × 5 cells' && grep -q '→  □  ·    answer: square$' table.txt && grep -q '^ring ○, square □, triangle △, bar ▬' table.txt || fail "$(cat table.txt)"

check "the terminal and the page say who learns, what a head is, and what the weight in the table is"
for name in 'attention among cells' 'each cell alone'; do
  grep -q "^  $name  *[a-z]" table.txt && grep -q "<dt>$name</dt><dd>[a-z]" told/page.html || fail "nothing says what $name is: $(cat table.txt)"
done
for said in 'in 2 layers with 4 heads each; a head is one way to look' 'Tested on 50 new pictures. "Weight there" is the share of its attention that the arrow'; do
  grep -qF "$said" <<<"$(tr -s ' \n' ' ' <table.txt)" && grep -qF "$said" <(plain told/page.html | sed 's/&quot;/"/g') || fail "not said: $said"
done
"$images" "${small[@]}" --heads 1 --rounds 1 --out one 2>/dev/null | tr -s ' \n' ' ' | grep -q 'in 1 layer with 1 head each' || fail "one is a plural"

check "what even weights are is told with the column, and has no row"
for file in table.txt told/page.html; do
  grep -q 'in the best head, on average over 200 others (the same on all cells: 4 %)' <(plain $file | tr -s ' \n' ' ') || fail "no even weights in $file"
  if grep -qE '^even weights|<td[^>]*>even weights' $file; then fail "a row of even weights in $file"; fi
done

check "the terminal shows a picture and beside it what its arrow's cell gives to each cell, which sums to a hundred, and how that is read"
shows() {  # shows <output>: prints weight on the target, from the grid and from the sentence, and the sum
  awk '/^A new picture, and the weights \(%\) of its arrow'\''s cell in layer/ { seen = 1; next }
    seen && NF == 10 && rows < 5 { ++rows; for (i = 1; i <= 5; ++i) { sign[rows, i] = $i; weight[rows, i] = $(i + 5) == "·" ? 0 : $(i + 5); sum += weight[rows, i]
      if ($i ~ /→|←|↑|↓/) { r = rows; c = i; down = ($i == "↓") - ($i == "↑"); right = ($i == "→") - ($i == "←") } } }
    END { print rows, sign[r + down, c + right], weight[r + down, c + right], sum }' "$1"
}
read -r rows sign there sum <<<"$(shows table.txt)"
[ "$rows" -eq 5 ] && [ "$sum" -ge 85 ] && [ "$sum" -le 115 ] || fail "rows $rows, sum $sum: $(cat table.txt)"
case $sign in ×) name=cross ;; ○) name=ring ;; □) name=square ;; △) name=triangle ;; ▬) name=bar ;; *) fail "the arrow points at $sign" ;; esac
grep -qE "A number stands where its cell stands, and · is 0: the arrow's cell gives $there % to the $name that it points at\. The model says [a-z]+, which is (right|wrong)\." <(tr -s ' \n' ' ' <table.txt) || fail "$there % to the $name: $(cat table.txt)"
commonest=$(awk '/^A new picture/ { seen = 1; next } seen && NF == 10 && rows < 5 { ++rows; for (i = 1; i <= 5; ++i) if ($i !~ /·|→|←|↑|↓/ && ++times[$i] > most) most = times[$i] }
  END { n = split("× cross ○ ring □ square △ triangle ▬ bar", name, " "); for (i = 1; i < n; i += 2) if (times[name[i]] == most) { said = said or name[i + 1]; or = " or " } print said }' table.txt)
grep -qF " Counting would say $commonest, which is wrong." <(tr -s ' \n' ' ' <table.txt) || fail "commonest: $commonest: $(cat table.txt)"

check "the table fits 80 columns, and a sentence says what came out"
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^In short/d' table.txt); then fail "too wide"; fi
grep -q '^In short: where cells look at one another, they have not learnt where to look yet: give it more --steps\.' table.txt || fail "$(cat table.txt)"

check "once it has learnt where to look, it says when and how, and the slider begins there"
"$images" --steps 1000 --tested 200 --batch 32 --width 32 --heads 1 --rounds 1 --noise 0 --learning-rate 0.008 --out learnt >learnt.txt 2>/dev/null
grep -qE '^For the first [0-9]+ steps attention, too, is no better than counting, then it (suddenly )?finds out where to look\. In [0-9]+ % of the pictures the right shape is also a commonest one \(often one of several, of which counting must pick one\):$' learnt.txt || fail "$(cat learnt.txt)"
grep -q "^How it could be done: a query is what a cell looks for, a key what a cell offers; .* The arrow's cell could ask for the place above it where it points up, and the cell there offer it\." learnt.txt || fail "$(cat learnt.txt)"
[ "$(fold -s -w 80 learnt.txt | wc -l)" -le 60 ] || fail "too long: $(cat learnt.txt)"
can_be_right=$(grep -oE 'In [0-9]+ % of the pictures the right shape is also a commonest one' learnt.txt | grep -oE '[0-9]+')
[ "$(plain learnt/page.html | grep -oE "In $can_be_right % of the pictures" | wc -l)" -eq 1 ] || fail "the page does not say once how often the right shape is a commonest one"
grep -q '^In short: it helps where the answer lies in how two pieces stand to each other\. With attention [0-9.]* % are right\. ' learnt.txt || fail "the question of the title is not answered: $(cat learnt.txt)"
counted=$(grep -oE '^For the first [0-9]+ steps' learnt.txt | grep -oE '[0-9]+')
awk '/^after [0-9,]+ steps/ { print $2, $4, $6, $8 }' learnt.txt >stages.txt  # step, right, commonest, weight there
awk -v counted="$counted" -v can="$can_be_right" -v counting="$(awk '/^counting shapes/ { print $3 }' learnt.txt)" -v end="$(awk '/^attention among cells/ { print $4, $6 }' learnt.txt)" '
  { step = $1; sub(",", "", step) }
  NR == 1 { if ($1 != counted || $3 < can || can < 25 || $4 > 40 || $2 > counting + 5) exit 1; weight = $4 }
  NR == 2 { if (step + 0 <= counted || $4 < weight + 10 || $2 < counting + 10) exit 1 }
  END { exit NR < 2 || NR > 3 || $1 != "1,000" || end != $2 " " $4 }' stages.txt || fail "it does not count before it looks: $(cat learnt.txt)"
grep -q '"Right" is of 200 pictures, the rest of 200 others, with the weight in the head that gives most on average\.' <(plain learnt/page.html | sed 's/&quot;/"/g' | tr '\n' ' ') || fail "nothing says of how many pictures figures are"
grep -q 'What attention says, and where its weight is (%)' learnt/page.html || fail "no curve of what it does"
grep -q 'If it counts, &quot;names a commonest&quot; is high; if it looks, &quot;weight there&quot; is\.' learnt/page.html || fail "nothing says how to read the second chart"
grep -q 'names a commonest  weight there$' learnt.txt || fail "the table has another name for a curve"
awk '/^each cell alone/ && $5 == "%" { alone = $4 } /^counting shapes/ { counting = $3 } END { printf "%.1f %.1f\n", alone, 2 * sqrt((alone * (100 - alone) + counting * (100 - counting)) / 200) }' learnt.txt >apart.txt
read -r alone apart <apart.txt
grep -q 'does not even count' learnt.txt || grep -qE "each alone is no better than counting: $alone % against [0-9.]+ %, and with 200 pictures chance alone can make a difference of $apart points" learnt.txt || fail "by chance $apart points apart: $(cat learnt.txt)"
for name in attention 'each cell alone' 'names a commonest' 'weight there'; do
  grep -q "<text font-size=\"12\" x=[^>]*>$name</text>" learnt/page.html || fail "no $name at the end of a curve"
done

check "a thousand steps have a comma, in the terminal and on the page"
grep -q 'in 1,000 steps of 32 pictures (seed 1):$' learnt.txt || fail "$(cat learnt.txt)"
grep -q '1,000 steps of 32 new pictures, seed 1' learnt/page.html || fail "the page has other steps below its title"

check "the slider has the stops of the curves, opens at the last, and has the weight that the table has there"
[ "$(grep -oE '<details open=""><summary dir="auto">[0-9]+' learnt/page.html | grep -oE '[0-9]+$')" -eq 1000 ] || fail "the slider does not begin at the end"
[ "$(grep -o "For the first $counted steps attention, too, is no better than counting" learnt/page.html | wc -l)" -eq 1 ] || fail "the page does not say once that it counts for $counted steps"
while read -r step _ _ weight; do
  grep -q "After $step steps, in layer [0-9], head [0-9], $weight % of the weight of the arrow" <(plain learnt/page.html) || fail "not $weight % after $step steps"
done <stages.txt
[ "$(grep -oE '<summary dir="auto">[0-9]+' learnt/page.html | grep -oE '[0-9]+$' | xargs)" = '100 200 300 400 500 600 700 800 900 1000' ] || fail "other stops"

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

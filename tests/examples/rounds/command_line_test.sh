#!/usr/bin/env bash
# The program `rounds` as its users run it: command_line_test.sh <rounds> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

rounds=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$rounds" "${@:2}"; }
small=(--pairs 8 --names 4 --values 6 --width 16 --steps 5 --batch 16)

check "two rounds find what one does not"
"$rounds" --steps 300 --positions relative --out run >table.txt
sed '/^In short/q' table.txt >answers.txt
sed '/^In short/,$!d' table.txt >after.txt
awk '/^1 round of width 32/ { one = $6 } /^1 round of width 64/ { wide = $6 } /^2 rounds/ { two = $6 }
     END { exit !(two > 90 && one < 60 && wide < 60) }' answers.txt || fail "$(cat table.txt)"

for file in table.txt run/page.html; do
  words=$(plain $file | tr '\n' ' ')
  grep -qE 'In one round of attention \(one layer\) every token \(a name or a value\) looks once, at itself and those before it, and a look can only use what these knew before the round\.' <<<"$words" && grep -qiE '(as many numbers for each token as their width says|width is how many numbers stand for a token)' <<<"$words" || fail "what a token sees, or width, is not said in $file"
done

check "first comes the task with an example whose arcs carry the two steps, then right answers with two guesses in a part below the models, then the result, then the columns of weights and directly below these their table, with even weights last"
head -1 table.txt | grep -qx 'What is a second round of attention for?' && sed -n 3p table.txt | grep -q '^The task: ' || fail "$(cat table.txt)"
[ "$(sed -n 6,8p table.txt)" = "  c 7 a 3 c  →  7
  └─┘        step 1: the 7 looks back at the c before it and knows whose it is
    └─────┘  step 2: the last c looks back at the value that is c's: the 7" ] || fail "$(sed -n 6,8p table.txt)"
[ "$(grep -c 'step 1: the 7\|step 2: the last c' table.txt)" -eq 2 ] || fail "a legend repeats the diagram"
order=$(grep -E '^ +right  parameters  CPU time$|^(1 round|2 rounds) of width [0-9]+ |^2 rounds of width [0-9]+: |^guess: |^even weights |^In short|^  (guess: any value|guess: commonest|reads name|finds answer|even weights)  +[a-z].*|^ +reads name  finds answer$|^How two|^Why one' table.txt |
  sed -E 's/^  ([a-z][a-z: ]*[a-z])  +[a-z].*/- \1/; s/^ +//; s/ of width /,/; s/   .*//; s/^(In|How|Why) .*/\1/; s/  / /g' | paste -sd '|')
[[ $order =~ ^right\ parameters\ CPU\ time\|2\ rounds,32[^|]*\|1\ round,32\|1\ round,64\|guess:\ any\ value\|guess:\ commonest\|-\ guess:\ any\ value\|-\ guess:\ commonest\|In\|-\ reads\ name\|-\ finds\ answer\|-\ even\ weights\|reads\ name\ finds\ answer\|2\ rounds,32:\ round\ 1\|2\ rounds,32:\ round\ 2\|1\ round,32\|1\ round,64\|even\ weights\|How\|Why$ ]] || fail "$order"
[ "$(grep -n '^  even weights  ' table.txt | cut -d: -f1)" -eq "$(($(grep -nE '^ +reads name  finds answer$' table.txt | cut -d: -f1) - 2))" ] || fail "something stands between the columns' meanings and their table"
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^In short/d; /^even weights/q' table.txt); then fail "too wide"; fi
[ "$(sed -n '/^1 round of width 64/,/^guess: commonest/p' answers.txt | sed 's/^$/-/; s/  .*//; s/^1 round.*/1 round/' | tr '\n' ';')" = '1 round;-;guess: any value;guess: commonest;' ] || fail "$(cat table.txt)"
awk '/^guess: any value/ { alike = $4 } /^guess: commonest/ { most = $3 } /^even weights/ { if (NF != 6 || $3 < 1 || $3 > 30 || $5 < 1 || $5 > 30) exit 1; even = 1 }
     END { exit !(even && alike > 10 && most > alike) }' table.txt || fail "guesses: $(cat table.txt)"
for file in table.txt run/page.html; do
  grep -qE 'one of the different values shown so far, by chance, and the commonest of them|guess: any value +one of the different values so far, by chance +guess: commonest +the value that stands there most often' <(plain $file | tr '\n' ' ') || fail "nothing says among which values is guessed in $file"
done

check "each round has its own row: the second alone finds the answer, and the first reads names more than any other does"
awk '/^1 round of width/ && NF != 9 { exit 1 } /^2 rounds.*round 1/ { first = 1; if (NF != 11 || $8 < 25 || $10 > 50) exit 1 }
     /^2 rounds.*round 2/ { second = 1; if (NF != 11 || $8 > 20 || $10 < 50) exit 1 } END { exit !(first && second) }' after.txt || fail "$(cat after.txt)"

check "on a terminal the task comes before the first bar, and no bar stands between the lines of the table"
if command -v script >/dev/null; then
  script -qefc "stty cols 80; '$rounds' ${small[*]} --out seen" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d' >seen.txt
  sed -n 3p seen.txt | grep -q '^The task: ' || fail "$(cat -v seen.txt)"
  if sed -n '/^ .* parameters  /,/^even weights/p' seen.txt | grep $'\x1b'; then fail "a bar in the table"; fi
fi

check "in a narrower terminal each model has its figures below its name, and no line is broken"
if command -v script >/dev/null; then
  script -qefc "stty cols 50; '$rounds' ${small[*]} --out narrow" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d; s/.*\x1b\[K//; s/\x1b\[[0-9]*m//g' >narrow.txt
  grep -qxE '  right [0-9.]+ %, parameters [0-9,]+, CPU time [0-9.]+ s' narrow.txt && grep -qxE '  reads name [0-9]+ %, finds answer [0-9]+ %' narrow.txt || fail "$(cat narrow.txt)"
  if LC_ALL=C.UTF-8 grep -E '^.{51}' narrow.txt; then fail "too wide"; fi
fi

check "it says how far it is, in words where nobody watches, and prints no table above an error"
"$rounds" "${small[@]}" --out told >/dev/null 2>told.txt
grep -q '2 rounds of width 16  *5/5 .*done in' told.txt || fail "$(cat told.txt)"
expect_error '--positions: must be one of' "${small[@]}" --positions rotari
expect_error 'did you mean "rotary"?' "${small[@]}" --positions rotari
[ ! -s out.txt ]
expect_error 'heads' "${small[@]}" --heads 3
[ ! -s out.txt ] || fail "$(cat out.txt)"

check "the page shows curves, maps with the cells of the way framed, and graphs, each round in its colour, and needs no network"
[ "$(grep -o 'class="line s1 frame"' run/page.html | wc -l)" -ge 3 ] || fail "the hops are not framed"
[ "$(sed '/<h2/q' run/page.html | grep -oE 'round [12]: (c → 7|7 → c): 1\.00' | paste -sd ';')" = 'round 2: c → 7: 1.00;round 1: 7 → c: 1.00' ] || fail "the two steps are not drawn first"
sed '/<h2/q' run/page.html | tr '\n' ' ' | grep 'class="gradual links hops"' | grep '>step 2: the last c finds the 7</text>' | grep -q '>step 1: the 7 reads its c</text>' || fail "the two steps have no words at their arcs"
read -r wide high < <(grep -m 1 -oE 'class="gradual links hops" width="[0-9.]+" height="[0-9.]+"' run/page.html | grep -oE '[0-9.]+' | xargs)
awk "BEGIN { exit !(2 * $high < $wide) }" || fail "the two steps are drawn $wide by $high"
sed -n '/<h2 id="section-1">/,$p' run/page.html | tr '\n' ' ' | sed 's/<svg/\n&/g' >pictures.txt  # each of those below in a line
arcs=$(grep -m 1 'class="gradual links hops"' pictures.txt)
for colour in s1 s3; do grep -q "<g class=\"line $colour\"" <<<"$arcs" || fail "no arcs in $colour"; done
[ "$(grep -c 'class="line s3 frame"' pictures.txt)" -eq "$(grep 'class="line s3 frame"' pictures.txt | grep -c '>round 2, head')" ] || fail "another round in the colour of round 2"
if grep 'class="line s1 frame"' pictures.txt | grep -q '>round 2, head'; then fail "round 2 in the colour of round 1"; fi
[ "$(grep -o '<path class="faint neutral"' pictures.txt | wc -l)" -eq 4 ] || fail "one round is not grey, in the wide chart and in the narrow one"

check "arcs of all models go over the whole sequence, in the head that gives most to a single token, which is said"
[ "$(grep -c 'class="gradual links hops"' pictures.txt)" -eq 4 ] || fail "no two pictures, each wide and narrow"
grep 'class="gradual links hops"' pictures.txt | while read -r picture; do
  [ "$(grep -oE '<text [^>]*>[a-h0-9]</text>' <<<"$picture" | sed 's/.*">//; s/<.*//' | xargs)" = "$(grep -oE 'monospace">[a-h0-9 ]+ [?]</p>' run/page.html | sed 's/.*">//; s/ ?<.*//')" ] || fail "a part of the sequence: $picture"
done
grep -q 'Arcs show where tokens look, each in the head that gives most to a single one\. The thicker, the more; weights below 0\.1 are left out\.' run/page.html || fail "no rule for heads"
grep -q 'Framed are the cells of the arcs, in orange, and only in the head that gives most to a single token\.' run/page.html || fail "not said which cells are framed"
wide=$(sed 's/<summary/\n&/g' run/page.html | sed -n '/^<summary[^>]*>1 round of width 64</,/<h2/p' | sed '/<h2/q')
grep -q 'class="gradual map"' <<<"$wide" || fail "no maps of the wide model"
if grep -qE 'Framed are|class="line s[0-9] frame"' <<<"$wide"; then fail "cells are framed of a model without arcs"; fi
if grep -q 'the mean of its heads' run/page.html; then fail "another rule for one round"; fi

check "the page says of its maps which row is the question, how one is read, and what heads are called after, as far as any is"
asked=$(grep -oE 'The last row, “[a-h][?]”, is the question' run/page.html | sort -u | grep -oE '[a-h][?]')
[ "$(grep -oE ">${asked%?}[?]</text>" pictures.txt | wc -l)" -eq "$(grep -c 'class="gradual map"' pictures.txt)" ] || fail "no row of a map is named $asked"
plain run/page.html | grep -oE 'An example: in round [12], head [12], the darkest cell of this row stands below a [0-9a-h]: the [a-h] gives it [0-9.]+ of its weight' >examples.txt
[ "$(wc -l <examples.txt)" -eq 3 ] || fail "no example for each model"
read -r round head value name weight <<<"$(sed -nE '1s/.*round ([12]), head ([12]),.* below a (.): the (.) gives it ([0-9.]+) .*/\1 \2 \3 \4 \5/p' examples.txt)"
grep -m 1 ">round $round, head $head" pictures.txt | grep -qF ">$name? → $value: $weight" || fail "the map of round $round, head $head has no $name? → $value: $weight"
[ "$(grep -oE 'A head is called “reads name” or “finds answer” where that takes more than half|No head is called “reads name” or “finds answer”' run/page.html | cut -c 1-2 | xargs)" = 'A No No' ] || fail "names of heads"

check "where a model says another value than the one it looks at most, the page says so"
while read -r said cell; do
  words=$(plain run/page.html | grep -oE "below a $cell: [^.]*\.[0-9]+ of its weight\. Yet the model says $said: (all ${said}s together get 0\.[0-9]+|one cell does not decide)" || true)
  [ "$said" = "$cell" ] || [ -n "$words" ] || fail "not why $said is said, and not $cell"
done < <(paste -d' ' <(grep -oE '<td[^>]*>(1 round|2 rounds) of width [0-9]+</td><td[^>]*>[0-9]</td>' run/page.html | grep -oE '>[0-9]</td>$' | grep -oE '[0-9]') <(grep -oE 'stands below a [0-9a-h]' examples.txt | grep -oE '.$'))

check "arcs have labels and maps captions, where figures say what a round does"
"$rounds" --steps 300 --out taught >/dev/null
for label in 'round 1: whose value am I?' 'round 2: which value follows [a-h]?'; do grep -q ">$label</text>" taught/page.html || fail "no $label"; done
for caption in 'round 1, head [12]: reads name' 'round 2, head [12]: finds answer'; do grep -q ">$caption</text>" taught/page.html || fail "no $caption"; done
"$rounds" "${small[@]}" --out early >/dev/null
if grep -qE 'whose value am I|which value follows|head [12]: (reads name|finds answer)|A head is called|When it learns' early/page.html; then fail "a caption that no figure bears"; fi
for part in 'class="gradual chart many"' 'class="gradual map"' 'class="gradual links hops"' 'round 2, head 2'; do
  grep -q "$part" run/page.html || fail "no $part"
done
[ "$(grep -c '<div style="margin-inline:var(--inset)"><div class="pictures maps"' run/page.html)" -eq 3 ] || fail "the maps are not as wide as the text"
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html rounds

check "the page says when two rounds learn it, and where all three figures rise together, why"
for run in run taught; do
  moment=$(plain $run/page.html | grep -oE 'When it learns: from step [0-9]+ to step [0-9]+ the right answers of the model with 2 rounds rise from [0-9]+ to [0-9]+ %, “reads name” from [0-9]+ to [0-9]+ % and “finds answer” from [0-9]+ to [0-9]+ %\.' | grep -oE '[0-9]+' | xargs || true)
  awk '{ n = NF == 9 && $1 < $2 && 5 * ($2 - $1) <= 300 && $5 >= $4 + 20 && $4 < 50 } END { exit !n }' <<<"$moment" || fail "no moment in $run: $moment"
  together=$(awk '{ print ($7 >= $6 + 30 && $9 >= $8 + 30) ? 1 : 0 }' <<<"$moment")
  [ "$together" -eq "$(grep -c 'All three rise together, for each step is worth little without the other' $run/page.html)" ] || fail "reason in $run: $moment"
done
[ "$together" -eq 1 ] || fail "no run in which all three rise together"

check "the sequence that is looked at is one of which counting says the wrong thing: two rounds are right, one is not, and arcs of both stand there at once"
grep -qE '>Right is [0-9], .* It was chosen so that the commonest value is wrong: [0-9], which stands there (twice|[0-9] times)\.' run/page.html || fail "no question"
grep -q '>✓</td><td[^>]*>2 rounds of width 32</td>' run/page.html || fail "two rounds are not said to be right"
[ "$(grep -cE '>✗</td><td[^>]*>1 round of width (32|64)</td>' run/page.html)" -eq 2 ] || fail "one round is not said to be wrong"
[ "$(grep -oE '<h3>[12] rounds? of width 32: [0-9] <span class="(right|wrong)">[✓✗]' run/page.html | sed 's/<span[^>]*>//; s/ of.* / /; s/.*>//' | tr '\n' ';')" = '2 rounds ✓;1 round ✗;' ] || fail "no answers"
grep -qE 'a ([0-9]) is a \1, whichever name it belongs to' run/page.html && grep -q 'Below: where the values that it looks at had looked in round 1.' run/page.html || fail "no words beside the arcs"
sed -n '/<h2 id="section-1">/,/<h2 id="section-2">/p' run/page.html >first_section.txt
said=$(grep -oE '<h3>1 round of width 32: [0-9]' first_section.txt | grep -oE '[0-9]$')
right=$(grep -oE '>Right is [0-9]' first_section.txt | grep -oE '[0-9]$')
grep 'class="gradual links hops"' first_section.txt | tail -1 | grep -oE 'round 1: [a-z] → [0-9]: [0-9.]+' | awk -v said="$said" -v right="$right" '{ on[substr($5, 1, 1)] += $6 } END { exit !(on[said] > on[right]) }' || fail "the arcs of one round lie on the right value, and it says $said"
if grep -q 'class="choices' first_section.txt; then fail "arcs behind a button"; fi

check "all tables of the page have the models in one order, and guesses and even weights below them"
[ "$(sed 's/<td/\n&/g' run/page.html | grep -oE '^<td[^>]*>([12] rounds? of width [0-9]+(: round [12])?|guess: any value|guess: commonest|even weights)<' | sed 's/.*>//; s/ of width//; s/<//' | tr '\n' ';')" = '2 rounds 32;1 round 32;1 round 64;2 rounds 32;1 round 32;1 round 64;guess: any value;guess: commonest;2 rounds 32: round 1;2 rounds 32: round 2;1 round 32;1 round 64;even weights;' ] || fail "another order"

check "a phone has room for each table of the page, and all maps of heads have one size"
if grep -q '<table class="sideways"' run/page.html; then fail "a table scrolls sideways"; fi
sizes=$(grep -oE 'class="gradual map" width="[0-9]+" height="[0-9]+"' taught/page.html | sort -u)
[ "$(wc -l <<<"$sizes")" -eq 1 ] || fail "$sizes"

check "the page shows how a question is answered before the table and the chart"
hops=$(grep -n 'class="gradual links hops"' run/page.html | sed -n 2p | cut -d: -f1)
for later in '>reads name</th>' 'class="gradual chart many"'; do
  [ "$hops" -lt "$(grep -n -m 1 "$later" run/page.html | cut -d: -f1)" ] || fail "$later stands before the arcs"
done

check "the chart stands right below the table that ends where it does"
awk '/aria-label="table: right, parameters"/ { table = NR } /class="gradual chart many"/ { chart = NR } /aria-label="table: reads name/ { looks = NR } /^<p>Which round takes which step[?] We look at the weights that a token gives \(they sum to 1\), in the head of the round that gives most\.</ { about = NR }
     END { exit !(table < chart && chart < about && about < looks) }' run/page.html || fail "another order"

check "terminal and page say in short what came out, the terminal below the table, before how two rounds do it and why one does not"
for file in table.txt run/page.html; do
  grep -q 'In short: two rounds can do it, and one did not learn it, even with twice the width and more parameters\. One does no better than always saying the commonest value so far\.' <(plain $file) || fail "no result in $file"
done
grep -q 'In short: two rounds are hardly better than one yet, .* more --steps' <(plain early/page.html) || fail "too few steps are not said to be"
"$rounds" "${small[@]/#4/1}" --out certain >certain.txt
tr '\n' ' ' <certain.txt | grep -q 'In short: a guess is right so often here that little is left to learn: give it more --names and --values\.' || fail "$(cat certain.txt)"
[ "$(grep -oE '^(In short: two rounds|How two do it: step 1 is seen in round 1, where a head reads names with [0-9]+ %|Why one does not: while the last c looks for its value, the 7 would)' table.txt | sed 's/[ :].*//' | xargs)" = 'In How Why' ] || fail "$(cat table.txt)"
[ "$(sed '1,/^guess: commonest/d' answers.txt | sed -nE '2,3s/^  (guess: any value|guess: commonest)  +[a-z].*/\1/p' | paste -sd '|')" = 'guess: any value|guess: commonest' ] || fail "the rows below the models are not explained: $(cat table.txt)"
[ "$(sed '1,/^guess: commonest/d' answers.txt | sed -n 5p | cut -c 1-9)" = 'In short:' ] || fail "$(cat table.txt)"
grep -q 'The first is called a previous-token head, the second an induction head (Olsson et al\. 2022)\.' <(tr '\n' ' ' <table.txt) || fail "the two heads have no names"
[ "$(grep -oE '<p>(How two do it|Why one does not):' taught/page.html | xargs)" = '<p>How two do it: <p>Why one does not:' ] || fail "the page does not say how two do it before why one does not"
for file in table.txt run/page.html; do
  grep -qE 'even weights(</dt><dd>| +)a yardstick: what no choice at all would give' <(plain $file | tr '\n' ' ') || fail "even weights are not explained in $file"
done
grep -q '^Why one does not: .* Sanford, Hsu and Telgarsky (2024) prove' table.txt || fail "no proof is named"

check "why one does not is told of what the page shows, with the figures of both models of one round, as its table has them, and values alone are a note behind it"
asked=$(grep -oE 'The last row, “[a-h]' run/page.html | head -1 | grep -oE '[a-h]$')
value=$(grep -oE '>Right is [0-9]' run/page.html | grep -oE '[0-9]')
grep -q "Why one does not: while the last $asked looks for its value, the $value would only be learning whose it is" run/page.html || fail "no $asked and $value"
"$rounds" --out usual >usual.txt 2>/dev/null
figures=$(sed '1,/^In short/d' usual.txt | awk '/^1 round of width/ { print $6 } /^even weights/ { print $3 }' | uniq | xargs)
said=$(grep -oE 'So neither model of one round learns this: they read names with [0-9]+ %( and [0-9]+ %)? of their weight, even weights with [0-9]+ %' usual.txt | grep -oE '[0-9]+' | uniq | xargs)
[ -n "$said" ] && [ "$said" = "$figures" ] || fail "said: $said; in the table: $figures"
grep -qE '<p>A note on finds answer: one round has [0-9]+ %( and [0-9]+ %)? there, about twice the [0-9]+ % of even weights' <(plain usual/page.html | sed '1,/Why one does not/d') || fail "no note on the page"
if grep -q 'A note' usual.txt; then fail "the note is not left to the page: $(cat usual.txt)"; fi
grep -q '<g stroke-dasharray' run/page.html || fail "the guess is not in the chart"

check "with --json, one line of figures and nothing else; the same seed gives the same figures"
"$rounds" "${small[@]}" --out run --json >first.json
"$rounds" "${small[@]}" --out run --json --threads 1 >second.json
[ "$(wc -l <first.json)" -eq 1 ]
without_time() { sed -E 's/"cpu_seconds":[^,]*,//g' "$1"; }
[ "$(without_time first.json)" = "$(without_time second.json)" ]

check "bad input gets an error that names it"
expect_error "heads must divide width" --heads 5
expect_error '--names: must be a whole number from 1 to 26: got "27"' --names 27
expect_error 'got "sideways"' --positions sideways
expect_error "there must be at least 2 pairs: got 1" --pairs 1
expect_error "--steps: must be a whole number above 0: got \"0\"" --steps 0
touch in_the_way
expect_error "in_the_way" "${small[@]}" --out in_the_way/run

check "a mistake in the command line ends with code 2"
code=0
"$rounds" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

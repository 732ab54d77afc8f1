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

check "two rounds find what one cannot"
"$rounds" --steps 300 --positions relative --out run >table.txt
awk '/^1 round of width 32/ { one = $6 } /^1 round of width 64/ { wide = $6 } /^2 rounds/ { two = $6 }
     END { exit !(two > 90 && one < 60 && wide < 60) }' table.txt || fail "$(cat table.txt)"

for file in table.txt run/page.html; do
  words=$(plain $file | tr '\n' ' ')
  grep -qE '[Aa] token (\(a name or a value\) )?sees itself and those before it' <<<"$words" && grep -qiE '(as many numbers for each token as their width says|width is how many numbers stand for a token)' <<<"$words" || fail "what a token sees, or width, is not said in $file"
done

check "first comes the task with an example, then the two steps, then what the columns are, then the table, which fits 80 columns, with guesses and even weights in a part below the models"
head -1 table.txt | grep -qx 'What is a second round of attention for?' && sed -n 3p table.txt | grep -q '^The task: ' || fail "$(cat table.txt)"
order=$(grep -nxE '  c 7 a 3 c  →  7|  step [12]  .*|  (right|reads name|finds answer)  +[a-z].*|1 round of width 32 .*' table.txt | sed 's/:.*//' | tr '\n' ' ')
[[ $order =~ ^6\ 12\ 13\ 17\ 18\ 19\ [0-9]+\ $ ]] || fail "$order: $(cat table.txt)"
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^even weights/q' table.txt); then fail "too wide"; fi
[ "$(sed -n '/^2 rounds/,/^even weights/p' table.txt | sed 's/^$/-/; s/  .*//; s/^2 rounds.*/2 rounds/' | tr '\n' ';')" = '2 rounds;-;guess: any value;guess: commonest;even weights;' ] || fail "$(cat table.txt)"
awk '/^guess: any value/ { alike = $4 } /^guess: commonest/ { most = $3 } /^even weights/ { if (NF != 10 || $3 != $7 || $5 != $9 || $3 < 1 || $3 > 30 || $5 < 1 || $5 > 30) exit 1; even = 1 }
     END { exit !(even && alike > 10 && most > alike) }' table.txt || fail "guesses: $(cat table.txt)"
for file in table.txt run/page.html; do
  grep -qE 'one of the different values shown so far, by chance, and the commonest of them|guess: any value +one of the different values so far, by chance +guess: commonest +the value that stands there most often' <(plain $file | tr '\n' ' ') || fail "nothing says among which values is guessed in $file"
done

check "each round has its own columns: the second alone finds the answer"
awk '/^1 round of width 32/ && NF != 14 { exit 1 } /^2 rounds/ { two = 1; if (NF != 18 || $8 < 50 || $14 < 50) exit 1 }
     END { exit !two }' table.txt || fail "$(cat table.txt)"

check "on a terminal the task comes before the first bar, and no bar stands between the lines of the table"
if command -v script >/dev/null; then
  script -qefc "stty cols 80; '$rounds' ${small[*]} --out seen" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d' >seen.txt
  sed -n 3p seen.txt | grep -q '^The task: ' || fail "$(cat -v seen.txt)"
  if sed -n '/^ .* parameters  /,/^2 rounds/p' seen.txt | grep $'\x1b'; then fail "a bar in the table"; fi
fi

check "in a narrower terminal each model has its figures below its name, and no line is broken"
if command -v script >/dev/null; then
  script -qefc "stty cols 50; '$rounds' ${small[*]} --out narrow" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d; s/.*\x1b\[K//' >narrow.txt
  grep -qxE '  right [0-9.]+ %, round 1 reads name [0-9]+ %,' narrow.txt || fail "$(cat narrow.txt)"
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
tr '\n' ' ' <run/page.html | sed 's/<svg/\n&/g' >pictures.txt  # each in a line
arcs=$(grep -m 1 'class="gradual links hops"' pictures.txt)
for colour in s1 s3; do grep -q "<g class=\"line $colour\"" <<<"$arcs" || fail "no arcs in $colour"; done
[ "$(grep -c 'class="line s3 frame"' pictures.txt)" -eq "$(grep 'class="line s3 frame"' pictures.txt | grep -c '>round 2, head')" ] || fail "another round in the colour of round 2"
if grep 'class="line s1 frame"' pictures.txt | grep -q '>round 2, head'; then fail "round 2 in the colour of round 1"; fi
[ "$(grep -o '<path class="faint neutral"' pictures.txt | wc -l)" -eq 4 ] || fail "one round is not grey, in the wide chart and in the narrow one"

check "arcs have labels and maps captions, where figures say what a round does"
"$rounds" --steps 300 --out taught >/dev/null
for label in 'round 1: whose value am I?' 'round 2: which value follows [a-h]?'; do grep -q ">$label</text>" taught/page.html || fail "no $label"; done
for caption in 'round 1, head [12]: reads name' 'round 2, head [12]: finds answer'; do grep -q ">$caption</text>" taught/page.html || fail "no $caption"; done
"$rounds" "${small[@]}" --out early >/dev/null
if grep -qE 'whose value am I|which value follows|head [12]: (reads name|finds answer)' early/page.html; then fail "a caption that no figure bears"; fi
for part in 'class="gradual chart many"' 'class="gradual map"' 'class="gradual links hops"' 'round 2, head 2'; do
  grep -q "$part" run/page.html || fail "no $part"
done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html rounds

check "the sequence that is looked at is one of which counting says the wrong thing: two rounds are right, one is not, and arcs of both stand there at once"
grep -qE '>Right is [0-9], .* It was chosen so that the commonest value is wrong: [0-9], which stands there (twice|[0-9] times)\.' run/page.html || fail "no question"
grep -q '>✓</td><td[^>]*>2 rounds of width 32</td>' run/page.html || fail "two rounds are not said to be right"
[ "$(grep -cE '>✗</td><td[^>]*>1 round of width (32|64)</td>' run/page.html)" -eq 2 ] || fail "one round is not said to be wrong"
[ "$(grep -oE '<h3>[12] rounds? of width 32: [0-9] [✓✗]' run/page.html | sed 's/ of.* / /; s/.*>//' | tr '\n' ';')" = '2 rounds ✓;1 round ✗;' ] || fail "no answers"
grep -qE 'a ([0-9]) is a \1, whosever it is' run/page.html && grep -q 'Below: where the values that it looks at had looked in round 1.' run/page.html || fail "no words beside the arcs"
sed -n '/<h2 id="section-1">/,/<h2 id="section-2">/p' run/page.html >first_section.txt
if grep -q 'class="choices' first_section.txt; then fail "arcs behind a button"; fi

check "all tables of the page have the models in one order, and guesses and even weights below them"
[ "$(sed 's/<td/\n&/g' run/page.html | grep -oE '^<td[^>]*>([12] rounds? of width [0-9]+(: round [12])?|guess: any value|guess: commonest|even weights)<' | sed 's/.*>//; s/ of width//; s/<//' | tr '\n' ';')" = '2 rounds 32;1 round 64;1 round 32;2 rounds 32;1 round 64;1 round 32;guess: any value;guess: commonest;2 rounds 32: round 1;2 rounds 32: round 2;1 round 64;1 round 32;even weights;' ] || fail "another order"

check "a phone has room for each table of the page, and all maps of heads have one size"
if grep -q '<table class="sideways"' run/page.html; then fail "a table scrolls sideways"; fi
sizes=$(grep -oE 'class="gradual map" width="[0-9]+" height="[0-9]+"' taught/page.html | sort -u)
[ "$(wc -l <<<"$sizes")" -eq 1 ] || fail "$sizes"

check "the page shows how a question is answered before the table and the chart"
hops=$(grep -n -m 1 'class="gradual links hops"' run/page.html | cut -d: -f1)
for later in '>reads name</th>' 'class="gradual chart many"'; do
  [ "$hops" -lt "$(grep -n -m 1 "$later" run/page.html | cut -d: -f1)" ] || fail "$later stands before the arcs"
done

check "terminal and page say in short what came out, the terminal below the table, before how two rounds do it and why one cannot"
for file in table.txt run/page.html; do
  grep -q 'In short: two rounds can do it, and one cannot, even of twice the width, with more parameters\. One does no better than always saying the commonest value so far\.' <(plain $file) || fail "no result in $file"
done
grep -q 'In short: two rounds are hardly better than one yet, .* more --steps' <(plain early/page.html) || fail "too few steps are not said to be"
[ "$(sed '1,/^even weights/d' table.txt | grep -oE '^(In short: two rounds|How two do it: step 1 is seen in round 1, where a head reads names with [0-9]+ %|Why one cannot: while)' | sed 's/[ :].*//' | xargs)" = 'In How Why' ] || fail "$(cat table.txt)"
[ "$(sed '1,/^even weights/d' table.txt | sed -nE '2,4s/^  (guess: any value|guess: commonest|even weights)  +[a-z].*/\1/p' | paste -sd '|')" = 'guess: any value|guess: commonest|even weights' ] || fail "the rows below the models are not explained: $(cat table.txt)"
[ "$(sed '1,/^even weights/d' table.txt | sed -n 6p | cut -c 1-9)" = 'In short:' ] || fail "$(cat table.txt)"
grep -q 'Sanford, Hsu and Telgarsky (2024) prove' table.txt || fail "no proof is named"
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

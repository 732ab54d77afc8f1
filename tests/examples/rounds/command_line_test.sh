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
awk '/^1 round of width 32/ { one = $9 } /^1 round of width 64/ { wide = $9 } /^2 rounds/ { two = $9 }
     END { exit !(two > 90 && one < 60 && wide < 60) }' table.txt || fail "$(cat table.txt)"

check "first comes the task with an example, then what the columns are, then the table, which fits 80 columns, with models alone"
head -1 table.txt | grep -q '^The task: ' || fail "$(cat table.txt)"
order=$(grep -nxE '  c 7 a 3 c  →  7|  (right|reads name|finds answer)  +[a-z].*|1 round of width 32 .*' table.txt | sed 's/:.*//' | tr '\n' ' ')
[[ $order =~ ^4\ 7\ 8\ 9\ [0-9]+\ $ ]] || fail "$order: $(cat table.txt)"
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(sed '/^2 rounds/q' table.txt); then fail "too wide"; fi
if grep -q '^guess' table.txt; then fail "guesses in the table"; fi

check "each round has its own columns: the second alone finds the answer"
awk '/^1 round of width 32/ && NF != 14 { exit 1 } /^2 rounds/ { two = 1; if (NF != 18 || $11 < 50 || $17 < 50) exit 1 }
     END { exit !two }' table.txt || fail "$(cat table.txt)"

check "on a terminal the task comes before the first bar, and no bar stands between the lines of the table"
if command -v script >/dev/null; then
  script -qefc "stty cols 80; '$rounds' ${small[*]} --out seen" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d' >seen.txt
  head -1 seen.txt | grep -q '^The task: ' || fail "$(cat -v seen.txt)"
  if sed -n '/^ .* parameters  /,/^2 rounds/p' seen.txt | grep $'\x1b'; then fail "a bar in the table"; fi
fi

check "in a narrower terminal each model has its figures below its name, and no line is broken"
if command -v script >/dev/null; then
  script -qefc "stty cols 50; '$rounds' ${small[*]} --out narrow" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d; s/.*\x1b\[K//' >narrow.txt
  grep -qxE '  parameters [0-9,]+, CPU time [0-9.]+ s, right [0-9.]+ %,' narrow.txt || fail "$(cat narrow.txt)"
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

check "the page shows curves, maps with the cells of the way framed, and graphs, and needs no network"
[ "$(grep -o 'class="line s1 frame"' run/page.html | wc -l)" -ge 3 ] || fail "the hops are not framed"
for part in 'class="gradual chart"' 'class="gradual map"' 'class="gradual links hops"' 'round 2, head 2'; do
  grep -q "$part" run/page.html || fail "no $part"
done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi

check "the sequence that is looked at is one of which counting says the wrong thing: two rounds are right, one is not, and each has its own text"
grep -qE ' Right is [0-9], .* The commonest value is [0-9], which stands there (twice|[0-9] times): counting does not do' run/page.html || fail "no question"
grep -q '>✓</td><td[^>]*>2 rounds of width 32</td>' run/page.html || fail "two rounds are not said to be right"
[ "$(grep -cE '>✗</td><td[^>]*>1 round of width (32|64)</td>' run/page.html)" -eq 2 ] || fail "one round is not said to be wrong"
[ "$(grep -cE 'How it answers [0-9] ✓ \([01]\.[0-9]{2}\)' run/page.html)/$(grep -cE 'How it answers [0-9] ✗ \(0\.[0-9]{2}\)' run/page.html)" = 1/2 ] || fail "no answers"
[ "$(grep -c 'the heads of its only round' run/page.html)/$(grep -c 'what the round before looked at' run/page.html)" = 2/1 ] || fail "a text of another model"

check "the page shows how a question is answered before the table and the chart"
hops=$(grep -n -m 1 'class="gradual links hops"' run/page.html | cut -d: -f1)
for later in '>round 1 reads name</th>' 'class="gradual chart"'; do
  [ "$hops" -lt "$(grep -n -m 1 "$later" run/page.html | cut -d: -f1)" ] || fail "$later stands before the arcs"
done

check "terminal and page begin with the result, and say what a guess is worth"
two=$(awk '/^2 rounds/ { print $9 }' table.txt)
alike=$(sed -nE 's/.*those that stood before is right in ([0-9.]+) %.*/\1/p' table.txt) most=$(sed -nE 's/.*stood there most often in ([0-9.]+) %.*/\1/p' table.txt)
for file in table.txt run/page.html; do
  grep -qE "With 2 rounds of width 32, $two( ± [0-9.]+)? % of [0-9,]* questions are answered right, with the better of the two one-round models" <(plain $file) || fail "no result in $file"
  grep -q "right in $alike %, the one that stood there most often in $most %, because" <(plain $file) || fail "no guess in $file"
done
grep -qE '^How: in round 1 each value looks at the name before it, with [0-9]+ % of its weight' table.txt || fail "no word of how: $(cat table.txt)"
awk "BEGIN { exit !($alike > 10 && $most > $alike) }" || fail "guesses: $alike and $most"
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

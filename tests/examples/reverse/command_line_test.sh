#!/usr/bin/env bash
# The program `reverse` as its users run it: command_line_test.sh <reverse> <empty folder to work in>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

reverse=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$reverse" "${@:2}"; }
small=(--words 8 --longest 5 --width 32 --feed-forward 64 --batch-tokens 512 --unseen 200)

check "a small model learns to reverse short sequences that it never saw"
"$reverse" "${small[@]}" --steps 600 --learning-rate 0.01 --json --out learnt >figures.json
[ "$(wc -l <figures.json)" -eq 1 ]
exact=$(sed -E 's/.*"exact":([0-9.e-]+).*/\1/' figures.json)
awk "BEGIN { exit !($exact > 0.9) }" || fail "exact: $exact"

check "it leaves a picture and a page that needs no network"
grep -q '^<svg' learnt/attention.svg
grep -q '<svg' learnt/page.html
per_cent=$(awk "BEGIN { printf \"%.1f\", 100 * $exact }")
grep -q "<p>$per_cent % of 200 sequences that it never saw come out exactly backwards" <(plain learnt/page.html) || fail "no result"
if grep -qE '(src|href)="(https?:)?//' learnt/page.html; then fail "the page refers to the network"; fi
expect_places_in_code learnt/page.html reverse

check "it prints accuracy by length, examples, and where each head looks"
"$reverse" "${small[@]}" --steps 3 --out three >three.txt
grep -q 'unseen sequences reversed exactly: .* of 200' three.txt
grep -qE '^trained, CPU time [0-9.]+ s: 3 steps of [0-9.]+ GFLOP$' three.txt
grep -qE '^  words +1 +2 +3 +4 +5$' three.txt
[ "$(grep -cE '^  (✓|✗) ' three.txt)" -eq 5 ]
grep -q 'The first 10 that go wrong' three/page.html
[ "$(grep -c 'class="mark wrong"' three/page.html)" -eq 10 ]
grep -qE '^  decoder layer 1( +[0-9.]+){4}$' three.txt

check "the same seed gives the same figures, whatever the number of threads"
for threads in 1 2; do
  "$reverse" "${small[@]}" --steps 10 --threads "$threads" --json --out "threads$threads" | sed 's/"cpu_seconds":[^,]*//' >"$threads.json"
  sed -i 's/[0-9.]* s</</g' "threads$threads/page.html"
done
cmp 1.json 2.json
cmp threads1/attention.svg threads2/attention.svg
cmp threads1/page.html threads2/page.html

check "bad input gets an error that names it"
expect_error "heads must divide width: heads is 3, width is 64" --heads 3 --out bad
expect_error "--words: must be a whole number above 0: got \"0\"" --words 0
expect_error "--positions" --positions nowhere
expect_error "there must be enough unseen sequences: wanted 1000, found" --words 2 --longest 2 --out bad
expect_error "each pair must fit a batch" --words 8 --longest 5 --unseen 50 --batch-tokens 3 --out bad
: >in_the_way
expect_error "in_the_way" "${small[@]}" --steps 1 --out in_the_way/run

check "a mistake in the command line ends with code 2"
code=0
"$reverse" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

#!/usr/bin/env bash
# The program `gallery` as its users run it: command_line_test.sh <gallery> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

gallery=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$gallery" "${@:2}"; }

check "it trains a sound model and a broken one, says what the doctor says, and leaves a page that needs no network"
"$gallery" --steps 40 --only no-causal-mask --out run --figures figures >told.txt
grep -A2 '^Sound: ' told.txt | grep -q '^  the doctor finds: nothing' || fail "$(cat told.txt)"
grep -A2 '^No causal mask: ' told.txt | grep -q '^  the doctor finds: There is no causal mask' || fail "$(cat told.txt)"
for part in 'class="gradual chart"' 'class="gradual map"' 'What the doctor finds' \
  'The sound model translates [0-9]* % of 100 sentences' 'too little for a verdict'; do
  grep -q "$part" <(plain run/page.html) || fail "no $part"
done
grep -q '^The sound model translates [0-9]* % of 100 .* finds what is wrong with 1 of 1' told.txt || fail "$(cat told.txt)"
grep -q '<td[^>]*>There is no causal mask: a word sees all words after it' run/page.html || fail "no verdict in the table"
if grep -qE '<td[^>]*>([^ <]+ )\1{6}' run/page.html; then fail "a word again and again in the table"; fi
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
[ -s figures/no-causal-mask-curve.svg ]
[ -s figures/no-causal-mask-map.svg ]
[ -s figures/gallery.json ]

check "with --json, a line of figures for each model; the same seed gives the same figures"
"$gallery" --steps 20 --only target-not-shifted --out run --json >first.json
"$gallery" --steps 20 --only target-not-shifted --out run --json --threads 1 >second.json
[ "$(wc -l <first.json)" -eq 2 ]
[ "$(cat first.json)" = "$(cat second.json)" ]

check "bad input gets an error that names it"
expect_error 'got "no-mask"' --only no-mask
expect_error "--steps: must be a whole number above 0: got \"0\"" --steps 0

check "a mistake in the command line ends with code 2"
code=0
"$gallery" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

#!/usr/bin/env bash
# The program `local_window` as its users run it: command_line_test.sh <local_window> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

local_window=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$local_window" "${@:2}"; }

check "a line for each length, what follows from them, and a page that needs no network"
"$local_window" --longest 512 --repeats 1 --out run >table.txt
[ "$(grep -cE '^(64|128|256|512) ' table.txt)" -eq 4 ]
if LC_ALL=C.UTF-8 grep -E '^.{81}' <(head -5 table.txt); then fail "too wide"; fi
grep -q 'At N = 512 the window takes 1/' table.txt
grep -q '<svg' run/page.html
for column in 'full, table: time' 'full, blocks: memory' 'window: memory'; do grep -q ">$column<" run/page.html || fail "no $column"; done
for tick in 64 512; do grep -q "text-anchor=\"middle\"[^>]*>$tick</text>" run/page.html || fail "no tick at $tick"; done
grep -q 'like N²' run/page.html || fail "no line that grows with N²"
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html local_window

check "beyond the window its memory grows with N, and that of the table with N²"
"$local_window" --shortest 2048 --longest 4096 --window 16 --head-width 8 --repeats 1 --out run >table.txt
awk '$1 == "2,048" { table = $4; window = $12 }
     $1 == "4,096" { exit !($4 / table > 3.5 && $4 / table < 4.5 && $12 / window > 1.5 && $12 / window < 2.5) }' table.txt

check "with --json, one line of figures and nothing else"
"$local_window" --longest 128 --repeats 1 --out run --json >figures.json
[ "$(wc -l <figures.json)" -eq 1 ]
grep -q '^{"window":64,.*"rows":\[.*"table_to_window":.*}$' figures.json

check "bad input gets an error that names it"
expect_error "the longest must not be below the shortest: got 64 and 128" --shortest 128 --longest 64
expect_error "--window: must be a whole number above 0: got \"0\"" --window 0
expect_error "--nonsense" --nonsense
touch in_the_way
expect_error "in_the_way" --longest 64 --repeats 1 --out in_the_way/run

check "a mistake in the command line ends with code 2"
code=0
"$local_window" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

#!/usr/bin/env bash
# The program `graph` as its users run it: command_line_test.sh <graph> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

graph=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$graph" "${@:2}"; }

# Two cliques of fifteen papers; the first word says which, and only the papers that teach have it.
mkdir cliques
awk 'BEGIN { for (i = 0; i < 30; ++i) { c = i < 15 ? 0 : 1; k = i % 15
  part = k < 5 ? "train" : k < 10 ? "val" : "test"
  print i "\t" part "\t" c "\t" (part == "train" ? c " " : "") 2 + i % 3 } }' >cliques/nodes.txt
awk 'BEGIN { for (a = 0; a < 30; ++a) for (b = a + 1; b < 30; ++b) if ((a < 15) == (b < 15)) print a, b }' >cliques/edges.txt

check "a class that only the neighbours tell is told by attention, for each seed, with the mean"
"$graph" --cora cliques --seeds 2 --epochs 300 >attended.txt
grep -q '^30 nodes, 450 edges' attended.txt
[ "$(grep -cE '^seed [12] +test 100.0 %' attended.txt)" -eq 2 ]
[ "$(grep -c ' 300 epochs ' attended.txt)" -eq 2 ]
grep -qE '^test accuracy 100.00 ± 0.00 % over 2 seeds, [0-9.]+ s of CPU a seed' attended.txt

check "and by no one who ignores them"
"$graph" --cora cliques --seeds 1 --epochs 300 --neighbours ignored --json >ignored.json
[ "$(wc -l <ignored.json)" -eq 1 ]
grep -q '"cpu_seconds_per_seed":' ignored.json || fail "$(cat ignored.json)"
accuracy=$(sed -E 's/.*"test_accuracy":([0-9.e-]+).*/\1/' ignored.json)
awk "BEGIN { exit !($accuracy < 90) }" || fail "accuracy: $accuracy"

check "what is told of a folder needs one"
expect_error "--neighbours requires --cora" --neighbours ignored
expect_error "--epochs requires --cora" --epochs 5

check "without a folder, it says of a generated graph in a sentence what came out, and the page as well, without a network"
"$graph" --out run >told.txt 2>/dev/null
for file in told.txt run/page.html; do
  grep -qE 'tells the community of [0-9.]+ % of the people .* average that of [0-9.]+ %' <(plain $file) || fail "no result in a sentence: $file"
done
grep -q 'community 4, violet' run/page.html || fail "no colour of a community"
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi
expect_places_in_code run/page.html graph

check "bad input gets an error that names the place"
expect_error "no-such-folder/nodes.txt: cannot be read: No such file or directory" --cora no-such-folder
mkdir bad
cp cliques/nodes.txt bad/
printf '0 1\n3 30\n' >bad/edges.txt
expect_error "bad/edges.txt:2: an edge must join nodes that exist, 0 … 29: got the edge 3 – 30" --cora bad
expect_error "--seeds" --seeds 0
expect_error "--epochs" --epochs 0
expect_error "--neighbours" --neighbours all
touch in_the_way
expect_error "in_the_way/run: the folder cannot be made" --out in_the_way/run

check "a mistake in the command line ends with code 2"
code=0
"$graph" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

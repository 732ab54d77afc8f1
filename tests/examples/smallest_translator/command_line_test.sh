#!/usr/bin/env bash
# The program `smallest_translator`: command_line_test.sh <smallest_translator> <empty folder to work in>.
set -euo pipefail

program=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
source=$(cd "$(dirname "$0")/../../../examples/smallest_translator" && pwd)/main.cpp
work_in "$2"

check "it trains, saves, loads and translates"
"$program" 300 >out.txt
[ -s translator.safetensors ]
[ "$(tail -1 out.txt)" = "Le petit chat dort." ] || fail "$(tail -1 out.txt)"

check "it has twenty lines, and the README shows them"
[ "$(sed -n '/^int main/,$p' "$source" | wc -l)" -le 20 ]
# shellcheck disable=SC2016  # fences, not commands
sed -n '/^```cpp$/,/^```$/p' "$(dirname "$source")/../../README.md" >blocks.txt
while IFS= read -r line; do grep -qxF -- "$line" blocks.txt || fail "the README lacks: $line"; done <"$source"

check "what is no number of steps gets the usage, at once"
expect_usage "$program" "usage: smallest_translator [TRAINING STEPS]" --help many 0 -3
echo "all checks passed"

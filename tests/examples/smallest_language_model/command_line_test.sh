#!/usr/bin/env bash
# The program `smallest_language_model`: command_line_test.sh <smallest_language_model> <empty folder to work in>.
set -euo pipefail

program=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
source=$(cd "$(dirname "$0")/../../../examples/smallest_language_model" && pwd)/main.cpp
work_in "$2"

check "it trains, saves, loads and goes on writing"
"$program" 200 >out.txt
[ -s language_model.safetensors ]
grep -qE '^[A-Z][a-z]+ .*[.?]$' out.txt || fail "no sentence: $(cat out.txt)"
awk '$1 ~ /^[0-9]+$/ && NF == 2 { last = $2 } END { if (!(last < 2.3)) exit 1 }' out.txt || fail "$(cat out.txt)"
[ "$(sed -n '/^int main/,$p' "$source" | wc -l)" -le 20 ] || fail "main() has more than 20 lines"

check "what is no number of steps gets the usage, at once"
expect_usage "$program" "usage: smallest_language_model [TRAINING STEPS]" --help many 0 -3
echo "all checks passed"

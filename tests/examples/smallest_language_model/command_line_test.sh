#!/usr/bin/env bash
# The program `smallest_language_model`: command_line_test.sh <smallest_language_model> <empty folder to work in>.
set -euo pipefail

program=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
source=$(cd "$(dirname "$0")/../../../examples/smallest_language_model" && pwd)/main.cpp
work_in "$2"

check "it trains, saves, loads and goes on writing"
"$program" 300 >out.txt
[ -s language_model.safetensors ]
grep -qE '^[A-Z][a-z]+ .*[.?]$' out.txt || fail "no sentence: $(cat out.txt)"
awk '$1 ~ /^[0-9]+$/ && NF == 2 { last = $2 } END { if (!(last < 2.3)) exit 1 }' out.txt || fail "$(cat out.txt)"
[ "$(sed -n '/^int main/,$p' "$source" | wc -l)" -le 24 ] || fail "main() has more than 24 lines"

check "beyond the 64 characters that it learns from, it still writes words of its corpus"
grep -rhoE '"[A-Za-z ]+"' "$(dirname "$source")/../../nn/data/toy" | tr -d '"' | tr ' ' '\n' | tr A-Z a-z | sort -u >words.txt
sed -n '/^[A-Z]/,$p' out.txt | tail -c +65 | tr -cs "A-Za-z'" '\n' | sed 1d | tr A-Z a-z >written.txt
known=$(grep -cxFf words.txt written.txt || true)  # 15 of 27, or 18 of 28 with other roundings; with sinusoidal positions 8 of 32
[ $((100 * known / $(wc -l <written.txt))) -ge 40 ] || fail "$known known words of: $(tr '\n' ' ' <written.txt)"

check "what is no number of steps gets the usage, at once"
expect_usage "$program" "usage: smallest_language_model [TRAINING STEPS]" --help many 0 -3
echo "all checks passed"

#!/usr/bin/env bash
# The program `hello`, which the README shows: command_line_test.sh <hello> <empty folder to work in>.
set -euo pipefail

program=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
root=$(cd "$(dirname "$0")/../../.." && pwd)
work_in "$2"

check "it prints the loss 9² + 21² and the gradient 2·y·xᵀ"
"$program" >out.txt
[ "$(cat out.txt)" = "loss 522, gradient 18 18 36 42 42 84" ] || fail "$(cat out.txt)"

check "the README shows the program as it is, and what it prints"
grep -qxF "$(cat out.txt)" "$root/README.md" || fail "$(cat out.txt)"
awk '/^```cpp$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$root/README.md" | cmp - "$root/examples/hello/main.cpp"
echo "all checks passed"

#!/usr/bin/env bash
# The program `smallest_classifier`: command_line_test.sh <smallest_classifier> <empty folder to work in>.
set -euo pipefail

program=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

check "it trains, saves, loads and knows French when it sees it"
"$program" 60 >out.txt
[ -s classifier.safetensors ]
[ "$(tail -1 out.txt)" = French ] || fail "$(tail -1 out.txt)"

check "what is no number of steps gets the usage, at once"
expect_usage "$program" "usage: smallest_classifier [TRAINING STEPS]" --help many 0 -3
echo "all checks passed"

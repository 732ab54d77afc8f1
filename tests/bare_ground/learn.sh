#!/usr/bin/env bash
# A student's first command on a machine that is really new, a bare Debian made for it: tests/bare_ground/learn.sh [12|13]. Tells how
# long it is from the clone to the first verdict, and how long a later start takes, by the clock and of computing. Ends with 77 where
# it cannot be made. Each check is a sentence; the first that fails ends the test.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=bare_debian.sh
. "$checkout/tests/bare_ground/bare_debian.sh"
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$checkout/tests/support/checks.sh"
make_bare_debian "${1:-12}"
copy_checkout /gradual  # the first of the two commands

# learn: ./run learn as root, until there are no more keys to read: after the first verdict. Its two times go to clock and computing.
learn() {
  local TIMEFORMAT='%R %U %S' taken user system
  taken=$({ time in_debian env --chdir /gradual ./run learn </dev/null >"$work/said.txt" 2>&1; } 2>&1) ||
    fail "$(tail -n 30 "$work/said.txt")"
  read -r clock user system <<<"$(tail -n 1 <<<"$taken")"
  computing=$(awk "BEGIN { print $user + $system }")
  grep -qF 'Not begun' "$work/said.txt" || fail "$(tail -n 30 "$work/said.txt")"
  echo "  $clock s by the clock, $computing s of computing"
}
within() { awk "BEGIN { exit !($computing < $1) }" || fail "it takes $computing s of computing; expected less than $1"; }

check "the first command installs what is missing, builds, and tells that the first part is not begun: in four minutes of two cores"
learn
within 480
grep -E '^(E:|W: Failed)' "$work/said.txt" && fail "a line of apt failed"
[ -f "$debian/gradual/coursework/01-gradients/1_tanh.cpp" ] || fail "$(ls "$debian/gradual/coursework")"

check "a later start takes a second"
learn
within 1

echo "learn: all checks passed"

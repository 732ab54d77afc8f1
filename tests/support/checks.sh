# shellcheck shell=bash
# What the scripts that try a program have in common, for them to include. Each check is a sentence; the first that
# fails ends the test.

sentence=
check() { sentence=$1; echo "- $1"; }
fail() { echo "FAILED: $sentence: $(head -c 1000 <<<"$*")" >&2; exit 1; }
trap 'echo "FAILED: $sentence" >&2' ERR

# work_in <folder>: goes there; it is new and empty.
work_in() {
  rm -rf "$1"
  mkdir -p "$1"
  cd "$1" || return
}

# expect_failure <part of the message> <command…>: ends with a code that is not 0 and says so on standard error. What it wrote is in
# out.txt and err.txt.
expect_failure() {
  local message=$1
  shift
  if "$@" >out.txt 2>err.txt </dev/null; then fail "no error from: $*"; fi
  grep -qF -- "$message" err.txt || fail "expected \"$message\" from: $*; got: $(cat err.txt)"
}

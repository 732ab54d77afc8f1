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

# expect_no_bar_in_table <first words> <first row> <last row> <command…>: on a terminal these words come strong before the first bar, and
# no bar stands between the two rows. Where there is no terminal to be had, nothing is looked at.
expect_no_bar_in_table() {
  local words=$1 from=$2 to=$3
  shift 3
  command -v script >/dev/null || return 0
  script -qefc "stty cols 80; ${*@Q}" typescript </dev/null >/dev/null
  tr -d '\r' <typescript | sed '/^Script /d' >seen.txt
  grep -q $'^\x1b\\[1m'"$words" seen.txt || fail "the title is not strong: $(cat -v seen.txt)"
  sed -i 's/\x1b\[[0-9]*m//g' seen.txt
  [ "$(grep -n -m 1 "^$words" seen.txt | cut -d: -f1)" -lt "$(grep -n -m 1 $'\x1b\\[K' seen.txt | cut -d: -f1)" ] || fail "$(cat -v seen.txt)"
  if sed -n "/^$from/,/^$to/p" seen.txt | grep $'\x1b'; then fail "a bar in a table"; fi
}

# plain <page>: with spaces at which no line ends as any others.
plain() { sed 's/\xC2\xA0/ /g' "$1"; }

# find_browser: sets $browser, and ends with 77 where there is none, or no Python to speak to it.
find_browser() {
  browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
  if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
    echo "skipped: pages are looked at with Chromium and Python"
    exit 77
  fi
}

# find_nothing_serious <page or address…>: axe does, in $browser. ./run site puts it where the site's other tools are; where it is
# missing the pages are not looked at.
find_nothing_serious() {
  local support python
  support=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  python=$support/../../build/site-tools/bin/python
  [ -x "$python" ] || python=python3
  "$python" "$support/accessibility.py" "$browser" "$@" || [ $? -eq 77 ]
}

# expect_usage <program> <usage> <argument…>: each argument alone ends with code 2 and the usage, and nothing else is done.
expect_usage() {
  local program=$1 usage=$2 argument code
  shift 2
  for argument; do
    code=0
    "$program" "$argument" >out.txt 2>err.txt || code=$?
    if [ "$code" -ne 2 ] || [ -s out.txt ]; then fail "$argument ends with code $code"; fi
    grep -qxF -- "$usage" err.txt || fail "$(cat err.txt)"
  done
}

# expect_places_in_code <page> <program>: below "In code" the page names files or folders that are there, and how to go on.
expect_places_in_code() {
  local root place places
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  places=$(tr '\n' ' ' <"$1" | sed 's/.*<h2[^>]*>In code<//; s/<h3.*//' | grep -oE '<dt[^>]*>[^<]*' | sed 's/.*>//')
  [ "$(wc -l <<<"$places")" -ge 2 ] || fail "no places in code: $places"
  for place in $places; do [ -e "$root/$place" ] || fail "there is no $place"; done
  grep -q "<dt>./run $2 --help</dt><dd>what can be changed</dd>.*<dt>examples/$2/README.md</dt><dd>what to try next</dd>" "$1" || fail "the page does not say how to go on"
}

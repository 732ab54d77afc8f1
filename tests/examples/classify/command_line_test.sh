#!/usr/bin/env bash
# The program `classify` as its users run it: command_line_test.sh <classify> <empty folder to work in>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

classify=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"

sentence=
check() { sentence=$1; echo "- $1"; }
fail() { echo "FAILED: $sentence: $*" >&2; exit 1; }
trap 'echo "FAILED: $sentence" >&2' ERR

expect_error() {
  local message=$1
  shift
  if "$classify" "$@" >out.txt 2>err.txt </dev/null; then fail "no error from: $*"; fi
  grep -qF -- "$message" err.txt || fail "expected \"$message\" from: $*; got: $(cat err.txt)"
}
small=(--models 1 --epochs 3 --width 16 --hidden 16)

check "generated reviews are learnt, and the words that decide are those that were meant to"
"$classify" --out run >printed.txt
accuracy=$(sed -nE 's/^right on 500 .*: ([0-9.]+) %$/\1/p' printed.txt)
awk "BEGIN { exit !($accuracy > 95) }" || fail "right: $accuracy %"
grep -qE '(not|tiresome|dull|awful|clumsy|boring|shallow|wonderful|brilliant|moving|clever|charming|superb) 0\.[5-9]' printed.txt
grep -q 'class="' run/page.html
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi

check "a file of questions is read, split by label, and tested on"
for i in $(seq 40); do
  printf 'NUM:date When was person%s born ?\nLOC:city Where is river%s ?\n' "$i" "$i"
done >questions.label
"$classify" --trec questions.label "${small[@]}" --json --out questions >figures.json
grep -q '"documents":8,"trained_on":72' figures.json
printf 'NUM:count How many ☃ are there ?\n\nLOC:other Where ?\n' >test.label
"$classify" --trec questions.label --test test.label "${small[@]}" --json --out questions | grep -q '"documents":2,"trained_on":80'

check "the same seed gives the same figures on one thread and on two"
"$classify" "${small[@]}" --json --threads 2 --out a | sed 's/"seconds":[^,}]*//' >first.json
"$classify" "${small[@]}" --json --threads 1 --out b | sed 's/"seconds":[^,}]*//' | cmp - first.json

check "bad input gets an error that names the place"
expect_error "no-such.label" --trec no-such.label
printf 'NUM:date When ?\nNUM:date\n' >cut.label
expect_error "cut.label:2: a line must be \`LABEL text\`: got \"NUM:date\"" --trec cut.label
printf 'NUM:date When ?\nLOC:x \xff\n' >bytes.label
expect_error "bytes.label:2: the text must be UTF-8" --trec bytes.label
: >empty.label
expect_error "empty.label: holds no document" --trec empty.label
printf 'HUM:ind Who ?\n' >other.label
expect_error 'a label to test on must occur in training: got "HUM", known are LOC NUM' --trec questions.label --test other.label
grep NUM questions.label >one.label
expect_error "at least two labels" --trec one.label "${small[@]}"
expect_error "--test needs --trec" --test test.label
echo "all checks passed"

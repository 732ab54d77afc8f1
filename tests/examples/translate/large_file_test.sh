#!/usr/bin/env bash
# A large file is translated and scored in blocks, and a killed run goes on:
#   large_file_test.sh <translate> <empty folder to work in> [lines]
# With a million lines, by hand, it is the measurement of docs/other-models.md: it prints the memory and the time of each run.
set -euo pipefail

translate=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") # from any folder
lines=${3:-9000}
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$translate" "${@:2}"; }
"$translate" data --out corpus.tsv >/dev/null
head -400 corpus.tsv >small.tsv
"$translate" train --tsv small.tsv --held-out 20 --batch-tokens 256 --width 8 --feed-forward 16 --heads 1 --encoder-layers 1 \
  --decoder-layers 1 --norm after --steps 60 --history 0 --out run >/dev/null 2>&1
repeated() { while cat "$1"; do :; done 2>/dev/null | head -n "$lines" || true; }
repeated corpus.tsv >pairs.tsv
cut -f 1 pairs.tsv >lines.txt
short=(--model run/model.safetensors)
# The most memory that a process had so far, in kilobytes.
memory() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status" 2>/dev/null || true; }
lines_in() { sed 's/.*"lines":\([0-9]*\).*/\1/' "$1"; }
# Kills what is running once it has finished the block that makes so many lines.
kill_after() {
  local done_file=$1 many=$2
  while ! [ -e "$done_file" ] || [ "$(lines_in "$done_file")" -lt "$many" ]; do
    kill -0 "$running" 2>/dev/null || fail "it had ended before it could be killed"
    sleep 0.02
  done
  echo "  $(lines_in "$done_file") lines: at most $(memory "$running") kB"
  kill -9 "$running"
  wait "$running" 2>/dev/null || true
}

check "a large file becomes as many lines, in their order"
SECONDS=0
"$translate" translate "${short[@]}" --input lines.txt --output whole.txt 2>said.txt
echo "  $lines lines in $SECONDS seconds"
[ "$(wc -l <whole.txt)" -eq "$lines" ]
head -600 lines.txt >first.txt
"$translate" translate "${short[@]}" first.txt >plain.txt
head -600 whole.txt | cmp - plain.txt
[ ! -e whole.txt.part ]
[ ! -e whole.txt.done ]

check "killed and called again, twice, it ends with the same file"
for many in $((lines / 8)) $((lines / 2)); do
  "$translate" translate "${short[@]}" --input lines.txt --output killed.txt 2>>said.txt &
  running=$!
  kill_after killed.txt.done "$many"
  [ ! -e killed.txt ]
done
"$translate" translate "${short[@]}" --input lines.txt --output killed.txt 2>said.txt
grep -q 'killed.txt: goes on after line [0-9]' said.txt
cmp whole.txt killed.txt

check "another model, other settings or another text are not gone on with"
"$translate" translate "${short[@]}" --input lines.txt --output other.txt 2>/dev/null &
running=$!
kill_after other.txt.done 1
expect_error "says that an earlier run was another" translate "${short[@]}" --input lines.txt --output other.txt --beam 3
sed 's/^/a /' lines.txt >changed.txt
expect_error "has changed in the" translate "${short[@]}" --input changed.txt --output other.txt
expect_error "--output needs a file" translate "${short[@]}" --output other.txt
expect_error "cannot be used with --sample" translate "${short[@]}" --input lines.txt --output other.txt --sample

check "scores of a large file are those of a small one, and go on after a kill"
"$translate" score "${short[@]}" pairs.tsv --output whole-scores.txt 2>/dev/null
head -300 pairs.tsv >first.tsv
"$translate" score "${short[@]}" first.tsv >plain-scores.txt
# Sums in float depend in their last digits on which sentences are computed together.
head -300 whole-scores.txt | paste - plain-scores.txt | awk -F '\t' '
  { a = $1; b = $3; off = (a + 0) - (b + 0)
    sub(/^ *[^ ]+/, "", a); sub(/^ *[^ ]+/, "", b)
    if (a != b || $2 != $4 || off > 0.001 || off < -0.001) { print "line " NR ": " $0; bad = 1 } } END { exit bad }'
"$translate" score "${short[@]}" pairs.tsv --output killed-scores.txt 2>/dev/null &
running=$!
kill_after killed-scores.txt.done $((lines / 8))
"$translate" score "${short[@]}" pairs.tsv --output killed-scores.txt 2>/dev/null
cmp whole-scores.txt killed-scores.txt
printf 'a\tb\nno tab\n' >bad.tsv
expect_error "bad.tsv:2: no tab" score "${short[@]}" bad.tsv --output bad.txt

check "a line that cannot be translated stays empty, is named, and the rest is there"
printf 'the cat sleeps .\n\xff\nthe dog sings .\n' >bad.txt
expect_error "bad.txt:2: not UTF-8" translate "${short[@]}" --input bad.txt --output good.txt
[ "$(wc -l <good.txt)" -eq 3 ]
[ -z "$(sed -n 2p good.txt)" ]
[ -n "$(sed -n 3p good.txt)" ]

check "lines that an earlier run could not translate are told at the end of the next, which ends with 1, too"
{ printf '\xff\n\xff\n'; cat lines.txt; } >bad.txt
"$translate" translate "${short[@]}" --input bad.txt --output good.txt 2>/dev/null &
running=$!
kill_after good.txt.done 1
expect_error "2 of $((lines + 2)) lines could not be translated" translate "${short[@]}" --input bad.txt --output good.txt

check "what is in doubt is counted among the lines of this run, and these are named"
{ cat lines.txt; echo 'the zzyzx sleeps .'; } >doubtful.txt
"$translate" translate "${short[@]}" --input doubtful.txt --output doubtful.out 2>/dev/null &
running=$!
kill_after doubtful.out.done 1
"$translate" translate "${short[@]}" --input doubtful.txt --output doubtful.out 2>err.txt
after=$(sed -n 's/.*goes on after line \([0-9]*\).*/\1/p' err.txt)
grep -q " of $((lines + 1 - after)) lines from line $((after + 1)) on have words that the model does not know.*zzyzx" err.txt || fail "$(cat err.txt)"

check "an output that is the input, or a folder, is refused before any work"
cp lines.txt kept.txt
expect_error "cannot be written: it is the input" translate "${short[@]}" --input kept.txt --output ./kept.txt
cmp lines.txt kept.txt
mkdir sub
expect_error "sub: cannot be written: not a regular file" translate "${short[@]}" --input lines.txt --output sub
[ ! -e sub.part ]
[ ! -e sub.done ]

check "a model is exported, and what a format has no word for is refused by its name"
expect_error "marian: units must be subwords: this model's is words" export "${short[@]}" --to marian there
"$translate" export "${short[@]}" --to ctranslate2 engine >/dev/null
[ -s engine/model.bin ]
[ -s engine/source_vocabulary.json ]
[ -s engine/config.json ]
"$translate" export "${short[@]}" --to gradual copy.safetensors >/dev/null
"$translate" translate --model copy.safetensors first.txt | cmp - plain.txt
if "$translate" train --tsv small.tsv --held-out 20 --steps 30 --width 16 --heads 2 --units subwords --subwords 80 --joint --norm after \
  --history 0 --out pieces >/dev/null 2>err.txt; then
  "$translate" export --model pieces/model.safetensors --to marian marian >/dev/null
  "$translate" translate --model pieces/model.safetensors --beam 1 first.txt >theirs.txt
  "$translate" translate --model marian --beam 1 first.txt | cmp - theirs.txt
  "$translate" attention --model marian "The dog sleeps." --out page.html >/dev/null
  grep -q '<svg' page.html
else
  grep -q "SentencePiece" err.txt
fi

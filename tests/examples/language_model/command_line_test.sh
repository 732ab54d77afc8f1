#!/usr/bin/env bash
# The program `language_model` as its users run it: command_line_test.sh <language_model> <empty folder to work in>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

language_model=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() {
  expect_failure "$1" "$language_model" "${@:2}"
  [ ! -s out.txt ] || fail "something on standard output from: $*: $(cat out.txt)"
}
small=(--width 16 --feed-forward 32 --heads 2 --layers 1 --context 16 --batch 4 --warmup 5)

check "without a file it learns generated sentences, and leaves a model and a page that needs no network"
"$language_model" "${small[@]}" --steps 20 --out generated >train.txt
grep -q 'validation loss' train.txt
grep -qE '^trained, CPU time [0-9.]+ s: [0-9]+ steps of [0-9.]+ GFLOP$' train.txt
[ -s generated/model.safetensors ]
grep -q '<svg' generated/page.html
grep -qE 'a probability of [0-9]+ %, in the geometric mean; a guess among the 42 characters would give it 2 %' <(plain generated/page.html) || fail "no result in a sentence"
grep -q 'would be ln 42 = 3.74' generated/page.html || fail "no loss of a guess"
grep -qE 'Head [12] of layer 1: it gives the character before [0-9]+ %' <(plain generated/page.html) || fail "no answer below the maps"
if grep -qE '(src|href)="(https?:)?//' generated/page.html; then fail "the page refers to the network"; fi
expect_places_in_code generated/page.html language_model

check "a text that repeats itself is learnt: the loss on its last part is far below that of guessing among its letters"
for _ in $(seq 100); do printf 'abcdefgh'; done >alphabet.txt  # ln 8 = 2.08
"$language_model" --text alphabet.txt "${small[@]}" --steps 150 --learning-rate 0.01 --out alphabet --json >figures.json
[ "$(wc -l <figures.json)" -eq 1 ]
loss=$(sed -E 's/.*"validation_loss":([0-9.e-]+).*/\1/' figures.json)
awk "BEGIN { exit !($loss < 0.3) }" || fail "validation loss is $loss"

check "and a sample goes on as the text does"
"$language_model" sample --help >help.txt
! grep -q 'leaves a page' help.txt || fail "a sample leaves no page"
[ "$("$language_model" sample --model alphabet/model.safetensors --prompt cde --length 20 --top-k 1)" = cdefghabcdefghabcdefgha ]

check "the same seed trains the same model and writes the same, whatever the number of threads"
"$language_model" "${small[@]}" --steps 5 --threads 1 --out one >/dev/null
"$language_model" "${small[@]}" --steps 5 --threads 2 --out two >/dev/null
cmp one/model.safetensors two/model.safetensors
sample() { "$language_model" sample --model one/model.safetensors --prompt The --length 50 "$@"; }
[ "$(sample)" = "$(sample)" ]
[ "$(sample)" != "$(sample --seed 2)" ]
[ "$(sample --samples 2 | grep -c -- '^---$')" -eq 1 ]

check "a preset sets sizes that options override"
"$language_model" --help | grep -A1 -- '--layers' | grep -q 2
"$language_model" --preset nanogpt-cpu --help | grep -A1 -- '--steps' | grep -q 2000

check "options of the training are none of a sample, and neither a run of translate nor the text is written over"
expect_error "--out: is of the program without a command: options of sample stand behind it" --out one sample
mkdir run && echo 'steps = 3' >run/settings.conf && echo precious >run/model.safetensors
expect_error "run/settings.conf: is of a run of translate" "${small[@]}" --steps 1 --out run
[ "$(cat run/model.safetensors)" = precious ]
mkdir mine && cp alphabet.txt mine/page.html
expect_error "mine/page.html: would be written over" --text mine/page.html "${small[@]}" --steps 1 --out ./mine/
cmp alphabet.txt mine/page.html

check "bad input gets an error that names it"
expect_error "no-such.txt: cannot be read" --text no-such.txt
expect_error ": cannot be read" --text .
: >empty.txt
expect_error "empty.txt: the text is empty" --text empty.txt
printf 'abc\xff' >bytes.txt
expect_error "bytes.txt: byte 3: not valid UTF-8" --text bytes.txt
printf 'To be, or not to be, that is the question.' >short.txt
expect_error "its training part must be longer than the context: it has 37 characters, the context 64" --text short.txt
expect_error "its validation part must be longer than the context: it has 5 characters, the context 16" --text short.txt --context 16
expect_error "heads must divide width: heads is 3, width is 64" --heads 3
expect_error "rotary ones turn pairs, so heads must have an even width" --width 12 --heads 4
expect_error "--steps: must be a whole number above 0: got \"0\"" --steps 0
expect_error "--preset" --preset nanogtp
: >in_the_way
expect_error "in_the_way" "${small[@]}" --steps 1 --out in_the_way/run
expect_error "no-such-model: cannot be read" sample --model no-such-model
expect_error "alphabet.txt" sample --model alphabet.txt
expect_error 'got "!" at place 4' sample --model one/model.safetensors --prompt 'The!'
expect_error 'the prompt must have a token' sample --model one/model.safetensors --prompt ''
expect_error 'the temperature must be above 0: got 0' sample --model one/model.safetensors --temperature 0
expect_error 'top_p must lie above 0 and up to 1: got 2' sample --model one/model.safetensors --top-p 2
expect_error 'top_k must not be negative: got -1' sample --model one/model.safetensors --top-k -1
expect_error '--length' sample --model one/model.safetensors --length -1

check "a mistake in the command line ends with code 2"
code=0
"$language_model" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

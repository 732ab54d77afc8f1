#!/usr/bin/env bash
# The program `translate` with input that nobody should give it, and on bad days: bad_input_test.sh <translate> <empty
# folder to work in>. Each check is a sentence; the first that fails ends the test.
set -euo pipefail

translate=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$translate" "${@:2}"; }
model=(--batch-tokens 256 --width 16 --feed-forward 32 --heads 2 --encoder-layers 1 --decoder-layers 1 --warmup 2 --threads 1)
small=(--tsv small.tsv --held-out 20 "${model[@]}")

# train <arguments…>: trains on small.tsv and shows nothing.
train() { "$translate" train "${small[@]}" "$@" --json >figures.json 2>err.txt; }
# wait_for <file>: until it is there.
wait_for() { for _ in $(seq 1000); do [ -s "$1" ] && return; sleep 0.02; done; fail "$1 was not written"; }
# kill_and_wait <process>
kill_and_wait() { kill -KILL "$1" 2>/dev/null || true; wait "$1" || true; }

"$translate" data --out corpus.tsv >/dev/null
head -400 corpus.tsv >small.tsv
train --steps 6 --out run
use=(translate --model run/model.safetensors)
echo 'The cat sleeps.' >input.txt

check "a config file with a typo, a bad value or no equals sign is refused with its line or its name"
expect_error 'unknown key "stepz"; did you mean "steps"?' train --config <(printf 'stepz = 3\n')
printf 'width = 16\nthis is no setting\n' >bad.conf
expect_error "bad.conf:2" train --config bad.conf
printf 'steps = many\n' >bad.conf
expect_error '--steps: must be a whole number above 0: got "many"' train --config bad.conf
expect_error "nothing.conf: cannot be read: No such file" train --config nothing.conf
expect_error "run: cannot be read: Is a directory" train --config run
printf 'config = other.conf\n' >bad.conf
expect_error 'bad.conf:1: a config file cannot name another' train --config bad.conf
printf 'steps =\n' >bad.conf
expect_error 'bad.conf:1: "steps" must have a value' train --config bad.conf
printf '\xef\xbb\xbf# mine\nout = "a # b" c\n' >bad.conf
expect_error 'bad.conf:2: quotation marks must enclose a value' train --config bad.conf
expect_error 'must be a whole number that is not below 0: got "-1"' train --seed -1
check "a mistyped command line is answered with what was probably meant, and nothing is listed backwards"
expect_error 'there is no command "nonsense", but there are these:' nonsense
expect_error 'there is no command "trian"; did you mean "train"?' trian --steps 3
expect_error "a command is missing:"
expect_error "there is no option --steps here; options stand after a command" --steps 3
GRADUAL_COMMAND="./run translate" expect_error "options stand after a command:" --stpes 3 --out "my run"
grep -qx './run translate train --steps 3 --out "my run"' err.txt || fail "no nearest command and option: $(cat err.txt)"
expect_error "options stand after a command:" --model=run/model.safetensors  # train has a --model of another kind
grep -qx 'translate translate --model=run/model.safetensors' err.txt || fail "$(cat err.txt)"
for given in "--file x" --file=x; do
  # shellcheck disable=SC2086  # one word or two
  expect_error "there is no option --file; file is given without one:" translate $given
  grep -qx 'translate translate x' err.txt || fail "$(cat err.txt)"
done
expect_error "there is no option --sentence; sentence is given without one:" attention --sentence "The cat's dog."
grep -qxF "translate attention \"The cat's dog.\"" err.txt || fail "$(cat err.txt)"
expect_error "there is no option --flie" translate --flie x
expect_error "--output: must be given" translate small.tsv --output= --json
[ ! -e ./--json ] || fail "an option is no value"
expect_error "--tsv: must be given" train --tsv ""
expect_error "--out: must be given" train --out= --json
expect_error "--input: must be given" translate ""
expect_error "--bleu requires --mbr-utility bleu" translate --mbr 5 --bleu char
expect_error "--n-best is given more than once" translate --n-best 2 --n-best 3
if "$translate" --help >/dev/full 2>err.txt; then fail "help that was lost is no success"; fi
grep -q 'standard output cannot be written' err.txt
if grep -q 'did you mean' err.txt; then fail "a name that is not near: $(cat err.txt)"; fi
expect_error "there is no option --wdth; did you mean --width?" train --wdth 3
expect_error "there is no option --wdth; did you mean --width?" train --seed 3 --wdth=3
! grep -q "3 --wdth" err.txt || fail "the list is reversed"
expect_error "quotation marks keep words together:" attention The small cat
grep -qx 'translate attention "The small cat"' err.txt || fail "no command to paste: $(cat err.txt)"
# shellcheck disable=SC2016  # a price
expect_error "quotation marks keep words together:" attention It 'costs "$5".'
grep -qxF "translate attention 'It costs \"\$5\".'" err.txt || fail "$(cat err.txt)"
GRADUAL_COMMAND="./run translate" expect_error "for help:" attention The small cat
grep -qx './run translate attention "The small cat"' err.txt || fail "not as it was typed: $(cat err.txt)"
expect_error '"foo.tsv" belongs to no option' evaluate foo.tsv
expect_error "--steps needs a value" train --steps
expect_error "sentence is missing: the sentence to translate, for example" attention
grep -qx 'translate attention "The small cat sleeps."' err.txt || fail "$(cat err.txt)"
for refused in "--budget 5x" "--steps x" "--budget 1s --width 3" "--source x"; do
  code=0
  # shellcheck disable=SC2086  # several words
  "$translate" train $refused >out.txt 2>err.txt || code=$?
  if [ $code -ne 2 ] || ! grep -q '^translate train: --' err.txt || ! grep -qx 'for help:' err.txt; then fail "$code: $(cat err.txt)"; fi
done
expect_error '--preset: must be one of multi30k, short-sentences, toy, transformer-tiny: got "toi"; did you mean "toy"?' train --preset toi
expect_error 'got "tyo"; did you mean "toy"?' train --preset tyo             # two letters changed places
expect_error 'got "sinus"; did you mean "sinusoidal"?' train --positions sinus # as many are missing as are there
expect_error '--joint: must be true or false: got "3x"' train --joint=3x

check "where there is no model yet, the command that trains one can be pasted"
expect_error "there is no model yet; train one first:" translate
grep -qx 'translate train' err.txt || fail "$(cat err.txt)"
expect_error "there is no model here; train one with" evaluate --model elsewhere/model.safetensors

check "the short help shows what will run, and the long one the rest"
"$translate" train --help >help.txt
tr -s ' \n' ' ' <help.txt >help_in_one_line.txt
grep -q -- '--width N how many numbers .* (default 64)' help_in_one_line.txt || fail "the width of the preset is not shown"
! grep -q 'POSITIVE\|--warmup' help.txt || fail "the short help is long, or shows what is no default"
grep -q -- '--out out/longer' help.txt || fail "no way to train longer is named"
"$translate" train --help-all >help.txt
tr -s ' \n' ' ' <help.txt >help_in_one_line.txt
grep -q -- '--warmup N steps in which it rises to that (default 150)' help_in_one_line.txt || fail "the long help lacks the warm-up"
grep -q '^Preset multi30k' help.txt || fail "the long help is short"
LC_ALL=C tr -d '\200-\277' <help.txt | awk 'length > 80' >wide.txt  # characters, not bytes
[ ! -s wide.txt ] || fail "the help is wider than a terminal: $(cat wide.txt)"
"$translate" train --preset multi30k --help | grep -A2 -- '--width N' | grep -q '(default 128)' || fail "another preset is not shown"

check "settings are refused"
expect_error "--source and --target belong together" train --source small.tsv
expect_error "the embedded corpus has test sentences of its own" train --test-source small.tsv --test-target small.tsv
expect_error "--watch need sentences to look at: --validation is 0" train "${small[@]}" --watch bleu
expect_error "--temperature requires --sample" "${use[@]}" --temperature 2 input.txt
for option in --beam --length-penalty --coverage-penalty --reverse-weight --reverse-model --shortlist; do
  expect_error "excludes" "${use[@]}" --sample "$option" 2 input.txt
done
expect_error "--mbr-utility requires --mbr" "${use[@]}" --mbr-utility bleu input.txt
expect_error "--mbr-temperature requires --mbr" "${use[@]}" --mbr-temperature 2 input.txt
expect_error "--bleu requires --mbr" "${use[@]}" --bleu none input.txt
expect_error "excludes" "${use[@]}" --mbr 3 --shortlist none.txt input.txt
expect_error "heads must divide width" train "${small[@]}" --heads 3 --out bad
[ ! -e bad ] || fail "a bad setting left a folder"

expect_error "--budget plans without --both-ways: leave one of them out" train "${small[@]:0:4}" --budget 5s --both-ways
expect_error "train: the loss of the model must be finite: it is" \
  train "${small[@]}" --steps 1 --learning-rate 1e30 --warmup 0 --decay constant --clip 0 --out diverged
expect_error "train: the loss of the model must be finite: it is" \
  train "${small[@]}" --steps 1 --validation 20 --learning-rate 1e30 --warmup 0 --decay constant --clip 0 --out diverged

check "flags and numbers are written down as they are meant, however they were typed, and a flag that is off is not"
train --steps 2 --joint=yes --both-ways=1 --lower-case=false --learning-rate 3e-3 --beam 3 --out "my run"
grep -E '^(joint|both-ways|lower-case|learning-rate) ' "my run/settings.conf" | cmp - <(printf 'joint = true\nboth-ways = true\nlearning-rate = 0.003\n')
"$translate" translate --model "my run/model.safetensors" --reverse-weight 1 input.txt >out.txt
train --steps 2 --joint --both-ways --learning-rate 0.003 --beam 3 --out "my run" --resume

check "the command to go on can be pasted: it has what settings.conf leaves out, and quotation marks"
train --steps 7 --checkpoint-every 2 --trace 1 --out "my run"
expect_error "settings must be those of the checkpoint my run/checkpoint.safetensors: steps is 8, was 7" train "${small[@]}" --steps 8 --checkpoint-every 2 --out "my run" --resume
grep -qxF 'translate train --config "my run/settings.conf" --threads 1 --checkpoint-every 2 --steps N --out ELSEWHERE' err.txt || fail "$(cat err.txt)"

check "what is read is not written over"
cp run/model.safetensors kept.safetensors
cp small.tsv kept.tsv
for command in "translate input.txt --output" "score kept.tsv --output" "shortlist kept.tsv --out" "heads --tsv kept.tsv --out" \
  "why the le --out" "attention the --out"; do
  # shellcheck disable=SC2086  # several words
  expect_error "kept.safetensors: cannot be written: it is ./kept.safetensors, which is read" $command kept.safetensors --model ./kept.safetensors
done
expect_error "kept.tsv: cannot be written: it is ./kept.tsv, which is read" shortlist ./kept.tsv --out kept.tsv --model ./kept.safetensors
for format in marian ctranslate2; do
  expect_error "run: cannot be written: run/model.safetensors, which is read, lies there" export --model run/model.safetensors --to $format run
done
expect_error "kept.safetensors: cannot be written: it is ./kept.safetensors" export --model ./kept.safetensors --to gradual kept.safetensors
mkdir folder
cp kept.safetensors folder/model.safetensors
cp small.tsv folder/vocab.json
expect_error "folder/vocab.json: cannot be written: it is folder/vocab.json, which is read" translate --model folder input.txt --output folder/vocab.json
cmp run/model.safetensors kept.safetensors
cmp small.tsv kept.tsv

check "what cannot be read is no end of the text, and lines before a bad one are translated"
if "$translate" "${use[@]}" <. >out.txt 2>err.txt; then fail "a folder is no text"; fi
grep -q 'standard input: cannot be read: Is a directory' err.txt
{ cat input.txt; head -c 17000000 /dev/zero | tr '\0' a; } >long_line.txt
expect_error "long_line.txt:2: a line must have at most 16777216 bytes" "${use[@]}" long_line.txt
[ "$("$translate" "${use[@]}" long_line.txt 2>/dev/null)" = "$("$translate" "${use[@]}" input.txt)" ]

check "a model's notes cannot ask for more than a command line can"
train --steps 2 --beam 100 --out wide
LC_ALL=C sed 's/beam = 100/beam = 999/' wide/model.safetensors >wide.safetensors
expect_error 'wide.safetensors: cannot be used: its notes say how to search: --beam: must be a whole number from 1 to 100: got "999"' \
  translate --model wide.safetensors input.txt

check "a line that never ends is an error, and so is a word that is too long for subwords"
expect_error "/dev/zero:1: a line must have at most 16777216 bytes" "${use[@]}" /dev/zero
expect_error "/dev/zero:1: a line must have at most 16777216 bytes" train --tsv /dev/zero --out bad
if ldd "$translate" 2>/dev/null | grep -q sentencepiece; then
  { cat small.tsv; head -c 10000000 /dev/zero | tr '\0' a; printf '\tun mot\n'; } >long_word.tsv
  expect_error "subwords: a word must have at most 16384 bytes: one has 10000000" train --tsv long_word.tsv --units subwords --subwords 60 --out bad
fi

check "a name with a line break is refused before there is a folder: settings.conf has a line for each setting"
expect_error "--tsv has a line break" train --tsv $'two\nlines.tsv'
expect_error "--out has a line break" train "${small[@]}" --steps 6 --out $'two\nlines'
[ ! -e $'two\nlines' ]

check "what the text has no use for is refused: the embedded corpus is whole, and a test set of its own is all that is tested"
expect_error "--max-words needs --tsv" train --max-words 5
expect_error "--held-out needs --tsv" train --held-out 5
expect_error "from --test-source or are held out by --held-out, not both" train "${small[@]}" --test-source input.txt --test-target input.txt

check "a whole number is decimal and fits its variable, and no number is nan"
for number in 1e2 0x10 1.5 " 3" ""; do
  expect_error "--steps: must be a whole number above 0: got \"$number\"" train --steps "$number"
done
expect_error '--steps: must be a whole number above 0 and at most 1099511627776: got "99999999999999999999"' train --steps 99999999999999999999
expect_error '--width: must be a whole number above 0 and at most 1099511627776: got "9223372036854775807"' train --model gru --width 9223372036854775807
expect_error 'recurrent translator: embedding_width must be at most 1073741824: got 1099511627776' train --model gru --width 1099511627776
expect_error 'transformer: width must be at most 1073741824: got 1099511627776' train --width 1099511627776
expect_error '--threads: must be a whole number from 0 to 64: got "65"' train --threads 65
expect_error '--n-best: must be a whole number above 0 and at most' "${use[@]}" --n-best 99999999999999999999
expect_error '--beam: must be a whole number from 1 to 100: got "101"' "${use[@]}" --beam 101
expect_error "--subword-sampling cuts words into other subwords: --units is words" train --subword-sampling 0.1
for option in --ema --label-smoothing --dropout --attention-dropout --word-dropout; do
  expect_error "$option: must be a number from 0 to 0.99" train $option nan
done
for number in nan 0 1.1; do
  expect_error "--top-p: must be a number above 0 and up to 1: got \"$number\"" "${use[@]}" --sample --top-p "$number"
done
train --steps 010 --out zeros
[ "$(wc -l <zeros/log.jsonl)" -eq 10 ]
grep -qx 'steps = 10' zeros/settings.conf

check "a file of pairs that is missing, empty, without a tab, not UTF-8 or of two lengths is refused with its line"
expect_error "no-such.tsv" train --tsv no-such.tsv
: >empty.tsv
expect_error "empty.tsv: the corpus is empty" train --tsv empty.tsv
printf 'one\tun\ntwo deux\n' >no_tab.tsv
expect_error "no_tab.tsv:2" train --tsv no_tab.tsv
printf 'one\tun\ntwo\t\xff\xfe\n' >bytes.tsv
expect_error "bytes.tsv:2" train --tsv bytes.tsv
expect_error "the model keeps its settings as text: --tsv is not UTF-8" train --tsv $'pairs\xff.tsv'
expect_error "the model keeps its settings as text: --tsv is not UTF-8" train --tsv $'pairs\nof \xff.tsv'
printf 'a\nb\nc\n' >three.txt
printf 'a\nb\n' >two.txt
expect_error "3 here, 2 in two.txt" train --source three.txt --target two.txt

check "empty lines and lines of spaces are skipped among pairs, and stay empty when text is translated"
{ head -200 small.tsv; printf '\n   \n \t \n\t\n\xc2\xa0\t\xe2\x80\xaf\n'; tail -200 small.tsv; } >gaps.tsv
"$translate" train --tsv gaps.tsv --held-out 20 "${model[@]}" --steps 6 --out gaps --json >figures.json
cmp gaps/held-out.tsv run/held-out.tsv
cmp gaps/source.vocabulary.txt run/source.vocabulary.txt
printf 'The cat sleeps.\n\n   \nA dog runs.\n' | "$translate" "${use[@]}" >lines.txt
[ "$(wc -l <lines.txt)" -eq 4 ]
[ -z "$(sed -n 2,3p lines.txt)" ]

check "a line of a million characters is left out of training and counted, and where it is to be translated, refused by its number"
head -c 1000000 /dev/zero | tr '\0' 'x' | sed 's/xxxxx/word /g' >million.txt
{ head -200 small.tsv; printf '%s\tmot\n' "$(cat million.txt)"; tail -200 small.tsv; } >million.tsv
"$translate" train --tsv million.tsv --held-out 20 "${model[@]}" --steps 6 --out million --json >figures.json
grep -q '"left_out":1' figures.json || grep -q '"too_long":1' figures.json
"$translate" train --tsv million.tsv --held-out 20 "${model[@]}" --steps 6 --out million --max-words 50 >train.txt 2>&1
grep -q ' 1 left out as too long' train.txt
expect_error "some pairs must fit a batch" train --tsv million.tsv "${model[@]}" --held-out 20 --batch-tokens 2 --out bad
{ echo "The cat sleeps."; cat million.txt; echo; echo "A dog runs."; } >long.txt
printf 'A \xff bird.\n' >>long.txt
expect_error "long.txt:2: too long: 200000 tokens; this model translates at most 4096" "${use[@]}" long.txt
grep -q 'long.txt:4: not UTF-8: byte 2 of the line begins no character' err.txt
grep -q '2 of 4 lines could not be translated' err.txt
printf 'The cat sleeps.\nA dog runs.\n' | "$translate" "${use[@]}" >good.txt
grep -v '^$' out.txt | cmp - good.txt || fail "a good line was lost"
[ "$(wc -l <out.txt)" -eq 4 ]
[ -z "$(sed -n '2p;4p' out.txt)" ]
expect_error "2 of 4 lines" "${use[@]}" long.txt --json
[ "$(wc -l <out.txt)" -eq 4 ]
[ "$(grep -c '"error":' out.txt)" -eq 2 ]
"$translate" evaluate --model run/model.safetensors --tsv million.tsv >evaluated.txt
grep -q ', and 1 pair left out as too long' evaluated.txt

check "validation pairs that are left out are counted like those of training"
{ head -200 small.tsv; for n in 1 2 3 4 5 6 7 8 9; do printf '%s %s\tmot\n' $n "$(head -c 2000 million.txt)"; done; } >long_pairs.tsv
"$translate" train --tsv long_pairs.tsv --held-out 5 --validation 100 "${model[@]}" --steps 6 --out counted >train.txt 2>&1
left_out=$(grep -o '[0-9]* left out of validation as too long' train.txt)
[[ ${left_out%% *} == [1-9] ]] || fail "$left_out"
"$translate" train --tsv long_pairs.tsv --held-out 5 --validation 100 "${model[@]}" --steps 6 --out counted --json >figures.json
grep -q "\"validation_left_out\":${left_out%% *}" figures.json

check "where positions or scores end, longer pairs are left out and counted, and the rest is trained on and translated"
{ head -200 small.tsv; for _ in 1 2 3; do printf '%s.\tmot.\n' "$(head -c 2000 million.txt)"; done; tail -200 small.tsv; } >beyond.tsv
printf 'The cat sleeps.\n%s\nA dog runs.\n' "$(head -c 2000 million.txt)" >beyond.txt
for places in "--positions learned" "--attention location" "--model gru --attention location"; do
  # shellcheck disable=SC2086  # several words
  "$translate" train --tsv beyond.tsv --held-out 20 "${model[@]}" --batch-tokens 1000 --steps 6 $places --validation 20 --out beyond --json >figures.json
  grep -q '"left_out":[123],' figures.json
  expect_error "beyond.txt:2: too long: 400 tokens; this model translates at most 255" translate --model beyond/model.safetensors beyond.txt
done

check "typed text is cleaned as the text that was trained on: byte order mark, Windows line ends, outer spaces"
printf '\xef\xbb\xbf  The\tcat sleeps. \r\n\xc2\xa0\nA dog runs.\r\n' | "$translate" "${use[@]}" >dirty.txt
printf 'The cat sleeps.\n\nA dog runs.\n' | "$translate" "${use[@]}" | cmp - dirty.txt
printf '\xe3\x80\x80\n' | "$translate" "${use[@]}" | cmp - <(echo)  # a space of another script
expect_error "attention: the sentence must have words" attention --model run/model.safetensors "  "

check "tabs and carriage returns inside a sentence are spaces, so that held-out sentences can be written"
cut -f1 small.tsv | sed 's/ /\t/' >tabs.en
cut -f2 small.tsv | sed 's/ /\r/' >tabs.fr
"$translate" train --source tabs.en --target tabs.fr --held-out 20 "${model[@]}" --steps 6 --out tabs --json >figures.json
cmp tabs/held-out.tsv run/held-out.tsv

check "another script and an emoji are text like any other"
{ cat small.tsv; printf 'Привет, мир.\t你好，世界。\n🙂 ok 👩‍👩‍👧\t🙂 oui\n'; } >scripts.tsv
for units in words characters; do
  "$translate" train --tsv scripts.tsv --held-out 20 "${model[@]}" --steps 6 --units $units --out scripts --json >figures.json
  printf 'Привет 🙂 你好\n\n' | "$translate" translate --model scripts/model.safetensors | wc -l | grep -qx 2
done
printf 'A\xc2\xa0cat\xe2\x80\xaf!\n' | "$translate" "${use[@]}" >no_break.txt
echo 'A cat !' | "$translate" "${use[@]}" | cmp - no_break.txt

check "more translations than the beam follows, no sentence that fits, and output that is lost are errors"
expect_error "--n-best must be at most --beam: got 3, the beam is 1" "${use[@]}" --n-best 3 input.txt
expect_error "--coverage-penalty needs a model with attention" train "${small[@]}" --model gru --attention none --coverage-penalty 1 --out bad
printf '%s\tmot\n' "$(cat million.txt)" >too_long.tsv
expect_error "too_long.tsv has 1, all of them too long for the model" evaluate --model run/model.safetensors --tsv too_long.tsv
echo mot >one_word.txt
expect_error "all of them too long for the model" train --tsv small.tsv "${model[@]}" --test-source million.txt --test-target one_word.txt --out unseen
if [ -e unseen ]; then fail "it trained before it said so"; fi
if "$translate" "${use[@]}" input.txt >/dev/full 2>err.txt; then fail "a full disk went unnoticed"; fi
grep -q 'translate: standard output cannot be written' err.txt

check "what a model's notes say of anything but its search is not done"
sed 's/warmup = 2\\n/n-best = 2\\n/; s/batch-tokens = 256/mbr = 50          /' run/model.safetensors >strange.safetensors
grep -aq 'n-best = 2.*' strange.safetensors && grep -aq 'mbr = 50' strange.safetensors || fail "the notes are as they were"
"$translate" "${use[@]}" input.txt >as_it_was.txt
"$translate" translate --model strange.safetensors input.txt | cmp - as_it_was.txt

check "an unknown word is shown as it was"
awk 'BEGIN { split("sleeps dort sings chante eats mange", w, " "); for (i = 0; i < 600; ++i) { n = sprintf("N%ca%cb%c", 97 + i % 26, 97 + int(i / 26), 97 + i % 7); v = 2 * (i % 3) + 1; printf "%s %s.\t%s %s.\n", n, w[v], n, w[v + 1] } }' >names.tsv
"$translate" train --tsv names.tsv --held-out 20 --min-count 2 --width 32 --heads 2 --feed-forward 64 --encoder-layers 1 --decoder-layers 1 \
  --steps 250 --batch-tokens 400 --warmup 20 --out names --json >figures.json
printf 'Zorblax sleeps.\n🙂 sings.\nПривет eats.\n' | "$translate" translate --model names/model.safetensors >named.txt
printf 'Zorblax dort.\n🙂 chante.\nПривет mange.\n' | cmp - named.txt

check "text that spells reserved tokens, spaces and backslashes is text, and the vocabulary stays a file to read"
{ cat small.tsv; for _ in 1 2 3; do printf '<pad> <bos> <eos> <unk> a\\sb.\tle <unk> \\t </s> <s>.\n'; done; } >reserved.tsv
for units in words characters subwords; do
  "$translate" train --tsv reserved.tsv --held-out 5 "${model[@]}" --steps 6 --units $units --subwords 200 --out reserved --json >figures.json 2>err.txt ||
    { grep -q 'no SentencePiece' err.txt && continue; }
  head -5 reserved/target.vocabulary.txt | tail -4 | tr '\n\t' '  ' | grep -qx '<pad> 0 <bos> 0 <eos> 0 <unk> 0 '
  head -1 reserved/target.vocabulary.txt | grep -qx '# gradual vocabulary 1: [0-9]* tokens in the order of their ids, each with its count'
  awk -F'\t' 'NR > 1 && (NF != 2 || $1 ~ / / || $2 !~ /^[0-9]+$/) { exit 1 }' reserved/target.vocabulary.txt
  [ $units != characters ] || grep -q "^\\\\s$(printf '\t')" reserved/target.vocabulary.txt
  [ $units != subwords ] || grep -q '^▁' reserved/target.vocabulary.txt
  echo 'The <pad> cat <eos> sleeps.' | "$translate" translate --model reserved/model.safetensors | wc -l | grep -qx 1
done

check "a model that is cut short, none, of a newer format, or whose vocabulary does not fit it is refused by name"
head -c 1000 run/model.safetensors >cut.safetensors
expect_error "cut.safetensors" translate --model cut.safetensors
expect_error "small.tsv: this is no model: it looks like text; give the model.safetensors that training left, such as out/toy/model.safetensors" translate --model small.tsv
printf '{"width": 16}\n' >settings.json
: >empty.safetensors
expect_error "settings.json: this is no model: it looks like JSON; give" translate --model settings.json
expect_error "run: this is no model: it is the folder of a run; give the model.safetensors that training left, such as run/model.safetensors" translate --model run
expect_error "empty.safetensors: this is no model: it is an empty file; give" translate --model empty.safetensors
expect_error "not a translator" translate --model run/checkpoint.safetensors
expect_error "no-such-model" translate --model no-such-model
LC_ALL=C sed 's/"gradual_translator":"3"/"gradual_translator":"4"/' run/model.safetensors >newer.safetensors
expect_error "newer.safetensors: written by another version of the program: format 4, this program reads 3" translate --model newer.safetensors
LC_ALL=C sed 's/cakes\\",\\"school/cakesxxxxxschool/' run/model.safetensors >misfit.safetensors
expect_error "misfit.safetensors: cannot be used: the model does not fit its settings or its vocabularies of 174 and 252 tokens" \
  translate --model misfit.safetensors
LC_ALL=C sed 's/\\"layer_norm\\"/\\"their_norm\\"/' run/model.safetensors >theirs.safetensors  # a part of another program
for command in translate "attention cat" "serve --port 0" evaluate; do
  # shellcheck disable=SC2086  # a command and what it needs
  expect_error 'theirs.safetensors: cannot be used: norm: the name must be a known one: got "their_norm"' $command --model theirs.safetensors
done
expect_error ".: cannot be read: Is a directory" "${use[@]}" .

check "errors never land in a file that is written, and what a line holds never steers a terminal"
printf 'I sing.\nI \xff\nYou sing.\n' >three.txt
for closed in '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
  rm -f three.out
  eval "\"\$translate\" translate three.txt --model run/model.safetensors --output three.out $closed" || true
  [ "$(wc -l <three.out)" = 3 ] || fail "$closed: $(cat three.out)"
done
printf 'I sing \033]0;pwned\a now\n' | "$translate" translate --model run/model.safetensors >out.txt 2>err.txt
if grep -q "$(printf '\033')" out.txt err.txt; then fail "an escape of the input"; fi

check "a checkpoint of other settings, another text or a newer format is refused, and so is none"
expect_error "settings must be those of the checkpoint run/checkpoint.safetensors: steps is 7, was 6" train "${small[@]}" --steps 7 --out run --resume
cp small.tsv other.tsv
"$translate" train --tsv other.tsv --held-out 20 "${model[@]}" --steps 6 --out other --json >figures.json
sed -i 's/cat/zat/g' other.tsv
expect_error "the text must be that of the checkpoint other/checkpoint.safetensors" train --config other/settings.conf --resume
LC_ALL=C sed -i 's/"gradual_checkpoint":"1"/"gradual_checkpoint":"2"/' other/checkpoint.safetensors
expect_error "other/checkpoint.safetensors: written by another version of the program: format 2" train --config other/settings.conf --resume
expect_error "nothing can be resumed; start without --resume" train "${small[@]}" --steps 6 --out nothing/yet --resume
[ ! -e nothing ] || fail "it left a folder: $(find nothing)"
mkdir nothing_yet
expect_error "nothing can be resumed; start without --resume" train "${small[@]}" --steps 6 --out nothing_yet --resume
[ -z "$(ls -A nothing_yet)" ] || fail "it left $(ls -A nothing_yet)"

check "a checkpoint is refused where the sentences to test on or to watch by have changed"
head -220 small.tsv | tail -20 | cut -f1 >test.en
head -220 small.tsv | tail -20 | cut -f2 >test.fr
tested=(--tsv small.tsv --test-source test.en --test-target test.fr "${model[@]}" --steps 6 --out tested --json)
"$translate" train "${tested[@]}" >figures.json
"$translate" train "${tested[@]}" --resume >figures.json
sed -i 's/$/ !/' test.fr
expect_error "the text must be that of the checkpoint tested/checkpoint.safetensors" train "${tested[@]}" --resume
"$translate" train "${tested[@]}" >figures.json 2>err.txt
grep -q 'is now in tested/earlier-1, because the text has changed since' err.txt

sources=$(cut -f1 small.tsv | sort -u | wc -l)  # nearly all of them to watch by: a line that is not held out is such a one
cp small.tsv watched.tsv
watched=(--tsv watched.tsv --held-out 20 --validation $((sources - 25)) "${model[@]}" --steps 6 --out watched --json)
"$translate" train "${watched[@]}" >figures.json
"$translate" train "${watched[@]}" --resume >figures.json
line=$(grep -m 1 -nvxFf watched/held-out.tsv watched.tsv | cut -d: -f1)
sed -i "${line}s/\$/ !/" watched.tsv
expect_error "the text must be that of the checkpoint watched/checkpoint.safetensors" train "${watched[@]}" --resume

check "going on with a finished run whose snapshots are gone leaves its model as it was"
train --average 3 --snapshot-every 2 --steps 6 --out averaged
cp averaged/model.safetensors mean.safetensors
rm averaged/snapshot-*.safetensors
expect_error "averaged/snapshot-" train --config averaged/settings.conf --resume
cmp averaged/model.safetensors mean.safetensors

check "where training ends before the first snapshot, the model is the best one, and that is said"
train --average 5 --snapshot-every 1000 --validation 20 --validate-every 1 --learning-rate 3 --steps 6 --out no_snapshot
grep -q -- '--average has nothing to average: training ended after step 6, --snapshot-every is 1000; the model is that of the best look' err.txt
cmp no_snapshot/model.safetensors no_snapshot/best.safetensors

check "a failed start leaves the results that were there"
: >in_the_way
expect_error "in_the_way" train "${small[@]}" --steps 6 --out in_the_way/run
expect_error "some pairs must fit a batch" train "${small[@]}" --batch-tokens 2 --out run
[ -s run/model.safetensors ]
[ "$(wc -l <run/log.jsonl)" -eq 6 ]
"$translate" evaluate --model run/model.safetensors >/dev/null

check "two runs in one folder: the second is told, and a run that was killed keeps nobody out"
"$translate" train "${small[@]}" --steps 100000 --checkpoint-every 20 --out two >/dev/null 2>&1 &
first=$!
wait_for two/checkpoint.safetensors
expect_error "two/lock: another run is writing to this folder (process $first)" train "${small[@]}" --steps 6 --out two
expect_error "another run is writing" train --config two/settings.conf --resume
kill_and_wait $first
train --steps 6 --out two
grep -q 'the run that was in two is now in two/earlier-1, because steps is 6, was 100000' err.txt
[ -s two/earlier-1/checkpoint.safetensors ]
[ "$(wc -l <two/earlier-1/log.jsonl)" -ge 20 ]

check "a run that is finished gives way to the same run again, and is kept beside another one or an unfinished one"
train --steps 6 --out two
[ ! -s err.txt ]
[ ! -e two/earlier-2 ]
train --steps 5 --out two
[ -s two/earlier-2/page.html ]
[ -s two/earlier-2/held-out.tsv ]
rm two/page.html
train --steps 5 --out two
grep -q 'because it was not finished' err.txt
[ -s two/earlier-3/model.safetensors ]

check "a run that was begun again and killed is not taken for the finished one that it replaced"
endless=("${small[@]}" --steps 1000000 --checkpoint-every 20 --out again)
"$translate" train "${endless[@]}" >/dev/null 2>&1 &
pid=$!
wait_for again/checkpoint.safetensors
kill_and_wait $pid
echo finished >again/page.html
"$translate" train "${endless[@]}" --checkpoint-every 1000000 >/dev/null 2>&1 &
pid=$!
for _ in $(seq 1000); do [ -e again/page.html ] || break; sleep 0.02; done
kill_and_wait $pid
[ ! -e again/page.html ]
[ ! -e again/checkpoint.safetensors ]
expect_error "nothing can be resumed" train "${endless[@]}" --resume
timeout 2 "$translate" train "${endless[@]}" >/dev/null 2>err.txt || true
grep -q 'because it was not finished' err.txt

check "the same settings with a changed text are another run, and the one before is kept"
cp small.tsv changing.tsv
changing=(--tsv changing.tsv --held-out 20 "${model[@]}" --steps 6 --out changing --json)
"$translate" train "${changing[@]}" >figures.json
sed -i 's/cat/zat/g' changing.tsv
"$translate" train "${changing[@]}" >figures.json 2>err.txt
grep -q 'is now in changing/earlier-1, because the text has changed since' err.txt
[ -s changing/earlier-1/model.safetensors ]
[ -s changing/earlier-1/page.html ]
rm changing/checkpoint.safetensors # which knew the text
sed -i 's/zat/rat/g' changing.tsv
"$translate" train "${changing[@]}" >figures.json 2>err.txt
grep -q 'is now in changing/earlier-2, because its checkpoint is gone' err.txt
[ -s changing/earlier-2/model.safetensors ]
mkdir locked && echo precious >locked/lock
expect_error "locked/lock: would be lost: it holds something else" train --tsv changing.tsv --held-out 20 "${model[@]}" --steps 6 --out locked
[ "$(cat locked/lock)" = precious ]

check "a run never writes over the text that it reads, and evaluate takes no file but those of the run"
expect_error "a run must not write over its own text: run/held-out.tsv" train --tsv run/held-out.tsv --held-out 5 "${model[@]}" --steps 6 --out ./run
(cd run && expect_failure "must not write over its own text: held-out.tsv" "$translate" train --tsv held-out.tsv --held-out 5 "${model[@]}" --steps 6 --out .)
[ -s run/held-out.tsv ]
[ ! -e run/earlier-1 ]
echo 'no pair' >run/notes.tsv
"$translate" evaluate --model run/model.safetensors >evaluated.txt

check "a damaged log is named with its line before a run goes on"
cp -r run damaged
sed -i '3s/.*/{"step": 3, "loss"/' damaged/log.jsonl
expect_error "damaged/log.jsonl:3: damaged: this is no line that a run wrote" train "${small[@]}" --steps 6 --out damaged --resume
[ -s damaged/page.html ]

check "a folder may have a name with a number sign, quotation marks and spaces"
# shellcheck disable=SC1003  # a backslash at the end of a name
for name in 'run #1' 'a "so" # \b\' ' "'; do
  train --steps 6 --out "$name"
  rm "$name/page.html"
  "$translate" train --config "$name/settings.conf" --resume --json >figures.json
  [ -s "$name/page.html" ]
done

check "a full disk is named, with how to go on, and loses nothing"
long=("${small[@]}" --width 32 --steps 600 --checkpoint-every 100)
"$translate" train "${long[@]}" --out whole --json >figures.json
largest=$(($(wc -c <whole/checkpoint.safetensors) / 1024))  # a file may not grow so large: as good as a full disk
if (trap '' XFSZ; ulimit -f $((largest / 2)); "$translate" train "${long[@]}" --out full --json) >out.txt 2>err.txt; then fail "no error"; fi
grep -q 'full/checkpoint.safetensors: cannot be written' err.txt
grep -q 'there is no checkpoint to go on from' err.txt
[ -s full/model.safetensors ]
if compgen -G 'full/*.tmp' >out.txt; then fail "$(cat out.txt) was left"; fi
rm -r full
"$translate" train "${long[@]}" --out full --json >figures.json 2>&1 &
pid=$!
wait_for full/checkpoint.safetensors
kill_and_wait $pid
if (trap '' XFSZ; ulimit -f $((largest / 2)); "$translate" train --config full/settings.conf --resume --json) >out.txt 2>err.txt; then fail "no error"; fi
grep -q '^translate train --config full/settings.conf --json --resume$' err.txt
"$translate" train --config full/settings.conf --resume --json >figures.json
cmp full/model.safetensors whole/model.safetensors

check "a run that is killed while it saves loses nothing, and what it left unfinished is taken away"
often=("${small[@]}" --width 32 --steps 150 --checkpoint-every 1 --out killed --json)
"$translate" train "${often[@]}" --out saved >figures.json
resume=
for moment in 1 2 3 4; do
  # shellcheck disable=SC2086  # nothing, or an option
  "$translate" train "${often[@]}" $resume >figures.json 2>err.txt &
  pid=$!
  wait_for killed/checkpoint.safetensors
  sleep 0.$moment
  kill_and_wait $pid
  resume=--resume
  "$translate" translate --model killed/model.safetensors <input.txt >out.txt
done
touch killed/model.safetensors.1-2.tmp
"$translate" train "${often[@]}" --resume >figures.json
if compgen -G 'killed/*.tmp' >out.txt; then fail "$(cat out.txt) was left"; fi
cmp killed/model.safetensors saved/model.safetensors
echo "all checks passed"

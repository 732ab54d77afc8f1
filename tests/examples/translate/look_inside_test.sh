#!/usr/bin/env bash
# What `translate` shows of trained models and finished runs: look_inside_test.sh <translate> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

translate=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$translate" "${@:2}"; }
"$translate" data --out corpus.tsv >/dev/null
head -400 corpus.tsv >small.tsv
tiny=(train --tsv small.tsv --held-out 20 --batch-tokens 256 --width 16 --feed-forward 32 --heads 2 --encoder-layers 1
  --decoder-layers 1 --warmup 2 --decay inverse-square-root)
"$translate" "${tiny[@]}" --steps 300 --history 1 --out run >/dev/null 2>&1
"$translate" "${tiny[@]}" --steps 130 --history 0 --out short >/dev/null 2>&1
scores() { "$translate" score --model "$1" small.tsv; }

check "heads takes out each head of a transformer in turn, and the attention of a recurrent model"
"$translate" heads --model run/model.safetensors --sentences 10 --out heads.html >heads.txt
grep -q '^BLEU .* of 10 sentences; without$' heads.txt
[ "$(grep -c ', head [12] .*\[.*, .*\]' heads.txt)" -eq 6 ]
grep -q '<svg' heads.html
"$translate" train --tsv small.tsv --held-out 20 --steps 2 --width 8 --model gru --out gru >/dev/null 2>&1
"$translate" heads --model gru/model.safetensors --out heads.html >heads.txt
grep -q 'decoder.cross_attention, head 1' heads.txt
"$translate" train --tsv small.tsv --held-out 20 --steps 2 --width 8 --model lstm --attention none --out blind >/dev/null 2>&1
expect_error "the model must have heads that can be taken out" heads --model blind/model.safetensors

expect_error "heads: one model must be asked, not several" heads --model run/model.safetensors,run/model.safetensors

check "heads leaves out pairs that are too long for the model, and says how many"
"$translate" "${tiny[@]}" --steps 2 --positions learned --out placed >/dev/null 2>&1
{ head -5 small.tsv; printf '%s\tmot\n' "$(seq -s ' ' 400)"; } >long.tsv
"$translate" heads --model placed/model.safetensors --tsv long.tsv --out heads.html >heads.txt
grep -q '^BLEU .* of 5 sentences, 1 left out as too long; without$' heads.txt
tail -1 long.tsv >longer.tsv
expect_error "heads: some pairs must be left to translate: of 1 none fits the model" heads --model placed/model.safetensors --tsv longer.tsv

check "heads of the embedded corpus say how often they look at the right word"
"$translate" train --steps 2 --width 16 --feed-forward 16 --heads 2 --encoder-layers 1 --decoder-layers 1 --batch-tokens 256 --out toy >/dev/null 2>&1
"$translate" heads --model toy/model.safetensors --sentences 5 --out heads.html | grep -c 'on the right word' | grep -qx 2

check "why follows a number of the gradient to the loss"
"$translate" why --model run/model.safetensors "The dog sleeps." "Le chien dort." --out why.html >why.txt
"$translate" why --help >help.txt
grep -q 'as 3,1 counted from 0$' help.txt || fail "what is not given has a default: $(cat help.txt)"
head -1 why.txt | grep -q ', gradient .*: '
grep -q 'linear_cross_entropy .*: the loss itself' why.txt
grep -q 'Why is this gradient' why.html
"$translate" why --model run/model.safetensors "a" "b" --parameter target_embedding.weight --at 2,3 --terms 1 --steps 2 >why.txt
head -1 why.txt | grep -q '^target_embedding.weight at \[2, 3\] = '
expect_error '"more" is one word too many' why --model run/model.safetensors a --parameter target_embedding.weight --at 2,3 b more
expect_error "the parameter must be one of the model" why --model run/model.safetensors a b --parameter x --at 0
expect_error "the place must lie in the variable" why --model run/model.safetensors a b --parameter target_embedding.weight --at 2
expect_error "both sentences must have words" why --model run/model.safetensors "" b

check "rebuild makes any step of a run again, bit for bit"
ls run/history-*.safetensors >/dev/null
"$translate" rebuild --run run --at-step 300 --out end.safetensors >/dev/null
expect_failure "none/x.safetensors: cannot be written: there is no folder none" "$translate" rebuild --run run --at-step 300 --out none/x.safetensors
cmp end.safetensors run/model.safetensors
"$translate" rebuild --run run --at-step 130 >/dev/null
cmp <(scores step-130.safetensors) <(scores short/model.safetensors)
cp -r run cut
head -c 2000 run/checkpoint.safetensors >cut/checkpoint.safetensors # the snapshots on the way are there
"$translate" rebuild --run cut --at-step 130 --out cut.safetensors >/dev/null
cmp step-130.safetensors cut.safetensors
"$translate" rebuild --run short --at-step 0 --out zero.safetensors >/dev/null
expect_error "the run must have the step: run has 300, asked for 301" rebuild --run run --at-step 301
expect_error "settings.conf: cannot be read" rebuild --run nowhere --at-step 1
for file in run/log.jsonl run/model.safetensors small.tsv; do
  cp "$file" kept
  expect_error "$file: cannot be written: it is $file, which is read" rebuild --run run --at-step 20 --out "$file"
  cmp "$file" kept
done
for _ in 1 2; do "$translate" rebuild --run short --at-step 0 --out short/zero.safetensors >/dev/null; done
cp -r run changed
sed -i '60s/"loss":[0-9.]*/"loss":1.5/' changed/log.jsonl
rm changed/history-*
expect_error "in step 60 the loss is" rebuild --run changed --at-step 70

check "a fork that fails leaves nothing behind, and what was there as it was"
expect_error "train --fork: this program must make the steps of the run in changed again: in step 60" train --fork changed --at-step 70 --out fresh
[ ! -e fresh ]
"$translate" "${tiny[@]}" --steps 2 --out other >/dev/null 2>&1
find other -type f | sort >before.txt
expect_error "in step 60 the loss is" train --fork changed --at-step 70 --out other
find other -type f | sort | cmp - before.txt

check "a text that has changed since is noticed by rebuild and fork, and named by diff"
sed 's/cat/zat/g' small.tsv >mine.tsv
"$translate" "${tiny[@]}" --tsv mine.tsv --steps 3 --out mine >/dev/null 2>&1
"$translate" diff mine short >diff.txt
grep -q '^text: the sentences of the two, or how they are cut, are not the same$' diff.txt
grep -q '^tensor: step 1, ' diff.txt || grep -q '^tensor: step 0, ' diff.txt
cp small.tsv mine.tsv
expect_error "rebuild: the settings and the text of mine must be those of its checkpoints: they have changed since" rebuild --run mine --at-step 1
expect_error "train --fork: the settings and the text of mine must be" train --fork mine --at-step 1 --out fresh
[ ! -e fresh ]
"$translate" diff mine short >diff.txt
grep -q '^setting: steps is 3 and 130$' diff.txt
grep -q '^log: the first difference is in step 1: ' diff.txt
grep -q '^tensor: none was looked for: diff: the settings and the text of mine' diff.txt

check "a fork without a change ends as the run did, and one with a change parts where it was forked"
"$translate" train --fork run --at-step 130 --out same >/dev/null 2>&1
cmp <(scores same/model.safetensors) <(scores run/model.safetensors)
[ "$(wc -l <same/log.jsonl)" -eq 300 ]
"$translate" diff run same >same.txt
grep -q 'log: all steps are the same' same.txt
"$translate" train --fork run --at-step 130 --learning-rate 0.01 --out other >/dev/null 2>&1
"$translate" diff run other >other.txt
grep -q '^setting: learning-rate is .* and 0.01$' other.txt
grep -q '^log: the first difference is in step 131: the learning rate is ' other.txt
grep -q '^tensor: step 131, update: ' other.txt
"$translate" "${tiny[@]}" --steps 3 --seed 2 --out unrelated >/dev/null 2>&1
"$translate" diff other unrelated >diff.txt
grep -q '^log: the first difference is in step 1: ' diff.txt
grep -q '^tensor: none was looked for: a fork has no step 1 of its own to make again$' diff.txt
"$translate" rebuild --run other --at-step 200 >/dev/null
expect_error "begins after step 130 of run" rebuild --run other --at-step 100
expect_error "a fork needs a folder of its own" train --fork run --at-step 130 --out run
expect_error "a fork must have steps left" train --fork run --at-step 300 --out late
expect_error "--at-step" train --fork run --out late
printf 'fork = run\nat-step = 130\nout = late\n' >fork.conf
expect_error "fork.conf:1: only the settings.conf that a fork left can name its run: type --fork and --at-step" train --config fork.conf
"$translate" train --config same/settings.conf --resume --json >figures.json 2>&1
grep -q '"steps":300' figures.json
expect_error "the parameters must be those of the run" train --fork run --at-step 130 --width 32 --out late
expect_error "the vocabularies must be those of the run" train --fork run --at-step 130 --held-out 40 --out late
expect_error "--optimizer must be that of the run" train --fork run --at-step 130 --optimizer muon --out late
expect_error "not with --resume, --fork or --json" train --check --fork run --at-step 130 --out late
[ ! -e late ]

check "a fork of a run that was watched or averaged ends, the latter with the bytes of the run"
for kind in "--validation 20 --validate-every 20" "--average 3 --snapshot-every 20"; do
  # shellcheck disable=SC2086
  "$translate" "${tiny[@]}" --steps 100 $kind --out origin >/dev/null 2>&1
  "$translate" train --fork origin --at-step 75 --out branch --json >figures.json 2>&1
  grep -q '"steps":100' figures.json
done
cmp <(scores branch/model.safetensors) <(scores origin/model.safetensors)

check "diff names setting, step and tensor of two runs, made again or as they were traced"
"$translate" diff run short >diff.txt
grep -q '^log: the steps that both have are the same; there are 300 and 130$' diff.txt
"$translate" "${tiny[@]}" --steps 20 --out one --trace 3 >/dev/null 2>&1
"$translate" "${tiny[@]}" --steps 20 --out two --trace 3 --label-smoothing 0 >/dev/null 2>&1
[ "$(wc -l <one/trace.jsonl)" -eq 4 ]
"$translate" diff one two >diff.txt
grep -q '^tensor: step 1, forward: linear_cross_entropy' diff.txt
cp diff.txt traced.txt
rm one/trace.jsonl
"$translate" diff one two >diff.txt
cmp diff.txt traced.txt
"$translate" diff one one | grep -qx 'the runs are the same'
expect_error "settings.conf: cannot be read" diff one nowhere
echo "all checks passed"

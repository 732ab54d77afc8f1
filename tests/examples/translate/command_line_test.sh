#!/usr/bin/env bash
# The program `translate` as its users run it: command_line_test.sh <translate> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

translate=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
sources=$(cd "$(dirname "$0")/../../../examples/translate" && pwd)
work_in "$2"

expect_error() { expect_failure "$1" "$translate" "${@:2}"; }
tiny=(--steps 6 --batch-tokens 256 --width 16 --feed-forward 32 --heads 2 --encoder-layers 1 --decoder-layers 1 --warmup 2)

check "the manual page has every command that the program's sources add, with its options"
cmake "-DPROGRAM=$translate" -DVERSION=0 -DPAGE=translate.1 -P "$sources/../../cmake/manual_page.cmake"
commands=$(grep -rzohE 'add_subcommand\(\s*"[a-z]+"' "$sources" | tr '\0' '\n' | grep -oE '"[a-z]+"' | tr -d '"' | sort -u)
[ "$(wc -w <<<"$commands")" -ge 13 ] || fail "the sources add only: $commands"
[ "$(sed -n 's/^\.SS translate //p' translate.1 | sort)" = "$commands" ] || fail "$(grep '^\.SS' translate.1)"
for command in $commands; do
  sed -n "/^\.SS translate $command\$/,/^\.fi/p" translate.1 | grep -q '^ *\\-' || fail "no option of $command"
done

check "the embedded corpus is written as lines with one tab"
"$translate" data --out corpus.tsv >/dev/null
[ "$(wc -l <corpus.tsv)" -gt 1000 ]
awk -F'\t' 'NF != 2 { exit 1 }' corpus.tsv

check "training leaves a model, a log with a line for each step, held-out sentences and a page that needs no network"
head -400 corpus.tsv >small.tsv
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --out run >train.txt 2>&1
[ -s run/model.safetensors ]
[ -s run/checkpoint.safetensors ]
[ "$(wc -l <run/log.jsonl)" -eq 6 ]
[ "$(wc -l <run/held-out.tsv)" -ge 20 ]
grep -q 'BLEU' train.txt
grep -q '^  BLEU  *how many runs of words are as in the reference, of 100$' train.txt || fail "the scores are not explained"
grep -qE '^held-out +[0-9.]+ %( +[0-9.]+){3}  +20$' train.txt || fail "the scores are no row of a table"
grep -q '│█' train.txt  # the curve of the loss, and those of what else was measured
for curve in 'learning rate' 'gradient norm'; do grep -q "^$curve .*█.* to " train.txt; done
for part in 'While it learnt' 'Gradient norm' 'What the search explored' 'nearest rivals'; do grep -q "$part" run/page.html; done
if grep -qE '(src|href)="(https?:)?//' run/page.html; then fail "the page refers to the network"; fi

check "with --json, training prints one line of figures and nothing else"
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --out run_json --json >figures.json
[ "$(wc -l <figures.json)" -eq 1 ]
grep -q '^{.*"steps":6.*"bleu":.*}$' figures.json

check "--check says the shapes of a sound model of each kind, finds nothing wrong, and leaves no folder"
for model in transformer gru lstm; do
  "$translate" train --check --tsv small.tsv --held-out 20 "${tiny[@]}" --model $model --out unchecked >check.txt
  for line in 'linear_cross_entropy ' 'no leaks: ' 'no dead paths: ' 'no anomaly: '; do grep -q "$line" check.txt; done
  grep -q 'embedding .*\[target words, [DE].*\] → \[B, T, [DE]' check.txt
  [ ! -e unchecked ]
done
expect_error "--check and --doctor look at the model before its first step" train --check --json
expect_error "--check and --doctor look at the model before its first step" train --doctor --resume

check "--doctor makes its experiments, says that a sound training is sound, and what is wrong with another"
"$translate" train --doctor --tsv small.tsv --held-out 20 "${tiny[@]}" --out unexamined >doctor.txt
for line in 'first loss: .*ln ' 'leaks: no bit' 'one batch by heart: ' 'Nothing is wrong'; do grep -q "$line" doctor.txt; done
awk -F'\t' -v OFS='\t' 'NR > 1 {print $1, before} {before = $2} NR == 1 {first = $1} END {print first, before}' small.tsv >moved.tsv
if "$translate" train --doctor --tsv moved.tsv --held-out 20 "${tiny[@]}" --out unexamined >doctor.txt; then fail "a doctor that found something must end with 1"; fi
grep -q 'Sources and targets do not belong together' doctor.txt
grep -q '^To read: ' doctor.txt
if "$translate" train --doctor --tsv small.tsv --held-out 20 "${tiny[@]}" --optimizer muon --muon-scale 1e30 --out unexamined >doctor.txt; then fail "the doctor must examine the optimizer of the settings"; fi
grep -q "Steps are too long by far" doctor.txt
[ ! -e unexamined ]

check "a training that diverges says which operation made the first number that is none"
if "$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --steps 400 --learning-rate 1e30 --clip 0 --out diverged >/dev/null 2>diverged.txt; then
  fail "it did not diverge"
fi
grep -q 'the loss and its gradient must be finite: .*; the first such number: [a-z_]*\(, backward\)*: ' diverged.txt
for rate in "1e30" "1e15 --clip 0"; do  # whatever is translated on the way
  # shellcheck disable=SC2086
  expect_error "the loss and its gradient must be finite" train --tsv small.tsv --held-out 20 "${tiny[@]}" --learning-rate $rate --out diverged
done

check "a config file says the same as options, with comments, and options override it"
printf '# a comment\nsteps = 3   # another\nbatch-tokens = 256\nwidth = 16\nheads = 2\ntsv = "small.tsv"\nheld-out = 20\n' >run.conf
"$translate" train --config run.conf --out run_config --steps 4 --json >figures.json
grep -q '"steps":4' figures.json

check "a run that Ctrl-C, a scheduler or a closed terminal ends says so, goes on where it was, and ends with the same bytes"
long=(train --tsv small.tsv --held-out 20 "${tiny[@]}" --steps 1500)
"$translate" "${long[@]}" --out whole >/dev/null 2>&1
[ "$(wc -l <whole/milestones.jsonl)" -eq 10 ]
for signal in INT TERM HUP; do
  rm -rf stopped
  "$translate" "${long[@]}" --out stopped >/dev/null 2>stopped.txt &
  pid=$!
  for _ in $(seq 400); do [ -s stopped/log.jsonl ] && break; sleep 0.01; done
  kill "-$signal" "$pid"
  code=0
  wait "$pid" || code=$?
  [ "$code" -eq $((128 + $(kill -l $signal))) ] || fail "code $code after $signal"
  grep -q "interrupted by SIG$signal after step" stopped.txt
  grep -q '^translate train --config stopped/settings.conf --resume$' stopped.txt
  [ "$(wc -l <stopped/log.jsonl)" -lt 1500 ]
  "$translate" train --config stopped/settings.conf --resume >/dev/null 2>&1
  [ "$(wc -l <stopped/log.jsonl)" -eq 1500 ]
  cmp stopped/model.safetensors whole/model.safetensors
  cmp stopped/milestones.jsonl whole/milestones.jsonl
done

check "a file and standard input are translated line by line, and empty lines stay empty"
printf 'The cat sleeps.\n\nA dog runs.\n' >input.txt
"$translate" translate --model run/model.safetensors input.txt >from_file.txt
"$translate" translate --model run/model.safetensors <input.txt >from_pipe.txt
[ "$(wc -l <from_file.txt)" -eq 3 ]
[ -z "$(sed -n 2p from_file.txt)" ]
cmp from_file.txt from_pipe.txt

check "a budget plans model and schedule, says so, and can be gone on from by the settings it left"
"$translate" train --budget 2s --out planned >planned.txt 2>&1
grep -q '^Plan for 2 seconds: about .* parameters' planned.txt
[ "$(grep -o '[0-9,]* parameters' planned.txt | sort -u | wc -l)" -eq 1 ]  # the plan's is the model's
grep -q '^steps = ' planned/settings.conf
"$translate" train --config planned/settings.conf --resume --json >figures.json
for time in soon "" 0s 1e308h nanm 1001h; do
  expect_error "--budget: must be a time such as 10s, 5m or 1h" train --budget "$time"
done
expect_error "--budget chooses --width: leave one of them out" train --budget 1s --width 32 --out planned
expect_error "--budget chooses --preset" train --budget 1s --preset multi30k --out planned
expect_error "--budget plans without --subword-sampling" train --budget 1s --subword-sampling 0.1 --out planned
expect_error "--budget plans a transformer: --model is gru" train --budget 1s --model gru --out planned
expect_error "--budget chooses --joint" train --budget 1h --joint --out planned  # before anything is timed
"$translate" train --config <(printf 'tsv = small.tsv\nheld-out = 20\n') --budget 1s --out planned_config --json >figures.json
grep -q '^tsv = small.tsv' planned_config/settings.conf
grep -q '^held-out = 20' planned_config/settings.conf
"$translate" train --tsv <(cat small.tsv) --budget 1s --average 3 --out planned_mean >planned.txt 2>&1  # a pipe is read once
[ "$(find planned_mean -name 'snapshot-*' | wc -l)" -eq 3 ]
awk 'BEGIN { for (i = 0; i < 6000; ++i) print "one two three four five six " i % 9 "\tun deux trois quatre cinq six " i % 9 }' >few_words.tsv
"$translate" train --tsv few_words.tsv --held-out 2 --budget 1s --out planned_few --json >figures.json
grep -q '^units = words' planned_few/settings.conf
expect_error "--config FOLDER/settings.conf --resume" train --budget 2s --resume
"$translate" train --tsv few_words.tsv --held-out 2 --budget 0.001s --out planned_short >planned.txt 2>&1
grep -q '^Plan for .*, 20 steps .*, longer than asked' planned.txt

check "a budget that a tiny text cannot use up makes two thousand steps of it, and says why no more"
head -30 small.tsv >tiny.tsv
"$translate" train --tsv tiny.tsv --held-out 2 --budget 30m --out planned_tiny >planned.txt 2>&1
grep -q '^steps = 2000$' planned_tiny/settings.conf
grep -q '^Plan for .*More would only learn it by heart' planned.txt

check "several translations come with falling scores, and sampling depends on the seed alone"
"$translate" translate --model run/model.safetensors --beam 4 --n-best 3 input.txt >n_best.txt
[ "$(wc -l <n_best.txt)" -eq 7 ]
awk 'NR <= 3 { if (NR > 1 && $1 > last) exit 1; last = $1 }' n_best.txt
"$translate" translate --model run/model.safetensors --sample --temperature 0.9 --top-k 50 --seed 5 input.txt >sampled.txt
"$translate" translate --model run/model.safetensors --sample --temperature 0.9 --top-k 50 --seed 5 input.txt | cmp - sampled.txt
"$translate" translate --model run/model.safetensors --sample --temperature 0.9 --top-k 50 --seed 6 input.txt >other.txt
if cmp -s sampled.txt other.txt; then fail "another seed gave the same"; fi
expect_error "--n-best must be at most --beam: got 3, the beam is 2" translate --model run/model.safetensors --beam 2 --n-best 3 input.txt

check "--int8 translates and evaluates with products in 8 bits, and recurrent models refuse it"
"$translate" translate --model run/model.safetensors --int8 --beam 4 --n-best 3 input.txt >int8.txt
[ "$(wc -l <int8.txt)" -eq 7 ]
if cmp -s n_best.txt int8.txt; then fail "the scores have the same digits: nothing was rounded"; fi
"$translate" evaluate --model run/model.safetensors --int8 --json | grep -q '"held-out"'
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --model gru --out run_gru >/dev/null 2>&1
expect_error "run_gru/model.safetensors: cannot translate with --int8: translation model: a model of this kind has no products" translate --model run_gru/model.safetensors --int8 input.txt

check "a shortlist of the training pairs leaves what may be written to a few words"
[ "$("$translate" shortlist --model run/model.safetensors small.tsv)" = run/shortlist.txt ]
"$translate" translate --model run/model.safetensors --shortlist run/shortlist.txt --beam 4 --n-best 3 input.txt >listed.txt
[ "$(wc -l <listed.txt)" -eq 7 ]
if cmp -s n_best.txt listed.txt; then fail "the same probabilities: all words were looked at"; fi
"$translate" evaluate --model run/model.safetensors --shortlist run/shortlist.txt --int8 --json | grep -q '"held-out"'
expect_error "not-there.txt: cannot be read" translate --model run/model.safetensors --shortlist not-there.txt input.txt
expect_error "there is no folder no-such" shortlist --model run/model.safetensors small.tsv --out no-such/shortlist.txt
expect_error "shortlist: the model must be one transformer" shortlist --model run_gru/model.safetensors small.tsv
expect_error "shortlist: the model must be one transformer" shortlist --model run/model.safetensors,run/model.safetensors small.tsv
expect_error "run_gru/model.safetensors: cannot translate with --shortlist run/shortlist.txt: translator: a shortlist needs one transformer" translate --model run_gru/model.safetensors --shortlist run/shortlist.txt input.txt

check "score says how likely given translations are, word by word, with rivals"
head -3 small.tsv >three.tsv
"$translate" score --model run/model.safetensors three.tsv | wc -l | grep -qx 3
"$translate" score --model run/model.safetensors three.tsv --rivals 2 --json >scores.jsonl
[ "$(wc -l <scores.jsonl)" -eq 3 ]

check "a pair that is too long is named, its line of scores stays empty, and the others have theirs"
{ head -1 three.tsv; echo; printf 'the cat\t%s\n' "$(printf 'chat %.0s' {1..4097})"; tail -1 three.tsv; } >long.tsv
for output in "" "--output long.txt"; do
  # shellcheck disable=SC2086  # none or two words
  expect_error "long.tsv:3: too long: 4097 tokens; this model scores at most 4096" score --model run/model.safetensors long.tsv $output
  grep -q "1 of 4 lines could not be scored" err.txt
  [ -n "$output" ] || cp out.txt printed.txt
done
cmp printed.txt long.txt
[ "$(sed 's/^ *-[0-9.]*  .*/score/' long.txt)" = "$(printf 'score\n\nscore')" ] || fail "$(cut -c 1-80 long.txt)"
expect_error "long.tsv:3: too long" score --model run/model.safetensors long.tsv --json
grep -q '"error":"too long' out.txt
[ "$(wc -l <out.txt)" -eq 3 ]
{ head -2 three.tsv; echo "no tab here"; tail -1 three.tsv; } >broken.tsv
expect_error "broken.tsv:3: no tab" score --model run/model.safetensors broken.tsv
[ "$(wc -l <out.txt)" -eq 2 ] # those before it
echo >empty.tsv
expect_error "empty.tsv: there is no line" score --model run/model.safetensors empty.tsv
printf 'before\n' >scores-before.txt
expect_error "empty.tsv: there is no line" score --model run/model.safetensors empty.tsv --output scores-before.txt
grep -qx before scores-before.txt
grep -q '"words":\[{"token":' scores.jsonl

check "evaluate tests the held-out sentences beside the model, or a file"
"$translate" evaluate --model run/model.safetensors --json | grep -q '"held-out"'
"$translate" evaluate --model run/model.safetensors --tsv small.tsv >evaluated.txt
grep -q 'exactly right  *BLEU  *chrF  *perplexity' evaluated.txt
[ "$(wc -l <evaluated.txt)" -eq 2 ]
"$translate" evaluate --model run/model.safetensors --tsv three.tsv --all-bleu >all_bleu.txt
"$translate" evaluate --model run/model.safetensors --tsv three.tsv --all-bleu --json >all_bleu.json
[ "$(wc -l <all_bleu.json)" -eq 1 ]
[ "$(grep -o '"signature":' all_bleu.json | wc -l)" -eq 8 ]
[ "$(grep -c ' BLEU|' all_bleu.txt)" -eq 6 ]
grep -q ' characters  *lower case  BLEU|.*case:lc.*tok:char' all_bleu.txt

check "the scores of a model that writes lower case say that case does not count"
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --lower-case --out run_lower --json | grep -q 'case:lc'
"$translate" evaluate --model run_lower/model.safetensors --all-bleu >lower.txt
[ "$(grep -c 'case:lc' lower.txt)" -eq 4 ]
if grep -q 'case:mixed' lower.txt; then fail "lower-cased references are no mixed case"; fi

check "a model is evaluated as it was tested after training, unless the command line says otherwise"
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --steps 60 --beam 4 --length-penalty 2 --bleu char --bleu-lower-case --out run_search --json >figures.json
score() { grep -o '"held-out":{.*"perplexity"' "$1"; }
"$translate" evaluate --model run_search/model.safetensors --json >evaluated.json
[ "$(score figures.json)" = "$(score evaluated.json)" ] || fail "$(score figures.json) and $(score evaluated.json)"
"$translate" evaluate --model run_search/model.safetensors --beam 1 --bleu 13a --json >greedy.json
[ "$(score greedy.json)" != "$(score evaluated.json)" ]
score greedy.json | grep -q 'case:lc.*tok:13a'

check "what is left of several sentences is said"
"$translate" attention --model run/model.safetensors "The cat sleeps. The dog sleeps. Is she here? The cow sings." --out four.html >said.txt 2>err.txt
written=$(head -1 said.txt | { grep -oE '[.?!]( |$)' || true; } | wc -l)
grep -qx "it translated $written of 4 sentences: give it one at a time" err.txt || fail "$(cat said.txt err.txt)"
"$translate" attention --model run/model.safetensors "The cat sleeps." --out four.html >/dev/null 2>err.txt
if grep -q 'give it one at a time' err.txt; then fail "$(cat err.txt)"; fi

check "all that attention shows is of one translation, and it says where a greedy search writes another one"
differ=0 sentences=("Hello!" "The cat the cat." "Is the?" "The horse The cow The dog.")
for sentence in "${sentences[@]}"; do
  greedy=$(printf '%s\n' "$sentence" | "$translate" translate --model run/model.safetensors --beam 1 2>/dev/null)
  "$translate" attention --model run/model.safetensors --beam 1 "$sentence" --out one.html >said.txt 2>err.txt
  written=$(head -1 said.txt)
  "$translate" attention --model run/model.safetensors --beam 1 "$sentence" --json >one.json
  python3 -c 'import json; all = json.load(open("one.json"))
print(all["search"]["translation"])
looked_into = [each["word"] for each in all["search"]["words"]], all["attention"][0]["layers"][0][0]["queries"]
words, rows = ([each for each in some if each != "⏎"] for some in looked_into)
assert words == rows, looked_into' >words.txt
  grep -qxF -- "$written" words.txt || fail "of $sentence: not $written but $(cat words.txt)"
  if [ "$greedy" = "$written" ]; then
    if grep -q 'greedy search' err.txt; then fail "$(cat err.txt)"; fi
  else
    differ=$((differ + 1))
    grep -qxF -e "greedy search that translates elsewhere writes \"$greedy\"; here 3 translations are followed at a time, so that there is a search to see" \
      -e "greedy search that translates elsewhere writes another one; here 3 translations are followed at a time, so that there is a search to see" err.txt || fail "$(cat err.txt)"
    grep -q 'Note: .*greedy search that translates elsewhere' one.html || fail "no note on the page"
  fi
done
[ $differ -gt 0 ] || fail "there is no such sentence among: ${sentences[*]}"

check "attention draws a page for a sentence"
"$translate" attention --model run/model.safetensors "The cat sleeps." --out cat.html >said.txt
[ "$(tail -1 said.txt)" = 'page  cat.html' ]
grep -q '<svg' cat.html
[ "$(grep -o '<h2[^>]*>[^<]*' cat.html | sed 's/.*>//' | paste -sd,)" = 'Word by word,Every head' ]

check "a page of a sentence of any length stays small and says what it leaves out; --json prints all of it"
words=$(printf 'the old cat sees the dog and %.0s' $(seq 40))
"$translate" attention --model run/model.safetensors "$words" --beam 5 --out long.html >/dev/null 2>long.txt
[ "$(wc -c <long.html)" -lt 5000000 ] || fail "$(wc -c <long.html) bytes"
grep -q 'The maps show the first ' long.html
grep -q 'The sentence is long. Shown are the first ' long.html
grep -q 'the page shows its beginning' long.txt
"$translate" attention --model run/model.safetensors "$words" --json --out none.html >long.json
[ "$(wc -l <long.json)" -eq 1 ]
[ ! -e none.html ]
grep -q '"tree":\[.*"attention":\[.*"weights"' long.json

check "words that a model does not know are named wherever it translates them"
printf 'the zebra and the quagga\nthe cat\n' >unknown.txt
"$translate" translate --model run/model.safetensors unknown.txt >/dev/null 2>err.txt
grep -q '1 of 2 lines have words that the model does not know, and are guesses: "zebra" and "quagga" (line 1)$' err.txt
"$translate" translate --model run/model.safetensors unknown.txt --json >unknown.json 2>/dev/null
grep -q '"unknown":\["zebra","quagga"\]' unknown.json
[ "$(grep -c unknown unknown.json)" -eq 1 ]
"$translate" attention --model run/model.safetensors "the zebra sleeps" --out zebra.html >/dev/null 2>err.txt
grep -q 'the model does not know "zebra"' err.txt
grep -q 'it knows [0-9]* words, among them: ' err.txt
grep -q '<mark>zebra</mark>' zebra.html
"$translate" attention --model run/model.safetensors "THE CAT SLEEPS." --out loud.html >/dev/null 2>err.txt
grep -qx 'try: The cat sleeps.' err.txt && grep -q 'Try: The cat sleeps.' loud.html || fail "$(cat err.txt)"
"$translate" translate --model run/model.safetensors <<<"the cat" 2>err.txt >/dev/null
if grep -q 'does not know' err.txt; then fail "$(cat err.txt)"; fi

check "what is piped is told which of its lines are in doubt, as the prompt tells it, and standard output has translations alone"
few=(--tsv few.tsv --held-out 1 --batch-tokens 256 --width 16 --feed-forward 32 --heads 2 --encoder-layers 1 --decoder-layers 1 --warmup 20)
for word in one two three four five six seven eight; do printf 'The %s.\tLe %s.\n' $word $word; done >few.tsv
"$translate" train "${few[@]}" --steps 300 --learning-rate 0.01 --out one_sentence --json >figures.json  # it never saw two sentences
piped() { "$translate" translate --model one_sentence/model.safetensors "$@"; }
printf 'The one.\nThe one. The two.\n\nThe two\nIs it so? The three! The four.\nThe one the two the three the four.\n' >doubtful.txt
for how in "" doubtful.txt --json "doubtful.txt --output doubtful.out"; do
  # shellcheck disable=SC2086  # none, one or three words
  piped $how <doubtful.txt >out.txt 2>err.txt
  grep -qx '2 of 6 lines have several sentences, and some of these are left out (lines 2 and 5)' err.txt || fail "$how: $(cat err.txt)"
  grep -qxF "printf '%s\\n' \"The one.\" \"The two.\" | translate translate --model one_sentence/model.safetensors" err.txt || fail "$(cat err.txt)"
  grep -qx '1 of 6 lines have more words than what it learnt from, sentences of at most about 2 words (line 6)' err.txt || fail "$(cat err.txt)"
  grep -qx '1 of 6 lines have no full stop or other mark at the end, as all had that it learnt from (line 4)' err.txt || fail "$(cat err.txt)"
  if grep -qE 'lines|printf' out.txt; then fail "$(cat out.txt)"; fi
  case $how in *--output*) [ "$(wc -l <doubtful.out)" -eq 6 ] ;; *) [ "$(wc -l <out.txt)" -eq 6 ] ;; esac
done
grep -m 1 '^printf' err.txt >paste.sh
PATH=$PATH:$(dirname "$translate") bash paste.sh >pasted.txt 2>err.txt
[ "$(wc -l <pasted.txt)" -eq 2 ] || fail "$(cat pasted.txt err.txt)"
if grep -q 'several sentences' err.txt; then fail "$(cat err.txt)"; fi
"$translate" translate --model run/model.safetensors <<<"The cat sleeps." >out.txt 2>err.txt
ended() { "$translate" translate --model run/model.safetensors --json <<<"The cat sleeps." 2>/dev/null | grep -o '"translation":"[^"]*' | wc -w; }
if [ "$(ended)" -gt 90 ]; then grep -qx '1 of 1 lines have translations that came to no end, and were cut (line 1)' err.txt || fail "$(cat err.txt)"; fi

check "a run ends with the three commands that use it, each on a line of its own"
for command in translate attention serve; do grep -qE "^translate $command .*--model run/model.safetensors\$" train.txt; done

check "a training whose reader has ended goes on, and leaves its page"
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --out unread 2>/dev/null | head -0 || true
[ -s unread/page.html ]

check "help of each subcommand ends with what one may type, and that can be typed"
for word in translate attention serve evaluate score heads why diff rebuild data shortlist export; do
  "$translate" $word --help | tail -2 >example.txt
  [ "$(head -1 example.txt)" = "For example:" ] || fail "$word: $(cat example.txt)"
  typed=$(tail -1 example.txt)
  mkdir -p typed && (cd typed && eval "timeout 5 ${typed/#translate/"$translate"}" </dev/null >typed.txt 2>&1) || true  # without a model
  ! grep -q "for help:" typed/typed.txt || fail "$typed: $(cat typed/typed.txt)"
done

check "help lists every subcommand under what it is for, and every option"
"$translate" --help >help.txt
for word in train translate attention serve evaluate score heads why diff rebuild data shortlist export; do grep -qE "^  $word  " help.txt; done
for heading in "To begin with, one after the other" "How good it is" "What happened in training" "Texts, and models for other programs"; do
  grep -qx "$heading:" help.txt || fail "$(cat help.txt)"
done
"$translate" train --help-all >help.txt
for option in tsv source target preset config model attention units average patience beam resume json seed threads dropout; do
  grep -q -- "--$option" help.txt
done

check "help says who takes several models, and ends a question with its mark"
for word in translate score evaluate attention serve why; do
  "$translate" $word --help | tr -s ' \n' ' ' | grep -q -- '--model FILE a trained model, .* several of them' || fail "$word: not several models"
done
for word in heads shortlist export; do
  "$translate" $word --help | tr -s ' \n' ' ' | grep -q -- "--model FILE a trained model, or a folder in Hugging Face's Marian layout (default" || fail "$word: not one model"
done
"$translate" heads --help | grep -q '^Take out each attention head in turn: what does that cost in BLEU?$' || fail "$("$translate" heads --help)"

check "help says what is a file, a folder, a number or a text"
for type in "--tsv FILE" "--config FILE" "--out FOLDER" "--steps N" "--learning-rate X" "--units NAME"; do
  grep -q -- "^  $type " help.txt || fail "$type: $(cat help.txt)"
done

check "recurrent models train, are watched, draw their attention and translate"
for model in gru lstm; do
  "$translate" train --tsv small.tsv --held-out 20 --validation 10 --validate-every 2 "${tiny[@]}" --model $model --out run_$model --json >figures.json
  grep -q '"best_validation":' figures.json
  "$translate" attention --model run_$model/model.safetensors "The cat sleeps." --out $model.html >/dev/null
  grep -q 'Cross-attention' $model.html
done
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --model gru --attention none --out run_none --json >figures.json
expect_error "--attention is none; choose --model gru or lstm" train --tsv small.tsv --held-out 20 "${tiny[@]}" --attention none

check "a transformer trains, translates and draws its attention with any score"
for score in additive location; do
  "$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --attention $score --out run_$score --json >figures.json
  "$translate" translate --model run_$score/model.safetensors input.txt >scored.txt
  [ "$(wc -l <scored.txt)" -eq 3 ]
  "$translate" attention --model run_$score/model.safetensors "The cat sleeps." --out $score.html >/dev/null
  grep -q 'Encoder self-attention' $score.html
done

check "training stops early where it is watched and no longer helps, and keeps the best model"
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --steps 400 --learning-rate 0.5 --validation 10 --validate-every 2 --patience 3 --out run_patient >patient.txt 2>&1
grep -q 'stopped early' patient.txt
[ "$(wc -l <run_patient/log.jsonl)" -lt 400 ]
cmp run_patient/model.safetensors run_patient/best.safetensors

check "watching by BLEU reports it, and going on with a finished run says what the run was"
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --validation 10 --validate-every 2 --watch bleu --out run_bleu --json >figures.json
grep -qE '"best_validation":[0-9]' figures.json
"$translate" train --config run_bleu/settings.conf --resume --profile >finished.txt 2>&1
grep -qE 'trained in .*, [1-9][0-9,]* tokens a second' finished.txt
if grep -q nan finished.txt; then fail "$(grep nan finished.txt)"; fi

check "every setting of text, model and training is heard: each changes the loss"
loss_of() {
  "$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --validation 30 --out run_heard --json "$@" >figures.json 2>err.txt ||
    fail "$* does not train: $(cat err.txt)"
  grep -o '"loss":[^,]*' figures.json
}
# heard <setting> <others…>: the setting changes what the others give.
heard() {
  local with without
  # shellcheck disable=SC2086  # a setting of several words
  with=$(loss_of "${@:2}" $1)
  without=$(loss_of "${@:2}")
  [ "$with" != "$without" ] || fail "$1 changes nothing"
}
[ "$(loss_of)" = "$(loss_of)" ]
for setting in --lower-case "--min-count 3" "--max-vocabulary 50" "--max-words 5" "--units characters" --joint "--validation 60" \
  "--attention dot" "--width 32" "--heads 1" "--feed-forward 64" "--encoder-layers 2" "--decoder-layers 2" "--dropout 0.5" \
  "--attention-dropout 0.5" "--norm after" "--positions learned" "--positions relative" "--positions alibi" "--positions rotary" \
  "--activation gelu" "--batch-tokens 128" "--accumulate 2" "--learning-rate 0.01" "--warmup 5" "--decay constant" \
  "--decay inverse-square-root" "--label-smoothing 0.3" "--clip 0.01" "--weight-decay 5" "--seed 2" \
  "--norm-kind rms_norm" "--activation swiglu" "--key-value-heads 1" "--r-drop 2" "--word-dropout 0.3" "--feed-forward-dropout 0.5" "--optimizer muon"; do
  heard "$setting"
done
heard "--muon-scale 1" --optimizer muon
heard "--weight-decay 5" --optimizer muon
heard "--word-dropout 0.3" --model gru
heard "--both-ways" --joint
heard "--plateau 1" --validate-every 1 --learning-rate 3
"$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --model gru --subwords=90 --out run_idle --json >/dev/null 2>err.txt
printf -- '--%s changes nothing: --%s\n' "subwords" "units is not subwords" "feed-forward" "model is not transformer" "heads" "model is not transformer" \
  "encoder-layers" "model is not transformer" "decoder-layers" "model is not transformer" | sort | diff - <(sort err.txt) >&2 || fail "an option that changes nothing is named"
# What version 0.1.0 did not have is written down only where it is on, so that its runs can be gone on with.
newer='^(subword-sampling|word-dropout|r-drop|optimizer|muon-scale|both-ways|reverse-weight|feed-forward-dropout) ='
if grep -E "$newer" run_heard/settings.conf; then fail "off, and written down"; fi
loss_of --optimizer muon --r-drop 1 >/dev/null
[ "$(grep -cE "$newer" run_heard/settings.conf)" -eq 2 ] || fail "$(cat run_heard/settings.conf)"
if "$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --units subwords --subwords 200 --out run_heard --json >/dev/null 2>&1; then
  heard "--units subwords --subwords 200"
  heard "--subword-kind unigram" --units subwords --subwords 150
  # What is sampled at all has other pieces, so only how much it is tells whether cuts are.
  heard "--subword-sampling 0.3" --units subwords --subwords 150 --subword-sampling 1e-300
  heard "--subword-sampling 0.3" --units subwords --subwords 150 --subword-kind unigram --subword-sampling 0.9
fi

check "a test set of its own is tested instead of held-out sentences"
cut -f1 three.tsv >three.en
cut -f2 three.tsv >three.fr
"$translate" train --tsv small.tsv --test-source three.en --test-target three.fr "${tiny[@]}" --out run_test --json >figures.json
cmp run_test/test.tsv three.tsv
grep -q '"test":{"sentences":3' figures.json

check "of a test set of its own it is said how many of its sentences were trained on"
head -3 small.tsv | cut -f1 >known.en
head -3 small.tsv | cut -f2 >known.fr
"$translate" train --tsv small.tsv --test-source known.en --test-target known.fr "${tiny[@]}" --out run_known >known.txt 2>&1
grep -q 'sentences to test on, of which 3 of 3 were trained on' known.txt || fail "$(cat known.txt)"
grep -q '3 of 3 sentences were trained on' run_known/page.html || fail "the page does not say it"
if grep -q 'did not see\|None of these sentences' known.txt run_known/page.html; then fail "what it was trained on is said to be unseen"; fi

check "several models, or one and its way back, are tested on what all of them kept back, and what that is not is not said"
awk -F '\t' '{ print $2 "\t" $1 }' small.tsv >turned.tsv
cut -f1 small.tsv | sort -u >all_sources.txt
for seed in 1 2; do "$translate" train --tsv small.tsv --held-out 200 "${tiny[@]}" --seed "$seed" --out "part_$seed" --json >/dev/null; done
cp part_1/model.safetensors part_2 # which has the words of the first, as an ensemble needs
"$translate" train --tsv turned.tsv --held-out 200 "${tiny[@]}" --out part_back --json >/dev/null
kept() { cut -f"$2" "part_$1/held-out.tsv" | sort -u; }
tested() { "$translate" evaluate --model "$@" --json 2>notes.txt | grep -oE '"sentences":[0-9]+' | tr -dc 0-9; }
both=$(comm -12 <(kept 1 1) <(kept 2 1) | wc -l)
[ "$both" -gt 20 ]
[ "$(tested part_1/model.safetensors,part_2/model.safetensors)" = "$both" ] || fail "$(cat notes.txt)"
grep -qx "held-out: $both of 200 sentences are tested, which all of these models kept back" notes.txt || fail "$(cat notes.txt)"
there=$(comm -12 <(kept 1 1) <(kept back 2) | wc -l)
[ "$(tested part_1/model.safetensors --reverse-model part_back/model.safetensors --reverse-weight 1 --beam 2)" = "$there" ] || fail "$(cat notes.txt)"
[ "$(tested part_1/model.safetensors)" = 200 ]
[ ! -s notes.txt ] || fail "one model says: $(cat notes.txt)"
mkdir part_unknown && cp part_2/model.safetensors part_unknown
[ "$(tested part_1/model.safetensors,part_unknown/model.safetensors)" = 200 ]
grep -qx "held-out: there is no such set in part_unknown: whether that model was trained on these sentences is not known" notes.txt || fail "$(cat notes.txt)"
mkdir part_tested && cp part_2/model.safetensors part_tested && cp part_2/held-out.tsv part_tested/test.tsv
[ "$(tested part_1/model.safetensors,part_tested/model.safetensors)" = 200 ]
grep -qx "held-out: there is no such set in part_tested: .*" notes.txt || fail "$(cat notes.txt)"
"$translate" train --tsv small.tsv --held-out 200 "${tiny[@]}" --joint --both-ways --seed 1 --out part_both --json >/dev/null
[ "$(tested part_1/model.safetensors --reverse-model part_both/model.safetensors --reverse-weight 1 --beam 2)" = 200 ] || fail "$(cat notes.txt)"
cp -r part_2 part_apart && comm -13 <(kept 1 1) all_sources.txt | sed 's/$/\tx/' >part_apart/held-out.tsv
expect_error "there must be held-out sentences here that no other of these models was trained on; name a file with --tsv" \
  evaluate --model part_1/model.safetensors,part_apart/model.safetensors

check "two models translate together, and one of the least risk is looked for among what is drawn"
for seed in 1 2; do
  "$translate" train --tsv small.tsv --test-source three.en --test-target three.fr "${tiny[@]}" --seed "$seed" --out "member_$seed" --json >/dev/null
done
one=member_1/model.safetensors
"$translate" translate --model "$one" input.txt >alone.txt
"$translate" translate --model "$one,$one" input.txt >twice.txt
cmp alone.txt twice.txt
"$translate" translate --model "$one,member_2/model.safetensors" --mbr 5 --mbr-utility bleu input.txt | wc -l | grep -qx 3
"$translate" evaluate --model "$one,member_2/model.safetensors" --mbr 5 --json | grep -q '"test":{"sentences":3'
for given in "" "--seed 1" "--seed 2"; do # what is drawn does not depend on the seed of the training, which was 2
  # shellcheck disable=SC2086  # two words
  "$translate" evaluate --model member_2/model.safetensors --mbr 2 --mbr-temperature 9 --bleu none $given --json | grep -oE '"chrf":[0-9.]+'
done >drawn.txt
[ "$(sed -n 1p drawn.txt)" = "$(sed -n 2p drawn.txt)" ]
[ "$(sed -n 1p drawn.txt)" != "$(sed -n 3p drawn.txt)" ] || fail "$(cat drawn.txt)"
expect_error "export: one model must be named" export --model "$one,member_2/model.safetensors" there
expect_error "member 2 has others than member 1" translate --model "$one,run_bleu/model.safetensors" input.txt
expect_error "no-such: there is no model here" translate --model "$one,no-such" input.txt
expect_error "--mbr-temperature requires --mbr of at least 1" evaluate --model "$one" --mbr 0 --mbr-temperature 0.5
expect_error "--mbr-utility requires --mbr of at least 1" translate --model "$one" --mbr 0 --mbr-utility bleu input.txt
expect_error "--seed requires --mbr" evaluate --model "$one" --mbr 0 --seed 5
expect_error "--mbr chooses among what it draws" translate --model "$one" --mbr 5 --sample input.txt
expect_error "--mbr: must be a whole number from 0 to 10000" translate --model "$one" --mbr 9223372036854775807 input.txt

check "a model that learnt both ways translates as it was tested, there and back, and another one with a model of the other way"
both=(train --tsv small.tsv --test-source three.en --test-target three.fr "${tiny[@]}" --joint --both-ways --beam 4 --reverse-weight 0.5 --json)
"$translate" "${both[@]}" --out run_both >both.json
grep -qx 'both-ways = true' run_both/settings.conf && grep -qx 'reverse-weight = 0.5' run_both/settings.conf || fail "$(cat run_both/settings.conf)"
back=run_both/model.safetensors
figure() { grep -oE '"bleu":[0-9.]+' "$1"; }
"$translate" evaluate --model "$back" --json >again.json
[ "$(figure again.json)" = "$(figure both.json)" ] || fail "not as it was tested: $(cat again.json both.json)"
scores() { "$translate" translate --model "$@" --beam 4 --n-best 4 --json input.txt; }
scores "$back" >weighed.txt
scores "$back" --reverse-weight 0 >one_way.txt
if cmp -s weighed.txt one_way.txt; then fail "the way back does not count: $(cat weighed.txt)"; fi
scores "$one" --reverse-model "$back" --reverse-weight 2 >helped.txt
if scores "$one" | cmp -s - helped.txt; then fail "another model's way back does not count"; fi
expect_error "run_gru/model.safetensors: cannot translate back with --int8: " \
  translate --model "$one" --reverse-model run_gru/model.safetensors --reverse-weight 2 --beam 4 --int8 input.txt
"$translate" attention "the cat" --model "$back" --out both.html >/dev/null
"$translate" train --tsv small.tsv --test-source three.en --test-target three.fr "${tiny[@]}" --joint --beam 4 --out run_joint --json >/dev/null
for models in "$back,run_joint/model.safetensors" "run_joint/model.safetensors,$back"; do
  "$translate" translate --model "$models" --beam 4 input.txt >/dev/null
  expect_error "--reverse-weight needs a model that translates back" translate --model "$models" --beam 4 --reverse-weight 1 input.txt
done
for way in both joint; do
  "$translate" shortlist --model run_$way/model.safetensors small.tsv --likeliest 1 --most-frequent 0 --out $way.list >/dev/null
done
[ "$(grep -c . both.list)" -gt "$(grep -c . joint.list)" ] || fail "the shortlist has no words for French ones: $(cat both.list)"
head -3 small.tsv | cut -f2 >french.txt
"$translate" translate --model "$back" --shortlist both.list french.txt >listed_back.txt
[ "$(wc -l <listed_back.txt)" -eq 3 ]

check "a model that learnt both ways sets its sentences as its target is set"
awk -F '\t' '{ sub(/ *\.$/, "?", $1); sub(/ *\.$/, " ?", $2); print $1 "\t" $2 }' small.tsv >asked.tsv
for ways in "" --both-ways; do
  # shellcheck disable=SC2086  # none or one
  "$translate" train --tsv asked.tsv --held-out 20 "${tiny[@]}" --joint $ways --out run_asked --json >/dev/null
  head -c 100000 run_asked/model.safetensors | grep -aoE 'spacing.....[a-z]*' | tr '\n' ' ' | tee spacings.txt
  grep -q 'plain.*french' spacings.txt || fail "not as they are set: $(cat spacings.txt)"
done
expect_error "--reverse-weight needs a model that translates back: --reverse-model, or one trained with --both-ways" translate --model "$one" --reverse-weight 0.5 input.txt
expect_error "--reverse-model is for --reverse-weight, which is 0" translate --model "$one" --reverse-model "$back" input.txt
expect_error "--reverse-model chooses among the translations of a beam, by --reverse-weight: --beam is 1" evaluate --model "$back" --reverse-model "$one" --beam 1
"$translate" translate --model "$back" --beam 1 input.txt >greedy.txt
"$translate" translate --model "$back" --beam 1 --reverse-weight 0 input.txt | cmp - greedy.txt || fail "greedy search is not as it was asked for"
expect_error "--reverse-weight chooses among the translations of a beam: --beam is 1" translate --model "$back" --beam 1 --reverse-weight 1 input.txt
expect_error "--reverse-weight chooses among the translations of a beam: --beam is 1" evaluate --model "$one" --reverse-model "$back" --reverse-weight 1 --beam 1
expect_error "--both-ways needs one vocabulary for both sides: --joint is not given" train --both-ways --out no_run
expect_error "--reverse-weight needs a model that can translate back: --both-ways is not given" train --reverse-weight 1 --beam 4 --out no_run
expect_error "--reverse-weight chooses among the translations of a beam: --beam is 1" train --joint --both-ways --reverse-weight 1 --beam 1 --out no_run
expect_error "feed_forward_dropout" train "${tiny[@]}" --feed-forward-dropout -0.5 --out no_run
expect_error "--reverse-weight: must be" translate --model "$back" --reverse-weight -1 input.txt

check "what --mbr draws depends on the seed alone, which nothing else than it and --sample has"
drawn() { "$translate" translate --model "$one" --mbr 2 --n-best 3 --seed "$1" input.txt; }
drawn 5 >drawn.txt
drawn 5 | cmp - drawn.txt
if drawn 6 | cmp -s - drawn.txt; then fail "another seed gave the same"; fi
expect_error "--seed requires --sample or --mbr" translate --model "$one" --seed 5 input.txt

check "what overrides a preset is written down, also where it is what an option is without one"
"$translate" train --preset multi30k --units words --tsv small.tsv --held-out 20 "${tiny[@]}" --optimizer adam --feed-forward-dropout -1 \
  --steps 2 --average 0 --out run_preset >/dev/null 2>&1
grep -qx 'optimizer = adam' run_preset/settings.conf
grep -qx 'feed-forward-dropout = -1' run_preset/settings.conf
if grep -q 'r-drop' run_preset/settings.conf; then fail "what nothing sets is written down"; fi

check "what a run draws or averages is the same after an interruption"
kinds=("--average 3 --snapshot-every 7" "--ema 0.9" "--optimizer muon --r-drop 1 --word-dropout 0.2")
if grep -qx 'units = subwords' run_heard/settings.conf; then # this build has them
  kinds+=("--units subwords --subwords 150 --subword-sampling 0.3")
fi
for kind in "${kinds[@]}"; do
  # shellcheck disable=SC2206  # several words
  averaged=(train --tsv small.tsv --held-out 20 "${tiny[@]}" --steps 600 --checkpoint-every 50 $kind)
  "$translate" "${averaged[@]}" --out whole >/dev/null 2>&1
  "$translate" "${averaged[@]}" --out killed >/dev/null 2>&1 &
  pid=$!
  for _ in $(seq 400); do [ -s killed/checkpoint.safetensors ] && break; sleep 0.01; done
  kill -KILL "$pid"
  wait "$pid" || true
  "$translate" "${averaged[@]}" --out killed --resume >/dev/null 2>&1
  cmp killed/model.safetensors whole/model.safetensors
  rm -r killed whole
done

if "$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --units subwords --subwords 200 --joint --out run_subwords --json >figures.json 2>err.txt; then
  check "subwords and characters make a translator as words do"
  "$translate" translate --model run_subwords/model.safetensors input.txt | wc -l | grep -qx 3
  "$translate" train --tsv small.tsv --held-out 20 "${tiny[@]}" --units characters --out run_characters --json >figures.json
  expect_error "cannot be made of this text" train --tsv small.tsv --held-out 20 "${tiny[@]}" --units subwords --subwords 900000
else
  grep -q 'this build has no SentencePiece' err.txt
fi

check "a mistake in the command line ends with code 2"
code=0
"$translate" --no-such-option >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ]
echo "all checks passed"

#!/usr/bin/env bash
# Training by several processes: several_processes_test.sh <translate, built with MPI> <empty folder to work in>.
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

translate=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
work_in "$2"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1  # as in a container

two() { mpirun -np 2 --oversubscribe "$translate" "$@"; }
losses() { sed -E 's/.*"loss":([0-9.e-]+).*/\1/' "$1/log.jsonl"; }

"$translate" data --out corpus.tsv >/dev/null
head -400 corpus.tsv >shared_by_two.tsv
training=(train --tsv shared_by_two.tsv --held-out 20 --batch-tokens 256 --width 16 --feed-forward 32 --heads 2 --encoder-layers 1
  --decoder-layers 1 --warmup 20 --threads 1 --checkpoint-every 50)

check "two processes follow the loss curve of one to 1e-5, also where three batches make a step"
for accumulate in 1 3; do
  "$translate" "${training[@]}" --steps 100 --accumulate $accumulate --dropout 0 --out one >/dev/null 2>&1
  two "${training[@]}" --steps 100 --accumulate $accumulate --dropout 0 --out two >/dev/null 2>&1
  paste <(losses one) <(losses two) | awk '{ d = $1 - $2; if (d > 1e-5 || d < -1e-5) exit 1 } END { if (NR != 100) exit 1 }'
done

check "a run of one process goes on with two: only the one that leads has a checkpoint"
two "${training[@]}" --steps 100 --accumulate 3 --dropout 0 --out one --resume --json 2>&1 | grep -q '"steps":100'

check "a process that dies ends the run with a message, and the run goes on to the same bytes, also where one has no sentence"
for batch in 256 16; do
  dying=("${training[@]/256/$batch}" --steps 1500)
  rm -rf whole dying
  two "${dying[@]}" --out whole >/dev/null 2>&1
  two "${dying[@]}" --out dying >dying.txt 2>&1 &
  mpi=$!
  for _ in $(seq 1000); do [ -s dying/checkpoint.safetensors ] && break; sleep 0.01; done
  pkill -KILL -n -f "$translate train --tsv shared_by_two.tsv"
  if wait "$mpi"; then fail "the run did not end with an error"; fi
  grep -q 'signal 9' dying.txt
  two "${dying[@]}" --out dying --resume >/dev/null 2>&1
  cmp dying/model.safetensors whole/model.safetensors
done

check "a budget is planned once, for all, and the same run again leaves nothing behind"
two train --tsv shared_by_two.tsv --held-out 20 --budget 2s --threads 1 --out planned >planned.txt 2>&1
[ "$(grep -c '^Plan for 2 seconds' planned.txt)" -eq 1 ]
cmp <(grep -v '^out' planned/settings.conf) <(grep -v '^out' planned/process-1/settings.conf)
two "${training[@]}" --steps 20 --out twice >out.txt 2>&1
two "${training[@]}" --steps 20 --out twice >out.txt 2>&1
[ -z "$(find twice -name 'earlier-*')" ]

check "an error of one process ends all, and names it"
if two train --tsv no-such.tsv >out.txt 2>err.txt; then fail "no error"; fi
grep -q 'translate: process [01]: no-such.tsv' err.txt
echo "all checks passed"

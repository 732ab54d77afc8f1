#!/usr/bin/env bash
# Training on two machines, which are two network namespaces: two_hosts_test.sh <translate, built with MPI> <empty folder>.
# Each check is a sentence; the first that fails ends the test. Status 77: it could not be tried.
set -euo pipefail

translate=$1
# shellcheck source-path=SCRIPTDIR source=../../support/checks.sh
. "$(dirname "$0")/../../support/checks.sh"
# shellcheck source-path=SCRIPTDIR source=../../support/two_hosts.sh
. "$(dirname "$0")/../../support/two_hosts.sh"
work_in "$2"

trap remove_hosts EXIT
trap 'exit 1' INT TERM
if ! make_hosts . >reason.txt; then
  echo "skipped: $(cat reason.txt)"
  exit 77
fi

losses() { sed -E 's/.*"loss":([0-9.e-]+).*/\1/' "$1/log.jsonl"; }
"$translate" data --out corpus.tsv >/dev/null
head -400 corpus.tsv >small.tsv
training=(train --tsv small.tsv --held-out 20 --batch-tokens 256 --width 16 --feed-forward 32 --heads 2 --encoder-layers 1
  --decoder-layers 1 --warmup 20 --threads 1 --checkpoint-every 50)
two() { on_two_hosts "$translate" "${training[@]}" "$@"; }

# Starts a run in the background, and returns when it has a checkpoint: start <folder>
start() {
  two --steps 1000 --out "$1" >"$1.txt" 2>&1 &
  mpi=$!
  for _ in $(seq 6000); do
    [ -s "$1/checkpoint.safetensors" ] && return
    kill -0 "$mpi" || fail "it ended before there was a checkpoint: $(tail -5 "$1.txt")"
    sleep 0.01
  done
  fail "there is no checkpoint after a minute"
}

# The run must have ended with an error and a message, on both machines, within a time: ended <folder> <seconds> <message>
ended() {
  local began=$SECONDS
  if wait "$mpi"; then fail "mpirun reported no error"; fi
  while [ -n "$(pids_on "$host_a" "$translate")$(pids_on "$host_b" "$translate")" ]; do
    [ $((SECONDS - began)) -gt "$2" ] && fail "a process still runs after $2 seconds"
    sleep 0.1
  done
  [ $((SECONDS - began)) -le "$2" ] || fail "it took $((SECONDS - began)) seconds"
  grep -q "$3" "$1.txt" || fail "no '$3' in: $(cat "$1.txt")"
}

check "a process on each of two machines follows the loss curve of one process to 1e-5"
"$translate" "${training[@]}" --steps 100 --dropout 0 --out one >/dev/null 2>&1
two --steps 100 --dropout 0 --out two >two.txt 2>&1
paste <(losses one) <(losses two) | awk '{ d = $1 - $2; if (d > 1e-5 || d < -1e-5) exit 1 } END { if (NR != 100) exit 1 }'

check "a process that is killed ends the run with a message, and the run goes on to the same bytes"
two --steps 1000 --out whole >whole.txt 2>&1
start killed
kill -KILL "$(pids_on "$host_b" "$translate")"
ended killed 10 'process rank 1 .* exited on signal 9'
two --steps 1000 --out killed --resume >>killed.txt 2>&1
cmp killed/model.safetensors whole/model.safetensors

check "a wire that is cut ends the run with a message on both machines, and the run goes on to the same bytes"
start cut
cut_wire
ended cut 20 'lost communication with a remote daemon'
mend_wire
two --steps 1000 --out cut --resume >>cut.txt 2>&1
cmp cut/model.safetensors whole/model.safetensors
echo "all checks passed"

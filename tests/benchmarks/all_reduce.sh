#!/usr/bin/env bash
# What sums over processes cost, for docs/many-machines.md: all_reduce.sh <folder of programs> <folder for the lines>
#
# Needs programs built with MPI and the rights of root: the two machines are network namespaces (tests/support/two_hosts.sh).
# It takes a minute or two.
set -euo pipefail

programs=$(cd "$1" && pwd)
mkdir -p "$2"
lines=$(cd "$2" && pwd)
# shellcheck source-path=SCRIPTDIR source=../support/two_hosts.sh
. "$(dirname "$0")/../support/two_hosts.sh"
# These two make OpenBLAS half as fast where somebody has set them.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE

work=$(mktemp -d)
trap 'remove_hosts; rm -r "$work"' EXIT
trap 'exit 1' INT TERM
make_hosts "$work"
bench=$programs/all_reduce_bench

# A core for each process, as two machines would have: on one core they would take turns waiting.
# shellcheck disable=SC2016  # the inner shell's variables
on_own_core=(sh -c 'exec taskset -c "$OMPI_COMM_WORLD_RANK" "$@"' sh)
{
  mpirun --allow-run-as-root -np 2 --oversubscribe --bind-to none "${on_own_core[@]}" "$bench" --where memory
  on_two_hosts "${on_own_core[@]}" "$bench" --where wire
  limit_wire 1gbit
  on_two_hosts "${on_own_core[@]}" "$bench" --where 1gbit
} | tee "$work/sums.jsonl"

# How much of the sum backward hides: an embedding of most of the parameters, which is complete last of all, and a small one.
for rate in 1gbit 200mbit; do
  limit_wire "$rate"
  for vocabulary in 10000 1000; do
    on_two_hosts "$bench" --where "$rate" --step --vocabulary "$vocabulary" --repeats 10
  done
done | tee "$work/overlap.jsonl"

# What a step costs whatever the batch: the whole batch beside a single sentence.
for model in "toy 64" "multi30k 128" "base 32"; do
  for batch in "${model#* }" 1; do
    "$programs/step_bench" --config "${model% *}" --batch "$batch" --steps 5
  done
done | tee "$work/steps.jsonl"

mv "$work"/*.jsonl "$lines"

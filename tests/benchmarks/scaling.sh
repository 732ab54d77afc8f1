#!/usr/bin/env bash
# What a training step costs as the work grows, for docs/performance.md: scaling.sh <folder of programs> <docs>
#
# A process for each point, because peak memory is that of a process, on an otherwise idle machine. The lines of step_bench and
# the plots go to <docs>/performance/, the tables into <docs>/performance.md. STEPS steps are timed for each point.
set -euo pipefail

programs=$1
docs=$2
steps=${STEPS:-10}
threads=${THREADS:-2}
# These two make OpenBLAS half as fast where somebody has set them.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE

measured=$(mktemp -d)
trap 'rm -r "$measured"' EXIT

# point <what grows> <arguments of step_bench>
point() {
  local name=$1
  shift
  echo "step_bench $*" >&2
  "$programs/step_bench" --threads "$threads" --steps "$steps" "$@" >>"$measured/$name.jsonl"
}

for length in 64 128 256 512 1024 2048 4096 8192; do
  point length --config long --length "$length" --batch $((8192 / length))
done
for length in 1024 2048 4096 8192; do
  point length --config long --length "$length" --batch $((8192 / length)) --window 128
done
for batch in 1 2 4 8 16 32 64 128 256; do
  point batch --config multi30k --batch "$batch"
done
for width in 32 64 128 256 512 1024; do
  point width --config multi30k --layers 2 --width "$width"
done
for vocabulary in 1000 2000 4000 8000 16000 32000 50000 64000; do
  point vocabulary --config multi30k --vocabulary "$vocabulary"
done
echo "step_bench --config multi30k --profile" >&2
"$programs/step_bench" --threads "$threads" --steps "$steps" --config multi30k --profile >/dev/null 2>"$measured/step.txt"

mkdir -p "$docs/performance"
cp "$measured"/* "$docs/performance/"
"$programs/scaling_page" "$docs/performance" "$docs/performance.md"

#!/usr/bin/env bash
# One training step of five transformers, Gradual beside PyTorch, as a table: step_table.sh <step_bench> [<peer script>]
#
# The peer is a Python script that takes --threads N --steps N CONFIG and prints a JSON line with the keys of step_bench; PYTHON
# names the interpreter that runs it. Each configuration runs in a process of its own, the two sides in turn, on an otherwise
# idle machine; of the peer's thread counts the better one stands in the table.
set -euo pipefail

step_bench=$1
peer=${2:-}
python=${PYTHON:-python3}
steps=${STEPS:-20}
threads=${THREADS:-2}
# These two make OpenBLAS half as fast where somebody has set them.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE

field() { sed -E "s/.*\"$1\": ?([0-9.]+).*/\1/"; }

printf '%-10s %12s %12s %8s %10s %10s %12s %12s\n' config "Gradual ms" "peer ms" ratio GFLOP "of peak" "Gradual MiB" "peer MiB"
for config in toy multi30k chargpt long base; do
  ours=$("$step_bench" --config "$config" --threads "$threads" --steps "$steps")
  theirs_ms=- ratio=- theirs_mib=-
  if [ -n "$peer" ]; then
    for count in 1 "$threads"; do
      line=$("$python" "$peer" --threads "$count" --steps "$steps" "$config")
      ms=$(field step_ms <<<"$line")
      if [ "$theirs_ms" = - ] || awk "BEGIN { exit !($ms < $theirs_ms) }"; then
        theirs_ms=$ms
        theirs_mib=$(field peak_mib <<<"$line")
      fi
    done
    ratio=$(awk "BEGIN { printf \"%.2f\", $theirs_ms / $(field step_ms <<<"$ours") }")
  fi
  printf '%-10s %12.1f %12s %8s %10.2f %10.2f %12d %12s\n' "$config" "$(field step_ms <<<"$ours")" "$theirs_ms" "$ratio" \
    "$(field gflop_per_step <<<"$ours")" "$(field fraction_of_peak <<<"$ours")" "$(field peak_mib <<<"$ours")" "$theirs_mib"
done

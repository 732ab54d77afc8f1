#!/usr/bin/env bash
# The benchmarks as `./run bench scaling` uses them: command_line_test.sh <step_bench> <scaling_page> <docs> <empty folder>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

step_bench=$1
scaling_page=$2
docs=$3
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$(dirname "$0")/../support/checks.sh"
many_machines=$(dirname "$0")/many_machines.py
techniques=$(dirname "$0")/techniques.py
work_in "$4"
mkdir measured

field() { sed -E "s/.*\"$1\":([0-9.e+-]+).*/\1/"; }

check "a step of any size is timed, with its memory and its limits"
"$step_bench" --config toy --steps 1 --length 5 --batch 2 --width 32 --layers 1 --vocabulary 20 --window 3 >point.json
[ "$(wc -l <point.json)" -eq 1 ]
for key in length batch vocabulary window step_ms tokens_per_s peak_mib gflop_per_step gb_per_step gemm_peak_gflops memory_gb_per_s
do
  [[ "$(field "$key" <point.json)" =~ ^[0-9] ]] || fail "$key: $(cat point.json)"
done
# 2 heads, 64 inner numbers; with biases: 20·32 words, 8,544 in the encoder layer, 12,832 in the decoder layer, two norms.
[ "$(field params <point.json)" -eq 22144 ] || fail "params: $(field params <point.json)"
[ "$(field heads <point.json)" -eq 2 ]

check "a window of keys saves products"
all=$("$step_bench" --config long --steps 1 --batch 1 --length 512 --width 32 | field gflop_per_step)
few=$("$step_bench" --config long --steps 1 --batch 1 --length 512 --width 32 --window 16 | field gflop_per_step)
awk "BEGIN { exit !($few < 0.8 * $all) }" || fail "all $all, few $few"

check "the profile counts the bytes of the update: 8 numbers for each of 22,144 weights"
"$step_bench" --config toy --steps 1 --length 5 --batch 2 --width 32 --layers 1 --vocabulary 20 --profile >out.txt 2>profile.txt
gigabytes=$(awk "BEGIN { printf \"%.4f\", 8e-9 * $(field bytes_per_number <out.txt) * 22144 }")
awk -v gb="$gigabytes" '/^clipping and update/ { found = $(NF - 1) == gb } END { exit !found }' profile.txt ||
  fail "$gigabytes GB: $(cat profile.txt)"

check "sizes that do not fit are named"
expect_failure "heads must divide width" "$step_bench" --config toy --steps 1 --width 50

# The fastest step takes 2 seconds, and could take 1 s for its products and 0.5 s for its bytes.
point() {
  local sizes='"length":16,"batch":128,"width":128,"heads":4,"vocabulary":50000,"window":0,"bytes_per_number":4,"params":1048576'
  echo "{$sizes,\"threads\":2,\"step_ms\":2500,\"min_ms\":2000,\"tokens_per_s\":1638.4,\"peak_mib\":1234,\"gflop_per_step\":100,\"gb_per_step\":5,$1}"
}
for name in length batch width vocabulary; do
  point '"gemm_peak_gflops":100,"memory_gb_per_s":10' >"measured/$name.jsonl"
done
point '"gemm_peak_gflops":90,"memory_gb_per_s":8' | sed 's/"batch":128/"batch":256/' >>measured/batch.jsonl
printf 'operation ms share\nlinear 1.0 10.0%% 50%%\nadd 0.0 0.4%% 500%%\n' >measured/step.txt
for name in limits length batch width vocabulary step; do
  printf 'Before.\n\n<!-- measured: %s -->\nold\n<!-- end -->\n' "$name"
done >page.md

check "tables hold each point against the best that any process measured"
"$scaling_page" measured page.md
grep -qF '| 256 | 2,000 ms | 2,048 | 0.50 | 0.25 | 1,234 MiB | 16 MiB |' page.md || fail "$(cat page.md)"
grep -qF '| 50,000 | 2,000 ms | 2,048 | 0.50 | 0.25 | 1,234 MiB | 391 MiB |' page.md || fail "$(cat page.md)"
[ "$(grep -c '^Before.$' page.md)" -eq 6 ]
if grep -q '^old$' page.md; then fail "the old text is still there"; fi

check "of the profile, the page shows what takes time"
grep -A1 '^operation' page.md | grep -q '^linear 1.0 10.0% 50%$'
if grep -q '^add' page.md; then fail "$(cat page.md)"; fi

check "each thing that grows has two plots, on which limits are dashed"
for name in length batch width vocabulary; do
  for what in speed memory; do grep -q stroke-dasharray "measured/$name-$what.svg"; done
done
grep -q 'measured at sentences in a batch 256: 2048' measured/batch-speed.svg
grep -q 'limit of products at sentences in a batch 256: 4096' measured/batch-speed.svg
grep -q 'limit of memory at sentences in a batch 256: 8192' measured/batch-speed.svg

check "a page or a plot that shows something else is named"
"$scaling_page" measured page.md --check
sed -i 's/1,234/1,235/' page.md
expect_failure "page.md is not what the measurements make" "$scaling_page" measured page.md --check
"$scaling_page" measured page.md
echo >>measured/width-memory.svg
expect_failure "width-memory.svg is not what the measurements make" "$scaling_page" measured page.md --check
expect_failure "the page has no marks for limits" "$scaling_page" measured point.json

check "docs/performance.md shows what was measured"
"$scaling_page" "$docs/performance" "$docs/performance.md" --check

if command -v python3 >/dev/null; then
  check "docs/many-machines.md shows what was measured"
  python3 "$many_machines" "$docs" --check
  mkdir other
  cp -r "$docs/many-machines" "$docs/many-machines.md" "$docs/results.md" other
  sed -i 's/Measured: a step of the ring waits [0-9]* µs/Measured: a step of the ring waits 1 µs/' other/many-machines.md
  expect_failure "it is not what was measured" python3 "$many_machines" other --check

  check "docs/results.md shows what each technique was measured to be worth"
  python3 "$techniques" table "$docs" --check
  mkdir techniques
  cp -r "$docs/results" "$docs/results.md" techniques
  sed -i 's/"bleu": 39\.22/"bleu": 39.32/' techniques/results/techniques/scores.jsonl
  expect_failure "it is not what was measured" python3 "$techniques" table techniques --check
  sed -i '/multi30k --optimizer adam/d' techniques/results/techniques/scores.jsonl
  expect_failure "there is no score of multi30k --optimizer adam, seed 1" python3 "$techniques" table techniques
fi

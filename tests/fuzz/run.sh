#!/usr/bin/env bash
# Looks for inputs that a program neither takes nor refuses, by libFuzzer under the address and undefined-behaviour sanitizers:
#   tests/fuzz/run.sh TARGET SECONDS|RUNSx [--plain] [--keep]    as in: model_file 600, question 1000000x
# TARGET is a folder of tests/fuzz/corpus/. What it finds on its way stays in build/fuzz/corpus/TARGET; what breaks a program, in
# build/fuzz/broken/. --plain leaves out the sanitizers and the watch over what is compared, and tries many times as many inputs in a
# second: what is found is then a wrong answer, a crash, memory without bound or no end. --keep adds to the kept inputs those that reach
# code which they do not.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${1:?"tests/fuzz/run.sh TARGET SECONDS|RUNSx [--plain] [--keep]"}
amount=${2:?"how many seconds, or how many runs followed by x"}
plain=false keep=false
for option in "${@:3}"; do
  case $option in
    --plain) plain=true ;;
    --keep) keep=true ;;
    *) echo "fuzz: not expected: $option" >&2 && exit 2 ;;
  esac
done
found=$root/build/fuzz
. "$root/cmake/another_place.sh"
if $plain; then
  build=$root/build/fuzz-plain flags=-O2 sanitize=OFF instrument="-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp"
else
  build=$found flags="-O1 -g1" sanitize=ON instrument=-fsanitize=fuzzer-no-link
fi
kept=$root/tests/fuzz/corpus/$target
[ -d "$kept" ] || { echo "fuzz: no such target: $target; there are: $(cd "$root/tests/fuzz/corpus" && echo *)" >&2 && exit 2; }
compiler=clang++
for version in 21 20 19 18 17 16; do
  ! command -v "clang++-$version" >/dev/null || { compiler=clang++-$version && break; }
done

forget_another_place "$root" "$build"
mkdir -p "$build" "$found/corpus/$target" "$found/broken"
cmake -G Ninja -S "$root" -B "$build" "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=$flags" \
  "-DCMAKE_CXX_FLAGS=$instrument" -DGRADUAL_SANITIZE=$sanitize -DGRADUAL_FUZZ=ON -DGRADUAL_PROGRAMS=OFF -DGRADUAL_TESTS=ON \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >"$build/configure.log" || { cat "$build/configure.log" && exit 1; }
cmake --build "$build" --target gradual_fuzz

if [[ $amount == *x ]]; then end=-runs=${amount%x}; else end=-max_total_time=$amount; fi
scratch=/dev/shm  # a file for each input
[ -w $scratch ] || scratch=${TMPDIR:-/tmp}
export FUZZ_TARGET=$target TMPDIR=$scratch OPENBLAS_NUM_THREADS=1
# Inputs that take long are changed less often: else a few of half a second would take most of the time.
fuzz=("$build/bin/gradual_fuzz" -rss_limit_mb=3000 -malloc_limit_mb=1000 -timeout=20 -entropic_scale_per_exec_time=1)
"${fuzz[@]}" "$end" -max_len=20000 -print_final_stats=1 "-artifact_prefix=$found/broken/$target-" "$found/corpus/$target" "$kept"
! $keep || "${fuzz[@]}" -merge=1 "$kept" "$found/corpus/$target"

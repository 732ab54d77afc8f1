#!/usr/bin/env bash
# Which lines of the library the two test programs run:
#   tests/coverage/run.sh [--missed]
# A line for each folder and one for all; --missed names the lines that no test runs. Fails where fewer than 95 in a hundred of all run.
# It needs Debian's clang-19, llvm-19 and libclang-rt-19-dev, and ten minutes of two cores.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/coverage
at_least=95
. "$root/cmake/another_place.sh"

missed=0
case ${1:-} in
  '') ;;
  --missed) missed=1 ;;
  *) sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
esac
for tool in clang++-19 llvm-profdata-19 llvm-cov-19; do
  command -v $tool >/dev/null || { echo "coverage: $tool is missing: apt install clang-19 llvm-19 libclang-rt-19-dev" >&2 && exit 77; }
done

{
  forget_another_place "$root" "$build"
  cmake -G Ninja -S "$root" -B "$build" -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1" "-DCMAKE_CXX_FLAGS=-fprofile-instr-generate -fcoverage-mapping" \
    -DCMAKE_UNITY_BUILD=ON -DGRADUAL_PROGRAMS=OFF -DGRADUAL_TESTS=ON
  cmake --build "$build" --target gradual_tests gradual_gradient_tests
} >&2

# Each with counts of its own: the second computes in double, and has other functions under the same names.
for program in gradual_tests gradual_gradient_tests; do
  (cd "$build" && LLVM_PROFILE_FILE="$build/$program.profraw" bin/$program) >&2
  llvm-profdata-19 merge --sparse -o "$build/$program.profdata" "$build/$program.profraw"
done

# A header is read by its name in <gradual/...>, and counts once. A line that several functions have, as a template does for each of
# its types, runs where it runs in one of them.
for program in gradual_tests gradual_gradient_tests; do
  llvm-cov-19 export --format=lcov --instr-profile "$build/$program.profdata" "$build/bin/$program"
done |
  sed "s|^SF:$build/include/gradual/|SF:|; s|^SF:$root/|SF:|" |
  awk -F '[:,]' -v missed=$missed -v at_least=$at_least '
    $1 == "SF" { file = $2; counts = file ~ /^(core|autograd|nn)\//; folder = file; sub(/\/[^\/]*$/, "", folder) }
    $1 == "DA" && counts {
      line = file ":" $2
      if (!(line in runs)) { runs[line] = 0; all[folder]++; all["all"]++; place[++places] = line }
      if ($3 > 0 && !runs[line]) { runs[line] = 1; run[folder]++; run["all"]++ }
    }
    function row(name) { return sprintf("%-32s %7d %7d %7.2f %%", name, all[name], run[name], 100 * run[name] / all[name]) }
    END {
      if (missed) for (i = 1; i <= places; i++) if (!runs[place[i]]) print place[i]
      printf "%-32s %7s %7s\n", "folder", "lines", "run"
      for (name in all) if (name != "all") print row(name) | "sort"
      close("sort")
      print row("all")
      exit 100 * run["all"] < at_least * all["all"]
    }'

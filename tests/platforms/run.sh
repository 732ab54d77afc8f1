#!/usr/bin/env bash
# Builds the two main test programs as other compilers, processors and number types would have them, and runs them:
#   tests/platforms/run.sh [--list] [--strict] [PLATFORM...]
# Each platform has its build folder in build/platforms/. A platform whose tools are missing is skipped, and that is said;
# --strict makes it a failure. `./run platforms` installs the tools first.
# shellcheck disable=SC2317  # platforms are called by their names
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$root/build/platforms
programs="gradual_tests gradual_gradient_tests"
report=()
failed=0
. "$root/cmake/another_place.sh"
unset OPENBLAS_CORETYPE  # where a platform means one, it says so

usage() {
  echo "usage: tests/platforms/run.sh [--list] [--strict] [PLATFORM...]"
  platforms | sed 's/^/  /'
}

# Every platform is a function below: `build` it, then `run_tests`.
platforms() {
  cat <<'END'
kernels     OpenBLAS's kernels for processors with AVX2 and with SSE4 alone (OPENBLAS_CORETYPE Haswell, Nehalem)
clang       the newest clang that is here
double      computes in double
sanitizers  the address and undefined-behaviour sanitizers
threads     the thread sanitizer
nehalem     a processor without AVX, emulated; built as packages are: GRADUAL_NATIVE=OFF, a shared library
aarch64     64-bit ARM, emulated
windows     Windows on x86-64: compiled by mingw-w64, run by wine; the program too
macos       macOS on ARM and x86-64: every source is compiled, nothing is linked or run
END
}

# tell <platform> <seconds to build> <to run> <result>: a line of the report.
tell() {
  report+=("$(printf '%-14s  %8s  %8s  %s' "$@")")
}

# skip <platform> <what is missing>
skip() {
  echo "platforms: $1 is skipped: $2" >&2
  tell "$1" - - "skipped: $2"
  [ "$strict" = no ] || failed=1
}

# needs <platform> <command> <package>: whether the command is here.
needs() {
  command -v "$2" >/dev/null || { skip "$1" "it needs $2 (Debian: $3)" && return 1; }
}

# give_up <platform> <what is wrong with it>
give_up() {
  tell "$1" - - "$2"
  failed=1
}

# build <platform> <CMake's arguments...>: the test programs, with warnings as errors; a folder's sources as one.
build() {
  local platform=$1 start=$SECONDS
  shift
  echo "== $platform: build"
  mkdir -p "$folder/$platform"
  forget_another_place "$root" "$folder/$platform"
  local log=$folder/$platform/configure.log
  if ! cmake -G Ninja -S "$root" -B "$folder/$platform" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DCMAKE_UNITY_BUILD=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
    -DGRADUAL_PROGRAMS=OFF -DGRADUAL_TESTS=ON "$@" >"$log" 2>&1; then
    cat "$log" >&2
    give_up "$platform" "cannot be configured" && return 1
  fi
  # shellcheck disable=SC2086  # one word for each program
  cmake --build "$folder/$platform" --target $programs || { give_up "$platform" "does not compile" && return 1; }
  build_seconds=$((SECONDS - start))
}

# run_tests <platform> <build folder> <command that runs a program...>: the programs at once, each with an end set to it, and
# the long one in two halves, by the first letters of its tests' names.
# An emulated processor or system leaves out the tests marked as heavy, which claim gigabytes or measure speed: wine gives memory that
# is not there. An emulated processor leaves out those marked as long, too, which train, most of them for the doctor to examine: half of
# its time. ~[.] leaves out those that run by their tag alone, which a pattern of names would take in.
run_tests() {
  # shellcheck disable=SC2089
  local platform=$1 where=$2 start=$SECONDS program half letter result=passed tests="" first="" second="" quote='"'
  [[ $platform != threads ]] || tests="~[fork]"
  [[ $3 != wine64 ]] || tests="~[heavy]"
  [[ $3 != qemu-* ]] || tests="~[heavy]~[long]"
  shift 2
  for letter in {a..n}; do first+="~[.]$tests$quote$letter*$quote," second+="~$quote$letter*$quote"; done
  mkdir -p "$folder"
  echo "== $platform: run"
  local -A parts=() ids=()
  for program in $programs; do parts[$program]=$tests; done
  if [ -n "${parts[gradual_tests]+there}" ]; then
    unset "parts[gradual_tests]"
    parts[gradual_tests,1]=${first%,} parts[gradual_tests,2]=$second$tests
  fi
  for half in "${!parts[@]}"; do
    # shellcheck disable=SC2090  # Catch2 takes the quotes
    timeout "${PLATFORM_SECONDS:-1200}" "$@" "$where/bin/${half%,*}${suffix:-}" ${parts[$half]:+"${parts[$half]}"} \
      --order rand --durations yes >"$folder/$platform.$half.log" 2>&1 &
    ids[$half]=$!
  done
  for half in "${!parts[@]}"; do
    wait "${ids[$half]}" || {
      echo "platforms: $platform: $half failed with status $? (124: it took too long)" >&2
      tail -n 60 "$folder/$platform.$half.log" >&2
      result=failed
      failed=1
    }
    tail -n 3 "$folder/$platform.$half.log"
  done
  tell "$platform" "$build_seconds s" "$((SECONDS - start)) s" "$result"
  build_seconds=0  # of another run of the same build
}

# The build that is tested here anyway, so that nothing is built twice.
kernels() {
  local start=$SECONDS
  PRESET=release "$root/run" build || { give_up kernels "does not compile" && return 0; }
  build_seconds=$((SECONDS - start))
  run_tests haswell "$root/build/release" env OPENBLAS_CORETYPE=Haswell
  run_tests nehalem-kernel "$root/build/release" env OPENBLAS_CORETYPE=Nehalem
}

clang() {
  local compiler version
  for version in 21 20 19 18 17 16 15 14; do
    compiler=clang++-$version
    ! command -v "$compiler" >/dev/null || break
  done
  command -v "$compiler" >/dev/null || compiler=clang++
  needs clang "$compiler" clang-19 || return 0
  build clang "-DCMAKE_CXX_COMPILER=$compiler" || return 0
  run_tests clang "$folder/clang" env
}

double() {
  build double -DGRADUAL_DOUBLE=ON || return 0
  run_tests double "$folder/double" env
}

sanitizers() {
  local programs="$programs gradual_fuzz_tests"
  build sanitizers -DGRADUAL_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug -DGRADUAL_PROGRAMS=ON || return 0  # of them are the fuzzed parts
  run_tests sanitizers "$folder/sanitizers" env
}

# OpenBLAS's own threads, which the sanitizer does not see into, stay out of it: one is what the library asks for, too. Memory that
# there is not is refused as without the sanitizer, which else ends the program. It knows no threads in a child process: tests of
# these are left out.
threads() {
  local programs="gradual_thread_tests $programs"
  build threads -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=-fsanitize=thread -g1 -O1" || return 0
  run_tests threads "$folder/threads" env OPENBLAS_NUM_THREADS=1 "TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1:suppressions=$root/tests/platforms/threads.supp"
}

nehalem() {
  needs nehalem qemu-x86_64-static qemu-user-static || return 0
  build nehalem -DGRADUAL_NATIVE=OFF -DBUILD_SHARED_LIBS=ON || return 0
  run_tests nehalem "$folder/nehalem" qemu-x86_64-static -cpu Nehalem
}

# The libraries for ARM, from the archive that apt knows but beside the packages of this machine.
fetch_arm_libraries() {
  local into=$folder/aarch64 apt=$folder/aarch64/apt options package
  [ ! -d "$into/root" ] || return 0
  mkdir -p "$apt/lists/partial" "$apt/archives/partial" && touch "$apt/status"
  options="-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=$(id -un) -o Dir::State=$apt
    -o Dir::State::lists=$apt/lists -o Dir::State::status=$apt/status -o Dir::Cache=$apt"
  # shellcheck disable=SC2086  # one word for each option
  (cd "$into" && apt-get $options update && apt-get $options download libopenblas-pthread-dev libutf8proc-dev) || return 1
  for package in "$into"/*_arm64.deb; do dpkg-deb --extract "$package" "$into/root.part"; done
  mv "$into/root.part" "$into/root"
}

aarch64() {
  needs aarch64 aarch64-linux-gnu-g++ g++-aarch64-linux-gnu && needs aarch64 qemu-aarch64-static qemu-user-static &&
    needs aarch64 dpkg-deb dpkg || return 0
  fetch_arm_libraries || { skip aarch64 "its libraries could not be fetched by apt" && return 0; }
  build aarch64 "-DCMAKE_TOOLCHAIN_FILE=$root/tests/platforms/aarch64.cmake" -DGRADUAL_NATIVE=OFF \
    -DGRADUAL_SENTENCEPIECE=OFF || return 0
  run_tests aarch64 "$folder/aarch64" qemu-aarch64-static
}

# The folder of wine64 is in nobody's PATH without another of its packages.
windows() {
  local PATH=$PATH:/usr/lib/wine programs="$programs translate" start suffix=.exe
  needs windows x86_64-w64-mingw32-g++-posix g++-mingw-w64-x86-64-posix && needs windows wine64 wine64 || return 0
  "$root/tests/platforms/windows_root.sh" "$folder/windows/root" ||
    { skip windows "what it is linked to could not be fetched" && return 0; }
  build windows "-DCMAKE_TOOLCHAIN_FILE=$root/tests/platforms/windows.cmake" -DGRADUAL_PROGRAMS=ON \
    -DGRADUAL_SENTENCEPIECE=OFF || return 0
  cp "$folder"/windows/root/bin/*.dll "$folder/windows/bin/"
  export WINEPREFIX=$folder/windows/wine WINEDEBUG=-all
  start=$SECONDS
  (cd "$folder/windows" && timeout 600 wine64 bin/translate.exe train --steps 20 --out out >translate.log 2>&1 &&
    [ -s out/model.safetensors ]) ||
    { cat "$folder/windows/translate.log" >&2 && give_up windows "translate does not train" && return 0; }
  programs="gradual_tests gradual_gradient_tests"
  build_seconds=$((build_seconds + SECONDS - start))
  run_tests windows "$folder/windows" wine64
}

macos() {
  local start=$SECONDS
  needs macos python3 python3 || return 0
  "$root/tests/platforms/macos.sh" "$folder/macos" || { give_up macos "does not compile" && return 0; }
  tell macos "$((SECONDS - start)) s" - compiles
}

[[ ${1:-} != -h && ${1:-} != --help ]] || { usage && exit; }
[ "${1:-}" != --list ] || { platforms | awk '{print $1}' && exit; }
strict=no
[ "${1:-}" != --strict ] || { strict=yes && shift; }
known=$(platforms | awk '{print $1}')
# shellcheck disable=SC2086  # one word for each platform
[ $# -gt 0 ] || set -- $known
for platform; do
  grep -qx -- "$platform" <<<"$known" || { usage >&2 && exit 2; }
done
build_seconds=0
for platform; do "$platform"; done
printf '\n%-14s  %8s  %8s\n' platform build run
printf '%s\n' "${report[@]}"
exit $failed

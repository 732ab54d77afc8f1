#!/usr/bin/env bash
# The script `run` on machines that are only told of: run_test.sh <empty folder to work in>. Commands that say what they were
# asked for stand in for apt, dpkg, CMake and id. Each check is a sentence; the first that fails ends the test.
set -euo pipefail

checkout=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$checkout/tests/support/checks.sh"
work_in "$1"
mkdir -p gradual/docs bin
cp -r "$checkout/run" "$checkout/CMakeLists.txt" "$checkout/CMakePresets.json" "$checkout/cmake" gradual/
cp -r "$checkout/docs/site" gradual/docs/
mkdir -p gradual/examples
cp -r "$checkout/examples/translate" gradual/examples/

# stand_in <command> <script>
stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"bin/$1" && chmod +x "bin/$1"; }
for command in bash env sed awk grep cat tee mkdir dirname xargs stat rm cmp cp printf echo; do
  ln -s "$(type -P $command)" "bin/$command"
done
here=$PWD
stand_in id "echo \${USER_NUMBER:-0}"
stand_in dpkg-query 'echo not-installed'
# shellcheck disable=SC2016  # what the stand-in itself is given
stand_in apt-cache 'echo "Package: $2"'
stand_in apt-get "echo \"\$*\" >>$here/apt.txt; [ -z \"\${APT_FAILS:-}\" ] || { echo 'E: no network' >&2; exit 100; }; : >$here/installed"
stand_in cmake "echo \"cmake \$*\" >>$here/cmake.txt
case \" \$* \" in *' --preset '*) [ -e $here/installed ] || { echo 'no compiler'; exit 1; } ;; esac"
run() { env -i PATH="$here/bin" HOME="$here" "$@"; }
# asked_for <package…>: apt was asked to install exactly these.
asked_for() {
  local line
  line=$(grep -E '(^| )install ' apt.txt | grep -v -- --simulate | tail -n 1)
  [ "${line##*--no-install-recommends }" = "$*" ] || fail "$line"
}
base="g++ cmake ninja-build libxtensor-dev libopenblas-dev nlohmann-json3-dev libutf8proc-dev libcli11-dev"

check "a first run asks apt for each package by its name, also where the name is long"
run gradual/run translate --help >out.txt 2>err.txt || true  # there is no program to start
# shellcheck disable=SC2086  # one word for each package
asked_for $base
grep -q -- "--target translate" cmake.txt
grep -q -- "-DCMAKE_UNITY_BUILD=ON" cmake.txt
rm -rf gradual/build installed apt.txt
stand_in cmake "echo '-- Built without subwords: they need SentencePiece'"
run gradual/run translate --help >out.txt 2>err.txt || true
asked_for libsentencepiece-dev libedit-dev libmicrohttpd-dev pkg-config libarchive-dev libssl-dev
rm -rf gradual/build apt.txt

check "what options need is installed for a person, too, where sudo asks no password, and is not asked for where it would"
# shellcheck disable=SC2016  # what the stand-in itself is given
stand_in sudo '[ -z "${ASKS:-}" ] || { echo "sudo: a password is required" >&2; exit 1; }; [ "$1" != -n ] || shift; exec "$@"'
ln -s "$(type -P true)" bin/true
run USER_NUMBER=1000 ASKS=1 gradual/run translate --help >out.txt 2>err.txt || true
if [ -e apt.txt ] || grep -q password err.txt; then fail "$(cat err.txt)"; fi
grep -qx 'Built without subwords: they need SentencePiece' err.txt || fail "$(cat err.txt)"
rm -rf gradual/build
run USER_NUMBER=1000 gradual/run translate --help >out.txt 2>err.txt || true
asked_for libsentencepiece-dev libedit-dev libmicrohttpd-dev pkg-config libarchive-dev libssl-dev
rm -rf gradual/build apt.txt bin/sudo

check "./run install asks for everything"
stand_in python3 'exit 0'
stand_in doxygen 'exit 0'
run gradual/run install >out.txt 2>err.txt || true
grep -q "install --no-install-recommends $base catch2 libsentencepiece-dev libedit-dev libmicrohttpd-dev pkg-config libarchive-dev libssl-dev python3-venv" \
  apt.txt || fail "$(cat apt.txt)"
rm -rf gradual/build apt.txt installed

check "a question is answered, and nothing installed or built for it"
mkdir -p gradual/tests && cp -r "$checkout/tests/platforms" gradual/tests/
mkdir -p gradual/examples && cp -r "$checkout"/examples/{hello,smallest_translator} gradual/examples/
for question in "build -h" "test --help" "install --help" "notebook -h" "book --help" "site -h" "bench --help" "package --help" \
  "platforms --help" "platforms --list" "hello --help" "smallest_translator -h"; do
  # shellcheck disable=SC2086  # two words
  run gradual/run $question >out.txt 2>err.txt || fail "$(cat err.txt)"
  [ -s out.txt ] || fail "no answer to $question"
done
run gradual/run smallest_translator --help | grep -qxF 'usage: ./run smallest_translator [TRAINING STEPS]'
if [ -e gradual/build ] || [ -e apt.txt ]; then fail "something was begun"; fi

check "a person without rights is told all packages, by lines to copy"
stand_in cmake "echo no compiler; exit 1"
expect_failure "takes root or sudo" run USER_NUMBER=1000 gradual/run translate
grep -qxF "  apt-get install $base" err.txt
grep -qF "conda env create -f $here/gradual/environment.yml" err.txt
grep -qF "What CMake said is in $here/gradual/build/release/configure.log" err.txt
grep -q 'no compiler' gradual/build/release/configure.log

check "what is no program is no command, and another way of compiling is configured anew"
expect_failure "unknown command: http" run gradual/run http
mkdir -p gradual/build/release/tests gradual/examples/http
: >gradual/build/release/build.ninja
: >gradual/build/release/tests/CTestTestfile.cmake
stand_in ctest 'echo "all passed"'
stand_in cmake "echo \"cmake \$*\" >>$here/cmake.txt"
run gradual/run test >out.txt # where somebody else configured, there is no log
grep -qx 'all passed' out.txt
echo 'CMAKE_UNITY_BUILD:BOOL=ON' >gradual/build/release/CMakeCache.txt
: >cmake.txt
run UNITY=ON gradual/run test >out.txt
if grep -q -- --preset cmake.txt; then fail "it was as was asked for"; fi
run UNITY=OFF gradual/run test >out.txt
grep -q -- '-DCMAKE_UNITY_BUILD=OFF' cmake.txt

check "a checkout that was copied or moved with its build is configured anew, where it is now"
for home in "$here/gradual" "$here" /no/such/folder; do
  mkdir -p gradual/build/release/CMakeFiles
  : >gradual/build/release/build.ninja
  echo "CMAKE_HOME_DIRECTORY:INTERNAL=$home" >gradual/build/release/CMakeCache.txt
  : >cmake.txt
  run gradual/run test >out.txt
  if [ "$home" = "$here/gradual" ]; then
    if grep -q -- --preset cmake.txt || [ ! -e gradual/build/release/CMakeFiles ]; then fail "it lies where it was"; fi
  else
    grep -q -- --preset cmake.txt || fail "what is built is of $home"
    if [ -e gradual/build/release/CMakeCache.txt ] || [ -e gradual/build/release/CMakeFiles ]; then fail "$home is remembered"; fi
  fi
done
rm -rf gradual/build cmake.txt

check "a message names no log where there is none"
rm -rf gradual/build
expect_failure "apt could not install everything" run APT_FAILS=1 gradual/run install
if grep -q 'configure.log' err.txt; then fail "$(cat err.txt)"; fi
rm bin/doxygen
expect_failure "apt could not install everything" run APT_FAILS=1 gradual/run site
if grep -q 'configure.log' err.txt; then fail "$(cat err.txt)"; fi

check "where there is no apt, ./run install says what to do instead"
rm bin/apt-get
expect_failure "There is no apt here." run gradual/run install
grep -qxF "Then run ./run test: what is installed in another way needs no ./run install." err.txt
expect_failure "where it is elsewhere, KATEX=FOLDER ./run site" run gradual/run site

check "a checkout that cannot be written is named, whatever is asked for"
rm -rf gradual/build && : >gradual/build  # nothing can be made in a file, not even by root
for command in translate test build install site notebook platforms package bench book; do
  [ "$command" != notebook ] || stand_in jupyter 'echo "xcpp17 /"'
  expect_failure "run: $here/gradual/build cannot be written" run gradual/run $command
done

check "of a program that is there, only what is built anew is told, and that it cannot be"
rm -rf gradual/build && mkdir -p gradual/build/release/bin gradual/build/release/tests
: >gradual/build/release/build.ninja
: >gradual/build/release/tests/CTestTestfile.cmake
ln -s "$(type -P bash)" gradual/build/release/bin/translate
stand_in cmake "echo '[0/2] Re-checking globbed directories...'; echo 'ninja: no work to do.'"
run gradual/run translate -c 'echo "$*"' - asked >out.txt 2>err.txt
if [ "$(cat out.txt)" != asked ] || [ -s err.txt ]; then fail "$(cat out.txt err.txt)"; fi
stand_in cmake "echo '[0/2] Re-checking globbed directories...'; echo '[1/1] Building'"
run gradual/run translate -c 'echo "$*"' - asked >out.txt 2>err.txt
[ "$(cat err.txt)" = "[1/1] Building" ] || fail "$(cat err.txt)"
stand_in cmake "echo 'error: expected ;'; exit 1"
run gradual/run translate -c 'echo "$*"' - asked >out.txt 2>err.txt && fail "it ran what could not be built"
[ "$(cat err.txt)" = "error: expected ;" ] || fail "$(cat err.txt)"

check "help is asked for with and without hyphens, and fits in 80 columns"
stand_in cmake ":"
run gradual/run translate help >out.txt 2>err.txt
grep -q "bash" out.txt || fail "$(cat out.txt err.txt)"  # what stands in for it answers --help
run gradual/run help translate >out.txt 2>err.txt
grep -q "bash" out.txt || fail "$(cat out.txt err.txt)"
cp "$checkout/examples/README.md" gradual/examples/
run gradual/run help-all >out.txt
grep -q '^  compare  ' out.txt || fail "$(cat out.txt)"
grep -q '^  smallest_language_model from' out.txt || fail "$(cat out.txt)"
for command in translate test learn course notebook book site bench build install platforms package; do
  grep -q "^  $command  *" out.txt || fail "nothing of $command: $(cat out.txt)"
done
if grep '.\{81\}' out.txt; then fail "a line is longer than 80 columns"; fi

check "the first help stands in a terminal of 24 lines, names each example, and both end with what to begin with"
for asked in help --help -h; do
  run gradual/run $asked >short.txt
  [ "$(wc -l <short.txt)" -le 22 ] || fail "$(wc -l <short.txt) lines"
  if grep '.\{81\}' short.txt; then fail "a line is longer than 80 columns"; fi
done
sed -n 's/^  \([a-z_]*\)  .*/\1/p; s/^  \([a-z_]*\) from .*/\1/p' out.txt | sed -n '/attention_by_hand/,$p' >named.txt
[ "$(wc -l <named.txt)" -ge 10 ] || fail "$(cat named.txt)"
while read -r name; do grep -qw "$name" short.txt || fail "nothing of $name: $(cat short.txt)"; done <named.txt
for help in short.txt out.txt; do [ "$(tail -1 $help)" = "begin: ./run translate" ] || fail "$(tail -1 $help)"; done
run gradual/run --help-all | cmp - out.txt

check "a mistyped command is told the one that was meant, also where that is one of translate"
for words in "translte translate" "trian translate train" "serve translate serve" "instal install" \
  "submti submit" "--hlep --help" "--help-al --help-all" "nothing_like_it " "--nothing_like_it "; do
  run gradual/run "${words%% *}" 2>err.txt && fail "it ended well: $words"
  meant=${words#* }
  grep -qxe "run: unknown command: ${words%% *}; ${meant:+do you mean ./run $meant? }./run help lists what there is" err.txt || fail "$(cat err.txt)"
done

echo "all checks passed"

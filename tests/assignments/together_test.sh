#!/usr/bin/env bash
# The milestone: together_test.sh <assignments> <empty folder to work in>
set -euo pipefail

assignments=$1
correct=$(cd "$(dirname "$0")" && pwd)/02-softmax/correct
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$(dirname "$0")/../support/checks.sh"
work_in "$2"

check "the translator trains with a student's parts in it, as with the library's"
"$assignments" hint 02.1 --work mine >said.txt
for part in 1_softmax 2_log_softmax 3_softmax_slope 4_log_softmax_slope 5_masked_softmax; do
  cp "$correct/${part%%_*}_loops.cpp" mine/02-softmax/$part.cpp
done
"$assignments" grade 02 --together --work mine >said.txt || fail "$(cat said.txt)"
grep -q 'the translator with your parts 1 2 3 4 5' said.txt
grep -q "It learns as the library's does" said.txt
[ -x mine/02-softmax/translate ]

check "it is the student's function that the translator calls"
sed 's|const Index width|throw std::runtime_error("it is mine"); const Index width|; s|#include <cmath>|#include <cmath>\n#include <stdexcept>|' \
  "$correct/5_loops.cpp" >mine/02-softmax/5_masked_softmax.cpp
grep -q 'it is mine' mine/02-softmax/5_masked_softmax.cpp
if "$assignments" grade 02 --together --work mine >said.txt; then fail "a part throws"; fi
grep -q 'It does not train. .*it is mine' said.txt || fail "$(cat said.txt)"

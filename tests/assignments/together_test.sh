#!/usr/bin/env bash
# A milestone: together_test.sh <assignments> <empty folder to work in> <assignment's folder, as 02-softmax>
set -euo pipefail

assignments=$1
name=$3
number=${name%%-*}
tests=$(cd "$(dirname "$0")" && pwd)
parts=$tests/../../examples/assignments/$name/parts.ini
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$tests/../support/checks.sh"
work_in "$2"

# with_first <statement> <part>: a right solution of the part, with the statement at the beginning of its function.
with_first() {
  local signature solution
  signature=$(sed -n "s/^$2\.signature = //p" "$parts")
  signature=${signature%%(*}  # "void Adam::step"
  for solution in "$tests/$name/correct/$2"_{loops,*}.cpp; do
    if [ -e "$solution" ]; then break; fi
  done
  printf '#include <cstdio>\n#include <stdexcept>\n'
  awk -v function_name="${signature##* }(" -v statement="$1" '
    !done && /^[^ \/]/ && index($0, function_name) { begun = 1 }
    begun && !done && match($0, /\) (const )?\{/) {
      $0 = substr($0, 1, RSTART + RLENGTH - 1) " " statement substr($0, RSTART + RLENGTH)
      done = 1
    }
    { print }
    END { exit !done }' "$solution"
}

check "the translator trains with a student's parts in it, as with the library's"
"$assignments" hint "$number.1" --work mine >said.txt
all=
for starter in mine/"$name"/[1-9]_*.cpp; do
  part=${starter##*/}
  part=${part%%_*}
  with_first "static const bool called = (std::fputs(\"part $part is called\\\\n\", stderr), true); (void)called;" "$part" >"$starter"
  all+=" $part"
done
"$assignments" grade "$number" --together --work mine >said.txt || fail "$(cat said.txt)"
grep -q "the translator with your parts$all\$" said.txt || fail "$(cat said.txt)"
grep -q "It learns as the library's does" said.txt
grep together -A3 said.txt

check "it is the student's functions that the translator calls"
called=$all
case $number in
  01) called=" 3 5" ;;  # a transformer has products and layers, and neither a tanh nor a quotient
  02) called=" 2 3 5" ;;  # a recurrent translator attends under a mask; its loss has a logarithm of its own
  04) called=" 4 5" ;;  # fused; head by head where each has a score of its own
  05) called=" 2 4" ;;  # with rotary positions neither sinusoids nor ALiBi; masks are hidden in the fused kernel
  10) called=" 1 2" ;;  # batches and loss are made in a faster way
esac
read -ra settings <<<"$(sed -n 's/^milestone = .* train //p' "$parts")"
: >called.txt
mine/"$name"/translate train "${settings[@]}" --threads 1 --out called >called.txt 2>&1 &
training=$!
missing() {
  for part in $called; do
    if ! grep -q "^part $part is called" called.txt; then return 0; fi
  done
  return 1
}
while missing && kill -0 $training 2>/dev/null; do sleep 0.2; done
kill $training 2>/dev/null || true
wait $training || true
if missing; then fail "not all of$called are called: $(grep 'is called' called.txt)"; fi

check "a part that throws ends the training with what it says"
part=${called: -1}
with_first 'throw std::runtime_error("it is mine");' "$part" >thrower.cpp
mv thrower.cpp "$(echo mine/"$name"/"$part"_*.cpp)"
if "$assignments" grade "$number" --together --work mine >said.txt; then fail "a part throws"; fi
grep -q 'It does not train. .*it is mine' said.txt || fail "$(cat said.txt)"

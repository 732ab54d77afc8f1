#!/usr/bin/env bash
# The program `assignments` as students run it: command_line_test.sh <assignments> <empty folder to work in>
# Each check is a sentence; the first that fails ends the test.
set -euo pipefail

assignments=$1
correct=$(cd "$(dirname "$0")" && pwd)/02-softmax/correct
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$(dirname "$0")/../support/checks.sh"
work_in "$2"

expect_error() { expect_failure "$1" "$assignments" "${@:2}"; }
mine=(--work "$PWD/mine")

check "the help of grade says what a seed is that nobody gives"
"$assignments" grade --help >help.txt
tr -s ' \n' ' ' <help.txt | grep -qF "first half of the cases (default the course's for you, or 1)"
tr -s ' \n' ' ' <help.txt | grep -qF "second half (default another one each time)"

check "the first command writes starters, and says that nothing is begun"
if "$assignments" grade 02.3 "${mine[@]}" >said.txt; then fail "nothing is right yet"; fi
grep -q 'Not begun' said.txt
[ -f mine/02-softmax/5_masked_softmax.cpp ]
cp -r mine starters
grep -q '^-I' mine/compile_flags.txt

check "a part that is right gets its points, is not written over, and is shown beside the library's"
cp "$correct/3_loops.cpp" mine/02-softmax/3_softmax_slope.cpp
"$assignments" grade 02.3 "${mine[@]}" >said.txt
grep -q '5 / 5' said.txt
grep -q '^+ void softmax_backward_row' said.txt
cmp "$correct/3_loops.cpp" mine/02-softmax/3_softmax_slope.cpp

check "a verdict writes no file again that says the same already: it would wait for a busy disk"
stat -c '%n %i' mine/*.* >before.txt  # a file that is written is another one, with a number of its own
"$assignments" grade 02.3 "${mine[@]}" >said.txt
stat -c '%n %i' mine/*.* | cmp - before.txt
grep -q 'progress.conf' before.txt
grep -q 'compile_flags.txt' before.txt
cp mine/progress.conf .

check "a file that is saved while it is graded is neither noted as right nor handed in ungraded"
mkdir tmp
while_graded() {  # <command…>: breaks the part as soon as the grader has its text
  TMPDIR=$PWD/tmp "$assignments" "$@" "${mine[@]}" >said.txt &
  local grader=$!
  until compgen -G 'tmp/*/3_softmax_slope.cpp' >found.txt || ! kill -0 $grader 2>/dev/null; do sleep 0.01; done
  echo 'broken {' >mine/02-softmax/3_softmax_slope.cpp
  wait $grader || true
  cp "$correct/3_loops.cpp" mine/02-softmax/3_softmax_slope.cpp
}
while_graded grade 02.3
grep -q '5 / 5' said.txt
if grep -q 'broken {' said.txt; then fail "$(cat said.txt)"; fi
cmp progress.conf mine/progress.conf
while_graded submit 02
grep -q '5 / 5' said.txt
if grep -q 'broken {' mine/02-softmax/02.submission.json; then fail "what was not graded is handed in"; fi

check "hints come one at a time, for the part that is named or the first that is not right"
"$assignments" hint 02.4 "${mine[@]}" >said.txt
if ! grep -q '^1\. ' said.txt || grep -q '^2\. ' said.txt; then fail "$(cat said.txt)"; fi
"$assignments" hint 02.4 "${mine[@]}" >said.txt
if ! grep -q '^2\. ' said.txt || grep -q '^3\. ' said.txt; then fail "$(cat said.txt)"; fi
"$assignments" hint 02.4 "${mine[@]}" >said.txt
if ! grep -q '^3\. ' said.txt || grep -q 'these are all' said.txt; then fail "$(cat said.txt)"; fi
"$assignments" hint 02.4 "${mine[@]}" >said.txt
grep -q '^(these are all)' said.txt
"$assignments" hint 02 "${mine[@]}" >said.txt
grep -q '^02\.1 ' said.txt
"$assignments" hint 02.5 --all "${mine[@]}" >said.txt
grep -q '^3\. ' said.txt

check "learn grades what is saved, goes on to the next part, and listens to keys"
mkfifo keys
: >learnt.txt
"$assignments" learn 02 "${mine[@]}" <keys >learnt.txt 2>&1 &
learner=$!
exec 3>keys
wait_for() {  # <words> [<in how many lines>]
  for ((i = 0; i < 1200; ++i)); do
    if [ "$(grep -cF -- "$1" learnt.txt)" -ge "${2:-1}" ]; then return; fi
    sleep 0.1
  done
  fail "learn does not say \"$1\": $(cat learnt.txt)"
}
wait_for 'Not begun'
cp "$correct/1_loops.cpp" mine/02-softmax/1_softmax.cpp
wait_for '4 / 4'
wait_for '02.2  softmax: their logarithms'
printf h >&3
wait_for '(2 more: ask again)'
printf l >&3
wait_for '▸ 02.2'
wait_for '✓ 02.3'
verdicts=$(grep -c 'graded in' learnt.txt)
printf g >&3
wait_for 'graded in' $((verdicts + 1))
printf n >&3
wait_for '02.4  softmax: '
printf q >&3
wait "$learner"
exec 3>&-

check "in a terminal learn breaks lines between words, and says that it grades"
mkfifo typed
: >learnt.txt
script --quiet --flush --return --command "stty cols 50; '$assignments' learn 02.2 --work '$PWD/mine'" shown.txt <typed >learnt.txt &
learner=$!
exec 3>typed
wait_for 'grading 2_log_softmax.cpp …'
wait_for 'Not begun'
printf q >&3
wait "$learner"
exec 3>&-
task=$(sed -n 's/^2\.task = //p' "$(dirname "$correct")/../../../examples/assignments/02-softmax/parts.ini")
tr -d '\r' <learnt.txt | sed -n '/0 of 1 part$/,/^file /p' >lines.txt
[ "$(sed '1d;$d' lines.txt | xargs -d '\n' echo)" = "$task" ] || fail "$(cat lines.txt)"
[ "$(sed '1d;$d' lines.txt | wc -L)" -le 50 ] || fail "$(cat lines.txt)"
[ "$(wc -l <lines.txt)" -gt 3 ] || fail "$(cat lines.txt)"

check "what is wrong with a part is broken between words too, and an empty file is a part like others"
rm typed
mkfifo typed
sed 's|undone();|Tensor dx = dy; for (Index i = 0; i < dx.size(); ++i) dx.mutable_data()[i] *= y.data()[i] * (1 - y.data()[i]); return dx;|' \
  starters/02-softmax/3_softmax_slope.cpp >mine/02-softmax/3_softmax_slope.cpp
: >learnt.txt
script --quiet --flush --return --command "stty cols 50; '$assignments' learn 02.3 --work '$PWD/mine'" shown.txt <typed >learnt.txt &
learner=$!
exec 3>typed
wait_for 'graded in'
tr -d '\r' <learnt.txt | sed 's/.*\x1b\[K//' | sed -n '/^3 its slope/,/graded in/p' >lines.txt
[ "$(wc -L <lines.txt)" -le 50 ] || fail "$(cat lines.txt)"
tr -s ' \n' ' ' <lines.txt | grep -q 'Right on the diagonal; the other terms are missing: every y_j depends on every x_i'
tr -d '\r' <learnt.txt | sed -n '/^file /,/^$/p' | sed 1,2d >lines.txt
[ "$(wc -L <lines.txt)" -le 50 ] || fail "$(cat lines.txt)"
: >mine/02-softmax/3_softmax_slope.cpp
wait_for 'It does not define'
printf q >&3
wait "$learner"
exec 3>&-

check "bad input gets an error that names it"
expect_error 'there is no such part: got 77' grade 77
grep -q '^assignments: there' err.txt  # once
expect_error 'there is no such part: got 02.9' hint 02.9
expect_error 'must be a whole number' grade 02 --seed -1
expect_error 'is for one part' grade 02 --file nothing.cpp
expect_error 'nothing.cpp' grade 02.1 --file nothing.cpp
expect_error '--together takes the parts of your folder, and --file is none of them: got x.cpp' grade 02.1 --file x.cpp --together
expect_error 'there is no option --work here; options stand after a command' --work mine

#!/usr/bin/env bash
# A course from the roster to the page of the class: course_test.sh <assignments> <empty folder to work in> <sources>
# Each check is a sentence; the first that fails ends the test. Exit status 77: this build has no courses.
set -euo pipefail

assignments=$1
sources=$3
correct=$(cd "$(dirname "$0")" && pwd)/02-softmax/correct
# shellcheck source-path=SCRIPTDIR source=../support/checks.sh
. "$(dirname "$0")/../support/checks.sh"
"$assignments" course --help | grep -q '^  new' || exit 77
work_in "$2"

course() { "$assignments" course "$1" ml26 --courses "$PWD/courses" "${@:2}"; }
expect_error() { expect_failure "$1" course "${@:2}"; }
of=courses/ml26

check "a course is made of a roster, with a key that nobody else reads and seeds for each student"
printf 'id,name,email\nada,Ada Lovelace,ada@x.org\nemile,"Zola, Émile ""le fils""",emile@x.org\nhan,韩/梅梅,han@x.org\n' >roster.csv
course new --roster roster.csv --assignments 02 >said.txt
grep -q '3 students, 1 assignments' said.txt
[ "$(stat -c %a $of)" = 700 ]
[ "$(sort -u $of/students/*/student.conf | grep -c '^seed_02')" = 3 ]
cp $of/students/ada/student.conf before.conf
course new --roster roster.csv --assignments 02 >said.txt
cmp before.conf $of/students/ada/student.conf

check "a course that has lost its key says so, and does not give everybody other numbers"
cp $of/key key.txt
rm $of/key
expect_error 'key: is missing' new --roster roster.csv --assignments 02
expect_error 'key: cannot be read' grade
: >$of/key
expect_error 'key: is no key' new --roster roster.csv --assignments 02
echo 0123 >$of/key
expect_error 'key: is no key' grade
cp key.txt $of/key
mv $of/course.conf conf.txt  # as if it had been ended in between
course new --roster roster.csv --assignments 02 >said.txt
cmp conf.txt $of/course.conf
cmp before.conf $of/students/ada/student.conf

check "a course that cannot be is refused by name"
expect_error 'there is no assignment 77' new --roster roster.csv --assignments 77
expect_error 'roster.none' new --roster roster.none
expect_failure 'got "../x"' "$assignments" course new ../x --courses "$PWD/courses" --roster roster.csv
expect_failure 'is no course' "$assignments" course grade other --courses "$PWD/courses"
expect_error 'there is no such folder or archive' collect nowhere
expect_error 'ml26 has no assignment 03; it has 02' grade --assignment 03
printf 'id,name\nj\366rg,J\366rg\n' >latin.csv
expect_error 'latin.csv:2: the roster must be UTF-8' new --roster latin.csv

check "students hand in one file, which names them"
for who in ada emile han; do
  mkdir "$who"
  [ "$who" = han ] || cp "$of/students/$who/student.conf" "$who"
  "$assignments" hint 02.1 --work "$who" >hints.txt
done
cp "$correct/3_loops.cpp" ada/02-softmax/3_softmax_slope.cpp
cp "$correct/3_loops.cpp" han/02-softmax/3_softmax_slope.cpp
sed 's|undone();|Tensor dx = dy; for (Index i = 0; i < dx.size(); ++i) dx.mutable_data()[i] *= y.data()[i] * (1 - y.data()[i]); return dx;|' \
  emile/02-softmax/3_softmax_slope.cpp >wrong.cpp
mv wrong.cpp emile/02-softmax/3_softmax_slope.cpp
for who in ada emile han; do "$assignments" submit 02 --work "$who" >"$who.txt"; done
grep -q "It is ada's, for ml26" ada.txt
grep -q 'It names nobody' han.txt
expect_failure 'a whole assignment is meant, as 02: got 02.3' "$assignments" submit 02.3 --work ada

check "submissions are collected from folders and archives as platforms make them, and what is wrong is told"
mkdir -p "inbox/Lovelace Ada_12_assignsubmission_file_" inbox/copy/han
cp ada/02-softmax/02.submission.json "inbox/Lovelace Ada_12_assignsubmission_file_/"
# A zip whose names are marked as UTF-8, which are no names in the language "C" that programs begin with.
python3 -c 'import zipfile
with zipfile.ZipFile("inbox/all.zip", "w") as all:
    all.write("han/02-softmax/02.submission.json", "韩_梅梅_13/02.submission.json")'
cp ada/02-softmax/02.submission.json inbox/copy/han/
sed 's|0 / 5|5 / 5|' emile/02-softmax/02.submission.json >inbox/emile_edited.json
sed 's/"assignment": "02"/"assignment": "77"/' ada/02-softmax/02.submission.json >inbox/ada_other.json
cp han/02-softmax/02.submission.json inbox/who.json
ln -s /etc/passwd inbox/link.json
head -c 100 /dev/urandom >inbox/broken.zip
(cd emile/02-softmax && cmake -E tar cf ../../inner.zip --format=zip 02.submission.json)
cmake -E tar cf inbox/emile.zip --format=zip inner.zip
head -c 300000000 /dev/zero >zeros.json
(cmake -E tar cf inbox/bomb.zip --format=zip zeros.json && rm zeros.json)
mkdir many
for i in $(seq 1 300); do head -c 1000000 /dev/zero >"many/$i.json"; done
(cmake -E tar cf inbox/a_bomb.zip --format=zip many && rm -r many)
course collect inbox >said.txt
grep -q 'not taken  a_bomb.zip: unpacks to more than is taken: a zip bomb?' said.txt  # those after it are taken
grep -q 'not taken  a_bomb.zip/many/.*.json and 2[0-9][0-9] more beside it: is no submission' said.txt
grep -q '^3 taken, 2[0-9][0-9] not' said.txt || fail "$(cat said.txt)"
grep -q 'copy/han/02.submission.json: says that it is of ada, and lies where that of han should' said.txt
grep -q 'emile_edited.json: was changed after ./run submit' said.txt
grep -q 'ada_other.json: was changed' said.txt
grep -q 'who.json: names nobody' said.txt
grep -q 'link.json: is a link' said.txt
grep -q 'broken.zip: is ' said.txt
grep -q 'bomb.zip.*too large for a submission' said.txt
[ "$(find $of/collected -name '*.json' | wc -l)" = 3 ]

check "a folder that cannot be read costs nobody else anything, and an assignment's number is no student's"
printf 'id,name\n01,Ann\n02,Bob\nada,Ada\n' >numbers.csv
"$assignments" course new numbers --courses "$PWD/courses" --roster numbers.csv --assignments 02 >said.txt
mkdir -p numbered/01 numbered/private
cp han/02-softmax/02.submission.json numbered/01/ # which names nobody
mkdir numbered/listed && cp han/02-softmax/02.submission.json numbered/listed/
chmod 000 numbered/private
chmod 444 numbered/listed
"$assignments" course collect numbers numbered --courses "$PWD/courses" >said.txt
chmod 700 numbered/private numbered/listed
grep -q '^1 taken' said.txt || fail "$(cat said.txt)"
[ "$(id -u)" = 0 ] || { grep -q 'private: cannot be read: ' said.txt && grep -q 'listed/02.submission.json: cannot be read: ' said.txt; }
[ -e courses/numbers/collected/01/02.submission.json ]

# forged <submission> <student> <made>: the same as if that student's ./run submit had written it then.
forged() {
  python3 -B - "$sources/tests/assignments" "$@" <<'END'
import json, sys
sys.path.insert(0, sys.argv[1])
from fingerprints import fingerprint_of
submission = json.load(open(sys.argv[2], encoding="utf-8"))
submission.update(student=sys.argv[3], made=sys.argv[4])
submission["fingerprint"] = fingerprint_of(submission)
print(json.dumps(submission))
END
}

check "nobody hands in as somebody else, nor with a date that makes it the youngest for ever"
printf 'id,name\neve,Eve Fox\nbart,Bartholomew Longname\n' >two.csv
two() { "$assignments" course "$1" two --courses "$PWD/courses" "${@:2}"; }
two new --roster two.csv --assignments 02 >said.txt
barts="two/Longname Bartholomew_13_assignsubmission_file_"
eves="two/Eve Fox_12_assignsubmission_file_"
mkdir -p "$barts" "$eves/bart" "bad/Bartholomew Longname"
sed 's/"course": "ml26"/"course": ""/' han/02-softmax/02.submission.json >plain.json
forged plain.json "" 2020-01-02T00:00:00Z >"$barts/02.submission.json"
forged plain.json eve 2020-01-02T00:00:00Z >"$eves/02.submission.json"
forged plain.json "" 2020-01-03T00:00:00Z >"bad/Bartholomew Longname/02.submission.json"
forged plain.json bart 2020-01-03T00:00:00Z >"$eves/bart.json"
cp "$eves/bart.json" "$eves/bart/02.submission.json"
cp "$eves/bart.json" "two/foxeve_12_13_bartholomew longname.json"
(cd bad && cmake -E tar cf "../$eves/mine.zip" --format=zip "Bartholomew Longname" && rm -r "../bad")
two collect two >said.txt
cmp "$barts/02.submission.json" courses/two/collected/bart/02.submission.json
cmp "$eves/02.submission.json" courses/two/collected/eve/02.submission.json
grep -q '^2 taken, 4 not' said.txt || fail "$(cat said.txt)"
grep -q '_/mine.zip/.*: names nobody, and its path does not name one person of the roster: eve, bart$' said.txt || fail "$(cat said.txt)"
[ "$(grep -c 'says that it is of bart, and lies where that of eve should' said.txt)" = 3 ] || fail "$(cat said.txt)"
forged plain.json bart 9999-01-03T00:00:00Z >courses/two/collected/bart/02.submission.json  # as one was taken before
forged plain.json eve 9999-01-03T00:00:00Z >"$eves/1.json"
forged plain.json eve younger >"$eves/2.json"
two collect two >said.txt
cmp "$barts/02.submission.json" courses/two/collected/bart/02.submission.json
cmp "$eves/02.submission.json" courses/two/collected/eve/02.submission.json
grep -q '1.json: must not be made later than it is collected: it says 9999' said.txt || fail "$(cat said.txt)"
grep -q '2.json: must say when it was made in the form of 1970-01-01T00:00:00Z: it says "younger"' said.txt || fail "$(cat said.txt)"

check "a folder called after the assignment is no person's, though its number is an id"
mkdir -p "named/Assignment 02/ada_1_assignsubmission_file_"
forged plain.json ada 2020-01-02T00:00:00Z >"named/Assignment 02/ada_1_assignsubmission_file_/02.submission.json"
"$assignments" course collect numbers named --courses "$PWD/courses" >said.txt
grep -q '^1 taken, 0 not' said.txt || fail "$(cat said.txt)"
[ -e courses/numbers/collected/ada/02.submission.json ]

check "one student's archive costs nobody else anything, and may hold a program that was built"
python3 - <<'END'
import io, os, tarfile, zipfile
submission = open("plain.json", encoding="utf-8").read()
def zipped(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as all:
        for name, content in files.items():
            all.writestr(name, content)
    return made.getvalue()
def files(count):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as all:
        for i in range(count):
            all.addfile(tarfile.TarInfo(f"cache/{i}.o"))
    return made.getvalue()
open("three.zip", "wb").write(zipped({
    "Ada_1_assignsubmission_file_/02.zip": zipped({"02.submission.json": submission, "a.out": os.urandom(2 << 20)}),
    "Bob_2_assignsubmission_file_/work.tgz": files(20001),
    "Bob_2_assignsubmission_file_/work2.tgz": files(2001),
    "Zoe_3_assignsubmission_file_/02.submission.json": submission}))
END
printf 'id,name\nada,Ada\nbob,Bob\nzoe,Zoe\n' >three.csv
"$assignments" course new three --courses "$PWD/courses" --roster three.csv --assignments 02 >said.txt
"$assignments" course collect three three.zip --courses "$PWD/courses" >said.txt
[ -e courses/three/collected/zoe/02.submission.json ] || fail "$(cat said.txt)"
[ -e courses/three/collected/ada/02.submission.json ] || fail "$(cat said.txt)"
[ "$(grep -c 'Bob_2_assignsubmission_file_/work2\{0,1\}.tgz: holds more files than is taken' said.txt)" = 2 ] || fail "$(cat said.txt)"

check "a new roster leaves the list of assignments as it is"
course new --roster roster.csv >said.txt
grep -q '3 students, 1 assignments' said.txt || fail "$(cat said.txt)"
cmp before.conf $of/students/ada/student.conf

check "official points come from the sources, and are the same twice"
course grade --jobs 2 >said.txt
grep -q '3 submissions graded' said.txt
cp $of/grades.csv first.csv
cp $of/class.html first.html
course grade --jobs 1 >said.txt
cmp first.csv $of/grades.csv
cmp first.html $of/class.html
printf 'id,name,email,02,total\r\nada,"Ada Lovelace",ada@x.org,5,5\r\nemile,"Zola, Émile ""le fils""",emile@x.org,0,0\r\nhan,韩/梅梅,han@x.org,5,5\r\n' |
  cmp - $of/grades.csv

check "what was handed in since it was graded has no points until it is graded again"
cp -r courses later
later() { "$assignments" course "$1" ml26 --courses "$PWD/later" "${@:2}"; }
"$assignments" submit 02 --work ada >ada.txt
mkdir newer
cp ada/02-softmax/02.submission.json newer/
later collect newer >said.txt
rm -r later/ml26/results/han
later new --roster roster.csv --assignments 01-02 >said.txt
later grade --assignment 01 >said.txt
grep -q '^0 submissions graded' said.txt || fail "$(cat said.txt)"
grep -q '^2 of other assignments, collected since these were graded' said.txt || fail "$(cat said.txt)"
grep -q '^ada,"Ada Lovelace",ada@x.org,,,0' later/ml26/grades.csv || fail "$(cat later/ml26/grades.csv)"
grep -q 'not graded' later/ml26/class.html
later grade >said.txt
grep -q '^3 submissions graded' said.txt || fail "$(cat said.txt)"
grep -q '^ada,"Ada Lovelace",ada@x.org,,5,5' later/ml26/grades.csv || fail "$(cat later/ml26/grades.csv)"

check "what a later grading cannot grade has no points any more"
if TMPDIR=$PWD/no-such later grade --trust >said.txt 2>&1; then fail "nothing could be graded"; fi
grep -q '^0 submissions graded' said.txt || fail "$(cat said.txt)"
grep -q '^ada,"Ada Lovelace",ada@x.org,,,0' later/ml26/grades.csv || fail "$(cat later/ml26/grades.csv)"

check "a list of what came in that a spreadsheet saved in its own way is read"
cp -r courses saved
printf '\357\273\277file;student;assignment;problem\r\n"two; words.json";;;"is no submission"\r\n' >saved/ml26/collected.csv
"$assignments" course grade ml26 --courses "$PWD/saved" >said.txt
grep -q '>two; words.json</td>' saved/ml26/class.html

check "one grading at a time, and of one that is told to end nothing goes on or is left"
expect_failure 'one grading at a time' flock $of "$assignments" course grade ml26 --courses "$PWD/courses"
mkdir tmp
TMPDIR=$PWD/tmp later grade --jobs 2 >said.txt 2>&1 &
for ((i = 0; i < 600; ++i)); do
  if [ "$(compgen -G 'tmp/*/part.o*' | wc -l)" -gt 0 ]; then break; fi
  sleep 0.05
done
kill -TERM "$(cat later/ml26/lock)"
if wait $!; then fail "it was told to end"; fi
for ((i = 0; i < 100; ++i)); do
  if flock -n later/ml26 true && [ -z "$(ls tmp)" ]; then break; fi
  sleep 0.1
done
[ -z "$(ls tmp)" ] || fail "it left $(ls tmp)"

check "the page says what was misunderstood, by whom, and which solutions are alike, and needs no network"
grep -q 'Right on the diagonal; the other terms are missing' $of/class.html
grep -q 'Zola, Émile &quot;le fils&quot;' $of/class.html
grep -q 'Like solutions' $of/class.html
if grep -qE '(src|href)="(https?:)?//' $of/class.html; then fail "it asks a network"; fi

check "an archive for Gradescope grades in its folders, and writes results whatever comes"
course gradescope 02 >said.txt
mkdir -p autograder/source autograder/submission autograder/results
(cd autograder/source && cmake -E tar xf "$OLDPWD/$of/autograder-02.zip")
cp autograder/source/run_autograder autograder/
[ -x autograder/run_autograder ]
[ -x autograder/source/setup.sh ]
[ -x autograder/source/gradual/run ]
bash -n autograder/source/setup.sh
! grep -q "$(cat $of/key)" -r autograder/source/autograder.conf || fail "it holds the course's own key"
[ ! -e autograder/source/gradual/courses ]
[ ! -e autograder/source/gradual/coursework ]
mkdir -p autograder/source/gradual/build/release/bin  # what setup.sh builds
ln -s "$assignments" autograder/source/gradual/build/release/bin/assignments
printf '{"users": [{"email": "ada@x.org"}]}' >autograder/submission_metadata.json
cp ada/02-softmax/02.submission.json autograder/submission/
autograder/run_autograder >said.txt
grep -q '"score": 5,' autograder/results/results.json
rm autograder/submission/*
cp ada/02-softmax/*.cpp autograder/submission/
autograder/run_autograder >said.txt
grep -q '"score": 5,' autograder/results/results.json
rm autograder/submission/*

check "an autograder grades a submission among what editors leave, and says which of several it graded"
results=autograder/results/results.json
mkdir -p autograder/submission/__MACOSX autograder/submission/.vscode autograder/submission/old
printf 'Mac OS X' | tee autograder/submission/__MACOSX/._02.submission.json >autograder/submission/._02.submission.json
echo '{"a": 1}' | tee autograder/submission/.vscode/settings.json >autograder/submission/compile_commands.json
cp ada/02-softmax/02.submission.json autograder/submission/
forged emile/02-softmax/02.submission.json emile 2020-01-01T00:00:00Z >autograder/submission/old/02.submission.json
forged emile/02-softmax/02.submission.json emile 2020-01-01T00:00:00Z >autograder/submission/zuletzt.json
cp emile/02-softmax/3_softmax_slope.cpp autograder/submission/
autograder/run_autograder >said.txt
grep -q '"score": 5,' $results || fail "$(cat $results)"
grep -q '\\nGraded: 02.submission.json, made 20' $results
grep -q '\\nNot graded: old/02.submission.json, made 2020-01-01T00:00:00Z.\\nNot graded: zuletzt.json' $results
grep -q '\\nNot graded: 3_softmax_slope.cpp, since there is a submission' $results
rm -r autograder/submission
mkdir -p autograder/submission/old autograder/submission/new
cp ada/02-softmax/3_softmax_slope.cpp autograder/submission/new/
autograder/run_autograder >said.txt
grep -q '\\nGraded: new/3_softmax_slope.cpp.' $results
cp emile/02-softmax/3_softmax_slope.cpp autograder/submission/old/
if autograder/run_autograder >said.txt; then fail "it is there twice"; fi
grep -q 'a part must be there once: it is new/3_softmax_slope.cpp and old/3_softmax_slope.cpp' $results
rm -r autograder/submission/*

check "an autograder says what it cannot grade"
if autograder/run_autograder >said.txt; then fail "there is nothing to grade"; fi
grep -q 'It could not be graded: there is neither 02.submission.json' autograder/results/results.json
cp inbox/emile_edited.json autograder/submission/
if autograder/run_autograder >said.txt; then fail "it was edited"; fi
grep -q 'was changed after ./run submit' autograder/results/results.json
expect_error 'has no assignment 01' gradescope 01

check "a workflow for GitHub Classroom names its assignment"
course classroom 02 >said.txt
grep -q 'run grade 02 --classroom' $of/classroom-02.yml
grep -q '^          runners: grade$' $of/classroom-02.yml

check "one grading is written in every format"
if "$assignments" grade 02 --work emile --gradescope g.json --classroom c.json --junit j.xml --csv t.csv >said.txt; then
  fail "not all is right"
fi
python3 "$sources/tests/assignments/check_formats.py" g.json c.json j.xml t.csv

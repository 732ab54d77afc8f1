#!/usr/bin/env python3
"""What the readers of four formats expect of them: check_formats.py GRADESCOPE CLASSROOM JUNIT CSV.

Gradescope: gradescope-autograders.readthedocs.io, "Autograder Specifications", output format.
GitHub Classroom: what classroom-resources/autograding-grading-reporter reads (src/main.js, src/notify-classroom.js).
JUnit: by junitparser where it is installed, else the elements and attributes that it reads.
"""
import csv
import json
import sys
import xml.etree.ElementTree as ElementTree

gradescope, classroom, junit, table = sys.argv[1:]


def check(holds, sentence):
    if not holds:
        sys.exit("not so: " + sentence)


results = json.load(open(gradescope, encoding="utf-8"))
check(set(results) <= {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
                       "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"}, "Gradescope knows each key")
levels = {"hidden", "after_due_date", "after_published", "visible"}
check(results["visibility"] in levels and results["stdout_visibility"] in levels, "visibilities are Gradescope's")
check(results["output_format"] in {"text", "html", "simple_format", "md", "ansi"}, "the format of output is Gradescope's")
for test in results["tests"]:
    check(set(test) <= {"score", "max_score", "status", "name", "name_format", "number", "output", "output_format",
                        "tags", "visibility", "extra_data"}, "Gradescope knows each key of a test")
    check(0 <= test["score"] <= test["max_score"], "points lie in 0 … the most")
    check(test["status"] in {"passed", "failed"} and test["visibility"] in levels, "status and visibility are Gradescope's")
check(results["score"] == sum(test["score"] for test in results["tests"]), "the score is the sum of the tests'")

runner = json.load(open(classroom, encoding="utf-8"))
check(runner["version"] == 1 and runner["status"] in {"pass", "fail", "error"}, "version and status are Classroom's")
check(runner["max_score"] == sum(test["max_score"] for test in results["tests"]), "both formats have the same points")
check(sum(test["score"] for test in runner["tests"]) == results["score"], "Classroom sums up the same score")
for test in runner["tests"]:
    check(test["status"] in {"pass", "fail", "error"} and isinstance(test["name"], str), "tests have name and status")

suites = ElementTree.parse(junit).getroot()
check(suites.tag == "testsuites", "the root is testsuites")
count = 0
for suite in suites:
    cases = suite.findall("testcase")
    count += len(cases)
    check(int(suite.get("tests")) == len(cases), "the suite counts its cases")
    for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        check(int(suite.get(attribute)) == len(suite.findall("testcase/" + kind)), "the suite counts its " + attribute)
    check(all(case.get("name") and case.get("classname") and float(case.get("time")) >= 0 for case in cases),
          "each case has a name, a class and a time")
check(count == len(results["tests"]), "JUnit has every part")
try:
    from junitparser import JUnitXml
except ImportError:
    print("junitparser is not installed: its part is left out")
else:
    check(sum(len(list(suite)) for suite in JUnitXml.fromfile(junit)) == count, "junitparser reads every case")

rows = list(csv.DictReader(open(table, encoding="utf-8", newline="")))
check([row["part"] for row in rows] == [test["number"] for test in results["tests"]], "the table has every part")
check(sum(int(row["points"]) for row in rows) == results["score"], "the table sums up to the score")

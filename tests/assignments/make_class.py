#!/usr/bin/env python3
"""A class to try a course with: make_class.py COUNT FOLDER [SUBMISSION]

Without a submission: FOLDER/roster.csv of so many students. With one that a student of assignment 02 handed in:
FOLDER/inbox/ with one of each student, every part right or wrong in one of the ways of tests/assignments/02-softmax.
"""
import json
import pathlib
import sys

from fingerprints import fingerprint_of

count, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
students = [f"s{i:03}" for i in range(count)]
folder.mkdir(parents=True, exist_ok=True)
if len(sys.argv) == 3:
    rows = [f'{s},"Student, {i} ""of {count}"" é",{s}@example.org' for i, s in enumerate(students)]
    (folder / "roster.csv").write_text("id,name,email\n" + "\n".join(rows) + "\n", encoding="utf-8")
    sys.exit()

submission = json.load(open(sys.argv[3], encoding="utf-8"))
correct = pathlib.Path(__file__).parent / "02-softmax" / "correct"
# A change that makes a right solution wrong, where its text occurs.
WRONG = [("std::exp(", "std::sqrt("), (" - top", ""), ("+=", "="), ("return", "y = y; return"), ("i = 0", "i = 1")]

for i, student in enumerate(students):
    submission["student"] = student
    for k, piece in enumerate(submission["parts"]):
        ways = sorted(correct.glob(piece["part"][3] + "_*.cpp"))
        text = ways[(i + k) % len(ways)].read_text(encoding="utf-8")
        if (i * 7 + k * 3) % 5 < 2:
            text = text.replace(*WRONG[(i + k) % len(WRONG)])
        piece["text"] = text
    submission["fingerprint"] = fingerprint_of(submission)
    place = folder / "inbox" / f"{student}_12{i}_assignsubmission_file_"
    place.mkdir(parents=True)
    (place / "02.submission.json").write_text(json.dumps(submission, ensure_ascii=False, indent=1), encoding="utf-8")

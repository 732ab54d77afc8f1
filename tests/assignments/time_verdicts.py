#!/usr/bin/env python3
"""How long it takes from a saved file to its verdict: time_verdicts.py ASSIGNMENTS [EVERY]

Grades every right solution of tests/assignments/*/correct and every mistake of blind.md as a student would, one after the other, by
the program ASSIGNMENTS, or each EVERY-th of them. Prints median and 95th percentile by the clock, and of computing (user and system).
"""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

program, every = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
here = pathlib.Path(__file__).parent


def wrong_files():
    for entry in (here / "blind.md").read_text(encoding="utf-8").split("\n### ")[1:]:
        heading, *blocks = re.split(r"\n```(?:diff\n)?", entry)
        part, file = heading.split()[0], heading.split()[1].rstrip(":")
        text = next(here.glob(f"{part[:2]}-*/correct/{file}")).read_text(encoding="utf-8")
        for block in blocks:
            lines = block.split("\n")
            old = "\n".join(line[1:] for line in lines if line.startswith("-"))
            if old:
                text = text.replace(old, "\n".join(line[1:] for line in lines if line.startswith("+")))
        yield part, text


jobs = [(f.parts[-3][:2] + "." + f.name[0], f.read_text(encoding="utf-8")) for f in sorted(here.glob("*/correct/*.cpp"))]
jobs += list(wrong_files())
clock, computing, slowest = [], [], (0, "")
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "part.cpp"
    for part, text in jobs[::every]:
        file.write_text(text, encoding="utf-8")
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run([program, "grade", part, "--file", str(file), "--work", folder], stdout=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        clock.append(time.monotonic() - begin)
        computing.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        slowest = max(slowest, (clock[-1], part))
for name, numbers in (("by the clock", sorted(clock)), ("computing", sorted(computing))):
    at = lambda share: numbers[min(len(numbers) - 1, int(share * len(numbers)))]
    print(f"{len(numbers)} verdicts, {name}: median {at(0.5):.2f} s, 95 % under {at(0.95):.2f} s, the longest {numbers[-1]:.2f} s")
print(f"the longest by the clock was of part {slowest[1]}")

#!/usr/bin/env python3
"""Writes down which files of tests run each line of the library, so that a mutant meets only those that can notice it.

tests/mutation/reach.py --build build/coverage --to reach.json

The build is the one that tests/coverage/run.sh makes. What the file holds: {"nn/mask.cpp": {"12": ["mask_test", ...], ...}, ...};
lines outside functions are not in it.
"""

import argparse
import json
import os
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

from mutant import CHOSEN, ROOT


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    program = options.build.resolve() / "bin" / "gradual_tests"
    reach = defaultdict(lambda: defaultdict(list))
    for stem in sorted(path.stem for path in (ROOT / "tests").rglob("*_test.cpp") if not path.stem.endswith("_gradient_test")):
        for source, line, runs in lines_of(program, f"[#{stem}]{CHOSEN}"):
            files = reach[source][line]
            if runs and stem not in files[-1:]:
                files.append(stem)
    options.to.write_text(json.dumps(reach))


def lines_of(program, chosen):
    """All (source, line, whether one of these tests runs it)."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "raw")
        subprocess.run([program, "-#", chosen], cwd=folder, env=dict(os.environ, LLVM_PROFILE_FILE=str(profile)), capture_output=True)
        subprocess.run(["llvm-profdata-19", "merge", "--sparse", "-o", f"{folder}/merged", profile], check=True)
        lines = subprocess.run(["llvm-cov-19", "export", "--format=lcov", "--instr-profile", f"{folder}/merged", program],
                               check=True, capture_output=True, text=True).stdout
    for entry in lines.splitlines():
        kind, _, rest = entry.partition(":")
        if kind == "SF":
            source = rest.removeprefix(f"{ROOT}/") if rest.startswith(f"{ROOT}/") else None
        elif kind == "DA" and source:
            line, count = rest.split(",")
            yield source, int(line), int(count) > 0


if __name__ == "__main__":
    main()

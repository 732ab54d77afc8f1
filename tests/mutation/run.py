#!/usr/bin/env python3
"""Breaks the library in one place after the other and sees whether a test notices.

tests/mutation/run.py --build BUILD [--reach FILE] [--mutants 1000] [--seed 1] [--only core/rows] [--minutes M] [--journal FILE]

BUILD is a build with gcc of the tests with a shared library (-DBUILD_SHARED_LIBS=ON). A mutant is one source with one change,
compiled by itself and loaded in front of the library. First the tests that have its name run, then those of its folder, those that
include its header, all, and where these pass the gradient checks; of these only what runs the changed line, where reach.py has written
down which they are. What computes three times as long as without the change, and half a minute at least, has no end, and is noticed. A
change that gives the same machine code is none. What templates in headers do belongs to the sources that use them, so headers are not
changed, and neither are the plain versions of core/reference/, which the tests measure by. Each mutant, and the test that noticed it,
is a line of the journal, by which the next call goes on. Prints the share that is noticed by folder, and the survivors with their places.
"""

import argparse
import json
import random
import re
import time
from pathlib import Path

from mutant import ROOT, Mutation, files_of_tests

SWAPS = [  # a pattern, and what takes its place
    (r"(?<=\s)<(?=\s)", "<="), (r"<=", "<"), (r"(?<=\s)>(?=\s)", ">="), (r">=", ">"), (r"==", "!="), (r"!=", "=="),
    (r"(?<=\s)\+(?=\s)", "-"), (r"(?<=\s)-(?=\s)", "+"), (r"(?<=\s)\*(?=\s)", "/"), (r"(?<=\s)/(?=\s)", "*"),
    (r"\+=", "-="), (r"-=", "+="), (r"&&(?=\s)", "||"), (r"\|\|", "&&"), (r"(?<=\()!(?=\w)", ""),
    (r"std::min\b", "std::max"), (r"std::max\b", "std::min"), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"(?<![\w.])0(?![\w.])", "1"), (r"(?<![\w.])1(?![\w.])", "2"), (r"(?<![\w.])1(?![\w.])", "0"), (r"(?<![\w.])2(?![\w.])", "3"),
    (r"\bcontinue;", ";"), (r"\bbreak;", ";"),
]
STATEMENT = re.compile(r"^\s+[\w.\[\]>()*-]+(\(.*\)| [+*/-]?= .*);$")  # a call or an assignment, on one line
DECLARATION = re.compile(r"^\s*(const|auto|static|constexpr|return|throw|using|Index|Real|int|std::\S+|Tensor|Var)\b.*")
UNTOUCHED = re.compile(r'^\s*(#|//|///|\*|static_assert|using |namespace |template|throw |class |struct |case )|"|\btext\(|operator[<>=!+*/-]')


def changes_of(lines):
    """All (line, text that replaces it) of a source."""
    changes = []
    for number, line in enumerate(lines):
        code = line.split("//")[0].rstrip()
        if not code.strip() or UNTOUCHED.search(code):
            continue
        for pattern, replacement in SWAPS:
            for match in re.finditer(pattern, code):
                changes.append((number, code[:match.start()] + replacement + code[match.end():]))
        if STATEMENT.match(code) and not DECLARATION.match(code):
            changes.append((number, re.match(r"\s*", code).group() + ";"))
    return changes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--reach", type=Path, help="what reach.py has written")
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--journal", type=Path, default=Path("mutants.jsonl"), help="what was tried; goes on where it ends")
    parser.add_argument("--minutes", type=float, default=1e9, help="after which it ends, to go on another time")
    options = parser.parse_args()
    build, end = options.build.resolve(), time.monotonic() + 60 * options.minutes
    floats = Mutation(build)
    doubles = Mutation(build, "gradual_double", "gradual_gradient_tests")
    reach = json.loads(options.reach.read_text()) if options.reach else {}
    possible = []
    for top in ("core", "autograd", "nn"):
        for path in sorted((ROOT / top).rglob("*.cpp")):
            name = str(path.relative_to(ROOT))
            if name.startswith(options.only) and "reference/" not in name and not name.endswith("_windows.cpp"):
                possible += [(name, *change) for change in changes_of(path.read_text().splitlines())]
    random.Random(options.seed).shuffle(possible)

    journal = [json.loads(line) for line in options.journal.read_text().splitlines()] if options.journal.exists() else []
    known = {(each["source"], each["line"], each["after"]) for each in journal}
    tried = [each for each in journal if each["by"] != "nothing to notice"]
    unchanged = {}
    for source, number, after in possible:
        if len(tried) >= options.mutants or time.monotonic() > end:
            break
        if (source, number + 1, after.strip()) in known:
            continue
        path = ROOT / source
        lines = path.read_text().splitlines()
        if source not in unchanged:
            _, unchanged[source] = floats.compile(path, "\n".join(lines) + "\n")
        before, lines[number] = lines[number], after
        content = "\n".join(lines) + "\n"
        mutant, code = floats.compile(path, content)
        entry = {"source": source, "line": number + 1, "before": before.strip(), "after": after.strip()}
        if mutant is None or code == unchanged[source]:
            entry["by"] = "nothing to notice"
        else:
            reached = reach.get(source, {}).get(str(number + 1))
            entry["by"] = noticed_by(floats, doubles, path, mutant, content, reached)
            tried.append(entry)
            print(f"{len(tried)}: {source}:{number + 1}: {entry['by'] or 'SURVIVES'}", flush=True)
        with options.journal.open("a") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    report(tried)


def noticed_by(floats, doubles, path, mutant, content, reached=None):
    """The first test that fails; None where none does. reached: the files of tests that run the changed line, if that is known."""
    near = files_of_tests(path.relative_to(ROOT))
    steps = (*near, None) if reached is None else (*(set(reached) & files for files in near), set(reached).difference(*near))
    for files in steps:
        by = floats.first_failure(mutant, files) if files != set() else None
        if by:
            return by
    mutant, _ = doubles.compile(path, content)
    return doubles.first_failure(mutant) if mutant else None


def report(tried):
    counts = {}
    for entry in tried:
        place = Path(entry["source"]).parts
        folder = "/".join(place[:2]) if len(place) > 2 else place[0]
        dead, all_of = counts.get(folder, (0, 0))
        counts[folder] = (dead + bool(entry["by"]), all_of + 1)
        if not entry["by"]:
            print(f"{entry['source']}:{entry['line']}\n    {entry['before']}\n    {entry['after']}")
    print(f"\n{'folder':24}  noticed")
    for folder, (dead, all_of) in sorted(counts.items()):
        print(f"{folder:24}  {dead} of {all_of}")
    dead = sum(count[0] for count in counts.values())
    print(f"{'all':24}  {dead} of {len(tried)}, {100 * dead / max(len(tried), 1):.1f} %")


if __name__ == "__main__":
    main()

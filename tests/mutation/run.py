#!/usr/bin/env python3
"""Breaks the library in one place after the other and sees whether a test notices.

tests/mutation/run.py --build BUILD [--reach FILE] [--mutants 1000] [--seed 1] [--only core/rows] [--part 0/2] [--minutes M] [--again]

BUILD is a build with gcc of the tests with a shared library (-DBUILD_SHARED_LIBS=ON). A mutant is one source with one change,
compiled by itself and loaded in front of the library. First the tests that have its name run, then those of its folder, those that
include its header, all, and where these pass the gradient checks; of these only what runs the changed line, where reach.py has written
down which they are. What computes three times as long as without the change, and half a minute at least, has no end, and is noticed. A
change that gives the same machine code is none. What templates in headers do belongs to the sources that use them, so headers are not
changed, and neither are the plain versions of core/reference/, which the tests measure by.

Each mutant, and the test that noticed it, is a line of the journal, by which the next call goes on; --again tries those anew that no test
has noticed. Of several calls at a time each takes a --part, with a journal of its own. A survivor of which a reader found that no test
can tell it stands in equivalent.json with the reason, and does not count. Prints the share that is noticed by folder, and the survivors
with their places. --report does no more than that, for all journals that are named.
"""

import argparse
import functools
import json
import random
import re
import time
from pathlib import Path

from mutant import ROOT, Mutation, files_of_tests

NOTHING = "nothing to notice"
EQUIVALENT = Path(__file__).with_name("equivalent.json")  # mutants that no test can tell, each with the reason

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
    parser.add_argument("--build", type=Path)
    parser.add_argument("--reach", type=Path, help="what reach.py has written")
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--part", default="0/1", help="which of how many parts: 0/2 and 1/2 share the work")
    parser.add_argument("--journal", type=Path, default=Path(__file__).with_name("mutants.jsonl"), help="what was tried; goes on where it ends")
    parser.add_argument("--minutes", type=float, default=1e9, help="after which it ends, to go on another time")
    parser.add_argument("--again", action="store_true", help="try only the journal's survivors, with the tests of today")
    parser.add_argument("--report", type=Path, nargs="+", metavar="JOURNAL")
    options = parser.parse_args()
    if options.report:
        return report([entry for journal in options.report for entry in read(journal) if entry["by"] != NOTHING])
    if not options.build:
        parser.error("--build is missing")
    build, end = options.build.resolve(), time.monotonic() + 60 * options.minutes
    floats = Mutation(build)
    doubles = Mutation(build, "gradual_double", "gradual_gradient_tests")
    reach = json.loads(options.reach.read_text()) if options.reach else {}
    possible = []
    for top in ("core", "autograd", "nn"):
        for path in sorted((ROOT / top).rglob("*.cpp")):
            name = str(path.relative_to(ROOT))
            if name.startswith(options.only) and "reference/" not in name and not name.endswith("_windows.cpp"):
                possible += [(name, *change) for change in changes_of(lines_of(name))]
    random.Random(options.seed).shuffle(possible)

    part, parts = map(int, options.part.split("/"))
    journal = read(options.journal)
    if options.again:
        survivors = {key(each) for each in journal if not each["by"]}
        possible = [each for each in possible if key(entry_of(*each)) in survivors]
        journal = [each for each in journal if each["by"]]
    else:
        possible = possible[part::parts]
    known = {key(each) for each in journal}
    tried = [each for each in journal if each["by"] != NOTHING]
    write(options.journal, journal)
    unchanged = {}
    for source, number, after in possible:
        if not options.again and (len(tried) >= options.mutants or time.monotonic() > end):
            break
        entry = entry_of(source, number, after)
        if key(entry) in known:
            continue
        known.add(key(entry))
        path = ROOT / source
        lines = list(lines_of(source))
        if source not in unchanged:
            _, unchanged[source] = floats.compile(path, "\n".join(lines) + "\n")
        lines[number] = after
        content = "\n".join(lines) + "\n"
        mutant, code = floats.compile(path, content)
        if mutant is None or code == unchanged[source]:
            entry["by"] = NOTHING
        else:
            reached = reach.get(source, {}).get(str(number + 1))
            entry["by"] = noticed_by(floats, doubles, path, mutant, content, reached)
            tried.append(entry)
            print(f"{len(tried)}: {source}:{number + 1}: {entry['by'] or 'SURVIVES'}", flush=True)
        write(options.journal, [entry], "a")
    report(tried)


@functools.lru_cache(maxsize=None)
def lines_of(source):
    return (ROOT / source).read_text().splitlines()


def entry_of(source, number, after):
    return {"source": source, "line": number + 1, "before": lines_of(source)[number].strip(), "after": after.strip()}


def key(entry):
    """What a mutant is known by when lines have moved."""
    return entry["source"], entry["before"], entry["after"]


def read(journal):
    return [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []


def write(journal, entries, mode="w"):
    with journal.open(mode) as file:
        file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


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
    equivalent = {key(each) for each in json.loads(EQUIVALENT.read_text())}
    counts = {}
    for entry in tried:
        place = Path(entry["source"]).parts
        count = counts.setdefault("/".join(place[:2]) if len(place) > 2 else place[0], [0, 0, 0])
        if entry["by"]:
            count[0] += 1
        elif key(entry) in equivalent:
            count[1] += 1
        else:
            count[2] += 1
            print(f"{entry['source']}:{entry['line']}\n    {entry['before']}\n    {entry['after']}")
    print(f"\n{'folder':24}  noticed  equivalent  survive")
    counts["all"] = [sum(column) for column in zip(*counts.values())] or [0, 0, 0]
    for folder, (dead, same, alive) in sorted(counts.items(), key=lambda item: (item[0] == "all", item)):
        print(f"{folder:24}  {dead:7}  {same:10}  {alive:7}   {100 * dead / max(dead + alive, 1):.1f} %")


if __name__ == "__main__":
    main()

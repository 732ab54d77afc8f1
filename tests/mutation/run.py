#!/usr/bin/env python3
"""Breaks the library in one place after the other and sees whether a test notices.

tests/mutation/run.py --build BUILD [--mutants 1000] [--seed 1] [--only core/rows] [--survivors FILE]

BUILD is a build with gcc of the tests with a shared library (-DBUILD_SHARED_LIBS=ON). A mutant is one source with one change,
compiled by itself and loaded in front of the library (LD_PRELOAD): one compilation each, nothing is linked again. First the tests
of its folder run, and where these pass, all. A change that gives the same machine code is none. What templates in headers do
belongs to the sources that use them, so headers are not changed, and neither are the plain versions of core/reference/, which the
tests measure by. Prints the share that is noticed by folder, and the survivors with their places.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

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


def library_command(build, library):
    """How the library's sources are compiled, without a source and an object."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        if f"/{library}.dir/" in entry["command"] and "core" in entry["file"] and "-fPIC" in words:
            at = words.index("-o")
            words = words[:at] + words[at + 2:]
            words.remove("-c")
            words = [word for word in words if word != entry["file"]]
            while "-include" in words:  # a precompiled header
                place = words.index("-include")
                del words[place:place + 2]
            return [word for word in words if "ccache" not in word and word != "-Winvalid-pch"], entry["directory"]
    sys.exit("mutation: the build must have a shared library (-DBUILD_SHARED_LIBS=ON)")


def test_names(folder):
    names = []
    for path in sorted(folder.glob("*_test.cpp")):
        names += re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', path.read_text())
    return [name for name in names if "\\" not in name and "," not in name and "[" not in name]


class Mutation:
    def __init__(self, build, seconds, library="gradual", program="gradual_tests"):
        self.build, self.seconds = build, seconds
        self.command, self.directory = library_command(build, library)
        self.folder = Path(tempfile.mkdtemp(prefix="gradual-mutation-"))
        self.program = next(path for path in [build / "bin" / program, build / program] if path.exists())

    def compile(self, source, content):
        """The shared object of a source with this content, or None; and its machine code's hash."""
        changed, made = self.folder / source.name, self.folder / "mutant.so"
        changed.write_text(content)
        command = self.command + ["-w", "-O1", "-I", str(source.parent), "-shared", "-o", str(made), str(changed)]
        if subprocess.run(command, cwd=self.directory, capture_output=True).returncode != 0:
            return None, None
        code = subprocess.run(["objdump", "-d", "-s", "-j", ".text", "-j", ".rodata", str(made)], capture_output=True).stdout
        return made, hashlib.sha256(code).hexdigest()

    def passes(self, mutant, names):
        command = [str(self.program)]
        if names:
            listed = self.folder / "names.txt"
            listed.write_text("\n".join(f'"{name}"' for name in names) + "\n")
            command += ["--input-file", str(listed)]
        environment = dict(os.environ, LD_PRELOAD=str(mutant)) if mutant else dict(os.environ)
        try:
            done = subprocess.run(command, env=environment, capture_output=True, timeout=self.seconds, cwd=self.folder)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=300, help="after which a test run counts as broken")
    parser.add_argument("--survivors", type=Path, default=Path("survivors.txt"))
    parser.add_argument("--sources", type=Path, default=ROOT, help="the checkout that the build is of")
    options = parser.parse_args()
    root = options.sources.resolve()
    mutation = Mutation(options.build.resolve(), options.seconds)

    possible = []
    for top in ("core", "autograd", "nn"):
        for path in sorted((root / top).rglob("*.cpp")):
            name = str(path.relative_to(root))
            if name.startswith(options.only) and "reference/" not in name and not name.endswith("_windows.cpp"):
                possible += [(path, *change) for change in changes_of(path.read_text().splitlines())]
    chosen = random.Random(options.seed).sample(possible, min(len(possible), options.mutants * 3 // 2))

    unchanged, counts, survivors, tried = {}, {}, [], 0
    for path, number, line in chosen:
        if tried == options.mutants:
            break
        lines = path.read_text().splitlines()
        place = path.relative_to(root)
        if path not in unchanged:
            made, unchanged[path] = mutation.compile(path, "\n".join(lines) + "\n")
            if made is None or not mutation.passes(made, test_names(root / "tests" / place.parent)):
                unchanged[path] = None
                print(f"{place}: left out: its tests do not pass as it is", flush=True)
        if unchanged[path] is None:
            continue
        before, lines[number] = lines[number], line
        mutant, code = mutation.compile(path, "\n".join(lines) + "\n")
        if mutant is None or code == unchanged[path]:
            continue
        tried += 1
        names = test_names(root / "tests" / place.parent)
        lives = (not names or mutation.passes(mutant, names)) and mutation.passes(mutant, None)
        folder = "/".join(place.parts[:2]) if len(place.parts) > 2 else place.parts[0]
        dead, all_of = counts.get(folder, (0, 0))
        counts[folder] = (dead + (not lives), all_of + 1)
        if lives:
            survivors.append(f"{place}:{number + 1}\n    {before.strip()}\n    {line.strip()}\n")
            options.survivors.write_text("\n".join(survivors))
        print(f"{tried}: {place}:{number + 1} {'SURVIVES' if lives else 'noticed'}", flush=True)

    print(f"\n{'folder':24}  noticed")
    for folder, (dead, all_of) in sorted(counts.items()):
        print(f"{folder:24}  {dead} of {all_of}")
    dead = sum(count[0] for count in counts.values())
    print(f"{'all':24}  {dead} of {tried}, {100 * dead / max(tried, 1):.1f} %; those that live are in {options.survivors}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes the changes of named.json, each of which once went unnoticed, and sees that a test notices each.

tests/mutation/named.py --build BUILD [--only WORD]     makes them and runs the tests; BUILD as run.py wants it
tests/mutation/named.py --check                         only sees whether each still has its place, once, in the sources, and each of equivalent.json

Says for each which test notices it; they run in the order of run.py. Ends with 1 if a change is not noticed, changes no machine code, or has lost its place.
"""

import argparse
import json
import sys
from pathlib import Path

from mutant import ROOT, Mutation
from run import EQUIVALENT, noticed_by


def changed(entry):
    """The source's text without and with the change, or None where it has no place of its own."""
    text = (ROOT / entry["file"]).read_text()
    return (text, text.replace(entry["old"], entry["new"])) if text.count(entry["old"]) == 1 else None


def result_of(floats, doubles, entry):
    """The test that notices the change, or None and why none does."""
    before, after = changed(entry)
    source = ROOT / entry["file"]
    _, plain = floats.compile(source, before)
    mutant, code = floats.compile(source, after)
    if mutant is None:
        return None, "does not compile"
    if code == plain:
        return None, "changes no machine code"
    return noticed_by(floats, doubles, source, mutant, after), "NOT NOTICED"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    entries = [entry for entry in json.loads(Path(__file__).with_name("named.json").read_text())
               if options.only in entry["what"] + entry["file"]]
    lost = [entry for entry in entries if changed(entry) is None]
    for entry in lost:
        print(f"{entry['file']}: \"{entry['old']}\" must be there exactly once ({entry['what']})")
    known = json.loads(EQUIVALENT.read_text()) if options.check and not options.only else []
    stale = [mutant for mutant in known if mutant["before"] not in (ROOT / mutant["source"]).read_text()]
    for mutant in stale:
        print(f"{mutant['source']}: \"{mutant['before']}\" must be there ({EQUIVALENT.name})")
    if lost or options.check:
        failed = len(lost) + len(stale)
        print(f"{len(entries) + len(known) - failed} passed, {failed} failed")
        sys.exit(1 if failed else 0)
    build = options.build.resolve()
    floats = Mutation(build)
    doubles = Mutation(build, "gradual_double", "gradual_gradient_tests")
    failed = 0
    for entry in entries:
        by, why = result_of(floats, doubles, entry)
        failed += by is None
        print(f"{entry['file']}: {entry['what']}: {'noticed by: ' + by if by else why}", flush=True)
    print(f"{len(entries) - failed} of {len(entries)} are noticed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

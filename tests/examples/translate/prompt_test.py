#!/usr/bin/env python3
"""The prompt of `translate translate` as a person at a terminal types into it: prompt_test.py <translate> <folder for a model>.

Each check is a sentence; the first that fails ends the test.
"""
import json
import os
import subprocess
import sys

from terminal import Terminal

program, folder = sys.argv[1:]
model = folder + "/model.safetensors"
UP, CTRL_D = b"\x1b[A", b"\x04"


class Prompt(Terminal):
    """A run of the program in a terminal of its own."""

    def __init__(self, **environment):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
        super().__init__([program, "translate", "--model", model, "--json"], environment={**inherited, **environment})
        self.wait_for(b"> ")

    def translated(self, keys):
        """The sentence that the program took from what was typed."""
        self.type(keys + b"\r")
        self.wait_for(b'{"source":')
        answer = json.loads(b'{"source":' + self.wait_for(b"\r\n"))
        self.wait_for(b"> ")
        return answer["source"]

    def ends_with(self, keys):
        """The code that the program ends with."""
        self.type(keys)
        return self.rest()[1]


def check(sentence, found, expected):
    print(sentence)
    if found != expected:
        sys.exit(f"FAILED: {found!r} is not {expected!r}")


# A model that knows little: what it is asked is looked at, not what it answers.
subprocess.run([program, "train", "--steps", "1", "--width", "16", "--feed-forward", "32", "--heads", "2", "--out", folder],
               check=True, capture_output=True)
for locale in {}, {"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}:
    prompt = Prompt(**locale)
    print(f"with {locale or 'no locale'}")
    check("a typed line is translated", prompt.translated(b"the cat sleeps ."), "the cat sleeps .")
    check("letters of every script arrive", prompt.translated("Café, Mädchen – 日本 😀".encode()), "Café, Mädchen – 日本 😀")
    check("a tab is a space", prompt.translated(b"the dog\tsings ."), "the dog sings .")
    check("the arrow upwards brings a line back", prompt.translated(UP + UP + UP), "the cat sleeps .")
    prompt.type(b"the dog \\\r")
    prompt.wait_for(b"| ")
    check("a line goes on after a backslash", prompt.translated(b"sings ."), "the dog  sings .")
    check("Ctrl-D ends the program", prompt.ends_with(CTRL_D), 0)

check("quit ends the program", Prompt().ends_with(b"quit\r"), 0)
# Letters can spell any word.
subprocess.run([program, "train", "--steps", "1", "--width", "16", "--feed-forward", "32", "--heads", "2", "--units", "characters",
                "--out", folder], check=True, capture_output=True)
check("quit ends the program also where the model reads letters", Prompt().ends_with(b"quit\r"), 0)

#!/usr/bin/env python3
"""The prompt of `translate translate` as a person at a terminal types into it: prompt_test.py <translate> <folder for a model>.

Each check is a sentence; the first that fails ends the test.
"""
import json
import os
import pty
import select
import subprocess
import sys
import termios
import time

program, folder = sys.argv[1:]
model = folder + "/model.safetensors"
UP, CTRL_D = b"\x1b[A", b"\x04"


class Prompt:
    """A run of the program in a terminal of its own."""

    def __init__(self, **environment):
        process, self.terminal = pty.fork()
        if process == 0:
            inherited = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
            os.execve(program, [program, "translate", "--model", model, "--json"],
                      {**inherited, "TERM": "xterm", **environment})
        self.process, self.seen = process, b""
        self.wait_for(b"> ")

    def wait_for(self, text, seconds=60):
        """What the terminal shows from here to `text`, which has to come."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            try:
                read = os.read(self.terminal, 65536) if ready else b""
            except OSError:  # the program has ended
                read = b""
            if not read:
                sys.exit(f"FAILED: the terminal must show {text!r}; it shows {self.seen!r}")
            self.seen += read
        shown, self.seen = self.seen.split(text, 1)
        return shown

    def type(self, keys, seconds=60):
        # libedit shows its prompt a moment before it takes the keys from the terminal, which until then means to end by Ctrl-D.
        end = time.monotonic() + seconds
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON and time.monotonic() < end:
            time.sleep(0.01)
        os.write(self.terminal, keys)

    def translated(self, keys):
        """The sentence that the program took from what was typed."""
        self.type(keys + b"\r")
        self.wait_for(b'{"source":')
        answer = json.loads(b'{"source":' + self.wait_for(b"\r\n"))
        self.wait_for(b"> ")
        return answer["source"]

    def ends_with(self, keys, seconds=60):
        """The code that the program ends with."""
        self.type(keys)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        sys.exit("FAILED: the program must end")


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

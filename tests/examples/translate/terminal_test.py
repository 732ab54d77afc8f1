#!/usr/bin/env python3
"""`translate` in a terminal of 60 columns: terminal_test.py <translate> <folder for a model>.

Each check is a sentence; the first that fails ends the test.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

program, folder = sys.argv[1:]
COLUMNS = 60


def seen_of(arguments, typed=b"", until=None, **environment):
    """What a terminal shows of a run of the program."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
        inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "GRADUAL_COMMAND")}
        os.execve(program, [program, *arguments], {**inherited, "TERM": "xterm", **environment})
    seen, end = b"", time.monotonic() + 240
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 1)
        if ready:
            try:
                read = os.read(terminal, 65536)
            except OSError:
                break
            if not read:
                break
            seen += read
        if typed and b"> " in seen:
            os.write(terminal, typed)
            typed = b""
    os.waitpid(process, 0)
    return seen.decode()


def check(sentence, holds, found=""):
    print("- " + sentence, flush=True)
    if not holds:
        sys.exit(f"FAILED: {sentence}: {found!r}")


SMALL = ["--width", "32", "--feed-forward", "32", "--heads", "2", "--encoder-layers", "1", "--decoder-layers", "1",
         "--batch-tokens", "256", "--threads", "1"]
seen = seen_of(["train", *SMALL, "--steps", "1200", "--out", folder])
plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", seen)
first = plain.split("━")[0].split("─")[0]
lines = [line.rstrip("\r") for line in first.split("\n") if line.strip()]
check("the first lines fit the terminal, and break between words", all(len(line) <= COLUMNS for line in lines), lines)
check("they are whole", "20000 pairs to train on, 0 left out as too long;" in " ".join(lines), lines)
check("the bar is coloured", "\x1b[36m" in seen, seen[:2000])
below = re.findall(r"\n\x1b\[K(.*?)\x1b\[A", seen)
check("below the bar a sentence is translated again and again", len(below) >= 2, seen[-3000:])
widths = [len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in below]
check("it stays in its line", max(widths) <= COLUMNS, below)
for name in ("translate", "attention", "serve"):
    found = re.search(rf"(?m)^translate {name} .*--model {re.escape(folder)}/model.safetensors\r?$", plain)
    check(f"the end names the command {name} on a line of its own", found, plain[-800:])

seen = seen_of(["train", *SMALL, "--steps", "300", "--out", folder + "/plain"], NO_COLOR="1")
check("with NO_COLOR there is no colour", not re.search(r"\x1b\[[0-9;]*m", seen), seen)

prompt = ["translate", "--model", folder + "/model.safetensors"]
seen = seen_of(prompt, typed=b"Hello cat world!\r\x04")
plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", seen)
check("the prompt opens with a sentence of the kind that it learnt", "It learnt from sentences such as: " in plain, plain)
check("words that it does not know are named", 'it does not know "Hello", "world" and "!" and guesses' in plain, plain)
check("it says what it does know", re.search(r"it knows \d+ words: ", plain), plain)
print("all checks passed")

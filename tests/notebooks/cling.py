"""Runs notebooks in Cling, on which xeus-cling is built: `cling.py NOTEBOOK.ipynb...`, with `pip install cppyy` for Cling.

The working directory must hold notebook.hpp, as it does for a kernel. Each cell has to print what is stored with it, and
show the picture that its stored output links to. Cling's own state is one for each process, so each notebook has its own.
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIGURE_MARKER = "\x1d"


def visible(text):
    """Without spaces at the ends of lines and empty lines at the end, which nobody sees on a page."""
    return "\n".join(line.rstrip(" ") for line in text.split("\n")).rstrip("\n")


def stored(cell, folder):
    text, figures = "", []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            text += "".join(output["text"])
        else:  # ![what it shows](path/name.svg)
            path = folder / output["data"]["text/markdown"][:-1].rpartition("](")[2]
            figures.append(path.stem + "\n" + path.read_text())
    return visible(text), figures


def run_cell(interpreter, code):
    """Returns what the cell printed, by its descriptor, since C++ writes past Python; None if it did not run."""
    sys.stdout.flush()
    screen = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        error = ctypes.c_int(0)
        interpreter.ProcessLine(code + "\n", ctypes.pointer(error))
        interpreter.ProcessLine("std::cout << std::flush;", ctypes.pointer(ctypes.c_int(0)))
        os.dup2(screen, 1)
        os.close(screen)
        file.seek(0)
        pieces = file.read().decode().split(FIGURE_MARKER)
    return None if error.value else (visible("".join(pieces[::2])), pieces[1::2])


def make_interpreter():
    os.environ.setdefault("EXTRA_CLING_ARGS", "-std=c++17")
    import cppyy
    cppyy.gbl.gInterpreter.ProcessLine("#include <iostream>")
    return cppyy.gbl.gInterpreter


def run_notebook(path):
    interpreter, seconds, wrong = make_interpreter(), [], 0
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        start = time.monotonic()
        printed = run_cell(interpreter, "".join(cell["source"]))
        seconds.append(time.monotonic() - start)
        if printed is None:
            sys.exit(f"{path.name}, cell {number} does not run")
        text, figures = stored(cell, path.parent)
        if printed[0] != text:
            print(f"{path.name}, cell {number}: the notebook holds\n{text}\nbut this cell printed\n{printed[0]}")
        elif printed[1] != figures:
            print(f"{path.name}, cell {number}: this cell showed another picture")
        wrong += printed != (text, figures)
    print(f"{path.name}: {len(cells)} cells; the first took {seconds[0]:.2f} s, "
          f"the longest of the others {max(seconds[1:]):.3f} s; {wrong} wrong", flush=True)
    os._exit(wrong > 0)


def main():
    paths = [Path(argument).resolve() for argument in sys.argv[1:]]
    if len(paths) == 1:
        run_notebook(paths[0])
    failed = sum(subprocess.run([sys.executable, __file__, path]).returncode != 0 for path in paths)
    print(f"{len(paths) - failed} passed, {failed} failed")
    return failed > 0 or not paths


if __name__ == "__main__":
    sys.exit(main())

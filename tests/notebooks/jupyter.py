"""Runs notebooks through Jupyter with the kernel xcpp17: `jupyter.py [--cling | --mute] FOLDER NOTEBOOK.ipynb...`.

FOLDER is where the kernel works; it must hold notebook.hpp. With --cling the kernel is the one of cling_kernel.py,
otherwise the one that is installed. Ends with status 77 where there is none. A kernel that does not start or end, or a
cell that does not, ends the run with a message; --mute is a kernel that never answers, to try that with.
"""
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from cling import stored, visible


SECONDS = int(os.environ.get("NOTEBOOK_SECONDS", "300"))  # for the kernel to start, for each cell, and to end


class Deadline:
    """Ends this process and the kernel's, with a message, when what was begun last takes too long."""

    def __init__(self, notebook, manager):
        self.notebook, self.manager, self.doing = notebook, manager, ""
        signal.signal(signal.SIGALRM, self.give_up)

    def begin(self, doing):
        self.doing = doing
        signal.alarm(SECONDS)

    def give_up(self, *_):
        print(f"{self.notebook}: {self.doing} took longer than {SECONDS} seconds", flush=True)
        pid = getattr(self.manager.provisioner, "pid", None)
        if pid:
            os.kill(pid, signal.SIGKILL)
        os._exit(1)  # whatever the event loop waits for


def use_kernel(folder, *arguments):
    """Makes a Python program the kernel xcpp17, for this process."""
    spec = Path(folder) / "kernels" / "xcpp17"
    spec.mkdir(parents=True)
    command = [sys.executable, *arguments, "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "C++17", "language": "C++17"}))
    os.environ["JUPYTER_PATH"] = folder


def printed_by(cell):
    """What a cell that was run printed, and its pictures."""
    text, pictures = "", []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            text += output["text"]
        elif output["output_type"] == "display_data":
            pictures.append(output["data"]["text/html"])
    return visible(text), pictures


def run(path, folder):
    """Returns how many cells printed something else than what the notebook holds."""
    import jupyter_client.manager
    import nbclient
    import nbformat
    before = json.loads(path.read_text())["cells"]
    notebook = nbformat.read(path, as_version=4)
    manager = jupyter_client.manager.AsyncKernelManager(kernel_name="xcpp17")
    deadline = Deadline(path.name, manager)
    client = nbclient.NotebookClient(
        notebook, km=manager, timeout=None, startup_timeout=2 * SECONDS, resources={"metadata": {"path": folder}},
        on_cell_start=lambda cell, cell_index: deadline.begin(f"cell {cell_index + 1}"),
        on_notebook_complete=lambda notebook: deadline.begin("the kernel's end"))
    deadline.begin("the kernel's start")
    client.execute(cwd=folder)
    signal.alarm(0)
    wrong = 0
    for cell, then in zip(notebook.cells, before):
        if cell["cell_type"] != "code":
            continue
        text, figures = stored(then, path.parent)
        if printed_by(cell) != (text, [figure.split("\n", 1)[1] for figure in figures]):
            wrong += 1
            print(f"{path.name}: this cell printed something else:\n{cell['source']}\n{printed_by(cell)[0]}")
    print(f"{path.name}: {wrong} wrong", flush=True)
    return wrong


def main():
    arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as kernels:
        if arguments[0] == "--cling":
            arguments.pop(0)
            use_kernel(kernels, str(Path(__file__).with_name("cling_kernel.py")))
        elif arguments[0] == "--mute":
            arguments.pop(0)
            use_kernel(kernels, "-c", "import time; time.sleep(600)")
        try:
            import jupyter_client.kernelspec
            jupyter_client.kernelspec.get_kernel_spec("xcpp17")
        except (ImportError, KeyError) as missing:
            print(f"skipped: there is no Jupyter with a kernel xcpp17 here ({missing})")
            return 77
        failed = sum(run(Path(path).resolve(), arguments[0]) > 0 for path in arguments[1:])
        print(f"{len(arguments) - 1 - failed} passed, {failed} failed")
        return failed > 0


if __name__ == "__main__":
    sys.exit(main())

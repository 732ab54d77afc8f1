"""Runs notebooks through Jupyter with the kernel xcpp17: `jupyter.py [--cling] FOLDER NOTEBOOK.ipynb...`.

FOLDER is where the kernel works; it must hold notebook.hpp. With --cling the kernel is the one of cling_kernel.py,
otherwise the one that is installed. Ends with status 77 where there is none.
"""
import json
import os
import sys
import tempfile
from pathlib import Path

from cling import stored, visible


def use_cling(folder):
    """Makes cling_kernel.py the kernel xcpp17, for this process."""
    spec = Path(folder) / "kernels" / "xcpp17"
    spec.mkdir(parents=True)
    command = [sys.executable, str(Path(__file__).with_name("cling_kernel.py")), "-f", "{connection_file}"]
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
    with tempfile.TemporaryDirectory() as sockets:  # nobody else can take these, or listen
        manager = jupyter_client.manager.AsyncKernelManager(kernel_name="xcpp17", transport="ipc", ip=f"{sockets}/kernel")
        client = nbclient.NotebookClient(notebook, km=manager, timeout=300, startup_timeout=300,
                                         resources={"metadata": {"path": folder}})
        client.execute(cwd=folder)
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
            use_cling(kernels)
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

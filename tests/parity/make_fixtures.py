#!/usr/bin/env python3
"""Computes with PyTorch what the parity tests compare Gradual with, and writes it to fixtures/.

usage: make_fixtures.py [FOLDER]

Everything is computed in double. Inputs and parameters are rounded to float first, so that a float build starts from
exactly the same numbers; they are stored as F32, results and gradients as F64, token ids as I64.
"""
import json
import pathlib
import struct
import sys

import numpy as np

import modules
import operations
import recurrent

TYPES = {np.dtype("float32"): "F32", np.dtype("float64"): "F64", np.dtype("int64"): "I64"}


def write_safetensors(path, arrays):
    """Eight bytes with the length of the header, the header in JSON, then the numbers, all little-endian."""
    header, data = {}, b""
    for name, array in arrays.items():
        array = np.asarray(array)
        numbers = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": TYPES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    print(f"{path.name}: {len(arrays)} arrays, {path.stat().st_size} bytes")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "fixtures")
    folder.mkdir(parents=True, exist_ok=True)
    for name, arrays in {**operations.fixtures(), **modules.fixtures(), **recurrent.fixtures()}.items():
        write_safetensors(folder / f"{name}.safetensors", arrays)


if __name__ == "__main__":
    main()

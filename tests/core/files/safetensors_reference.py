"""Compares our safetensors files with those of the Python package (pip install safetensors numpy).

    python safetensors_reference.py write FILE   the file whose bytes stand in safetensors_test.cpp, and those bytes
    python safetensors_reference.py read FILE    prints what the package reads from a file of ours
"""
import sys

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file


def write(path):
    save_file(
        {
            "weight": np.array([[1, -2.5, 3e8], [0, -0.0, 1 / 3]], np.float32),
            "scalar": np.array(0.1, np.float64),
            "empty": np.zeros((2, 0), np.float32),
            "ids": np.array([[3, -1], [2147483647, 0]], np.int64),
            "lengths": np.array([4, 5], np.int32),
        },
        path,
        {"made by": "python", "épo\"que": "3"},
    )
    data = open(path, "rb").read()
    split = 8 + int.from_bytes(data[:8], "little")
    print("header length:", data[:8].hex())
    print("header:", data[8:split].decode())
    print("numbers:", data[split:].hex())


def read(path):
    with safe_open(path, "np") as file:
        print("metadata", file.metadata())
        for name in file.offset_keys() if hasattr(file, "offset_keys") else file.keys():
            array = file.get_tensor(name)
            print(name, array.dtype, array.shape, array.tolist())


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](sys.argv[2])

#!/usr/bin/env python3
"""A kernel outlives what parts do: hundred_crashes.py DRIVER FOLDER [COUNT]

Writes FOLDER/hundred.ipynb: COUNT times (100) a cell that saves a part which crashes, never ends or asks for too much, and one that has it
graded and counts the verdict if it says how it ended. DRIVER runs it in FOLDER, which is called 02-softmax as in coursework/. The last
cell tells how long verdicts took, and prints how many there were: by the kernel that the first cell began, whose count it is.
"""
import json
import os
import pathlib
import sys

driver, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
count = int(sys.argv[3]) if len(sys.argv) > 3 else 100

# What a part does, and what is said of it.
WAYS = [
    ("*reinterpret_cast<volatile int*>(y.size() - y.size()) = 1;", "was ended by a segmentation fault"),
    ("for (volatile Index i = 0; i >= 0;) i = 0;", "took too long and was ended"),
    ("std::abort();", "called abort"),
    ("struct Deep { static int down(volatile char* a) { volatile char b[65536]; b[0] = a[0]; return down(b) + b[0]; } };"
     " volatile char c = 1; if (Deep::down(&c) == 1) return y;", "was ended by a segmentation fault"),
    ("volatile Index zero = y.size() - y.size(); if (y.size() / zero == 1) return y;", "a division of whole numbers by 0"),
    ("std::vector<std::vector<double>> all; while (true) all.emplace_back(1 << 20);", "std::bad_alloc"),
    ("while (true) std::puts(\"and on\");", "printed more than 64 MB and was ended"),
    ("__builtin_trap();", "was ended by signal 4"),
    ("std::terminate();", "called abort"),
    ("throw 7;", "it threw what is no std::exception"),
]
PART = """%%file 3_softmax_slope.cpp
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include <gradual/core/rows/rows.hpp>

namespace gradual {{

// {place}
Tensor softmax_backward(const Tensor& y, const Tensor& dy) {{
  {what}
  return dy;
}}

}}  // namespace gradual"""
BEGIN = """#include "../../notebooks/grade.hpp"
#include <algorithm>
#include <chrono>
#include <sstream>
#include <vector>

int survived = 0;
std::vector<double> seconds;
std::string of_the_longest;

void expect(const std::string& how) {
  std::ostringstream said;
  std::streambuf* const screen = std::cout.rdbuf(said.rdbuf());
  const auto begin = std::chrono::steady_clock::now();
  grade("02.3");
  seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  std::cout.rdbuf(screen);
  if (seconds.back() == *std::max_element(seconds.begin(), seconds.end())) of_the_longest = how;
  if (said.str().find(how) != std::string::npos)
    ++survived;
  else
    std::cout << "expected: " << how << "; said: " << said.str() << "\\n";
}"""
END = """std::sort(seconds.begin(), seconds.end());
std::cerr << seconds.size() << " verdicts by the clock: median " << seconds[seconds.size() / 2] << " s, 95 % under "
          << seconds[seconds.size() * 95 / 100] << " s, the longest " << seconds.back() << " s: it " << of_the_longest << "\\n";
std::cout << survived << "\\n";"""


def cell(source, printed=""):
    outputs = [{"name": "stdout", "output_type": "stream", "text": [printed]}] if printed else []
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs, "source": [source]}


cells = [cell(BEGIN)]
for i in range(count):
    what, how = WAYS[i % len(WAYS)]
    cells.append(cell(PART.format(place=i, what=what)))
    cells.append(cell(f"expect({json.dumps(how)});"))
cells.append(cell(END, f"{count}\n"))
folder.mkdir(parents=True, exist_ok=True)
(folder / "hundred.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}), encoding="utf-8")
os.chdir(folder)
os.execv(driver, [driver, "hundred.ipynb"])

#!/usr/bin/env python3
"""Writes lower_case_table.inc: the capital letters of Unicode with their small ones, as Python's str.lower has them.

    python3 nn/text/make_lower_case_table.py > nn/text/lower_case_table.inc
"""
import unicodedata

surrogates = range(0xD800, 0xE000)
pairs = [(c, ord(chr(c).lower())) for c in range(0x110000)
         if c not in surrogates and len(chr(c).lower()) == 1 and chr(c).lower() != chr(c)]
rows = []  # [first, last, step, what to add]
for capital, small in pairs:
    if rows:
        first, last, step, add = rows[-1]
        gap = capital - last
        if small - capital == add and (gap == step or (first == last and gap <= 2)):
            rows[-1] = [first, capital, gap, add]
            continue
    rows.append([capital, capital, 1, small - capital])

print(f"// Capital letters of Unicode {unicodedata.unidata_version}, made by make_lower_case_table.py: the first and the last of a row, how far")
print("// they are apart, and what to add for the small letter. İ (U+0130), whose small form has two characters, is not here.")
line = ""
for first, last, step, add in rows:
    row = f"{{0x{first:X}, 0x{last:X}, {step}, {add}}},"
    if len(line) + 1 + len(row) > 110:
        print(line)
        line = ""
    line += (" " if line else "") + row
print(line)

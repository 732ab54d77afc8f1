#!/usr/bin/env python3
"""Greedy and beam search in CTranslate2, timed: the other side of decode_bench, with its very weights. Prints one JSON line for
each mode, with the keys of decode_bench: of its two ways to use threads, one sentence batch for each or all for one, the faster.

usage: decode_bench --write-model FOLDER
       decode_ctranslate2.py FOLDER [--threads N] [--sentences N] [--batch N] [--beam N] [--length N] [--int8] [beam] [greedy]
"""
import argparse
import json
import random
import time

import ctranslate2

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("modes", nargs="*", default=["beam", "greedy"])
for name, value in (("threads", 2), ("sentences", 1000), ("batch", 50), ("beam", 5), ("length", 16)):
    parser.add_argument("--" + name, type=int, default=value)
parser.add_argument("--int8", action="store_true")
a = parser.parse_intermixed_args()

with open(a.folder + "/source_vocabulary.json") as file:
    words = json.load(file)[4:]
chance = random.Random(1)
# 8 to 16 with the end token, which it adds.
sentences = [[chance.choice(words) for _ in range(chance.randint(7, 15))] for _ in range(a.sentences)]


def per_second(inter, intra, beam):
    engine = ctranslate2.Translator(a.folder, inter_threads=inter, intra_threads=intra, compute_type="int8" if a.int8 else "float32")
    search = lambda some: engine.translate_batch(
        some, beam_size=beam, max_batch_size=a.batch, min_decoding_length=a.length, max_decoding_length=a.length
    )
    search(sentences[: a.batch])
    start = time.perf_counter()
    found = search(sentences)
    seconds = time.perf_counter() - start
    assert all(len(each.hypotheses[0]) == a.length for each in found), "a translation has another length"
    return round(a.sentences / seconds, 1)


for mode in a.modes:
    beam = 1 if mode == "greedy" else a.beam
    best = max(per_second(*ways, beam) for ways in {(a.threads, 1), (1, a.threads)})
    line = {"peer": "ctranslate2 " + ctranslate2.__version__, "mode": mode, "precision": "int8" if a.int8 else "real", "shortlist": 0}
    line |= {"beam": beam, "length": a.length, "threads": a.threads, "batch": a.batch, "sentences_per_s": best}
    print(json.dumps(line), flush=True)

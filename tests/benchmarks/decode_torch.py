#!/usr/bin/env python3
"""Beam search in PyTorch, timed: the other side of decode_bench. `cached` keeps the keys and values of the words so far;
`refeed` runs the decoder over all of them for each new word, as teaching code does. Both must find the same words. Prints one
JSON line for each mode, with the keys of decode_bench: of its two ways to use threads, all for one batch or one process with a
batch for each, the faster.

usage: decode_torch.py [--threads N] [--sentences N] [--batch N] [--beam N] [--length N] [cached] [refeed]
"""
import argparse
import json
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor

import torch

from transformer_torch import CONFIGURATIONS, Transformer, random_source


class Cached:
    """Writes word by word; each layer's keys and values grow by one place a word."""

    def __init__(self, model, memory, mask):
        self.model, self.mask = model, mask
        self.source = [layer.cross_attention.source_keys_values(memory) for layer in model.decoder]
        self.past = [None] * len(model.decoder)

    def logits(self, words):
        x = self.model.embed(words[:, -1:], first=words.shape[1] - 1)
        for i, layer in enumerate(self.model.decoder):
            own, cross = layer.attention, layer.cross_attention
            query, key, value = (own.split(part) for part in own.rest(layer.norms[0](x)).chunk(3, 2))
            if self.past[i] is not None:
                key, value = (torch.cat(pair, 2) for pair in zip(self.past[i], (key, value)))
            self.past[i] = (key, value)
            x = x + own.weigh(query, key, value)
            x = x + cross.weigh(cross.split(cross.query(layer.norms[1](x))), *self.source[i], self.mask)
            x = x + layer.feed_forward(layer.norms[2](x))
        return self.model.logits(self.model.decoder_norm(x[:, 0]))

    def select(self, rows):
        self.past = [(key[rows], value[rows]) for key, value in self.past]
        if len(rows) != len(self.mask):  # later, hypotheses of one sentence share its source
            self.mask, self.source = self.mask[rows], [[part[rows] for part in parts] for parts in self.source]


class Refeed:
    def __init__(self, model, memory, mask):
        self.model, self.memory, self.mask = model, memory, mask

    def logits(self, words):
        return self.model.logits(self.model.decode(words, self.memory, self.mask)[:, -1])

    def select(self, rows):
        if len(rows) != len(self.mask):
            self.mask, self.memory = self.mask[rows], self.memory[rows]


def beam_search(model, kind, source, mask, beam, length):
    """[B · beam, 1 + length]: every hypothesis runs to the same length, so the work does not depend on the weights."""
    sentences = source.shape[0]
    state = kind(model, model.encode(source, mask), mask)
    words = torch.ones(sentences, 1, dtype=torch.long)
    scores = torch.zeros(sentences, 1)  # all hypotheses begin alike: one for each sentence
    for _ in range(length):
        log_probabilities = state.logits(words).log_softmax(1)
        vocabulary, hypotheses = log_probabilities.shape[1], scores.shape[1]
        scores, best = (scores.view(-1, 1) + log_probabilities).view(sentences, -1).topk(beam)
        rows = (hypotheses * torch.arange(sentences)[:, None] + best // vocabulary).flatten()
        words = torch.cat((words[rows], (best % vocabulary).view(-1, 1)), 1)
        state.select(rows)
    return words


class Search:
    """The model, the same in each process, and its sentences in the order of their lengths."""

    def __init__(self, settings, threads):
        torch.manual_seed(0)
        torch.set_num_threads(threads)
        c = CONFIGURATIONS["multi30k"]
        self.settings, self.model = settings, Transformer(c).eval()
        source, mask = random_source(c, settings.sentences)
        self.lengths, like_length = mask.sum(3).flatten().sort()
        self.source, self.mask = source[like_length], mask[like_length]

    @torch.no_grad()
    def __call__(self, mode, first):
        """The translations of a batch."""
        rows = slice(first, first + self.settings.batch)
        longest = int(self.lengths[rows].max())
        return beam_search(self.model, KINDS[mode], self.source[rows, :longest], self.mask[rows, ..., :longest],
                           self.settings.beam, self.settings.length)


def start(settings, ready):
    """In a process of its own: waits until all others are there."""
    global own
    try:
        own = Search(settings, 1)
        for mode in settings.modes:
            own(mode, 0)
        ready.wait()
    except BaseException:
        ready.abort()  # nobody waits for one that does not come
        raise


def search_here(mode, first):
    return own(mode, first).numpy()


KINDS = {"cached": Cached, "refeed": Refeed}


def main():
    parser = argparse.ArgumentParser()
    for name, value in (("threads", 2), ("sentences", 1000), ("batch", 50), ("beam", 5), ("length", 16)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("modes", nargs="*", default=list(KINDS))
    a = parser.parse_intermixed_args()
    batches = range(0, a.sentences, a.batch)

    def seconds_of(search):
        before = time.perf_counter()
        words = search()
        return time.perf_counter() - before, torch.cat(words)

    together, seconds, found = Search(a, a.threads), {}, {}
    for mode in a.modes:
        together(mode, 0)
        seconds[mode], found[mode] = seconds_of(lambda: [together(mode, first) for first in batches])
    if a.threads > 1:
        spawn = multiprocessing.get_context("spawn")
        ready = spawn.Barrier(a.threads + 1)
        with ProcessPoolExecutor(a.threads, spawn, start, (a, ready)) as pool:
            for _ in range(a.threads):
                pool.submit(int)  # while none is ready, each starts a process
            ready.wait()
            for mode in a.modes:
                apart, _ = seconds_of(lambda: [torch.from_numpy(words) for words in pool.map(search_here, [mode] * len(batches), batches)])
                seconds[mode] = min(seconds[mode], apart)
    for mode in a.modes:
        line = {"peer": "torch " + torch.__version__, "mode": mode, "precision": "real", "shortlist": 0, "beam": a.beam, "length": a.length}
        line |= {"threads": a.threads, "batch": a.batch, "sentences_per_s": round(a.sentences / seconds[mode], 1)}
        print(json.dumps(line), flush=True)
    for mode in a.modes[1:]:  # sums in another order may decide between two that are equally likely
        assert (found[mode] == found[a.modes[0]]).float().mean() > 0.99, "the modes find different words"


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Beam search in PyTorch, timed: the other side of decode_bench. `cached` keeps the keys and values of the words so far;
`refeed` runs the decoder over all of them for each new word, as teaching code does. Both must find the same words. Prints one
JSON line for each mode, with the keys of decode_bench.

usage: decode_torch.py [--threads N] [--sentences N] [--batch N] [--beam N] [--length N] [cached] [refeed]
"""
import argparse
import json
import time

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

    def select(self, rows):  # hypotheses of one sentence share its source
        self.past = [(key[rows], value[rows]) for key, value in self.past]


class Refeed:
    def __init__(self, model, memory, mask):
        self.model, self.memory, self.mask = model, memory, mask

    def logits(self, words):
        return self.model.logits(self.model.decode(words, self.memory, self.mask)[:, -1])

    def select(self, rows):
        pass


def beam_search(model, kind, source, mask, beam, length):
    """[B · beam, 1 + length]: every hypothesis runs to the same length, so the work does not depend on the weights."""
    sentences = source.shape[0]
    memory = model.encode(source, mask).repeat_interleave(beam, 0)
    state = kind(model, memory, mask.repeat_interleave(beam, 0))
    words = torch.ones(sentences * beam, 1, dtype=torch.long)
    scores = torch.full((sentences, beam), -torch.inf)
    scores[:, 0] = 0  # all begin alike: only one counts
    first_row = beam * torch.arange(sentences)[:, None]
    for _ in range(length):
        log_probabilities = state.logits(words).log_softmax(1)
        vocabulary = log_probabilities.shape[1]
        scores, best = (scores.view(-1, 1) + log_probabilities).view(sentences, -1).topk(beam)
        rows = (first_row + best // vocabulary).flatten()
        words = torch.cat((words[rows], (best % vocabulary).view(-1, 1)), 1)
        state.select(rows)
    return words


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser()
    for name, value in (("threads", 2), ("sentences", 1000), ("batch", 50), ("beam", 5), ("length", 16)):
        parser.add_argument("--" + name, type=int, default=value)
    kinds = {"cached": Cached, "refeed": Refeed}
    parser.add_argument("modes", nargs="*", default=list(kinds))
    a = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(a.threads)
    c = CONFIGURATIONS["multi30k"]
    model = Transformer(c).eval()
    source, mask = random_source(c, a.sentences)
    lengths, like_length = mask.sum(3).flatten().sort()
    source, mask = source[like_length], mask[like_length]
    found = []
    for mode in a.modes:

        def search(rows):
            longest = int(lengths[rows].max())
            return beam_search(model, kinds[mode], source[rows, :longest], mask[rows, ..., :longest], a.beam, a.length)

        search(slice(0, a.batch))
        start = time.perf_counter()
        found.append(torch.cat([search(slice(i, i + a.batch)) for i in range(0, a.sentences, a.batch)]))
        seconds = time.perf_counter() - start
        line = {"peer": "torch " + torch.__version__, "mode": mode, "precision": "real", "shortlist": 0, "beam": a.beam, "length": a.length}
        line |= {"threads": a.threads, "batch": a.batch, "sentences_per_s": round(a.sentences / seconds, 1)}
        print(json.dumps(line), flush=True)
    for other in found[1:]:  # sums in another order may decide between two that are equally likely
        assert (other == found[0]).float().mean() > 0.99, "the modes find different words"


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The numbers that attention_by_hand must print, calculated in decimal arithmetic from the definition of attention.

usage: expected_numbers.py [--sentence WORDS] [--mask causal|none] [--valid-length N]

Prints the numbers of each line of the program that has any, in the same order. The files in expected/ were made by

    expected_numbers.py > expected/default.txt
    expected_numbers.py --sentence "mice fear dogs cheese" --mask none --valid-length 3 > expected/padding.txt
"""
import argparse
from decimal import Decimal, ROUND_HALF_UP, getcontext

getcontext().prec = 40

WORDS = {"cats": (1, 0, 1), "dogs": (1, 0, 2), "mice": (1, 0, -1), "chase": (0, 1, 0), "fear": (0, 1, -1), "cheese": (0, 0, -1)}
W_Q = ((0, 2, 1, 0), (2, 0, 0, -1), (1, 0, 0, 1))
W_K = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, -1))
W_V = ((4, 0), (0, 4), (2, 1))
INFINITY = Decimal("Infinity")


def rounded(x):
    return x if x.is_infinite() else x.quantize(Decimal("0.0001"), ROUND_HALF_UP)


def written(x):
    if x.is_infinite():
        return "-∞"
    x = rounded(x)
    return "0" if x == 0 else f"{x.normalize():f}"


def line(*numbers):
    print(*(written(Decimal(n)) for n in numbers))


def dot(a, b, after=lambda total: ()):
    """One line: the factors, the products, the sum, and what comes after; returns the sum."""
    factors = [f for pair in zip(a, b) for f in pair]
    products = [rounded(Decimal(x) * Decimal(y)) for x, y in zip(a, b)]
    total = sum(products)
    line(*factors, *products, total, *after(total))
    return total


def columns(matrix):
    return list(zip(*matrix))


def project(words, weights):
    for row in weights:
        line(*row)
    results = [[dot(word, column) for column in columns(weights)] for word in words]
    for row in results:
        line(*row)
    return results


def exact(words, visible):
    """The result without any rounding on the way."""
    product = lambda a, m: [sum(Decimal(x) * y for x, y in zip(a, column)) for column in columns(m)]
    queries, keys, values = ([product(w, m) for w in words] for m in (W_Q, W_K, W_V))
    for q, query in enumerate(queries):
        powers = [
            (sum(x * y for x, y in zip(query, key)) / Decimal(4).sqrt()).exp() if visible(q, k) else Decimal(0)
            for k, key in enumerate(keys)
        ]
        total = sum(powers)
        yield product([p / total if total else 0 for p in powers], values)


parser = argparse.ArgumentParser()
parser.add_argument("--sentence", default="cats chase mice")
parser.add_argument("--mask", default="causal")
parser.add_argument("--valid-length", type=int, default=10**6)
arguments = parser.parse_args()
words = [WORDS[word] for word in arguments.sentence.split()]
places = range(len(words))
visible = lambda q, k: k < arguments.valid_length and (arguments.mask != "causal" or k <= q)

for word in words:
    line(*word)
queries, keys, values = project(words, W_Q), project(words, W_K), project(words, W_V)

scores = [[None] * len(words) for _ in words]
for q in places:
    for k in places:
        scores[q][k] = dot(queries[q], keys[k], after=lambda total: (total, 4, total, 2, total / 2)) / 2
for row in scores:
    line(*row)
scores = [[scores[q][k] if visible(q, k) else -INFINITY for k in places] for q in places]
for row in scores:
    line(*row)

weights = []
for row in scores:
    powers = [Decimal(0) if s.is_infinite() else rounded(s.exp()) for s in row]
    line(*(n for pair in zip(row, powers) for n in pair))
    total = sum(powers)
    if total == 0:
        print(0)  # "all weights are 0"
        weights.append(powers)
        continue
    line(*powers, total)
    weights.append([rounded(p / total) for p in powers])
    line(*(n for p, w in zip(powers, weights[-1]) for n in (p, total, w)))
for row in weights:
    line(*row)

outputs = [[dot(row, column) for column in columns(values)] for row in weights]
for row in outputs:
    line(*row)
for row in exact(words, visible):
    line(*row)

#!/usr/bin/env python3
"""The whole pass of the frozen translator, from the definitions alone: Vaswani et al. 2017 with the norms before the parts.

usage: expected_translation.py CONF [PAGE]

Prints the words that it writes for "il fait froid" and the scores of all words. With PAGE, the page that
`attention_by_hand translate` left, each cell's sum must consist of the numbers that stand where it says and add up to the
cell's number, and the page's scores must be these, up to what its rounding to three decimals makes of them.
"""
import html
import math
import re
import sys

HEADS = 2


def read(path):
    entries = {}
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#"):
            name, _, row = line.partition(" = ")
            entries.setdefault(name, []).append(row.split())
    words = entries.pop("source")[0], entries.pop("target")[0]
    return *words, {name: [[float(x) for x in row] for row in rows] for name, rows in entries.items()}


def transposed(m):
    return [list(column) for column in zip(*m)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def plus(a, b):
    return [[x + y for x, y in zip(r, s)] for r, s in zip(a, b)]


def softmax(row):
    powers = [math.exp(s) for s in row]
    return [p / sum(powers) for p in powers]


class Model:
    def __init__(self, weights):
        self.weights = weights

    def linear(self, x, name, rows=slice(None)):
        weight, bias = self.weights[name + "weight"][rows], self.weights[name + "bias"][0][rows]
        return [[y + b for y, b in zip(row, bias)] for row in product(x, transposed(weight))]

    def norm(self, x, name):
        (gain,), (bias,) = self.weights[name + ".gain"], self.weights[name + ".bias"]
        result = []
        for row in x:
            mean = sum(row) / len(row)
            deviation = math.sqrt(sum((v - mean) ** 2 for v in row) / len(row) + 1e-5)
            result.append([(v - mean) / deviation * g + b for v, g, b in zip(row, gain, bias)])
        return result

    def attention(self, x, memory, name, causal=False):
        width = len(x[0])
        d = width // HEADS
        q = self.linear(x, name, slice(0, width))
        k, v = (self.linear(memory, name, slice(i * width, (i + 1) * width)) for i in (1, 2))
        results = [[] for _ in x]
        for h in range(HEADS):
            part = slice(h * d, (h + 1) * d)
            for i, row in enumerate(q):
                seen = i + 1 if causal else len(k)
                weights = softmax([sum(a * b for a, b in zip(row[part], key[part])) / math.sqrt(d) for key in k[:seen]])
                results[i] += [sum(w * value[c] for w, value in zip(weights, v)) for c in range(width)[part]]
        return self.linear(results, name + "output.")

    def feed_forward(self, x, name):
        inner = [[max(0, u) for u in row] for row in self.linear(x, name + ".inner.")]
        return self.linear(inner, name + ".outer.")

    def embed(self, ids, table):
        rows, width = self.weights[table], len(self.weights[table][0])
        angle = lambda place, c: place / 10000 ** ((c - c % 2) / width)
        return [[math.sqrt(width) * rows[each][c] + (math.cos if c % 2 else math.sin)(angle(place, c)) for c in range(width)]
                for place, each in enumerate(ids)]

    def encode(self, ids):
        x, layer = self.embed(ids, "source_embedding.weight"), "encoder.0."
        normed = self.norm(x, layer + "around_attention.norm")
        x = plus(x, self.attention(normed, normed, layer + "self_attention."))
        x = plus(x, self.feed_forward(self.norm(x, layer + "around_feed_forward.norm"), layer + "feed_forward"))
        return self.norm(x, "encoder_norm")

    def scores(self, ids, memory):
        x, layer = self.embed(ids, "target_embedding.weight"), "decoder.0."
        normed = self.norm(x, layer + "around_self.norm")
        x = plus(x, self.attention(normed, normed, layer + "self_attention.", causal=True))
        x = plus(x, self.attention(self.norm(x, layer + "around_cross.norm"), memory, layer + "cross_attention."))
        x = plus(x, self.feed_forward(self.norm(x, layer + "around_feed_forward.norm"), layer + "feed_forward"))
        return product(self.norm(x, "decoder_norm"), transposed(self.weights["target_embedding.weight"]))


def translate(path, sentence):
    source, target, weights = read(path)
    model, written = Model(weights), ["begin"]
    memory = model.encode([source.index(word) for word in sentence.split()])
    while True:
        scores = model.scores([target.index(word) for word in written], memory)
        word = target[scores[-1].index(max(scores[-1]))]
        if word == "end" or len(written) == 8:
            return written[1:], scores
        written.append(word)


def value_of(expression):
    """What an opened sum comes to, by Python's own arithmetic."""
    for there, here in (("∞", "inf"), ("·", "*"), ("√(", "math.sqrt("), ("√2", "math.sqrt(2)"), ("^", "**"), ("e**", "math.e**")):
        expression = expression.replace(there, here)
    return eval(expression, {"math": math, "inf": math.inf, "max": max, "sin": math.sin, "cos": math.cos})


def is_made_of(caption, sources):
    """Whether a table called "y = x + O", "Q = LN(x)·W + b" or "LN(y)" has its numbers from tables of these names."""
    symbols = {source.split(" = ")[0] for source in sources}
    result, _, sum_of = caption.rpartition(" = ")
    if norm := re.fullmatch(r"LN\((\w+)\)", sum_of):
        return symbols == {norm[1], "mean", "deviation", "gain", "bias"}
    if linear := re.fullmatch(r"(?:max\(0, )?(.+)·W \+ b\)?", sum_of):
        return symbols == {linear[1], f"W of {result}", f"bias of {result}"}
    if added := re.fullmatch(r"(\w) \+ (\w)", sum_of):
        return symbols == set(added.groups())
    return not sum_of.startswith("LN")


def check_page(page, scores):
    """Looks at each cell of the page; returns how many sums there are, and what is wrong."""
    tables, names, sums, problems = {}, {}, 0, []
    page = page.replace("−", "-")
    for name, caption, body in re.findall(r'<table class="sheet[^>]*id="(\w+)"><caption>([^<]*)</caption>(.*?)</table>', page, re.S):
        rows = re.findall(r"<tr>(.*?)</tr>", body.split("<tbody>")[1], re.S)
        tables[name] = [re.findall(r"<td([^>]*)>([^<]*)</td>", row) for row in rows]
        names[name] = html.unescape(caption)
    number = lambda text: float(text.replace("∞", "inf"))
    for name, rows in tables.items():
        for i, row in enumerate(rows):
            for j, (attributes, shown) in enumerate(row):
                found = {key: html.unescape(text) for key, text in re.findall(r'data-(\w+)="([^"]*)"', attributes)}
                if "sum" not in found:
                    if "given" not in re.search(f'<table class="([^"]*)"[^>]*id="{name}"', page)[1]:
                        problems.append(f"{names[name]} {i} {j} has no sum")
                    continue
                sums += 1
                if not is_made_of(names[name], {names[table] for table in re.findall(r"\{(\w+)\.", found["sum"])}):
                    problems.append(f"{names[name]} {i} {j} is made of other tables than it says")
                for table, r, c, text in re.findall(r"\{(\w+)\.(\d+)\.(\d+)\|([^}]*)\}", found["sum"]):
                    if tables[table][int(r)][int(c)][1] != text.strip("()"):
                        problems.append(f"{names[name]} {i} {j}: {text} is not what stands in {names[table]} {r} {c}")
                plain = re.sub(r"\{[^|]*\|([^}]*)\}", r"\1", found["sum"])
                if shown != "-∞" and abs(value_of(plain) - number(shown)) > 0.00050001:
                    problems.append(f"{names[name]} {i} {j}: {plain} is {value_of(plain)}, not {shown}")
                # Its parts are rounded to four decimals.
                if "step" in found and abs(value_of(found["step"]) - number(shown)) > 0.0008 * (1 + abs(number(shown))):
                    problems.append(f"{names[name]} {i} {j}: {found['step']} is not {shown}")
    theirs = next(rows for name, rows in tables.items() if names[name] == "scores of the words")
    for row, numbers in zip(theirs, scores):
        for (_, shown), ours in zip(row, numbers):
            if abs(number(shown) - ours) > 0.05:
                problems.append(f"the page has the score {shown}, and it is {ours}")
    return sums, problems


def main():
    written, scores = translate(sys.argv[1], "il fait froid end")
    print(" ".join(written))
    for row in scores:
        print(" ".join(f"{score:.5f}" for score in row))
    if len(sys.argv) > 2:
        sums, problems = check_page(open(sys.argv[2], encoding="utf-8").read(), scores)
        print(*problems, f"{sums} sums", sep="\n")
        return bool(problems) or not sums


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The paper calculation of docs/many-machines.md: what a training step costs on N machines.

    many_machines.py docs [--check]

reads what all_reduce.sh measured (docs/many-machines/*.jsonl) and the times of a step (docs/results.md), and writes anew
what stands between `<!-- computed: NAME -->` and `<!-- end -->` in the page. With --check nothing is written, and what
would change is an error.
"""

import json
import math
import re
import sys
from pathlib import Path

import computed
from computed import table

CORES = 2  # of the machine that was measured
ETHERNET = 50e-6  # assumed: what a card, a cable and a switch add to a step of the ring on a virtual wire
MACHINES = (8, 64, 512)
NETWORKS = (("1 Gbit/s", 125e6), ("10 Gbit/s", 1250e6))
BUCKET_BYTES_EACH = 2**19  # DataParallel's: a bucket holds so many bytes for each process
TYPICAL = 2**22  # bytes of the sum whose rate counts; larger ones leave the caches of a machine with two processes
HALF_OF_COMPUTE = 0.5  # what can hide a sum: backward is two thirds of a step, and the first bucket fills late


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


class Measured:
    def __init__(self, docs):
        folder = docs / "many-machines"
        self.sums = lines_of(folder / "sums.jsonl")
        self.overlap = lines_of(folder / "overlap.jsonl")
        results = (docs / "results.md").read_text()
        self.models = []
        steps = lines_of(folder / "steps.jsonl")
        for whole, single in zip(steps[::2], steps[1::2]):
            row = re.search(r"^\| `%s` \| ([\d,.]+) ms" % whole["config"], results, re.MULTILINE)
            self.models.append(Model(whole, single, float(row[1].replace(",", "")) / 1e3))
        self.software = self.sum("wire", 4096)["median_us"] / 2e6  # two steps of the ring, with next to nothing to send
        self.latency = self.software + ETHERNET
        self.rate = TYPICAL / self.sum("1gbit", TYPICAL)["median_us"] * 1e6  # bytes a second
        self.fastest = TYPICAL / self.sum("wire", TYPICAL)["least_us"] * 1e6

    def sum(self, where, count):
        return next(line for line in self.sums if (line["where"], line["bytes"]) == (where, count))

    def network(self, nominal):
        """Bytes a second of a network, and what a second of its work takes from computing, in seconds.

        That is its share that was measured, and no more than two processes here ever moved.
        """
        rate = min(nominal * self.rate / 125e6, self.fastest)
        processor = self.sum("1gbit" if nominal <= 125e6 else "wire", TYPICAL)["processor_us"] * 1e-6 / TYPICAL
        return rate, min(1.0, processor * rate / CORES)


class Model:
    """A model with its batch: a step takes `fixed` seconds whatever the batch, and `variable` for the whole of it."""

    def __init__(self, whole, single, step):
        self.name = whole["config"]
        self.bytes = 4 * whole["params"]
        self.embedding = 4 * whole["vocabulary"] * whole["width"]
        self.sentences = whole["batch"]
        one, all_ = single["min_ms"], whole["min_ms"]
        variable = (all_ - one) / (self.sentences - 1) * self.sentences / all_
        self.variable = variable * step
        self.fixed = step - self.variable


class Sum:
    """The sum of all gradients over N machines, in buckets: its time, and what part may run beside backward."""

    def __init__(self, total, embedding, machines, rate, latency):
        buckets = max(1, math.ceil(total / (BUCKET_BYTES_EACH * machines)))
        self.waiting = 2 * (machines - 1) * buckets * latency
        self.moving = 2 * (machines - 1) / machines * total / rate
        self.seconds = self.waiting + self.moving
        last = max(embedding / total, 1 / buckets)  # complete when backward ends
        self.hideable = (1 - last) * self.seconds


class Step:
    def __init__(self, measured, model, machines, nominal, share, batches=1, bytes_of_number=4):
        """`share`: of the batch, on each machine; `batches`: so many add up before there is a sum."""
        rate, price = measured.network(nominal)
        compute = model.variable * share
        self.sum = Sum(model.bytes * bytes_of_number / 4, model.embedding * bytes_of_number / 4, machines, rate,
                       measured.latency)
        hidden = min(HALF_OF_COMPUTE * compute, self.sum.hideable)
        self.seconds = model.fixed + batches * compute + self.sum.seconds - (1 - price) * hidden
        parts = {"words": batches * compute, "update": model.fixed, "wire": self.sum.moving, "latency": self.sum.waiting}
        self.largest = max(parts, key=parts.get)
        self.alone = model.fixed + batches * model.variable  # one machine with the whole batch


def time(seconds):
    if seconds >= 100:
        return f"{seconds:,.0f} s"
    if seconds >= 1:
        return f"{seconds:.1f} s"
    if seconds >= 1e-3:
        return f"{1e3 * seconds:.0f} ms" if seconds >= 0.01 else f"{1e3 * seconds:.1f} ms"
    return f"{1e6 * seconds:.0f} µs"


def percent(share):
    return f"{100 * share:.0f} %" if share >= 0.095 else f"{100 * share:.1f} %"


def size(count):
    return f"{count // 2**20} MiB" if count >= 2**20 else f"{count // 2**10} KiB"


def cost_table(measured):
    head = ["bytes", "memory", "wire", "wire of 1 Gbit/s", "processor time of that"]
    rows = []
    for count in (2**12, 2**16, 2**18, 2**20, 2**22, 2**26):
        lines = [measured.sum(where, count) for where in ("memory", "wire", "1gbit")]
        rows.append([size(count)] + [f"{time(line['least_us'] * 1e-6)}; {time(line['median_us'] * 1e-6)}" for line in lines]
                    + [time(lines[-1]["processor_us"] * 1e-6)])
    return table(head, rows)


def overlap_table(measured):
    head = ["wire", "parameters, of them embedding", "sum alone", "by the formula", "left when backward ends",
            "by the formula"]
    rows = []
    for line in measured.overlap:
        nominal = {"1gbit": 125e6, "200mbit": 25e6}[line["where"]]
        sum_ = Sum(4 * line["parameters"], 4 * line["embeddings"], 2, measured.network(nominal)[0], measured.software)
        hidden = min(HALF_OF_COMPUTE * line["compute_least_ms"] * 1e-3, sum_.hideable)
        rows.append([{"1gbit": "1 Gbit/s", "200mbit": "0.2 Gbit/s"}[line["where"]],
                     f"{line['parameters'] / 1e6:.2f} million, {percent(line['embeddings'] / line['parameters'])}",
                     time(line["sum_least_ms"] * 1e-3), time(sum_.seconds),
                     time(line["wait_after_backward_least_ms"] * 1e-3), time(sum_.seconds - hidden)])
    return table(head, rows)


def inputs(measured):
    rows = [[f"`{m.name}`", f"{m.bytes / 4e6:.2f} million", f"{m.sentences}", time(m.fixed + m.variable), time(m.fixed)]
            for m in measured.models]
    prices = [100 * measured.network(nominal)[1] for _, nominal in NETWORKS]
    return (f"Measured: a step of the ring waits {1e6 * measured.software:.0f} µs (the model adds {1e6 * ETHERNET:.0f} µs for a real "
            f"network, which is a guess); 1 Gbit/s carry {1e-6 * measured.rate:.0f} MB/s, no wire more than "
            f"{1e-6 * measured.fastest:,.0f} MB/s; $u$ is {prices[0]:.0f} % at 1 Gbit/s and {prices[1]:.0f} % at 10.\n\n"
            + table(["model", "parameters", "sentences", "a step", "of it, whatever the batch"], rows))


def scaling_table(measured):
    head = ["model", "machines"]
    for network, _ in NETWORKS:
        head += [f"{network}: the sum", "same batch", "same batch each", "most of it"]
    rows = []
    for model in measured.models:
        for n in MACHINES:
            row = [f"`{model.name}`", f"{n}"]
            for _, nominal in NETWORKS:
                strong = Step(measured, model, n, nominal, 1 / n)
                weak = Step(measured, model, n, nominal, 1)
                few = " †" if n > model.sentences else ""
                row += [time(weak.sum.seconds), f"{time(strong.seconds)}, {percent(strong.alone / n / strong.seconds)}{few}",
                        f"{time(weak.seconds)}, {percent(weak.alone / weak.seconds)}", weak.largest]
            rows.append(row)
    return table(head, rows)


def algorithms_table(measured):
    """Of the models with the least and the most to send, on the slower network."""
    rate, _ = measured.network(NETWORKS[0][1])
    head = ["gradients of"] + [f"{n} machines: ring; tree; halving" for n in MACHINES]
    rows = []
    for model in (measured.models[0], measured.models[-1]):
        row = [f"`{model.name}`"]
        for n in MACHINES:
            rounds = math.log2(n)
            ring = Sum(model.bytes, model.embedding, n, rate, measured.latency).seconds
            tree = 2 * rounds * (measured.latency + model.bytes / rate)
            halving = 2 * rounds * measured.latency + 2 * (n - 1) / n * model.bytes / rate
            row.append("; ".join(map(time, (ring, tree, halving))))
        rows.append(row)
    return table(head, rows)


def batches_for(measured, model, machines, nominal, bytes_of_number, wanted=0.8):
    """How many batches on each machine must add up for an efficiency, or None."""
    for batches in range(1, 10001):
        step = Step(measured, model, machines, nominal, 1, batches, bytes_of_number)
        if step.alone / step.seconds >= wanted:
            return batches
    return None


def remedies_table(measured):
    head = ["batches to add up for 80 %", "1 Gbit/s: 8", "64", "512 machines", "10 Gbit/s: 8", "64", "512 machines"]
    rows = []
    for model in measured.models:
        for name, bytes_of_number in (("", 4), (", half the bytes", 2)):
            rows.append([f"`{model.name}`{name}"] + [f"{batches_for(measured, model, n, nominal, bytes_of_number)}"
                                                      for _, nominal in NETWORKS for n in MACHINES])
    return table(head, rows)


def main():
    docs, check = Path(sys.argv[1]), "--check" in sys.argv[2:]
    measured = Measured(docs)
    makers = {"cost": cost_table, "overlap": overlap_table, "inputs": inputs, "scaling": scaling_table,
              "algorithms": algorithms_table, "remedies": remedies_table}
    computed.write(docs / "many-machines.md", {name: make(measured) for name, make in makers.items()}, check)


if __name__ == "__main__":
    main()

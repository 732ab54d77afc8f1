#!/usr/bin/env python3
"""Which techniques made the translator of captions better: each alone beside the published settings, and each left out of, or
added to, the preset multi30k. Prints a table.

usage: ablation.py TRANSLATE DATA OUT [--steps N] [--seeds N] [--processes N] [--only WORDS]

DATA holds train.en, train.de, val.en and val.de of Multi30k (tok). Each run leaves a folder in OUT with its figures; what is
there is not trained again, so an interrupted table goes on where it was. A process has one thread, and as many run at a time
as there are cores.
"""
import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("translate")
parser.add_argument("data", type=Path)
parser.add_argument("out", type=Path)
for name, value in (("steps", 3000), ("seeds", 3), ("processes", os.cpu_count())):
    parser.add_argument("--" + name, type=int, default=value)
parser.add_argument("--only", default="", help="the techniques whose names hold this")
a = parser.parse_args()

# What the preset multi30k has, and transformer-tiny has not: how it is put in, and how it is left out.
KEPT = {
    "Muon": ("--optimizer muon", "--optimizer adam"),
    "nothing dropped inside the feed-forward networks": ("--feed-forward-dropout 0", "--feed-forward-dropout -1"),
    "six layers that read": ("--encoder-layers 6", "--encoder-layers 4"),
}
# What neither has.
TRIED = {
    "rotary positions": "--positions rotary",
    "BPE-dropout": "--subword-sampling 0.1",
    "R-Drop": "--r-drop 1",
    "word dropout": "--word-dropout 0.1",
    "RMS norms and SwiGLU": "--norm-kind rms_norm --activation swiglu --feed-forward 171",
    "batches of half the size, twice as many": f"--batch-tokens 1024 --steps {2 * a.steps}",
    "no mean of the last snapshots": "--average 0",
}
# Where steps are fewer than the preset's, the warm-up and the last snapshots are as large a share of them.
SHARE = a.steps / 12000
SCHEDULE = {"--steps": a.steps, "--warmup": max(1, round(800 * SHARE)), "--snapshot-every": max(1, round(100 * SHARE))}


class Row:
    """The runs of one configuration, one for each seed."""

    def __init__(self, preset, options=""):
        self.preset, self.options = preset, options.split()

    def folder(self, seed):
        name = "_".join(each.lstrip("-") for each in [self.preset, *self.options])
        return a.out / f"{name}_{a.steps}_{seed}"

    def train(self, seed):
        figures = self.folder(seed) / "figures.json"
        if figures.exists():
            return
        files = {"source": "train.en", "target": "train.de", "test-source": "val.en", "test-target": "val.de"}
        texts = [word for option, file in files.items() for word in ("--" + option, a.data / file)]
        settings = SCHEDULE | dict(zip(self.options[::2], self.options[1::2]))
        rest = ["--seed", seed, "--threads", 1, "--history", 0, "--length-penalty", 1.5, "--json", "--out", self.folder(seed)]
        command = [a.translate, "train", "--preset", self.preset, *texts, *[w for pair in settings.items() for w in pair], *rest]
        print("trains", self.folder(seed).name, flush=True)
        run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"{self.folder(seed).name}: translate ended with {run.returncode}")
        figures.write_text(run.stdout)

    def values(self, *keys):
        result = []
        for seed in range(1, a.seeds + 1):
            value = json.loads((self.folder(seed) / "figures.json").read_text())
            for key in keys:
                value = value[key]
            result.append(value)
        return result

    def bleu(self):
        return statistics.mean(self.values("held_out", "test", "bleu"))

    def minutes(self):
        """Of two cores."""
        return statistics.mean(self.values("training_seconds")) / 60 / 2

    def cells(self, beside=None):
        scores = self.values("held_out", "test", "bleu")
        spread = f" ± {statistics.stdev(scores):.2f}" if len(scores) > 1 else ""
        difference = f"{self.bleu() - beside.bleu():+.2f}".replace("-", "−") if beside else ""
        minutes = self.minutes()
        return f"{self.bleu():.2f}{spread} | {difference} | {minutes:.1f} | {self.bleu() / minutes:.2f}"


published, best = Row("transformer-tiny"), Row("multi30k")
chosen = lambda names: {name: options for name, options in names.items() if a.only in name}
alone = {name: Row(published.preset, options[0]) for name, options in chosen(KEPT).items()}
alone |= {name: Row(published.preset, options) for name, options in chosen(TRIED).items()}
without = {name: Row(best.preset, options[1]) for name, options in chosen(KEPT).items()}
added = {name: Row(best.preset, options) for name, options in chosen(TRIED).items()}

a.out.mkdir(parents=True, exist_ok=True)
rows = [published, best, *without.values(), *alone.values(), *added.values()]
with concurrent.futures.ThreadPoolExecutor(a.processes) as pool:
    # All rows of one seed before the next, so that an unfinished table has whole ones.
    runs = [pool.submit(row.train, seed) for seed in range(1, a.seeds + 1) for row in rows]
    try:
        for run in runs:
            run.result()
    except RuntimeError as error:
        pool.shutdown(cancel_futures=True)
        sys.exit(f"ablation.py: {error}")

print(f"\n{a.steps} steps, {a.seeds} seeds, {int(published.values('pairs')[0]):,} pairs\n")
print("| | BLEU | difference | minutes of two cores | BLEU a minute |\n|---|---|---|---|---|")
print(f"| **`transformer-tiny`** | {published.cells()} |")
for name, row in alone.items():
    print(f"| with {name} | {row.cells(published)} |")
print(f"| **`multi30k`** | {best.cells()} |")
for name, row in without.items():
    print(f"| without {name} | {row.cells(best)} |")
for name, row in added.items():
    print(f"| with {name} | {row.cells(best)} |")

#!/usr/bin/env python3
"""Which techniques made the translator of captions better: each alone beside the preset transformer-tiny, which has the settings
as published, and each left out of, or added to, the preset multi30k. Prints a table.

usage: ablation.py TRANSLATE DATA OUT [--steps N] [--seeds N] [--processes N] [--only WORDS]

DATA holds train.en, train.de, val.en and val.de of Multi30k (tok). The two presets are trained with all seeds; what is beside
them with the first, and with the others where that changed BLEU by less than a point: where nothing but the seed differs, two
runs differ by half a point. A difference is that of the means over the same seeds. All are trained for as many steps, with the
schedule of multi30k in proportion. Each run leaves a folder in OUT with its figures; what is there is not trained again, so an
interrupted table goes on where it was: OUT must be another one after a preset has changed. A process has one thread, and as many
run at a time as there are cores.
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
for name, value in (("steps", 2400), ("seeds", 3), ("processes", os.cpu_count())):
    parser.add_argument("--" + name, type=int, default=value)
parser.add_argument("--only", default="", help="the techniques whose names hold this")
a = parser.parse_args()


def schedule(steps):
    """The warm-up and the last snapshots are as large a share of the steps as in multi30k."""
    share = steps / 12000
    return {"--steps": steps, "--warmup": max(1, round(800 * share)), "--snapshot-every": max(1, round(100 * share))}


def words_of(settings):
    return [str(word) for setting in settings.items() for word in setting]


# What the preset multi30k has, and transformer-tiny has not: how it is put in, and how it is left out.
KEPT = {
    "rotary positions": "--positions rotary",
    "Muon": "--optimizer muon",
    "no dropout inside the feed-forward networks": "--feed-forward-dropout 0",
    "six layers that read": "--encoder-layers 6",
}
LEFT_OUT = {
    "sinusoids": "--positions sinusoidal",
    "Adam": "--optimizer adam",
    "dropout inside the feed-forward networks, too": "--feed-forward-dropout -1",
    "four layers that read": "--encoder-layers 4",
}
# What neither has.
TRIED = {
    "BPE-dropout": "--subword-sampling 0.1",
    "sampled cuts by a unigram model": "--subword-kind unigram --subword-sampling 0.2",
    "R-Drop": "--r-drop 1",
    "word dropout": "--word-dropout 0.1",
    "RMS norms and SwiGLU": "--norm-kind rms_norm --activation swiglu --feed-forward 171",
    "batches of half the size, twice as many": " ".join(words_of({"--batch-tokens": 1024} | schedule(2 * a.steps))),
}
ALL_SEEDS, FIRST_SEED = list(range(1, a.seeds + 1)), [1]
CLEAR = 1  # of BLEU: a difference for which one seed is enough


class Row:
    """A line of the table: the runs of one configuration, and the row that it is compared with, if any."""

    def __init__(self, name, preset, options="", beside=None):
        self.name, self.preset, self.options, self.beside = name, preset, options.split(), beside
        self.seeds = ALL_SEEDS if beside is None else FIRST_SEED

    def folder(self, seed):
        name = "_".join(each.lstrip("-") for each in [self.preset, *self.options])
        return a.out / f"{name}_{a.steps}_{seed}"

    def train(self, seed):
        figures = self.folder(seed) / "figures.json"
        if figures.exists():
            return
        files = {"source": "train.en", "target": "train.de", "test-source": "val.en", "test-target": "val.de"}
        texts = [word for option, file in files.items() for word in ("--" + option, a.data / file)]
        settings = schedule(a.steps) | dict(zip(self.options[::2], self.options[1::2]))
        rest = ["--seed", seed, "--threads", 1, "--history", 0, "--json", "--out", self.folder(seed)]
        command = [a.translate, "train", "--preset", self.preset, *texts, *words_of(settings), *rest]
        print("trains", self.folder(seed).name, flush=True)
        run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"{self.folder(seed).name}: translate ended with {run.returncode}")
        figures.write_text(run.stdout)

    def figures(self, seeds):
        return [json.loads((self.folder(seed) / "figures.json").read_text()) for seed in seeds]

    def bleu(self, seeds=None):
        """One for each seed."""
        return [each["held_out"]["test"]["bleu"] for each in self.figures(seeds or self.seeds)]

    def minutes(self, seed):
        """Of two cores, which train two. By the median step, since other programs may have taken a core for a while."""
        log = (self.folder(seed) / "log.jsonl").read_text().splitlines()
        seconds = [step["seconds"] for step in map(json.loads, log) if "loss" in step]
        steps = [after - before for before, after in zip(seconds, seconds[1:])]
        return statistics.median(steps) * len(seconds) / 60 / 2

    def difference(self):
        return statistics.mean(self.bleu()) - statistics.mean(self.beside.bleu(self.seeds))

    def line(self):
        scores = self.bleu()
        bleu = statistics.mean(scores)
        spread = f" ± {statistics.stdev(scores):.2f}" if len(scores) > 1 else ""
        difference = f"{self.difference():+.2f}".replace("-", "−") if self.beside else ""
        minutes = statistics.mean(self.minutes(seed) for seed in self.seeds)
        return f"| {self.name} | {bleu:.2f}{spread} | {difference} | {minutes:.1f} | {bleu / minutes:.2f} |"


def train(rows):
    """What is missing, all rows of one seed before the next."""
    with concurrent.futures.ThreadPoolExecutor(a.processes) as pool:
        runs = [pool.submit(row.train, seed) for seed in ALL_SEEDS for row in rows if seed in row.seeds]
        try:
            for run in runs:
                run.result()
        except (RuntimeError, KeyboardInterrupt) as error:
            pool.shutdown(cancel_futures=True)
            sys.exit(f"ablation.py: {error or 'interrupted'}")


published, best = (Row(f"**`{preset}`**", preset) for preset in ("transformer-tiny", "multi30k"))
beside = lambda base, names: [Row(f"with {name}", base.preset, options, base) for name, options in names.items() if a.only in name]
alone, without, added = beside(published, KEPT | TRIED), beside(best, LEFT_OUT), beside(best, TRIED)

a.out.mkdir(parents=True, exist_ok=True)
compared = [*without, *alone, *added]
train([published, best, *compared])
for row in compared:
    if abs(row.difference()) < CLEAR:
        row.seeds = ALL_SEEDS
train(compared)

print(f"\n{a.steps:,} steps, {int(published.figures(FIRST_SEED)[0]['pairs']):,} pairs; ± is over {a.seeds} seeds, a row without it has one\n")
print("| | BLEU | difference | minutes of two cores | BLEU a minute |\n|---|---|---|---|---|")
for row in [published, *alone, best, *without, *added]:
    print(row.line())

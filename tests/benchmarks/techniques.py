#!/usr/bin/env python3
"""Which techniques made the translator of captions better: each alone beside the preset transformer-tiny, which has the settings
as published, and each left out of, or added to, the preset multi30k.

    techniques.py train docs TRANSLATE DATA      adds to docs/results/techniques/scores.jsonl
    techniques.py time docs TRANSLATE DATA       writes docs/results/techniques/times.jsonl; wants the machine for itself
    techniques.py table docs [--check]           writes the table of docs/results.md, or says whether it is the one that was measured

DATA holds train.en, train.de, val.en and val.de of Multi30k (tok). The two presets are trained with all seeds; what is beside them
with the first, and with the others where that changed BLEU by less than half a point, least changes first. A difference is that of
the means over the same seeds. All train for as many steps, with the schedule of multi30k in proportion, each on one core, as many
at a time as there are cores. Each score is written when it is there, so `train` goes on where it was interrupted, also on another
machine; a preset that has changed wants its old scores deleted. Times are of two cores, all of one machine: of the median step.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import computed

SEEDS = (1, 2, 3)
STEPS = 2000  # a sixth of multi30k's
CLEAR = 0.5  # of BLEU: a difference for which one seed is enough

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
    "batches of half the size, twice as many": f"--batch-tokens 1024 --steps {2 * STEPS}",
}


class Row:
    """A line of the table: a configuration, what was measured of it, and the row that it is compared with, if any."""

    def __init__(self, name, preset, options="", beside=None):
        self.name, self.preset, self.beside = name, preset, beside
        names, values = options.split()[::2], options.split()[1::2]
        self.options = dict(zip((name.removeprefix("--") for name in names), values))
        self.steps = int(self.options.get("steps", STEPS))
        self.settings = f"{preset} {options}".strip()
        self.scores, self.step_ms = {}, None  # a score for each seed

    def translate(self, program, data, **more):
        """Trains; returns the figures that the program prints, and the seconds of each step."""
        share = self.steps / 12000  # the warm-up and the last snapshots are as large a share as in multi30k
        with tempfile.TemporaryDirectory() as folder:
            settings = {
                "preset": self.preset, "source": data / "train.en", "target": data / "train.de",
                "test-source": data / "val.en", "test-target": data / "val.de", "steps": self.steps,
                "warmup": max(1, round(800 * share)), "snapshot-every": max(1, round(100 * share)),
                "history": 0, "out": folder,
            }
            settings |= self.options | more
            command = [program, "train", "--json"] + [f"--{name}={value}" for name, value in settings.items()]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if run.returncode != 0:
                raise RuntimeError(f"{self.settings}: translate ended with {run.returncode}: {run.stderr.strip()}")
            log = map(json.loads, (Path(folder) / "log.jsonl").read_text().splitlines())
            return json.loads(run.stdout), [step["seconds"] for step in log if "loss" in step]

    def difference(self, seeds):
        return self.mean("bleu", seeds) - self.beside.mean("bleu", seeds)

    def mean(self, score, seeds):
        return statistics.mean(self.scores[seed][score] for seed in seeds)

    def cells(self):
        bleu, perplexity, minutes = self.mean("bleu", self.scores), self.mean("perplexity", self.scores), self.steps * self.step_ms / 60e3
        spread = f" ± {statistics.stdev(score['bleu'] for score in self.scores.values()):.2f}" if len(self.scores) > 1 else ""
        return [
            self.name,
            f"{bleu:.2f}{spread}",
            f"{self.difference(self.scores):+.2f}".replace("-", "−") if self.beside else "",
            f"{len(self.scores)}",
            "of other pieces" if "subword-kind" in self.options else f"{perplexity:.2f}",
            f"{minutes:.1f}",
            f"{bleu / minutes:.2f}",
        ]


class Rows:
    """All of them, in the order of the table, with what was measured."""

    def __init__(self, docs):
        self.page = docs / "results.md"
        self.scores = docs / "results" / "techniques" / "scores.jsonl"
        self.times = self.scores.with_name("times.jsonl")
        beside = lambda base, names: [Row(f"with {name}", base.preset, options, base) for name, options in names.items()]
        self.presets = [Row(f"**`{preset}`**", preset) for preset in ("transformer-tiny", "multi30k")]
        self.all = [row for base, changes in zip(self.presets, (KEPT, LEFT_OUT)) for row in [base, *beside(base, changes | TRIED)]]
        named = {row.settings: row for row in self.all}
        for line in self.lines_of(self.scores):
            if line["steps"] == named[line["settings"]].steps:
                named[line["settings"]].scores[line["seed"]] = line
        for line in self.lines_of(self.times):
            named[line["settings"]].step_ms = line["step_ms"]

    @staticmethod
    def lines_of(path):
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def missing(self):
        """Rows with seeds that were not trained, what is wanted most first."""
        yield from ((row, SEEDS[0]) for row in self.all if SEEDS[0] not in row.scores)
        yield from ((row, seed) for seed in SEEDS for row in self.presets if seed not in row.scores)
        known = (row for row in self.all if row.beside and SEEDS[0] in row.scores and SEEDS[0] in row.beside.scores)
        changes = {row: abs(row.difference(SEEDS[:1])) for row in known}
        unclear = sorted((row for row in changes if changes[row] < CLEAR), key=changes.get)
        yield from ((row, seed) for row in unclear for seed in SEEDS if seed not in row.scores)

    def train(self, program, data):
        lock, taken = threading.Lock(), set()

        def work():
            while True:
                with lock:
                    run = next((run for run in self.missing() if run not in taken), None)
                    if run is None:
                        return
                    taken.add(run)
                row, seed = run
                print(f"trains {row.settings}, seed {seed}", flush=True)
                figures, _ = row.translate(program, data, seed=seed, threads=1)
                test = figures["held_out"]["test"]
                score = {"settings": row.settings, "steps": row.steps, "seed": seed}
                score |= {name: test[name] for name in ("bleu", "chrf", "perplexity")}
                with lock, self.scores.open("a") as file:
                    row.scores[seed] = score
                    file.write(json.dumps(score) + "\n")

        processes = os.cpu_count()
        with ThreadPoolExecutor(processes) as pool:
            for worker in [pool.submit(work) for _ in range(processes)]:
                worker.result()

    def time(self, program, data):
        times = []
        with tempfile.TemporaryDirectory() as folder:  # of a short test: what has hardly learnt ends no sentence
            test = {option: Path(folder) / option for option in ("test-source", "test-target")}
            for file, side in zip(test.values(), ("en", "de")):
                file.write_text("".join((data / f"val.{side}").read_text().splitlines(keepends=True)[:5]))
            for row in self.all:
                _, seconds = row.translate(program, data, seed=SEEDS[0], threads=2, steps=60, **test)
                steps = [after - before for before, after in zip(seconds[10:], seconds[11:])]
                times.append({"settings": row.settings, "step_ms": round(1e3 * statistics.median(steps), 1)})
                print(times[-1], flush=True)
        self.times.write_text("".join(json.dumps(line) + "\n" for line in times))

    def table(self, check):
        unknown = [row.settings for row in self.all if not row.scores or row.step_ms is None]
        if unknown:
            sys.exit(f"{self.scores.parent}: there is no score or no time of " + ", ".join(unknown))
        head = ["", "BLEU", "difference", "seeds", "perplexity", "minutes of two cores", "BLEU a minute"]
        computed.write(self.page, {"techniques": computed.table(head, [row.cells() for row in self.all])}, check)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["train", "time", "table"])
parser.add_argument("docs", type=Path)
parser.add_argument("translate", nargs="?")
parser.add_argument("data", type=Path, nargs="?")
parser.add_argument("--check", action="store_true")
a = parser.parse_args()
rows = Rows(a.docs)
if a.what == "table":
    rows.table(a.check)
elif a.data is None:
    parser.error(f"{a.what} wants TRANSLATE and DATA")
else:
    try:
        getattr(rows, a.what)(a.translate, a.data)
    except (RuntimeError, KeyboardInterrupt) as error:
        sys.exit(f"techniques.py: {error or 'interrupted'}")

#!/usr/bin/env python3
"""Which techniques made the translator of captions better: each alone beside the preset transformer-tiny, and each left out of
the preset multi30k, or added to it, but for settings that lost alone.

    techniques.py measure docs TRANSLATE DATA OUT   adds to docs/results/techniques/scores.jsonl
    techniques.py time docs TRANSLATE DATA OUT      writes docs/results/techniques/times.jsonl; wants the machine for itself
    techniques.py table docs [--check]              writes the table of docs/results.md, or says whether it is the one that was measured

DATA holds train.en, train.de, val.en and val.de of Multi30k (tok). The two presets are trained with all seeds; what is beside them
with the first, and with the others where that changed BLEU by less than half a point, least changes first. A difference is that of
the means over the same seeds. All train for as many steps, with the schedule of multi30k in proportion, each on one core, as many
at a time as there are cores. Each score is written when it is there, so `measure` goes on where it was interrupted: with OUT, also
in the middle of a training; without it, on another machine, too. A preset that has changed wants its old scores deleted. Times are
of two cores, all of one machine: of the median step.
"""
import argparse
import json
import os
import shutil
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
# What neither has. It is added to multi30k where it does not lose alone.
TRIED = {
    "BPE-dropout": "--subword-sampling 0.1",
    "sampled cuts by a unigram model": "--subword-kind unigram --subword-sampling 0.2",
    "R-Drop": "--r-drop 1",
    "word dropout": "--word-dropout 0.1",
    "word dropout and R-Drop: token cutoff": "--word-dropout 0.1 --r-drop 1",
    "RMS norms and SwiGLU": "--norm-kind rms_norm --activation swiglu --feed-forward 171",
    "batches of half the size, twice as many": f"--batch-tokens 1024 --steps {2 * STEPS}",
    "inverse square roots instead of the cosine": "--decay inverse-square-root",
}


class Translate:
    """The program, the text that it learns from, and the folder of what it makes."""

    def __init__(self, program, data, out):
        self.program, self.data, self.out = program, data, out
        out.mkdir(parents=True, exist_ok=True)

    def run(self, *command, **options):
        command = [self.program, *command] + [f"--{name}={value}" for name, value in options.items()]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {run.returncode}: {run.stderr.strip()}")
        return run.stdout

    def train(self, row, folder, **more):
        """Goes on where the folder has a checkpoint. Returns the scores of `val`."""
        share = row.steps / 12000  # the warm-up and the last snapshots are as large a share as in multi30k
        settings = {
            "preset": row.preset, "source": self.data / "train.en", "target": self.data / "train.de",
            "test-source": self.data / "val.en", "test-target": self.data / "val.de", "steps": row.steps,
            "warmup": max(1, round(800 * share)), "snapshot-every": max(1, round(100 * share)),
            "checkpoint-every": 200, "history": 0, "threads": 1, "out": folder,
        }
        resume = ["--resume"] if (folder / "checkpoint.safetensors").exists() else []
        figures = json.loads(self.run("train", "--json", *resume, **settings | row.options | more))
        (folder / "trained").touch()  # a model lies there from the first steps on
        return figures["held_out"]["test"]

    def evaluate(self, models, **options):
        return json.loads(self.run("evaluate", "--json", model=models, **options))["test"]

    def folder(self, row, seed):
        return self.out / f"{row.settings} --seed {seed}".replace(" ", "_")

    def model(self, row, seed):
        return self.folder(row, seed) / "model.safetensors"

    def is_trained(self, row, seed):
        return (self.folder(row, seed) / "trained").exists()

    def models(self, row):
        return ",".join(str(self.model(row, seed)) for seed in SEEDS)


class Row:
    """A line of the table: settings that are trained, the row that they are compared with, if any, and what was measured."""

    seeds = SEEDS
    trainings = 1  # how many it takes
    other_text = False  # whether its subwords are learnt from another one

    def __init__(self, name, preset, settings="", beside=None):
        self.name, self.preset, self.beside = name, preset, beside
        self.typed = settings if settings.startswith("--") else ""
        self.settings = f"{preset} {settings}".strip()
        words = settings.split()
        self.options = {name.removeprefix("--"): value for name, value in zip(words[::2], words[1::2])}
        self.steps = int(self.options.get("steps", STEPS))
        self.scores, self.step_ms = {}, None  # a score for each seed

    def made_of(self, seed):
        """The seeds of the row beside whose models it takes to measure this one."""
        return ()

    def measure(self, translate, seed, **text):
        folder = translate.folder(self, seed)
        scores = translate.train(self, folder, seed=seed, **text)
        if self.beside:  # other rows are made of the models of those beside
            shutil.rmtree(folder)
        return scores

    def difference(self, seeds):
        return self.mean("bleu", seeds) - self.beside.mean("bleu", seeds)

    def change(self):
        """The difference that the first seed alone makes; none while it is not known."""
        if self.beside and SEEDS[0] in self.scores and SEEDS[0] in self.beside.scores:
            return self.difference(SEEDS[:1])

    def mean(self, score, seeds):
        return statistics.mean(self.scores[seed][score] for seed in seeds)

    def cells(self):
        bleu, perplexity = (self.mean(score, self.scores) for score in ("bleu", "perplexity"))
        minutes = self.trainings * self.steps * self.step_ms / 60e3
        spread = f"\u00a0±\u00a0{statistics.stdev(score['bleu'] for score in self.scores.values()):.2f}" if len(self.scores) > 1 else ""
        return [
            self.name,
            f"{bleu:.2f}{spread}",
            f"{self.difference(self.scores):+.2f}".replace("-", "−") if self.beside else "",
            f"{len(self.scores)}",
            "of other pieces" if self.other_text or "subword-kind" in self.options else f"{perplexity:.2f}",
            f"{minutes:.1f}",
            f"{bleu / minutes:.2f}",
        ]


class Samples(Row):
    """A model of the row beside takes that translation of all it draws which is most like the others."""

    def made_of(self, seed):
        return (seed,)

    def measure(self, translate, seed):
        return translate.evaluate(translate.model(self.beside, seed), **self.options)


class Ensemble(Row):
    """The models of the row beside, of all seeds, translate together."""

    seeds = SEEDS[:1]
    trainings = len(SEEDS)

    def made_of(self, seed):
        return SEEDS

    def measure(self, translate, seed):
        return translate.evaluate(translate.models(self.beside))

    def difference(self, seeds):
        return self.mean("bleu", seeds) - self.beside.mean("bleu", SEEDS)


class Distilled(Row):
    """Learns from the text, and once more from the ensemble's translations of it."""

    trainings = len(SEEDS) + 1
    other_text = True
    writing = threading.Lock()

    def made_of(self, seed):
        return SEEDS

    def measure(self, translate, seed):
        texts = {side: translate.data / f"train.{side}" for side in ("en", "de")}
        twice = {side: translate.out / f"{self.preset}-twice.{side}" for side in texts}
        written = translate.out / f"{self.preset}-written.de"
        with self.writing:
            if not twice["de"].exists():  # once for all seeds
                translate.run("translate", model=translate.models(self.beside), input=texts["en"], output=written)
                twice["en"].write_text(2 * texts["en"].read_text())
                part = twice["de"].with_suffix(".part")
                part.write_text(texts["de"].read_text() + written.read_text())
                part.rename(twice["de"])
        return super().measure(translate, seed, source=twice["en"], target=twice["de"])


class Rows:
    """All of them, in the order of the table, with what was measured."""

    def __init__(self, docs):
        self.page = docs / "results.md"
        self.scores = docs / "results" / "techniques" / "scores.jsonl"
        self.times = self.scores.with_name("times.jsonl")
        self.presets = [Row(f"**`{preset}`**", preset) for preset in ("transformer-tiny", "multi30k")]
        self.known = [row for base, changes in zip(self.presets, (KEPT, LEFT_OUT)) for row in self.beside(base, changes | TRIED)]
        named = {row.settings: row for row in self.known}
        for line in self.lines_of(self.scores):
            row = named.get(line["settings"])
            if row and line["steps"] == row.steps:
                row.scores[line["seed"]] = line
        times = {line["settings"]: line["step_ms"] for line in self.lines_of(self.times)}
        for row in self.known:
            row.step_ms = times.get((row.beside if row.made_of(SEEDS[0]) else row).settings)

    @staticmethod
    def beside(base, changes):
        yield base
        yield from (Row(f"with {name}", base.preset, options, base) for name, options in changes.items())
        yield Samples("the likest of 50 samples", base.preset, "--mbr 50 --mbr-utility bleu --mbr-temperature 0.6", base)
        yield Ensemble("an ensemble of three seeds", base.preset, "ensemble", base)
        yield Distilled("with the ensemble's translations, too", base.preset, "distilled", base)

    @property
    def all(self):
        """Those of the table: settings that lose alone are not added to multi30k."""
        alone, beside = self.presets
        trained = [row for row in self.known if not row.made_of(SEEDS[0])]
        lost = [row.options for row in trained if row.beside is alone and (row.change() or 0) < -CLEAR]
        return [row for row in self.known if row not in trained or row.beside is not beside or row.options not in lost]

    @staticmethod
    def lines_of(path):
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def wanted(self):
        """Rows with seeds, what is wanted most first."""
        first = SEEDS[0]
        for base in self.presets:
            rows = [row for row in self.all if base in (row, row.beside)]
            yield from ((row, first) for row in sorted(rows, key=lambda row: len(row.made_of(first))))  # those made of others last
            yield from ((base, seed) for seed in SEEDS)
            changes = {row: row.change() for row in rows if len(row.seeds) > 1}
            unclear = [row for row, change in changes.items() if change is not None and abs(change) < CLEAR]
            unclear.sort(key=lambda row: abs(changes[row]))
            yield from ((row, seed) for row in unclear for seed in SEEDS)

    def missing(self):
        return [(row, seed) for row, seed in self.wanted() if seed not in row.scores]

    def next(self, translate, taken):
        """What is to be measured next, or the models that it is made of, but for what was taken; none: nothing is left."""
        for row, seed in self.missing():
            models = [(row.beside, of) for of in row.made_of(seed) if not translate.is_trained(row.beside, of)]
            for run in models or [(row, seed)]:
                if run not in taken:
                    return run

    def measure(self, translate):
        lock, taken = threading.Lock(), set()

        def work():
            while True:
                with lock:
                    run = self.next(translate, taken)
                    if run is None:
                        return
                    taken.add(run)
                row, seed = run
                print(f"measures {row.settings}, seed {seed}", flush=True)
                test = row.measure(translate, seed)
                score = {"settings": row.settings, "steps": row.steps, "seed": seed}
                score |= {name: test[name] for name in ("bleu", "chrf", "perplexity")}
                with lock, self.scores.open("a") as file:
                    row.scores[seed] = score
                    file.write(json.dumps(score) + "\n")

        processes = os.cpu_count()
        with ThreadPoolExecutor(processes) as pool:
            for worker in [pool.submit(work) for _ in range(processes)]:
                worker.result()

    def time(self, translate):
        times = []
        with tempfile.TemporaryDirectory(dir=translate.out) as folder:
            folder = Path(folder)
            test = {option: folder / option for option in ("test-source", "test-target")}
            for file, side in zip(test.values(), ("en", "de")):  # a short test: what has hardly learnt ends no sentence
                file.write_text("".join((translate.data / f"val.{side}").read_text().splitlines(keepends=True)[:5]))
            for row in self.all:
                if row.made_of(SEEDS[0]):
                    continue
                run = folder / row.settings.replace(" ", "_")
                translate.train(row, run, seed=SEEDS[0], threads=2, steps=60, **test)
                seconds = [step["seconds"] for step in self.lines_of(run / "log.jsonl") if "loss" in step]
                steps = [after - before for before, after in zip(seconds[10:], seconds[11:])]
                times.append({"settings": row.settings, "step_ms": round(1e3 * statistics.median(steps), 1)})
                print(times[-1], flush=True)
        self.times.write_text("".join(json.dumps(line) + "\n" for line in times))

    def table(self, check):
        unknown = [f"no score of {row.settings}, seed {seed}" for row, seed in self.missing()]
        unknown += [f"no time of {row.settings}" for row in self.all if row.step_ms is None]
        if unknown:
            sys.exit(f"{self.scores.parent}: there is " + "; ".join(unknown))
        head = ["", "BLEU", "difference", "seeds", "perplexity", "minutes of two cores", "BLEU a minute"]
        typed = {row.name: row.typed for row in self.all if row.typed}
        texts = {
            "techniques": computed.table(head, [row.cells() for row in self.all]),
            "their options": "Their options: " + "; ".join(f"{name}, `{options}`" for name, options in typed.items()) + ".",
        }
        computed.write(self.page, texts, check)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["measure", "time", "table"])
parser.add_argument("docs", type=Path)
parser.add_argument("translate", nargs="?")
parser.add_argument("data", type=Path, nargs="?")
parser.add_argument("out", type=Path, nargs="?")
parser.add_argument("--check", action="store_true")
a = parser.parse_args()
rows = Rows(a.docs)
if a.what == "table":
    rows.table(a.check)
elif a.out is None:
    parser.error(f"{a.what} wants TRANSLATE, DATA and OUT")
else:
    try:
        getattr(rows, a.what)(Translate(a.translate, a.data, a.out))
    except (RuntimeError, KeyboardInterrupt) as error:
        sys.exit(f"techniques.py: {error or 'interrupted'}")

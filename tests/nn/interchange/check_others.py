#!/usr/bin/env python3
"""Compares `translate` with transformers and CTranslate2 on many sentences, in both directions.

usage: check_others.py TRANSLATE FOLDER [SENTENCES]     (pip install torch transformers ctranslate2 sentencepiece)

Read: a Marian model of random weights, in single and in both kinds of half precision, made by transformers, whose
SentencePiece models change characters as Opus-MT's do.
Written: a translator that learns the embedded corpus for 200 steps, exported to both. Greedy search each time, and for
CTranslate2 the log-probabilities of those translations, too. Ends with 1 where fewer than 99.9 % of the lines are the same, or
a word's log-probability differs by more than 1e-4.
"""
import collections
import json
import pathlib
import shutil
import subprocess
import sys

import ctranslate2
import sentencepiece
import torch
import transformers

import make_fixtures

translate, folder = sys.argv[1], pathlib.Path(sys.argv[2])
count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
failed = False


def report(what, ours, theirs):
    global failed
    same = sum(a == b for a, b in zip(ours, theirs, strict=True))
    failed |= same < 0.999 * len(ours)
    print(f"{what}: {same} of {len(ours)} lines are the same", flush=True)
    for a, b in [(a, b) for a, b in zip(ours, theirs) if a != b][:3]:
        print(f"  ours:   {a}\n  theirs: {b}")


def run(*arguments):
    return subprocess.run([translate, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def ours(model, lines):
    (folder / "lines").write_text("".join(line + "\n" for line in lines))
    return run("translate", "--model", model, "--beam", 1, folder / "lines").split("\n")[:-1]


def by_transformers(path, lines):
    """Greedy, as many words as Gradual would write: ten more than twice the source's."""
    tokenizer = transformers.MarianTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(path).float().eval()
    groups, result = collections.defaultdict(list), {}
    for i, line in enumerate(lines):
        groups[len(tokenizer(line).input_ids)].append(i)
    for length, rows in groups.items():
        ids = torch.tensor([tokenizer(lines[i]).input_ids for i in rows])
        said = model.generate(input_ids=ids, num_beams=1, do_sample=False, max_new_tokens=2 * (length - 1) + 10, max_length=None)
        for i, row in zip(rows, said):
            result[i] = tokenizer.decode(row, skip_special_tokens=True)
    return [result[i] for i in range(len(lines))]


def by_ctranslate2(path, lines):
    engine = ctranslate2.Translator(str(path), intra_threads=1)
    source = sentencepiece.SentencePieceProcessor(model_file=str(path / "source.spm"))
    target = sentencepiece.SentencePieceProcessor(model_file=str(path / "target.spm"))
    said = []
    for line in lines:
        pieces = source.encode(line, out_type=str)
        said += engine.translate_batch([pieces], beam_size=1, max_decoding_length=2 * len(pieces) + 10)
    tokens = [each.hypotheses[0] for each in said]
    # A model that is given its sentences with their ends adds none.
    scores = engine.score_batch([source.encode(line, out_type=str) for line in lines], tokens)
    found = [target.decode(each) for each in tokens]
    # A text is scored as it is cut, which may be in another way than it was written.
    cut = [target.encode(text, out_type=str) == each for text, each in zip(found, tokens)]
    return found, [sum(each.log_probs) if as_written else None for each, as_written in zip(scores, cut)]


def check_reading():
    path = folder / "random"
    make_fixtures.marian(path, 11, nmt_nfkc=True, d_model=32, encoder_layers=3, activation_function="swish", scale_embedding=True, max_position_embeddings=256)
    weights = transformers.MarianMTModel.from_pretrained(path)
    with torch.no_grad():
        weights.final_logits_bias[0, 1] = -1e4  # <unk>, for which Gradual shows the word that it looked at
    lines = make_fixtures.sentences(12, count)
    lines[::7] = ["\ufb01 \u2460 \uff21" + line for line in lines[::7]]  # characters that nmt_nfkc changes
    for precision in (torch.float32, torch.float16, torch.bfloat16):
        weights.to(precision).save_pretrained(path)
        report(f"read, {precision}, transformers", ours(path, lines), by_transformers(path, lines))


def check_writing(norm, positions="sinusoidal"):
    global failed
    what = f"written, norms {norm}, {positions}"
    run_folder = folder / f"run-{norm}-{positions}"
    model = run_folder / "model.safetensors"
    if not model.exists():
        run("train", "--out", run_folder, "--norm", norm, "--positions", positions, "--units", "subwords", "--subwords", 300, "--joint", "--steps", 200, "--history", 0)
    lines = [line.split("\t")[0] for line in run("data", "--out", folder / "toy.tsv") and (folder / "toy.tsv").read_text().splitlines()][:count]
    mine = ours(model, lines)
    formats = ("marian", "ctranslate2") if positions == "sinusoidal" else ("ctranslate2",)
    for to in formats:
        shutil.rmtree(folder / to, ignore_errors=True)
        run("export", "--model", model, "--to", to, folder / to)
    if "marian" in formats:
        report(f"{what}, transformers", mine, by_transformers(folder / "marian", lines))
        report(f"{what}, read again", ours(folder / "marian", lines), mine)
    theirs, scores = by_ctranslate2(folder / "ctranslate2", lines)
    report(f"{what}, CTranslate2", mine, theirs)
    pairs = [(a, b, s) for a, b, s in zip(lines, theirs, scores) if b and s is not None]
    (folder / "pairs.tsv").write_text("".join(f"{a}\t{b}\n" for a, b, _ in pairs))
    scored = [json.loads(line) for line in run("score", "--json", "--model", model, folder / "pairs.tsv").splitlines()]
    most = max(abs(each["log_probability"] - s) / len(each["words"]) for each, (_, _, s) in zip(scored, pairs, strict=True))
    failed |= most > 1e-4
    print(f"{what}, CTranslate2: log-probabilities of a word differ by {most:.1e} at most, in {len(pairs)} lines that are cut as they were written")


folder.mkdir(parents=True, exist_ok=True)
check_reading()
for place in ("after", "before"):
    check_writing(place)
check_writing("before", "rotary")
sys.exit(failed)

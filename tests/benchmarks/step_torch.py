#!/usr/bin/env python3
"""One training step in PyTorch, timed: the other side of step_bench, with the same models, loss, clipping and optimizer.
Prints one JSON line for each configuration, with the keys of step_bench.

usage: step_torch.py [--threads N] [--steps N] [--compile] [CONFIGURATION…]
"""
import argparse
import json
import resource
import time

import torch
import torch.nn.functional as F

from transformer_torch import CONFIGURATIONS, Transformer, random_source


def measure(name, threads, steps, compiled):
    torch.manual_seed(0)
    torch.set_num_threads(threads)
    c = CONFIGURATIONS[name]
    model = Transformer(c)
    parameters = list(model.parameters())
    run_model = torch.compile(model) if compiled else model
    options = dict(lr=1e-4, betas=(0.9, 0.98), eps=1e-9)
    try:
        adam = torch.optim.Adam(parameters, foreach=True, **options)
    except TypeError:  # before 1.12
        adam = torch.optim.Adam(parameters, **options)
    source, mask = random_source(c, c.batch)
    target = torch.randint(4, c.vocabulary, (c.batch, c.target_length + 1))

    def step():
        adam.zero_grad(set_to_none=True)
        logits = run_model(source, mask, target[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=0, label_smoothing=0.1)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        adam.step()
        return loss.item()

    for _ in range(3):
        step()
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        loss = step()
        times.append(time.perf_counter() - start)
    times.sort()
    median = times[len(times) // 2]
    return {
        "peer": "torch " + torch.__version__ + (" compiled" if compiled else ""),
        "config": name,
        "threads": threads,
        "params": sum(p.numel() for p in parameters),
        "step_ms": round(1000 * median, 3),
        "min_ms": round(1000 * times[0], 3),
        "target_tokens_per_s": round(c.batch * c.target_length / median),
        "tokens_per_s": round(c.batch * (c.source_length + c.target_length) / median),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "loss": round(loss, 4),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("configurations", nargs="*", default=list(CONFIGURATIONS))
    arguments = parser.parse_args()
    for name in arguments.configurations:
        print(json.dumps(measure(name, arguments.threads, arguments.steps, arguments.compile)), flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The model that `language_model --preset nanogpt-cpu` trains, trained by PyTorch: same sizes, same first weights in
distribution, same loss, optimizer, schedule and number of steps, windows drawn from the same nine tenths of the text, and
the loss over the same last tenth.

usage: language_model_torch.py --text FILE [--threads N] [--steps N] [--positions rotary|learned] [--learning-rate R] [--seed N]

Prints one JSON line with the keys of `language_model --json`. The time of a step is that of drawing the windows, the forward
and the backward pass, clipping and the update; validation is not in it.
"""
import argparse
import json
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

LAYERS, HEADS, WIDTH, FEED_FORWARD, CONTEXT, BATCH = 4, 4, 128, 512, 64, 12


def rotary_tables(head_width):
    angles = torch.arange(CONTEXT)[:, None] * 10000.0 ** (-torch.arange(0, head_width, 2) / head_width)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """x [B, H, T, d]: each pair of neighbouring columns turned by an angle that grows with the place."""
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = cos[: x.shape[2]], sin[: x.shape[2]]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


class Layer(nn.Module):
    def __init__(self, rotary):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.output = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.inner, self.outer = nn.Linear(WIDTH, FEED_FORWARD), nn.Linear(FEED_FORWARD, WIDTH)
        for linear in (self.output, self.inner, self.outer):
            nn.init.xavier_uniform_(linear.weight)
        nn.init.uniform_(self.qkv.weight, -math.sqrt(3 / WIDTH), math.sqrt(3 / WIDTH))  # of each square part
        for linear in (self.qkv, self.output, self.inner, self.outer):
            nn.init.zeros_(linear.bias)
        self.tables = rotary_tables(WIDTH // HEADS) if rotary else None

    def attend(self, x, hidden):
        B, T, D = x.shape
        q, k, v = (p.view(B, T, HEADS, D // HEADS).transpose(1, 2) for p in self.qkv(x).split(D, 2))
        if self.tables:
            q, k = rotate(q, *self.tables), rotate(k, *self.tables)
        if hasattr(F, "scaled_dot_product_attention"):
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-2, -1) / math.sqrt(D // HEADS)
            y = scores.masked_fill(hidden[:T, :T], float("-inf")).softmax(-1) @ v
        return self.output(y.transpose(1, 2).reshape(B, T, D))

    def forward(self, x, hidden):
        x = x + self.attend(self.norm1(x), hidden)
        return x + self.outer(F.gelu(self.inner(self.norm2(x))))


class LanguageModel(nn.Module):
    def __init__(self, vocabulary, positions):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, WIDTH)
        nn.init.normal_(self.embedding.weight, std=WIDTH**-0.5)
        self.positions = nn.Parameter(0.02 * torch.randn(CONTEXT, WIDTH)) if positions == "learned" else None
        self.layers = nn.ModuleList(Layer(positions == "rotary") for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.hidden = torch.ones(CONTEXT, CONTEXT, dtype=torch.bool).triu(1)

    def loss(self, input, output, reduction="mean"):
        x = self.embedding(input) * math.sqrt(WIDTH)
        if self.positions is not None:
            x = x + self.positions[: input.shape[1]]
        for layer in self.layers:
            x = layer(x, self.hidden)
        logits = self.norm(x) @ self.embedding.weight.t()  # tied
        return F.cross_entropy(logits.flatten(0, 1), output.flatten(), reduction=reduction)


def learning_rate(step, steps, peak, warmup=100):
    if step < warmup:
        return peak * step / warmup
    return peak * (1 + math.cos(math.pi * min((step - warmup) / max(steps - warmup, 1), 1))) / 2


@torch.no_grad()
def text_loss(model, tokens):
    """The mean over all tokens but the first, in windows one after the other."""
    total, predicted = 0.0, len(tokens) - 1
    whole = predicted // CONTEXT * CONTEXT
    inputs, outputs = tokens[:whole].view(-1, CONTEXT), tokens[1 : whole + 1].view(-1, CONTEXT)
    for x, y in zip(inputs.split(32), outputs.split(32)):
        total += model.loss(x, y, "sum").item()
    if whole < predicted:
        total += model.loss(tokens[whole:-1][None], tokens[whole + 1 :][None], "sum").item()
    return total / predicted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--text", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--positions", choices=("rotary", "learned"), default="rotary")
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)

    text = open(arguments.text, encoding="utf-8", newline="").read()
    ids = {character: i for i, character in enumerate(sorted(set(text)))}
    tokens = torch.tensor([ids[character] for character in text])
    middle = int(0.9 * len(tokens))
    train, validation = tokens[:middle], tokens[middle:]

    model = LanguageModel(len(ids), arguments.positions)
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
    options = dict(lr=arguments.learning_rate, betas=(0.9, 0.99), eps=1e-8)
    try:
        adam = torch.optim.AdamW(groups, foreach=True, **options)
    except TypeError:  # before 1.12
        adam = torch.optim.AdamW(groups, **options)

    seconds, losses = 0.0, []
    for step in range(1, arguments.steps + 1):
        start = time.perf_counter()
        starts = torch.randint(len(train) - CONTEXT, (BATCH,))
        input = torch.stack([train[i : i + CONTEXT] for i in starts])
        output = torch.stack([train[i + 1 : i + 1 + CONTEXT] for i in starts])
        for group in adam.param_groups:
            group["lr"] = learning_rate(step, arguments.steps, arguments.learning_rate)
        adam.zero_grad(set_to_none=True)
        loss = model.loss(input, output)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        losses.append(loss.item())
        seconds += time.perf_counter() - start
    last = losses[-max(1, arguments.steps // 10) :]
    result = {
        "peer": "torch " + torch.__version__,
        "params": sum(p.numel() for p in model.parameters()),
        "steps": arguments.steps,
        "threads": arguments.threads,
        "training_seconds": seconds,
        "step_ms": 1000 * seconds / arguments.steps,
        "train_loss": sum(last) / len(last),
        "validation_loss": text_loss(model, validation),
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()

"""Recurrent layers over sentences of different lengths, made of torch.nn.GRU and torch.nn.LSTM with packed sequences."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import modules

INPUT, HIDDEN, STEPS = 5, 4, 6


def cell_names(directions):
    names = {}
    for i, suffix in enumerate(("", "_reverse")[:directions]):
        for ours, theirs in (("input", "ih"), ("hidden", "hh")):
            names[f"cells.{i}.{ours}_weight"] = f"weight_{theirs}_l0{suffix}"
            names[f"cells.{i}.{ours}_bias"] = f"bias_{theirs}_l0{suffix}"
    return names


def outputs_and_last(layer, x, lengths):
    """For each sentence its outputs, zeros beyond its length, and then the last state of each direction: h of a GRU,
    h and c of an LSTM."""
    packed, last = layer(pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False))
    outputs, _ = pad_packed_sequence(packed, batch_first=True, total_length=STEPS)
    parts = torch.stack(last, 1) if isinstance(last, tuple) else last[:, None]  # [directions, h or h and c, B, H]
    return torch.cat([outputs.flatten(1), parts.permute(2, 0, 1, 3).flatten(1)], 1)


def fixtures():
    modules.random.seed(19970815)
    lengths = torch.tensor([4, 6, 1])
    x = modules.tensor(3, STEPS, INPUT)
    arrays = {}
    for kind in ("GRU", "LSTM"):
        for directions in (1, 2):
            layer = modules.randomize(
                getattr(nn, kind)(INPUT, HIDDEN, batch_first=True, bidirectional=directions == 2).double())
            arrays[f"{kind.lower()}_{directions}"] = modules.run(
                layer, cell_names(directions), lambda x, lengths: outputs_and_last(layer, x, lengths), x=x,
                lengths=lengths)
    return arrays

"""Layers, whole transformers, a loss curve and the optimizers, all made of torch.nn and torch.optim.

Parameters are stored under Gradual's names as "parameters/<name>", their gradients as "gradients/<name>".
"""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

random = np.random.RandomState(20141222)

WIDTH, HEADS, INNER, LAYERS, VOCABULARY = 16, 4, 24, 2, 23


def tensor(*shape, scale=1.0, offset=0.0):
    """Numbers that a float can hold, in double."""
    return torch.tensor((offset + random.uniform(-scale, scale, shape)).astype(np.float32), dtype=torch.float64)


def randomize(module):
    """All parameters away from their special first values: biases 0, gains 1."""
    for name, parameter in module.named_parameters():
        gain = "norm" in name and name.endswith("weight")
        parameter.data = tensor(*parameter.shape, scale=0.4, offset=1.0 if gain else 0.0)
    return module


def attention_names(ours, theirs):
    return {f"{ours}weight": f"{theirs}in_proj_weight", f"{ours}bias": f"{theirs}in_proj_bias",
            f"{ours}output.weight": f"{theirs}out_proj.weight", f"{ours}output.bias": f"{theirs}out_proj.bias"}


def pair_names(ours, theirs, first="weight"):
    return {f"{ours}.{first}": f"{theirs}.weight", f"{ours}.bias": f"{theirs}.bias"}


def layer_names(ours, theirs, parts):
    """`parts` are the residual blocks in the order of torch's norm1, norm2, ..."""
    names = {**attention_names(f"{ours}self_attention.", f"{theirs}self_attn."),
             **pair_names(f"{ours}feed_forward.inner", f"{theirs}linear1"),
             **pair_names(f"{ours}feed_forward.outer", f"{theirs}linear2")}
    if "cross" in parts:
        names.update(attention_names(f"{ours}cross_attention.", f"{theirs}multihead_attn."))
    for i, part in enumerate(parts):
        names.update(pair_names(f"{ours}around_{part}.norm", f"{theirs}norm{i + 1}", "gain"))
    return names


ENCODER_PARTS = ("attention", "feed_forward")
DECODER_PARTS = ("self", "cross", "feed_forward")


def store(arrays, module, names):
    theirs = dict(module.named_parameters())
    assert sorted(names.values()) == sorted(theirs), set(names.values()) ^ set(theirs)
    for ours, name in names.items():
        arrays[f"parameters/{ours}"] = theirs[name].detach().numpy().astype(np.float32)
        arrays[f"gradients/{ours}"] = theirs[name].grad.numpy().copy()  # zero_grad() would clear it
    return arrays


def run(module, names, function, **inputs):
    """Inputs, output, the gradient dy of the output, and the gradients of inputs and parameters."""
    module.zero_grad()
    arrays = {}
    floats = {key: value.clone().requires_grad_() for key, value in inputs.items() if value.is_floating_point()}
    y = function(**{**inputs, **floats})
    dy = tensor(*y.shape)
    y.backward(dy)
    for key, value in inputs.items():
        arrays[key] = value.numpy().astype(np.float32) if key in floats else value.numpy()
        if key in floats:
            arrays[f"d_{key}"] = floats[key].grad.numpy()
    arrays.update(y=y.detach().numpy(), dy=dy.numpy().astype(np.float32))
    return store(arrays, module, names)


def padding(lengths, size):
    """True at the places that are not words."""
    return torch.arange(size) >= torch.as_tensor(lengths)[:, None]


def causal(size):
    """True where a key comes after its query."""
    return torch.ones(size, size, dtype=torch.bool).triu(1)


def attention_layers():
    lengths = torch.tensor([6, 3, 1])
    x, memory = tensor(3, 5, WIDTH), tensor(3, 6, WIDTH)
    module = randomize(nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).double())
    names = attention_names("", "")
    heads = lambda q, k, **masks: module(q, k, k, need_weights=False, **masks)[0]
    return {
        "attention_self_padding": run(
            module, names, lambda memory, lengths: heads(memory, memory, key_padding_mask=padding(lengths, 6)),
            memory=memory, lengths=lengths),
        "attention_self_causal": run(module, names, lambda x: heads(x, x, attn_mask=causal(5)), x=x),
        "attention_cross_padding": run(
            module, names, lambda x, memory, lengths: heads(x, memory, key_padding_mask=padding(lengths, 6)),
            x=x, memory=memory, lengths=lengths),
    }


def layer_options(norm_first, activation):
    return dict(dim_feedforward=INNER, dropout=0.0, activation=activation, batch_first=True, norm_first=norm_first)


def transformer_layers():
    lengths = torch.tensor([6, 3, 1])
    x, memory = tensor(3, 5, WIDTH), tensor(3, 6, WIDTH)
    fixtures = {}
    for place, first, activation in (("before", True, "relu"), ("after", False, "gelu")):
        encoder = randomize(nn.TransformerEncoderLayer(WIDTH, HEADS, **layer_options(first, activation)).double())
        fixtures[f"encoder_layer_{place}"] = run(
            encoder, layer_names("", "", ENCODER_PARTS),
            lambda memory, lengths: encoder(memory, src_key_padding_mask=padding(lengths, 6)),
            memory=memory, lengths=lengths)
        decoder = randomize(nn.TransformerDecoderLayer(WIDTH, HEADS, **layer_options(first, activation)).double())
        fixtures[f"decoder_layer_{place}"] = run(
            decoder, layer_names("", "", DECODER_PARTS),
            lambda x, memory, lengths: decoder(x, memory, tgt_mask=causal(5),
                                               memory_key_padding_mask=padding(lengths, 6)),
            x=x, memory=memory, lengths=lengths)
    return fixtures


def sinusoids(length, width):
    """Vaswani et al. 2017, section 3.5."""
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


class Translator(nn.Module):
    """torch.nn's encoder and decoder between embeddings and logits. Pre-norm: one embedding does for source, target
    and output; post-norm: three tables, and learned positions."""

    def __init__(self, pre_norm):
        super().__init__()
        options = layer_options(pre_norm, "relu" if pre_norm else "gelu")
        norm = (lambda: nn.LayerNorm(WIDTH)) if pre_norm else (lambda: None)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(WIDTH, HEADS, **options), LAYERS, norm(),
                                             enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(WIDTH, HEADS, **options), LAYERS, norm())
        self.source = nn.Embedding(VOCABULARY, WIDTH)
        self.target = self.source if pre_norm else nn.Embedding(VOCABULARY, WIDTH)
        self.output = nn.Linear(WIDTH, VOCABULARY, bias=False)
        if pre_norm:
            self.output.weight = self.source.weight
        self.positions = None if pre_norm else nn.Parameter(torch.empty(9, WIDTH))

    def embed(self, ids, table):
        positions = sinusoids(ids.shape[1], WIDTH) if self.positions is None else self.positions[:ids.shape[1]]
        return table(ids) * math.sqrt(WIDTH) + positions

    def forward(self, source, lengths, target):
        ignored = padding(lengths, source.shape[1])
        memory = self.encoder(self.embed(source, self.source), src_key_padding_mask=ignored)
        y = self.decoder(self.embed(target, self.target), memory, tgt_mask=causal(target.shape[1]),
                         memory_key_padding_mask=ignored)
        return self.output(y)


def translator_names(pre_norm):
    names = {"source_embedding.weight": "source.weight"}
    for i in range(LAYERS):
        names.update(layer_names(f"encoder.{i}.", f"encoder.layers.{i}.", ENCODER_PARTS))
        names.update(layer_names(f"decoder.{i}.", f"decoder.layers.{i}.", DECODER_PARTS))
    if pre_norm:
        names.update(pair_names("encoder_norm", "encoder.norm", "gain"))
        names.update(pair_names("decoder_norm", "decoder.norm", "gain"))
    else:
        names.update({"target_embedding.weight": "target.weight", "output.weight": "output.weight",
                      "positions.weight": "positions"})
    return names


def batch():
    """Padded with 0; words are 1 ... V - 1. The target is one word longer than what the decoder reads."""
    lengths = np.array([7, 4, 1])
    source = random.randint(1, VOCABULARY, (3, 7)) * (np.arange(7) < lengths[:, None])
    target = random.randint(1, VOCABULARY, (3, 7)) * (np.arange(7) < np.array([5, 7, 3])[:, None])
    return {name: torch.tensor(value) for name, value in
            {"source": source, "lengths": lengths, "input": target[:, :-1], "output": target[:, 1:]}.items()}


def smoothed_loss(logits, output):
    return F.cross_entropy(logits.flatten(0, 1), output.flatten(), ignore_index=0, label_smoothing=0.1)


def transformers():
    fixtures = {}
    for place, pre_norm in (("before", True), ("after", False)):
        words = batch()
        model = randomize(Translator(pre_norm).double())
        logits = model(words["source"], words["lengths"], words["input"])
        loss = smoothed_loss(logits, words["output"])
        loss.backward()
        arrays = {**{name: ids.numpy() for name, ids in words.items()}, "logits": logits.detach().numpy(),
                  "loss": loss.detach().numpy()}
        store(arrays, model, translator_names(pre_norm))
        # Ten steps from the same parameters. A warm-up makes each step's learning rate its own.
        optimizer = torch.optim.Adam(model.parameters(), lr=0, betas=(0.9, 0.98), eps=1e-9)
        rates, losses, norms = 2e-3 * np.arange(1, 11) / 10, [], []
        for rate in rates:
            optimizer.param_groups[0]["lr"] = rate
            optimizer.zero_grad()
            loss = smoothed_loss(model(words["source"], words["lengths"], words["input"]), words["output"])
            loss.backward()
            norms.append(nn.utils.clip_grad_norm_(model.parameters(), 1.0).item())
            optimizer.step()
            losses.append(loss.item())
        arrays.update({"curve/rates": rates, "curve/losses": np.array(losses), "curve/norms": np.array(norms)})
        fixtures[f"transformer_{place}"] = arrays
    return fixtures


class Muon:
    """Jordan et al. 2024, with the length of Liu et al. 2025, eq. 4: a matrix beside what Adam does to the rest."""

    def __init__(self, matrix, adam):
        self.matrix, self.adam, self.velocity = matrix, adam, torch.zeros_like(matrix)

    def step(self):
        self.adam.step()
        gradient = self.matrix.grad
        self.velocity = 0.95 * self.velocity + gradient
        x = gradient + 0.95 * self.velocity
        x = x / (x.norm() + 1e-7)
        for _ in range(5):
            squares = x @ x.T
            x = 3.4445 * x + (-4.7750 * squares + 2.0315 * squares @ squares) @ x
        self.matrix.data -= 0.1 * 0.2 * math.sqrt(max(x.shape)) * x


def optimizers():
    """Five steps of each optimizer over a matrix and a vector with given gradients."""
    first = {"matrix": tensor(3, 5), "vector": tensor(5)}
    gradients = [{name: tensor(*value.shape) for name, value in first.items()} for _ in range(5)]
    arrays = {f"first/{name}": value.numpy().astype(np.float32) for name, value in first.items()}
    for step, each in enumerate(gradients):
        arrays.update({f"gradients/{step}/{name}": value.numpy().astype(np.float32) for name, value in each.items()})
    adam = {"betas": (0.9, 0.98), "eps": 1e-9}
    makers = {
        "sgd": lambda matrix, vector: torch.optim.SGD([matrix, vector], lr=0.1),
        "momentum": lambda matrix, vector: torch.optim.SGD([matrix, vector], lr=0.1, momentum=0.9),
        "adam": lambda matrix, vector: torch.optim.Adam([matrix, vector], lr=0.1, **adam),
        "adamw": lambda matrix, vector: torch.optim.AdamW(
            [{"params": [matrix], "weight_decay": 0.3}, {"params": [vector], "weight_decay": 0.0}], lr=0.1, **adam),
    }
    makers["muon"] = lambda matrix, vector: Muon(matrix, torch.optim.Adam([vector], lr=0.1, **adam))
    for name, maker in makers.items():
        parameters = {key: nn.Parameter(value.clone()) for key, value in first.items()}
        optimizer = maker(*parameters.values())
        for each in gradients:
            for key, value in each.items():
                parameters[key].grad = value.clone()
            optimizer.step()
        arrays.update({f"{name}/{key}": value.detach().numpy() for key, value in parameters.items()})
    return {"optimizers": arrays}


def fixtures():
    return {**attention_layers(), **transformer_layers(), **transformers(), **optimizers()}

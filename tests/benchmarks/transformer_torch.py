"""The models of step_bench and decode_bench in PyTorch, for step_torch.py and decode_torch.py: pre-norm, one embedding for
source, target and output, positions added, biases in all projections, dropout 0.1."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Configuration:
    """encoder_layers 0: a language model, without a source."""

    width: int
    heads: int
    feed_forward: int
    encoder_layers: int
    decoder_layers: int
    vocabulary: int
    batch: int
    source_length: int
    target_length: int


CONFIGURATIONS = {
    "toy": Configuration(64, 4, 128, 2, 2, 256, 64, 12, 12),
    "multi30k": Configuration(128, 4, 256, 4, 4, 10000, 128, 16, 16),
    "chargpt": Configuration(128, 4, 512, 0, 4, 65, 12, 0, 64),
    "long": Configuration(128, 4, 512, 0, 2, 256, 2, 0, 1024),
    "base": Configuration(512, 8, 2048, 6, 6, 10000, 32, 32, 32),
}


class Attention(nn.Module):
    """Heads side by side; queries, keys and values of self-attention in one product, keys and values of a source in one."""

    def __init__(self, width, heads, to_source):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width) if to_source else None
        self.rest = nn.Linear(width, (2 if to_source else 3) * width)
        self.output = nn.Linear(width, width)

    def split(self, x):  # [B, T, D] to [B, H, T, D/H]
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)

    def source_keys_values(self, source):
        return [self.split(part) for part in self.rest(source).chunk(2, 2)]

    def weigh(self, query, key, value, mask=None, causal=False):
        if hasattr(F, "scaled_dot_product_attention"):
            found = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)
        else:
            scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
            if causal:
                mask = torch.ones(scores.shape[2:], dtype=torch.bool).tril()
            if mask is not None:
                scores = scores.masked_fill(~mask, -math.inf)
            found = scores.softmax(3) @ value
        return self.output(found.transpose(1, 2).flatten(2))

    def forward(self, x, mask=None, causal=False, source=None):
        if source is not None:
            return self.weigh(self.split(self.query(x)), *self.source_keys_values(source), mask)
        return self.weigh(*(self.split(part) for part in self.rest(x).chunk(3, 2)), mask, causal)


class Layer(nn.Module):
    def __init__(self, c, reads_source):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(c.width) for _ in range(3 if reads_source else 2))
        self.attention = Attention(c.width, c.heads, False)
        self.cross_attention = Attention(c.width, c.heads, True) if reads_source else None
        self.inner, self.outer = nn.Linear(c.width, c.feed_forward), nn.Linear(c.feed_forward, c.width)
        self.dropout = nn.Dropout(0.1)

    def feed_forward(self, x):
        return self.outer(self.dropout(F.relu(self.inner(x))))

    def forward(self, x, mask=None, causal=False, source=None):
        """mask: of the source, which is x itself in an encoder."""
        own = None if causal else mask
        x = x + self.dropout(self.attention(self.norms[0](x), own, causal))
        if self.cross_attention is not None:
            x = x + self.dropout(self.cross_attention(self.norms[1](x), mask, source=source))
        return x + self.dropout(self.feed_forward(self.norms[-1](x)))


class Transformer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embedding = nn.Embedding(c.vocabulary, c.width)
        nn.init.normal_(self.embedding.weight, std=c.width**-0.5)
        self.register_buffer("positions", 0.02 * torch.randn(2048, c.width))
        self.encoder = nn.ModuleList(Layer(c, False) for _ in range(c.encoder_layers))
        self.decoder = nn.ModuleList(Layer(c, c.encoder_layers > 0) for _ in range(c.decoder_layers))
        self.encoder_norm = nn.LayerNorm(c.width) if c.encoder_layers > 0 else None
        self.decoder_norm = nn.LayerNorm(c.width)
        self.dropout = nn.Dropout(0.1)

    def embed(self, ids, first=0):
        scaled = self.embedding(ids) * math.sqrt(self.embedding.embedding_dim)
        return self.dropout(scaled + self.positions[first : first + ids.shape[1]])

    def encode(self, source, mask):
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, mask)
        return self.encoder_norm(x)

    def decode(self, ids, source, mask):
        x = self.embed(ids)
        for layer in self.decoder:
            x = layer(x, mask, causal=True, source=source)
        return self.decoder_norm(x)

    def logits(self, x):
        return F.linear(x, self.embedding.weight)

    def forward(self, source, mask, ids):
        memory = self.encode(source, mask) if len(self.encoder) else None
        return self.logits(self.decode(ids, memory, mask))


def random_source(c, sentences):
    """Ids, and a mask [B, 1, 1, S] of sentences from half the length to all of it."""
    length = max(c.source_length, 1)
    lengths = torch.randint(max(length // 2, 1), length + 1, (sentences,))
    return torch.randint(4, c.vocabulary, (sentences, length)), (torch.arange(length) < lengths[:, None])[:, None, None]

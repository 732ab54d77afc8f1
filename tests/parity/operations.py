"""Operations: for each case its inputs, the gradient dy of its output y, y, and the gradient of each input."""
import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

random = np.random.RandomState(20170612)

# Pairs of shapes that broadcast.
BROADCAST = {"same": ((3, 4), (3, 4)), "row": ((2, 3, 4), (4,)), "column": ((3, 4), (3, 1)),
             "both": ((3, 1), (2, 1, 4)), "scalar": ((2, 3), ()), "left_row": ((5,), (3, 5))}


def numbers(*shape, low=-2.0, high=2.0):
    """Uniform numbers that a float can hold."""
    return random.uniform(low, high, shape).astype(np.float32)


def ids(*shape, below):
    return random.randint(0, below, shape).astype(np.int64)


def case(arrays, name, function, **inputs):
    """Calls function(*inputs). Floats among the inputs get gradients; whole numbers are passed on as they are."""
    tensors = {key: torch.tensor(value, dtype=torch.float64, requires_grad=True) if value.dtype == np.float32
               else torch.tensor(value) for key, value in inputs.items()}
    y = function(*tensors.values())
    dy = numbers(*y.shape)
    y.backward(torch.tensor(dy, dtype=torch.float64))
    for key, value in inputs.items():
        arrays[f"{name}/{key}"] = value
        if value.dtype == np.float32:
            arrays[f"{name}/d_{key}"] = tensors[key].grad.numpy()
    arrays[f"{name}/y"] = y.detach().numpy()
    arrays[f"{name}/dy"] = dy


def arithmetic():
    arrays = {}
    for name, (a, b) in BROADCAST.items():
        case(arrays, f"add_{name}", lambda a, b: a + b, a=numbers(*a), b=numbers(*b))
        case(arrays, f"sub_{name}", lambda a, b: a - b, a=numbers(*a), b=numbers(*b))
        case(arrays, f"mul_{name}", lambda a, b: a * b, a=numbers(*a), b=numbers(*b))
        case(arrays, f"div_{name}", lambda a, b: a / b, a=numbers(*a), b=numbers(*b, low=0.5))
    return arrays


def functions():
    arrays = {}
    wide = numbers(7, 19, low=-6, high=6)
    positive = numbers(4, 9, low=0.05, high=5)
    case(arrays, "exp", torch.exp, x=wide)
    case(arrays, "log", torch.log, x=positive)
    case(arrays, "sqrt", torch.sqrt, x=positive)
    case(arrays, "square", lambda x: x ** 2, x=wide)
    case(arrays, "cube", lambda x: x ** 3, x=wide)
    case(arrays, "power", lambda x: x ** -1.5, x=positive)
    case(arrays, "tanh", torch.tanh, x=wide)
    case(arrays, "sigmoid", torch.sigmoid, x=wide)
    case(arrays, "relu", F.relu, x=wide)
    case(arrays, "gelu", F.gelu, x=wide)
    case(arrays, "where", lambda condition, a, b: torch.where(condition != 0, a, b),
         condition=ids(5, 6, below=2), a=numbers(5, 6), b=numbers(5, 6))
    return arrays


def reductions():
    arrays = {}
    x = numbers(3, 4, 5)
    ties = np.round(numbers(4, 6)).astype(np.float32)
    case(arrays, "sum_all", lambda x: x.sum(), x=x)
    case(arrays, "sum_first", lambda x: x.sum(0), x=x)
    case(arrays, "sum_middle", lambda x: x.sum(1, keepdim=True), x=x)
    case(arrays, "sum_ends", lambda x: x.sum((0, 2)), x=x)
    case(arrays, "mean_all", lambda x: x.mean(), x=x)
    case(arrays, "mean_last", lambda x: x.mean(-1, keepdim=True), x=x)
    case(arrays, "max_all", lambda x: x.amax(), x=x)
    case(arrays, "max_first_two", lambda x: x.amax((0, 1)), x=x)
    case(arrays, "max_ties", lambda x: x.amax(1), x=ties)
    return arrays


def arrangement():
    arrays = {}
    x = numbers(3, 4, 5)
    case(arrays, "reshape", lambda x: x.reshape(6, 10), x=x)
    case(arrays, "transpose", lambda x: x.transpose(-1, -2), x=x)
    case(arrays, "permute", lambda x: x.permute(2, 0, 1), x=x)
    case(arrays, "concat", lambda a, b, c: torch.cat([a, b, c], 1), a=numbers(2, 1, 3), b=numbers(2, 4, 3),
         c=numbers(2, 2, 3))
    case(arrays, "slice", lambda x: x[:, 1:3], x=x)
    case(arrays, "gather", lambda x, index: torch.gather(x, 1, index), x=x, index=ids(3, 6, 5, below=4))
    case(arrays, "embedding", lambda index, table: F.embedding(index, table), index=ids(4, 7, below=5),
         table=numbers(6, 8))
    return arrays


def products():
    arrays = {}
    turned = lambda x, flag: x.transpose(-1, -2) if flag else x
    for name, ta, tb in (("nn", 0, 0), ("tn", 1, 0), ("nt", 0, 1), ("tt", 1, 1)):
        a, b = ((4, 3) if ta else (3, 4)), ((5, 4) if tb else (4, 5))
        function = lambda a, b: turned(a, ta) @ turned(b, tb)
        case(arrays, f"matmul_{name}", function, a=numbers(*a), b=numbers(*b))
        case(arrays, f"matmul_batched_{name}", function, a=numbers(6, *a), b=numbers(6, *b))
        case(arrays, f"matmul_one_right_{name}", function, a=numbers(2, 3, *a), b=numbers(*b))
        case(arrays, f"matmul_broadcast_{name}", function, a=numbers(2, 1, *a), b=numbers(3, *b))
    case(arrays, "linear", F.linear, input=numbers(2, 3, 17), weight=numbers(9, 17), bias=numbers(9))
    case(arrays, "linear_without_bias", F.linear, input=numbers(5, 17), weight=numbers(9, 17))
    return arrays


def masked(scores, valid):
    """-inf from each row's valid length on; valid is [B] or [B, T] for scores [B, ..., S]."""
    lengths = valid.reshape(valid.shape + (1,) * (scores.dim() - valid.dim()))
    return scores.masked_fill(torch.arange(scores.shape[-1]) >= lengths, -math.inf)


def normalization():
    arrays = {}
    x = numbers(5, 37, low=-8, high=8)
    case(arrays, "softmax", lambda x: x.softmax(-1), x=x)
    case(arrays, "log_softmax", lambda x: x.log_softmax(-1), x=x)
    case(arrays, "masked_softmax", lambda x, valid: masked(x, valid).softmax(-1), x=numbers(3, 2, 5),
         valid=np.array([5, 2, 1]))
    case(arrays, "masked_softmax_of_queries", lambda x, valid: masked(x, valid).softmax(-1),
         x=numbers(2, 3, 4), valid=np.array([[1, 2, 3], [4, 4, 1]]))
    case(arrays, "layer_norm", lambda x, gain, bias: F.layer_norm(x, (37,), gain, bias, 1e-5), x=x,
         gain=numbers(37), bias=numbers(37))
    case(arrays, "layer_norm_off_centre", lambda x, gain, bias: F.layer_norm(x, (24,), gain, bias, 1e-5),
         x=numbers(4, 24, low=9, high=11), gain=numbers(24), bias=numbers(24))
    return arrays


def rms_norm():
    """By the formula, which older versions of PyTorch have no function for. In a file of its own, so that the numbers
    of the others stay what they were."""
    arrays = {}
    norm = lambda x, gain: x * (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * gain
    case(arrays, "rms_norm", norm, x=numbers(5, 37, low=-8, high=8), gain=numbers(37))
    case(arrays, "rms_norm_batched", norm, x=numbers(2, 3, 16, low=9, high=11), gain=numbers(16))
    if hasattr(F, "rms_norm"):
        for name in ("rms_norm", "rms_norm_batched"):
            x, gain, y = (torch.tensor(arrays[f"{name}/{key}"], dtype=torch.float64) for key in ("x", "gain", "y"))
            torch.testing.assert_close(F.rms_norm(x, gain.shape, gain, 1e-5), y)
    return arrays


def with_corners(x, *corners):
    """x with some elements at places where a slope jumps."""
    x.flat[:len(corners)] = corners
    return x


def rounded(*shape):
    """Whole numbers from -2 to 2, of which many are equal."""
    return np.round(numbers(*shape)).astype(np.float32)


def clip(x, low, high):
    """With the slope 1 at low and high, as PyTorch 1.13 has it; 2.15 has 0 there."""
    return torch.where((x >= low) & (x <= high), x, x.detach().clamp(low, high))


def vocabulary():
    arrays = {}
    wide = numbers(5, 13, low=-6, high=6)
    with_zeros = with_corners(numbers(4, 7), 0, 0, -1, 1)
    case(arrays, "abs", torch.abs, x=with_zeros)
    case(arrays, "sin", torch.sin, x=wide)
    case(arrays, "cos", torch.cos, x=wide)
    case(arrays, "log1p", torch.log1p, x=with_corners(numbers(4, 9, low=-0.9, high=5), 1e-6, -1e-6, 0))
    case(arrays, "softplus", F.softplus, x=wide)
    case(arrays, "silu", F.silu, x=wide)
    case(arrays, "elu", F.elu, x=with_corners(numbers(3, 9), 1e-6, -1e-6))
    case(arrays, "leaky_relu", lambda x: F.leaky_relu(x, 0.125), x=wide)
    case(arrays, "clip", lambda x: clip(x, -1, 0.5), x=with_corners(numbers(4, 7), -1, 0.5, 0))
    case(arrays, "clip_to_one_number", lambda x: clip(x, 0, 0), x=with_zeros)
    for name, (a, b) in BROADCAST.items():
        a, b, condition = rounded(*a), rounded(*b), ids(*(b if len(b) < len(a) else a), below=2)
        case(arrays, f"maximum_{name}", torch.maximum, a=a, b=b)
        case(arrays, f"minimum_{name}", torch.minimum, a=a, b=b)
        case(arrays, f"where_{name}", lambda condition, a, b: torch.where(condition != 0, a, b),
             condition=condition, a=a, b=b)
        for comparison in ("lt", "le", "gt", "ge", "eq"):
            y = getattr(torch, comparison)(torch.tensor(a), torch.tensor(b))
            arrays[f"{comparison}_{name}/y"] = y.numpy().astype(np.float64)
    x, ties = numbers(3, 4, 5), rounded(3, 4, 5)
    for name, axes in {"all": (0, 1, 2), "first": 0, "last": -1, "ends": (0, -1), "before_last": -2}.items():
        case(arrays, f"variance_{name}", lambda x: x.var(axes, unbiased=False), x=x)
        case(arrays, f"variance_{name}_kept", lambda x: x.var(axes, unbiased=False, keepdim=True), x=x)
        case(arrays, f"min_{name}", lambda x: x.amin(axes), x=ties)
        case(arrays, f"max_{name}", lambda x: x.amax(axes, keepdim=True), x=ties)
    for axis in (0, 1, -1):
        case(arrays, f"cumsum_{axis}", lambda x: x.cumsum(axis), x=x)
        arrays[f"argmax_{axis}/x"] = ties
        arrays[f"argmax_{axis}/y"] = torch.tensor(ties).argmax(axis).numpy()
    for axis in (0, 1, 2, -1, -3):
        case(arrays, f"stack_{axis}", lambda a, b: torch.stack([a, b, a], axis), a=numbers(2, 3), b=numbers(2, 3))
    for axis in (1, -1):
        case(arrays, f"split_{axis}", lambda x: torch.cat([part * i for i, part in
                                                           enumerate(x.split([1, 0, 3], axis), 1)], axis),
             x=numbers(3, 4, 4))
    case(arrays, "row", lambda x: x[1], x=x)
    case(arrays, "row_from_the_end", lambda x: x[-1], x=x)
    case(arrays, "element", lambda x: x[2][-4][0], x=x)
    for pattern, a, b in (("ij,jk->ik", (2, 3), (3, 4)), ("bqd,bkd->bqk", (2, 3, 4), (2, 5, 4)),
                          ("bthd,bshd->bhts", (2, 3, 2, 4), (2, 5, 2, 4)), ("i,j->ij", (3,), (4,)),
                          ("ij,ij->", (2, 3), (2, 3)), ("ijk,k->j", (2, 3, 4), (4,)),
                          ("ij,kl->ki", (2, 3), (4, 2)), ("bij,bj->bi", (2, 3, 4), (2, 4))):
        case(arrays, f"einsum {pattern}", partial(torch.einsum, pattern), a=numbers(*a), b=numbers(*b))
    return arrays


def attention_formula(q, k, v, valid=None, *, heads, causal=False):
    """softmax(q·kT / sqrt(d_k) + mask)·v for each head; q [B, T, H·d_k], k [B, S, H·d_k], v [B, S, H·d_v]."""
    split = lambda x: x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    queries, keys = scores.shape[-2:]
    if valid is not None:
        scores = masked(scores, valid if valid.dim() == 1 else valid[:, None])
    if causal:
        later = torch.ones(queries, keys, dtype=torch.bool).triu(1 + keys - queries)
        scores = scores.masked_fill(later, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)


def attention():
    arrays = {}
    three = lambda B, T, S, width, value: {"q": numbers(B, T, width), "k": numbers(B, S, width),
                                           "v": numbers(B, S, value)}
    case(arrays, "attention", partial(attention_formula, heads=3), **three(2, 4, 5, 12, 6))
    case(arrays, "attention_padding", partial(attention_formula, heads=2), **three(3, 4, 6, 10, 10),
         valid=np.array([6, 3, 1]))
    case(arrays, "attention_queries", partial(attention_formula, heads=2), **three(2, 3, 5, 8, 8),
         valid=np.array([[1, 5, 2], [3, 3, 4]]))
    case(arrays, "attention_causal", partial(attention_formula, heads=2, causal=True),
         **three(2, 5, 5, 8, 8))
    case(arrays, "attention_causal_late", partial(attention_formula, heads=1, causal=True),
         **three(2, 3, 7, 4, 4))
    case(arrays, "attention_causal_padding", partial(attention_formula, heads=2, causal=True),
         **three(3, 6, 6, 8, 8), valid=np.array([6, 4, 1]))
    # More than 128 keys, and queries that do not fill the last block.
    case(arrays, "attention_long", partial(attention_formula, heads=2), **three(1, 70, 150, 8, 8))
    case(arrays, "attention_long_masked", partial(attention_formula, heads=2, causal=True),
         **three(2, 150, 150, 8, 8), valid=np.array([150, 40]))
    case(arrays, "attention_packed", lambda qkv: attention_formula(*qkv.split(8, -1), heads=2, causal=True),
         qkv=numbers(2, 5, 24))
    case(arrays, "attention_cross_packed",
         lambda q, kv, valid: attention_formula(q, *kv.split(8, -1), valid, heads=4),
         q=numbers(2, 3, 8), kv=numbers(2, 6, 16), valid=np.array([6, 2]))
    case(arrays, "attention_to_itself", lambda x: attention_formula(x, x, x, heads=2), x=numbers(2, 5, 8))
    return arrays


def losses():
    arrays = {}
    loss = lambda x, target, **options: F.cross_entropy(x.flatten(0, -2), target.flatten(), **options)
    some_ignored = ids(4, 6, below=9)
    some_ignored[:, 3:] *= random.randint(0, 2, (4, 3))  # 0 is ignored
    wide = ids(3, 2, below=1000)
    for name, options in (("", {}), ("_smoothed", {"label_smoothing": 0.1})):
        case(arrays, f"cross_entropy{name}", lambda x, target: loss(x, target, **options), x=numbers(7, 11),
             target=ids(7, below=11))
        case(arrays, f"cross_entropy_ignored{name}",
             lambda x, target: loss(x, target, ignore_index=0, **options), x=numbers(4, 6, 9, low=-9, high=9),
             target=some_ignored)
        case(arrays, f"cross_entropy_wide{name}", lambda x, target: loss(x, target, **options),
             x=numbers(3, 2, 1000), target=wide)
        case(arrays, f"linear_cross_entropy{name}",
             lambda x, weight, target: loss(x @ weight.T, target, ignore_index=0, **options),
             x=numbers(4, 6, 5), weight=numbers(9, 5), target=some_ignored)
    return arrays


def consistency():
    """R-Drop: the mean cross-entropy of two passes, and 2.5 times half the divergence both ways (Wu et al. 2021)."""
    arrays = {}

    def loss(x, weight, target):
        logits = x @ weight.T
        log_p, log_q = torch.log_softmax(logits, -1).chunk(2)
        counted = (target != 0).chunk(2)[0]
        apart = (F.kl_div(log_q, log_p, log_target=True, reduction="none")
                 + F.kl_div(log_p, log_q, log_target=True, reduction="none")).sum(-1)[counted].mean() / 2
        return F.cross_entropy(logits, target, ignore_index=0, label_smoothing=0.1) + 2.5 * apart

    target = ids(7, below=9)
    target[2] = 0  # is ignored
    case(arrays, "linear_cross_entropy", loss, x=numbers(14, 5), weight=numbers(9, 5),
         target=np.concatenate([target, target]))
    return arrays


def fixtures():
    return {"arithmetic": arithmetic(), "functions": functions(), "reductions": reductions(),
            "arrangement": arrangement(), "products": products(), "normalization": normalization(),
            "attention": attention(), "losses": losses(), "rms_norm": rms_norm(),
            "vocabulary": vocabulary(), "consistency": consistency()}

#!/usr/bin/env python3
"""Makes tiny models with Hugging Face's transformers, and writes what they compute to fixtures/.

usage: make_fixtures.py [FOLDER]          (pip install torch transformers sentencepiece safetensors)

Weights are random and large, so that what a model says depends on all of them. For each model `expected.safetensors`
has the token ids that went in and the logits that came out.
"""
import json
import pathlib
import random
import shutil
import sys
import tempfile

import sentencepiece
import torch
import transformers
from safetensors.torch import save_file

LETTERS = ["ba", "de", "fi", "go", "ku", "la", "mé", "no", "ra", "sü"]


def sentences(seed, count):
    """Words of two or three syllables, so that there is something to cut."""
    draw = random.Random(seed)
    words = ["".join(draw.choices(LETTERS, k=draw.choice([2, 2, 3]))) for _ in range(60)]
    return [" ".join(draw.choices(words, k=draw.randint(3, 9))) + draw.choice(".!?") for _ in range(count)]


def write_subwords(path, seed, kind, size, rules, nmt_nfkc=False, byte_fallback=False):
    """A subword model without <s>, as Marian's are; `rules` says which characters SentencePiece changes first."""
    size += 256 * byte_fallback
    with tempfile.TemporaryDirectory() as folder:
        how = {"normalization_rule_name": "nmt_nfkc" if nmt_nfkc else "identity"}
        if rules:
            tsv = pathlib.Path(folder) / "rules.tsv"
            tsv.write_text("".join("\t".join(" ".join(f"{ord(c):X}" for c in side) for side in rule) + "\n" for rule in rules))
            how = {"normalization_rule_tsv": str(tsv)}
        text = pathlib.Path(folder) / "text"
        text.write_text("\n".join(sentences(seed, 400)))
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=f"{folder}/m", model_type=kind, vocab_size=size, bos_id=-1, unk_id=1, eos_id=0,
            num_threads=1, minloglevel=2,
            hard_vocab_limit=False, byte_fallback=byte_fallback, **how)
        shutil.copy(f"{folder}/m.model", path)
    model = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [model.id_to_piece(i) for i in range(model.get_piece_size())]


def randomize(model, seed):
    """Matrices about as large as they keep the size of what they multiply, all else around its usual value."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" in name:
                continue
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.dim() == 2:
                parameter.copy_(noise / parameter.shape[-1] ** 0.5)
            else:
                parameter.copy_(0.2 * noise + (1 if name.endswith("norm.weight") or ".ln_" in name and name.endswith("weight") else 0))
        if hasattr(model, "final_logits_bias"):
            model.final_logits_bias.copy_(0.5 * torch.randn(model.final_logits_bias.shape, generator=generator))
    return model.eval()


def marian(folder, seed, kind="bpe", rules=(), before=False, nmt_nfkc=False, byte_fallback=False, **settings):
    folder.mkdir(parents=True, exist_ok=True)
    separate = not settings.get("share_encoder_decoder_embeddings", True)
    source = write_subwords(folder / "source.spm", seed, kind, 60, rules, nmt_nfkc, byte_fallback)
    target = write_subwords(folder / "target.spm", seed + 1, kind, 60, rules, nmt_nfkc, byte_fallback)
    if separate:
        words, target_words = source + ["<pad>"], target + ["<pad>"]
        (folder / "target_vocab.json").write_text(json.dumps({w: i for i, w in enumerate(target_words)}))
    else:
        words = target_words = list(dict.fromkeys(source + target)) + ["<pad>"]
    (folder / "vocab.json").write_text(json.dumps({w: i for i, w in enumerate(words)}))
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "MarianTokenizer", "separate_vocabs": separate}))
    pad = len(target_words) - 1
    shape = dict(vocab_size=len(words), d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                 decoder_attention_heads=4, encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=40,
                 pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad, forced_eos_token_id=None) | settings
    if before:
        model = transformers.PegasusForConditionalGeneration(transformers.PegasusConfig(**shape))
    else:
        model = transformers.MarianMTModel(
            transformers.MarianConfig(**shape, decoder_vocab_size=len(target_words)))
    model = randomize(model, seed)
    if not separate and not settings.get("tie_word_embeddings", True):
        # One table for both sides, in two tensors; model.shared.weight is a third, which nothing reads.
        with torch.no_grad():
            model.model.decoder.embed_tokens.weight.copy_(model.model.encoder.embed_tokens.weight)
    model.generation_config.update(pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad, bad_words_ids=[[pad]])
    model.save_pretrained(folder)

    tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
    batch = sentences(seed, 6)
    if rules:
        batch[0] = batch[0].replace("f", "\ufb01", 1) + " ﬁ ½"  # what the map of characters changes
    if byte_fallback:
        batch[0] += " 你 <0x45>"  # three bytes, and what only looks like one
    ids = [tokenizer(sentence).input_ids for sentence in batch]
    written = [tokenizer(text_target=sentence).input_ids for sentence in sentences(seed + 1, 6)]
    shorter = min(map(len, written))
    out = {}
    for i, sentence in enumerate(ids):
        given = torch.tensor([[pad] + written[i][:shorter]])
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([sentence]), decoder_input_ids=given).logits[0]
            said = model.generate(input_ids=torch.tensor([sentence]), max_new_tokens=12, num_beams=1, do_sample=False)[0][1:]
        out[f"source.{i}"] = torch.tensor(sentence, dtype=torch.int32)
        out[f"input.{i}"] = given[0].to(torch.int32)
        out[f"logits.{i}"] = logits.contiguous()
        out[f"said.{i}"] = said.to(torch.int32)
    save_file(out, folder / "expected.safetensors", metadata={"sentences": json.dumps(batch)})


def gpt2(folder, seed):
    folder.mkdir(parents=True, exist_ok=True)
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=330, special_tokens=["<|endoftext|>"],
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator(sentences(seed, 400) + ["It's 12 o'clock; they're late, aren't they?"] * 9, trainer)
    tokenizer.model.save(str(folder))
    model = randomize(transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=tokenizer.get_vocab_size(), n_positions=48, n_embd=16, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0)), seed)
    model.save_pretrained(folder)
    texts = ["It's 12 o'clock;  they're late.\n\n  Aren't  they? ", "bade fi\tgo KU'LL we'd 3½ Ⅳ٣ naïve €5 你好", *sentences(seed, 2)]
    out = {}
    for i, text in enumerate(texts):
        ids = tokenizer.encode(text).ids[:40]
        with torch.no_grad():
            out[f"logits.{i}"] = model(torch.tensor([ids])).logits[0].contiguous()
        out[f"ids.{i}"] = torch.tensor(ids, dtype=torch.int32)
    save_file(out, folder / "expected.safetensors", metadata={"texts": json.dumps(texts)})


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "fixtures")
    marian(folder / "opus", 1, activation_function="swish", scale_embedding=True,
           rules=[("\ufb01", "fi"), ("\u00bd", "1/2"), ("\u2013", "-"), ("A\u0301", "\u00c1")])
    marian(folder / "unscaled", 3, kind="unigram", activation_function="gelu", scale_embedding=False)
    marian(folder / "separate", 5, activation_function="relu", scale_embedding=True,
           share_encoder_decoder_embeddings=False)
    marian(folder / "pegasus", 7, before=True, activation_function="gelu_new", scale_embedding=False)
    gpt2(folder / "gpt2", 9)
    marian(folder / "untied", 13, activation_function="gelu", scale_embedding=True, tie_word_embeddings=False)
    marian(folder / "bytes", 15, activation_function="relu", scale_embedding=True, byte_fallback=True)


if __name__ == "__main__":
    main()

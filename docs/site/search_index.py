"""What the search is told besides what MkDocs tells it."""
import json
import re

import doxygen


# Where words lead that people ask with and the pages do without.
ASKED = {
    "chapters/05-masked-softmax.html": "mask masking attention mask ignore padding",
    "chapters/08-self-attention.html": "complexity quadratic cost of attention",
    "chapters/09-position.html": "positional encoding embedding order of words",
    "chapters/10-before-transformers.html": "rnn lstm tokenizer tokenization tokenize sentencepiece bpe",
    "chapters/11-the-transformer.html": "architecture residual skip connection layer normalization encoder decoder",
    "chapters/12-training.html#in-steps": "learning rate schedule warmup optimizer",
    "chapters/12-training.html#when-text-is-short": "overfitting overfit regularization small data",
    "chapters/13-search.html#drawing-at-random": "sample generate text temperature",
    "diagnosis.html": "why is my model not learning loss does not fall go down decrease stuck debug",
    "diagnosis.html#the-first-number-that-is-none": "loss nan inf infinity not a number explodes diverges",
    "errors-and-limits.html#memory": "out of memory oom bad alloc",
    "errors-and-limits.html#what-there-is-not": "gpu cuda half precision unsupported missing",
    "getting-started.html": "install build run quickstart tutorial how to start",
    "getting-started.html#using-what-it-learnt": "save load use a trained model saved translate inference",
    "getting-started.html#your-own-text": "train on my own data dataset corpus custom",
    "glossary.html#term-bleu": "bleu score",
    "glossary.html#term-layer-norm": "layer normalization",
    "glossary.html#term-residual": "skip connection",
    "glossary.html#term-sinusoidal-positions": "positional encoding",
    "glossary.html#term-token": "tokenizer tokenization",
    "glossary.html#term-warm-up": "learning rate warmup schedule",
    "notebooks.html": "jupyter python notebook",
    "open-models.html#saved-and-loaded": "save load store a model weights to disk file",
    "where-things-go.html#a-layer-of-your-own": "add write a new custom layer module",
}


def add(folder, entries):
    """Pages' entries, those of the glossary's terms and those of the API, in an order: what explains comes before what is looked up,
    and what was comes last. A chapter is found by the terms that it introduces, too.
    """
    file = folder / "html" / "search" / "search_index.json"
    index = json.loads(file.read_text())
    index["config"]["fields"]["asked"] = {"boost": 9}  # where a word of a title has 10
    docs = {each["location"]: each for each in index["docs"] + terms(folder / "html" / "glossary.html")}
    docs.pop("glossary.html#words")  # where all terms stand once more
    for location, words in ASKED.items():
        docs[location]["asked"] = words
    for each in [*docs.values()]:
        for chapter in each.pop("chapters", ()):
            docs[chapter]["asked"] = f"{docs[chapter].get('asked', '')} {each['title']}".strip()
    index["docs"] = [*docs.values()]
    for each in index["docs"]:
        each["text"] = re.sub(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", lambda tex: readable(tex.group(1) or tex.group(2)),
                              each["text"], flags=re.DOTALL)
        each["title"] = re.sub(r"\\\((.*?)\\\)", lambda tex: readable(tex.group(1)), each["title"])
        if each["location"].startswith("glossary.html#term-"):
            each["boost"] = 8
        elif each["location"].endswith(("#in-the-source", "#exercises")):
            each["boost"] = 0.5
        elif each["location"].startswith(("chapters/", "glossary")) or each["location"] in ASKED:
            each["boost"] = 3
        elif each["location"].startswith("changelog"):
            each["boost"] = 0.1
    index["docs"] += entries
    file.write_text(json.dumps(index, ensure_ascii=False))


def terms(glossary):
    """An entry for each term of the glossary, which gets a place on its page."""
    entries = []

    def placed(term):
        name, meaning = (doxygen.plain(each) for each in term.groups())
        place = "term-" + re.sub(r"\W+", "-", name.lower()).strip("-")
        chapters = dict.fromkeys(re.findall(r'href="(chapters/[^"#]*)', term.group(2)))
        meaning = re.sub(r"\s*(?:\b(?:\d\d?[bc]?|[A-F])\b,? ?)+$", "", meaning)  # which these are
        entries.append({"location": f"glossary.html#{place}", "title": name, "text": meaning, "chapters": [*chapters]})
        return f'<p id="{place}">{term.group(0).removeprefix("<p>")}'

    glossary.write_text(re.sub(r"<p><strong>(.*?)</strong>:(.*?)</p>", placed, glossary.read_text(), flags=re.DOTALL))
    return entries


SIGNS = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ",
         "mu": "μ", "pi": "π", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω", "Sigma": "Σ", "Delta": "Δ", "sum": "Σ",
         "cdot": "·", "times": "×", "odot": "⊙", "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "infty": "∞", "to": "→",
         "in": "∈", "partial": "∂", "top": "ᵀ", "sqrt": "√", "dots": "…", "ldots": "…", "cdots": "…", "lVert": "‖", "lvert": "|", "rvert": "|",
         "rVert": "‖", "mapsto": "↦", "pm": "±", "mid": "|", "prod": "∏", "nabla": "∇", "ell": "ℓ", "Vert": "‖"}


LOW = str.maketrans("0123456789ijkt", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₜ")


def readable(tex):
    """A formula as a line of text, for lists of what was found."""
    tex = re.sub(r"\\(?:begin|end)\{[^}]*\}", " ", tex)
    tex = re.sub(r"\\[dt]?frac\s*(\w)\s*(\w)", r"\1/\2", tex)
    tex = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", tex)
    tex = re.sub(r"_\{([ijkt\d]+)\}|_([ijkt\d])", lambda low: (low.group(1) or low.group(2)).translate(LOW), tex)
    tex = re.sub(r"\^\{([^{}\\]{2,})\}", r"^(\1)", tex).replace("^2", "²").replace("^{2}", "²")
    tex = re.sub(r"\\([A-Za-z]+) ?", lambda name: SIGNS.get(name.group(1), ""), tex)
    return " ".join(re.sub(r"\\.|[{}&$_~]|\^(?=ᵀ)", "", tex).split())

"""What the search is told besides what MkDocs tells it."""
import json
import re

import doxygen


def add(folder, entries):
    file = folder / "html" / "search" / "search_index.json"
    index = json.loads(file.read_text())
    index["docs"] += terms(folder / "html" / "glossary.html")
    for each in index["docs"]:
        each["text"] = re.sub(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", lambda tex: readable(tex.group(1) or tex.group(2)),
                              each["text"], flags=re.DOTALL)
        each["title"] = re.sub(r"\\\((.*?)\\\)", lambda tex: readable(tex.group(1)), each["title"])
        if each["location"].startswith(("chapters/", "glossary")):
            each["boost"] = 3  # what explains comes before what is looked up
        elif each["location"].startswith("changelog"):
            each["boost"] = 0.1  # and what was comes last
    index["docs"] += entries
    file.write_text(json.dumps(index, ensure_ascii=False))


def terms(glossary):
    """An entry for each term of the glossary, which gets a place on its page."""
    entries = []

    def placed(term):
        name, meaning = (doxygen.plain(each) for each in term.groups())
        place = "term-" + re.sub(r"\W+", "-", name.lower()).strip("-")
        entries.append({"location": f"glossary.html#{place}", "title": name, "text": meaning})
        return f'<p id="{place}">{term.group(0).removeprefix("<p>")}'

    glossary.write_text(re.sub(r"<p><strong>(.*?)</strong>:(.*?)</p>", placed, glossary.read_text(), flags=re.DOTALL))
    return entries


SIGNS = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ",
         "mu": "μ", "pi": "π", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω", "Sigma": "Σ", "Delta": "Δ", "sum": "Σ",
         "cdot": "·", "times": "×", "odot": "⊙", "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "infty": "∞", "to": "→",
         "in": "∈", "partial": "∂", "top": "ᵀ", "sqrt": "√", "dots": "…", "ldots": "…", "cdots": "…", "lVert": "‖", "lvert": "|", "rvert": "|",
         "rVert": "‖", "mapsto": "↦", "pm": "±", "mid": "|", "prod": "∏", "nabla": "∇", "ell": "ℓ", "Vert": "‖"}


def readable(tex):
    """A formula as a line of text, for lists of what was found."""
    tex = re.sub(r"\\(?:begin|end)\{[^}]*\}", " ", tex)
    tex = re.sub(r"\\[dt]?frac\s*(\w)\s*(\w)", r"\1/\2", tex)
    tex = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", tex)
    tex = re.sub(r"\\([A-Za-z]+) ?", lambda name: SIGNS.get(name.group(1), ""), tex)
    return " ".join(re.sub(r"\\.|[{}&$^_~]", "", tex).split())

"""Looks at the API pages of a built site: `api_pages.py FOLDER`. Each stands in the site's own frame, says its language, and
writes an include as a program has to; a header's page has its comment and its functions, each told once where a sentence is all,
those that others are made of last; all are listed with a sentence, those of nn/ with one of their own; and the search knows types
and functions, and no raw TeX. No sentence is cut at "et al.", and a header says all of its types. A type's members stand in the
groups of its header and in their order there, one of which there is more to say leads to it, the example begins with what
matters, and the column at the left says where the page is.
"""
import html
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
from search_index import readable

# Types that people use by name, of whose members each has a sentence.
COMPLETE = ("Adam", "AttentionMask", "AttentionOptions", "AttentionRecorder", "AttentionSizes", "CharacterModel", "Classifier", "Columns",
            "FeedForward", "LanguageModel", "LayerConfig", "LayerNorm", "Linear", "MultiHeadAttention", "Random", "Schedule", "SentencePair",
            "StackConfig", "Tensor", "TextClassifier", "Tokenizer", "TrainingPoint", "Transformer", "TransformerConfig", "Translator", "Var",
            "Vocabulary")


def said(page):
    """A page's text, with its formulas as a line of it."""
    return re.sub(r'<span class="arithmatex">..(.*?)..</span>', lambda tex: readable(html.unescape(tex.group(1))), page)


def is_cut(words):
    """Whether a sentence ends before its end: at an abbreviation, or inside of brackets."""
    return bool(re.search(r"\b(al|eqs?|e\.g|i\.e|cf)\.$", words)) or len(re.findall(r"[(\[]", words)) > len(re.findall(r"[)\]]", words))


def in_this_order(page, parts):
    """Whether all parts stand in a page, one after the other."""
    places = [page.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def what_is_wrong_with(translator, header):
    """Of the page of Translator and that of its header: the order of its members, and what leads from it."""
    first_in = 'ItemRight" valign="bottom"><a class="el" href="[^"]*">{}</a>'
    members = re.sub(first_in.format(r"(\w+)"), r"[\1]", translator)
    if not in_this_order(members, ('<h2 id="make-load-and-save"', "[Translator]", "[load]", "[save]", '<h2 id="translate"', "[translate]", "[search]",
                                   '<h2 id="judge"', "[score]", '<h2 id="settings-of-the-search"', "[greedy_options]")):
        yield "a group of the header is missing, or its members do not stand in their order there"
    if not re.search(r'section"><a href="#judge"[^>]*>Judge</a></li><li class="md-nav__item"><a href="#\w+"[^>]*>score\(\)', translator):
        yield "the list beside it does not have its groups"
    more = re.search(r'<a class="more" href="[^"#]*#(\w+)" aria-label="More on score">', translator)
    if not more or f'<a id="{more.group(1)}"' not in translator:
        yield "score() does not lead to where it is told in full"
    if not re.search(r'class="paramname">rivals</td><td>\w', translator):
        yield "it does not say what the rivals of score() are"
    example = translator[translator.find('id="in-use"'):translator.find('id="printed"')]
    if "#include" in re.sub("<[^>]*>", "", example) or "the whole program</a>" not in translator:
        yield "its example is not what matters of the program, with a link to the whole"
    for page, here in ((translator, ">Translator</a>"), (header, ">translator.hpp</a>")):
        if f'aria-current="page"{here}' not in page or not re.search('href="[^"]*" class="md-nav__link">evaluation.hpp</a>', page):
            yield f"the column at the left does not show where one is: {here}"
    if '<h4 id="Translator-judge">Judge</h4>' not in header:
        yield "a group is missing on the page of the header"


def main():
    root = Path(sys.argv[1])
    problems = []
    pages = list((root / "api").glob("*.html"))
    for path in pages:
        page = path.read_text(encoding="utf-8")
        for part in ('<html lang="en"', 'class="md-header', 'class="md-search"'):
            if part not in page:
                problems.append(f"{path.name}: there is no {part}")
        title = re.search(r"<h1>(.*?)</h1>", page, flags=re.DOTALL)
        if title and (re.search(r"mlabel|(abstract|final|virtual|inline)$", title.group(1)) or "&lt; " in title.group(1)):
            problems.append(f"{path.name}: its heading says more than its name: {title.group(1)}")
        if 'class="ttc"' in page:
            problems.append(f"{path.name}: Doxygen's tooltips stand below its code as text")
        for part in re.findall(r'<td class="mdescRight">(.*?)</td>', page):
            words = " ".join(html.unescape(re.sub(r"<[^>]*>", "", part)).removesuffix("More").split())
            if is_cut(words):
                problems.append(f"{path.name}: a sentence is cut: {words}")
        for written in re.findall(r"<p><code>#include &lt;<a [^>]*>([^<]*)</a>&gt;</code></p>", page):
            if not written.startswith("gradual/"):
                problems.append(f"{path.name}: no program can include <{written}>")
    lists = {name: said((root / "api" / f"{name}.html").read_text(encoding="utf-8")) for name in ("headers", "names")}
    lines = dict(re.findall(r'<dt><a href="([^"]*)">[^<]*</a></dt><dd>(.*?)</dd>', (root / "api/index.html").read_text(encoding="utf-8")))
    for page in re.findall(r'<dt><a href="([^"]*)">(?:core|autograd|nn)/', lists["headers"]):
        if not lines.get(page):
            problems.append(f"index.html: there is no line for {page}")
    for header in ROOT.glob("*/**/*.hpp"):
        source = header.relative_to(ROOT).as_posix()
        if source.startswith(("core/", "autograd/", "nn/")) and f">{source}</a></dt><dd>" not in lists["headers"]:
            problems.append(f"headers.html: {source} is not in the list")
    for name in re.findall(r"<dt>.*?</dt><dd><br>", lists["headers"]):
        problems.append(f"headers.html: nothing is said of {name}")
    for name in re.findall(r"<dt>(?:(?!</dt>).)*</dt><dd>\s*</dd>", lists["names"]):
        problems.append(f"names.html: nothing is said of {name}")
    for name in re.findall(r"<dt><a [^>]*>([^<]*)</a><small>nn/[^<]*</small></dt><dd>Part of: ", lists["names"]):
        problems.append(f"names.html: {name} has no sentence of its own")
    if ">abs()</a><small>core/elements/functions.hpp</small></dt><dd>|x|; its slope at 0 is 0.</dd>" not in lists["names"]:
        problems.append("names.html: abs() does not have the comment that it shares with the operation above it")
    if not re.search(r'<dt><a href="operations_8hpp.html#\w+">matmul\(\)</a><small>autograd/operations.hpp</small></dt><dd>\w', lists["names"]):
        problems.append("names.html: matmul() does not lead to its header, with a sentence")
    operations = (root / "api/operations_8hpp.html").read_text(encoding="utf-8").replace("<wbr>", "")
    for part in ("<p>Differentiable operations, each with its equation:", "<h1>autograd/operations.hpp</h1>"):
        if part not in operations:
            problems.append(f"operations_8hpp.html: there is no {part}")
    if not re.search(r'<tr id="(a\w{32})"[^>]*><td(?:(?!<tr id).)*>matmul</a>(?:(?!<tr id).)*the axes before the last two broadcast', operations, re.DOTALL):
        problems.append("operations_8hpp.html: matmul() is not explained on the page of its header")
    for part in (r"y_{i} = \frac {e^{x_{i}}} {\sum_{j} e^{x_{j}}}\]", r"{[B, T, H\cdot d_{k}]}\)", '<h2 id="losses" class="groupheader">Losses</h2>',
                 '<a href="#losses">Losses</a>', '<li class="md-nav__item section"><a href="#losses"'):
        if part not in operations:
            problems.append(f"operations_8hpp.html: a formula is not set, or a section of the header is missing: {part}")
    losses, full = operations.find('<h2 id="losses"'), operations.find(">More on some of these<")
    if not operations.find(">lstm_step</a>") < losses < operations.find(">linear_cross_entropy</a>") < full:
        problems.append("operations_8hpp.html: a function does not stand in its section")
    lasting, machinery = operations.find(">linear_cross_entropy</a>"), operations.find(">tensor_of</a>")
    if not 0 < lasting < machinery < operations.find(">apply</a>"):
        problems.append("operations_8hpp.html: what operations are made of stands before them")
    if not re.search(r'href="arrangement_8hpp.html#a\w{32}"><code[^>]*>reshape</code></a>', operations):
        problems.append("operations_8hpp.html: reshape() does not lead to its header, which this one brings")
    if operations.count("Einstein's sum of products") != 2:
        problems.append("operations_8hpp.html: what is said of both einsum() stands there more often than once in the table and in full")
    variable = (root / "api/classgradual_1_1Var.html").read_text(encoding="utf-8")
    for words, count in (("False for a default one", 1), ("The numbers of a parameter or constant, for updates in place.", 2)):
        told = len(re.findall(f">{re.escape(words)}", variable))
        if told != count:
            problems.append(f"classgradual_1_1Var.html: it says \"{words}\" {told} times: what takes a sentence once, "
                            "what takes more in the table and in full")
    for name in COMPLETE:
        page = next(root.glob(f"api/*gradual_1_1{name}.html")).read_text(encoding="utf-8")
        for row in re.findall(r'<tr [^>]*class="memitem:\w+">((?:(?!class="separator).)*)', page, flags=re.DOTALL):
            if "mdescRight" not in row:
                problems.append(f"{name}: nothing is said of {' '.join(re.sub('<[^>]*>', '', row).split())}")
    norms = (root / "api/nn_2layers_2norms_8hpp.html").read_text(encoding="utf-8")
    if 'href="classgradual_1_1Part.html">Part</a>' not in norms:
        problems.append("nn_2layers_2norms_8hpp.html: Part does not lead to the library's type, which a program's has the name of")
    if "_operation()" in lists["names"]:
        problems.append("names.html: what operations are made of stands among what is called")
    shown = (root / "api/reductions_8hpp_source.html").read_text(encoding="utf-8").replace("<wbr>", "")
    for part in ("/// Σ x; of nothing it is 0.", "<h1>core/elements/reductions.hpp</h1>", '<a href="reductions_8hpp.html">'):
        if part not in shown:
            problems.append(f"reductions_8hpp_source.html: there is no {part}")
    attention = said((root / "api/nn_2attention_2attention_8hpp.html").read_text(encoding="utf-8"))
    if "Queries [B, T, Dq]" not in attention:
        problems.append("nn_2attention_2attention_8hpp.html: the first word of a sentence is a link to a type that has its name")
    if 'id="in-use"' not in (root / "api/classgradual_1_1Attention.html").read_text(encoding="utf-8"):
        problems.append("classgradual_1_1Attention.html: no code shows how it is used")
    if len(re.findall(">dropout</code> applies to the weights", said((root / "api/classgradual_1_1MultiHeadAttention.html").read_text(encoding="utf-8")))) != 1:
        problems.append("classgradual_1_1MultiHeadAttention.html: a constructor stands there more often than once")
    pages_of_translator = ((root / "api" / name).read_text(encoding="utf-8").replace("<wbr>", "") for name in
                           ("classgradual_1_1Translator.html", "translation_2translator_8hpp.html"))
    problems += [f"classgradual_1_1Translator.html: {what}" for what in what_is_wrong_with(*pages_of_translator)]
    if "&amp; &amp;" in (root / "api/classgradual_1_1Tensor.html").read_text(encoding="utf-8"):
        problems.append("classgradual_1_1Tensor.html: a && is torn apart")
    layer = (root / "api/classgradual_1_1MultiHeadAttention.html").read_text(encoding="utf-8")
    if "[2, 3, 8]" not in layer:
        problems.append("classgradual_1_1MultiHeadAttention.html: the code that shows its use does not show a shape")
    heads = said((root / "api/multi__head_8hpp.html").read_text(encoding="utf-8"))
    for part in ('id="MultiHeadAttention"', "(Vaswani et al. 2017, §3.2.2).", "each serves H/G heads", "One more word x [B, 1, D]",
                 '>AttentionMask</a>&amp; mask = {})', 'href="../chapters/07-many-heads.html"', 'href="multi__head_8cpp_source.html"'):
        if part not in heads:
            problems.append(f"multi__head_8hpp.html: there is no {part}")
    found = json.loads((root / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    for entry in found:
        if "\\(" in entry["title"] + entry["text"]:
            problems.append(f"search: there is TeX in what is found of {entry['location']}")
        if is_cut(entry["text"]) and entry["location"].startswith("api/") and "#" in entry["location"]:
            problems.append(f"search: a sentence is cut: {entry['text']}")
    titles = {entry["title"] for entry in found if entry["location"].startswith("api/")}
    for name in ("matmul()", "gradual::Tensor", "gradual::Translator"):
        if not any(title.startswith(name) for title in titles):
            problems.append(f"search: it does not know {name}")
    print(*problems, sep="\n")
    print(f"{len(pages)} pages, {len(titles)} names, {len(problems)} wrong")
    return bool(problems) or not pages


if __name__ == "__main__":
    sys.exit(main())

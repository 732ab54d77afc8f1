"""Types in use: code of the book and of the smallest programs, which the tests run, for the pages of the types in it."""
import html
import re
import textwrap
from pathlib import Path

import pygments
import pygments.formatters
import pygments.lexers

ROOT = Path(__file__).resolve().parents[2]

# Of each type, the chapter that shows it, or a program, whose README shows what it prints, and how the code begins there.
PLACES = {
    "Adam": ("docs/chapters/12-training.md", "OneWeight undecided;"),
    "Attention": ("docs/chapters/03-queries-keys-values.md", "const Attention attention_by_dot("),
    "AttentionMask": ("docs/chapters/11-the-transformer.md", "Var plain_decoder_layer("),
    "AttentionRecorder": ("docs/chapters/06-global-attention.md", "Tensor weights_of("),
    "CharacterModel": ("examples/smallest_language_model", "std::string text;"),
    "DecoderLayer": ("docs/chapters/11-the-transformer.md", "DecoderLayer writer("),
    "Embedding": ("docs/chapters/16-what-went-wrong.md", "struct WordMean {"),
    "LayerNorm": ("docs/chapters/11-the-transformer.md", "LayerNorm norm("),
    "Linear": ("docs/chapters/16-what-went-wrong.md", "struct WordMean {"),
    "LineChart": ("docs/chapters/engine-A-tensors.md", "LineChart reads;"),
    "MultiHeadAttention": ("docs/chapters/07-many-heads.md", "const MultiHeadAttention fast("),
    "Score": ("docs/where-things-go.md", "class DistanceScore"),
    "Sgd": ("docs/chapters/12-training.md", "void take_a_bad_step()"),
    "Tensor": ("docs/chapters/engine-A-tensors.md", "const Tensor table("),
    "TextClassifier": ("examples/smallest_classifier", "std::vector<std::string> sentences;"),
    "Trainer": ("examples/smallest_translator", "ListStream<SentencePair> pairs"),
    "Translator": ("examples/smallest_translator", "ListStream<SentencePair> pairs"),
    "Var": ("examples/hello", "const Var weights"),
}


def highlighted(code, language, anchor):
    """Code in the site's colours; the theme makes a name for its copy button of that of the next element that has one."""
    return pygments.highlight(code, pygments.lexers.get_lexer_by_name(language), pygments.formatters.HtmlFormatter(
        cssclass=f"language-{language} highlight", wrapcode=True)).replace("<pre>", f'<pre id="{anchor}">')


def body_from(program, begin):
    """The lines of a program's main() from one on."""
    return textwrap.dedent(re.search(rf"^ *{re.escape(begin)}.*?(?=^}})", program, flags=re.DOTALL | re.MULTILINE).group(0))


def in_use(name, sources):
    """Code that uses a type, what it prints, and where it is from; `sources` are the pages of sources."""
    place, begin = PLACES.get(name, ("", ""))
    if not place:
        return ""
    if place.endswith(".md"):
        text = (ROOT / place).read_text()
        found = re.search(rf"^```c\+\+\n((?:(?!^```).)*?{re.escape(begin)}.*?)^```\n(?:\n```text\n(.*?)^```\n)?", text,
                          flags=re.DOTALL | re.MULTILINE)
        title = text[2:text.index("\n")]
        assert found, f"{place} has no code that begins with {begin}"
        code, printed = found.groups()
        whole = ""
    else:
        shown = re.search(r"^```console\n\$ [^\n]*\n(.*?)^```$", (ROOT / place / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE)
        code, printed, title = body_from((ROOT / place / "main.cpp").read_text(), begin), shown.group(1), place
        whole = f': <a href="{sources[f"{place}/main.cpp"]}">the whole program</a>'
    assert re.search(rf"\b{name}\b", code), f"{place} does not use {name}"
    link = place.removeprefix("docs/").removesuffix(".md")
    return ('<h2 class="groupheader" id="in-use">In use</h2>' + highlighted(code, "c++", "use")
            + (highlighted(printed, "text", "printed") if printed else "")
            + f'<p>From <a href="../{link}.html">{html.escape(title)}</a>{whole}.</p>')

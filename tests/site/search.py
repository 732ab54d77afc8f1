"""Asks the search of a built site: `search.py FOLDER CHROMIUM`, from a server and from the folder. A type comes first by its name, a term
with its definition, and then the chapter that introduces it; what students ask is answered among the first three; what has all words
comes before what has one of them; and where nothing has all words, there is what has some. A page that is only read does not make the
search's index. A word that nobody knows is answered with the one that was meant, on a button. Each result says which part of the site
it is from, with a sentence in which the words are marked. What the pictures' labels and the lines about notebooks say is not found.
"""
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from browser import serve
from chromium import Browser

# What is typed, and which pages are to be among the first so many.
ASKED = {
    "MultiHeadAttention": (1, {"api/classgradual_1_1MultiHeadAttention.html"}),
    "gradual::Var": (1, {"api/classgradual_1_1Var.html"}),
    "matmul": (1, {"api/operations_8hpp.html"}),
    "label smoothing": (2, {"chapters/12-training.html", "glossary.html"}),
    "label smoo": (2, {"chapters/12-training.html", "glossary.html"}),
    "multi-head attention": (2, {"chapters/07-many-heads.html", "glossary.html"}),
    "beam search": (2, {"chapters/13-search.html", "glossary.html"}),
    "the KV cache": (2, {"chapters/13c-faster-search.html", "glossary.html"}),
    "mask": (2, {"chapters/05-masked-softmax.html", "glossary.html"}),
    "positional encoding": (2, {"chapters/09-position.html", "glossary.html"}),
    "vanishing gradient": (2, {"chapters/10-before-transformers.html", "glossary.html"}),
    "teacher forcing": (2, {"chapters/12-training.html", "glossary.html"}),
    "layer normalization": (2, {"chapters/11-the-transformer.html", "glossary.html"}),
    "softmax": (3, {"chapters/05-masked-softmax.html", "glossary.html"}),
    "cross entropy": (3, {"chapters/12-training.html", "glossary.html"}),
    "what is attention?": (3, {"chapters/01-attention-as-weights.html", "glossary.html"}),
    "query key value": (3, {"chapters/03-queries-keys-values.html"}),
    "tokenizer": (3, {"chapters/10-before-transformers.html", "api/classgradual_1_1Tokenizer.html"}),
    "how do I save a model": (3, {"open-models.html", "getting-started.html"}),
    "load a model": (3, {"open-models.html", "getting-started.html"}),
    "how to train on my own data": (3, {"getting-started.html"}),
    "how do I install it": (3, {"getting-started.html"}),
    "add a custom layer": (3, {"where-things-go.html"}),
    "learning rate warmup": (3, {"chapters/12-training.html"}),
    "overfitting": (3, {"chapters/12-training.html"}),
    "out of memory": (3, {"errors-and-limits.html"}),
    "GPU": (3, {"errors-and-limits.html"}),
    "loss nan": (3, {"diagnosis.html"}),
    "why is my model not learning": (3, {"diagnosis.html"}),
    "gradient checker": (1, {"chapters/engine-E-checking.html"}),
    "atention": (3, {"chapters/01-attention-as-weights.html", "glossary.html"}),
    "zebra softmax": (2, {"chapters/05-masked-softmax.html"}),
    "softmax -masked": (9, {"chapters/engine-D-rules.html"}),
}
FIRST = {"beam search", "mask", "softmax", "cross entropy", "what is attention?", "multi-head attention"}  # the glossary, with its definition
MEANT = {"atention": "attention", "sofmax": "softmax", "tranformer decodr": "transformer decoder", "softmax": None, "label smoo": None}

# Empties the search and types words into it; resolves to what it finds, first ones first: of each page, its address, title and sentences;
# and what the words may mean.
SEARCH = """new Promise((resolve) => {
  const input = document.querySelector('.md-search__input'), start = Date.now();
  const found = () => [...document.querySelectorAll('.md-search-result__item')].map((item) => {
    const links = [...item.querySelectorAll(':scope > a')];
    return [links[0].href.replace(/[?#].*/, '').slice(new URL('.', document.baseURI).href.length), links[0].querySelector('h1').innerHTML,
            links.map((link) => link.querySelector('article').innerHTML).join(' ')];
  });
  const type = (words) => {
    input.value = words;
    input.dispatchEvent(new Event('keyup', {bubbles: true}));
  };
  const until = (done, then) => done() || Date.now() - start > 15000 ? then() : setTimeout(until, 20, done, then);
  input.focus();
  type('');
  until(() => !found().length, () => {
    type(WORDS);
    until(() => found().length, () => resolve([found(), document.querySelector('.did-you-mean button')?.textContent ?? null]));
  });
})"""

# Counts what pages hand over to workers; and resolves to how much that is, when a page that was opened has what is searched.
COUNT = """const post = Worker.prototype.postMessage;
let handedOver = 0;
Worker.prototype.postMessage = function (message) {
  ++handedOver;
  post.call(this, message);
};"""
HANDED_OVER = """new Promise((resolve) => {
  const come = () => performance.getEntriesByType('resource').some((each) => each.name.endsWith('search_index.json') && each.responseEnd);
  const look = () => come() ? setTimeout(() => resolve(handedOver), 100) : setTimeout(look, 20);
  look();
})"""


def main():
    folder = Path(sys.argv[1]).resolve()
    index = json.loads((folder / "search/search_index.json").read_text())["docs"]
    problems = [f"{each['location']}: the search knows {words.group(0)!r}" for each in index
                if (words := re.search(r"Sound at step \d+|This chapter also runs", each["text"]))]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(sys.argv[2], profile)
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=COUNT)
        for base in (serve(folder), folder.as_uri()):
            place = base.split(":")[0]
            browser.open(f"{base}/index.html")
            if place == "http" and browser.evaluate(HANDED_OVER):
                problems.append("a page makes the search's index before anybody searches")
            for words in dict.fromkeys([*ASKED, *MEANT]):
                found, meant = browser.evaluate(SEARCH.replace("WORDS", repr(words)))
                count, expected = ASKED.get(words, (0, set()))
                pages = [page for page, _, _ in found]
                if not expected <= set(pages[:count]):
                    problems.append(f"{place}: \"{words}\" finds {pages[:max(count, 3)]}, not {sorted(expected)} first")
                if words in FIRST and pages[:1] != ["glossary.html"]:
                    problems.append(f"{place}: \"{words}\" does not find its definition first")
                if words in MEANT and meant != MEANT[words]:
                    problems.append(f"{place}: \"{words}\" is taken to mean {meant}")
                if "-masked" not in words and not any("<mark>" in said for _, _, said in found[:3]):
                    problems.append(f"{place}: \"{words}\": no word is marked in what is shown")
                for page, title, said in found[:3]:
                    if not title.startswith("<small>"):
                        problems.append(f"{place}: \"{words}\": it is not said which part of the site {page} is from")
                    if len(re.sub(r"<[^>]*>", "", said)) > 1500 or "<pre" in said:
                        problems.append(f"{place}: \"{words}\": more is shown of {page} than a sentence")
            browser.open(f"{base}/index.html")
            browser.evaluate(SEARCH.replace("WORDS", repr("sofmax")))
            browser.evaluate("document.querySelector('.did-you-mean button').click()")
            if browser.evaluate("document.querySelector('.md-search__input').value") != "softmax":
                problems.append(f"{place}: the button with what was meant does not ask for it")
        browser.close()
    print(*problems, sep="\n")
    print(f"{len(ASKED)} questions, {len(problems)} answered wrongly")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

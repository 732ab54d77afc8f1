"""Asks the search of a built site: `search.py FOLDER CHROMIUM`, from a server and from the folder. A type comes first by its name;
what has all words before what has one of them, the book and the glossary before the API; and where nothing has all words, there
is what has some, or what is meant by who misses a letter. What the pictures' labels and the lines about notebooks say is not found.
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
    "the KV cache": (2, {"chapters/13-search.html", "glossary.html"}),
    "softmax": (3, {"chapters/05-masked-softmax.html"}),
    "gradient checker": (1, {"chapters/engine-E-checking.html"}),
    "atention": (1, {"chapters/01-attention-as-weights.html"}),
    "zebra softmax": (1, {"chapters/05-masked-softmax.html"}),
    "softmax -masked": (9, {"chapters/engine-D-rules.html"}),
}

# Types words into the search; resolves to the pages that it finds, first ones first, when these are no longer those of before.
SEARCH = """new Promise((resolve) => {
  const input = document.querySelector('.md-search__input'), start = Date.now();
  const found = () => [...document.querySelectorAll('.md-search-result__item > a:first-child')]
    .map((link) => link.href.replace(/[?#].*/, '').slice(new URL('.', document.baseURI).href.length));
  const before = String(found());
  input.focus();
  input.value = WORDS;
  input.dispatchEvent(new Event('keyup', {bubbles: true}));
  const look = () => found().length && String(found()) !== before || Date.now() - start > 15000 ? resolve(found()) : setTimeout(look, 20);
  look();
})"""


def main():
    folder = Path(sys.argv[1]).resolve()
    index = json.loads((folder / "search/search_index.json").read_text())["docs"]
    problems = [f"{each['location']}: the search knows {words.group(0)!r}" for each in index
                if (words := re.search(r"Sound at step \d+|This chapter also runs", each["text"]))]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(sys.argv[2], profile)
        for base in (serve(folder), folder.as_uri()):
            for words, (count, expected) in ASKED.items():
                browser.open(f"{base}/index.html")
                found = browser.evaluate(SEARCH.replace("WORDS", repr(words)))
                if not expected <= set(found[:count]):
                    problems.append(f"{base.split(':')[0]}: \"{words}\" finds {found[:max(count, 3)]}, not {sorted(expected)} first")
        browser.close()
    print(*problems, sep="\n")
    print(f"{len(ASKED)} questions, {len(problems)} answered wrongly")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

"""Looks at what is folded in the chapters and guides of a built site: `folds.py FOLDER`. No visible code may go on with what only folded code
defines: a reader would look for it. What a chapter includes stands above all code that is seen, and not where the chapter opens.
"""
import html
import re
import sys
from pathlib import Path

NAME = re.compile(r"\b[a-z]\w+")
DEFINITION = re.compile(r"^(?:const )?[\w:]+(?:<[^;=()]*>)?[&*]? (\w+)(?: ?[={;(\[]|$)|^(?:struct|class) (\w+)", re.MULTILINE)
CODE = re.compile(r'<div class="language-c\+\+ highlight">.*?</div>', re.DOTALL)
FOLD = r'<details class="quiet">.*?</details>'


def code_of(markup):
    return "\n".join(html.unescape(re.sub(r"<[^>]*>", "", each)) for each in CODE.findall(markup))


def defined(code):
    return {name for names in DEFINITION.findall(code) for name in names if name}


def place_of_includes(page):
    """What is wrong with where the fold of what a chapter includes stands."""
    before, found, _ = page.partition("<summary>What the code of this page includes</summary>")
    if not found:
        return []
    seen_before = code_of(re.sub(FOLD, "", before, flags=re.DOTALL))
    return ["code stands above what it includes"] * bool(seen_before) + ["the chapter opens with what it includes"] * ("<h2" not in before)


def main():
    problems = []
    folds = 0
    for path in sorted(page for pages in ("*.html", "chapters/*.html") for page in Path(sys.argv[1]).glob(pages)):
        page = path.read_text(encoding="utf-8")
        folded = re.findall(FOLD, page, flags=re.DOTALL)
        folds += len(folded)
        shown = code_of(re.sub(FOLD, "", page, flags=re.DOTALL))
        read = re.sub(r'"[^"\n]*"|//.*|#include.*', "", shown)  # neither what is printed, said of it nor a file's name
        problems += [f"{path.name}: {each}" for each in place_of_includes(page)]
        missing = (defined(code_of("".join(folded))) - defined(shown)).intersection(NAME.findall(read))
        problems += [f"{path.name}: {name} is defined where it is folded, and used where it is not" for name in sorted(missing)]
    print(*problems, sep="\n")
    print(f"{folds} folds, {len(problems)} wrong")
    return bool(problems) or not folds


if __name__ == "__main__":
    sys.exit(main())

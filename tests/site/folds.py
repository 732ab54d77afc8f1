"""Looks at what is folded in the chapters and guides of a built site: `folds.py FOLDER`. No visible code may go on with what only folded code
defines: a reader would look for it.
"""
import html
import re
import sys
from pathlib import Path

NAME = re.compile(r"\b[a-z]\w+")
DEFINITION = re.compile(r"^(?:const )?[\w:]+(?:<[^;=()]*>)?[&*]? (\w+)(?: ?[={;(\[]|$)|^(?:struct|class) (\w+)", re.MULTILINE)
CODE = re.compile(r'<div class="language-c\+\+ highlight">.*?</div>', re.DOTALL)


def code_of(markup):
    return "\n".join(html.unescape(re.sub(r"<[^>]*>", "", each)) for each in CODE.findall(markup))


def defined(code):
    return {name for names in DEFINITION.findall(code) for name in names if name}


def main():
    problems = []
    folds = 0
    for path in sorted(page for pages in ("*.html", "chapters/*.html") for page in Path(sys.argv[1]).glob(pages)):
        page = path.read_text(encoding="utf-8")
        folded = re.findall(r'<details class="quiet">.*?</details>', page, flags=re.DOTALL)
        folds += len(folded)
        shown = code_of(re.sub(r'<details class="quiet">.*?</details>', "", page, flags=re.DOTALL))
        read = re.sub(r'"[^"\n]*"|//.*|#include.*', "", shown)  # neither what is printed, said of it nor a file's name
        missing = (defined(code_of("".join(folded))) - defined(shown)).intersection(NAME.findall(read))
        problems += [f"{path.name}: {name} is defined where it is folded, and used where it is not" for name in sorted(missing)]
    print(*problems, sep="\n")
    print(f"{folds} folds, {len(problems)} wrong")
    return bool(problems) or not folds


if __name__ == "__main__":
    sys.exit(main())

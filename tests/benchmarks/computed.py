"""Pages with tables that a program computes: each stands between `<!-- computed: NAME -->` and `<!-- end -->`."""

import sys


def table(head, rows):
    """In Markdown: a row of names and rows of cells, all but the first column with numbers."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def write(path, texts, check):
    """Writes the text of each name into the page; with `check` nothing is written, and what would change ends the program."""
    before = page = path.read_text()
    for name, text in texts.items():
        begin = f"<!-- computed: {name} -->\n"
        if begin not in page:
            sys.exit(f"{path}: the page has no mark for {name}")
        first = page.index(begin) + len(begin)
        page = page[:first] + "\n" + text + "\n\n" + page[page.index("<!-- end -->", first):]
    if not check:
        path.write_text(page)
    elif page != before:
        sys.exit(f"{path}: it is not what was measured; run {' '.join(arg for arg in sys.argv if arg != '--check')}")

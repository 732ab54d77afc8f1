"""Looks at what build.py adds to the pages of a built site for their look: `dressed.py FOLDER`. Columns of numbers are marked and columns of
words are not, a terminal's sign of a right sentence is marked, each chapter says above its title that it runs as a notebook, and a door of
the home page has one way in and at most three links beside it.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import build

TABLE = """<table><thead><tr><th>word</th><th>share</th><th>score</th><th>formula</th><th>sentence</th></tr></thead>
<tbody><tr><td>soup</td><td>−1.5 %</td><td><span class="arithmatex">\\(\\ln 8\\)</span></td><td>\\(a\\)</td><td>2 are too few to be of use here</td></tr>
<tr><td>rain</td><td></td><td><strong>12</strong></td><td>\\(b\\)</td><td>3</td></tr></tbody></table>"""


def main():
    folder, problems = Path(sys.argv[1]), []
    kinds = [re.findall(r'<t[hd](?: class="(\w+)")?>', row) for row in build.with_kinds_of_cells(TABLE).split("<tr>")[1:]]
    if kinds != [["", "number", "number", "", ""], ["", "number", "number", "", "long"], ["", "number", "number", "", ""]]:
        problems.append(f"the cells of a table are of these kinds: {kinds}")
    home = (folder / "index.html").read_text(encoding="utf-8")
    if '<span class="right">✓</span>' not in home:
        problems.append("the home page's terminal marks nothing as right")
    for door in re.findall(r'<div class="door">.*?</ul>', home, re.DOTALL):
        links = len(re.findall(r"<li><a ", door))
        if not 2 <= links <= 4:
            problems.append(f"{links} links in a door: {door[:60]}")
    chapters = sorted((folder / "chapters").glob("*.html"))
    for chapter in chapters:
        page = chapter.read_text(encoding="utf-8")
        if not re.search(rf'<p class="notebook">.*title="notebooks/{chapter.stem}\.ipynb".*\n<h1', page):
            problems.append(f"{chapter.name} does not say above its title that it runs as a notebook")
    if not any('class="number"' in chapter.read_text(encoding="utf-8") for chapter in chapters):
        problems.append("no chapter has a column of numbers")
    print(*problems, sep="\n")
    print(f"{len(chapters)} chapters, {len(problems)} wrong")
    return bool(problems) or not chapters


if __name__ == "__main__":
    sys.exit(main())

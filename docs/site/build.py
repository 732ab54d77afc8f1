"""Builds the site: `build.py FOLDER` writes FOLDER/html, which needs neither a server nor a network.

MkDocs makes the pages of docs/ and the examples' READMEs, Doxygen the API pages, KaTeX sets the mathematics in the
browser. In the tree, pages link to sources; here these links, and files named in `code`, lead to the API pages.
Where a run has left its page, the site shows that, too. Pictures stand in their pages, so that they take the page's colours and answer to the pointer.
"""
import html
import itertools
import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

import api
import search_index

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "out/toy/page.html"  # which `./run translate` leaves
KATEX = Path(os.environ.get("KATEX", "/usr/share/javascript/katex"))


def pages():
    """Each page's path in the tree, and in the site."""
    result = {page.relative_to(ROOT / "docs"): page for page in (ROOT / "docs").rglob("*.md")
              if "site" not in page.relative_to(ROOT / "docs").parts}
    result[Path("book.md")] = result.pop(Path("index.md"))
    result |= {Path("index.md"): ROOT / "docs/site/home.md", Path("api/index.md"): ROOT / "docs/site/api.md",
               Path("examples.md"): ROOT / "examples/README.md"}
    result |= {Path("examples") / f"{page.parent.name}.md": page for page in (ROOT / "examples").glob("*/README.md")}
    result |= {Path(f"{name.lower()}.md"): ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG")}
    return {source.relative_to(ROOT).as_posix(): target.as_posix() for target, source in result.items()}


def outside_of_code(text, change):
    """`text` with `change` made to what stands between its fences."""
    pieces = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    pieces[::2] = map(change, pieces[::2])
    return "".join(pieces)


def with_links(text, source, targets):
    """The page's text, with links that lead to the same things in the site. What has no page there is no link there."""
    here = targets[source]

    def from_here(target):
        return posixpath.relpath(targets[target], posixpath.dirname(here))

    def link(match):
        text, target, part = match.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if "://" in target or not target:
            return match.group(0)
        if f"{path}/README.md" in targets:
            path += "/README.md"
        return f"[{text}]({from_here(path)}{part})" if path in targets else text

    def file_name(match):
        return f"[{match.group(0)}]({from_here(match.group(1))})" if match.group(1) in targets else match.group(0)

    def change(prose):
        prose = re.sub(r"(?<!!)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)#\s]*)((?:#[^)]*)?)\)", link, prose)
        pieces = re.split(r"(\[(?:[^\[\]`]|`[^`]*`)*\]\([^)]*\))", prose)  # a file that is named in a link is one already
        pieces[::2] = [re.sub(r"`([\w/]+\.[chp]+)`", file_name, piece) for piece in pieces[::2]]
        return "".join(pieces)

    return outside_of_code(text, change)


def with_pictures(text, folder):
    """The text, with its pictures in it. What stands in brackets is read out to those who cannot see them."""
    def picture(match):
        svg = (folder / match.group(2)).read_text().replace("\n\n", "\n")
        words = f'aria-label="{html.escape(match.group(1))}"'
        return f'<figure class="picture" data-search-exclude>{re.sub("aria-label=.[^>]*.(?=>)", lambda _: words, svg, count=1)}</figure>'

    return outside_of_code(text, lambda prose: re.sub(r"^!\[([^\]]*)\]\((\S+\.svg)\)$", picture, prose, flags=re.MULTILINE))


def with_includes_folded(text):
    """A chapter's text, with the include that all chapters begin with folded, for those who want to see it: above the first code that is
    seen, or where the text speaks of it.
    """
    includes = re.search(r'^<!-- file scope -->\n\n(```c\+\+\n#include "notebook.hpp"\n.*?^```\n)\n?', text, re.DOTALL | re.MULTILINE)
    if not includes:
        return text
    summary = "<summary>What the code of this page includes</summary>"
    fold = f'<details class="quiet" markdown="1">{summary}\n\n{includes.group(1)}\n</details>\n\n'
    rest = text[:includes.start()] + text[includes.end():]
    seen = re.sub(r"<details.*?</details>", lambda folded: " " * len(folded.group(0)), rest, flags=re.DOTALL)
    code = re.search(r"^(?:<!-- [^\n]* -->\n\n)?```c\+\+\n", seen, re.MULTILINE)
    place = includes.start() if text[:includes.start()].endswith(":\n\n") or not code else code.start()
    return rest[:place] + fold + rest[place:]


def with_run(text, run):
    """A page's text, without the line that leads to the page of a run where there is none, or one that takes long to fetch."""
    return text if run.exists() and run.stat().st_size < 5e6 else re.sub(r"^.*\bhref=.run\.html\b.*\n", "", text, flags=re.MULTILINE)


def with_way_back(page):
    """The page of a run, which begins with a link to the site's first page."""
    return page.replace("<header>", '<header><p><a href="index.html">← Gradual</a></p>', 1)


DRAWING = re.compile(r"^```c\+\+\n((?:(?!^```).)*?)(^show\((?:(?!^```).)*?)^```\n\n((?:!\[[^\n]*\n)+(?:\n\*(?:(?!\n\n).)*\*\n)?)",
                     re.DOTALL | re.MULTILINE)
DEFINED = re.compile(r"^(?:(?:const|static|struct|class) )*(?:[\w:]+(?:<[^;=()]*>)?[&*]? )?(\w+)(?: ?[={;(\[:]|$)", re.MULTILINE)


def with_drawing_folded(text):
    """A chapter's text, with the code that only draws a picture folded below it, for those who want to see it; not with what other
    code goes on with.
    """
    read = "".join(re.findall(r"^```c\+\+\n.*?^```\n", DRAWING.sub(lambda drawing: " " * len(drawing.group(0)), text), re.DOTALL | re.MULTILINE))
    names = set(re.findall(r"\b[a-z]\w+", re.sub(r'"[^"\n]*"|//.*|#include.*', "", read))) - set(DEFINED.findall(read))

    def fold(drawing):
        code, show, picture = drawing.groups()
        seen = f"```c++\n{code.rstrip()}\n```\n\n" if names.intersection(DEFINED.findall(code)) else ""
        return (f'{seen}{picture}\n<details class="quiet" markdown="1"><summary>What draws this picture</summary>\n\n'
                f"```c++\n{'' if seen else code}{show}```\n\n</details>\n")

    return DRAWING.sub(fold, text)


def with_code_in_one_line(page):
    """A page of the site, where a line does not end inside a short piece of code, such as a shape, nor inside an option of a command."""
    page = re.sub(r"<code>(?=(?:[^<&\n]|&[^;<]+;){1,30}</code>)", '<code class="short">', page)
    return re.sub(r"<code>[^<]*</code>", lambda code: re.sub(r"(?<=[ >])--[\w-]+", r'<span class="short">\g<0></span>', code.group(0)), page)


def with_notebook(page, name):
    """A page of the site, with a link to how it runs as a notebook beside its title, if it is a chapter that does."""
    notebook = Path("notebooks") / f"{Path(name).stem}.ipynb"
    if not name.startswith("chapters/") or not (ROOT / notebook).exists():
        return page
    link = f'<p class="notebook"><a href="../notebooks.html" title="{notebook}">Runs as a notebook</a></p>\n'
    return page.replace("<h1 ", link + "<h1 ", 1)


NUMBER = re.compile(r"[−+~<≤]?\s*\d[\d\s.,±]*(?:\s*(?:%|×|[kMG]?B|[mµn]?s|min|h))?")
NUMBER_OR_FORMULA = re.compile(rf"{NUMBER.pattern}|\\\(.*\\\)|[–-]?", re.DOTALL)


def with_kinds_of_cells(page):
    """A page of the site, where the cells of a column of numbers, its title too, are of the class `number`, and those that hold a sentence
    of the class `long`. Formulas may stand among numbers.
    """
    def words(cell):
        return html.unescape(re.sub(r"<[^>]*>", "", cell)).strip()

    def with_its_columns(table):
        rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row, re.DOTALL) for row in table.group(0).split("<tr>")[1:]]
        columns = [[words(cell) for cell in column[1:]] for column in zip(*rows)]
        is_number = [any(map(NUMBER.fullmatch, column)) and all(map(NUMBER_OR_FORMULA.fullmatch, column)) for column in columns]
        columns_of_cells = itertools.cycle(is_number)

        def with_class(cell):
            tag, content = cell.groups()
            kind = "number" if next(columns_of_cells) else "long" if len(words(content)) > 24 else ""
            return f'<{tag} class="{kind}">{content}' if kind else cell.group(0)

        return re.sub(r"<(t[hd])>(.*?)(?=</t[hd]>)", with_class, table.group(0), flags=re.DOTALL)

    return re.sub(r"<table>.*?</table>", with_its_columns, page, flags=re.DOTALL)


def with_right_marked(page):
    """A page of the site, where the sign of a sentence that came out right can have its colour in a terminal."""
    return re.sub(r'(<span class="go">[^<]*?)✓', r'\1<span class="right">✓</span>', page)


def write_pages(folder, targets, names):
    for source, target in names.items():
        text = with_includes_folded(with_drawing_folded((ROOT / source).read_text()))
        text = with_run(with_links(text, source, targets), RUN)
        file = folder / "pages" / target
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(with_pictures(text, (ROOT / source).parent))


def copy_assets(folder):
    assets = folder / "pages" / "assets"
    (assets / "katex").mkdir(parents=True)
    for name in ("katex.min.css", "katex.min.js"):
        shutil.copy(KATEX / name, assets / "katex")
    shutil.copytree(KATEX / "fonts", assets / "katex" / "fonts")
    for name in ("site.css", "api.css", "site.js", "book.css", "book.js", "file-worker.js", "search.js"):
        shutil.copy(ROOT / "docs/site" / name, assets)


def write_settings(folder, names):
    """mkdocs.yml, with the files that its navigation names by a pattern."""
    def files(match):
        found = sorted(name for name in names.values() if PurePosixPath(name).match(match.group(2)))
        return "".join(f"{match.group(1)}{name}\n" for name in found)

    settings = (ROOT / "docs/site/mkdocs.yml").read_text()
    (folder / "mkdocs.yml").write_text(re.sub(r"( +- )(\S*\*\S*)\n", files, settings))


def run_mkdocs(folder):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", folder / "mkdocs.yml"]
    result = subprocess.run(command, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        sys.exit(result.stdout)


def main():
    folder = Path(sys.argv[1]).resolve()
    if not (KATEX / "katex.min.js").exists():
        sys.exit(f"site: KaTeX is not in {KATEX}; its folder can be given as KATEX=…")
    shutil.rmtree(folder / "pages", ignore_errors=True)
    names = pages()
    (folder / "pages").mkdir(parents=True)
    sources = api.build(ROOT, folder)
    write_pages(folder, {**sources, **names}, names)
    copy_assets(folder)
    if "run.html" in (folder / "pages/index.md").read_text():
        (folder / "pages/run.html").write_text(with_way_back(RUN.read_text()))
        if (settings := RUN.with_name("settings.conf")).exists():
            shutil.copy(settings, folder / "pages/settings.conf")  # of which that page speaks
    write_settings(folder, names)
    run_mkdocs(folder)
    search_index.add(folder, api.set_into_frame(folder, sources))
    site = folder / "html"
    for page in {*((site / name).with_suffix(".html") for name in names.values()), *(site / "api").glob("*.html")}:
        text = with_kinds_of_cells(with_code_in_one_line(page.read_text()))
        page.write_text(with_notebook(with_right_marked(text), page.relative_to(site).as_posix()))
    (folder / "html" / "404.html").unlink()  # its links hold only at the root of a server
    search = folder / "html" / "search"  # where there is no server, the index has to be a script
    (search / "search_index.js").write_text("var __index = " + (search / "search_index.json").read_text())
    print(f"The site is in {folder / 'html'}: open index.html there in a browser.")


if __name__ == "__main__":
    main()

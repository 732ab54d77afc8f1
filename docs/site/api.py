"""The API pages: Doxygen reads the headers, and what it writes of each is set into the frame of the site's own pages, with
their header, search and colours.
"""
import html
import json
import os
import re
import subprocess
import xml.etree.ElementTree
from pathlib import Path

NAVIGATION = (("../index.html", "Home"), ("../book.html", "The book"), ("../getting-started.html", "Guides"),
              ("index.html", "API"), ("annotated.html", "Types"), ("namespacemembers_func.html", "Functions"),
              ("files.html", "Headers and sources"))


def build(root, folder):
    """Runs Doxygen; returns the page of each source file, as Doxygen names it."""
    subprocess.run(["doxygen", "docs/site/Doxyfile"], cwd=root, check=True, env={**os.environ, "SITE": str(folder)})
    api = folder / "pages" / "api"
    for each in api.glob("*"):
        if each.suffix != ".html":  # its own style and scripts
            each.unlink()
    (api / "index.html").unlink()
    result = {}
    for file in xml.etree.ElementTree.parse(folder / "api.tag").getroot().findall("compound[@kind='file']"):
        path = Path(file.findtext("path")) / file.findtext("name")
        page = file.findtext("filename").removesuffix(".html")
        result[(root / path).relative_to(root).as_posix()] = f"api/{page}{'_source' if path.suffix == '.cpp' else ''}.html"
    return result


def between(text, begin, end):
    return text.split(begin, 1)[1].split(end, 1)[0]


def plain(markup):
    """The words of a piece of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())


def content_of(page, includes):
    """A Doxygen page's title, and its content with includes as they are written."""
    title = (between(page, '<div class="title">', "</div>") if '<div class="title">' in page
             else between(page, "<title>Gradual: ", "</title>"))  # a list of names
    content = between(page, '<div class="contents">', "</div><!-- contents -->")
    if 'name="nested-classes"' not in content:  # where only private types are nested, this leads nowhere
        content = re.sub(r'<a href="#nested-classes">Classes</a>[^<]*', "", content)

    def include(match):
        source = match.group(1)
        return f'#include &lt;<a class="el" href="{source}">gradual/{includes.get(source, match.group(2))}</a>&gt;'

    content = re.sub(r'#include &lt;<a class="el" href="([^"]*)">([^<]*)</a>&gt;', include, content)
    content = re.sub(r'<div class="levels">.*?</div>', "", content, flags=re.DOTALL)  # folding takes scripts
    content = re.sub(r'<span (?:id="[^"]*" )?class="(?:arrow|icona|iconf\w+)".*?</span>(?:</span>)?', "", content)
    content = re.sub(r' (?:onclick|style)="[^"]*"', "", content)
    content = re.sub(r'<img [^>]*>', "", content)
    content = re.sub(r'<a href="[^"]*">(?:<span class="icondoc"></span>)?</a>', "", content)
    return re.sub(r"\s+", " ", title).strip(), content


def frame_of(index):
    """The site's page around a place for the title and the content, with a short navigation of its own."""
    items = "".join(f'<li class="md-nav__item"><a href="{link}" class="md-nav__link">{name}</a></li>'
                    for link, name in NAVIGATION)
    navigation = (f'<nav class="md-nav md-nav--primary" aria-label="Navigation" data-md-level="0">'
                  f'<ul class="md-nav__list">{items}</ul></nav>')
    index = re.sub(r'<nav class="md-nav md-nav--primary.*?(?=</div>\s*</div>\s*</div>\s*<div class="md-sidebar md-sidebar--secondary)',
                   lambda _: navigation, index, count=1, flags=re.DOTALL)
    index = re.sub(r'<nav class="md-nav md-nav--secondary.*?</nav>', "", index, count=1, flags=re.DOTALL)
    before, rest = re.split(r'(?<=<article class="md-content__inner md-typeset">)', index, maxsplit=1)
    after = rest[rest.index("</article>"):]
    after = re.sub(r'<nav class="md-footer__inner.*?</nav>', "", after, count=1, flags=re.DOTALL)
    before = re.sub(r'href="#[^"]*" class="md-skip"', 'href="#api" class="md-skip"', before)
    return re.sub(r"<title>.*?</title>", "<title>TITLE</title>", before, count=1), after


def entries_of(name, title, content):
    """What the search finds of a page: a type, a header, each function of the library."""
    if name.startswith(("class", "struct")) and not name.endswith("-members.html") or name.endswith("_8hpp.html"):
        brief = re.search(r"<p>(.*?)</p>", content, flags=re.DOTALL)
        short = re.sub(r" (Class|Struct|File|Template|Reference)\b", "", plain(title))
        yield {"location": f"api/{name}", "title": short, "text": plain(brief.group(1)).removesuffix("More...") if brief else ""}
    elif name.startswith("namespacegradual"):
        for item in content.split('<a id="')[1:]:
            function = re.match(r'(\w+)" name="\w+"></a>\s*<h2 class="memtitle">(.*?)</h2>', item, flags=re.DOTALL)
            if function and '<div class="memdoc">' in item:
                words = plain(item.split('<div class="memdoc">')[1]).split("Definition at line")[0]
                yield {"location": f"api/{name}#{function.group(1)}", "title": plain(function.group(2)).replace("◆", "").strip(),
                       "text": words[:400]}


def set_into_frame(folder, pages):
    """Writes the API pages anew, and returns what the search is to know of them."""
    includes = {page.replace(".html", "_source.html") if "_source" not in page else page: source
                for source, page in ((source, page.removeprefix("api/")) for source, page in pages.items())}
    api = folder / "html" / "api"
    before, after = frame_of((api / "index.html").read_text())
    entries, seen = [], set()
    for file in sorted(api.glob("*.html")):
        if file.name == "index.html":
            continue
        title, content = content_of(file.read_text(), includes)
        for entry in entries_of(file.name, title, content):
            key = entry["title"], entry["text"]
            if key not in seen:
                seen.add(key)
                entries.append(entry)
        file.write_text(before.replace("TITLE", plain(title) + " - Gradual") +
                        f'<div class="api" id="api"><h1>{title}</h1>{content}</div>' + after)
    return entries


def add_to_search(folder, entries):
    file = folder / "html" / "search" / "search_index.json"
    index = json.loads(file.read_text())
    for each in index["docs"]:
        each["text"] = re.sub(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", lambda tex: readable(tex.group(1) or tex.group(2)),
                              each["text"], flags=re.DOTALL)
        each["title"] = re.sub(r"\\\((.*?)\\\)", lambda tex: readable(tex.group(1)), each["title"])
    index["docs"] += entries
    file.write_text(json.dumps(index, ensure_ascii=False))


SIGNS = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ",
         "mu": "μ", "pi": "π", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω", "Sigma": "Σ", "Delta": "Δ", "sum": "Σ",
         "cdot": "·", "times": "×", "odot": "⊙", "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "infty": "∞", "to": "→",
         "in": "∈", "partial": "∂", "top": "ᵀ", "sqrt": "√", "dots": "…", "ldots": "…", "cdots": "…", "lVert": "‖",
         "rVert": "‖", "mapsto": "↦", "pm": "±", "mid": "|", "prod": "∏", "nabla": "∇", "ell": "ℓ", "Vert": "‖"}


def readable(tex):
    """A formula as a line of text, for lists of what was found."""
    tex = re.sub(r"\\(?:begin|end)\{[^}]*\}", " ", tex)
    tex = re.sub(r"\\[dt]?frac\s*(\w)\s*(\w)", r"\1/\2", tex)
    tex = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", tex)
    tex = re.sub(r"\\([A-Za-z]+) ?", lambda name: SIGNS.get(name.group(1), ""), tex)
    return " ".join(re.sub(r"\\.|[{}&$^_~]", "", tex).split())

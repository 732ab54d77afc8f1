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

ROOT = Path(__file__).resolve().parents[2]
NAVIGATION = (("../index.html", "Home"), ("../book.html", "The book"), ("../getting-started.html", "Guides"),
              ("index.html", "API"), ("headers.html", "Headers"), ("names.html", "Names"))
# What Doxygen calls the parts of a page, and what they are.
PARTS = {"Public Member Functions": "Functions", "Static Public Member Functions": "Static functions",
         "Public Attributes": "Fields", "Static Public Attributes": "Constants", "Public Types": "Types in it", "Classes": "Types",
         "Detailed Description": "More about it", "Constructor &amp; Destructor Documentation": "Constructors, one by one",
         "Typedefs": "Other names of types", "Enumerations": "Choices"}


def build(root, folder):
    """Runs Doxygen; returns the page of each source file, as Doxygen names it."""
    subprocess.run(["doxygen", "docs/site/Doxyfile"], cwd=root, check=True, env={**os.environ, "SITE": str(folder)})
    api = folder / "pages" / "api"
    for each in api.glob("*"):
        if each.suffix != ".html":  # its own style and scripts
            each.unlink()
    (api / "index.html").unlink()
    result = {}
    for file in files_of(folder):
        path = Path(file.findtext("path")) / file.findtext("name")
        page = file.findtext("filename").removesuffix(".html")
        result[(root / path).relative_to(root).as_posix()] = f"api/{page}{'_source' if path.suffix == '.cpp' else ''}.html"
    return result


def files_of(folder):
    return xml.etree.ElementTree.parse(folder / "api.tag").getroot().findall("compound[@kind='file']")


def between(text, begin, end):
    return text.split(begin, 1)[1].split(end, 1)[0]


def plain(markup):
    """The words of a piece of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())


def comment_of(source):
    """What a file says of itself in its first lines: paragraphs, of which those that are set in have lines of their own."""
    lines = (ROOT / source).read_text().split("\n")
    count = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    paragraphs = "\n".join(line.removeprefix("// ").removeprefix("//") for line in lines[:count]).split("\n\n")
    return [each if each.startswith(" ") else " ".join(each.split()) for each in paragraphs]


def part_name(match):
    name = " ".join(re.sub("<[^>]*>", "", match.group(2)).split())
    anchor = "".join(re.findall("<a [^>]*></a>", match.group(2)))
    name = re.sub(r"^(?:Member )?(\w+) Documentation$", r"\1s, one by one", name)
    return f"{match.group(1)}{anchor}{PARTS.get(name, name)}</h2>"


def content_of(page):
    """A Doxygen page's title, and its content."""
    title = between(page, '<div class="title">', "</div>")
    content = between(page, '<div class="contents">', "</div><!-- contents -->")
    if 'name="nested-classes"' not in content:  # where only private types are nested, this leads nowhere
        content = re.sub(r'<a href="#nested-classes">Classes</a>[^<]*', "", content)
    content = re.sub(r'<div class="levels">.*?</div>', "", content, flags=re.DOTALL)  # folding takes scripts
    content = re.sub(r'<span (?:id="[^"]*" )?class="(?:arrow|icona|iconf\w+)".*?</span>(?:</span>)?', "", content)
    content = re.sub(r' (?:onclick|style)="[^"]*"', "", content)
    content = re.sub(r'<img [^>]*>', "", content)
    content = re.sub(r'<a href="[^"]*">(?:<span class="icondoc"></span>)?</a>', "", content)
    content = re.sub(r'<a class="el" href="[^"]*">(\w+)</a>(?=[,)=])', r"\1", content)  # a parameter is not what has its name elsewhere
    content = re.sub(r'(<h2 class="groupheader">)(.*?)</h2>', part_name, content, flags=re.DOTALL)
    content = re.sub(r' <span class="overload">.*?</span>', "", content.replace("More...</a>", "More</a>"))
    title = re.sub(r" (?:Class|Struct|File|Template|Reference)\b", "", re.sub(r"\s+", " ", title))
    return title.strip(), content


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


def brief_of(content):
    """The first sentences of a type or a function."""
    content = content.split('<div class="memdoc">')[1] if content.startswith("<a id=") else content.split("<h2")[0]
    found = re.search(r"<p ?>(.*?)</p>", content, flags=re.DOTALL)
    words = plain(found.group(1)).removesuffix("More").strip() if found and "Definition at" not in found.group(1) else ""
    return "" if words.startswith("#include") else words


class Reference:
    """The pages of Doxygen's that are kept, those of types, headers and sources: a header's has its comment and all of its
    functions, which Doxygen puts on a page of their namespace, a thousand on one.
    """

    def __init__(self, folder, pages):
        self.api = folder / "html" / "api"
        self.headers = {page.removeprefix("api/"): source for source, page in pages.items() if source.endswith(".hpp")}
        self.parts = {}  # of namespaces: what stands at an anchor
        for page in self.api.glob("namespace*.html"):
            content = content_of(page.read_text())[1] if '<div class="title">' in page.read_text() else ""
            for part in re.split(r'<h2 class="groupheader">|(?=<a id="a\w{32}")', content):
                if part.startswith('<a id="a'):
                    self.parts[f"{page.name}#{part[7:40]}"] = part
        self.types, self.members, self.home = {}, {}, {}  # of each header; the header of each part
        for file in sorted(files_of(folder), key=lambda file: file.findtext("name").endswith(".cpp")):
            page = file.findtext("filename")
            self.types[page] = [each.text for each in file.findall("class")]
            anchors = dict.fromkeys(f"{each.findtext('anchorfile')}#{each.findtext('anchor')}" for each in file.findall("member"))
            self.members[page] = [each for each in anchors if each in self.parts and each not in self.home]
            if page in self.headers:
                self.home |= {each: page for each in self.members[page]}
        for page in self.api.glob("*.html"):
            if not re.fullmatch(r"index\.html|(class|struct).*(?<!-members)\.html|.*_8hpp\.html|.*_source\.html", page.name):
                page.unlink()
        self.kept = {page.name for page in self.api.glob("*.html")} | {"headers.html", "names.html"}

    def with_links(self, content):
        """The content with links to where things are now, and none to what is gone."""
        def link(match):
            page, anchor = match.group(2), match.group(3) or ""
            page = self.home.get(page + anchor, page)
            return f"{match.group(1)}{page}{anchor}{match.group(4)}" if page in self.kept or "/" in page else match.group(5)

        return re.sub(r'(<a [^>]*?href=")([^"#]+)(#[^"]*)?("[^>]*>(.*?)</a>)', link, content, flags=re.DOTALL)

    def include(self, source, page):
        return (f'<p><code>#include &lt;<a class="el" href="{page.replace(".html", "_source.html")}">'
                f"gradual/{source}</a>&gt;</code></p>")

    def header_page(self, page, content):
        """The page of a header: its comment, an overview, and its functions one by one."""
        source = self.headers[page]
        content = re.sub(r"^\s*<p><a[^>]*>Go to the source code of this file.</a></p>", "", content)
        content = re.sub(r'<table class="memberdecls">\s*<tr class="heading"><td colspan="2"><h2 class="groupheader">'
                         r'<a id="namespaces".*?</table>', "", content, flags=re.DOTALL)
        parts = "".join(self.parts[each] for each in self.members[page])
        heading = '<h2 class="groupheader">One by one</h2>' if parts else ""
        comment = "".join(f'<pre tabindex="0">{html.escape(each)}</pre>' if each.startswith(" ") else f"<p>{html.escape(each)}</p>"
                          for each in comment_of(source))
        return f"{comment}{self.include(source, page)}{content}{heading}{parts}"

    def pages(self):
        """Each page's name, title and content."""
        by_source = {page.replace(".html", "_source.html"): (source, page) for page, source in self.headers.items()}
        for name in sorted(self.kept - {"index.html", "headers.html", "names.html"}):
            title, content = content_of((self.api / name).read_text())
            if name in self.headers:
                title, content = self.headers[name], self.header_page(name, content)
            content = re.sub(r'<p><code>#include &lt;<a class="el" href="([^"]*)">[^<]*</a>&gt;</code></p>',
                             lambda match: self.include(*by_source[match.group(1)]) if match.group(1) in by_source
                             else match.group(0), content)
            yield name, title, self.with_links(content)

    def entries(self, name, title, content):
        """What the search, and the page of names, say of a page: a type, a header, each function of it."""
        if name in self.headers:
            yield {"location": f"api/{name}", "title": title, "text": comment_of(self.headers[name])[0]}
            for each in self.members[name]:
                words = plain(re.search(r'<h2 class="memtitle">(.*?)</h2>', self.parts[each], flags=re.DOTALL).group(1))
                yield {"location": f"api/{name}#{each.split('#')[1]}", "text": brief_of(self.parts[each]),
                       "title": words.replace("◆", "").strip()}
        elif name.startswith(("class", "struct")):
            yield {"location": f"api/{name}", "title": plain(title), "text": brief_of(content)}


LAYERS = ("core", "autograd", "nn")  # each knows only those before it


def is_public(source):
    return source.split("/")[0] in LAYERS


def place_of(source):
    """Where a header stands in the list: lower layers first, a folder's own files before those of its folders."""
    folder, _, name = source.rpartition("/")
    return LAYERS.index(source.split("/")[0]), folder, name


def list_of(groups):
    """A page of lists: for each heading, links with what they lead to."""
    jumps = " ".join(f'<a href="#{heading}">{heading}</a>' for heading in groups)
    lists = "".join(f'<h2 id="{heading}">{heading}</h2><dl>' + "".join(
        f'<dt><a href="{link}">{html.escape(name)}</a></dt><dd>{words}</dd>' for link, name, words in items) + "</dl>"
        for heading, items in groups.items())
    return f'<p class="jumps">{jumps}</p>{lists}'


def headers_page(reference, entries):
    """All public headers, folder by folder, each with its comment and what is in it."""
    groups = {}
    names = {}  # of what is in a header, with links
    for entry in entries:
        page, _, anchor = entry["location"].removeprefix("api/").partition("#")
        if anchor:
            names.setdefault(page, {}).setdefault(entry["title"], f"{page}#{anchor}")
    pages = {entry["title"]: entry["location"].removeprefix("api/") for entry in entries if "#" not in entry["location"]}
    for source, page in sorted(((source, page) for page, source in reference.headers.items() if is_public(source)),
                               key=lambda item: place_of(item[0])):
        inside = {each.removeprefix("gradual::"): pages[each] for each in reference.types[page] if each in pages}
        links = ", ".join(f'<a href="{link}">{html.escape(name)}</a>' for name, link in (inside | names.get(page, {})).items())
        groups.setdefault(source.rsplit("/", 1)[0], []).append(
            (page, source, f"{html.escape(comment_of(source)[0])}<br><small>{links}</small>"))
    return list_of(groups)


def names_page(reference, entries):
    """All types and functions of the library, from a to z."""
    groups = {}
    seen = set()
    for entry in sorted(entries, key=lambda entry: (entry["title"].removeprefix("gradual::").lower(), not entry["text"])):
        page, _, anchor = entry["location"].removeprefix("api/").partition("#")
        name = entry["title"].removeprefix("gradual::")
        is_type = page.startswith(("class", "struct")) and entry["title"].startswith("gradual::")
        if name not in seen and (is_type or anchor and is_public(reference.headers[page])) and not name.startswith("operator"):
            seen.add(name)
            groups.setdefault(name[0].lower(), []).append((entry["location"].removeprefix("api/"), name, html.escape(entry["text"])))
    return list_of(groups)


def set_into_frame(folder, pages):
    """Writes the API pages anew, and returns what the search is to know of them."""
    reference = Reference(folder, pages)
    before, after = frame_of((reference.api / "index.html").read_text())

    def write(name, title, content):
        (reference.api / name).write_text(before.replace("TITLE", plain(title) + " - Gradual") +
                                          f'<div class="api" id="api"><h1>{title}</h1>{content}</div>' + after)

    entries = []
    for name, title, content in list(reference.pages()):
        entries += reference.entries(name, title, content)
        write(name, title, content)
    write("headers.html", "Headers", headers_page(reference, entries))
    write("names.html", "Types and functions", names_page(reference, entries))
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

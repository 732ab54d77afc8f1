"""The API pages: Doxygen reads the headers, and what it writes of each is set into the frame of the site's own pages, with
their header, search and colours.
"""
import html
import os
import re
import subprocess
import xml.etree.ElementTree
from pathlib import Path

from doxygen import PART, ROW, brief_of, content_of, last, name_of, plain, told, told_once, type_of, without, words_of
from formulas import with_formulas
from in_use import in_use

ROOT = Path(__file__).resolve().parents[2]


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


def comment_of(source):
    """What a file says of itself in its first lines: paragraphs, of which those that are set in have lines of their own."""
    lines = (ROOT / source).read_text().split("\n")
    count = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    paragraphs = "\n".join(line.removeprefix("// ").removeprefix("//") for line in lines[:count]).split("\n\n")
    return [each if each.startswith(" ") else " ".join(each.split()) for each in paragraphs]


def with_code(words):
    """Words of a comment as HTML, with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words))


def declaration(page, source):
    """A type as its header has it, to its end; or ""."""
    name = page.removesuffix(".html").split("_1_1")[-1]
    found = re.search(rf"^(?:class|struct) {name}\b[^;]*?{{\n.*?^}};", (ROOT / source).read_text(), re.DOTALL | re.MULTILINE) if source else None
    return found.group(0) if found else ""


def type_name(title):
    """The name of a type in the title of its page, without template parameters."""
    return re.match(r"[\w:]*", title).group(0)


def breakable(title):
    """A title whose path may go on in the next line after a slash, and a name after :: or an underscore, or at a capital."""
    end = r"(?<=[/_])(?=[a-z])|(?<=::)|(?<=[a-z])(?=[A-Z])"
    return re.sub(end, "<wbr>", title) if re.fullmatch(r"[\w/.:-]+", title) else title


def frame_of(index):
    """The site's page around places for the title, what is beside it in its folder, a list of what is on the page, and the content."""
    index = re.sub(r'<nav class="md-nav md-nav--secondary.*?</nav>', "CONTENTS", index, flags=re.DOTALL)
    index = re.sub(r'(<a href="[^"]*" class="md-nav__link) md-nav__link--active"(.*?</a>\s*CONTENTS)', r'\1"\2BESIDE', index, count=1, flags=re.DOTALL)
    before, rest = re.split(r'(?<=<article class="md-content__inner md-typeset">)', index, maxsplit=1)
    after = rest[rest.index("</article>"):]
    after = re.sub(r'<nav class="md-footer__inner.*?</nav>', "", after, count=1, flags=re.DOTALL)
    before = re.sub(r'href="#[^"]*" class="md-skip"', 'href="#api" class="md-skip"', before)
    return re.sub(r"<title>.*?</title>", "<title>TITLE</title>", before, count=1), after


def places(items, name):
    """A list of links for the column at the left; what is below one is a list, too. That to the page `name` is marked."""
    def place(to, words, below=()):
        here = ' md-nav__link--active" aria-current="page' if to == name else ""
        return (f'<li class="md-nav__item"><a href="{to}" class="md-nav__link{here}">{breakable(html.escape(words))}</a>'
                f'{places(below, name) if below else ""}</li>')

    return f'<ul class="md-nav__list places">{"".join(place(*item) for item in items)}</ul>'


def contents_of(content):
    """Links to the types and functions of a page, for the column beside it."""
    found = re.findall(r'<h([234]) id="([^"]*)"[^>]*>(.*?)</h[234]>|<a id="(a\w{32})"[^>]*></a>\s*<h2 class="memtitle">(?:<span.*?</span>)?(.*?)</h2>|'
                       r'<tr [^>]*class="memitem:(a\w{32})"(?:(?!"separator:).)*?ItemRight"[^>]*><a class="el" href="[^"]*">([^<]*)</a>(\(?)', content, flags=re.DOTALL)
    links = {}
    has_groups = any(level == "4" for level, *_ in found)
    sections = {anchor for level, anchor, *_ in found if level == "2" or level == "3" and has_groups}
    for _, type_anchor, type_name, anchor, name, row_anchor, row_name, is_function in found:
        if f'id="{type_anchor or anchor or row_anchor}"' in content:
            links.setdefault(plain(type_name or name or row_name + is_function.replace("(", "()")), type_anchor or anchor or row_anchor)
    items = "".join(f'<li class="md-nav__item{" section" if anchor in sections else ""}"><a href="#{anchor}" class="md-nav__link">'
                    f'{html.escape(name)}</a></li>' for name, anchor in links.items())
    return (f'<nav class="md-nav md-nav--secondary" aria-label="Table of contents"><label class="md-nav__title">Table of contents</label>'
            f'<ul class="md-nav__list">{items}</ul></nav>' if items else "")


def chapters():
    """The chapters that name a header, or its source, in what they say of the source: of each header."""
    result = {}
    for chapter in sorted((ROOT / "docs/chapters").glob("*.md")):
        text = chapter.read_text()
        link = f'<a href="../chapters/{chapter.stem}.html">{html.escape(text[2:text.index(chr(10))])}</a>'
        for file in dict.fromkeys(re.findall(r"\]\(\.\./\.\./([\w/]+)\.[ch]pp\)", text.split("## In the source")[1])):
            result.setdefault(f"{file}.hpp", []).append(link)
    return result


def is_behind(part):
    """Whether a function is what a call such as sum(x) is made of, which users do not call."""
    return re.search(r'<h2 class="memtitle">(?:<span.*?</span>)?\w+_operation\(\)', part) is not None


class Reference:
    """The pages of Doxygen's that are kept, those of types, headers and sources: a header's has its comment, its types and all
    of its functions, which Doxygen puts on a page of their namespace, a thousand on one.
    """

    def __init__(self, folder, pages):
        self.api, self.chapters = folder / "html" / "api", chapters()
        self.sources = {source: page.removeprefix("api/").replace("_8hpp.html", "_8hpp_source.html") for source, page in pages.items()}
        self.headers = {page.removeprefix("api/"): source for source, page in pages.items() if source.endswith(".hpp")}
        self.parts = {}  # of namespaces: what stands at an anchor
        for page in self.api.glob("namespace*.html"):
            content = content_of(page.read_text())[1] if '<div class="title">' in page.read_text() else ""
            self.parts |= {f"{page.name}#{part[7:40]}": part for part in PART.split(content) if part.startswith("<a ")}
        self.types, self.members, self.home = {}, {}, {}  # of each header; the header of each part
        for file in sorted(files_of(folder), key=lambda file: file.findtext("name").endswith(".cpp")):
            page = file.findtext("filename")
            self.types[page] = [each.text for each in file.findall("class")]
            rows = re.findall(r'<tr class="memitem:(a\w{32})".*?href="(namespace\w*\.html)#\1"', (self.api / page).read_text())
            anchors = dict.fromkeys(f"{of_namespace}#{anchor}" for anchor, of_namespace in rows)
            self.members[page] = [each for each in anchors
                                  if each in self.parts and each not in self.home and not is_behind(self.parts[each])]
            if page in self.headers:
                self.home |= {each: page for each in self.members[page]}
        for page in self.api.glob("*.html"):
            if not re.fullmatch(r"index\.html|(class|struct).*(?<!-members)\.html|.*_8hpp\.html|.*_source\.html", page.name):
                page.unlink()
        self.kept = {page.name for page in self.api.glob("*.html")} | {"headers.html", "names.html"}

    def with_links(self, content, anchors):
        """The content with links to where things are now, and none to what is gone."""
        def link(match):
            page, anchor = match.group(2), match.group(3) or ""
            page = self.home.get(page + anchor, page)
            stays = "/" in page or page in self.kept and (not anchor or anchor.startswith("#l0") or anchor[1:] in anchors.get(page, ()))
            return f"{match.group(1)}{page}{anchor}{match.group(4)}" if stays else match.group(5)

        return re.sub(r'(<a [^>]*?href=")([^"#]+)(#[^"]*)?("[^>]*>(.*?)</a>)', link, content, flags=re.DOTALL)

    def place(self, source):
        """How a header is included, where its source is, and which chapters explain it."""
        files = [file for file in (source, source.replace(".hpp", ".cpp")) if file in self.sources]
        links = ", ".join(f'<a href="{self.sources[file]}">{Path(file).name}</a>' for file in files)
        explained = f" Explained in {', '.join(self.chapters[source])}." if source in self.chapters else ""
        return (f'<p><code>#include &lt;<a class="el" href="{self.sources[source]}">gradual/{source}</a>&gt;</code></p>'
                f"<p>Source: {links}.{explained}</p>")

    def path(self, name, source):
        """The way from the first page to one of a header, a type or a source, or to a list."""
        if not source:
            return '<p class="path"><a href="index.html">API</a></p>'
        folder = source.rpartition("/")[0]
        folders = {each.rpartition("/")[0] for each in self.headers.values() if is_public(each)}
        page = next((page for page, each in self.headers.items() if each == source), name)
        steps = {"index.html": "API", f"headers.html#{folder}" if folder in folders else "headers.html": folder, page: Path(source).name}
        return '<p class="path">' + " / ".join(f'<a href="{to}">{words}</a>' for to, words in steps.items() if to != name) + "</p>"

    def beside(self, name, source):
        """Where a page is, for the column at the left: the headers of its folder, and below its own the types in it."""
        items = [("headers.html", "All headers"), ("names.html", "All types and functions")]
        folder = source.rpartition("/")[0]
        own = source.replace(".cpp", ".hpp")
        headers = sorted((each, page) for page, each in self.headers.items() if source and each.rpartition("/")[0] == folder)
        if headers and is_public(source):
            items.append((f"headers.html#{folder}", folder, [
                (page, Path(each).name, [(to, words) for to, words in self.types_in(page)] if each == own else ()) for each, page in headers]))
        return places(items, name)

    def types_in(self, page):
        """The types of a header that have pages, each with its name."""
        names = [title.removeprefix("gradual::") for title in self.types[page]]
        return [(self.page_of[name], name) for name in names if name in self.page_of]

    def types_of(self, content):
        """The types of a header, each with all that is said of it and its members."""
        result = ""
        for page, name in dict.fromkeys(re.findall(r'href="((?:class|struct)[^"#]*\.html)">(.*?)</a></td></tr>', content)):
            words, tables, _ = self.read[page]
            if not brief_of(words) and "<table" not in tables:
                continue
            name = name.removeprefix("gradual::")
            place = re.sub(r"[^A-Za-z0-9]+", "-", plain(name))
            tables = re.sub(r'(?<!<h2) id="[^"]*"', "", tables)
            tables = re.sub(r'<h2 id="(.*?)".*?>(.*?)</h2>', rf'<h4 id="{place}-\1">\2</h4>', tables)  # a group of the header's
            tables = re.sub(r"<h2 .*?>\s*(?:<a [^>]*></a>)?(.*?)</h2>", r"<h4>\1</h4>", tables, flags=re.DOTALL)
            result += (f'<h3 id="{place}"><a href="{page}">{name}</a></h3>'
                       f'<div class="memitem">{words}{tables}</div>')
        return f'<h2 class="groupheader">Types</h2>{result}' if result else ""

    def header_page(self, page, content):
        """The page of a header: its comment, its types, its functions, and those in full of which there is more to say than a sentence."""
        source = self.headers[page]
        tables = re.findall(r'<table class="memberdecls">.*?</table>', content, flags=re.DOTALL)
        types = "".join(each for each in tables if 'id="nested-classes"' in each)
        tables = "".join(each for each in tables if 'id="nested-classes"' not in each and 'id="namespaces"' not in each)
        behind = re.search(r">(\w+_operation)</a>\(", tables)
        tables = last(without(tables, r"\w+_operation</a>\("), MADE_OF)
        tables, parts = told_once(*told(tables, [self.parts[each] for each in self.members[page]]))
        behind = BEHIND.format(behind.group(1)) if behind else ""
        in_full = ('<h2 class="groupheader">More on some of these</h2>' if parts else "") + "".join(parts)
        comment = "".join(f'<pre tabindex="0">{html.escape(each)}</pre>' if each.startswith(" ")
                          else f"<p>{self.with_functions_linked(with_code(each), source)}</p>" for each in comment_of(source))
        types, tables = self.types_of(types), self.with_types_linked(tables)
        if sections := self.in_sections(source, tables, types):
            return comment + self.place(source) + sections + behind + in_full
        functions = tables + behind + in_full
        has_more_types = len(self.types[page]) > len(self.members[page])  # what a header is about comes first
        return comment + self.place(source) + (types + functions if has_more_types else functions + types)

    def in_sections(self, source, tables, types):
        """The functions and types of a header that has sections, `// ---- Products (operations/products.cpp)`, by these; or "". What
        others are made of comes last.
        """
        text = re.sub(r"^ *///.*$", "", (ROOT / source).read_text(), flags=re.MULTILINE)
        _, *pieces = re.split(r"^// ---- ([^\n:(;]*).*\n", text, flags=re.MULTILINE)
        rows, sections = list(ROW.finditer(tables)), []
        for title, declared in zip(pieces[::2], pieces[1::2]):
            def is_here(name):
                return re.search(rf"^\w[^\n]*\b{re.escape(name)}\b", declared, flags=re.MULTILINE)

            inside = [row.group(0) for row in rows if is_here(name_of(row.group(0)))]
            table = f'<table class="memberdecls">{"".join(inside)}</table>' if inside else ""
            of_types = "".join(each for each in re.split(r"(?=<h3 )", types) if each.startswith("<h3") and is_here(type_name(plain(each.split("</h3>")[0]))))
            title = title.strip()
            sections.append((bool(re.search(MADE_OF, table)), f'<h2 id="{re.sub(r"[^a-z]+", "-", title.lower())}" class="groupheader">{title}</h2>{table}{of_types}'))
        sections = [section for _, section in sorted(sections, key=lambda section: section[0])]
        jumps = "".join(f'<a href="#{anchor}">{title}</a>' for anchor, title in re.findall(r'<h2 id="(.*?)" class="groupheader">(.*?)</h2>', "".join(sections)))
        return f'<p class="jumps">{jumps}</p>{"".join(sections)}' if sections else ""

    def with_functions_linked(self, words, source):
        """Words of a header's comment, where a function's name leads to it, if it is in the header or in one that this brings."""
        pages = {each: page for page, each in self.headers.items()}
        brought = [source, *re.findall(r"^#include <gradual/(\S+)>", (ROOT / source).read_text(), flags=re.MULTILINE)]
        places = {}
        for page in (pages[each] for each in brought if each in pages):
            for each in self.members[page]:
                name = re.search(r"(\w+)\(\)", plain(self.parts[each].split("</h2>")[0]))
                if name:
                    places.setdefault(name.group(1), f"{page}#{each.split('#')[1]}")
        return re.sub(r"<code>([a-z]\w*)</code>", lambda name: f'<a class="el" href="{places[name.group(1)]}">{name.group(0)}</a>'
                      if name.group(1) in places else name.group(0), words)

    def with_types_linked(self, tables):
        """Tables of functions, where the library's types lead to their pages, as those of members do."""
        def cell(match):
            pieces = re.split(r"(<a .*?</a>|<[^>]*>)", match.group(0), flags=re.DOTALL)
            pieces[::2] = [re.sub(r"\b[A-Z]\w+", lambda name: f'<a class="el" href="{self.page_of[name.group(0)]}">{name.group(0)}</a>'
                                  if name.group(0) in self.page_of else name.group(0), piece) for piece in pieces[::2]]
            return "".join(pieces)

        return re.sub(r'<td class="mem(?:Templ)?Item(?:Left|Right)".*?</td>', cell, tables, flags=re.DOTALL)

    def header_of(self, content):
        """The header that a type's page names, or ""."""
        header = re.search(r'#include &lt;<a class="el" href="([^"]*)_source.html">', content)
        return self.headers.get(f"{header.group(1)}.html", "") if header else ""

    def type_page(self, page, source):
        words, tables, parts = self.read[page]
        name = page.removesuffix(".html").split("gradual_1_1")[-1]
        return f"{words}{self.place(source) if source else ''}{in_use(name, self.sources)}{tables}{parts}"

    def source_page(self, source, content):
        """The page of a source, which leads to what is said of its header, part by part."""
        page = next((page for page, each in self.headers.items() if each == source.replace(".cpp", ".hpp")), "")
        told_of = f'<p>Part by part: <a href="{page}">{self.headers[page]}</a></p>' if page else ""
        return told_of + re.sub(r"<a href=[^>]*>Go to the documentation of this file\.</a>", "", content)

    def pages(self):
        """Each page's name, title and content."""
        found = {name: content_of((self.api / name).read_text()) for name in sorted(self.kept - {"index.html", "headers.html", "names.html"})}
        types = [name for name in found if name.startswith(("class", "struct")) and 'name="details"' in found[name][1]]
        self.read = {name: type_of(found[name][1], declaration(name, self.header_of(found[name][1]))) for name in types}
        # The library's types: a specialisation does not stand for what it specialises, nor a program's for the library's.
        self.page_of = {title.removeprefix("gradual::"): name for name in types if (title := type_name(plain(found[name][0]))).startswith("gradual::")
                        and "_3_01" not in name}
        shown = {page: source for source, page in self.sources.items()}
        result = {}
        for name, (title, content) in found.items():
            source = ""
            if name in self.headers:
                source = title = self.headers[name]
                content = self.header_page(name, content)
            elif name in self.read:
                source = self.header_of(content)
                content = self.type_page(name, source)
            elif name in shown:
                source = title = shown[name]
                content = self.source_page(source, content)
            if source and is_public(source):  # Doxygen takes a program's type for the library's of the same name
                content = re.sub(r'href="struct(\w+)\.html">\1</a>',
                                 lambda link: f'href="{self.page_of.get(link.group(1), "")}">{link.group(1)}</a>'
                                 if link.group(1) in self.page_of else link.group(0), content)
            result[name] = (title, source, content)
        anchors = {name: set(re.findall(r' id="([^"]*)"', content)) for name, (_, _, content) in result.items()}
        return [(name, title, source, self.with_links(content, anchors)) for name, (title, source, content) in result.items()]

    def entries(self, name, title):
        """What the search, and the page of names, say of a page: a type, a header, each function of it. What programs have for
        themselves, assignments among them, the search finds last.
        """
        is_known = is_public(self.headers[name]) if name in self.headers else title.startswith("gradual::")
        boost = {} if is_known else {"boost": 0.3}
        if name in self.headers:
            yield {"location": f"api/{name}", "title": title, "text": comment_of(self.headers[name])[0], **boost}
            for each in self.members[name]:
                words = plain(re.search(r'<h2 class="memtitle">(.*?)</h2>', self.parts[each], flags=re.DOTALL).group(1))
                yield {"location": f"api/{name}#{each.split('#')[1]}", "text": brief_of(words_of(self.parts[each])),
                       "title": words.replace("◆", "").strip(), **boost}
        elif name in self.read:
            yield {"location": f"api/{name}", "title": plain(title), "text": brief_of(self.read[name][0]), **boost}


MADE_OF = r"(?:tensor_of|apply|apply_both)</a>\("  # functions which others are made of
BEHIND = ('<p>Functions such as <code>{}()</code>, which these are made of, are left out: they are for those who '
          '<a href="../adding-an-operation.html">add an operation</a>.</p>')
LINES = '<div class="api lines">'  # of the first page
LAYERS = ("core", "autograd", "nn")  # each knows only those before it


def is_public(source):
    return source.split("/")[0] in LAYERS


def place_of(source):
    """Where a header stands in the list: lower layers first, a folder's own files before those of its folders."""
    folder, _, name = source.rpartition("/")
    return LAYERS.index(source.split("/")[0]), folder, name


def list_of(groups):
    """A page of lists: for each heading, links with what they lead to, and where that is."""
    jumps = " ".join(f'<a href="#{heading}">{heading}</a>' for heading in groups)
    lists = "".join(f'<h2 id="{heading}">{heading}</h2><dl>' + "".join(
        f'<dt><a href="{link}">{html.escape(name)}</a>{f"<small>{place[0]}</small>" if place and place[0] else ""}</dt><dd>{words}</dd>'
        for link, name, words, *place in items) + "</dl>"
        for heading, items in groups.items())
    letters = " letters" if all(len(heading) == 1 for heading in groups) else ""
    return f'<p class="jumps{letters}">{jumps}</p>{lists}'


def headers_page(reference, entries):
    """All public headers, folder by folder, each with its comment and what is in it."""
    groups = {}
    names = {}  # of what is in a header, with links
    for entry in entries:
        page, _, anchor = entry["location"].removeprefix("api/").partition("#")
        if anchor:
            names.setdefault(page, {}).setdefault(entry["title"], f"{page}#{anchor}")
    pages = {type_name(entry["title"]) if "::" in entry["title"] else entry["title"]: entry["location"].removeprefix("api/")
             for entry in entries if "#" not in entry["location"] and "_3_01" not in entry["location"]}
    for source, page in sorted(((source, page) for page, source in reference.headers.items() if is_public(source)),
                               key=lambda item: place_of(item[0])):
        inside = {each.removeprefix("gradual::"): pages[each] for each in reference.types[page] if each in pages}
        links = ", ".join(f'<a href="{link}">{html.escape(name)}</a>' for name, link in (inside | names.get(page, {})).items())
        groups.setdefault(source.rsplit("/", 1)[0], []).append(
            (page, source, f"{with_code(comment_of(source)[0])}<br><small>{links}</small>"))
    return list_of(groups)


def lines_of(reference):
    """All public headers, folder by folder, each with the first sentence of its comment."""
    groups = {}
    for source, page in sorted(((source, page) for page, source in reference.headers.items() if is_public(source)), key=lambda item: place_of(item[0])):
        folder, _, name = source.rpartition("/")
        words = re.split(r"(?<=\.) (?=[A-Z])", comment_of(source)[0])[0]
        groups.setdefault(folder, []).append(f'<dt><a href="{page}">{name}</a></dt><dd>{with_code(words)}</dd>')
    return "".join(f'<details class="quiet" id="{folder}"><summary>{folder} <small>{len(items)}</small></summary><dl>{"".join(items)}</dl></details>'
                   for folder, items in groups.items())


def names_page(reference, entries):
    """All types and functions of the library, from a to z."""
    groups = {}
    seen = set()
    header_of = {name: page for page, names in reference.types.items() for name in names if page in reference.headers}
    for entry in sorted(entries, key=lambda entry: (entry["title"].removeprefix("gradual::").lower(), not entry["text"])):
        page, _, anchor = entry["location"].removeprefix("api/").partition("#")
        is_type = page.startswith(("class", "struct")) and entry["title"].startswith("gradual::") and "_3_01" not in page
        name = (type_name(entry["title"]) if is_type else entry["title"]).removeprefix("gradual::")
        header = header_of.get(f"gradual::{name}") if is_type else page
        if name not in seen and (is_type or anchor and is_public(reference.headers[page])) and not name.startswith("operator"):
            source = reference.headers.get(header, "")
            if not source and not entry["text"]:
                continue  # a part of a source
            seen.add(name)
            words = entry["text"] or f"Part of: {comment_of(source)[0]}"
            groups.setdefault(name[0].lower(), []).append(
                (entry["location"].removeprefix("api/"), name, html.escape(words), source))
    return list_of(groups)


def set_into_frame(folder, pages):
    """Writes the API pages anew, and returns what the search is to know of them."""
    reference = Reference(folder, pages)
    before, after = frame_of((reference.api / "index.html").read_text())

    def write(name, title, content, source=""):
        frame = before.replace("TITLE", plain(title) + " - Gradual").replace("CONTENTS", contents_of(content))
        frame = frame.replace("BESIDE", reference.beside(name, source))
        content = with_formulas(content, has_lines=name not in ("headers.html", "names.html"))
        (reference.api / name).write_text(
            f'{frame}<div class="api" id="api">{reference.path(name, source)}<h1>{breakable(title)}</h1>{content}</div>{after}')

    entries = []
    for name, title, source, content in reference.pages():
        entries += reference.entries(name, title)
        write(name, title, content, source)
    index = reference.api / "index.html"
    page = index.read_text().replace(LINES, LINES + with_formulas(lines_of(reference), has_lines=False))
    index.write_text(re.sub(r'<nav class="md-nav md-nav--secondary.*?</nav>', lambda nav: nav.group(0) + reference.beside(index.name, ""),
                            page, count=1, flags=re.DOTALL))
    write("headers.html", "Headers", headers_page(reference, entries))
    write("names.html", "Types and functions", names_page(reference, entries))
    return entries

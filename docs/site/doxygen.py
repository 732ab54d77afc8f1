"""What is taken of a page that Doxygen wrote."""
import html
import re

# What Doxygen calls the parts of a page, and what they are.
PARTS = {"Public Member Functions": "Functions", "Static Public Member Functions": "Static functions",
         "Public Attributes": "Fields", "Static Public Attributes": "Constants", "Public Types": "Types in it", "Classes": "Types",
         "Constructor &amp; Destructor Documentation": "Constructors in full",
         "Member Data Documentation": "Fields in full", "Member Enumeration Documentation": "Choices in full",
         "Typedefs": "Other names of types", "Enumerations": "Choices"}


def between(text, begin, end):
    return text.split(begin, 1)[1].split(end, 1)[0]


def plain(markup):
    """The words of a piece of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())


def part_name(match):
    name = " ".join(re.sub("<[^>]*>", "", match.group(2)).split())
    anchor = "".join(re.findall("<a [^>]*></a>", match.group(2)))
    name = PARTS.get(name, re.sub(r"^(?:Member )?(\w+) Documentation$", r"\1s in full", name))
    return f"{match.group(1)}{anchor}{name}</h2>"


def as_in_headers(match):
    """A declaration with its spaces where the headers have them: `f(const T& x = {})`, not `f (const T &x={})`."""
    words = re.sub(r" ((?:&amp;|\*)+)(?=[,)])", r"\1", match.group(0).replace("</a> (", "</a>("))
    words = re.sub(r" ((?:&amp;|\*)+)(\.\.\.)? ?(?=[\w&<.])", r"\1\2 ", words)
    words = re.sub(r"\s+,", ",", re.sub(r" ?&#160;", " ", words))
    words = re.sub(r" (&gt;)|(&lt;) ", r"\1\2", words).replace("template&lt;", "template &lt;")
    pieces = re.split(r"(<[^>]*>)", words)
    equals = re.compile(r"(?<=\w)(?<!operator)=(?!=)|(?<=[) ])=(?=0|default|delete)")
    return "".join(piece if i % 2 else equals.sub(" = ", piece).replace("  = ", " = ") for i, piece in enumerate(pieces))


def signature(match):
    """A member's declaration as a line like those of the tables; Doxygen sets it as a table of types and names."""
    template = re.search(r'<div class="memtemplate">.*?</div>', match.group(0), flags=re.DOTALL)
    cells = re.findall(r"<td[^>]*>(.*?)</td>", match.group(0).split('<table class="memname">', 1)[1], flags=re.DOTALL)
    words = " ".join(re.sub(r"</?em>|<span class=\"mlabels\">.*", "", " ".join(cells), flags=re.DOTALL).replace("&#160;", " ").split())
    words = re.sub(r" ?\( ?", "(", re.sub(r" (?=[),])", "", words))
    words = re.sub(r"(?<=[\w>;*]) (\[)", r"\1", words)
    line = as_in_headers(re.match(".*", words))
    return f'<div class="memproto">{as_in_headers(template) if template else ""}<div class="memname">{line}</div></div><div class="memdoc">'


def without_wrong_links(content):
    """The content, where a word that begins a sentence is no link to a type that happens to have its name."""
    return re.sub(r'((?:<p ?>|<td class="mdescRight">|\. )\s*)<a class="el" [^>]*>([A-Z][a-z]+)</a>', r"\1\2", content)


def content_of(page):
    """A Doxygen page's title, and its content."""
    title = re.sub(r'<span class="mlabels">.*?</span></span>', "", between(page, '<div class="title">', "</div>"))  # abstract, final
    content = between(page, '<div class="contents">', "</div><!-- contents -->")
    if 'name="nested-classes"' not in content:  # where only private types are nested, this leads nowhere
        content = re.sub(r'<a href="#nested-classes">Classes</a>[^<]*', "", content)
    content = re.sub(r'<div class="levels">.*?</div>', "", content, flags=re.DOTALL)  # folding takes scripts
    content = re.sub(r'<span (?:id="[^"]*" )?class="(?:arrow|icona|iconf\w+)".*?</span>(?:</span>)?', "", content)
    content = re.sub(r' (?:onclick|style)="[^"]*"', "", content)
    content = re.sub(r'<img [^>]*>', "", content)
    content = re.sub(r'(<td class="memItemLeft"[^>]*>)&#160;</td>', r"\1</td>", content)  # a constructor has no type
    content = re.sub(r'(<tr class="memitem:[^"]*") id="[^"]*"', r"\1", content)  # which Doxygen 1.9.8 gives rows
    content = re.sub(r'<a href="[^"]*">(?:<span class="icondoc"></span>)?</a>', "", content)
    content = re.sub(r'<a class="el" href="[^"]*">(\w+)</a>(?=[,)=])', r"\1", content)  # a parameter is not what has its name elsewhere
    content = re.sub(r'(<h2 class="groupheader">)(.*?)</h2>', part_name, content, flags=re.DOTALL)
    content = re.sub(r' <span class="overload">.*?</span>|<a href="[^"]*">More...</a>', "", content)
    content = re.sub(r'(<td class="memname">(?:(?!</td>).)*?)\bgradual::(?:\w+(?:&lt; [^;]*? &gt;)?::)*(?=[\w~]+ *(?:</td>|=)|operator)', r"\1",
                     content)  # the page says where the name is
    content = re.sub(r'(<a class="el" href="[^"]*">)gradual::', r"\1", content)
    content = re.sub(r'<td class="mem(?:Templ)?(?:Item(?:Left|Right)|Params)".*?</td>', as_in_headers, content, flags=re.DOTALL)
    content = re.sub(r'<div class="memproto">.*?</div><div class="memdoc">', signature, content, flags=re.DOTALL)
    content = re.sub(r'(<p>(?:Inherit|Implement|Reimplement)[^\n]*), and (?=<a )', r"\1 and ", content)
    title = re.sub(r" (?:Class|Struct|File|Template|Reference)\b", "", re.sub(r"\s+", " ", title))
    return re.sub(r" (&gt;)|(&lt;) ", r"\1\2", title).strip(), without_wrong_links(content)


# A member's row in a table, and the row with its sentence.
ROW = re.compile(r'<tr (?:id="\w*" )?class="memitem:(\w*)[^"]*">(?:(?!<tr class="separator:).)*<tr class="separator:.*?</tr>\s*', re.DOTALL)
INHERITED = re.compile(r'<tr class="inherit_header [^"]*">.*?(?=<tr class="inherit_header|</table>)', re.DOTALL)
PART = re.compile(r'(?=<a id="a\w{32}")|(?=<h2 class="groupheader">)')


def words_of(part):
    """What is said of a member, besides where it is."""
    text = re.sub(r"<p[^>]*>\s*(?:Implement|Reimplement|Definition at|Referenced by).*?</p>", "", part.split('<div class="memdoc">')[1],
                  flags=re.DOTALL)
    return text if plain(text) else ""


def brief_of(part):
    """The first sentence of what is said of a member or a type."""
    found = re.search(r"<p ?>(.*?)</p>", part, flags=re.DOTALL)
    return plain(found.group(1)) if found else ""


def told(tables, parts):
    """Members in tables and in full: those of which no more is said than a sentence, and constructors, stand in the tables alone,
    with a link to their definition; those of the others have one to where they are told in full. What every type has (how it is
    visited, copied, and ends; its friends; what a temporary one gives) stands nowhere.
    """
    group = ""
    short = {}
    for part in parts:
        group = part if part.startswith("<h2") else group
        if part.startswith("<a id=") and ("Constructors in full" in group or plain(words_of(part)) == brief_of(words_of(part))):
            short[part[7:40]] = part

    def row(match):
        anchor, line = match.group(1), match.group(0)
        if anchor not in short:
            return with_more(line, anchor)
        if not words_of(short[anchor]) and re.search(r">visit</a>|>~\w+</a>|>operator=</a>|\w_</a>|=\s*(?:default|delete)\b|const ?&amp;&amp;|>(?:class|struct) <", line):
            return ""
        if words_of(short[anchor]):
            words = re.match(r"(?:\s*<p ?>.*?</p>)+", words_of(short[anchor]), flags=re.DOTALL)
            line = re.sub(r'(<td class="mdescRight">).*?</td>', lambda cell: f"{cell.group(1)}{words.group(0)}</td>", line, flags=re.DOTALL) \
                if words and words.group(0).count("<p") > 1 else line
        definition = re.search(r'Definition at line <a class="el" href="([^"]*)">', short[anchor])
        if definition:
            line = re.sub(rf'href="[^"]*#{anchor}"', f'href="{definition.group(1)}"', line)
        return line.replace("<tr ", f'<tr id="{anchor}" ', 1)

    tables = re.sub(r'<table class="memberdecls">\s*<tr class="heading">(?:(?!<tr).)*</table>', "", ROW.sub(row, tables), flags=re.DOTALL)
    parts = [part for part in parts if part[7:40] not in short]
    return tables, [part for part, after in zip(parts, [*parts[1:], "<h2"]) if not part.startswith("<h2") or after.startswith("<a ")]


def with_more(row, anchor):
    """A member's row, whose sentence leads to where it is told in full."""
    link = re.search(rf'href="([^"]*#{anchor})">([^<]*)</a>', row)
    more = f' <a class="more" href="{link.group(1)}" aria-label="More on {link.group(2)}">More</a></td>' if link else "</td>"
    return re.sub(r'(<td class="mdescRight">.*?)(?:<br ?/>)?\s*</td>', lambda cell: cell.group(1) + more, row, flags=re.DOTALL)


def name_of(row):
    """Which function a row of a table is of."""
    return plain(row).split("(")[0].split()[-1]


def told_once(tables, parts):
    """Tables of functions and those in full, where what is said of several with one name in the same words stands below the last."""
    def name_and_words(part):
        return plain(part.split("</h2>")[0]), plain(words_of(part))

    rows = list(ROW.finditer(tables))
    for row, after in reversed(list(zip(rows, rows[1:]))):
        said, next_said = (re.search(r'<tr class="memdesc.*?</tr>\s*', each.group(0), re.DOTALL) for each in (row, after))
        if said and next_said and plain(said.group(0)) == plain(next_said.group(0)) and name_of(row.group(0)) == name_of(after.group(0)):
            alone = re.sub(r'<tr class="separator:.*?</tr>\s*', "", row.group(0).replace(said.group(0), ""), flags=re.DOTALL)
            tables = tables[:row.start()] + alone + tables[row.end():]
    result = []
    for part in parts:
        if result and part.startswith("<a ") and result[-1].startswith("<a ") and name_and_words(part) == name_and_words(result[-1]):
            declared = re.match(r"<a [^>]*></a>", part).group(0) + re.search(r'<div class="memproto">.*?(?=<div class="memdoc">)', part, re.DOTALL).group(0)
            result[-1] = result[-1].replace('<div class="memdoc">', declared + '<div class="memdoc">', 1)
        else:
            result.append(part)
    return tables, result


def last(tables, name):
    """Tables of members, those whose names fit at their end."""
    rows = "".join(row.group(0) for row in ROW.finditer(tables) if re.search(f">{name}", row.group(0)))
    return re.sub(r"(?=</table>$)", lambda _: rows, without(tables, name))


def without(tables, name):
    """Tables of members without the rows of those whose names fit."""
    return ROW.sub(lambda row: "" if re.search(f">{name}", row.group(0)) else row.group(0), tables)


def in_order(tables, declared):
    """A type's tables of members, where those that its header groups, `// ---- Translate`, stand as they are declared there: Doxygen
    sorts them by what they are.
    """
    _, *pieces = re.split(r"^  // ---- (.*)\n", re.sub(r"//[/ ][^-\n].*", "", declared), flags=re.MULTILINE)
    groups = dict(zip(pieces[::2], pieces[1::2]))

    def place(row, declared):
        name = re.search(r'ItemRight"[^>]*>(?:<[^>]*>)*([^<(]+(?:\(\))?)', row).group(1)
        found = re.search(rf"(?<!\w){re.escape(html.unescape(name).strip())}(?!\w)", declared)
        return found.start() if found else len(declared)

    result, others = {title: "" for title in groups}, []
    for table in tables:
        title = html.unescape(plain(re.search(r"<h2.*?</h2>", table, flags=re.DOTALL).group(0)))
        if title not in groups:
            others.append(table)
            continue
        rows = sorted((row.group(0) for row in ROW.finditer(table)), key=lambda row: place(row, groups[title]))
        result[title] = (f'<table class="memberdecls"><tr class="heading"><td colspan="2"><h2 id="{re.sub(r"[^a-z]+", "-", title.lower())}" '
                         f'class="groupheader">{html.escape(title)}</h2></td></tr>{"".join(rows)}</table>')
    return [*result.values(), *others]


def names_in(tables):
    """The functions of a type's tables, without those that are inherited."""
    return set(re.findall(r'class="el" href="[^"]*">(\w+|operator\W+)</a> ?(?=\()', INHERITED.sub("", tables)))


def folded(table, own):
    """A table of members, with those folded that are inherited: where they are told of, and the type has none of that name."""

    def rows(match):
        kept = [row.group(0) for row in ROW.finditer(match.group(0)) if "mdescRight" in row.group(0)
                and not any(f">{html.escape(name)}</a>" in row.group(0) for name in own)]
        folds.append(f'<details class="quiet"><summary>Inherited from {plain(match.group(0).split("inherited from")[1].split("</td>")[0])}</summary>'
                     f'<table class="memberdecls">{"".join(kept)}</table></details>' if kept else "")
        return ""

    folds = []
    return INHERITED.sub(rows, table) + "".join(folds)


def type_of(content, declared):
    """Of a type's page: all that is said of it, what it inherits and its members in tables, and those in full of which there is more to say;
    `declared` is the type as its header has it.
    """
    before, details = re.split(r'<a name="details"[^>]*></a>', content, maxsplit=1)
    words, rest = re.split(r'<p class="definition">.*?</p>\s*</div>', details.split('<div class="textblock">', 1)[1], maxsplit=1,
                           flags=re.DOTALL)
    inherits = re.findall(r"<p>Inherit.*?</p>", before, flags=re.DOTALL)
    tables = in_order(re.findall(r'<table class="memberdecls">.*?</table>', before, flags=re.DOTALL), declared)
    own = names_in("".join(tables))
    tables, parts = told("".join([*inherits, *(folded(table, own) for table in tables)]), PART.split(rest.split("<hr/>The documentation for")[0])[1:])
    return words, tables, "".join(parts)

"""Looks for broken links and anchors in a built site: `links.py FOLDER`. Links to other sites are not followed."""
import functools
import html.parser
import sys
import urllib.parse
from pathlib import Path


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes.get("id"), attributes.get("name")}
        for name in ("href", "src"):
            if attributes.get(name):
                self.links.append(attributes[name])


@functools.lru_cache(maxsize=None)  # a site's pages link to the same few
def target_of(folder, path):
    target = (folder / urllib.parse.unquote(path)).resolve()
    target = target / "index.html" if target.is_dir() else target
    return target, target.exists()


def main():
    root = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in root.rglob("*.html")}
    problems = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target, exists = target_of(path.parent, parts.path or path.name)
            anchor = urllib.parse.unquote(parts.fragment)
            if not exists:
                problems.append(f"{path.relative_to(root)}: there is nothing for the link {link}")
            elif anchor and not anchor.startswith("l0") and target in pages and anchor not in pages[target].anchors:
                problems.append(f"{path.relative_to(root)}: there is no such part for the link {link}")
    print(*problems, sep="\n")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(problems)} broken")
    return bool(problems) or not pages


if __name__ == "__main__":
    sys.exit(main())

"""Looks at the API pages of a built site: `api_pages.py FOLDER`. Each stands in the site's own frame, says its language, and
writes an include as a program has to; and the search knows types and functions, and no raw TeX.
"""
import json
import re
import sys
from pathlib import Path


def main():
    root = Path(sys.argv[1])
    problems = []
    pages = list((root / "api").glob("*.html"))
    for path in pages:
        page = path.read_text(encoding="utf-8")
        for part in ('<html lang="en"', 'class="md-header', 'class="md-search"'):
            if part not in page:
                problems.append(f"{path.name}: there is no {part}")
        for written in re.findall(r"<p><code>#include &lt;<a [^>]*>([^<]*)</a>&gt;</code></p>", page):
            if not written.startswith("gradual/"):
                problems.append(f"{path.name}: no program can include <{written}>")
    found = json.loads((root / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    for entry in found:
        if "\\(" in entry["title"] + entry["text"]:
            problems.append(f"search: there is TeX in what is found of {entry['location']}")
    titles = {entry["title"] for entry in found if entry["location"].startswith("api/")}
    for name in ("matmul()", "gradual::Tensor", "gradual::Translator"):
        if not any(title.startswith(name) for title in titles):
            problems.append(f"search: it does not know {name}")
    print(*problems, sep="\n")
    print(f"{len(pages)} pages, {len(titles)} names, {len(problems)} wrong")
    return bool(problems) or not pages


if __name__ == "__main__":
    sys.exit(main())

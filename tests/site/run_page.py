"""Looks whether a built site shows the page of a run: `run_page.py FOLDER`. Where a run has left one, the home page leads to it
before all else that is to see; where none has, or one that takes long to fetch, it does not speak of it.
"""
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import build


def main():
    folder, problems = Path(sys.argv[1]), []
    home = (folder / "index.html").read_text(encoding="utf-8")
    door = re.search(r'<h2 id="see-it">.*?<a href="([^"#]+)"', home, flags=re.DOTALL).group(1)
    if (folder / "run.html").exists() != (door == "run.html"):
        problems.append(f"the first link to what is to see is {door}, and run.html {'is' if (folder / 'run.html').exists() else 'is not'} there")
    if (folder / "run.html").exists():
        if 'href="index.html"' not in (folder / "run.html").read_text(encoding="utf-8"):
            problems.append("no link leads from run.html to the home page")
        if not (folder / "settings.conf").exists():
            problems.append("the settings that run.html speaks of are not beside it")
    text = (ROOT / "docs/site/home.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        run = Path(place) / "page.html"
        for size, is_shown in ((None, False), (4_999_999, True), (5_000_000, False)):
            if size:
                run.write_bytes(bytes(size))
            if ("run.html" in build.with_run(text, run)) != is_shown:
                problems.append(f"a page of {size} bytes is {'not ' if is_shown else ''}shown")
    print(*problems, sep="\n")
    print(f"{len(problems)} wrong")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

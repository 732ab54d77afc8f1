"""Opens a built site in headless Chromium: `browser.py FOLDER`, at a desk's and at a phone's width, from a server and from
the folder. Each page must load without an error and without asking another host, set all its mathematics, and be no wider
than the screen; and the search must find something.
"""
import functools
import http.server
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from chromium import Browser

SIZES = {"desk": (1280, 900), "phone": (390, 844)}

# What is wrong with the page that is open.
CHECK_PAGE = """((screen_width) => {
  const problems = [];
  const formulas = [...document.querySelectorAll('.arithmatex')];
  const wrong = formulas.filter((each) => !each.querySelector('.katex') || each.querySelector('.katex-error'));
  for (const each of wrong) problems.push('this formula is not set: ' + each.textContent);
  const width = document.documentElement.scrollWidth;
  if (width > screen_width) problems.push('it is ' + width + ' pixels wide on a screen of ' + screen_width);
  return {problems, formulas: formulas.length};
})"""

# Types a word into the search; resolves to the number of results, or to 0 after five seconds.
SEARCH = """new Promise((resolve) => {
  const input = document.querySelector('.md-search__input');
  input.focus();
  input.value = 'softmax';
  input.dispatchEvent(new Event('keyup', {bubbles: true}));
  const count = () => document.querySelectorAll('.md-search-result__item').length;
  const start = Date.now();
  const look = () => count() || Date.now() - start > 5000 ? resolve(count()) : setTimeout(look, 20);
  look();
})"""


def serve(folder):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def visit(browser, url, width, searches):
    """Opens a page; returns how many formulas and search results it has, and what is wrong with it."""
    browser.open(url)
    state = browser.evaluate(f"{CHECK_PAGE}({width})")
    results = browser.evaluate(SEARCH) if searches else 0
    if searches and not results:
        browser.problems.append("the search finds nothing")
    return state["formulas"], results, state["problems"] + browser.problems


def main():
    folder, program = Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "chromium"
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html")
                   if "api" not in path.parts or path.name == "index.html")
    broken = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        for base in (serve(folder), folder.as_uri()):
            for size, (width, height) in SIZES.items():
                browser.resize(width, height, size == "phone")
                formulas = results = 0
                for page in pages:
                    set_here, found, problems = visit(browser, f"{base}/{page}", width, page == "index.html")
                    formulas, results, broken = formulas + set_here, results + found, broken + len(problems)
                    for problem in problems:
                        print(f"{base}/{page} ({size}): {problem}")
                print(f"{base.split(':')[0]}, {size}: {len(pages)} pages, {formulas} formulas, "
                      f"{results} search results", flush=True)
        browser.close()
    return broken > 0 or not pages


if __name__ == "__main__":
    sys.exit(main())

"""Opens a built site in headless Chromium: `browser.py FOLDER`, at a desk's and at a phone's width, from a server and from
the folder. Each page must load without an error and without asking another host, set all its mathematics, be no wider
than the screen, and give what it is asked to copy; it is light or dark as the system is, and the search must find something.
"""
import functools
import http.server
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from chromium import SIZES, Browser

# Waits for letters that formulas alone have, and for what the page does when they have come.
FONTS = "document.fonts.ready.then(() => new Promise((resolve) => setTimeout(resolve, 20, true)))"

# What is wrong with the page that is open.
CHECK_PAGE = """((screen_width) => {
  const problems = [];
  const formulas = [...document.querySelectorAll('.arithmatex')];
  const wrong = formulas.filter((each) => !each.querySelector('.katex') || each.querySelector('.katex-error'));
  for (const each of wrong) problems.push('this formula is not set: ' + each.textContent);
  const width = document.documentElement.scrollWidth;
  if (width > screen_width) problems.push('it is ' + width + ' pixels wide on a screen of ' + screen_width);
  for (const figure of document.querySelectorAll('figure.picture'))
    if (figure.scrollWidth > figure.clientWidth + 1)
      problems.push('a figure is cut: ' + figure.querySelector('svg')?.getAttribute('aria-label'));
  for (const each of document.querySelectorAll('.katex-display, pre > code'))
    if (each.scrollWidth > each.clientWidth + 1 && each.tabIndex < 0)
      problems.push('the keyboard does not reach all of: ' + each.textContent.slice(0, 60));
  for (const each of document.querySelectorAll('.highlight code')) {
    if (each.closest('details:not([open])')) continue;
    each.setAttribute('data-md-copying', '');  // as the theme does while it copies
    if (!each.innerText.trim()) problems.push('nothing is copied of: ' + each.textContent.slice(0, 60));
    each.removeAttribute('data-md-copying');
  }
  return {problems, formulas: formulas.length};
})"""

# What is wrong with what moves and answers on the page: a picture begins with the frame of its sliders' starts, and each
# slider shows another one; an exercise takes what its solution prints, and nothing else.
CHECK_BOOK = """(() => {
  const problems = [];
  const set = (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event('input', {bubbles: true}));
  };
  for (const picture of document.querySelectorAll('svg.moving')) {
    const frames = [...picture.querySelectorAll(':scope > .frame')];
    const shown = () => frames.flatMap((frame, i) => frame.getAttribute('display') === 'none' ? [] : [i]).join();
    const sliders = [...picture.querySelectorAll('metadata.slider')];
    const start = sliders.reduce((i, slider) => i * slider.textContent.split('|').length + Number(slider.dataset.start), 0);
    const inputs = [...picture.closest('figure').querySelectorAll('input[type=range]')];
    const name = picture.getAttribute('aria-label');
    if (inputs.length !== sliders.length) problems.push('a slider is missing: ' + name);
    if (shown() !== String(start)) problems.push('it begins with picture ' + shown() + ', not ' + start + ': ' + name);
    for (const input of inputs) {
      const before = input.value;
      set(input, before > 0 ? before - 1 : 1);
      if (shown() === String(start) || shown() === '') problems.push('a slider moves nothing: ' + name);
      set(input, before);
    }
  }
  for (const form of document.querySelectorAll('form.answer')) {
    const printed = form.nextElementSibling.querySelector('.language-text code').textContent.trim().split(/\\s+/);
    const verdict = (numbers) => {
      [...form.querySelectorAll('input')].forEach((input, i) => { input.value = numbers[i]; });
      form.requestSubmit();
      return form.querySelector('output').textContent;
    };
    if (verdict(printed) !== 'Right.') problems.push('the solution is not right: ' + form.textContent);
    if (verdict(printed.map((number) => Number(number) + 1)) === 'Right.') problems.push('any answer is right: ' + form.textContent);
  }
  const comments = document.createNodeIterator(document.body, NodeFilter.SHOW_COMMENT);
  let asked = 0;
  while (comments.nextNode()) asked += /^\\s*answer:/.test(comments.referenceNode.data);
  if (asked !== document.querySelectorAll('form.answer').length) problems.push('an exercise has no box for its answer');
  return problems;
})()"""

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
    browser.evaluate(FONTS)
    state = browser.evaluate(f"{CHECK_PAGE}({width})")
    results = browser.evaluate(SEARCH) if searches else 0
    if searches and not results:
        browser.problems.append("the search finds nothing")
    problems = state["problems"] + browser.evaluate(CHECK_BOOK) + browser.problems
    return state["formulas"], results, problems + (wrong_schemes(browser, url) if searches else [])


def wrong_schemes(browser, url):
    """Whether a page is dark or light as the system is, after visits when it was not."""
    problems = []
    for scheme, name in (("dark", "slate"), ("light", "default")):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.open(url)
        if browser.evaluate("document.body.dataset.mdColorScheme") != name:
            problems.append(f"it is not {scheme} as the system is, after other visits")
    return problems


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

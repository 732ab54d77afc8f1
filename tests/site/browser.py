"""Opens a built site in headless Chromium: `browser.py FOLDER`, at a desk's and at a phone's width, from a server and from
the folder. Each page must load without an error and without asking another host, set all its mathematics, be no wider
than the screen, cut no word and end no line in a short piece of code, say what can be moved sideways, and give what it is asked
to copy; a desk has room for the code of chapters and of types; doors stand on the first screen of a desk; it is light or dark as the system
is, and the search must find something. From the server it is light, and its widgets are used by keys and by taps too.
"""
import functools
import http.server
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import keyboard
from chromium import SIZES, Browser

SCHEMES = {"light": "default", "dark": "slate"}  # as the theme calls them
OF_API = ("index.html", "operations_8hpp.html", "classgradual_1_1Trainer.html", "classgradual_1_1Translator.html")  # one of each kind
WIDGETS = {"desk": "form.answer, .sliders, svg.product", "phone": "svg.product, figure.picture.wide"}

# Waits for letters that formulas alone have, and for what the page does when they have come.
FONTS = "document.fonts.ready.then(() => new Promise((resolve) => setTimeout(resolve, 20, true)))"

# What is wrong with the page that is open.
CHECK_PAGE = """((screen_width) => {
  const problems = [];
  const formulas = [...document.querySelectorAll('.arithmatex')];
  const wrong = formulas.filter((each) => !each.querySelector('.katex') || each.querySelector('.katex-error'));
  for (const each of wrong) problems.push('this formula is not set: ' + each.textContent);
  for (const each of document.querySelectorAll('div.arithmatex'))
    if (each.scrollWidth > each.clientWidth + 1) problems.push('an equation is cut: ' + each.textContent.slice(0, 60));
  const width = document.documentElement.scrollWidth;
  if (width > screen_width) problems.push('it is ' + width + ' pixels wide on a screen of ' + screen_width);
  for (const figure of document.querySelectorAll('figure.picture'))
    if (figure.scrollWidth > figure.clientWidth + 1)
      problems.push('a figure is cut: ' + figure.querySelector('svg')?.getAttribute('aria-label'));
  for (const each of document.querySelectorAll('.katex-display, pre > code'))
    if (each.scrollWidth > each.clientWidth + 1 && each.tabIndex < 0)
      problems.push('the keyboard does not reach all of: ' + each.textContent.slice(0, 60));
  for (const each of document.querySelectorAll('pre > code, .md-typeset__scrollwrap'))
    if (each.scrollWidth > each.clientWidth + 1 && !getComputedStyle(each).backgroundAttachment.includes('local'))
      problems.push('nothing says that there is more of: ' + each.textContent.trim().slice(0, 60));
  for (const each of document.querySelectorAll('pre > code'))
    if (screen_width > 1000 && /\\/(chapters|api)\\//.test(location.pathname) && each.scrollWidth > each.clientWidth + 1)
      problems.push('code is cut at a desk: ' + each.textContent.trim().slice(0, 60));
  for (const table of document.querySelectorAll('article table')) {
    let around = table;  // what cuts it, or moves it
    do around = around.parentElement; while (around && getComputedStyle(around).overflowX === 'visible');
    if (around && ['hidden', 'clip'].includes(getComputedStyle(around).overflowX) &&
        table.getBoundingClientRect().right > around.getBoundingClientRect().right + 1)
      problems.push('a table is cut: ' + table.textContent.trim().slice(0, 60));
  }
  for (const each of document.querySelectorAll(':is(p, li, td) > code'))
    if (each.textContent.length <= 30 && each.getClientRects().length > 1)
      problems.push('a line ends inside of: ' + each.textContent);
  for (const each of document.querySelectorAll('.door'))
    if (screen_width > 1000 && each.getBoundingClientRect().bottom > innerHeight)
      problems.push('it is below the first screen: ' + each.textContent.trim().slice(0, 20));
  const hidden = [...document.querySelectorAll('svg > .frame[display=none]')];  // other places of the sliders
  for (const frame of hidden) frame.removeAttribute('display');
  for (const word of document.querySelectorAll('svg text')) {
    const box = word.getBoundingClientRect(), edge = word.ownerSVGElement.getBoundingClientRect();
    if (box.width && Math.max(edge.left - box.left, box.right - edge.right, edge.top - box.top, box.bottom - edge.bottom) > 1)
      problems.push('the edge of a picture cuts the word: ' + word.textContent);
  }
  for (const frame of hidden) frame.setAttribute('display', 'none');
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

# Types a word into the search; resolves to the number of results, or to 0 after fifteen seconds.
SEARCH = """new Promise((resolve) => {
  const input = document.querySelector('.md-search__input');
  input.focus();
  input.value = 'softmax';
  input.dispatchEvent(new Event('keyup', {bubbles: true}));
  const count = () => document.querySelectorAll('.md-search-result__item').length;
  const start = Date.now();
  const look = () => count() || Date.now() - start > 15000 ? resolve(count()) : setTimeout(look, 20);
  look();
})"""


def serve(folder):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def visit(browser, url, width, searches, scheme):
    """Opens a page; returns how many formulas and search results it has, and what is wrong with it."""
    browser.open(url)
    browser.evaluate(FONTS)
    state = browser.evaluate(f"{CHECK_PAGE}({width})")
    results = browser.evaluate(SEARCH) if searches else 0
    if searches and not results:
        browser.problems.append("the search finds nothing")
    problems = state["problems"] + browser.evaluate(CHECK_BOOK) + browser.problems
    if browser.evaluate("document.body.dataset.mdColorScheme ?? '" + SCHEMES[scheme] + "'") != SCHEMES[scheme]:
        problems.append(f"it is not {scheme} as the system is")
    return state["formulas"], results, problems + (wrong_schemes(browser, url, scheme) if searches else [])


def wrong_schemes(browser, url, last):
    """Whether a page is dark or light as the system is, after visits when it was not."""
    problems = []
    for scheme in sorted(SCHEMES, key=lambda each: each == last):
        browser.prefer(scheme)
        browser.open(url)
        if browser.evaluate("document.body.dataset.mdColorScheme") != SCHEMES[scheme]:
            problems.append(f"it is not {scheme} as the system is, after other visits")
    return problems


def use(browser, url, size):
    """Uses the widgets of a page without a mouse; returns how many were used, and what is wrong."""
    if not browser.evaluate(f"document.querySelector('{WIDGETS[size]}') !== null"):
        return 0, []
    browser.open(url)  # as it is at first
    browser.evaluate(FONTS)
    if size == "phone":
        return keyboard.tap(browser)
    used, problems = keyboard.walk(browser)
    return sum(used.values()), problems


def main():
    folder, program = Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "chromium"
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html")
                   if "api" not in path.parts or path.name in OF_API)
    broken = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        for base, scheme in ((serve(folder), "light"), (folder.as_uri(), "dark")):
            browser.prefer(scheme)
            for size, (width, height) in SIZES.items():
                browser.resize(width, height, size == "phone")
                formulas = results = used = 0
                for page in pages:
                    set_here, found, problems = visit(browser, f"{base}/{page}", width, page == "index.html", scheme)
                    if scheme == "light":
                        count, wrong = use(browser, f"{base}/{page}", size)
                        used, problems = used + count, problems + wrong
                    formulas, results, broken = formulas + set_here, results + found, broken + len(problems)
                    for problem in problems:
                        print(f"{base}/{page} ({size}, {scheme}): {problem}", flush=True)
                print(f"{base.split(':')[0]}, {size}: {len(pages)} pages, {formulas} formulas, "
                      f"{results} search results, {used} widgets used", flush=True)
        browser.close()
    return broken > 0 or not pages


if __name__ == "__main__":
    sys.exit(main())

"""Uses the page of the translator by hand as a reader does, by pointer, keys and taps: page_test.py CHROMIUM PAGE. Ends with
what is wrong.
"""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
from chromium import SIZES, Browser

TAB, ENTER, ESCAPE = ("Tab", 9), ("Enter", 13), ("Escape", 27)
ARROWS = {"right": ("ArrowRight", 39), "down": ("ArrowDown", 40), "left": ("ArrowLeft", 37), "up": ("ArrowUp", 38)}

# Opens every number, one after the other: what is wrong with their sums, and how many have one.
EVERY_NUMBER = """(() => {
  const problems = [], panel = document.querySelector('.sum');
  let sums = 0;
  for (const cell of document.querySelectorAll('table.sheet tbody td')) {
    cell.focus();
    const where = cell.closest('table').caption.textContent + ', ' + cell.parentNode.cells[0].textContent;
    const shown = panel.querySelector('.worked').textContent;
    const parts = [...(cell.dataset.sum ?? '').matchAll(/\\{(\\w+)\\.(\\d+)\\.(\\d+)\\|([^}]*)\\}/g)];
    if (panel.hidden || !cell.matches('.open')) problems.push(where + ' does not open');
    if (document.querySelectorAll('.open').length !== 1) problems.push(where + ': more than one is open');
    if (!cell.dataset.sum) {
      if (!shown.includes('learned in training')) problems.push(where + ' says ' + shown);
      continue;
    }
    ++sums;
    if (!shown.endsWith(' = ' + cell.textContent)) problems.push(where + ' shows ' + shown);
    const sources = parts.map(([, id, row, column]) =>
      document.getElementById(id).tBodies[0].rows[row].querySelectorAll('td')[column]);
    const buttons = [...panel.querySelectorAll('.worked button')];
    if (buttons.map((each) => each.textContent).join() !== parts.map((each) => each[4]).join())
      problems.push(where + ': its buttons are ' + buttons.map((each) => each.textContent));
    if (sources.some((each) => !each.matches('.lit')) ||
        document.querySelectorAll('.lit').length !== new Set(sources).size)
      problems.push(where + ': other numbers are framed than those that it is made of');
  }
  return {sums, problems};
})()"""

OPEN = "document.querySelector('.sheet .open')"
COVERED = f"""(() => {{
  const cell = {OPEN}.getBoundingClientRect(), panel = document.querySelector('.sum').getBoundingClientRect();
  return cell.bottom > panel.top && cell.top < panel.bottom || cell.top < 0 || cell.bottom > innerHeight;
}})()"""

# Opens the same number where the edge of the screen is just below it.
AT_THE_EDGE = """(() => {
  const cell = document.getElementById('this');
  scrollBy(0, cell.getBoundingClientRect().bottom + 2 - innerHeight);
  cell.focus({preventScroll: true});
})()"""


class Reader:
    def __init__(self, browser, size):
        self.browser, self.size, self.problems = browser, size, []

    def check(self, sentence, is_right):
        if not is_right:
            self.problems.append(f"{self.size}: {sentence}: it does not")

    def place(self):
        """Row and column of the open number in its table, and the table."""
        return self.browser.evaluate(f"{OPEN} && [{OPEN}.parentNode.rowIndex, {OPEN}.cellIndex, {OPEN}.closest('table').id]")

    def open_by(self, gesture):
        """Opens a number in the middle of the page; returns where it is."""
        cells = "document.querySelectorAll('td[data-sum]')"
        self.browser.evaluate(f"{cells}[{cells}.length >> 1].id = 'this'; 0")
        gesture("#this")
        return self.place()

    def read(self):
        browser = self.browser
        found = browser.evaluate(EVERY_NUMBER)
        self.problems += [f"{self.size}: {each}" for each in found["problems"]]
        self.check("the page has sums", found["sums"] > 0)
        browser.press(*ESCAPE)
        self.check("Escape closes what is open", self.place() is None)
        browser.evaluate("document.activeElement.blur()")

        start = self.open_by(browser.tap if self.size == "phone" else browser.click)
        self.check("a click or a tap opens a number", start is not None)
        if start is None:
            return
        browser.press(*ESCAPE)
        browser.evaluate("document.activeElement.blur()")
        browser.evaluate(AT_THE_EDGE)
        self.check("a number at the edge of the screen comes out from under its sum", not browser.evaluate(COVERED))
        browser.evaluate("document.getElementById('this').focus(); 0")
        moves = {"right": (0, 1), "down": (1, 0), "left": (0, -1), "up": (-1, 0)}
        expected = start[:2]
        for name, (rows, columns) in moves.items():
            browser.press(*ARROWS[name])
            expected = [expected[0] + rows, expected[1] + columns]
            self.check(f"the arrow key {name} goes there", self.place() == [*expected, start[2]])

        browser.evaluate("document.querySelector('.sum .worked button').focus(); 0")
        source = browser.evaluate("document.querySelector('.sum .worked button').textContent")
        browser.press(*ENTER)
        self.check("a part of a sum opens what it is", browser.evaluate(f"{OPEN}.textContent") == source.strip("()"))
        self.check("the number that was gone to can be seen", not browser.evaluate(COVERED))
        before = self.place()
        browser.click(".sum .close")
        self.check("the cross closes the sum", self.place() is None and browser.evaluate("document.querySelector('.sum').hidden"))
        self.check("the focus stays at the number", browser.evaluate("document.activeElement.closest('table')?.id") == before[2])


def main():
    program, page = sys.argv[1], Path(sys.argv[2]).resolve().as_uri()
    problems = []
    for scheme in ("light", "dark"):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = Browser(program, profile)
            browser.prefer(scheme)
            for size, (width, height) in SIZES.items():
                browser.resize(width, height, size == "phone")
                browser.open(page)
                reader = Reader(browser, size)
                reader.check("the page is as wide as the screen", browser.evaluate("document.documentElement.scrollWidth") <= width)
                reader.read()
                problems += reader.problems + browser.problems
            browser.close()
    print(*problems, sep="\n")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

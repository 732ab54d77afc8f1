"""Looks at the page of a run, and at the page that `translate serve` serves, as a reader does: page_test.py CHROMIUM PAGE [URL].
Each check is a sentence; the first that fails ends the test.
"""
import json
import socket
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
from chromium import Browser

TAB, RIGHT = ("Tab", 9), ("ArrowRight", 39)


class Reader:
    def __init__(self, browser):
        self.browser = browser

    def check(self, sentence, is_right, found=""):
        if not is_right:
            sys.exit(f"FAILED: {sentence}: {found} {self.browser.problems}")
        print("- " + sentence, flush=True)

    def see(self, expression):
        return self.browser.evaluate(expression)

    def wait_for(self, expression, seconds=60):
        """The value of an expression as soon as it is true; none after some time."""
        return self.see(f"""new Promise((resolve) => {{
          const end = Date.now() + {1000 * seconds};
          const look = () => {{
            const value = {expression};
            value || Date.now() > end ? resolve(value) : setTimeout(look, 20);
          }};
          look();
        }})""")

    def check_hover(self, sentence, selector, gesture):
        title = self.see(f"document.querySelector('{selector} > title').textContent")
        for _ in range(50):  # the page hides what it shows when it hears of the scrolling to that place
            gesture(selector)
            shown = self.see("document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent")
            if shown == title:
                break
        self.check(sentence, shown and shown == title, f"shown is {shown!r}, not {title!r}")

    def check_words(self, where):
        """Choosing a word by pointer and by keyboard shows what could have been there."""
        chosen = ("[...document.querySelectorAll('.words')].find(each => each.offsetParent)"
                  ".querySelector(':scope > details:not([hidden])')")
        shown = f"{chosen}.querySelector('.bars span').textContent + {chosen}.querySelectorAll('.bars li').length"
        names = self.see("[...[...document.querySelectorAll('.words')].find(each => each.offsetParent)"
                         ".querySelectorAll('button')].map(button => button.firstChild.textContent.trim())")
        self.see("[...document.querySelectorAll('.words')].find(each => each.offsetParent).id = 'these'")
        self.browser.point_at("#these button:last-child")
        found = self.see(shown)
        self.check(f"{where}: pointing at a word shows it with its five rivals", found == names[-1] + "6", found)
        self.see("document.querySelector('#these button').focus()")
        self.browser.press(*TAB)
        found = self.see(shown)
        self.check(f"{where}: the tab key goes on to the next word", found == names[1] + "6", found)

    def check_width(self, where, width):
        found = self.see("document.documentElement.scrollWidth")
        self.check(f"{where}: nothing is wider than a screen of {width} pixels", found <= width, found)

    def check_quiet(self, where):
        self.check(f"{where}: there are no errors, and no other host is asked", not self.browser.problems)


def read_run_page(reader, page):
    browser = reader.browser
    size = page.stat().st_size
    reader.check("the page is smaller than 4 MB", size < 4e6, size)
    browser.resize(1280, 900, False)
    browser.open(page.as_uri())
    reader.check_width("at a desk", 1280)
    reader.check_hover("at a desk: pointing at a curve shows its value", ".slider > details:not([hidden]) .wide svg.chart .hit", browser.point_at)
    reader.check_hover("at a desk: pointing at an attention weight shows it",
                       ".slider > details:not([hidden]) .cells rect", browser.point_at)
    reader.check_hover("at a desk: pointing at the search tree shows a beginning", "svg.tree .kept rect", browser.point_at)
    reader.check_words("at a desk")
    found = reader.see("[getComputedStyle(document.querySelector('figure:has(svg.tree) > figcaption')).columnCount,"
                       " CSS.supports('text-wrap', 'pretty') ? getComputedStyle(document.querySelector('main > p')).textWrapStyle : 'pretty']")
    reader.check("at a desk: what is said of a tree has the width of the tree, and no last line has one word", found == ["2", "pretty"], found)
    found = reader.see("""(() => {
      const value = document.querySelector('.figures dd'), height = value.offsetHeight;
      value.textContent = '1,000,000.00 %';
      return [document.querySelector('header').textContent.includes(' tokens a second; seed '), value.offsetHeight === height];
    })()""")
    reader.check("at a desk: the title says how long it took, and no figure breaks before its unit", found == [True, True], found)
    steps = reader.see("[...document.querySelectorAll('.slider > details > summary')].map(each => each.textContent)")
    reader.see("document.querySelector('.slider input').focus()")
    browser.press(*RIGHT)
    found = reader.see("[document.querySelector('.slider output').textContent,"
                       " document.querySelector('.slider > details:not([hidden]) > summary').textContent]")
    reader.check("at a desk: an arrow key moves the slider from the first step to the next", found == [steps[1]] * 2, found)
    play = "document.querySelector('.slider .chooser button')"
    browser.click(".slider .chooser button")
    found = reader.wait_for(f"document.querySelector('.slider output').textContent === {steps[2]!r} && {play}.textContent")
    reader.check("at a desk: playing goes on by itself from there, and its button says that it pauses", found == "❚❚ Pause", found)
    browser.click(".slider .chooser button")
    found = reader.see(f"new Promise(resolve => setTimeout(() => resolve([document.querySelector('.slider output').textContent,"
                       f" {play}.textContent]), 1500))")
    reader.check("at a desk: it stays where it is paused", found == [steps[2], "▶ Play"], found)
    browser.click(".slider .chooser button")
    found = reader.wait_for(f"document.querySelector('.slider output').textContent === {steps[3]!r}")
    reader.check("at a desk: and goes on from there", found, found)
    reader.see("document.querySelector('.slider input').focus()")
    browser.press("End", 35)
    browser.click(".slider .chooser button")
    found = reader.wait_for(f"document.querySelector('.slider output').textContent === {steps[0]!r}")
    reader.check("at a desk: after the last step playing begins with the first", found, found)
    reader.see("scrollTo(0, document.querySelector('.slider').offsetTop + 600)")
    found = reader.see("document.querySelector('.slider input').getBoundingClientRect().top")
    reader.check("at a desk: the slider stays in sight of what it moves", 0 <= found < 60, found)
    found = reader.see("[...document.querySelectorAll('.beside:has(.words)')].map(each => [each.querySelectorAll('.lit').length,"
                       " [...each.querySelectorAll('.query')].findIndex(query => query.matches('.lit')) ==="
                       " [...each.querySelectorAll('.words button')].findIndex(button => button.ariaPressed === 'true')])")
    heights = reader.see("""[...document.querySelectorAll('.words')].filter(group => group.offsetHeight).map(group => {
        group.querySelector('.chooser button').click();
        const before = group.offsetHeight, bars = group.querySelector(':scope > details .bars'), rivals = [...bars.children].slice(1);
        rivals.forEach(each => each.remove());
        const after = group.offsetHeight;
        bars.append(...rivals);
        return [before, after];
    })""")
    reader.check("at a desk: what is below stays where it is when a word with fewer rivals is chosen",
                 heights and all(before == after > 0 for before, after in heights), heights)
    reader.check("at a desk: the lines of the chosen word are lit, and they alone", found and all(each == [1, True] for each in found), found)
    browser.call("Emulation.setEmulatedMedia", media="print")
    found = reader.see("""(() => {
      const tip = document.querySelector('.tip');
      tip.hidden = false;
      const shown = getComputedStyle(tip).display;
      tip.hidden = true;
      const cut = [...document.querySelectorAll('.scroll')].filter(each => getComputedStyle(each).overflowX !== 'visible');
      return [shown, cut.length, getComputedStyle(document.querySelector('.bars i')).printColorAdjust];
    })()""")
    reader.check("on paper: no tip, nothing is cut, and bars keep their colour", found == ["none", 0, "exact"], found)
    browser.call("Emulation.setEmulatedMedia", media="")
    found = reader.see("""new Promise((resolve) => {
      const box = [...document.querySelectorAll('.pictures')].find(each => each.offsetParent), one = box.querySelector('.scroll');
      box.replaceChildren(one, ...[1, 2, 3].map(() => one.cloneNode(true)));
      box.parentElement.style.width = 3.5 * one.offsetWidth + 'px';
      setTimeout(() => resolve([...box.children].map(each => each.offsetTop > one.offsetTop)), 200);
    })""")
    reader.check("at a desk: of four pictures for three of which there is room, two stand in each row",
                 found == [False, False, True, True], found)
    reader.check_quiet("at a desk")

    browser.resize(390, 844, True)
    browser.open(page.as_uri())
    reader.check_width("on a phone", 390)
    reader.check_hover("on a phone: tapping a curve shows its value", ".slider > details:not([hidden]) .narrow svg.chart .hit", browser.tap)
    reader.check_hover("on a phone: tapping the search tree shows a beginning", "svg.tree .kept rect", browser.tap)
    found = reader.see("""(() => {
      const tip = document.querySelector('.tip');
      tip.hidden = false;
      tip.textContent = 'a'.repeat(200) + ': 0.17';
      const end = document.createRange();
      end.setStart(tip.firstChild, 200);
      end.setEnd(tip.firstChild, 206);
      const {right, bottom} = end.getBoundingClientRect(), box = tip.getBoundingClientRect();
      tip.hidden = true;
      return right <= box.right && bottom <= box.bottom && box.width <= innerWidth;
    })()""")
    reader.check("on a phone: what is shown of a long word ends with its value", found, found)
    found = reader.see("""(() => {
      const table = document.querySelector('table.compact');
      table.querySelector('td.long').textContent = 'a'.repeat(200);
      return table.parentNode.scrollWidth - table.parentNode.clientWidth;
    })()""")
    reader.check("on a phone: text without spaces stays inside its table", found == 0, found)
    size = reader.see("Math.min(...[...document.querySelectorAll('p, td, button')].filter(each => each.offsetParent)"
                      ".map(each => parseFloat(getComputedStyle(each).fontSize)))")
    reader.check("on a phone: sentences and buttons have letters of at least 14 pixels", size >= 14, size)
    reader.check_quiet("on a phone")


def use_server(reader, url):
    browser = reader.browser
    translation = "document.querySelector('#translation').textContent"
    for where, width, is_phone in (("served, at a desk", 1280, False), ("served, on a phone", 390, True)):
        browser.resize(width, 844, is_phone)
        browser.open(url)
        reader.wait_for("document.readyState === 'complete' && document.activeElement === document.querySelector('form textarea')")
        found = reader.wait_for(translation, 20) and reader.see("document.querySelector('textarea').value")
        first = reader.see("document.querySelector('#try button').textContent")
        reader.check(f"{where}: the page opens with the first of its sentences translated", found == first, found)
        found = reader.see("document.querySelector('select').selectedOptions[0].textContent")
        reader.check(f"{where}: it searches as the prompt does, and says so", found == "greedy, as at the prompt", found)
        found = reader.see("getSelection().toString()")
        reader.check(f"{where}: its sentence is not selected", found == "", found)
        browser.click("form textarea")
        browser.type("The cat <img src=x onerror=alert(1)> sleeps.")
        for _ in range(5):  # a page that still moves under the pointer is missed
            browser.click("form button")
            found = reader.wait_for(f"document.querySelectorAll('#result mark').length && {translation}", 20)
            if found:
                break
        reader.check(f"{where}: a sentence that is typed is translated", found, found)
        found = reader.see("document.querySelector('#try').open")
        reader.check(f"{where}: the sentences to try fold away when another is typed", found is False, found)
        found = reader.see("[...document.querySelector('#translation').parentElement.children].map(each => each.className)")
        reader.check(f"{where}: below a translation stands what is said of it, and nothing else",
                     "told" in found and set(found) <= {"", "note", "told"}, found)
        found = reader.see("document.querySelector('form .label').textContent")
        reader.check(f"{where}: what a search is stands with what it is chosen by", found.startswith("Greedy search takes"), found)
        found = reader.see("document.querySelectorAll('#result img').length")
        reader.check(f"{where}: what is typed stays text", found == 0, found)
        found = reader.see("document.querySelector('#translation').getBoundingClientRect().top + scrollY")
        reader.check(f"{where}: the translation begins where it is seen without scrolling, above a phone's keyboard", 0 < found < 400, found)
        reader.check_words(where)
        reader.check_width(where, width)
        reader.check_quiet(where)
    browser.open(url)
    found = reader.see("[document.querySelectorAll('#try button').length, document.querySelector('#known summary').textContent]")
    reader.check("served: the page opens with six sentences and what the model knows",
                 found[0] == 6 and found[1].startswith("It knows ") and found[1].endswith(" words"), found)
    browser.click("#try summary")
    browser.click("#try button")
    found = reader.wait_for(translation, 20) and reader.see("document.querySelectorAll('#result mark').length")
    reader.check("served: a click translates one of them, and knows all its words", found == 0, found)
    browser.resize(1280, 844, False)
    browser.open(url)
    reader.wait_for(translation, 20)
    browser.click("#try button:last-child")
    found = reader.wait_for(f"document.querySelector('textarea').value !== document.querySelector('#try button').textContent && {translation}"
                            " && !document.querySelector('form button[aria-disabled]')", 20) and reader.see("document.querySelector('#try').open")
    reader.check("served, at a desk: a click on one of them leaves the others in reach", found is True, found)
    browser.resize(390, 844, True)
    reader.see("document.querySelector('textarea').value = 'The zebra sleeps.'; document.querySelector('form').requestSubmit()")
    found = reader.wait_for("document.querySelector('#result mark')?.textContent", 20)
    reader.check("served: a word that the model does not know is marked", found == "zebra", found)
    found = reader.see("[...document.querySelectorAll('#translation ~ .note')].map(each => each.textContent)")
    reader.check("served: that it does not know it is said right below the translation",
                 found and "does not know \"zebra\"" in found[0] and "a guess" in found[0], found)
    check_scrolling_tree(reader)
    found = reader.see("document.querySelector('#known p:last-child').textContent.split(' ')")
    small = [each.lower() for each in found]
    reader.check("served: the words that it knows stand in alphabetical order, each once", small == sorted(set(small)), found)
    reader.see("document.querySelector('textarea').value = 'The dog sleeps'; document.querySelector('form').requestSubmit()")
    found = reader.wait_for("document.querySelector('#translation + .note')?.textContent.includes('Note: the sentence ends without a full stop')", 20)
    reader.check("served: what is odd about a sentence is said right below its translation", found, found)
    found = reader.see("document.querySelector('#save').hidden")
    reader.check("served: all of it can be saved as a file", found is False, found)
    for words, typed in (("spaces alone", "   "), ("nothing", "")):
        reader.see("document.querySelector('textarea').value = 'The dog sleeps.'; document.querySelector('form').requestSubmit()")
        reader.wait_for(f"{translation} && !document.querySelector('form button[aria-disabled]')", 20)
        reader.see(f"document.querySelector('textarea').value = {typed!r}")
        browser.click("form button")
        found = reader.wait_for("document.querySelector('#problem').textContent", 5)
        reader.check(f"served: of {words} it is said what to do", found == "Type a sentence first.", found)
        found = reader.see(f"[{translation}, document.querySelector('#result').innerHTML]")
        reader.check(f"served: {words} takes the place of the last answer", found == ["", ""], found)
    reader.see("document.querySelector('textarea').value = 'THE CAT SLEEPS.'; document.querySelector('form').requestSubmit()")
    found = reader.wait_for("[...document.querySelectorAll('#translation ~ .note')].map(each => each.textContent).join(' ')", 20)
    reader.check("served: of a sentence in capitals it is said how it is known", "Try: The cat sleeps." in (found or ""), found)
    check_beside_idle_connections(reader, url)
    check_quick_questions(reader)
    check_saving(reader)
    reader.see("document.querySelector('textarea').value = 'a'.repeat(1500)")
    browser.click("form button")
    found = reader.wait_for("document.querySelector('#problem').textContent")
    reader.check("served: the page says what is wrong with a sentence", "at most 1000 characters" in found, found)


def check_scrolling_tree(reader):
    """A tree of thirteen steps fits a desk's page; one that is wider than that says that it scrolls."""
    fits = """new Promise((resolve) => {
      const tree = document.querySelector('svg.tree'), box = tree.parentElement, figure = box.parentElement, width = %d;
      tree.setAttribute('width', width);
      tree.setAttribute('viewBox', `0 0 ${width} 200`);
      box.style.setProperty('--width', width);
      figure.style.width = '100%%';
      setTimeout(() => resolve([box.scrollWidth > box.clientWidth + 1,
                                getComputedStyle(figure, '::before').content.includes('scroll sideways')]), 300);
    })"""
    reader.browser.resize(1280, 900, False)
    found = reader.see(fits % 1194)
    reader.check("served: a tree of thirteen steps fits the page of a desk", found == [False, False], found)
    found = reader.see(fits % 3000)
    reader.check("served: a tree that is wider than the page says that it can be scrolled", found == [True, True], found)


def check_beside_idle_connections(reader, url):
    """Says how long a person waits while fifty connections idle, from the question to the answer on the page."""
    address = urlsplit(url)
    idle = [socket.create_connection((address.hostname, address.port)) for _ in range(50)]
    words = "the small cat sleeps and the dogs see a small cat in the garden of the house "
    for sentence in (words, (words * 20)[:1000]):
        milliseconds = reader.see(f"""(async () => {{
            const start = performance.now(), button = document.querySelector('form button');
            document.querySelector('textarea').value = {json.dumps(sentence)};
            document.querySelector('form').requestSubmit();
            do await new Promise(requestAnimationFrame); while (button.hasAttribute('aria-disabled'));
            return Math.round(performance.now() - start);
        }})()""")
        found = reader.see("document.querySelector('#problem').textContent")
        reader.check(f"served: {len(sentence)} characters are answered beside fifty idle connections ({milliseconds} ms)",
                     found == "", found)
    for each in idle:
        each.close()


def check_quick_questions(reader):
    """Asks a server that answers the first question last."""
    browser = reader.browser
    reader.see("""{
      const real = window.fetch;
      window.asked = [];
      window.answered = 0;
      window.fetch = (url, {body}) => {
        const {sentence} = JSON.parse(body);
        asked.push(sentence);
        const json = async () => { setTimeout(() => ++answered, 50); return {translation: sentence + '!', html: ''}; };
        return new Promise(resolve => setTimeout(() => resolve({ok: true, json}), asked.length === 1 ? 400 : 100));
      };
      window.fetchAgain = () => window.fetch = real;
    }""")
    for sentence in ("one", "two"):
        reader.see("document.querySelector('textarea').focus(); document.querySelector('textarea').value = ''")
        browser.type(sentence)
        browser.press("Enter", 13)
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", windowsVirtualKeyCode=13, autoRepeat=True)
        browser.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", windowsVirtualKeyCode=13)
    reader.wait_for("answered === asked.length")
    found = reader.see("document.querySelector('#translation').textContent")
    reader.check("served: the answer to the last sentence stays, whichever answer comes last", found == "two!", found)
    found = reader.see("asked")
    reader.check("served: a key that is held down asks once", found == ["one", "two"], found)
    found = reader.see("document.querySelector('form button').getAttribute('aria-disabled')")
    reader.check("served: the page can be asked again", found is None, found)
    reader.see("document.querySelector('textarea').value = ''")
    browser.type("a" * 1500)
    found = reader.see("document.querySelector('textarea').value.length")
    reader.check("served: no more can be typed than the server takes", found == 1000, found)
    reader.see("fetchAgain()")


def check_saving(reader):
    """A file holds the answer that is shown; where there is none, the page says why, and who pressed a button keeps the focus."""
    reader.see("""{
      window.real = window.fetch;
      window.saved = [];
      const click = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function() { saved.push(this.download); };
      window.fetchAgain = () => { window.fetch = real; HTMLAnchorElement.prototype.click = click; };
      window.fetch = async (url, {body}) => {
        const {sentence, tree} = JSON.parse(body);
        if (tree) window.ofTree = sentence;
        if (tree && window.broken) return {ok: false, json: async () => ({error: 'too many questions'})};
        if (sentence === 'slow') await new Promise(resolve => setTimeout(resolve, 500));
        return {ok: true, json: async () => ({translation: sentence + '!', html: ''}), blob: async () => new Blob([sentence])};
      };
    }""")
    def submit(sentence):
        reader.see(f"document.querySelector('textarea').value = {sentence!r}; document.querySelector('form').requestSubmit()")
    submit("first")
    reader.wait_for("document.querySelector('#translation').textContent === 'first!'", 5)
    submit("slow")
    reader.see("document.querySelector('#save').click()")
    found = reader.wait_for("window.ofTree", 5)
    reader.check("served: while the next answer is on its way, the file is of the one that is shown", found == "first", found)
    reader.wait_for("document.querySelector('#translation').textContent === 'slow!'", 5)
    found = reader.see("saved")
    reader.check("served: a file is saved", found == ["translation.json"], found)
    reader.see("window.broken = true; document.querySelector('#save').click()")
    found = reader.wait_for("document.querySelector('#problem').textContent", 5)
    reader.check("served: an answer that cannot be had is said and not saved", (found, reader.see("saved.length")) == ("too many questions", 1), found)
    reader.see("document.querySelector('textarea').value = 'slow'; document.querySelector('form button').focus()")
    reader.browser.press(" ", 32)
    found = reader.wait_for("document.querySelector('#busy').textContent", 5)
    reader.check("served: of a slow answer it is said that it is on its way", found == "Translating …", found)
    found = reader.see("document.activeElement === document.querySelector('form button')")
    reader.check("served: who presses the button by a key stays on it", found is True, found)
    reader.wait_for("document.querySelector('#busy').textContent === ''", 5)
    reader.see("fetchAgain()")


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        reader = Reader(Browser(sys.argv[1], profile))
        read_run_page(reader, Path(sys.argv[2]).resolve())
        if len(sys.argv) > 3:
            use_server(reader, sys.argv[3])
        reader.browser.close()


if __name__ == "__main__":
    main()

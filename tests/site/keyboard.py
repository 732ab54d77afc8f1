"""A reader without a mouse: Tab goes through a page, and what it reaches is used by keys, as each kind of widget is. A reader
of a phone taps the numbers of products, and the buttons of wide pictures.
"""

# Gives names to what a reader can use and how each is told to be right; starts at the top of the page.
PREPARE = """(() => {
  const kinds = {
    slider: '.sliders input', box: 'form.answer input', check: 'form.answer button', number: 'svg.product .opens',
    copy: '.md-code__button[data-md-type=copy], .md-clipboard', size: 'figure.picture.wide > button', fold: 'article summary',
  };
  const reached = new Set();
  const all = () => Object.entries(kinds).flatMap(([kind, what]) =>
    [...document.querySelectorAll(what)].filter((each) => each.checkVisibility()).map((each) => [kind, each]));
  const named = (kind, each) => kind + ': ' + (each.getAttribute('aria-label') || each.closest('label, form, figure, .highlight, details, pre')
    ?.textContent || each.textContent).trim().slice(0, 60);
  const frameOf = (input) => [...input.closest('figure').querySelectorAll('svg.moving > .frame')]
    .findIndex((frame) => frame.getAttribute('display') !== 'none');
  const boxesOf = (form) => [...form.querySelectorAll('input')];
  const printed = (form) => form.nextElementSibling.querySelector('.language-text code').textContent.trim().split(/\\s+/);
  let copied = null;
  addEventListener('copy', ({target}) => { copied = target.value ?? getSelection().toString(); });

  // What can be read off a widget after keys were pressed.
  const states = {
    slider: (each) => frameOf(each), check: (each) => each.form.querySelector('output').textContent,
    box: (each) => each.form.querySelector('output').textContent, size: (each) => each.parentNode.classList.contains('whole'),
    fold: (each) => each.parentNode.open, copy: () => copied, number: (each) => wrongSum(each),
  };
  // A number's sum must consist of what stands in its row and its column, and add up to it; all are rounded to two places.
  const wrongSum = (cell) => {
    const picture = cell.closest('svg'), text = (each) => each.lastChild.textContent.trim();
    const shown = cell.closest('figure').querySelector('.sum')?.textContent ?? '';
    const [, terms, sum] = shown.match(/: (.*) = (\\S+)$/) ?? [];
    const own = ({lastElementChild: each}) => each.lastChild.textContent.trim();
    const row = [...picture.querySelectorAll('.row' + cell.dataset.row)].map(own);
    const column = [...picture.querySelectorAll('.column' + cell.dataset.column)].map(own);
    const lit = [...picture.querySelectorAll('.lit')].filter((each) => each !== cell).length;
    if (sum === undefined || sum !== own(cell)) return 'it shows ' + shown;
    const factor = (number) => /^[-−]/.test(number) ? '(' + number + ')' : number;
    if (terms !== row.map((number, i) => factor(number) + '·' + factor(column[i])).join(' + ')) return 'its terms are not its row and column: ' + shown;
    if (lit !== row.length + column.length || !cell.matches('.lit')) return 'its row and column are not lit: ' + shown;
    const number = (each) => Number(each.replace('−', '-'));
    let total = 0, rounding = 0.0051;
    row.forEach((each, i) => {
      total += number(each) * number(column[i]);
      rounding += 0.005 * (Math.abs(number(each)) + Math.abs(number(column[i])));
    });
    return Math.abs(total - number(sum)) > rounding ? 'its terms add up to ' + total + ': ' + shown : '';
  };

  const state = () => {
    const each = document.activeElement;
    const kind = Object.keys(kinds).find((kind) => each.matches(kinds[kind]));
    return kind ? states[kind](each) : null;
  };
  // What Tab has reached, and what is needed to use it.
  const at = () => {
    const each = document.activeElement;
    if (!each || each === document.body) return {end: true};
    const kind = Object.keys(kinds).find((kind) => each.matches(kinds[kind]));
    if (!kind) return {};
    if (reached.has(each)) return {end: true};
    reached.add(each);
    const is = {kind, name: named(kind, each), state: states[kind](each)};
    if (kind === 'slider') is.last = each.value === each.max;
    if (kind === 'box') {
      const boxes = boxesOf(each.form), i = boxes.indexOf(each);
      Object.assign(is, {first: i === 0, last: i === boxes.length - 1, number: printed(each.form)[i], empty: each.value === ''});
    }
    if (kind === 'check') each.form.querySelector('output').textContent = '';
    if (kind === 'copy') {
      const code = each.closest('.highlight, pre').querySelector('code');
      code.setAttribute('data-md-copying', '');
      is.text = code.innerText.trim();
      code.removeAttribute('data-md-copying');
    }
    copied = null;
    return is;
  };
  const missed = () => all().filter(([, each]) => !reached.has(each)).map(([kind, each]) => named(kind, each));
  // The first pressed Tab goes to the first of the page.
  document.activeElement?.blur();
  scrollTo(0, 0);
  window.readerWithoutMouse = {at, state, missed, wrongSum};
  return all().length;
})()"""

TAB, ENTER, SPACE, RIGHT, LEFT = ("Tab", 9), ("Enter", 13), (" ", 32), ("ArrowRight", 39), ("ArrowLeft", 37)
CODES = {".": 190, "-": 189}  # of keys that are not called as what they write
MOST = 2000  # presses of Tab, of a page that does not end


def use_slider(press, state, widget):
    there, back = (LEFT, RIGHT) if widget["last"] else (RIGHT, LEFT)
    moved = press(there)
    if moved == widget["state"] or moved < 0:
        return "an arrow key moves nothing"
    return "" if press(back) == widget["state"] else "it does not go back"


def use_box(press, state, widget):
    if widget["first"] and "missing" not in press(ENTER):
        return "Enter, with nothing in it, does not say what is missing"
    for character in widget["number"]:
        press((character, CODES.get(character, ord(character))))
    if not widget["last"]:
        return ""
    said = press(ENTER)
    return "" if said == "Right." else f"Enter, after what the solution prints, says {said}"


def use_check(press, state, widget):
    return "" if press(SPACE) == "Right." else "the space bar does not press it"


def use_number(press, state, widget):
    return state()  # by reaching it


def use_copy(press, state, widget):
    copied = press(ENTER)
    return "" if copied is not None and copied.strip() == widget["text"] else f"Enter copies {copied}"


def use_switch(press, state, widget):
    if press(ENTER) == widget["state"]:
        return "Enter does nothing"
    if widget["kind"] == "fold":  # what it hides is to be reached too
        return "" if state() or press(ENTER) else "it does not open"
    return "" if press(SPACE) == widget["state"] else "the space bar does not take it back"


USE = {"slider": use_slider, "box": use_box, "check": use_check, "number": use_number, "copy": use_copy, "size": use_switch,
       "fold": use_switch}


def walk(browser):
    """Goes through the open page by Tab and uses what it reaches; returns what was used, by kind, and what is wrong."""
    def state():
        return browser.evaluate("readerWithoutMouse.state()")

    def press(key):
        browser.press(*key)
        return state()

    used, problems = {}, []
    if not browser.evaluate(PREPARE):
        return used, problems
    for _ in range(MOST):
        browser.press(*TAB)
        widget = browser.evaluate("readerWithoutMouse.at()")
        if widget.get("end"):
            break
        if "kind" in widget:
            wrong = USE[widget["kind"]](press, state, widget)
            used[widget["kind"]] = used.get(widget["kind"], 0) + 1
            if wrong:
                problems.append(f"by keys, {widget['name']}: {wrong}")
    problems += [f"Tab does not reach {name}" for name in browser.evaluate("readerWithoutMouse.missed()")]
    return used, problems


WIDTH = "document.getElementById('size{}').parentNode.querySelector('svg').getBoundingClientRect().width"


def tap(browser):
    """Taps each number of the open page's products, and the button of each wide picture, which shows it whole or in its own
    size; returns how many there are, and what is wrong."""
    browser.evaluate(PREPARE)
    problems = []
    wide = browser.evaluate("""[...document.querySelectorAll('figure.picture.wide > button')].map((each, i) => {
      each.id = 'size' + i;
      each.closest('details')?.setAttribute('open', '');  // a solution, which its reader has opened
    }).length""")
    for i in range(wide):
        widths = [browser.evaluate(WIDTH.format(i))]
        for _ in range(2):
            browser.tap(f"#size{i}")
            widths.append(browser.evaluate(WIDTH.format(i)))
        if not widths[0] == widths[2] < widths[1]:
            problems.append(f"taps on the button of wide picture {i} make it {widths} pixels wide")
    count = browser.evaluate("[...document.querySelectorAll('svg.product .opens')].map((each, i) => { each.id = 'number' + i; }).length")
    for i in range(count):
        browser.tap(f"#number{i}")
        wrong = browser.evaluate(f"readerWithoutMouse.wrongSum(document.getElementById('number{i}'))")
        if wrong:
            problems.append(f"a tap on number {i} of the products: {wrong}")
    return count + wide, problems

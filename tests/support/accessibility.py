"""Asks axe whether readers who see little, or use no pointer, can read some pages: `accessibility.py CHROMIUM WHAT...`, where
WHAT is a page, a folder of pages, or the address of one. Each is looked at in light and in dark, at a desk's and at a phone's
width, or with `--at phone` at that one alone; what axe calls serious or critical counts. Ends with 77 where the package
axe-core-python is missing.
"""
import importlib.util
import sys
import tempfile
import time
from pathlib import Path

from chromium import SIZES, Browser

SECONDS = 60  # for each thing asked of the browser

# Opens what is folded, so that it is looked at too, and waits for the letters and for what the page does when they have come.
# What pictures consist of goes, but for what takes the focus: axe judges no colours in them, and thousands of marks take it minutes.
READY = """document.fonts.ready.then(() => {
  for (const each of document.querySelectorAll('details')) each.open = true;
  for (const animation of document.getAnimations()) if (isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
  const takesFocus = '[tabindex], a, [role=button], [role=slider]';
  for (const mark of document.querySelectorAll('svg :not(title)'))
    if (!mark.matches(takesFocus) && !mark.querySelector(takesFocus)) mark.remove();
  return new Promise((resolve) => setTimeout(resolve, 20, true));
})"""

FINDINGS = """axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations
  .filter((rule) => ['serious', 'critical'].includes(rule.impact))
  .flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.html.slice(0, 120) +
    [...node.any, ...node.all, ...node.none].slice(0, 1).map((check) => ' — ' + check.message).join(''))))"""


def addresses(what):
    """The pages that an argument stands for; of a folder's API, whose pages are all of one kind, the first."""
    if "://" in what:
        return [what]
    path = Path(what).resolve()
    if not path.is_dir():
        return [path.as_uri()]
    return [page.as_uri() for page in sorted(path.rglob("*.html")) if "api" not in page.parts or page.name == "index.html"]


def look(browser, axe, url):
    try:
        browser.open(url)
        browser.evaluate(READY)
        browser.evaluate(f"{axe}; 0")
        found = browser.evaluate(FINDINGS)
    except TimeoutError as error:
        sys.exit(f"{url}: {error}")
    return ["axe did not run"] if found is None else found


def main():
    program, *what = sys.argv[1:]
    sizes = SIZES
    if what[0] == "--at":
        sizes, what = {what[1]: SIZES[what[1]]}, what[2:]
    package = importlib.util.find_spec("axe_core_python")
    if package is None:
        print("skipped: axe comes with the package axe-core-python, which ./run site installs")
        return 77
    axe = (Path(package.origin).parent / "axe.min.js").read_text()
    pages = [page for each in what for page in addresses(each)]
    findings = 0
    for scheme in ("light", "dark"):
        # Each in a profile of its own: the site remembers in which it was read.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = Browser(program, profile, SECONDS)
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for size, (width, height) in sizes.items():
                browser.resize(width, height, size == "phone")
                start = time.monotonic()
                for page in pages:
                    found = look(browser, axe, page)
                    findings += len(found)
                    for each in found:
                        print(f"{page} ({size}, {scheme}): {each}", flush=True)
                print(f"{size}, {scheme}: {len(pages)} pages in {time.monotonic() - start:.0f} s", flush=True)
            browser.close()
    print(f"{findings} serious findings")
    return findings > 0 or not pages


if __name__ == "__main__":
    sys.exit(main())

"""Opens a built site in headless Chromium: `browser.py FOLDER`, at a desk's and at a phone's width, from a server and from
the folder. Each page must load without an error and without asking another host, set all its mathematics, and be no wider
than the screen; and the search must find something.
"""
import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

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


class Browser:
    """Chromium, spoken to by its DevTools protocol through two pipes."""

    def __init__(self, program, profile):
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update",
                   f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
        # Chromium reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", *command],
            pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.session, self.problems = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.into, 65536)
            if not piece:
                sys.exit("browser: it ended by itself")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(message)
        self.note(message)
        return message

    def note(self, message):
        """Keeps what a reader would see as an error in the console."""
        details = message.get("params", {})
        kind = message.get("method")
        if kind == "Runtime.exceptionThrown":
            self.problems.append("exception: " + details["exceptionDetails"]["text"])
        elif kind == "Log.entryAdded" and details["entry"]["level"] == "error":
            url = details["entry"].get("url", "")
            if not url.endswith("/favicon.ico"):  # browsers ask for one of themselves
                self.problems.append(f"{details['entry']['text']} {url}")
        elif kind == "Runtime.consoleAPICalled" and details["type"] in ("error", "assert"):
            self.problems.append("console: " + str([each.get("value") for each in details["args"]]))
        elif kind == "Network.requestWillBeSent":
            url = details["request"]["url"]
            if not url.startswith(("http://127.0.0.1:", "file:", "data:", "about:", "blob:")):
                self.problems.append("asks another host: " + url)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"browser: {method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, url):
        self.problems = []
        self.call("Page.navigate", url=url)
        while self.read().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return result["result"].get("value")


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
                browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                             mobile=size == "phone")
                formulas = results = 0
                for page in pages:
                    set_here, found, problems = visit(browser, f"{base}/{page}", width, page == "index.html")
                    formulas, results, broken = formulas + set_here, results + found, broken + len(problems)
                    for problem in problems:
                        print(f"{base}/{page} ({size}): {problem}")
                print(f"{base.split(':')[0]}, {size}: {len(pages)} pages, {formulas} formulas, "
                      f"{results} search results", flush=True)
        browser.process.terminate()
        browser.process.wait()
    return broken > 0 or not pages


if __name__ == "__main__":
    sys.exit(main())

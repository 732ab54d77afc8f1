"""Headless Chromium, for tests of pages: it opens them, moves the pointer, presses keys, and notes what goes wrong."""
import json
import os
import select
import subprocess
import sys
import time

SIZES = {"desk": (1280, 900), "phone": (390, 844)}  # of screens, in pixels


class Browser:
    """Chromium, spoken to by its DevTools protocol through two pipes. What takes longer than the limit of seconds raises
    TimeoutError."""

    def __init__(self, program, profile, limit=300):
        self.limit, self.end = limit, time.monotonic() + limit
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update",
                   f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
        # Chromium reads from descriptor 3 and writes to 4. Bash, as other shells know descriptors of one digit alone.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", *command],
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
            if not select.select([self.into], [], [], max(0, self.end - time.monotonic()))[0]:
                raise TimeoutError(f"the browser does not answer within {self.limit} seconds")
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
        if kind == "Page.loadEventFired":
            self.loaded = True
        elif kind == "Runtime.exceptionThrown":
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
        self.number, self.end = self.number + 1, time.monotonic() + self.limit
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
        self.problems, self.loaded = [], False
        self.call("Page.navigate", url=url)
        while not self.loaded:  # on a busy machine, that may be told before the call is answered
            self.read()

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return result["result"].get("value")

    def resize(self, width, height, is_phone):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=is_phone)

    def prefer(self, scheme):
        """Light or dark, as the system of the reader is."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def middle_of(self, selector):
        """Brings the first such element into view; returns where its middle is."""
        return self.evaluate(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          element.scrollIntoView({{block: 'center', inline: 'center'}});
          const box = element.getBoundingClientRect();
          return {{x: box.x + box.width / 2, y: box.y + box.height / 2}};
        }})()""")

    def point_at(self, selector):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **self.middle_of(selector))

    def click(self, selector):
        place = self.middle_of(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def tap(self, selector):
        place = self.middle_of(selector)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[place])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, key, code):
        """Presses a key: one that writes does so, and Enter and the space bar press what has the focus."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        for kind, written in (("keyDown", text), ("keyUp", "")):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=written)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.into)
        os.close(self.out)

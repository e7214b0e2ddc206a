"""A minimal driver for a real Chromium over the DevTools protocol.

In: pages and user input. Out: the state of the page. The browser is the executable named by `CHROMIUM`, or one of the
usual names on the path.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 120.0  # timeout in seconds, for busy machines
# What Chromium answers to a question that was on its way while the page was left.
_LEAVING = ("context was destroyed", "Cannot find context", "Cannot find default", "navigated or closed")


def find_chromium() -> str | None:
    given = os.environ.get("CHROMIUM")
    return given or next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """A headless browser with a temporary profile."""

    def __init__(self) -> None:
        path = find_chromium()
        assert path is not None
        self.folder = tempfile.mkdtemp(prefix="hoyle-chromium-")
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
                 "--no-first-run", "--disable-extensions", "--disable-background-networking", "--lang=en-GB",
                 "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-port=0",
                 f"--user-data-dir={self.folder}"]  # fmt: skip
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([path, *flags, "about:blank"], stdout=quiet, stderr=quiet)
        self.port, address = self._find_port()
        self.line = _Line(f"ws://127.0.0.1:{self.port}{address}")
        self.context: str | None = None

    def _find_port(self) -> tuple[int, str]:
        written = Path(self.folder) / "DevToolsActivePort"
        said = wait_until(lambda: written.exists() and written.read_text().split(), "Chromium has not started")
        return int(said[0]), said[1]

    def forget(self) -> None:
        """Go on as a visitor who was never here: nothing is stored, and no page is open."""
        if self.context is not None:
            self.line.call("Target.disposeBrowserContext", browserContextId=self.context)
        self.context = self.line.call("Target.createBrowserContext")["browserContextId"]

    def open(self, address: str, *, wide: int = 1280, high: int = 800, **known: Any) -> Page:
        if self.context is None:
            self.forget()
        made = self.line.call("Target.createTarget", url="about:blank", browserContextId=self.context)
        page = Page(self.port, made["targetId"])
        page.prepare(wide, high, **known)
        page.go(address)
        return page

    def close(self) -> None:
        self.line.line.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Line:
    """A connection over which methods of the DevTools protocol are called."""

    def __init__(self, address: str) -> None:
        self.line = connect(address, max_size=None).__enter__()
        self.number = 0

    def call(self, method: str, **known: Any) -> Any:
        self.number += 1
        self.line.send(json.dumps({"id": self.number, "method": method, "params": known}))
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = json.loads(self.line.recv(timeout=PATIENCE))
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)
        raise TimeoutError(method)

    def note(self, message: dict[str, Any]) -> None:
        """Take notice of an event that arrives before an answer."""


class Page(_Line):
    """A tab. `problems` are script errors and violations of the Content-Security-Policy."""

    def __init__(self, port: int, target: str) -> None:
        super().__init__(f"ws://127.0.0.1:{port}/devtools/page/{target}")
        self.target, self.port = target, port
        self.problems: list[str] = []
        self.asked: list[str] = []  # URLs of all requests
        self.choosers: list[int] = []  # fields for which a file is asked
        self.frame = ""  # a frame that fills the page, in which all is looked for

    def prepare(self, wide: int, high: int, *, dark: bool = False, still: bool = True) -> None:
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(wide, high)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]  # fmt: skip
        self.call("Emulation.setEmulatedMedia", features=features)

    def resize(self, wide: int, high: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=1, mobile=wide < 600)

    def note(self, message: dict[str, Any]) -> None:
        method, known = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = known["exceptionDetails"]
            self.problems.append(str(details.get("exception", {}).get("description", details["text"])))
        elif method == "Log.entryAdded" and known["entry"]["level"] == "error":
            self.problems.append(f"{known['entry']['text']} {known['entry'].get('url', '')}")
        elif method == "Page.fileChooserOpened":
            self.choosers.append(known["backendNodeId"])
        elif method == "Network.requestWillBeSent":
            self.asked.append(known["request"]["url"])

    # ---------------------------------------------------------------------------------------------- queries
    def run(self, script: str, **known: Any) -> Any:
        """Evaluate an expression in the page, or in its frame."""
        if self.frame:
            script = (
                "((window) => { const document = window.document, location = window.location;"
                f" return ({script}); }})(document.querySelector({json.dumps(self.frame)}).contentWindow)"
            )
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, **known)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", "a script failed"))
        return found["result"].get("value")

    def wait(self, script: str, what: str = "") -> None:
        """Wait until an expression is true in the page, or in the one that it is leaving for."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if self.run(f"Promise.resolve({script}).then(Boolean)"):
                    return
            except RuntimeError as error:
                if not any(said in str(error) for said in _LEAVING):
                    raise
            time.sleep(0.03)
        raise TimeoutError(f"{what or script}\n{self.run('document.body.innerText')}\n{self.problems}")

    def has(self, selector: str) -> bool:
        return bool(self.run(f"!!document.querySelector({json.dumps(selector)})"))

    def text(self, selector: str = "body") -> str:
        return str(self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def picture(self, path: Path) -> None:
        path.write_bytes(self.shoot() if path.suffix == ".webp" else self.shoot(format="png"))

    def shoot(self, **kind: Any) -> bytes:
        kind = kind or {"format": "webp", "quality": 85}
        return base64.b64decode(self.call("Page.captureScreenshot", **kind)["data"])

    # ---------------------------------------------------------------------------------------------- input
    def go(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def click(self, selector: str) -> None:
        """Click on a visible point of an element with the mouse, after waiting until it no longer moves: a redraw
        between locating and clicking it would lose the click."""
        self.wait(f"!!document.querySelector({json.dumps(selector)})", f"nothing to click: {selector}")
        self.wait(_IS_STEADY % json.dumps(selector), f"not to be caught: {selector}")
        self.click_now(selector)

    def click_now(self, selector: str) -> None:
        """Click on an element if it still exists; the page may have moved on."""
        self._come_to_front()
        found = self._find_place(selector)
        if found is None:
            return
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._move_mouse(kind, found)

    def tap(self, selector: str) -> None:
        """Touch an element with a finger."""
        self._come_to_front()
        found = self._find_place(selector)
        if found is None:
            return
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        point = [{"x": found[0], "y": found[1]}]
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=point)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def enter(self, selector: str) -> None:
        """Go to an element with the keyboard, and press Enter."""
        self.run(f"document.querySelector({json.dumps(selector)})?.focus()")
        self.press("Enter")

    def drag(self, selector: str, target: str) -> None:
        """Drag an element onto another with the mouse."""
        self._come_to_front()
        start, end = self._find_place(selector), self._find_place(target)
        assert start is not None and end is not None
        half = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        for kind, place in (("mouseMoved", start), ("mousePressed", start), ("mouseMoved", half), ("mouseMoved", end),
                            ("mouseReleased", end)):  # fmt: skip
            self._move_mouse(kind, place)

    def _come_to_front(self) -> None:
        """Activate the tab; input to a background tab is delayed by five seconds."""
        self.call("Page.bringToFront")

    def _move_mouse(self, kind: str, place: list[float]) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def _find_place(self, selector: str) -> list[float] | None:
        """Find a point where an element is visible; None if it does not exist."""
        found: list[float] | None = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            " e.scrollIntoView({block: 'nearest', inline: 'nearest'});"
            " const r = e.getBoundingClientRect();"
            " for (const [p, q] of [[.5, .5], [.1, .5], [.5, .1], [.1, .1], [.05, .9], [.9, .5], [.02, .5]]) {"
            "   const x = r.x + r.width * p, y = r.y + r.height * q;"
            "   if (e.contains(document.elementFromPoint(x, y))) return [x, y]; }"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        return found

    def press(self, key: str) -> None:
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, " ": 32, "ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40}
        self._come_to_front()
        known: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        if key == "Enter":
            known["text"] = "\r"
        elif len(key) == 1:
            known["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **known)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in known.items() if k != "text"})

    def close(self) -> None:
        self.line.close()
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json/close/{self.target}", timeout=PATIENCE).close()


_IS_STEADY = """(async () => {
  const e = document.querySelector(%s);
  const look = () => e?.isConnected && JSON.stringify(e.getBoundingClientRect());
  const before = look();
  await new Promise((done) => setTimeout(done, 50));
  return before && look() === before; })()"""


def wait_until(fits: Callable[[], Any], what: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := fits():
            return found
        time.sleep(0.05)
    raise TimeoutError(what)

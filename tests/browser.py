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

from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 120.0  # timeout in seconds, for busy machines


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
        self.port = self._find_port()

    def _find_port(self) -> int:
        written = Path(self.folder) / "DevToolsActivePort"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if written.exists() and written.read_text().strip():
                return int(written.read_text().split()[0])
            time.sleep(0.05)
        raise TimeoutError("Chromium has not started")

    def open(self, address: str, *, wide: int = 1280, high: int = 800, **known: Any) -> Page:
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            target = json.load(answer)
        page = Page(connect(target["webSocketDebuggerUrl"], max_size=None).__enter__(), target["id"], self.port)
        page.prepare(wide, high, **known)
        page.go(address)
        return page

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """A tab. `problems` are script errors and violations of the Content-Security-Policy."""

    def __init__(self, line: ClientConnection, target: str, port: int) -> None:
        self.line, self.target, self.port = line, target, port
        self.number = 0
        self.problems: list[str] = []
        self.asked: list[str] = []  # URLs of all requests

    def prepare(self, wide: int, high: int, *, dark: bool = False, still: bool = True) -> None:
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(wide, high)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]  # fmt: skip
        self.call("Emulation.setEmulatedMedia", features=features)

    def resize(self, wide: int, high: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=1, mobile=wide < 600)

    # ---------------------------------------------------------------------------------------------- the protocol
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
            self._note(message)
        raise TimeoutError(method)

    def _note(self, message: dict[str, Any]) -> None:
        method, known = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = known["exceptionDetails"]
            self.problems.append(str(details.get("exception", {}).get("description", details["text"])))
        elif method == "Log.entryAdded" and known["entry"]["level"] == "error":
            self.problems.append(f"{known['entry']['text']} {known['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.asked.append(known["request"]["url"])

    # ---------------------------------------------------------------------------------------------- queries
    def run(self, script: str) -> Any:
        """Evaluate an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", "a script failed"))
        return found["result"].get("value")

    def wait(self, script: str, what: str = "") -> None:
        """Wait until an expression is true in the page."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.run(f"Promise.resolve({script}).then(Boolean)"):
                return
            time.sleep(0.03)
        raise TimeoutError(f"{what or script}\n{self.run('document.body.innerText')}\n{self.problems}")

    def has(self, selector: str) -> bool:
        return bool(self.run(f"!!document.querySelector({json.dumps(selector)})"))

    def text(self, selector: str = "body") -> str:
        return str(self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def picture(self, path: Path) -> None:
        kind = {"format": "webp", "quality": 85} if path.suffix == ".webp" else {"format": "png"}
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **kind)["data"]))

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

"""A terminal for tests: a process on a pseudo-terminal, and an emulator of its screen."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

import pexpect
import pyte

ROOT = Path(__file__).parent.parent
AGAIN = 5  # seconds after which a key is pressed again
PATIENCE = 120  # timeout in seconds, for busy machines


class Terminal:
    """A command running on a terminal of a given size."""

    def __init__(self, arguments: list[str], columns: int, lines: int, matches: Path, **environment: str) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "hoyle.front.cli", *arguments],
            dimensions=(lines, columns),
            env={
                **plain, "PYTHONPATH": str(ROOT / "interpreter"), "TERM": "xterm-256color", "LANG": "C.UTF-8",
                "LC_ALL": "C.UTF-8", "HOYLE_MATCHES": str(matches), **environment,
            },
        )  # fmt: skip
        self.process.delaybeforesend = None

    # ---------------------------------------------------------------------------------------------- output
    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def take_in(self, seconds: float = 0.05) -> bool:
        """Feed new output to the emulator; return whether the process may write more."""
        try:
            part = self.process.read_nonblocking(65536, timeout=seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += part
        self._stream.feed(part)
        return True

    def wait_for(self, *texts: str) -> None:
        """Wait until one of the texts is on the screen, output has paused, and there is a prompt or the process has
        ended."""
        deadline = time.monotonic() + PATIENCE
        while not self._shows(texts):
            alive = self.take_in()
            assert alive or self._shows(texts), f"ended without {texts}:\n{self.text}"
            assert time.monotonic() < deadline, f"no {texts} on the screen:\n{self.text}"
        while self._is_busy() or (not self.prompt and self.process.isalive()):
            assert time.monotonic() < deadline, f"no prompt on the screen:\n{self.text}"

    def _shows(self, texts: tuple[str, ...]) -> bool:
        shown = "\n".join(self.screen.display)  # including trailing blanks
        return any(text in shown for text in texts)

    def _is_busy(self) -> bool:
        """Whether output is still arriving."""
        before = len(self.raw)
        self.take_in(0.15)
        return len(self.raw) > before

    @property
    def prompt(self) -> str:
        """The line of the cursor."""
        return self.lines[self.screen.cursor.y]

    # ---------------------------------------------------------------------------------------------- input
    def type(self, line: str, *then: str) -> None:
        """Type a line and wait for one of the texts, by default the next prompt."""
        self.screen.reset()
        self.process.send(line + "\r")
        self.wait_for(*then or ("> ",))

    def press(self, keys: str) -> None:
        self.process.send(keys)

    def resize(self, columns: int, lines: int) -> None:
        self.screen.resize(lines, columns)
        self.screen.reset()
        self.process.setwinsize(lines, columns)

    def finish(self, key: str = "") -> int:
        """Wait for the process to end, pressing a key repeatedly; return the exit code, or minus the signal.

        A signal that arrives between the prompt and the read is handled only at the next key.
        """
        deadline = time.monotonic() + PATIENCE
        pressed = -inf
        while self.take_in(0.2):
            assert time.monotonic() < deadline, self.text
            if key and time.monotonic() > pressed + AGAIN:
                self.press(key)
                pressed = time.monotonic()
        self.process.close()
        if self.process.signalstatus is not None:
            return -int(self.process.signalstatus)
        return int(self.process.exitstatus)


@contextmanager
def open_terminal(
    *arguments: str, matches: Path, size: tuple[int, int] = (80, 24), bot: str = "random", **environment: str
) -> Iterator[Terminal]:
    """Run a command on a terminal. The bot is fixed, because the default one has a time limit and is not
    reproducible."""
    named = ["--bot", bot] if arguments[0] == "play" and bot else []
    terminal = Terminal([*arguments, *named], *size, matches, **environment)
    try:
        yield terminal
    finally:
        terminal.process.close(force=True)


def interrupt(process: pexpect.spawn[str], answer: str) -> None:
    """Press Ctrl-C until a command answers.

    A signal that arrives between the prompt and the read is handled only at the next key.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        process.sendintr()
        if process.expect([answer, pexpect.TIMEOUT], timeout=AGAIN) == 0:
            return
        assert time.monotonic() < deadline, f"no answer to Ctrl-C: {process.before}"

"""Terminal input and output: a full screen that is redrawn each time, or a stream of plain lines.

In: tables, texts, prompts. Out: terminal output, and the lines typed. End of input, such as Ctrl-D, leaves the match.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from rich.text import Text

from hoyle.base.errors import HoyleError
from hoyle.front.terminal.keys import Line
from hoyle.front.terminal.pen import Pen, fold
from hoyle.front.terminal.plain_lines import list_facts
from hoyle.front.terminal.screen import Size, arrange, draw_table, fold_text, has_room, measure_menu
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Table

SMALLEST = Size(30, 10)
MOST_PLAIN_LINES = 60
KEY = "aa"  # placeholder for measuring: the widest key
Completer = Callable[[str, bool], Sequence[str]]  # takes a word, and whether it is the first of its line


class Left(HoyleError):  # noqa: N818 - the user's wish, not an error
    """The user leaves the match."""


class LeftForAnother(Left):
    """The user leaves the match for a new one at the same table."""


class Surface(Protocol):
    """The output and input that a session needs. `tells_all`: output is a stream of lines and is never redrawn."""

    tells_all: bool

    def limit_menu(self, table: Table, speaker: Speaker) -> Callable[[Sequence[str]], bool]:
        """Return a predicate that tells whether a menu of these texts fits beside the table."""
        ...

    def show_table(self, table: Table, lines: Sequence[Line], notes: Sequence[Text], speaker: Speaker) -> None: ...
    def show_pages(self, title: str, lines: Sequence[Text], speaker: Speaker) -> None: ...
    def say(self, *lines: Text | str) -> None: ...
    def read(self, prompt: str, complete: Completer | None = None) -> str: ...
    def hide(self, text: str, prompt: str) -> None: ...


class Stream:
    """Plain lines, one fact per line, for pipes and screen readers."""

    tells_all = True

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self._shown: Table | None = None

    def limit_menu(self, table: Table, speaker: Speaker) -> Callable[[Sequence[str]], bool]:
        return lambda texts: len(texts) <= MOST_PLAIN_LINES

    def show_table(self, table: Table, lines: Sequence[Line], notes: Sequence[Text], speaker: Speaker) -> None:
        """Print the news, the table and the menu; only the notes if the table has not changed since it was printed."""
        for note in notes:
            self.say(note)
        if table == self._shown and notes:
            return
        if table != self._shown:
            self.say(*(self.pen.plain(news.text) for news in table.news))
        self._shown = table
        self.say(*map(self.pen.plain, list_facts(table, speaker)))
        self.say(*(self.pen.plain(f"{line.key}: {line.text}") for line in lines))

    def show_pages(self, title: str, lines: Sequence[Text], speaker: Speaker) -> None:
        self.say(title, *lines)

    def say(self, *lines: Text | str) -> None:
        for line in lines:
            print(self.pen.plain(line.plain if isinstance(line, Text) else line))
        sys.stdout.flush()

    def read(self, prompt: str, complete: Completer | None = None) -> str:
        return read_line(self.pen.plain(prompt), complete)

    def hide(self, text: str, prompt: str) -> None:
        self.say(text)
        self.read(prompt)


def _read_size(name: str) -> int:
    """Read a size from an environment variable; 0 if it is invalid."""
    said = os.environ.get(name, "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < len("10000") else 0


class Screen:
    """A full screen, redrawn for every prompt and whenever its size changes."""

    tells_all = False

    def __init__(self, pen: Pen, *, colour: bool) -> None:
        from rich.console import Console  # a stream does without it

        self.pen = pen
        self.console = Console(
            file=sys.stdout, force_terminal=True, color_system="auto" if colour else None, highlight=False, markup=False
        )
        self._again: Callable[[], None] | None = None
        self._prompt = ""

    # ---------------------------------------------------------------------------------------------- the terminal
    @contextlib.contextmanager
    def open(self) -> Iterator[Screen]:
        """Switch to the alternate screen, and restore the terminal afterwards."""
        before: Any = None
        if hasattr(signal, "SIGWINCH"):
            with contextlib.suppress(ValueError):  # handlers can only be set in the main thread
                before = signal.signal(signal.SIGWINCH, lambda *_: self._resized())
        self._write("\x1b[?1049h\x1b[H\x1b[2J")
        try:
            yield self
        finally:
            self._again = None
            self._write("\x1b[?1049l")
            if before is not None:
                signal.signal(signal.SIGWINCH, before)

    def measure(self) -> Size:
        """Return the size of the terminal; environment variables are a fallback."""
        try:
            found = os.get_terminal_size(sys.stdout.fileno())
            width, height = found.columns, found.lines
        except (OSError, ValueError):
            width = height = 0
        width = width or _read_size("COLUMNS") or 80
        height = height or _read_size("LINES") or 24
        return Size(max(width, SMALLEST.width), max(height, SMALLEST.height))

    def _resized(self) -> None:
        if self._again is not None:
            self._again()
            if self._prompt:
                self._write(self._prompt)
                with contextlib.suppress(ImportError):
                    import readline

                    self._write(readline.get_line_buffer())
                    readline.redisplay()

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def _draw(self, lines: Sequence[Text], size: Size) -> None:
        with self.console.capture() as captured:
            for line in lines:
                self.console.print(line, no_wrap=True, overflow="crop", crop=True, width=size.width)
        self._write("\x1b[H\x1b[2J" + captured.get())

    # ---------------------------------------------------------------------------------------------- output
    def limit_menu(self, table: Table, speaker: Speaker) -> Callable[[Sequence[str]], bool]:
        size = self.measure()
        room = measure_menu(table, self.pen, speaker, size)
        return lambda texts: len(arrange([Text(f" {KEY} {text}") for text in texts], size.width)) <= room

    def show_table(self, table: Table, lines: Sequence[Line], notes: Sequence[Text], speaker: Speaker) -> None:
        if not has_room(table, lines, notes, self.pen, speaker, self.measure()):
            self.show_pages(table.title, notes, speaker)
            notes = []

        def draw() -> None:
            size = self.measure()
            self._draw(draw_table(table, lines, notes, self.pen, speaker, size), size)

        self._again = draw
        draw()

    def show_pages(self, title: str, lines: Sequence[Text], speaker: Speaker) -> None:
        """Show lines page by page; Enter shows the next page, any other input returns."""
        at = 0
        while True:
            size = self.measure()
            folded = [part for line in lines for part in fold_text(line, size.width - 2)]
            room = max(1, size.height - 3)
            page = folded[at : at + room]
            head = self.pen.text(f" {title} ".ljust(size.width), "reverse")
            self._draw([head, *(Text(" ") + line for line in page)], size)
            at += room
            more = at < len(folded)
            if self.read(speaker.say("page_more" if more else "page_end")) or not more:
                return

    def say(self, *lines: Text | str) -> None:
        size = self.measure()
        for line in lines:
            text = line if isinstance(line, Text) else self.pen.text(line)
            for part in fold_text(text, size.width - 1):
                self.console.print(part, no_wrap=True, overflow="crop", crop=True, width=size.width)

    def hide(self, text: str, prompt: str) -> None:
        """Clear the screen and the scrollback, and show a text until the next player has taken the seat."""

        def draw() -> None:
            size = self.measure()
            padding = [Text()] * max(0, size.height // 2 - 1)
            middle = self.pen.text(text, "bold")
            self._draw([*padding, Text(" " * max(0, (size.width - len(middle)) // 2)) + middle, Text()], size)

        self._again = draw
        self._write("\x1b[H\x1b[2J\x1b[3J")
        draw()
        self.read(prompt)

    def read(self, prompt: str, complete: Completer | None = None) -> str:
        self._prompt = self.pen.plain(prompt)
        try:
            return read_line(self._prompt, complete)
        finally:
            self._prompt = ""


# ------------------------------------------------------------------------------------------------ line input
def read_line(prompt: str, complete: Completer | None = None) -> str:
    """Read a line and strip it; print the prompt only on a terminal. Raises `Left` at the end of input."""
    if sys.stdin is None:
        raise Left
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        line = sys.stdin.readline()
        if not line:
            raise Left
        return line.strip()
    with contextlib.suppress(ImportError):
        _complete_by(complete)
    try:
        return input(prompt).strip()
    except EOFError:
        raise Left from None


def is_yes(said: str, yes: str, *, default: bool) -> bool:
    """Whether an answer is yes, in the language of the table or in English; empty means the default."""
    return fold(said)[:1] in (yes, "y") if said else default


def _complete_by(complete: Completer | None) -> None:
    """Bind Tab to word completion, if readline is available."""
    import readline

    def find(text: str, state: int) -> str | None:
        found = complete(text, readline.get_begidx() == 0) if complete is not None else ()
        return found[state] if state < len(found) else None

    readline.set_completer(find)
    readline.set_completer_delims(" \t,+")
    bound = "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
    readline.parse_and_bind(bound)

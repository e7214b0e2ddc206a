"""What is shown while many games are played and after, and how they are interrupted.

In: how many there are to play. Out: a bar on the terminal; a question whether Ctrl-C was pressed; how to play faster.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType

import click

from hoyle import cli
from hoyle.engine.native.compiler import HOW_TO_HAVE_ONE, NO_COMPILER, find_compiler

REDRAWN = 0.05  # seconds
LONG = 5.0  # seconds
SAME_PRESS = 2.0  # seconds in which pressing a key again means the same


class Interruption:
    """A question that is answered yes once Ctrl-C was pressed.

    Pressed again at once, it means the same. Pressed again later it raises what it always does, but only while
    something is being played that does not ask, such as a bot that thinks for long: what was played until then is to
    be summed up and shown, however often it is pressed.
    """

    def __init__(self) -> None:
        self._pressed: float | None = None
        self._may_raise = False

    def __call__(self) -> bool:
        return self._pressed is not None

    def note(self, _signal: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        is_first = self._pressed is None
        if is_first or now - (self._pressed or 0) > SAME_PRESS:
            self._pressed = now
            if self._may_raise and not is_first:
                raise KeyboardInterrupt

    @contextlib.contextmanager
    def breaking_off(self) -> Iterator[None]:
        """While this lasts, what is played can be broken off by pressing it again."""
        self._may_raise = True
        try:
            yield
        finally:
            self._may_raise = False


@contextlib.contextmanager
def interruptible() -> Iterator[Interruption]:
    """What notes that Ctrl-C is pressed, for as long as there is something to show of what was done. Pressed again
    after that, if the command has the process to itself, it ends it at once, and nothing more is said."""
    interruption = Interruption()
    before = signal.signal(signal.SIGINT, interruption.note)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if interruption() and cli.has_process else before)


@contextlib.contextmanager
def progress_bar(games: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on stderr when it is a terminal; nothing elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:,.0f} games/s")

    columns = (BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=games)
        drawn, owed = time.monotonic(), 0

        def advance(played: int) -> None:
            # Games can be shorter than the time it takes to move the bar.
            nonlocal drawn, owed
            owed += played
            if time.monotonic() - drawn > REDRAWN:
                bar.advance(task, owed)
                drawn, owed = time.monotonic(), 0

        yield advance
        bar.advance(task, owed)


def tell_how_to_play_faster(seconds: float) -> None:
    """Where playing took long and there is nothing to make native code with, say so in a line."""
    if seconds > LONG and find_compiler() is None:
        click.echo(f"{NO_COMPILER}: {HOW_TO_HAVE_ONE}", err=True)

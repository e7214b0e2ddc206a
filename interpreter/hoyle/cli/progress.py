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

from hoyle.engine.native.compiler import HOW_TO_HAVE_ONE, NO_COMPILER, find_compiler

REDRAWN = 0.05  # seconds
LONG = 5.0  # seconds


@contextlib.contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """A question that is answered yes once Ctrl-C was pressed; pressed again, it interrupts as ever."""
    pressed = False

    def note(_signal: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


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

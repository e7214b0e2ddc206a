"""Progress bars and interruption of simulations.

In: the number of games. Out: a progress bar on the terminal; a predicate that tells whether Ctrl-C was pressed; a hint
how to play faster.
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

REDRAWN = 0.05  # seconds between updates of the bar
LONG = 5.0  # seconds of play after which the hint is shown
SAME_PRESS = 2.0  # seconds within which repeated Ctrl-C counts as one


class Interruption:
    """A predicate that becomes true once Ctrl-C is pressed.

    Pressing it again at once changes nothing. Pressing it again later raises `KeyboardInterrupt`, but only within
    `breaking_off`, where code runs that does not poll the predicate, such as a bot that thinks for long. Outside, the
    results so far are summed up and shown, and no number of presses may prevent that.
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
        """Within the context, another Ctrl-C raises `KeyboardInterrupt`."""
        self._may_raise = True
        try:
            yield
        finally:
            self._may_raise = False


@contextlib.contextmanager
def interruptible() -> Iterator[Interruption]:
    """Record Ctrl-C within the context instead of raising. Afterwards, if it was pressed and the process runs only this
    command, another Ctrl-C kills the process silently."""
    interruption = Interruption()
    before = signal.signal(signal.SIGINT, interruption.note)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if interruption() and cli.has_process else before)


@contextlib.contextmanager
def progress_bar(games: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar with rate and remaining time on stderr, if that is a terminal."""
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
            # A game can take less time than an update of the bar.
            nonlocal drawn, owed
            owed += played
            if time.monotonic() - drawn > REDRAWN:
                bar.advance(task, owed)
                drawn, owed = time.monotonic(), 0

        yield advance
        bar.advance(task, owed)


def tell_how_to_play_faster(seconds: float) -> None:
    """After a long simulation without a C compiler, print a hint that native code would be faster."""
    if seconds > LONG and find_compiler() is None:
        click.echo(f"{NO_COMPILER}: {HOW_TO_HAVE_ONE}", err=True)

"""Progress bars and interruption of simulations.

In: the number of games. Out: a progress bar on the terminal; a predicate that tells whether Ctrl-C was pressed; a hint
how to play faster.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Protocol

import click

from hoyle.front import cli
from hoyle.play.codegen.unsupported import failures
from hoyle.play.engine.native.compiler import HOW_TO_HAVE_ONE, NO_COMPILER, find_compiler

REDRAWN = 0.05  # seconds between updates of the bar
FAST = 10.0  # games a second from which tenths do not matter
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


class Advance(Protocol):
    """Told of games that have ended, and of decisions made."""

    def __call__(self, played: int, decisions: int = 0) -> None: ...


@contextlib.contextmanager
def progress_bar(games: int) -> Iterator[Advance]:
    """Show a progress bar on stderr, if that is a terminal, with rate, remaining time, and decisions so far: the first
    game may be a long one."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda played, decisions=0: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            decisions = f", {task.fields['decisions']:,} decisions" if task.fields["decisions"] else ""
            return Text(f"{task.speed or 0:,.{0 if (task.speed or 0) >= FAST else 1}f} games/s{decisions}")

    columns = (BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=games, decisions=0)
        drawn, owed, made = time.monotonic(), 0, 0

        def advance(played: int, decisions: int = 0) -> None:
            # A game, and still more a decision, can take less time than an update of the bar.
            nonlocal drawn, owed, made
            owed, made = owed + played, made + decisions
            if time.monotonic() - drawn > REDRAWN:
                bar.update(task, advance=owed, decisions=made)
                drawn, owed = time.monotonic(), 0

        yield advance
        bar.update(task, advance=owed, decisions=made)


def tell_of_failures() -> None:
    """Print, once, what generators of code failed at, so that another executor played."""
    while failures:
        what, said = failures.popitem()
        click.echo(f"played by the next executor, which is slower: no {what} is written for {said}", err=True)


def tell_how_to_play_faster(seconds: float) -> None:
    """After a long simulation without a C compiler, print a hint that native code would be faster."""
    if seconds > LONG and find_compiler() is None:
        click.echo(f"{NO_COMPILER}: {HOW_TO_HAVE_ONE}", err=True)

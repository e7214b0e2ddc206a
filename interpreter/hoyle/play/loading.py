"""Loads games: from a name or a path to a `Game`.

In: the name of a shipped game or the path of a file, players and options. Out: a `Game`, or a `RuleFileError`. What is
needed is imported late: this module is loaded by every command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.base.errors import HoyleError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from hoyle.base.diagnostics.report import Report
    from hoyle.play.engine.executors import ExecutorName
    from hoyle.play.engine.game import Game


class RuleFileError(HoyleError):
    """A game could not be loaded; `report` has the diagnostics, and the message shows them."""

    __module__ = "hoyle"  # as users know it

    def __init__(self, report: Report) -> None:
        from hoyle.base.diagnostics.render import render_text

        super().__init__(render_text(report.ordered()))
        self.report = report

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle support: an exception that cannot be unpickled would break a process pool."""
        return RuleFileError, (self.report,)


def games() -> list[str]:
    """The names of the shipped games and variants."""
    from hoyle.base.shipped import all_games, game_name

    return [game_name(path) for path in all_games()]


def load(
    name_or_path: str | Path,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    *,
    executor: ExecutorName = "auto",
) -> Game:
    """Load a game by shipped name or by path, for a number of players and with options set. `executor` selects what
    plays without a table: the reference interpreter ("reference"), which defines the semantics, generated Python
    ("python"), native code ("native"), or each of these from when it pays ("auto").

    >>> load("no such game")
    Traceback (most recent call last):
    hoyle.RuleFileError: error[unreadable-file]: ...
    """
    from hoyle.language.library import find_program
    from hoyle.play.engine.game import Game

    program, report = find_program(name_or_path, players, options)
    if program is None:
        raise RuleFileError(report)
    return Game(program, executor=executor)

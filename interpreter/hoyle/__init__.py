"""Hoyle: card games as files.

>>> import hoyle
>>> game = hoyle.load(hoyle.games()[0])
>>> match = game.new(seed=7)
>>> while not match.is_over:
...     match.apply(match.decision.actions[-1])
>>> len(match.scores) == game.players, match.winners != []
(True, True)
"""

TYPE_CHECKING = False  # nothing is imported here, not even `typing`, so that the command `hoyle` starts fast
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from hoyle.diagnostics.report import Report
    from hoyle.engine.actions import Action
    from hoyle.engine.executors import ExecutorName
    from hoyle.engine.faults import Fault
    from hoyle.engine.game import Decision, Game, IllegalAction, Match

__version__ = "0.1.0"

__all__ = ["Action", "Decision", "Fault", "Game", "IllegalAction", "Match", "RuleFileError", "games", "load"]


# Imported lazily, on first access: most commands need only some of these.
_HOMES = {
    "Action": "hoyle.engine.actions",
    "Fault": "hoyle.engine.faults",
    **dict.fromkeys(("Decision", "Game", "IllegalAction", "Match"), "hoyle.engine.game"),
}


def __getattr__(name: str) -> "object":
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES} - {"TYPE_CHECKING", "_HOMES"})


class RuleFileError(Exception):
    """A game could not be loaded; `report` has the diagnostics, and the message shows them."""

    def __init__(self, report: "Report") -> None:
        from hoyle.diagnostics.render import render_text

        super().__init__(render_text(report.ordered()))
        self.report = report

    def __reduce__(self) -> "tuple[object, ...]":
        """Pickle support: an exception that cannot be unpickled would break a process pool."""
        return RuleFileError, (self.report,)


def games() -> list[str]:
    """The names of the shipped games and variants."""
    from hoyle.shipped import all_games, game_name

    return [game_name(path) for path in all_games()]


def load(
    name_or_path: "str | Path",
    players: int | None = None,
    options: "dict[str, Any] | None" = None,
    *,
    executor: "ExecutorName" = "auto",
) -> "Game":
    """Load a game by shipped name or by path, for a number of players and with options set. `executor` selects what
    runs it: generated Python ("python"), native code ("native"), Python until compiling native code pays off ("auto"),
    or the reference interpreter ("reference"), which is slower and defines the semantics.

    >>> load("no such game")
    Traceback (most recent call last):
    hoyle.RuleFileError: error[unreadable-file]: ...
    """
    from hoyle.engine.game import Game
    from hoyle.programs import find_program

    program, report = find_program(name_or_path, players, options)
    if program is None:
        raise RuleFileError(report)
    return Game(program, executor=executor)

"""Hoyle: card games as files.

>>> import hoyle
>>> game = hoyle.load(hoyle.games()[0])
>>> match = game.new(seed=7)
>>> while not match.is_over:
...     match.apply(match.decision.actions[-1])
>>> len(match.scores) == game.players, match.winners != []
(True, True)
"""

TYPE_CHECKING = False  # nothing is imported here, not even annotations: the command `hoyle` begins at once
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


# Loaded when they are first asked for: most commands need only a part of what there is.
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
    return sorted({*globals(), *_HOMES})


class RuleFileError(Exception):
    """A game could not be loaded; `report` holds the diagnostics, the text of the error shows them."""

    def __init__(self, report: "Report") -> None:
        from hoyle.diagnostics.render import render_text

        super().__init__(render_text(report.ordered()))
        self.report = report

    def __reduce__(self) -> "tuple[object, ...]":
        """What another process makes the same error from: one that cannot be made again would stop a pool of them."""
        return RuleFileError, (self.report,)


def games() -> list[str]:
    """The names of the games and variants that come with Hoyle."""
    from hoyle.shipped import all_games, game_name

    return [game_name(path) for path in all_games()]


def load(
    name_or_path: "str | Path",
    players: int | None = None,
    options: "dict[str, Any] | None" = None,
    *,
    executor: "ExecutorName" = "auto",
) -> "Game":
    """A game by the name of a shipped one or by its file, for a number of players and with options set. What
    plays it is code generated from its rules, which is Python ("python"), native code ("native"), or Python until
    native code pays ("auto"), or the reference ("reference"), which is slower and defines what is right.

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

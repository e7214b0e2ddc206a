"""Compiles a rule file for the players and options of examples, once for each combination.

In: a rule file; players and options of an example. Out: a `Table`, or diagnostics located at the example.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hoyle.authoring.testing.example_files import Example
from hoyle.authoring.testing.first_choices import Chooser, FirstChoices
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic, Report, did_you_mean
from hoyle.base.effort import bounded, charge
from hoyle.language.compile import read_game
from hoyle.language.declare.declarations import Declarations, OptionDecl
from hoyle.language.document.nodes import Mapping, Scalar
from hoyle.language.specialise import MOST_WORK, Specialised, specialise
from hoyle.play.engine.game import Game
from hoyle.program.model.events import Event
from hoyle.program.model.position import Position


@dataclass(frozen=True, slots=True)
class Table:
    """A compiled game under test: `rules` to compile expressions, `game` to play. `reached` caches the way to a step,
    since many examples start alike; `chooser` caches choices on the way, since tables are similar. Both are None when
    coverage is measured, because every clause must then be executed."""

    rules: Specialised
    game: Game
    reached: dict[tuple[str, int | None], Reached] | None = None
    chooser: Chooser | None = None


class Reached(NamedTuple):
    """A cached run from `begun` to a step: the position reached and the events on the way."""

    begun: Position
    position: Position
    events: tuple[Event, ...]


def _make_game(rules: Specialised) -> Game:
    """Create a game with the reference executor: it counts steps, and generating code would not pay for examples."""
    return Game(rules.program, executor="reference")


def _is_default(option: OptionDecl, text: str) -> bool:
    """Whether an option is set to its default, so that it needs no table of its own."""
    plain = text in (*option.values, "true", "false", "none") or text.isdecimal()
    return plain and option.default.span.text == text


class Tables:
    """The tables of one rule file; `make` creates the game of a table."""

    def __init__(self, path: Path, make: Callable[[Specialised], Game] | None = None) -> None:
        self.report = Report()
        self.make = make or _make_game
        self.declared: Declarations | None = read_game(path, self.report)
        self._first_choices = FirstChoices()
        self._made: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[Table | None, list[Diagnostic]]] = {}

    def find(self, example: Example, report: Report) -> Table | None:
        """Return the table of an example; None after reporting the reason."""
        declared = self.declared
        assert declared is not None
        players = self._count_players(declared, example, report)
        options = self._read_options(declared, example, report)
        if report.failed:
            return None
        options = {name: text for name, text in options.items() if not _is_default(declared.options[name], text)}
        key = (players, tuple(sorted(options.items())))
        if key not in self._made:
            own = Report()
            with bounded(MOST_WORK, apart=True) as effort:  # an exceeded limit is reported for this table alone
                rules = specialise(declared, players, dict(options), own)
            charge(MOST_WORK - effort.left)
            table = None if rules is None else self._make_table(rules)
            self._made[key] = (table, [found for found in own.ordered() if found.severity == "error"])
        table, found = self._made[key]
        if table is None:
            self._report_refusal(example, found, report)
        return table

    def _make_table(self, rules: Specialised) -> Table:
        if self.make is not _make_game:
            return Table(rules, self.make(rules))
        return Table(rules, self.make(rules), {}, Chooser(self._first_choices, rules.program))

    def _count_players(self, declared: Declarations, example: Example, report: Report) -> int:
        node = example.get("players")
        if not isinstance(node, Scalar) or not isinstance(node.value, int):
            return declared.usual[0]
        low, high = declared.allowed
        if not low <= node.value <= high:
            report.error("player-count", declared.refuse_players(node.value), node.span)
        return node.value

    def _read_options(self, declared: Declarations, example: Example, report: Report) -> dict[str, str]:
        """Read the options of the file's defaults and of the example, which takes precedence."""
        options: dict[str, str] = {}
        for holder in (example.defaults, example.node):
            node = holder.get("options") if holder is not None else None
            for entry in node if isinstance(node, Mapping) else ():
                if entry.name not in declared.options:
                    report.error(
                        "unknown-option",
                        f"the game has no option `{entry.name}`",
                        entry.key.span,
                        hint=did_you_mean(entry.name, declared.options),
                    )
                elif isinstance(entry.value, Scalar):
                    options[entry.name] = entry.value.text
        return options

    def _report_refusal(self, example: Example, found: list[Diagnostic], report: Report) -> None:
        """Report why the game does not compile with these options, located at the option in the example if possible."""
        for diagnostic in found:
            place = example.span
            node = example.get("options")
            if diagnostic.code == "bad-option-value" and isinstance(node, Mapping):
                named = (entry for entry in node if f"`{entry.name}`" in diagnostic.message)
                place = next((entry.value.span for entry in named), node.span)
            label = "" if diagnostic.primary is None else diagnostic.primary.text
            report.error(diagnostic.code, diagnostic.message, place, label, hint=diagnostic.hints)

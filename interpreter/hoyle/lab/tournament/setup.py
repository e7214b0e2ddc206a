"""Prepares a format for a game: compiles the game for a table, and the format's expressions against it.

In: a format, a rule file, the number of seats at a table. Out: `Setup`, or diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Span
from hoyle.lab.tournament.format import Format
from hoyle.language.compile import read_game
from hoyle.language.queries import Query, read_expression
from hoyle.language.specialise import Specialised, specialise
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.game import Game
from hoyle.program.ir.types import NUMBER, SEAT, TRUTH, Type, certain
from hoyle.program.model.position import Position


@dataclass(frozen=True, slots=True)
class Setup:
    """A compiled game and format. `ranks[card]` is the rank of a card in a tie-break; empty if the format has none.
    `larger` is the same for a table of one side more, where tables are of unequal size."""

    format: Format
    game: Game
    stop: Query | None
    award: Query | None
    ranks: tuple[int, ...]
    larger: Setup | None = None

    def at(self, sides: int) -> Setup:
        """The setup of a table for so many sides."""
        return self.larger if self.larger is not None and self.larger.sides == sides else self

    @property
    def sides(self) -> int:
        """Number of sides (players or teams) at a table."""
        return len(set(self.game.program.teams))

    def place(self, side: int, part: int = 0) -> int:
        """The seat of a side of the table, of its first player or of another."""
        return [seat for seat, team in enumerate(self.game.program.teams) if team == side][part]

    def name_seats(self, names: Mapping[int, str], sides: Sequence[int], player: str = "player {number}") -> list[str]:
        """Name all seats of a table at which these sides sit: those in the first seats of sides by `names`, others by
        the number of their sides, as a `player`."""
        teams = self.game.program.teams
        called: list[str] = []
        for seat, team in enumerate(teams):
            part, name = teams[:seat].count(team), names.get(sides[team])
            alone = teams.count(team) == 1
            number = f"{sides[team] + 1}{'' if alone else 'abcdefgh'[part % 8]}"
            called.append(name if name is not None and part == 0 else player.format(number=number))
        return called

    def stops(self, executor: ReferenceExecutor, position: Position) -> bool:
        """Whether the position of a table satisfies the stop condition for all tables."""
        return self.stop is not None and bool(_evaluate(executor, self.stop, position))

    def list_awarded(self, executor: ReferenceExecutor, position: Position) -> list[int]:
        """List the sides of a table that qualify for the award, before ties are broken."""
        if self.award is not None:
            seats: Any = _evaluate(executor, self.award, position) or ()
        else:
            seats = executor.list_winners(position) if position.over else ()
        teams = self.game.program.teams
        return list(dict.fromkeys(teams[seat] for seat in (seats if isinstance(seats, tuple) else (seats,))))


def set_up(form: Format, path: Path, seats: int, options: dict[str, Any], report: Report) -> Setup | None:
    """Compile the game for a table and the format's expressions; None after reporting errors."""
    declared = read_game(path, report)
    if declared is None:
        return None
    if not declared.allowed[0] <= seats <= declared.allowed[1]:
        place = declared.players_line.span if declared.players_line else None
        report.error("player-count", declared.refuse_players(seats), place)
        return None
    rules = specialise(declared, seats, {**form.options, **options}, report)
    if rules is None:
        return None
    stop = _read(rules, form.stop, (TRUTH,), "whether all tables stop", report)
    award = _read(rules, form.award_to, (SEAT, Type("list", "", SEAT)), "who is awarded", report)
    rank = _read(rules, form.cut_rank, (NUMBER,), "what a card counts in a cut", report, card=True)
    game = Game(rules.program)
    if form.then == "round_robin" and len(set(rules.program.teams)) != 2:
        report.error(
            "format-sides",
            f"a round robin pairs two sides at a table, and here there are {len(set(rules.program.teams))}",
            form.seating_at,
            hint="let two sit at a table, or two pairs",
        )
    if report.failed:
        return None
    ranks = tuple(_rank(game, rank, card) for card in range(len(rules.program.cards))) if rank else ()
    return Setup(form, game, stop, award, ranks)


def _read(
    rules: Specialised, span: Span | None, wanted: tuple[Type, ...], what: str, report: Report, *, card: bool = False
) -> Query | None:
    if span is None:
        return None
    query = read_expression(rules, span, report, card=card)
    if query is not None and certain(query.expr.type) not in wanted:
        said = " or ".join(str(kind) for kind in wanted)
        report.error("wrong-type", f"{what} must be {said}; this is {query.expr.type}", span)
    return query


def _evaluate(executor: ReferenceExecutor, query: Query, position: Position, first: Any = None) -> Any:
    return executor.evaluator.evaluate(query.expr, position, [first, *[None] * query.frame])


def _rank(game: Game, query: Query, card: int) -> int:
    return int(_evaluate(game.executor, query, game.executor.start(0), card) or 0)

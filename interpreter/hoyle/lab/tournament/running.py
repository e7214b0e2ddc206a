"""Runs a tournament.

In: a `Setup` and a `Plan`. Out: an `Outcome`, deterministic for a given plan.

The tables take turns, in a fixed order, making one decision each. As soon as the stop condition holds at one table,
play stops at all of them. A table whose game is over waits for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from hoyle.base.dataclass import dataclass
from hoyle.lab.tournament.bot_table import Table
from hoyle.lab.tournament.cutting import Cut, cut_among, lift_from_seed
from hoyle.lab.tournament.seating import Seating, move_awarded, pair_equals, pair_everybody, seat_first, share_out
from hoyle.lab.tournament.setup import Setup
from hoyle.lab.tournament.standings import Standing, rank_sides
from hoyle.program.model.chance import derive_seed
from hoyle.program.model.position import Position

# Sub-seed paths, one for each kind of random event.
LOT, GAME, TABLE_CUT, LAST_CUT = range(4)


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a tournament. `games` None means as many as a round robin needs; `tie` overrides the format's
    rule for ties at a table. `entrants` are the sides that take part, if tables are not all of the setup's size;
    `names` those of the first of them, who are people."""

    tables: int
    games: int | None
    seed: int = 0
    bot: str = "random"
    errors: float = 0.0
    tie: str = ""
    entrants: int = 0
    names: tuple[str, ...] = ()


class Played(Protocol):
    """A table at which a game was played."""

    @property
    def position(self) -> Position: ...

    @property
    def is_over(self) -> bool: ...


class Playing(Played, Protocol):
    """A table at which a game is played, decision by decision."""

    def decide(self) -> None: ...


# Opens a table for a game, its setup, who sits there, and its seed; None leaves it to bots.
OpenTable = Callable[[int, Setup, tuple[int, ...], int], Playing | None]


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of a game at a table: the sides, those tied for the award, those awarded, the tie-break if any, the
    side that moves on, the number of decisions, and whether the game ended by itself."""

    sides: tuple[int, ...]
    equal: tuple[int, ...]
    awarded: tuple[int, ...]
    cut: Cut | None
    mover: int | None
    decisions: int
    over: bool


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of the tournament at all tables; `stopped_by` is the table that stopped it for all."""

    tables: tuple[TableResult, ...]
    stopped_by: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a tournament; `standings` are sorted best first."""

    setup: Setup
    plan: Plan
    games: tuple[GameResult, ...]
    standings: tuple[Standing, ...]
    last_cut: Cut | None


@dataclass(slots=True)
class Course:
    """A tournament on its way: what follows from the games played so far."""

    setup: Setup
    plan: Plan
    games: list[GameResult] = field(default_factory=list)

    @property
    def number(self) -> int:
        """How many games are played; without a number, as many as a round robin needs."""
        return self.plan.games if self.plan.games is not None else max(1, sum(self.sizes) - 1)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many sides sit at each table."""
        return share_out(self.plan.entrants or self.setup.sides * self.plan.tables, self.plan.tables)

    @property
    def points(self) -> list[int]:
        points = [0] * sum(self.sizes)
        for table in (table for game in self.games for table in game.tables):
            for side in table.awarded:
                points[side] += _worth(self.setup, self.plan, len(table.awarded))
        return points

    @property
    def met(self) -> list[set[int]]:
        met: list[set[int]] = [set() for _ in range(sum(self.sizes))]
        for table in (table for game in self.games for table in game.tables):
            for side in table.sides:
                met[side].update(other for other in table.sides if other != side)
        return met

    def seat(self) -> Seating:
        """Who sits where in the next game."""
        then = self.setup.format.then
        if then == "round_robin":
            return pair_everybody(sum(self.sizes), len(self.games))
        if not self.games:
            return seat_first(self.sizes, self.setup.format.first == "by_lot", derive_seed(self.plan.seed, LOT))
        last = tuple(table.sides for table in self.games[-1].tables)
        if then == "stay":
            return last
        if then == "swiss":
            pairs = {frozenset((side, other)) for side, others in enumerate(self.met) for other in others}
            return pair_equals(self.points, pairs, [len(table) for table in last])
        movers = {table: result.mover for table, result in enumerate(self.games[-1].tables)}
        return move_awarded(last, {table: mover for table, mover in movers.items() if mover is not None})

    def settle(self, seating: Seating, tables: Sequence[Played], stopped: int | None) -> GameResult:
        """Note the game that was played at these tables, until one of them stopped it for all."""
        index = len(self.games)
        results = tuple(
            settle(self.setup.at(len(sides)), self.plan, sides, tables[number],
                   _cutter(self.setup, self.plan, TABLE_CUT, index, number))
            for number, sides in enumerate(seating)
        )  # fmt: skip
        self.games.append(GameResult(results, stopped))
        return self.games[-1]

    def rank(self) -> tuple[tuple[Standing, ...], Cut | None]:
        """The standings by the games so far; a tie for the first place is cut for after the last one."""
        ties = self.setup.format.ties
        cuts = ties if len(self.games) == self.number else tuple(each for each in ties if each != "cut")
        return rank_sides(self.points, self.met, cuts, _cutter(self.setup, self.plan, LAST_CUT))

    def finish(self) -> Outcome:
        return Outcome(self.setup, self.plan, tuple(self.games), *self.rank())


def run_tournament(
    setup: Setup,
    plan: Plan,
    told: Callable[[int, GameResult, list[int]], None] = lambda *_: None,
    open_table: OpenTable = lambda *_: None,
) -> Outcome:
    """Run a tournament; `told` is called after every game with its 1-based number, its result and the points so far.
    `open_table` opens the tables at which people sit."""
    course = Course(setup, plan)
    for number in range(1, course.number + 1):
        result = _play(course, open_table)
        told(number, result, course.points)
    return course.finish()


def _worth(setup: Setup, plan: Plan, awarded: int) -> int:
    shared = (plan.tie or setup.format.tie) == "shared" and awarded > 1
    return setup.format.shared if shared else setup.format.points


def _cutter(setup: Setup, plan: Plan, *path: int) -> Callable[[list[int]], Cut]:
    def cut(equal: list[int]) -> Cut:
        lift = lift_from_seed(derive_seed(plan.seed, *path), len(setup.ranks))
        return cut_among(equal, setup.ranks, setup.format.cut_best, lift)

    return cut


def _play(course: Course, open_table: OpenTable) -> GameResult:
    """Play one game at all tables."""
    plan, seating, index = course.plan, course.seat(), len(course.games)
    setups = [course.setup.at(len(sides)) for sides in seating]
    tables: list[Playing] = []
    for number, (at_table, sides) in enumerate(zip(setups, seating, strict=True)):
        seed = derive_seed(plan.seed, GAME, index, number)
        opened = open_table(number, at_table, sides, seed)
        tables.append(opened or Table(at_table.game, plan.bot, seed, plan.errors))

    def stops(number: int) -> bool:
        return setups[number].stops(setups[number].game.executor, tables[number].position)

    stopped = next((number for number in range(len(tables)) if stops(number)), None)
    playing = [number for number, table in enumerate(tables) if not table.is_over]
    while playing and stopped is None:
        for number in playing:
            tables[number].decide()
            if stops(number):
                stopped = number
                break
        playing = [number for number in playing if not tables[number].is_over]
    return course.settle(seating, tables, stopped)


def settle(
    setup: Setup, plan: Plan, sides: tuple[int, ...], table: Played, cut: Callable[[list[int]], Cut]
) -> TableResult:
    """Determine who gets the award of a table and who moves on, breaking a tie if needed."""
    equal = [sides[side] for side in setup.list_awarded(setup.game.executor, table.position)]
    tie = plan.tie or setup.format.tie
    settled: Cut | None = None
    if len(equal) > 1 and (tie == "cut" or setup.format.then == "awarded_move"):
        settled = cut(equal)
    first = settled.winner if settled else equal[0] if equal else None
    awarded = (first,) if tie == "cut" and first is not None else tuple(equal)
    mover = first if setup.format.then == "awarded_move" else None
    return TableResult(sides, tuple(equal), awarded, settled, mover, table.position.decisions, table.is_over)

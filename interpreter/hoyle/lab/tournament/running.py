"""Runs a tournament.

In: a `Setup` and a `Plan`. Out: an `Outcome`, deterministic for a given plan.

The tables take turns, in a fixed order, making one decision each. As soon as the stop condition holds at one table,
play stops at all of them. A table whose game is over waits for the others.
"""

from __future__ import annotations

from collections.abc import Callable
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
    """A table at which a game is played, decision by decision."""

    @property
    def position(self) -> Position: ...

    @property
    def is_over(self) -> bool: ...

    def decide(self) -> None: ...


# Opens a table for a game, its setup, who sits there, and its seed; None leaves it to bots.
OpenTable = Callable[[int, Setup, tuple[int, ...], int], Played | None]


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


def run_tournament(
    setup: Setup,
    plan: Plan,
    told: Callable[[int, GameResult, list[int]], None] = lambda *_: None,
    open_table: OpenTable = lambda *_: None,
) -> Outcome:
    """Run a tournament; `told` is called after every game with its 1-based number, its result and the points so far.
    `open_table` opens the tables at which people sit."""
    form = setup.format
    sizes = share_out(plan.entrants or setup.sides * plan.tables, plan.tables)
    sides = sum(sizes)
    points = [0] * sides
    met: list[set[int]] = [set() for _ in range(sides)]
    seating = seat_first(sizes, form.first == "by_lot", derive_seed(plan.seed, LOT))
    games: list[GameResult] = []
    number = plan.games if plan.games is not None else max(1, sides - 1)
    for index in range(number):
        seating = _seat(setup, seating, games, points, met)
        result = _play(setup, plan, seating, index, open_table)
        games.append(result)
        for table in result.tables:
            for side in table.awarded:
                points[side] += _worth(setup, plan, len(table.awarded))
            for side in table.sides:
                met[side].update(other for other in table.sides if other != side)
        told(index + 1, result, points)
    standings, last = rank_sides(points, met, form.ties, _cutter(setup, plan, LAST_CUT))
    return Outcome(setup, plan, tuple(games), standings, last)


def _worth(setup: Setup, plan: Plan, awarded: int) -> int:
    shared = (plan.tie or setup.format.tie) == "shared" and awarded > 1
    return setup.format.shared if shared else setup.format.points


def _seat(setup: Setup, seating: Seating, games: list[GameResult], points: list[int], met: list[set[int]]) -> Seating:
    """Compute the seating of the next game."""
    then = setup.format.then
    if then == "round_robin":
        return pair_everybody(len(points), len(games))
    if not games or then == "stay":
        return seating
    if then == "swiss":
        pairs = {frozenset((side, other)) for side, others in enumerate(met) for other in others}
        return pair_equals(points, pairs, [len(table) for table in seating])
    movers = {table: result.mover for table, result in enumerate(games[-1].tables)}
    return move_awarded(seating, {table: mover for table, mover in movers.items() if mover is not None})


def _cutter(setup: Setup, plan: Plan, *path: int) -> Callable[[list[int]], Cut]:
    def cut(equal: list[int]) -> Cut:
        lift = lift_from_seed(derive_seed(plan.seed, *path), len(setup.ranks))
        return cut_among(equal, setup.ranks, setup.format.cut_best, lift)

    return cut


def _play(setup: Setup, plan: Plan, seating: Seating, index: int, open_table: OpenTable) -> GameResult:
    """Play one game at all tables."""
    setups = [setup.at(len(sides)) for sides in seating]
    tables: list[Played] = []
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
    results = tuple(
        settle(setups[number], plan, sides, tables[number], _cutter(setup, plan, TABLE_CUT, index, number))
        for number, sides in enumerate(seating)
    )
    return GameResult(results, stopped)


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

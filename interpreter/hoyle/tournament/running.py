"""A tournament from its seed to its winner.

In: a `Setup` and a `Plan`. Out: an `Outcome`. All chance comes from the seed: the same plan gives the same tournament.

The order is fair and fixed: the tables make one decision each, in turn, beginning with the first; when what stops all
tables has come about at one of them, no further decision is made anywhere. A table whose game is over waits.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.dataclass import dataclass
from hoyle.model.chance import derive_seed
from hoyle.tournament.cutting import Cut, cut_among, lift_from_seed
from hoyle.tournament.seating import Seating, move_awarded, pair_equals, pair_everybody, seat_first
from hoyle.tournament.setup import Setup
from hoyle.tournament.standings import Standing, rank_sides
from hoyle.tournament.tables import Table

# Paths below the seed, one for each kind of chance.
LOT, GAME, TABLE_CUT, LAST_CUT = range(4)


@dataclass(frozen=True, slots=True)
class Plan:
    """How many tables and games (None: as many as let everybody meet), who plays, and from which seed. `tie` replaces
    what the format says about equals at a table."""

    tables: int
    games: int | None
    seed: int = 0
    bot: str = "random"
    errors: float = 0.0
    tie: str = ""


@dataclass(frozen=True, slots=True)
class TableResult:
    """A game at a table: who sat there, to whom the award could have gone, to whom it went, the cut if there was one,
    who moves on, the decisions made, and whether the game came to its own end."""

    sides: tuple[int, ...]
    equal: tuple[int, ...]
    awarded: tuple[int, ...]
    cut: Cut | None
    mover: int | None
    decisions: int
    over: bool


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of the tournament at all tables; `stopped_by` is the table at which it ended for all."""

    tables: tuple[TableResult, ...]
    stopped_by: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A whole tournament; `standings` begin with the winner."""

    setup: Setup
    plan: Plan
    games: tuple[GameResult, ...]
    standings: tuple[Standing, ...]
    last_cut: Cut | None


def run_tournament(
    setup: Setup, plan: Plan, told: Callable[[int, GameResult, list[int]], None] = lambda *_: None
) -> Outcome:
    """Play a tournament; `told` hears of every game: its number from 1, its result and the points after it."""
    form, sides = setup.format, setup.sides * plan.tables
    points = [0] * sides
    met: list[set[int]] = [set() for _ in range(sides)]
    seating = seat_first(sides, setup.sides, form.first == "by_lot", derive_seed(plan.seed, LOT))
    games: list[GameResult] = []
    number = plan.games if plan.games is not None else max(1, sides - 1)
    for index in range(number):
        seating = _seat(setup, seating, games, points, met)
        result = _play(setup, plan, seating, index)
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
    """The seats of the next game."""
    then = setup.format.then
    if then == "round_robin":
        return pair_everybody(len(points), len(games))
    if not games or then == "stay":
        return seating
    if then == "swiss":
        pairs = {frozenset((side, other)) for side, others in enumerate(met) for other in others}
        return pair_equals(points, pairs, setup.sides)
    movers = {table: result.mover for table, result in enumerate(games[-1].tables)}
    return move_awarded(seating, {table: mover for table, mover in movers.items() if mover is not None})


def _cutter(setup: Setup, plan: Plan, *path: int) -> Callable[[list[int]], Cut]:
    def cut(equal: list[int]) -> Cut:
        lift = lift_from_seed(derive_seed(plan.seed, *path), len(setup.ranks))
        return cut_among(equal, setup.ranks, setup.format.cut_best, lift)

    return cut


def _play(setup: Setup, plan: Plan, seating: Seating, index: int) -> GameResult:
    """One game at all tables."""
    tables = [
        Table(setup.game, plan.bot, derive_seed(plan.seed, GAME, index, number), plan.errors)
        for number in range(len(seating))
    ]
    executor = setup.game.executor
    stopped = next((n for n, table in enumerate(tables) if setup.stops(executor, table.position)), None)
    playing = [number for number, table in enumerate(tables) if not table.is_over]
    while playing and stopped is None:
        for number in playing:
            tables[number].decide()
            if setup.stops(executor, tables[number].position):
                stopped = number
                break
        playing = [number for number in playing if not tables[number].is_over]
    results = tuple(
        settle(setup, plan, sides, tables[number], _cutter(setup, plan, TABLE_CUT, index, number))
        for number, sides in enumerate(seating)
    )
    return GameResult(results, stopped)


def settle(
    setup: Setup, plan: Plan, sides: tuple[int, ...], table: Table, cut: Callable[[list[int]], Cut]
) -> TableResult:
    """To whom the award of a table goes, and who moves on."""
    equal = [sides[side] for side in setup.list_awarded(setup.game.executor, table.position)]
    tie = plan.tie or setup.format.tie
    settled: Cut | None = None
    if len(equal) > 1 and (tie == "cut" or setup.format.then == "awarded_move"):
        settled = cut(equal)
    first = settled.winner if settled else equal[0] if equal else None
    awarded = (first,) if tie == "cut" and first is not None else tuple(equal)
    mover = first if setup.format.then == "awarded_move" else None
    return TableResult(sides, tuple(equal), awarded, settled, mover, table.position.decisions, table.is_over)

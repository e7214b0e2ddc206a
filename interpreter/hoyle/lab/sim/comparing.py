"""Compares two configurations with common random numbers: paired differences and their significance.

In: two sides, each a game with its bots, and how many games. Out: a `Comparison`: differences with confidence
intervals, and a sentence that states the significant ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.lab.sim.distribution import BRANCHING, TENTHS, Chart, Distribution, count_bars
from hoyle.lab.sim.event_counts import Counted, count_games
from hoyle.lab.sim.intervals import Interval, bounded_interval, mean_interval
from hoyle.lab.sim.one_game import play_game
from hoyle.lab.sim.report import list_teams
from hoyle.lab.sim.storage import Row
from hoyle.lab.sim.summary import Failure
from hoyle.program.model.chance import derive_seed
from hoyle.program.model.given import read_games

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game
    from hoyle.play.engine.playout import Result


@dataclass(frozen=True, slots=True)
class Side:
    """One configuration: a loaded game, and the bots that play it."""

    name: str
    game: Game
    bot: str


@dataclass(slots=True)
class Paired:
    """Running sums of paired samples, one pair per game, and of their squared differences. `shares`: all numbers are
    shares from 0 to 1."""

    shares: bool = False
    count: int = 0
    first: float = 0.0
    second: float = 0.0
    squares: float = 0.0

    def add(self, first: float, second: float) -> None:
        self.count += 1
        self.first += first
        self.second += second
        self.squares += (second - first) ** 2

    @property
    def difference(self) -> float:
        return (self.second - self.first) / self.count if self.count else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval of the mean difference; unbounded if there are too few games."""
        total = self.second - self.first
        if self.shares and self.count > 1:
            return bounded_interval(self.count, total, self.squares, -1, 1)
        return mean_interval(self.count, total, self.squares)

    @property
    def is_told(self) -> bool:
        """Whether the difference is significant: its confidence interval excludes 0."""
        low, high = self.interval
        return self.difference != 0 and (low > 0 or high < 0)


@dataclass(slots=True)
class Comparison:
    """Measurements of both sides; `measures` by name, in display order."""

    sides: tuple[Side, Side]
    asked: int
    games: int = 0
    measures: dict[str, Paired] = field(default_factory=dict)
    failures: list[tuple[str, Failure]] = field(default_factory=list)
    distributions: tuple[Distribution, Distribution] | None = None


def compare(
    sides: tuple[Side, Side],
    games: int,
    seed: int = 0,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda played: None,
    *,
    count: bool = False,
) -> Comparison:
    """Play the games of both sides with the same seeds. `count` adds `event_counts`."""
    games = read_games(games)
    found = Comparison(sides, games)
    watched = [count_games(side.game) if count else (side.game, None) for side in sides]
    teams = [list_teams(side.game.program.teams) for side in sides]
    found.distributions = (Distribution(sides[0].game.players), Distribution(sides[1].game.players))
    for index in range(games):
        own = derive_seed(seed, index)
        results: list[Result] = []
        for number, side in enumerate(sides):
            game, counted = watched[number]
            result = play_game(game, side.bot, index, own, stop, counted=counted)
            if isinstance(result, Failure):
                found.failures.append((side.name, result))
            elif result is not None:
                results.append(result)
                row = Row(index, own, result.decisions, result.rounds, result.scores, result.winners,
                          offered=result.offered)  # fmt: skip
                found.distributions[number].add([row])
        if stop():
            break
        if len(results) == 2:
            found.games += 1
            measures = _list_measures(*results)
            if teams[0] and len(teams[0]) == len(teams[1]):
                shares = [[sum(_share(result, seat) for seat in seats) for seats in side]
                          for result, side in zip(results, teams, strict=True)]  # fmt: skip
                measures |= {f"wins of team {number}": pair for number, pair in enumerate(zip(*shares, strict=True))}
            happened = [_list_counts(counted) for _, counted in watched]
            for name in dict.fromkeys([*happened[0], *happened[1]]):
                measures[name] = (happened[0].get(name, 0), happened[1].get(name, 0))
            for name, (first, second) in measures.items():
                found.measures.setdefault(name, Paired(name.startswith("wins"))).add(first, second)
        elif count:
            for _, counted in watched:
                _list_counts(counted)  # reset: a game without its pair is discarded
        progress(1)
    return found


def _list_measures(first: Result, second: Result) -> dict[str, tuple[float, float]]:
    measures: dict[str, tuple[float, float]] = {
        "decisions": (first.decisions, second.decisions),
        "rounds": (first.rounds, second.rounds),
        "choices at a decision": (
            first.offered / max(first.decisions, 1),
            second.offered / max(second.decisions, 1),
        ),
    }
    for seat in range(min(len(first.scores), len(second.scores))):
        measures[f"wins of seat {seat}"] = (_share(first, seat), _share(second, seat))
    for seat in range(min(len(first.scores), len(second.scores))):
        measures[f"score of seat {seat}"] = (first.scores[seat], second.scores[seat])
    return measures


def _list_counts(counted: Counted | None) -> dict[str, float]:
    """Take the counts of the last game, by the names of their rows in the table."""
    if counted is None:
        return {}
    happened = counted.take()
    found: dict[str, float] = {}
    for place, asked in (("", happened.turns), (" in a window", happened.windows)):
        if place and asked.offered:
            found["decisions in windows"] = asked.decisions
        for name, often in asked.offered.items():
            found[f"times {name} is offered{place}"] = often
            found[f"times {name} is chosen{place}"] = asked.chosen[name]
    found |= {f"times {name} comes about": often for name, often in happened.ends.items()}
    return found | {f"times {name}, is at its cap": often for name, often in happened.caps.items()}


def _share(result: Result, seat: int) -> float:
    return 1 / len(result.winners) if seat in result.winners else 0.0


def say_comparison(found: Comparison) -> str:
    """State the significant differences in one sentence."""
    one, other = (side.name for side in found.sides)
    if found.games < 2:
        return f"Too few games were played to tell {other} from {one}."
    told = [_say(name, paired) for name, paired in found.measures.items() if paired.is_told]
    if not told:
        return f"In {found.games:,} games nothing tells {other} from {one}: every difference could be chance."
    unknown = [name for name, each in found.measures.items() if each.difference and math.isinf(each.interval[0])]
    rest = len(found.measures) - len(told) - len(unknown)
    named = " and ".join(unknown) if len(unknown) < 3 else f"{len(unknown)} measures"
    also = f"; of {named} so few games do not tell" if unknown else ""
    also += f"; the other {rest} measures differ by no more than chance would" if rest else ""
    return f"Beside {one}, {other} has {'; '.join(told)} (95 % confidence, {found.games:,} games){also}."


def _say(name: str, paired: Paired) -> str:
    low, high = sorted(map(abs, paired.interval))
    more = "more" if paired.difference > 0 else "fewer"
    if name.startswith("score"):
        more = "higher by" if paired.difference > 0 else "lower by"
        return f"the {name} {more} {abs(paired.difference):.3g} ({low:.3g} to {high:.3g})"
    if paired.shares:
        points = f"{100 * abs(paired.difference):.1f} points of a hundred"
        return f"{points} {more} {name} ({100 * low:.1f} to {100 * high:.1f})"
    return f"{abs(paired.difference):.3g} {more} {name} ({low:.3g} to {high:.3g})"


def list_rows(found: Comparison) -> list[tuple[str, ...]]:
    """Build a table: every measure of both sides, the difference, its interval, and a mark if it is significant."""
    rows: list[tuple[str, ...]] = [("", *(side.name for side in found.sides), "difference", "95 %", "")]
    for name, paired in found.measures.items():
        if name.startswith("times") and paired.first == paired.second == 0:
            continue  # happens on neither side
        share = paired.shares
        low, high = paired.interval
        rows.append(
            (
                name,
                _show(paired.first / paired.count, share),
                _show(paired.second / paired.count, share),
                _show(paired.difference, share, signed=True),
                "unknown"
                if math.isinf(low)
                else f"{_show(low, share, signed=True)} to {_show(high, share, signed=True)}",
                "*" if paired.is_told else "",
            )
        )
    return rows


def _show(number: float, share: bool, *, signed: bool = False) -> str:
    sign = "+" if signed else ""
    return f"{number:{sign}.1%}" if share else f"{number:{sign},.2f}"


def list_charts(found: Comparison) -> list[Chart]:
    """Build charts with both sides as series."""
    assert found.distributions is not None
    one, other = found.distributions
    names = tuple(side.name for side in found.sides)
    charts = [
        Chart("decisions in a game", count_bars([one.decisions, other.decisions]), names),
        Chart("rounds in a game", count_bars([one.rounds, other.rounds]), names),
        Chart(BRANCHING, count_bars([one.branching, other.branching], TENTHS), names),
    ]
    for seat in range(min(one.players, other.players)):
        charts.append(Chart(f"scores of seat {seat}", count_bars([one.scores[seat], other.scores[seat]]), names))
    return charts


def comparison_data(found: Comparison) -> dict[str, object]:
    """Convert the comparison to plain data."""
    return {
        "sides": [
            {
                "name": side.name,
                "game": side.game.name,
                "players": side.game.players,
                "options": dict(side.game.options),
                "bot": side.bot,
            }
            for side in found.sides
        ],
        "asked": found.asked,
        "games": found.games,
        "measures": [
            {
                "name": name,
                "means": [paired.first / paired.count, paired.second / paired.count],
                "difference": paired.difference,
                "interval": [None if math.isinf(bound) else bound for bound in paired.interval],
                "told": paired.is_told,
            }
            for name, paired in found.measures.items()
        ],
        "sentence": say_comparison(found),
        "faults": [{"side": name, "game": each.index, "seed": each.seed, "message": each.message}
                   for name, each in found.failures],
    }  # fmt: skip

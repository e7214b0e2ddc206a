"""Measures all contestants round-robin, so that temporary disturbances affect all of them alike.

In: contestants and the duration of samples. Out: their measurements, and the ratios with targets.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.measure import Contestant, Measurement, Missing, take_sample
from benchmarks.ours import GENERATED, NATIVE, REFERENCE
from benchmarks.peers import LIMIT, RLCARD, SPIEL, SPIEL_LOOP, SPIEL_SHORT, TIGHT

GAMES_APART = 1_000_000  # offset between the game numbers of two samples
SLOWEST = 5_000  # target: minimum decisions per second of every game by generated Python


@dataclass(frozen=True, slots=True)
class Pace:
    """The duration of a sample, the number of samples, and the duration of the warm-up."""

    seconds: float = 0.5
    rounds: int = 5
    warm_up: float = 5.0


def run_race(contestants: Sequence[Contestant], pace: Pace, tell: Callable[[str], None]) -> list[Measurement]:
    """Measure all contestants."""
    measured: list[Measurement] = []
    ready: list[tuple[Measurement, Any, bool]] = []
    for each in contestants:
        tell(f"{each.who}: {each.game}")
        found = Measurement(each.who, each.game, each.players, note=each.note)
        measured.append(found)
        try:
            began = time.process_time()
            play: Any = each.make()
            found.start_seconds = time.process_time() - began
        except Missing as missing:
            found.missing = str(missing)
            continue
        if not each.samples_itself:
            found.cold = take_sample(play, pace.seconds)
            # The reference executor needs no warm-up.
            if each.who != REFERENCE:
                take_sample(play, pace.warm_up, GAMES_APART)
        ready.append((found, play, each.samples_itself))
    # Exclude the long-lived objects from garbage collection.
    gc.collect()
    gc.freeze()
    for number in range(pace.rounds):
        tell(f"round {number + 1} of {pace.rounds}")
        for found, play, samples_itself in ready:
            if samples_itself:
                found.samples.append(play(pace.seconds))
            else:
                found.samples.append(take_sample(play, pace.seconds, (number + 2) * GAMES_APART))
    gc.unfreeze()
    return measured


# ------------------------------------------------------------------------------------------------ ratios
@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of rates, or a plain rate, with its target; the value is None if a measurement is missing."""

    name: str
    value: float | None
    wanted: float | None = None

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        if self.wanted is None:
            return ""
        return "met" if self.value >= self.wanted else "missed"


def find_ratios(measured: Sequence[Measurement]) -> list[Ratio]:
    """Compute the ratios with targets: against libraries, hand-written code and the reference, and the slowest game."""
    by_name = {(each.who, each.game): each for each in measured if each.samples}
    games, decisions = _games, _decisions
    ratios = [
        _over(by_name, "cribbage", (SPIEL, "cribbage"), 3, games, "games"),
        _over(by_name, "cribbage", (SPIEL_SHORT, "cribbage"), None, games, "games"),
        _over(by_name, "cribbage", (TIGHT, "cribbage"), 0.5, games, "games"),
        _over(by_name, "bonus-20", (RLCARD, "uno"), 5, decisions, "decisions"),
    ]
    ours = [each for (who, _), each in by_name.items() if who == GENERATED]
    if ours:
        slowest = min(ours, key=_decisions)
        ratios.append(Ratio(f"{slowest.game}, the slowest, decisions/s", _decisions(slowest), SLOWEST))
    for who, game in by_name:
        if who == GENERATED and (REFERENCE, game) in by_name:
            ratios.append(_over(by_name, game, (REFERENCE, game), 10, decisions, "decisions"))
    ratios += [
        _over(by_name, "cribbage", (LIMIT, "cribbage"), 0.35, games, "games", NATIVE),
        _over(by_name, "cribbage", (SPIEL_LOOP, "cribbage"), 15, games, "games", NATIVE),
    ]
    for who, game in by_name:
        if who == NATIVE and (GENERATED, game) in by_name:
            ratios.append(_over(by_name, game, (GENERATED, game), 30, decisions, "decisions", NATIVE))
    return [ratio for ratio in ratios if ratio is not None]


def _games(measured: Measurement) -> float:
    return measured.games_per_second


def _decisions(measured: Measurement) -> float:
    return measured.decisions_per_second


Rate = Callable[[Measurement], float]
Table = dict[tuple[str, str], Measurement]


def _over(
    table: Table, game: str, other: tuple[str, str], wanted: float | None, rate: Rate, of: str, who: str = GENERATED
) -> Ratio | None:
    ours, theirs = table.get((who, game)), table.get(other)
    if ours is None:
        return None
    against = other[0] if other[1] == game else f"{other[0]}'s {other[1]}"
    by = ", native," if who == NATIVE else ""
    return Ratio(f"{game}{by} against {against}, {of}/s", rate(ours) / rate(theirs) if theirs else None, wanted)

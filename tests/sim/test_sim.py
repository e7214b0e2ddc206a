"""Simulations: exact sums, the same result however the work is divided, faults counted."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import hoyle
from hoyle.lab.bots import BOTS, make_bots
from hoyle.lab.sim.intervals import wilson_interval
from hoyle.lab.sim.report import describe_summary, summary_data
from hoyle.lab.sim.run import Plan, simulate
from hoyle.lab.sim.summary import Failure, Summary, Tally, add_up
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.playout import Result
from hoyle.program.model.chance import derive_seed, pick_below, seeded


@dataclass
class Option:
    """An action without a number."""

    number: None = None


@dataclass
class Turn:
    seat: int
    actions: list[Option]


@dataclass
class CountingMatch:
    """Seats take numbers in turn until twenty is reached; the most points win. Every `faulty`-th seed faults."""

    players: int
    seed: int
    faulty: int
    random: int = 0
    rounds_played: int = 0
    scores: list[int] = field(default_factory=list)
    seat: int = 0
    decisions: int = 0

    def __post_init__(self) -> None:
        self.random = seeded(self.seed)
        self.scores = [0] * self.players

    @property
    def position(self) -> CountingMatch:
        return self

    @property
    def decision(self) -> Turn | None:
        if self.faulty and self.seed % self.faulty == 0:
            raise Fault("no-progress", "the rules go round in a circle")
        return None if sum(self.scores) >= 20 else Turn(self.seat, [Option()] * 3)

    def apply(self, choice: int) -> None:
        self.random, luck = pick_below(self.random, 3)
        self.decisions += 1
        self.scores[self.seat] += choice + luck
        self.rounds_played += self.seat == 0
        self.seat = (self.seat + 1) % self.players

    @property
    def over(self) -> bool:
        return self.decision is None

    def view(self, seat: int) -> Any:
        return self.scores[seat]

    @property
    def winners(self) -> list[int]:
        return [seat for seat, score in enumerate(self.scores) if score == max(self.scores)]


@dataclass
class CountingExecutor:
    """The same match for bots that do not look; a game without windows or errors that are called."""

    game: CountingGame

    @property
    def program(self) -> SimpleNamespace:
        return SimpleNamespace(called=False, decisions=(), players=self.game.players)

    def start(self, seed: int, script: None) -> CountingMatch:
        return self.game.new(seed)

    def run(self, match: CountingMatch) -> None: ...

    def find_seat(self, match: CountingMatch) -> int:
        return match.seat

    def list_legal(self, match: CountingMatch) -> list[tuple[int, ...]]:
        return [(0,), (1,), (2,)]

    def advance(self, match: CountingMatch, choice: tuple[int, ...]) -> None:
        match.apply(choice[0])

    def list_scores(self, match: CountingMatch) -> list[int]:
        return match.scores

    def list_winners(self, match: CountingMatch) -> list[int]:
        return match.winners


@dataclass
class CountingGame:
    players: int = 3
    faulty: int = 0

    def new(self, seed: int = 0) -> CountingMatch:
        return CountingMatch(self.players, seed, self.faulty)

    @property
    def executor(self) -> CountingExecutor:
        return CountingExecutor(self)

    def locate(self, fault: Fault) -> Fault:
        return fault


load_counting = functools.partial(CountingGame, 3)
load_faulty = functools.partial(CountingGame, 3, 5)


def test_the_same_plan_gives_the_same_summary_in_one_process_and_in_three() -> None:
    alone = simulate(load_counting, Plan(60, seed=4))
    together = simulate(load_counting, Plan(60, seed=4, jobs=3))
    assert alone.games == 60
    assert summary_data(alone) == summary_data(together)


def test_another_seed_gives_other_games() -> None:
    assert summary_data(simulate(load_counting, Plan(60, seed=4))) != summary_data(
        simulate(load_counting, Plan(60, seed=5))
    )


def test_more_games_from_a_seed_begin_with_the_same_games() -> None:
    few, many = (simulate(load_counting, Plan(games, seed=9)) for games in (10, 30))
    rest = Summary(3)
    for index in range(10, 30):
        match = CountingGame().new(derive_seed(9, index))
        bots = make_bots("random", derive_seed(9, index), 3)
        steps = 0
        while turn := match.decision:
            match.apply(bots[turn.seat].choose(turn, lambda: None))
            steps += 1
        rest.add(Result(tuple(match.scores), tuple(match.winners), steps, match.rounds_played, 3 * steps, 3))
    assert summary_data(add_up([few, rest], 3)) == summary_data(many)


@pytest.mark.parametrize("jobs", [1, 2])
def test_faults_are_counted_and_the_first_is_kept_with_its_seed(jobs: int) -> None:
    summary = simulate(load_faulty, Plan(40, seed=1, jobs=jobs))
    faulty = [index for index in range(40) if derive_seed(1, index) % 5 == 0]
    assert faulty
    assert summary.faults == len(faulty)
    assert summary.games == 40 - len(faulty)
    assert summary.first_fault == Failure(faulty[0], derive_seed(1, faulty[0]), "the rules go round in a circle")
    assert f"the first with seed {derive_seed(1, faulty[0])}" in describe_summary(summary, 1.0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopping_keeps_the_games_played_until_then(jobs: int) -> None:
    played = 0

    def progress(games: int, decisions: int) -> None:
        nonlocal played
        played += games

    summary = simulate(load_counting, Plan(10_000_000, jobs=jobs), lambda: played >= 3, progress)
    assert summary.games == played
    assert 3 <= played < 10_000_000


def test_a_shared_win_counts_as_a_fraction_for_each() -> None:
    summary = Summary(3)
    summary.add(Result((5, 5, 5), (0, 1, 2), 4, 1, 9, 3))
    summary.add(Result((5, 5, 1), (0, 1), 4, 1, 9, 3))
    summary.add(Result((0, 0, 1), (2,), 4, 1, 9, 3))
    assert summary.wins == [Fraction(5, 6), Fraction(5, 6), Fraction(4, 3)]
    assert sum(summary.wins) == 3


def test_a_game_without_a_winner_is_told() -> None:
    summary = Summary(2)
    summary.add(Result((0, 0), (), 4, 1, 9, 3))
    assert "no winner    1 game" in describe_summary(summary, 1.0)


def test_a_summary_does_not_grow_with_the_games() -> None:
    summary = simulate(load_counting, Plan(200))
    assert len(summary.wins) == len(summary.scores) == 3
    assert max(win.denominator for win in summary.wins) <= 6


def test_mean_and_deviation_are_those_of_the_numbers() -> None:
    numbers = [10**9 + 1, 10**9 + 2, 10**9 + 4]
    tally, first, second = Tally(), Tally(), Tally()
    for number in numbers:
        tally.add(number)
    first.add(numbers[0])
    second.add(numbers[1])
    second.add(numbers[2])
    first.merge(second)
    first.merge(Tally())
    assert first == tally
    assert math.isclose(tally.deviation, 1.527525, rel_tol=1e-6)
    assert (tally.low, tally.high) == (10**9 + 1, 10**9 + 4)


@pytest.mark.parametrize(("wins", "games"), [(5, 10), (50, 100), (2.5, 10), (1 / 3, 40)])
def test_the_bounds_of_a_wilson_interval_lie_two_errors_from_the_share(wins: float, games: int) -> None:
    for bound in wilson_interval(wins, games):
        error = math.sqrt(bound * (1 - bound) / games)
        assert math.isclose(abs(wins / games - bound), 1.959964 * error, rel_tol=1e-9)


def test_a_wilson_interval_stays_between_none_and_all() -> None:
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson_interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_the_summary_of_no_games_can_be_shown() -> None:
    assert "0 games" in describe_summary(Summary(2), 0.0)
    assert summary_data(Summary(2))["seats"][0]["share"] == 0.0


def test_every_bot_that_never_looks_chooses_an_offered_action_and_replays() -> None:
    for name in (kind.name for kind in BOTS.values() if kind.blind is not None):
        chosen = [
            [bot.choose(Turn(0, [Option()] * 7), lambda: None) for _ in range(50)] for bot in make_bots(name, 3, 2)
        ]
        again = [
            [bot.choose(Turn(0, [Option()] * 7), lambda: None) for _ in range(50)] for bot in make_bots(name, 3, 2)
        ]
        assert chosen == again
        assert all(0 <= choice < 7 for choices in chosen for choice in choices)


def test_random_bots_of_one_match_choose_differently() -> None:
    one, two = make_bots("random", 3, 2)
    turn = Turn(0, [Option()] * 7)
    assert [one.choose(turn, lambda: None) for _ in range(30)] != [two.choose(turn, lambda: None) for _ in range(30)]


def test_the_random_bot_takes_every_action_about_equally_often() -> None:
    (bot,) = make_bots("random", 11, 1)
    counts = [0] * 5
    for _ in range(5000):
        counts[bot.choose(Turn(0, [Option()] * 5), lambda: None)] += 1
    assert min(counts) > 850
    assert max(counts) < 1150


def test_a_game_is_simulated_as_it_is_or_as_it_is_loaded() -> None:
    game = hoyle.load("kuhn-poker")
    as_it_is, loaded = simulate(game, Plan(5, seed=3)), simulate(lambda: game, Plan(5, seed=3, executor="reference"))
    assert summary_data(as_it_is) == summary_data(loaded)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan(-1), "the number of games is at least 0, not -1"),
        (Plan(1.5), "the number of games is a whole number, not 1.5"),  # type: ignore[arg-type]
        (Plan(1, jobs=-2), "the number of processes is at least 1, or 0 for all processors, not -2"),
        (Plan(1, executor="generator"), "no executor named `generator`; there are auto"),  # type: ignore[arg-type]
        (Plan(1, errors=math.nan), "the share of errors is from 0 to 1, not nan"),
        (Plan(1, seed="x"), "a seed is a whole number, not 'x'"),  # type: ignore[arg-type]
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(plan: Plan, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        simulate(hoyle.load("kuhn-poker"), plan)


def test_what_is_no_game_is_not_simulated() -> None:
    with pytest.raises(TypeError, match="a game, or a function that loads one, not 'kuhn-poker'"):
        simulate("kuhn-poker", Plan(1))  # type: ignore[arg-type]

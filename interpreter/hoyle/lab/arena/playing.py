"""Plays the matches of an arena.

In: a game and a `Plan`. Out: `Meeting`s: the results of two bots on one deal, from all seats.

A deal is a seed. Two bots play each deal once for every way to seat them (duplicate play), so that both get the same
cards; all pairs play the same deals. Both reduce variance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.lab.bots import BotError, BotFailed, let_choose, list_kinds, make_bots
from hoyle.lab.sim.workers import Workers
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.utility import find_best
from hoyle.program.model.chance import derive_seed
from hoyle.program.model.given import read_games, read_jobs

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game, Match

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of an arena: `games` is the minimum number of matches per pair, `jobs` the number of processes, 0
    for the number of processors."""

    bots: tuple[str, ...]
    games: int
    seed: int = 0
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Meeting:
    """The results of two bots on one deal. Per match: the first bot's share of the win, its margin in points if scores
    decide the game, and the number of decisions; in total: the decisions and the thinking time of each bot, and the
    problems that aborted matches."""

    pair: Pair
    deal: int
    shares: tuple[float, ...]
    decisions: tuple[int, int]
    seconds: tuple[float, float]
    lengths: tuple[int, ...]
    margins: tuple[float, ...] = ()
    problems: tuple[str, ...] = ()


def list_seatings(teams: Sequence[int]) -> list[tuple[int, ...]]:
    """List the ways to seat two bots, 0 and 1, alternately by team. Over all of them, each bot plays every team equally
    often, also for an odd number of teams, where one bot has one team more in each match.

    >>> list_seatings((0, 1)), list_seatings((0, 1, 0, 1)), len(list_seatings((0, 1, 2)))
    ([(0, 1), (1, 0)], [(0, 1, 0, 1), (1, 0, 1, 0)], 6)
    """
    sides = sorted(set(teams))
    if len(sides) < 2:
        raise BotError("an arena needs a game of two sides at least")
    turns = 1 if len(sides) % 2 == 0 else len(sides)
    found = []
    for turn in range(turns):
        order = [(place - turn) % len(sides) % 2 for place in range(len(sides))]
        for swap in (0, 1):
            found.append(tuple(order[sides.index(team)] ^ swap for team in teams))
    return found


def run_arena(
    game: Game,
    plan: Plan,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda played: None,
) -> list[Meeting]:
    """Play the matches of a plan until `stop` returns true, and return the meetings sorted by pair and deal. After
    `stop`, another `KeyboardInterrupt` aborts the current match, whose bot may think for long."""
    if isinstance(plan.bots, str) or not isinstance(plan.bots, Sequence):
        raise TypeError(f"the bots of an arena are a tuple of names, such as ('first', 'random'), not {plan.bots!r}")
    if len(plan.bots) < 2:
        raise BotError("an arena needs two bots at least")
    twice = next((name for name in plan.bots if plan.bots.count(name) > 1), None)
    if twice is not None:
        raise BotError(f"`{twice}` is named twice")
    list_kinds(",".join(plan.bots), len(plan.bots))
    plan = replace(plan, games=read_games(plan.games), jobs=read_jobs(plan.jobs))
    tasks = list(_list_tasks(game, plan))
    play = _play_here if plan.jobs == 1 else _play_in_processes
    meetings = []
    try:
        for meeting in play(game, plan, tasks, stop, progress):
            meetings.append(meeting)
    except (KeyboardInterrupt, BrokenProcessPool):
        if not stop():  # Ctrl-C during the start of a worker kills it and breaks the pool
            raise
    return sorted(meetings, key=lambda meeting: (meeting.pair, meeting.deal))


def count_matches(game: Game, plan: Plan) -> int:
    """Return the number of matches of a plan."""
    return len(list(_list_tasks(game, plan))) * len(list_seatings(game.program.teams))


def _list_tasks(game: Game, plan: Plan) -> Iterator[tuple[Pair, int]]:
    deals = -(-plan.games // len(list_seatings(game.program.teams)))
    for deal in range(deals):  # deals in the outer loop: after an interruption, pairs have played about equally many
        for pair in combinations(range(len(plan.bots)), 2):
            yield pair, deal


def _play_here(
    game: Game,
    plan: Plan,
    tasks: list[tuple[Pair, int]],
    stop: Callable[[], bool],
    progress: Callable[[int], None],
) -> Iterator[Meeting]:
    for pair, deal in tasks:
        meeting = play_meeting(game, plan, pair, deal, stop)
        if meeting is None:
            return
        progress(len(meeting.shares))
        yield meeting


def play_meeting(game: Game, plan: Plan, pair: Pair, deal: int, stop: Callable[[], bool]) -> Meeting | None:
    """Play a deal by two bots from all seats; None if `stop`, polled at each decision, ended it early."""
    shares, lengths, margins, problems = [], [], list[float](), []
    decisions, seconds = [0, 0], [0.0, 0.0]
    for seating in list_seatings(game.program.teams):
        seed = derive_seed(plan.seed, deal)
        bots = make_bots(",".join(plan.bots[pair[who]] for who in seating), seed, game.players)
        match, habits = game.new(seed), Habits(0.0, seed)
        share: float | None = None
        while (decision := match.decision) is not None:
            if stop():
                return None
            who = seating[decision.seat]
            began = time.perf_counter()
            try:
                answer = let_choose(habits, match, decision, bots[decision.seat])
                seconds[who] += time.perf_counter() - began
                decisions[who] += 1
                match.apply(answer)
            except BotFailed as failed:  # a failing bot forfeits the match
                problems.append(f"deal {deal}, seed {seed}: {plan.bots[pair[who]]}: {failed}")
                share = float(who)
                break
            except Fault as fault:
                problems.append(f"deal {deal}, seed {seed}: {fault}")
                share = 0.5
                break
        winners = match.winners
        if share is None:
            first = sum(seating[seat] == 0 for seat in winners)
            share = first / len(winners) if winners else 0.5
            margins += find_margin(game, match, seating)
        shares.append(share)
        lengths.append(len(match.history))
    return Meeting(pair, deal, tuple(shares), (decisions[0], decisions[1]), (seconds[0], seconds[1]),
                   tuple(lengths), tuple(margins), tuple(problems))  # fmt: skip


def find_margin(game: Game, match: Match, seating: Sequence[int]) -> list[float]:
    """Return the mean score per seat of the first bot minus that of the second, signed so that more is better; empty if
    scores do not decide the game."""
    best = find_best(game.program)
    if not best:
        return []
    first, second = (
        fmean(score for score, sits in zip(match.scores, seating, strict=True) if sits == who) for who in (0, 1)
    )
    return [second - first if best == "lowest" else first - second]


_worker_game: Game | None = None


def _start_worker(game: Game) -> None:
    global _worker_game
    _worker_game = game


def _work(plan: Plan, pair: Pair, deal: int) -> Meeting:
    assert _worker_game is not None
    meeting = play_meeting(_worker_game, plan, pair, deal, lambda: False)  # the parent stops it by ending the process
    assert meeting is not None
    return meeting


def _play_in_processes(
    game: Game,
    plan: Plan,
    tasks: list[tuple[Pair, int]],
    stop: Callable[[], bool],
    progress: Callable[[int], None],
) -> Iterator[Meeting]:
    pool = Workers(plan.jobs, _start_worker, game)
    waiting, running = list(reversed(tasks)), set[Future[Meeting]]()
    try:
        while (waiting or running) and not stop():
            while waiting and len(running) < 2 * plan.jobs:
                running.add(pool.submit(_work, plan, *waiting.pop()))
            done, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
            for future in done:
                meeting = future.result()
                progress(len(meeting.shares))
                yield meeting
    finally:
        pool.end(wait=not running)

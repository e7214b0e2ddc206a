"""Runs simulations, in this process, in several, or by a given crew of workers.

In: a `Plan`, the game or a function that loads it, a predicate that is polled between games to stop early, and a
callback for the rows of games. Out: a `Summary`, which for a given plan does not depend on the number of processes, and
rows in the order of their numbers. The seed of each game is derived from the plan's seed and the game's number.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from typing import Literal, Protocol, get_args

from hoyle.base.dataclass import dataclass
from hoyle.lab.sim.event_counts import count_games
from hoyle.lab.sim.native import NativeTable
from hoyle.lab.sim.on_device import DeviceTable
from hoyle.lab.sim.one_game import find_trend, play_game
from hoyle.lab.sim.storage import Row
from hoyle.lab.sim.summary import Failure, NativeShare, Summary
from hoyle.lab.sim.workers import Workers
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.game import Game
from hoyle.play.engine.generated import GeneratedExecutor, TieredExecutor
from hoyle.play.engine.habits import find_chances
from hoyle.play.engine.limits import LONGEST_PLAYED
from hoyle.play.engine.playout import Result
from hoyle.program.model.chance import derive_seed
from hoyle.program.model.given import read_games, read_jobs

Load = Callable[[], Game]
Stop = Callable[[], bool]
Ready = Callable[[int], bool]  # takes the number of games played
Progress = Callable[[int, int], None]  # takes the games and the decisions since it was last called
Keep = Callable[[Sequence[Row]], None]
SimExecutor = Literal["auto", "native", "cuda", "python", "reference"]

# Long enough to amortize the cost of dispatch, short enough for a live progress bar and a cheap interruption.
BATCH_SECONDS = 0.25
MOST_IN_BATCH = 10_000
KEPT_AT_ONCE = 500  # rows per call of `keep`


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a simulation. `jobs` is the number of processes, 0 for the number of processors; `errors` the
    share of decisions at which bots err, in games where they can; executor `auto` switches to native code when that
    pays; `count` counts actions, ends and caps, by the reference executor."""

    games: int
    seed: int = 0
    bot: str = "random"
    jobs: int = 1
    errors: float = 0.0
    executor: SimExecutor = "python"
    count: bool = False


def never(played: int = 0) -> bool:
    return False


def simulate(
    load: Load | Game,
    plan: Plan,
    stop: Stop = never,
    progress: Progress = lambda played, decisions: None,
    keep: Keep | None = None,
    hire: Hire | None = None,
) -> Summary:
    """Play the games of a plan. A game given as a loader is loaded once, here, and sent to all workers. When `stop`
    returns true, the summary covers the games played until then. `keep` receives the rows of all games in the summary,
    in order and in batches. `hire` creates the crew of workers, by default processes of this machine."""
    if not isinstance(load, Game) and not callable(load):
        raise TypeError(f"what is simulated is a game, or a function that loads one, not {load!r}")
    game, plan = load if isinstance(load, Game) else load(), check_plan(plan)
    if isinstance(game, Game):
        by = game.executor_class
        if game.executor_name == "auto" or plan.executor == "reference":
            # Whether native code plays is decided below, not by the game's own `auto` executor.
            by = {"reference": ReferenceExecutor, "python": GeneratedExecutor}.get(plan.executor, TieredExecutor)
        game = Game(game.program, game.info, executor_class=by, most_decisions=LONGEST_PLAYED)
    whole = Summary(game.players)
    native = _find_table(game, plan, keep) if hire is None else None
    try:
        ready = native is not None and plan.executor != "auto" and native.build(stop)
        if not ready:
            play = _simulate_here if plan.jobs == 1 and hire is None else partial(_simulate_by_crew, hire or Processes)
            whole.merge(play(game, plan, stop, progress, keep, native))
        if native is not None and native.is_ready and whole.played < plan.games and not stop():
            _simulate_natively(native, plan, whole, stop, progress, keep)
    finally:
        if native is not None:
            native.end()
    if whole.first_unended is not None:
        trend = find_trend(game, plan.bot, whole.first_unended, stop, plan.errors)
        whole.first_unended = replace(whole.first_unended, trend=trend)
    whole.native = NativeShare(native.played, native.left_out, native.problem) if native is not None else None
    return whole


def check_plan(plan: Plan) -> Plan:
    """Validate a plan and resolve its number of processes; raise an exception that names an invalid parameter."""
    games, jobs = read_games(plan.games), read_jobs(plan.jobs)
    if plan.executor not in get_args(SimExecutor):
        raise ValueError(f"no executor named `{plan.executor}`; there are {', '.join(get_args(SimExecutor))}")
    find_chances(plan.errors)
    return replace(plan, games=games, jobs=min(jobs, max(games, 1)))


def _find_table(game: Game, plan: Plan, keep: Keep | None) -> NativeTable | None:
    """Create the native table of a plan, if it asks for one. A GPU yields only sums: if rows are kept, native code on
    the CPU plays instead."""
    if plan.count or plan.executor not in ("auto", "native", "cuda"):
        return None
    table = DeviceTable if plan.executor == "cuda" and keep is None else NativeTable
    return table(game, plan.bot, plan.errors)


def _simulate_natively(
    native: NativeTable, plan: Plan, whole: Summary, stop: Stop, progress: Progress, keep: Keep | None
) -> None:
    """Play the remaining games of a plan by native code."""
    rows: list[Row] = []
    told = 0

    def tell(decisions: int) -> None:
        nonlocal told
        told += decisions
        progress(0, decisions)

    def tell_played(played: int, decisions: int) -> None:
        nonlocal told
        before, told = told, 0
        progress(played, max(0, decisions - before))

    def add(part: Summary) -> None:
        whole.merge(part)
        tell_played(part.played, part.decided)

    def add_one(index: int, seed: int, result: Result | Failure) -> None:
        whole.add(result)
        rows.append(_make_row(index, seed, result))
        if len(rows) >= KEPT_AT_ONCE:
            assert keep is not None
            keep(rows)
            rows.clear()
        tell_played(1, result.decisions)

    native.tell = tell
    if isinstance(native, DeviceTable):
        native.sum_up(whole.played, plan.games, plan.seed, stop, add)
        return
    try:
        native.play(whole.played, plan.games, plan.seed, plan.jobs, stop, add, None if keep is None else add_one)
    finally:
        if keep is not None and rows:
            keep(rows)


def _play_range(
    game: Game,
    plan: Plan,
    start: int,
    end: int,
    stop: Stop,
    progress: Progress,
    keep: Keep | None,
    ready: Ready = never,
) -> Summary:
    """Play the games from number `start` up to `end`, or until `ready` says that native code can take over."""
    summary, told = Summary(game.players), 0

    def go_on() -> bool:
        """Polled between the decisions of a match that takes long: tell of each."""
        nonlocal told
        told += 1
        progress(0, 1)
        return stop()

    if plan.count:
        game, summary.counted = count_games(game)
    rows: list[Row] = []
    for index in range(start, end):
        if stop() or ready(index):
            break
        seed = derive_seed(plan.seed, index)
        told = 0
        result = play_game(game, plan.bot, index, seed, go_on, plan.errors, summary.counted)
        if result is None:
            break
        summary.add(result)
        if keep is not None:
            rows.append(_make_row(index, seed, result))
            if len(rows) >= KEPT_AT_ONCE:
                keep(rows)
                rows = []
        progress(1, max(0, result.decisions - told))
    if keep is not None and rows:
        keep(rows)
    return summary


def _make_row(index: int, seed: int, result: Result | Failure) -> Row:
    if isinstance(result, Failure):
        return Row(index, seed, fault=result.message)
    return Row(index, seed, result.decisions, result.rounds, result.scores, result.winners, offered=result.offered)


def _simulate_here(
    game: Game, plan: Plan, stop: Stop, progress: Progress, keep: Keep | None, native: NativeTable | None
) -> Summary:
    return _play_range(game, plan, 0, plan.games, stop, progress, keep, _ask_ready(native, plan))


def _ask_ready(native: NativeTable | None, plan: Plan) -> Ready:
    return (lambda played: False) if native is None else (lambda played: native.consider(played, plan.games))


# ------------------------------------------------------------------------------------------------ processes
@dataclass(frozen=True, slots=True)
class Batch:
    """The result of games played by a worker, numbered from `start`."""

    start: int
    summary: Summary
    rows: list[Row]
    seconds: float


_worker_game: Game | None = None


def _start_worker(game: Game) -> None:
    global _worker_game
    _worker_game = game


def play_batch(game: Game, plan: Plan, start: int, end: int, keeping: bool) -> Batch:
    """Play the games from number `start` up to `end`; return their rows too if `keeping`."""
    began = time.monotonic()
    rows: list[Row] = []
    keep = rows.extend if keeping else None
    summary = _play_range(game, plan, start, end, never, lambda played, decisions: None, keep)
    return Batch(start, summary, rows, time.monotonic() - began)


def _work(plan: Plan, start: int, end: int, keeping: bool) -> Batch:
    assert _worker_game is not None
    return play_batch(_worker_game, plan, start, end, keeping)


class Crew(Protocol):
    """A pool of `size` workers that play batches; `running` is the number of batches in flight."""

    @property
    def size(self) -> int: ...

    @property
    def running(self) -> int: ...

    def hand_out(self, start: int, end: int) -> None: ...

    def collect(self) -> list[Batch]:
        """Return the finished batches, after a short wait for one."""
        ...

    def end(self) -> None:
        """Shut the workers down without waiting for batches in flight."""
        ...


Hire = Callable[[Game, Plan, bool], Crew]  # the last argument: whether rows are kept


class Processes:
    """Workers that are processes of this machine."""

    def __init__(self, game: Game, plan: Plan, keeping: bool) -> None:
        self._pool = Workers(plan.jobs, _start_worker, game)
        self._plan, self._keeping = plan, keeping
        self._running: set[Future[Batch]] = set()
        self.size = plan.jobs

    @property
    def running(self) -> int:
        return len(self._running)

    def hand_out(self, start: int, end: int) -> None:
        self._running.add(self._pool.submit(_work, self._plan, start, end, self._keeping))

    def collect(self) -> list[Batch]:
        done, self._running = wait(self._running, timeout=0.1, return_when=FIRST_COMPLETED)
        return [future.result() for future in done]

    def end(self) -> None:
        self._pool.end(wait=not self._running)


def _simulate_by_crew(
    hire: Hire,
    game: Game,
    plan: Plan,
    stop: Stop,
    progress: Progress,
    keep: Keep | None,
    native: NativeTable | None,
) -> Summary:
    ready, games = _ask_ready(native, plan), plan.games
    whole = Summary(game.players)
    crew = hire(game, plan, keep is not None)
    waiting = _Waiting(keep)
    start, size = 0, 1
    try:
        while (start < games or crew.running) and not stop():
            if ready(whole.played):
                games = start  # finish the batches in flight and leave the rest to native code
            # Bounds the rows that wait in memory for a slow batch before them.
            while start < games and crew.running < 2 * crew.size and waiting.batches < 8 * crew.size:
                end = min(start + size, games)
                crew.hand_out(start, end)
                start = end
            for batch in crew.collect():
                whole.merge(batch.summary)
                waiting.add(batch)
                progress(batch.summary.played, batch.summary.decided)
                size = _next_size(batch.summary.played, batch.seconds)
    except BrokenProcessPool:
        if not stop():  # Ctrl-C during the start of a worker kills it and breaks the pool
            raise
    finally:
        _send_home(crew, stop)
        waiting.keep_all()
    return whole


def _send_home(crew: Crew, stop: Stop) -> None:
    """Shut down the crew; another Ctrl-C meanwhile must not lose the results so far."""
    try:
        crew.end()
    except KeyboardInterrupt:
        if not stop():
            raise


class _Waiting:
    """Reorder buffer: holds the rows of finished batches until all batches before them have been kept."""

    def __init__(self, keep: Keep | None) -> None:
        self._keep = keep
        self._rows: dict[int, list[Row]] = {}
        self._next = 0

    @property
    def batches(self) -> int:
        return len(self._rows)

    def add(self, batch: Batch) -> None:
        if self._keep is None or not batch.rows:
            return
        self._rows[batch.start] = batch.rows
        while self._next in self._rows:
            rows = self._rows.pop(self._next)
            self._next += len(rows)
            self._keep(rows)

    def keep_all(self) -> None:
        """Keep the remaining rows after an early stop, when earlier batches will never arrive."""
        for start in sorted(self._rows):
            assert self._keep is not None
            self._keep(self._rows.pop(start))


def _next_size(played: int, seconds: float) -> int:
    return max(1, min(MOST_IN_BATCH, int(played * BATCH_SECONDS / max(seconds, 1e-6))))

"""Fast playouts: a match played to its end without texts, views or events.

In: an executor, a seed, and how to choose. Out: a `Result`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, repeat
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError
from hoyle.play.engine.drawing import Chooser, DrawsMaker, choose_by, draw_randomly
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.generated import GeneratedExecutor, Played
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.legality import Choice, is_permitted
from hoyle.play.engine.native.native_executor import NativeExecutor
from hoyle.program.model.chance import seeded
from hoyle.program.model.position import Position

MOST_AT_ONCE = 1024
A_MOMENT = 0.05  # seconds for one native batch, which bounds the latency of Ctrl-C

Stop = Callable[[], bool]


class Stopped(HoyleError):  # noqa: N818 - a request, not an error
    """The caller asked to stop before the end of the match."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a match; `offered` is the sum of the numbers of choices over all decisions, `widest` their
    maximum."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    rounds: int
    offered: int
    widest: int


def play_out(
    executor: ReferenceExecutor,
    seed: int,
    *,
    draws: DrawsMaker = draw_randomly,
    errors: float = 0.0,
    script: list[Any] | None = None,
    stop: Stop | None = None,
) -> Result:
    """Play a match with drawn choices, by default uniformly random ones. `errors` is the rate of offences, where they
    are possible. `stop` is polled between decisions of slow matches; if it returns true, `Stopped` is raised."""
    if script or not isinstance(executor, NativeExecutor):
        return _play_in_python(executor, seed, draws=draws, errors=errors, script=script, stop=stop)
    in_python = partial(_play_in_python, executor, draws=draws, errors=errors, stop=stop)
    return next(_play_seeds(executor, [seed], draws, errors, None, in_python))


def play_many(
    executor: ReferenceExecutor, seeds: Iterable[int], start: Position | None = None, *, errors: float = 0.0
) -> Iterator[Result]:
    """Play one match per seed with random choices, from the beginning, or from a position. The position is not changed;
    its random state is replaced by the seed."""
    if start is None:
        in_python = partial(_play_in_python, executor, draws=draw_randomly, errors=errors)
    else:
        in_python = partial(_play_on_in_python, executor, start, errors)
    return _play_seeds(executor, seeds, draw_randomly, errors, start, in_python)


def _play_seeds(
    executor: ReferenceExecutor, seeds: Iterable[int], draws: DrawsMaker, errors: float, start: Position | None,
    in_python: Callable[[int], Result],
) -> Iterator[Result]:  # fmt: skip
    """Native code plays batches as large as fit into `A_MOMENT`; whatever it cannot play is played in Python."""
    left, many = iter(seeds), 1
    while some := list(map(seeded, islice(left, many))):
        began, played = time.monotonic(), None
        if isinstance(executor, NativeExecutor) and not (start and start.over):
            played = executor.play_natively(some, draws, errors, start)
        passed = time.monotonic() - began
        for seed, found in zip(some, played or repeat(None), strict=False):
            if found is not None and not found.fault:
                yield read_result(found)
                continue
            if found is not None and isinstance(executor, NativeExecutor):
                executor.handed_over += 1
            yield in_python(seed)
        many = 1 if played is None or passed > A_MOMENT else min(2 * many, MOST_AT_ONCE)


def _play_in_python(
    executor: ReferenceExecutor, seed: int, *, draws: DrawsMaker, errors: float, script: list[Any] | None = None,
    stop: Stop | None = None,
) -> Result:  # fmt: skip
    players = executor.program.players
    if isinstance(executor, GeneratedExecutor):
        position = executor.start(seed, script)
        drawn = executor.play_drawn(position, draws(seed, players), Habits(errors, seed))
        if drawn is not None:
            executor.note_played(position.decisions)
            return _sum_up(executor, position, drawn)
    position = executor.start(seed, script)
    choose = choose_by(draws(seed, players), partial(executor.find_seat, position))
    choose = Habits(errors, seed).guide(choose, executor, position)
    executor.run(position)
    result = _play_on(executor, position, choose, stop)
    if isinstance(executor, GeneratedExecutor):
        executor.note_end()
    return result


def play_chosen(
    executor: ReferenceExecutor, seed: int, choose: Chooser, script: list[Any] | None = None
) -> Result:
    """Play a match with the caller's choices."""
    position = executor.start(seed, script)
    executor.run(position)
    return _play_on(executor, position, check_taken(choose), None)


def check_taken(choose: Chooser) -> Chooser:
    """Wrap the caller's chooser so that it validates each choice: the executors assume legality."""
    if not callable(choose):
        raise TypeError(f"who chooses is a function that is given the choices and takes one of them, not {choose!r}")

    def take(choices: Sequence[Choice]) -> Choice:
        taken = choose(choices)
        if not isinstance(taken, tuple) or not is_permitted(taken, choices):
            raise ValueError(f"{taken!r} is none of the {len(choices)} choices that are offered")
        return taken

    return take


def play_from(
    executor: ReferenceExecutor, position: Position, seed: int, choose: Chooser | None = None, errors: float = 0.0
) -> Result:
    """Play from a position, which is changed, to the end of the match, with the caller's choices, or with random ones
    by the seed. Where it stands at a decision, that is asked, as it is of a match there: also if a seat can only
    decline."""
    if choose is None:
        choose = choose_by(draw_randomly(seed, executor.program.players), partial(executor.find_seat, position))
        choose = Habits(errors, seed).guide(choose, executor, position)
    else:
        choose = check_taken(choose)
    if executor.find_decide(position) is None:
        executor.run(position)
    return _play_on(executor, position, choose, None)


def _play_on_in_python(executor: ReferenceExecutor, start: Position, errors: float, seed: int) -> Result:
    position = start.copy()
    position.random, position.script = seeded(seed), []
    return play_from(executor, position, seed, errors=errors)


def _play_on(executor: ReferenceExecutor, position: Position, choose: Chooser, stop: Stop | None) -> Result:
    offered = widest = 0
    while not position.over:
        if stop is not None and stop():
            raise Stopped
        choices = executor.list_legal(position)
        offered += len(choices)
        widest = max(widest, len(choices))
        executor.advance(position, choose(choices))
    return _sum_up(executor, position, Played(offered, widest))


def _sum_up(executor: ReferenceExecutor, position: Position, played: Played) -> Result:
    scores, winners = tuple(executor.list_scores(position)), executor.list_winners(position)
    return Result(scores, winners, position.decisions, position.rounds_played, played.offered, played.widest)


def read_result(found: Any) -> Result:
    """A result in the layout of native code."""
    winners = tuple(found.winners.seats[: found.winners.n])
    return Result(tuple(found.scores), winners, found.decisions, found.rounds, found.offered, found.widest)

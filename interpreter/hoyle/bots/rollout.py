"""Playing on from a position for a while, fast, to see what comes of it.

In: a position, and a seed. Out: what is reached: the end of the round or of the match, or so many decisions later.
Players choose at random, out of turn only now and then, and name small numbers more often than large.

Native code plays on where there is some, else generated Python. Both draw the same numbers from the seed, so that they
reach the same (`roll` in `codegen/c/runtime.c`); what native code cannot do is done in Python from the start.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.bots.native_rollout import NativeRollout
from hoyle.bots.reached import Reached
from hoyle.ir.nodes import Decide
from hoyle.model.chance import MASK, draw

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.legality import Choice
    from hoyle.model.position import Position

ACTS_OUT_OF_TURN = 1 << 61  # of 2**64
HORIZON = 64  # decisions after which it is asked whether to go on
MOST_PLAYED = 6 * HORIZON
MOST_DIGITS = 31  # of numbers, in binary
TRIED_AGAIN, SELDOM = 32, 1024  # every so many rollouts the slower way is tried
MUCH = 3.0  # times as slow
FORGOTTEN = 4.0  # rollouts over which it is averaged how long they take


class Rollout:
    """Plays positions of one program on. `whole`: to the end of the match, not of the round; `native`: what does it
    where there is native code."""

    def __init__(
        self, executor: ReferenceExecutor, *, whole: bool = False, native: NativeRollout | None = None
    ) -> None:
        self.executor = executor
        self.whole = whole
        self.native = native
        self._pace = _Pace()
        program = executor.program
        self.list_choices = executor.list_lawful if program.called else executor.list_legal
        self._windows = {
            number
            for number, block in enumerate(program.blocks)
            if isinstance(block.end, Decide) and program.decisions[block.end.decision].window
        }

    def list_options(self, position: Position) -> Sequence[Choice]:
        """What is lawful for the seat that is to choose."""
        choices = self.list_choices(position)
        if self.executor.program.called and self.executor.in_window(position):
            choices = [*choices, ()]
        return choices or self.executor.list_legal(position)

    def find_out(
        self, position: Position, seed: int, most: int = MOST_PLAYED, until_seat: int | None = None
    ) -> Reached:
        """Play on, at most so many decisions, and until the seat is asked again if one is given. The position is good
        for nothing afterwards."""
        if self.native is None or not self.native.is_ready:
            self.play_on(position, seed, most, until_seat)
            return Reached(self.executor, position)
        by_native, began = self._pace.choose(), time.thread_time()
        found: Reached | None = None
        if by_native:
            found = self.native.find_out(position, seed, most, whole=self.whole, until_seat=until_seat)
        if found is None:
            self.play_on(position, seed, most, until_seat)
            found = Reached(self.executor, position)
        self._pace.note(time.thread_time() - began, by_native=by_native)
        return found

    def play_on(
        self, position: Position, seed: int, most: int = MOST_PLAYED, until_seat: int | None = None
    ) -> None:
        """Play on in Python."""
        executor, state = self.executor, seed & MASK
        begun = position.rounds_played
        while most and not position.over and (self.whole or position.rounds_played == begun):
            if until_seat is not None and executor.find_seat(position) == until_seat:
                return
            choices = self.list_options(position)
            size, place = len(choices), 0
            if size > 1:
                bits = 0
                if position.block in self._windows:
                    state, bits = draw(state)
                if bits >= ACTS_OUT_OF_TURN:
                    place = size - 1
                else:
                    state, bits = draw(state)
                    place = (bits >> 32) * size >> 32
            choice = choices[place]
            if choice and isinstance(choice[-1], range):
                state, number = _draw_number(state, len(choice[-1]))
                choice = (*choice[:-1], choice[-1][number])
            executor.advance(position, choice)
            most -= 1


class _Pace:
    """Which is faster by now, native code or Python: positions have to be brought to the one, and the other plays more
    slowly. Both reach the same, so that nothing else depends on it."""

    def __init__(self) -> None:
        self._seconds = [0.0, 0.0]
        self._asked = 0

    def choose(self) -> bool:
        """Whether it is native code's turn: mostly the faster one's, now and then that of the other, and more seldom if
        it is much slower."""
        self._asked += 1
        python, native = self._seconds
        every = TRIED_AGAIN if max(python, native) < MUCH * min(python, native) else SELDOM
        return (native <= python) == bool(self._asked % every)

    def note(self, seconds: float, *, by_native: bool) -> None:
        self._seconds[by_native] += (seconds - self._seconds[by_native]) / FORGOTTEN


def _draw_number(state: int, many: int) -> tuple[int, int]:
    """The place of one of so many numbers, of which each order of magnitude above the least is equally likely."""
    state, bits = draw(state)
    bound = 1 << min((bits >> 32) * (many.bit_length() + 1) >> 32, MOST_DIGITS)
    state, bits = draw(state)
    return state, (bits >> 32) * min(bound, many) >> 32


def list_rungs(numbers: range) -> list[int]:
    """Numbers of a range worth trying first: the least, the most, and 1, 2, 5, 10, 20, 50 … above the least.

    >>> list_rungs(range(3, 30))
    [3, 4, 5, 8, 13, 23, 29]
    """
    found = [0]
    step = 1
    while step < len(numbers):
        found += [times * step for times in (1, 2, 5) if times * step < len(numbers) - 1]
        step *= 10
    if len(numbers) > 1:
        found.append(len(numbers) - 1)
    return [numbers[at] for at in found]


def spell_out(choices: Sequence[Choice]) -> list[Choice]:
    """The choices with their numbers said, where one is to be said: those worth trying."""
    found: list[Choice] = []
    for choice in choices:
        if choice and isinstance(choice[-1], range):
            found += [(*choice[:-1], number) for number in list_rungs(choice[-1])]
        else:
            found.append(choice)
    return found

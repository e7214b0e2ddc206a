"""Rollouts: fast random play from a position, to evaluate it.

In: a position, and a seed. Out: the position reached at the end of the round or of the match, or after some number of
decisions. Choices are uniform, except that players rarely act in response windows, and that small numbers are more
likely than large ones.

Native code runs rollouts if available, otherwise Python. Both draw the same random numbers from the seed and reach the
same position (`roll` in `codegen/c/runtime.c`); a rollout that native code cannot complete is repeated in Python.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.lab.bots.reached import Reached
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.program.ir.nodes import Decide
from hoyle.program.model.chance import MASK, draw

if TYPE_CHECKING:
    from hoyle.lab.bots.native_rollout import NativeRollout
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.play.engine.legality import Choice
    from hoyle.program.model.position import Position

ACTS_OUT_OF_TURN = 1 << 61  # of 2**64: how often a player asked in a window does not decline outright
HORIZON = 64  # decisions after which a rollout checks whether it can stop early
MOST_PLAYED = 6 * HORIZON
MOST_DIGITS = 31  # binary digits of drawn numbers
TRIED_AGAIN, SELDOM = 32, 1024  # the slower implementation is timed again every so many rollouts
MUCH = 3.0  # a slower implementation by this factor is timed again seldom
FORGOTTEN = 4.0  # time constant, in rollouts, of the moving average of durations


def find_native_rollout(executor: ReferenceExecutor) -> NativeRollout | None:
    """Native rollouts for an executor, or None if they do not apply: in games with errors that others can call
    (rollouts make only lawful choices, native code does not restrict them), or with the reference executor, which
    matches are played on, so that the code generator is not imported for them."""
    if executor.program.called or not isinstance(executor, GeneratedExecutor):
        return None
    from hoyle.lab.bots.native_rollout import NativeRollout

    return NativeRollout(executor)


class Rollout:
    """Runs rollouts of one program. `whole`: to the end of the match instead of the round; `native`: the native
    implementation, if any."""

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
        """List the lawful choices of the deciding seat."""
        choices = self.list_choices(position)
        if self.executor.program.called and self.executor.in_window(position):
            choices = [*choices, ()]
        return choices or self.executor.list_legal(position)

    def find_out(
        self, position: Position, seed: int, most: int = MOST_PLAYED, until_seat: int | None = None
    ) -> Reached:
        """Run a rollout of at most `most` decisions, and, if `until_seat` is given, up to a decision of that seat. It
        may change the position, which must not be used afterwards."""
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
        """Run a rollout in Python, changing the position."""
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
    """Chooses the faster of native code and Python by measurement: native code plays faster, but positions have to be
    copied to its memory. Since both yield the same result, only the speed depends on the choice."""

    def __init__(self) -> None:
        self._seconds = [0.0, 0.0]
        self._asked = 0

    def choose(self) -> bool:
        """Whether to use native code now: the faster implementation, but periodically the slower one, to time it
        again; less often if it is much slower."""
        self._asked += 1
        python, native = self._seconds
        every = TRIED_AGAIN if max(python, native) < MUCH * min(python, native) else SELDOM
        return (native <= python) == bool(self._asked % every)

    def note(self, seconds: float, *, by_native: bool) -> None:
        self._seconds[by_native] += (seconds - self._seconds[by_native]) / FORGOTTEN


def _draw_number(state: int, many: int) -> tuple[int, int]:
    """Draw an index below `many`, with about equal probability for each binary order of magnitude."""
    state, bits = draw(state)
    bound = 1 << min((bits >> 32) * (many.bit_length() + 1) >> 32, MOST_DIGITS)
    state, bits = draw(state)
    return state, (bits >> 32) * min(bound, many) >> 32


def list_rungs(numbers: range) -> list[int]:
    """List the numbers of a range to try first: the lowest, the highest, and 1, 2, 5, 10, 20, 50 … above the lowest.

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
    """Expand each choice that asks for a number into one per number to try first."""
    found: list[Choice] = []
    for choice in choices:
        if choice and isinstance(choice[-1], range):
            found += [(*choice[:-1], number) for number in list_rungs(choice[-1])]
        else:
            found.append(choice)
    return found

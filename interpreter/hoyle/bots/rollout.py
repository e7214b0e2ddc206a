"""Playing on from a position for a while, fast, to see what comes of it.

In: a position, and chance. Out: the same position, further on: at the end of the round or of the match, or after so
many decisions. Players choose at random, out of turn only now and then, and name small numbers more often than large.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.ir.nodes import Decide

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.legality import Choice
    from hoyle.model.position import Position

ACTS_OUT_OF_TURN = 1 / 8
MOST_PLAYED = 400  # decisions


class Rollout:
    """Plays positions of one program on. `whole`: to the end of the match, not of the round."""

    def __init__(self, executor: ReferenceExecutor, chance: random.Random, *, whole: bool = False) -> None:
        self.executor = executor
        self.chance = chance
        self.whole = whole
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

    def play_on(self, position: Position, most: int = MOST_PLAYED, until_seat: int | None = None) -> None:
        """Play on, at most until the seat is asked again, if one is given."""
        executor, chance = self.executor, self.chance.random
        begun = position.rounds_played
        while most and not position.over and (self.whole or position.rounds_played == begun):
            if until_seat is not None and executor.find_seat(position) == until_seat:
                return
            choices = self.list_options(position)
            if len(choices) > 1 and position.block in self._windows and chance() >= ACTS_OUT_OF_TURN:
                choice = choices[-1]
            else:
                choice = choices[int(chance() * len(choices))] if len(choices) > 1 else choices[0]
            if choice and isinstance(choice[-1], range):
                choice = (*choice[:-1], self.draw_number(choice[-1]))
            executor.advance(position, choice)
            most -= 1

    def draw_number(self, numbers: range) -> int:
        """A number of which each order of magnitude above the least is equally likely."""
        size = 1 << int(self.chance.random() * (len(numbers).bit_length() + 1))
        return numbers[int(self.chance.random() * min(size, len(numbers)))]


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

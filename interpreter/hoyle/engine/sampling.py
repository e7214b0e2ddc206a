"""A complete position that one seat cannot tell from the real one, to search and to play on from.

In: a position, a seat, what it knows, the seats whose stored choices it has not seen, a seed. Out: another position:
cards the seat does not know are dealt anew, choices others have made in secret are chosen anew from what they could
choose, and chance to come is of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from hoyle.engine.faults import Fault
from hoyle.engine.legality import DECLINED, Choice
from hoyle.engine.retrying import Retrying
from hoyle.model.chance import Stream, derive_seed
from hoyle.view.shuffling import Hidden, Redealer

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.model.position import Position

CHANCE, STORED, AGAIN = 2, 3, 4  # paths below the seed of a sample
MOST_DRAWN = 20


class Sampler:
    """Samples positions of one program."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        self.executor = executor
        self.redealer = Redealer(executor.program, executor.effects.sight)
        self.retrying = Retrying(executor)

    def sample(
        self,
        position: Position,
        seat: int | None,
        seed: int,
        masks: Sequence[int] | None = None,
        choosers: Sequence[int] = (),
        hidden: Hidden | None = None,
    ) -> tuple[Position, dict[int, int]]:
        """A position the seat cannot tell from this one, and which card lies where which was. `masks` say who knows
        which card; `choosers` are the seats whose choices are stored at the decision the position stands at; `hidden`
        is what the redealer has prepared, for many samples of one position."""
        sampled, becomes = self.redealer.redeal(position, seat, seed, masks, hidden)
        sampled.random, sampled.script = derive_seed(seed, CHANCE), []
        self._choose_anew(sampled, seat, choosers, seed)
        return sampled, becomes

    def sample_playable(
        self,
        position: Position,
        seat: int | None,
        seed: int,
        masks: Sequence[int],
        choosers: Sequence[int],
        hidden: Hidden,
    ) -> tuple[Position, dict[int, int]]:
        """A sample in which the seat that is to choose can. That it is asked may tell others what it holds: samples in
        which it could not be asked are drawn anew, and if chance never gives one, it holds what it can choose."""
        sampled = self.sample(position, seat, seed, masks, choosers, hidden)
        decide = self.executor.find_decide(position)
        if decide is None or self.executor.find_seat(position) == seat:
            return sampled
        for attempt in range(MOST_DRAWN):
            if self._is_playable(position, sampled[0]):
                return sampled
            sampled = self.sample(position, seat, derive_seed(seed, AGAIN, attempt), masks, choosers, hidden)
        held = set(list_numbers(self.executor.list_legal(position)))
        everybody = (1 << position.players + 1) - 1
        told = [everybody if card in held else mask for card, mask in enumerate(masks)]
        return self.sample(position, seat, seed, told, choosers)

    def _is_playable(self, position: Position, sampled: Position) -> bool:
        try:
            if self.executor.find_seat(sampled) != self.executor.find_seat(position):
                return False
            return bool(self.executor.list_legal(sampled))
        except Fault:
            return False

    def find_begin(self, position: Position, seat: int | None, choosers: Sequence[int]) -> Position | None:
        """The position with what is stored as it is in every sample; None if choices are drawn for one."""
        decide = self.executor.find_decide(position)
        stored = None if decide is None or decide.store is None else position.slots[decide.store]
        if stored and len(choosers) == len(stored) and any(chooser != seat for chooser in choosers):
            return None
        begin = position.copy()
        begin.script = []
        self._choose_anew(begin, seat, choosers, 0)
        return begin

    def _choose_anew(self, position: Position, seat: int | None, choosers: Sequence[int], seed: int) -> None:
        decide = self.executor.find_decide(position)
        if decide is None or decide.store is None:
            return
        stored: tuple[Choice, ...] = position.slots[decide.store] or ()
        decision = self.executor.program.decisions[decide.decision]
        if decision.window:
            # Whether anybody before has claimed shows only when all have been asked.
            if decision.optional:
                position.slots[decide.store] = (DECLINED,) * len(stored)
            return
        if len(choosers) != len(stored):
            return
        stream = Stream(derive_seed(seed, STORED))
        legality = self.executor.evaluator.legality
        anew: list[Any] = []
        for choice, chooser in zip(stored, choosers, strict=True):
            if chooser != seat:
                with suppress(Fault):  # what it could choose from is not there any more: what it chose stands
                    self.executor.evaluator.begin()  # not what was worked out before, which would leave no steps
                    choice = draw_choice(legality.list_legal(decision, chooser, position), stream)
            anew.append(choice)
        position.slots[decide.store] = tuple(anew)


def list_numbers(value: Any) -> Iterator[int]:
    """All whole numbers in a value: cards are among them."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from list_numbers(part)
    elif isinstance(value, int):
        yield value


def draw_choice(legal: Sequence[Choice], stream: Stream) -> Choice:
    """Any of the choices, and any number where one is to be said, small ones more often."""
    choice = legal[stream.below(len(legal))]
    if choice and isinstance(choice[-1], range):
        return (*choice[:-1], draw_number(choice[-1], stream))
    return choice


def draw_number(numbers: range, stream: Stream) -> int:
    """A number such that each order of magnitude above the least is equally likely: players who name prices and bids
    speak of tens more often than of thousands.

    >>> drawn = [draw_number(range(5, 10_000), Stream(seed)) for seed in range(400)]
    >>> min(drawn) == 5, 0.3 < sum(number < 100 for number in drawn) / 400 < 0.7
    (True, True)
    """
    span = len(numbers)
    size = 1 << stream.below(span.bit_length() + 1)
    return numbers[stream.below(min(size, span))]

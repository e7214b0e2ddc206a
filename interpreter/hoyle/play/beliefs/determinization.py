"""Determinization: a complete position that one seat cannot distinguish from the real one, for search and playouts.

In: a position, a seat, what it knows, the seats whose stored choices it has not seen, a seed. Out: another position, in
which cards unknown to the seat are redealt, secret choices of others are redrawn from what they could choose, and
future chance is independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hoyle.play.beliefs.counterfactual import Retrying
from hoyle.play.beliefs.position_sampling import Hidden, Redealer
from hoyle.play.beliefs.windows import Window, find_windows
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import DECLINED, Choice
from hoyle.program.model.chance import Stream, derive_seed

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.program.ir.nodes import Untold
    from hoyle.program.model.position import Position

CHANCE, STORED, AGAIN = 2, 3, 4  # seed derivation paths
MOST_DRAWN = 20


class Sampler:
    """Samples positions of one program."""

    def __init__(self, executor: ReferenceExecutor, untold: Callable[[], Untold]) -> None:
        self.executor = executor
        self._untold = untold
        self.redealer = Redealer(executor.program, executor.effects.sight, untold)
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
        """A position that the seat cannot distinguish from this one, and the mapping from each card to the card now in
        its place. `masks` say which seats know which card; `choosers` are the seats whose choices are stored at the
        current decision; `hidden` is the redealer's preparation, reusable for many samples of one position."""
        sampled, becomes = self.redealer.redeal(position, seat, seed, masks, hidden)
        sampled.random, sampled.script = derive_seed(seed, CHANCE), []
        if sampled.offence is not None and sampled.offence[0] != seat:
            sampled.offence = None  # whether another seat has broken a rule is not known
        elif sampled.offence is not None:
            self.redealer.redeal_record(position, sampled, seat, seed)
        self._choose_anew(sampled, seat, choosers, seed)
        if seat is not None and self.executor.find_decide(position) is not None:
            self._forget_names(sampled, seat, seed)
        return sampled, becomes

    def _forget_names(self, sampled: Position, seat: int, seed: int) -> None:
        """Redraw local values that the seat need not know, among them whom a window asks, and forget those that nothing
        reads any more."""
        secret, live = self._untold().slots.get(sampled.block, ()), self._live[sampled.block]
        window = self._find_window(sampled)
        self.redealer.forget_names(sampled, live | window.read if window else live)
        self.redealer.redraw_names(sampled, seat, secret, seed)
        if window:
            self._ask_anew(sampled, window)
            self.redealer.forget_names(sampled, live)

    def _find_window(self, position: Position) -> Window | None:
        """The window that is open, if whom it asks tells what not all know."""
        window = self._windows.get(position.block)
        return window if window and window.asked in self._untold().slots.get(position.block, ()) else None

    def _ask_anew(self, sampled: Position, window: Window) -> None:
        """Let a window ask whom it would ask in a sample: nothing has happened since it opened. That it asks the seat
        that decides is known; and those before have declined, as far as is known."""
        seat = self.executor.find_seat(sampled)
        asked: tuple[int, ...] = ()
        with suppress(Fault):
            self.executor.evaluator.begin()
            asked = self.executor.value_of(window.listed, None, sampled)
        asked = asked if seat in asked else (seat,)
        slots, before = sampled.slots, asked.index(seat)
        slots[window.asked], slots[window.counter], slots[window.store] = asked, before, (DECLINED,) * before

    @cached_property
    def _windows(self) -> Mapping[int, Window]:
        return find_windows(self.executor.program)

    @cached_property
    def _live(self) -> Mapping[int, frozenset[int]]:
        """By block of a decision: the slots that may still be read."""
        from hoyle.play.codegen.lower.liveness import find_live_when_asked  # only who asks pays for it

        return find_live_when_asked(self.executor.program)

    def sample_playable(
        self,
        position: Position,
        seat: int | None,
        seed: int,
        masks: Sequence[int],
        choosers: Sequence[int],
        hidden: Hidden,
    ) -> tuple[Position, dict[int, int]]:
        """A sample in which the deciding seat has a legal choice. That it is asked may reveal something about its
        cards, so samples in which it could not be asked are rejected; if none is accepted, the cards it can choose stay
        where they are."""
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
        """The position with stored choices fixed as in every sample; None if choices are redrawn for each sample."""
        decide = self.executor.find_decide(position)
        stored = None if decide is None or decide.store is None else position.slots[decide.store]
        if stored and len(choosers) == len(stored) and any(chooser != seat for chooser in choosers):
            return None
        if self._find_window(position):
            return None
        begin = position.copy()
        begin.script = []
        self._choose_anew(begin, seat, choosers, 0)
        return begin

    def _choose_anew(self, position: Position, seat: int | None, choosers: Sequence[int], seed: int) -> None:
        decide = self.executor.find_decide(position)
        if decide is None:
            return
        self.redealer.forget_answers(position, decide.store)
        if decide.store is None:
            return
        stored: tuple[Choice, ...] = position.slots[decide.store] or ()
        decision = self.executor.program.decisions[decide.decision]
        if decision.window:
            # Whether an earlier seat has claimed becomes known only after all have been asked.
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
                with suppress(Fault):  # nothing legal in the redealt position: keep the real choice
                    self.executor.evaluator.begin()  # resets the step count, which would otherwise run out
                    choice = draw_choice(legality.list_legal(decision, chooser, position), stream)
            anew.append(choice)
        position.slots[decide.store] = tuple(anew)


def list_numbers(value: Any) -> Iterator[int]:
    """All integers nested in a value; cards are among them."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from list_numbers(part)
    elif isinstance(value, int):
        yield value


def draw_choice(legal: Sequence[Choice], stream: Stream) -> Choice:
    """A random choice; an open number is drawn so that small ones are more likely."""
    choice = legal[stream.below(len(legal))]
    if choice and isinstance(choice[-1], range):
        return (*choice[:-1], draw_number(choice[-1], stream))
    return choice


def draw_number(numbers: range, stream: Stream) -> int:
    """A number for which each order of magnitude above the minimum is equally likely: players who name prices and bids
    rarely go far above the minimum.

    >>> drawn = [draw_number(range(5, 10_000), Stream(seed)) for seed in range(400)]
    >>> min(drawn) == 5, 0.3 < sum(number < 100 for number in drawn) / 400 < 0.7
    (True, True)
    """
    span = len(numbers)
    size = 1 << stream.below(span.bit_length() + 1)
    return numbers[stream.below(min(size, span))]

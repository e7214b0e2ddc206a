"""Habits of players at random and of bots: out of turn they act only now and then, and where errors can be made they
err now and then.

In: how often they err, and the seed of a match; what is offered. Out: what is to be chosen from. In games that know
neither windows nor errors that are called, that is everything, and no chance is used. See docs/random.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.engine.legality import DECLINED, Choice, is_permitted
from hoyle.model.chance import derive_seed, draw

if TYPE_CHECKING:
    from hoyle.engine.drawing import Chooser
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.ir.nodes import Program
    from hoyle.model.position import Position

HABITS = 1 << 40  # a path of its own below the seed of a match, beside those of the seats
ALWAYS = 1 << 64
ACTS_OUT_OF_TURN = ALWAYS // 8  # players that used every chance to interrupt would never let each other play


def find_chances(share: float) -> int:
    """Of how many in 2**64 chances something happens that happens so often."""
    if isinstance(share, str) or not 0 <= share <= 1:
        raise ValueError(f"the share of errors is from 0 to 1, not {share!r}")
    return int(share * ALWAYS)


class Habits:
    """Decides when a player holds back and when he errs: he errs at a share `errors` of his own decisions; of all those
    asked in a window, one errs as often. It is part of how a game is simulated, not of what a seat knows."""

    __slots__ = ("_errs", "_seed", "_state")

    def __init__(self, errors: float, seed: int) -> None:
        self._errs = find_chances(errors)
        self._seed = seed
        self._state: int | None = None

    def narrow(
        self, executor: ReferenceExecutor, position: Position, choices: Sequence[Choice], *, thinks: bool = False
    ) -> Sequence[Choice]:
        """What the seat that is asked is to choose from: in a window mostly to decline, unless it is one that thinks;
        otherwise what is lawful, or, when it errs, only what is not."""
        if not have_effect(executor.program):
            return choices
        out_of_turn = executor.in_window(position)
        if executor.program.called:
            lawful = executor.list_lawful(position)
            kept: list[Choice] = []
            wrong: list[Choice] = []
            for choice in choices:
                (kept if not choice or is_permitted(choice, lawful) else wrong).append(choice)
            errs = self._errs // position.players if out_of_turn else self._errs
            if wrong and (not kept or self._happens(errs)):
                return wrong
            choices = kept
        if out_of_turn and not thinks and len(choices) > 1 and not self.acts():
            return [DECLINED]
        return choices

    def acts(self) -> bool:
        """Whether a player who could act out of turn thinks of it."""
        return self._happens(ACTS_OUT_OF_TURN)

    def _happens(self, chances: int) -> bool:
        """Whether something happens that has so many chances in 2**64."""
        if not chances:
            return False
        self._state, bits = draw(derive_seed(self._seed, HABITS) if self._state is None else self._state)
        return bits < chances

    def guide(self, choose: Chooser, executor: ReferenceExecutor, position: Position) -> Chooser:
        """A chooser for the position that keeps these habits."""
        if not have_effect(executor.program):
            return choose
        return lambda choices: choose(self.narrow(executor, position, choices))


def have_effect(program: Program) -> bool:
    """Whether a game knows windows, or errors that are called."""
    return program.called or any(decision.window for decision in program.decisions)

"""Behaviour of random players and bots: out of turn they act only rarely, and where offences are possible they commit
one now and then.

In: the error rate and the seed of a match; the offered choices. Out: the choices to consider. In games without windows
or callable offences these are all choices, and no random numbers are used. See docs/dev/random.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING

from hoyle.play.engine.legality import DECLINED, Choice, is_permitted
from hoyle.program.model.chance import derive_seed, draw

if TYPE_CHECKING:
    from hoyle.play.engine.drawing import Chooser
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.program.ir.nodes import Program
    from hoyle.program.model.position import Position

HABITS = 1 << 40  # seed derivation path, distinct from those of the seats
ALWAYS = 1 << 64
ACTS_OUT_OF_TURN = ALWAYS // 8  # players that used every chance to interrupt would never let each other play


def find_chances(share: float) -> int:
    """A probability as a number of chances in 2**64."""
    if not isinstance(share, Real) or not 0 <= share <= 1:
        raise ValueError(f"the share of errors is from 0 to 1, not {share!r}")
    return int(float(share) * ALWAYS)


class Habits:
    """Decides when a player holds back and when it commits an offence: at the rate `errors` at its own decisions; in a
    window, the same rate is divided among all players. Part of the simulation of a game, not of what a seat knows."""

    __slots__ = ("_errs", "_seed", "_state")

    def __init__(self, errors: float, seed: int) -> None:
        self._errs = find_chances(errors)
        self._seed = seed
        self._state: int | None = None

    def narrow(
        self, executor: ReferenceExecutor, position: Position, choices: Sequence[Choice], *, thinks: bool = False
    ) -> Sequence[Choice]:
        """The choices that the deciding seat should consider: in a window usually only declining, unless it `thinks`;
        otherwise the lawful ones, or, when it errs, only the others."""
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
        """Whether a player that could act out of turn considers it this time."""
        return self._happens(ACTS_OUT_OF_TURN)

    def _happens(self, chances: int) -> bool:
        """Draw whether something with so many chances in 2**64 happens."""
        if not chances:
            return False
        self._state, bits = draw(derive_seed(self._seed, HABITS) if self._state is None else self._state)
        return bits < chances

    def guide(self, choose: Chooser, executor: ReferenceExecutor, position: Position) -> Chooser:
        """Wrap a chooser so that it has these habits in the position."""
        if not have_effect(executor.program):
            return choose
        return lambda choices: choose(self.narrow(executor, position, choices))


def have_effect(program: Program) -> bool:
    """Whether a game has windows or callable offences."""
    return program.called or any(decision.window for decision in program.decisions)

"""Control flow of a program: a list of blocks, each a run of instructions and one terminator.

In: expressions and instructions. Out: the terminators, which say where the game goes on, and `Block`.
"""

from __future__ import annotations

from typing import ClassVar

from hoyle.dataclass import dataclass
from hoyle.ir.expressions import ClauseId, Expr
from hoyle.ir.instructions import Instruction, Touches, Uses, using
from hoyle.ir.parts import Part, Touch, Use

_CHOSEN = (Touch(Part.SLOTS), Touch(Part.OFFENCE))

BlockId = int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a block ends. `writes` is what following it changes, `uses` what its expressions are used for; None, and what
    is not named, stand for everything, and for what is told to all."""

    writes: ClassVar[Touches | None] = None
    uses: ClassVar[Uses] = using()


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump(Ending):
    """`clause` is the line that leads on: an `end`, or a condition that is decided before the game begins; `held` says
    which way that was."""

    writes = ()

    to: BlockId
    clause: ClauseId | None = None
    held: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Ending):
    """`clause` is the line whose condition this is."""

    writes = ()

    test: Expr
    yes: BlockId
    no: BlockId
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Ending):
    """The game stops: `seat` chooses from `decision`.

    Without `store` the chosen action's effects run at once (as `Perform` does) and the game goes on at `to`.
    With `store` the choice, a tuple (action number, pick, …), is appended to the list in that slot, nobody is told,
    and the game goes on at `to`."""

    writes = _CHOSEN

    decision: int
    seat: Expr
    store: int | None
    to: BlockId
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Perform(Ending):
    """Run the effects of the stored choice `choice` (a value of a slot list) made by `seat`, then go on at `to`.
    A choice of `()` is a declined one and does nothing. With `decision` it is a claim made in a window: everybody is
    told of it now, and it may be an offence."""

    writes = _CHOSEN
    uses = using(choice=Use.KEPT)

    choice: Expr
    seat: Expr
    to: BlockId
    decision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter(Ending):
    """Run a step as a subroutine: its return slot becomes `to`, the game goes on at its entry. `clause` is the line
    that does it."""

    writes = (Touch(Part.SLOTS),)

    step: int
    to: BlockId
    clause: ClauseId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Ending):
    """Go on at the block in the return slot, which becomes -1 (not running)."""

    writes = (Touch(Part.SLOTS, "slot"),)

    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish(Ending):
    """The match is over."""

    writes = ()


Terminator = Jump | Branch | Decide | Perform | Enter | Return | Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    instructions: tuple[Instruction, ...]
    end: Terminator

"""Control flow graph of a program: basic blocks, each a sequence of instructions and one terminator.

In: expressions and instructions. Out: the terminators, and `Block`.
"""

from __future__ import annotations

from typing import ClassVar

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.expressions import ClauseId, Expr
from hoyle.program.ir.instructions import Instruction, Touches, Uses, using
from hoyle.program.ir.parts import Part, Touch, Use

_CHOSEN = (Touch(Part.SLOTS), Touch(Part.OFFENCE))

BlockId = int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Base of terminators. `writes` are the effects of following it, `uses` the roles of its expressions; None means
    any effect, and an expression without a declared role is public."""

    writes: ClassVar[Touches | None] = None
    uses: ClassVar[Uses] = using()


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump(Ending):
    """`clause` is the source line: an `end`, or a condition decided at compile time; `held` is then its value."""

    writes = ()

    to: BlockId
    clause: ClauseId | None = None
    held: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Ending):
    """`clause` is the line of the condition."""

    writes = ()

    test: Expr
    yes: BlockId
    no: BlockId
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Ending):
    """Stop for a decision: `seat` chooses from `decision`.

    Without `store` the effects of the chosen action are executed at once, as by `Perform`, and control continues at
    `to`. With `store` the choice, a tuple (action number, pick, …), is appended to the list in that slot, only the seat
    itself is told, and control continues at `to`."""

    writes = _CHOSEN

    decision: int
    seat: Expr
    store: int | None
    to: BlockId
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Perform(Ending):
    """Execute the effects of the stored choice `choice` made by `seat`, then continue at `to`. The choice `()` declines
    and does nothing. With `decision` it is a claim made in a window: it is announced to all now, and may be an
    offence."""

    writes = _CHOSEN
    uses = using(choice=Use.KEPT)

    choice: Expr
    seat: Expr
    to: BlockId
    decision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter(Ending):
    """Call a step as a subroutine: its return slot is set to `to`, and control continues at its entry. `clause` is the
    calling line."""

    writes = (Touch(Part.SLOTS),)

    step: int
    to: BlockId
    clause: ClauseId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Ending):
    """Continue at the block in the return slot, which is reset to -1 (not running)."""

    writes = (Touch(Part.SLOTS, "slot"),)

    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish(Ending):
    """End the match."""

    writes = ()


Terminator = Jump | Branch | Decide | Perform | Enter | Return | Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    instructions: tuple[Instruction, ...]
    end: Terminator

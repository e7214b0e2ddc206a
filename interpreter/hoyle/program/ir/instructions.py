"""Instructions of a program: each is one atomic change of the position.

In: their operand expressions. Out: the node classes to which the checker lowers statements, each with declared effects
and with the roles of its operands. Analyses rely on these declarations and name no instruction.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.expressions import ClauseId, Expr
from hoyle.program.ir.parts import Part, Touch, Use

Touches = tuple[Touch, ...]
Uses = Mapping[str, Use]

_CARDS = (Touch(Part.ZONES), Touch(Part.HOLDERS), Touch(Part.FACES))
_SHEET = (Touch(Part.TOTALS), Touch(Part.LINES))


def using(**uses: Use) -> Uses:
    return MappingProxyType(uses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One atomic change of the position; `clause` is the source line."""

    # Effects beyond reading its operands; None means undeclared, and is taken as any effect. `uses` gives the roles of
    # operands; an operand without a declared role is public.
    reads: ClassVar[Touches | None] = None
    writes: ClassVar[Touches | None] = None
    uses: ClassVar[Uses] = using()

    clause: ClauseId


def touches_zones(instruction: Instruction) -> bool:
    """Whether it may change the contents or the order of zones."""
    return _may_write(instruction, Part.ZONES)


def touches_states(instruction: Instruction) -> bool:
    """Whether it may change a state; pots are states."""
    return _may_write(instruction, Part.STATES)


def changes_holders(instruction: Instruction) -> bool:
    """Whether it may move cards between zones."""
    return _may_write(instruction, Part.HOLDERS)


def removes_seats(instruction: Instruction) -> bool:
    """Whether it may remove a seat from the match."""
    return instruction.writes is None or Touch(Part.SEATS) in instruction.writes


def list_slots_set(instruction: Instruction) -> set[int]:
    """The slots that it definitely assigns."""
    found: set[int] = set()
    for touch in instruction.writes or ():
        if touch.part is Part.SLOTS:
            held = getattr(instruction, touch.field)
            found.update(held if isinstance(held, tuple) else (held,))
    return found


_MAY_WRITE: dict[tuple[type, Part], bool] = {}  # a cache: queried for every executed instruction


def _may_write(instruction: Instruction, part: Part) -> bool:
    key = (type(instruction), part)
    found = _MAY_WRITE.get(key)
    if found is None:
        found = any(touch.part in (part, Part.ALL) for touch in instruction.writes or (Touch(Part.ALL),))
        _MAY_WRITE[key] = found
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Gather(Instruction):
    """Move all cards of the deck into a zone, in deck order."""

    reads = ()
    writes = _CARDS
    uses = using(zone=Use.GATHERED)

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Instruction):
    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.ZONES),)
    uses = using(zone=Use.MIXED)

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Instruction):
    """Cut a zone at a random place with at least one card on each side; the lower part goes on top."""

    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.ZONES),)
    uses = using(zone=Use.MIXED)

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Instruction):
    """Deal `count` cards (None: all there are) to each of the zones in turn, `packet` at a time, from the top of
    `source`. `targets` is a list of zones in dealing order. Too few cards are a fault unless `up_to`."""

    reads = (Touch(Part.ZONES),)
    writes = _CARDS
    uses = using(source=Use.FROM, targets=Use.INTO)

    count: Expr | None
    up_to: bool
    source: Expr
    targets: Expr
    packet: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Instruction):
    """Move cards (a list) onto a zone in list order, or below its cards."""

    reads = (Touch(Part.ZONES),)
    writes = _CARDS
    uses = using(cards=Use.HANDLED, zone=Use.INTO, bottom=Use.UNDER)

    cards: Expr
    zone: Expr
    bottom: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver(Instruction):
    """Turn a zone upside down: its order is reversed, and where faces are tracked, each card is flipped."""

    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.ZONES), Touch(Part.FACES))
    uses = using(zone=Use.TURNED)

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUp(Instruction):
    """Turn cards (a list) face up, in zones that show `face_up`; nothing moves."""

    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.FACES),)
    uses = using(cards=Use.SHOWN)

    cards: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDown(Instruction):
    """Turn cards (a list) face down, in zones that show `face_up`; nothing moves."""

    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.FACES),)
    uses = using(cards=Use.HANDLED)

    cards: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Instruction):
    reads = (Touch(Part.ZONES),)
    writes = _CARDS
    uses = using(first=Use.EXCHANGED, second=Use.EXCHANGED)

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Instruction):
    """Show the cards (a list) to the seats (a list); nothing moves."""

    reads = ()
    writes = ()
    uses = using(cards=Use.SHOWN, seats=Use.AUDIENCE)

    cards: Expr
    seats: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState(Instruction):
    """Assign a state; `value` None resets it to its initial value."""

    reads = (Touch(Part.STATES, "state"),)
    writes = (Touch(Part.STATES, "state"),)
    uses = using(value=Use.STATED)

    state: int
    owner: Expr | None
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTo(Instruction):
    """Add a value to a list in state, or remove it. In a list with `most`, values are appended (a fault beyond that
    length), and the first occurrence is removed. Lists without `most` that hold seats are sets in seat order."""

    reads = (Touch(Part.STATES, "state"),)
    writes = (Touch(Part.STATES, "state"),)
    uses = using(value=Use.STATED)

    state: int
    owner: Expr | None
    value: Expr
    remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleList(Instruction):
    """Shuffle a list in state."""

    reads = (Touch(Part.STATES, "state"),)
    writes = (Touch(Part.STATES, "state"),)

    state: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Instruction):
    reads = ()
    writes = (Touch(Part.SLOTS, "slot"),)
    uses = using(value=Use.KEPT)

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Instruction):
    """Bind a random element of a list (`pick x at random from L`); an empty list is a fault."""

    reads = ()
    writes = (Touch(Part.SLOTS, "slot"),)
    uses = using(source=Use.HANDLED)

    slot: int
    source: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Instruction):
    """Add `amount` to the seat's total in `column` (by number), as an entry of the ledger.

    With `side` the seat stands for its team, which keeps one score. A row of a score table (named by `table`) that
    comes to 0 writes nothing; `parts` are the amounts of its groups, so that they can be counted aloud."""

    reads = _SHEET
    writes = (Touch(Part.TOTALS, "column"), Touch(Part.LINES))

    amount: Expr
    seat: Expr
    column: int
    label: str
    table: str = ""
    parts: Expr | None = None
    side: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Instruction):
    """Put the mark (by number) on the seat's line of this round."""

    reads = (Touch(Part.LINES),)
    writes = (Touch(Part.LINES),)

    seat: Expr
    mark: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay(Instruction):
    """Move chips from one pot to another: `amount` of them, or all (None). Paying more than there is is a fault unless
    the pot allows debt; paying nothing changes nothing."""

    reads = (Touch(Part.STATES, "source"), Touch(Part.STATES, "target"))
    writes = (Touch(Part.STATES, "source"), Touch(Part.STATES, "target"))

    amount: Expr | None
    source: int
    source_owner: Expr | None
    target: int
    target_owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Instruction):
    """Remove the seat from the match: it is no longer among the seats, and neighbours skip it."""

    reads = ()
    writes = (Touch(Part.SEATS),)

    seat: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Instruction):
    """Announce a value of any type to all. For a text, `parts` are the values that it contains in braces, in order of
    first occurrence."""

    reads = ()
    writes = ()

    value: Expr
    parts: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep(Instruction):
    """Record the position at the beginning of a step, for `TakeBack`."""

    reads = ()
    writes = (Touch(Part.OFFENCE),)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Instruction):
    """Restore zones, states, totals, lines, last holders, faces and retired seats to what they were before the offence
    on record, and clear the record; or, for the seat, to what they were when `step` began, which stays on record. Does
    nothing without a record. What seats have seen, random state, local variables and program counter are not
    restored."""

    reads = (Touch(Part.OFFENCE),)
    writes = (
        Touch(Part.ZONES, restored=True),
        Touch(Part.HOLDERS, restored=True),
        Touch(Part.FACES, restored=True),
        *_SHEET,
        Touch(Part.STATES),
        Touch(Part.SEATS, restored=True),
        Touch(Part.OFFENCE),
    )

    step: str = ""
    seat: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginRound(Instruction):
    """Reset states that last a round to their initial values."""

    reads = ()
    writes = (Touch(Part.STATES, fleeting=True),)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRound(Instruction):
    """Increment the number of completed rounds."""

    reads = (Touch(Part.ROUNDS),)
    writes = (Touch(Part.ROUNDS),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Instruction):
    """Abandon the active steps and actions out of which an `end` jumps: their return slots are reset to -1 (not
    running)."""

    reads = ()
    writes = (Touch(Part.SLOTS, "slots"),)

    slots: tuple[int, ...]

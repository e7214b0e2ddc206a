"""Instructions of a program: each is one atomic change of the position.

In: the expressions they are said with. Out: the node classes that the checker lowers statements to, each with what it
reads and writes besides its expressions, and what it uses those for. Analyses read that and name no instruction.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from hoyle.dataclass import dataclass
from hoyle.ir.expressions import ClauseId, Expr
from hoyle.ir.parts import Part, Touch, Use

Touches = tuple[Touch, ...]
Uses = Mapping[str, Use]

_CARDS = (Touch(Part.ZONES), Touch(Part.HOLDERS), Touch(Part.FACES))
_SHEET = (Touch(Part.TOTALS), Touch(Part.LINES))


def using(**uses: Use) -> Uses:
    return MappingProxyType(uses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One atomic change of the position; `clause` says which line of which rule it is."""

    # What it reads besides its expressions, and what it changes; None says nothing, and stands for everything. `uses`
    # says what it does with its expressions; what is not named there is told to all.
    reads: ClassVar[Touches | None] = None
    writes: ClassVar[Touches | None] = None
    uses: ClassVar[Uses] = using()

    clause: ClauseId


def touches_zones(instruction: Instruction) -> bool:
    """Whether it may move cards, so that piles come or go."""
    return _may_write(instruction, Part.ZONES)


def touches_states(instruction: Instruction) -> bool:
    """Whether it may change a state, a pot among them."""
    return _may_write(instruction, Part.STATES)


def changes_holders(instruction: Instruction) -> bool:
    """Whether it may move cards from one zone to another."""
    return _may_write(instruction, Part.HOLDERS)


def removes_seats(instruction: Instruction) -> bool:
    """Whether a seat may leave the match by it."""
    return instruction.writes is None or Touch(Part.SEATS) in instruction.writes


def list_slots_set(instruction: Instruction) -> set[int]:
    """The slots it sets for certain."""
    found: set[int] = set()
    for touch in instruction.writes or ():
        if touch.part is Part.SLOTS:
            held = getattr(instruction, touch.field)
            found.update(held if isinstance(held, tuple) else (held,))
    return found


_MAY_WRITE: dict[tuple[type, Part], bool] = {}  # asked of every instruction that is carried out


def _may_write(instruction: Instruction, part: Part) -> bool:
    key = (type(instruction), part)
    found = _MAY_WRITE.get(key)
    if found is None:
        found = any(touch.part in (part, Part.ALL) for touch in instruction.writes or (Touch(Part.ALL),))
        _MAY_WRITE[key] = found
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Gather(Instruction):
    """All cards of the deck into a zone, in the order of the deck."""

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
    """Chance divides the zone, leaving at least one card on each side; the lower part goes on top."""

    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.ZONES),)
    uses = using(zone=Use.MIXED)

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Instruction):
    """`count` cards (None: all there are) to each of the zones in turn, `packet` at a time, off the top of `source`.
    `targets` is a list of zones in dealing order. Running short is a fault unless `up_to`."""

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
    """Cards (a list) onto a zone in list order, or under it."""

    reads = (Touch(Part.ZONES),)
    writes = _CARDS
    uses = using(cards=Use.HANDLED, zone=Use.INTO, bottom=Use.UNDER)

    cards: Expr
    zone: Expr
    bottom: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver(Instruction):
    """The zone upside down: its order reversed; where cards lie face up or face down, each shows its other side."""

    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.ZONES), Touch(Part.FACES))
    uses = using(zone=Use.TURNED)

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUp(Instruction):
    """Cards (a list) lie with their faces up from now on, in zones that show `face_up`; nothing moves."""

    reads = (Touch(Part.ZONES),)
    writes = (Touch(Part.FACES),)
    uses = using(cards=Use.SHOWN)

    cards: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDown(Instruction):
    """Cards (a list) lie with their faces down from now on, in zones that show `face_up`; nothing moves."""

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
    """The seats (a list) learn the cards (a list); nothing moves."""

    reads = ()
    writes = ()
    uses = using(cards=Use.SHOWN, seats=Use.AUDIENCE)

    cards: Expr
    seats: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState(Instruction):
    """`value` None puts the state back to its start."""

    reads = (Touch(Part.STATES, "state"),)
    writes = (Touch(Part.STATES, "state"),)
    uses = using(value=Use.STATED)

    state: int
    owner: Expr | None
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTo(Instruction):
    """A value joins (or leaves) a state that is a list. In one that has a `most`, it comes at the end, where more than
    that are a fault, and the first such leaves; in others seats are kept in seat order, each once."""

    reads = (Touch(Part.STATES, "state"),)
    writes = (Touch(Part.STATES, "state"),)
    uses = using(value=Use.STATED)

    state: int
    owner: Expr | None
    value: Expr
    remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleList(Instruction):
    """Chance puts the elements of a state that is a list in another order."""

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
    """Chance names one element of a list (`pick x at random from L`); from nothing is a fault."""

    reads = ()
    writes = (Touch(Part.SLOTS, "slot"),)
    uses = using(source=Use.HANDLED)

    slot: int
    source: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Instruction):
    """`amount` is added to the seat's total in `column` (by number) and becomes an entry of the ledger.

    With `side` the seat stands for its team, which keeps one score. A row of a score table (`table` names it) that
    comes to 0 writes nothing; `parts` are the amounts it is made of, one for each group that scores, so that it can be
    counted aloud."""

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
    """The seat's line of this round bears the mark (by number) from now on."""

    reads = (Touch(Part.LINES),)
    writes = (Touch(Part.LINES),)

    seat: Expr
    mark: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay(Instruction):
    """Chips go from one pot to another: `amount` of them, or all there are (None). More than there are is a fault
    unless the pot may be in debt; nothing at all is no change."""

    reads = (Touch(Part.STATES, "source"), Touch(Part.STATES, "target"))
    writes = (Touch(Part.STATES, "source"), Touch(Part.STATES, "target"))

    amount: Expr | None
    source: int
    source_owner: Expr | None
    target: int
    target_owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Instruction):
    """The seat leaves the match: it is no longer among the seats, and neighbours are counted past it."""

    reads = ()
    writes = (Touch(Part.SEATS),)

    seat: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Instruction):
    """A public event; `value` may be of any type. Of a text, `parts` are the values that stand in it in braces, in
    the order in which they are first named."""

    reads = ()
    writes = ()

    value: Expr
    parts: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Instruction):
    """Zones, states, totals, lines and last holders become what they were before the offence on record, and the record
    is cleared. Nothing happens if there is none. What seats have seen, chance, local names and the place in the program
    stay as they are."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginRound(Instruction):
    """State that lasts a round goes back to its start."""

    reads = ()
    writes = (Touch(Part.STATES, fleeting=True),)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRound(Instruction):
    """One more round has been played."""

    reads = (Touch(Part.ROUNDS),)
    writes = (Touch(Part.ROUNDS),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Instruction):
    """An `end` jumps out of steps and actions: these return slots of theirs become -1 (not running)."""

    reads = ()
    writes = (Touch(Part.SLOTS, "slots"),)

    slots: tuple[int, ...]

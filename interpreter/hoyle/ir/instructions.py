"""Instructions of a program: each is one atomic change of the position.

In: the expressions they are said with. Out: the node classes that the checker lowers statements to.
"""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.ir.expressions import ClauseId, Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One atomic change of the position; `clause` says which line of which rule it is."""

    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Gather(Instruction):
    """All cards of the deck into a zone, in the order of the deck."""

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Instruction):
    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Instruction):
    """Chance divides the zone, leaving at least one card on each side; the lower part goes on top."""

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Instruction):
    """`count` cards (None: all there are) to each of the zones in turn, `packet` at a time, off the top of `source`.
    `targets` is a list of zones in dealing order. Running short is a fault unless `up_to`."""

    count: Expr | None
    up_to: bool
    source: Expr
    targets: Expr
    packet: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Instruction):
    """Cards (a list) onto a zone in list order, or under it."""

    cards: Expr
    zone: Expr
    bottom: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver(Instruction):
    """The zone upside down: its order reversed."""

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Instruction):
    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Instruction):
    """The seats (a list) learn the cards (a list); nothing moves."""

    cards: Expr
    seats: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState(Instruction):
    """`value` None puts the state back to its start."""

    state: int
    owner: Expr | None
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTo(Instruction):
    """A value joins (or leaves) a state that is a list. In one that has a `most`, it comes at the end, where more than
    that are a fault, and the first such leaves; in others seats are kept in seat order, each once."""

    state: int
    owner: Expr | None
    value: Expr
    remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleList(Instruction):
    """Chance puts the elements of a state that is a list in another order."""

    state: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Instruction):
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Instruction):
    """Chance names one element of a list (`pick x at random from L`); from nothing is a fault."""

    slot: int
    source: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Instruction):
    """`amount` is added to the seat's total in `column` (by number) and becomes an entry of the ledger.

    With `side` the seat stands for its team, which keeps one score. A row of a score table (`table` names it) that
    comes to 0 writes nothing; `parts` are the amounts it is made of, one for each group that scores, so that it can be
    counted aloud."""

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

    seat: Expr
    mark: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay(Instruction):
    """Chips go from one pot to another: `amount` of them, or all there are (None). More than there are is a fault
    unless the pot may be in debt; nothing at all is no change."""

    amount: Expr | None
    source: int
    source_owner: Expr | None
    target: int
    target_owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Instruction):
    """The seat leaves the match: it is no longer among the seats, and neighbours are counted past it."""

    seat: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Instruction):
    """A public event; `value` may be of any type."""

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Instruction):
    """Zones, states, totals, lines and last holders become what they were before the offence on record, and the record
    is cleared. Nothing happens if there is none. What seats have seen, chance, local names and the place in the program
    stay as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginRound(Instruction):
    """State that lasts a round goes back to its start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRound(Instruction):
    """One more round has been played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Instruction):
    """An `end` jumps out of steps and actions: these return slots of theirs become -1 (not running)."""

    slots: tuple[int, ...]

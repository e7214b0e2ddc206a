"""The abstract syntax of the rule language: one frozen node class per form; locations are ignored by equality.

In: nothing. Out: the node classes that `parse` builds and the checker reads.
"""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.source import Span
from hoyle.program.ir import nodes as ir


@dataclass(frozen=True, slots=True)
class Word:
    """A name as it is written, with its location."""

    id: str
    span: Span = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name in the game: `use` of a module may rename what the module declares."""
        return self.span.source.renames.get(self.id, self.id)


# ------------------------------------------------------------------------------------------------ expressions
@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    span: Span = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name in the game of what is named, with `of` or without; empty for other expressions."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Expr):
    id: str

    @property
    def name(self) -> str:
        return self.span.source.renames.get(self.id, self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Int(Expr):
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Expr):
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Of(Expr):
    """`WORD of X`."""

    word: Word
    arg: Expr

    @property
    def name(self) -> str:
        return self.word.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregated(Expr):
    """`sum points of hand`: the word is applied to each element, then the aggregate. Without a word: `sum of
    numbers`."""

    how: str
    word: Word | None
    arg: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOf(Expr):
    """`top of X`, `bottom 2 of X`, `all but top of X`."""

    which: Literal["top", "bottom"]
    number: Expr | None
    but: bool
    arg: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Each(Expr):
    """`each hand`, `each suit`: all members of a family or values of a type, as a list."""

    word: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPile(Expr):
    """`new surplus`: the first empty pile of a family."""

    family: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Expr):
    """`+ - * div mod ..`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative(Expr):
    arg: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(Expr):
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class IsA(Expr):
    """`X is NAME`, `X is not NAME`."""

    arg: Expr
    word: Word
    negated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IsIn(Expr):
    arg: Expr
    list: Expr
    negated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Relates(Expr):
    """`X fits Y`: a relation defined by the game."""

    left: Expr
    word: Word
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class CanDo(Expr):
    """`seat can draw`, `seat may draw`."""

    seat: Expr
    how: Literal["can", "may"]
    action: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Expr):
    """`some x in L TEST`; without `in`, the name is that of a zone or a type."""

    how: Literal["some", "every", "no"]
    word: Word
    source: Expr | None
    test: Expr
    satisfies: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Expr):
    """An expression in parentheses."""

    body: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Best:
    how: Literal["highest", "lowest"]
    key: Expr


@dataclass(frozen=True, slots=True)
class Binding:
    """`x in L from S where C by lowest K`; without `source`, the name determines what it ranges over."""

    word: Word
    source: Expr | None
    start: Expr | None
    where: Expr | None
    span: Span = field(compare=False, repr=False)
    by: tuple[Best, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Those(Expr):
    """`(x in L where C with highest K)`, `(E for x in L …)`."""

    value: Expr | None
    binding: Binding
    orders: tuple[Best, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Division(Expr):
    """`(x in division of L where C leaving lowest K)`."""

    word: Word
    source: Expr
    where: Expr
    weight: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Not(Expr):
    arg: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic(Expr):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Expr):
    """`A if C otherwise B`."""

    yes: Expr
    test: Expr
    no: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class OrElse(Expr):
    first: Expr
    second: Expr


# ------------------------------------------------------------------------------------------------ menus and picks
@dataclass(frozen=True, slots=True)
class Item:
    action: Word
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Menu:
    tiers: tuple[tuple[Item, ...], ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pick:
    """The domain of an action's parameter: a list, any value of a kind, or groups of elements of a list."""

    kind: Word | None
    count: Expr | None
    source: Expr | None
    where: Expr | None
    span: Span = field(compare=False, repr=False)
    or_more: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """The key of a definition or step: `points of card`, `cards is run`, `card fits pile`."""

    form: Literal["plain", "function", "adjective", "relation"]
    name: Word
    params: tuple[Word, ...]
    span: Span = field(compare=False, repr=False)


# ------------------------------------------------------------------------------------------------ statements
@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """`becomes` are the instructions that a statement itself may be lowered to (none known: it may change anything);
    `rulebook` says it to people, if that needs no more than the names of its parts, in braces; what says `each
    player` speaks of `seat` as him."""

    becomes: ClassVar[tuple[type[ir.Instruction], ...] | None] = None
    rulebook: ClassVar[str] = ""

    span: Span = field(compare=False, repr=False)
    cite: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OnZone(Statement):
    """`gather`, `shuffle`, `cut`, `turn over` a zone."""

    becomes = (ir.Gather, ir.Shuffle, ir.Cut, ir.TurnOver, ir.ShuffleList)

    verb: Literal["gather", "shuffle", "cut", "turn over"]
    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Statement):
    """`count` None is `all`; `start` None is permitted where no target depends on seats. `among` is what `each seat` of
    `ZONE of each seat in LIST` runs over."""

    becomes = (ir.Deal,)

    count: Expr | None
    up_to: bool
    source: Expr
    targets: tuple[Expr, ...]
    among: Expr | None
    packet: Expr | None
    start: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Statement):
    becomes = (ir.Move,)

    cards: Expr
    zone: Expr
    bottom: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Statement):
    becomes = (ir.Swap,)
    rulebook = "{first} and {second} are exchanged"

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Statement):
    """`pass each ZONE to SEAT of its owner`: in `target`, the owner is `seat`."""

    becomes = (ir.Move,)
    rulebook = "each player passes {zone} to {target}"

    zone: Name
    target: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Statement):
    becomes = (ir.TurnUp, ir.TurnDown)

    cards: Expr
    up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Statement):
    becomes = (ir.Show,)
    rulebook = "{cards} is shown to {seats}"

    cards: Expr
    seats: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Set(Statement):
    """`value` None is `clear`."""

    becomes = (ir.SetState,)

    target: Expr
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTo(Statement):
    becomes = (ir.AddTo,)

    value: Expr
    target: Expr
    remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Statement):
    becomes = (ir.Let,)

    word: Word
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Statement):
    becomes = (ir.Draw,)

    word: Word
    source: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Statement):
    becomes = (ir.Score,)

    amount: Expr
    seat: Expr
    column: Word | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Statement):
    becomes = (ir.Mark,)

    seat: Expr
    mark: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay(Statement):
    """`amount` None is `all`."""

    becomes = (ir.Pay,)

    amount: Expr | None
    source: Expr
    target: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(Statement):
    becomes = (ir.Retire,)
    rulebook = "{seat} leaves the game"

    seat: Expr


@dataclass(frozen=True, slots=True)
class StepCase:
    """One case of a step: its name, condition, statements, text and citations."""

    word: Word
    when: Expr | None
    do: tuple[Statement, ...]
    text: str
    cite: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases(Statement):
    """The named cases of a step: the first whose condition holds (the last may have none) is executed."""

    becomes = ()

    cases: tuple[StepCase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(Statement):
    """`S chooses M`, `S may choose M`, `L choose M together`, `L may choose M together`."""

    becomes = ()

    seat: Expr
    menu: Menu
    may: bool
    together: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Statement):
    """`offer M to any seat …`: a window; with `again`, it reopens after each claim until all decline. `drawn`: a random
    one of the claimants acts, instead of the first in order."""

    becomes = ()

    menu: Menu
    binding: Binding
    again: bool
    drawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Statement):
    """`take back`, an error that was called; `take back STEP`, what the running step has changed."""

    becomes = (ir.TakeBack,)

    step: Word | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Do(Statement):
    becomes = ()

    step: Word
    arg: Expr | None
    subject: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Statement):
    becomes = ()

    step: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Statement):
    becomes = (ir.Announce,)

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing(Statement):
    """`nothing`: the empty statement."""

    becomes = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Statement):
    becomes = ()

    cases: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEach(Statement):
    becomes = ()

    binding: Binding
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Statement):
    becomes = ()

    times: Expr | None
    at_most: bool
    until: Expr | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost(Statement):
    """An unparsable line, which has been reported; `body` is the block below it."""

    body: tuple[Statement, ...]

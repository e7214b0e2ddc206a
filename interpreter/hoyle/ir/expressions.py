"""Expressions of a program: trees of typed nodes, evaluated against a position.

In: nothing but types. Out: the node classes that the checker builds and both executors evaluate.

Two kinds of local names:
- `Slot(i)` is kept in the position (`let`, loops, picks while an action runs, the seat that acts);
- `Var(i)` lives only while one expression is evaluated (binders, parameters of definitions, and, in the clauses
  and domains of an action, the acting seat as 0 and its picks from 1 on). An evaluation has `frame` such places.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from hoyle.dataclass import dataclass
from hoyle.ir.types import Type
from hoyle.model.runtime_values import Value

ClauseId = int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    """An expression. `text` is how the author wrote it, for explanations; it takes no part in equality."""

    type: Type
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Const(Expr):
    """A value known when the game is compiled."""

    value: Value

    @property
    def number(self) -> int:
        """The value of what is a number, or held as one."""
        assert isinstance(self.value, int)
        return self.value

    @property
    def elements(self) -> tuple[Value, ...]:
        """The elements of what is a list; none has no elements."""
        assert self.value is None or isinstance(self.value, tuple)
        return self.value or ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Var(Expr):
    """A binder, a parameter, the acting seat or a pick, in the frame of the expression."""

    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot(Expr):
    """A local name kept in the position."""

    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRef(Expr):
    """A declared state; of a family, `owner` is the place in it: the seat, team, card or value of an enumeration it is
    kept for, or an `Index`. None if the owner is none."""

    state: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneRef(Expr):
    """A zone, as its number in the position: `zones[zone].base`, plus the owner, which is as that of a state. None if
    the owner is none."""

    zone: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(Expr):
    """The place in a family of what several values, or a number of a scale, stand for: each part counted from its
    `low`, the last one running fastest. None if a part is none; a part outside its `size` is a fault."""

    parts: tuple[Expr, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piles(Expr):
    """The piles of a family of zones that have cards, in the order of their places; with `new`, the first place that
    has none, or none. `owner` is whose family it is; if it is a list of seats, the piles of all of them, one after
    another."""

    zone: int
    owner: Expr | None
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute(Expr):
    """What is printed on a card: `tables[attribute][card]`. None where the card lacks it, or is none."""

    attribute: int
    card: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Expr):
    """A definition applied: evaluated in a frame of its own that begins with the arguments."""

    definition: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply(Expr):
    """A built-in word of `hoyle.words` applied to values."""

    word: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Expr):
    """One of two values; only the chosen one is evaluated."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class OrElse(Expr):
    """The first value unless it is none, otherwise the second."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic(Expr):
    """`and` / `or` over its parts, left to right, stopping early; `not` of one part."""

    op: Literal["and", "or", "not"]
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Expr):
    """An expression that is a clause of its own: what `why`, refusals and coverage speak of."""

    clause: ClauseId
    body: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One rule of preference: keep those with the highest (or lowest) key."""

    best: Literal["highest", "lowest"]
    key: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Those(Expr):
    """A list built from another: each element as `var`, kept where `where` holds, then only the best by `orders`
    (all of the best, in order), then turned into `value` (dropping none)."""

    var: int
    source: Expr
    where: Expr | None
    orders: tuple[Order, ...]
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """By what cards are divided. It has a frame of its own: `where` holds of a list of cards at place 0 that is a
    group; if `keeps` does not, it cannot become one with more cards; `weigh` is what the card at place `card` weighs if
    it is left, 1 if that is not said."""

    where: Expr
    keeps: Expr | None
    card: int
    weigh: Expr | None
    frame: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Division(Expr):
    """The cards of `source` divided into disjoint groups so that what is left weighs least, as a list of groups. Cards
    are taken in the order of the deck: each goes into the first group, by size and then by its cards, with which the
    rest comes out lightest, and is left only if that is lighter still."""

    source: Expr
    by: Grouping


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Expr):
    """Whether some, every or no element satisfies the test; stops early."""

    how: Literal["some", "every", "no"]
    var: int
    source: Expr
    test: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class CanDo(Expr):
    """Whether the seat has a choice of the action that is possible (and, for `may`, allowed too)."""

    action: int
    seat: Expr
    how: Literal["can", "may"]

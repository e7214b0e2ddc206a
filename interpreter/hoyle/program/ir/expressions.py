"""Expressions of a program: trees of typed nodes, evaluated in a position.

In: types only. Out: the node classes that the checker builds and the executors evaluate.

There are two kinds of local variables:

- `Slot(i)` is stored in the position (`let`, loops, picks while an action runs, the acting seat);
- `Var(i)` exists only while an expression is evaluated (binders, parameters of definitions, and, in the clauses
  and domains of an action, the acting seat as 0 and its picks from 1 on). An evaluation has a frame of `frame` of them.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.types import Type
from hoyle.program.model.runtime_values import Value

ClauseId = int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    """An expression. `text` is its source text, for explanations; it is ignored by equality."""

    type: Type
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Const(Expr):
    """A compile-time constant."""

    value: Value

    @property
    def number(self) -> int:
        """The value of a number, or of anything represented as one."""
        assert isinstance(self.value, int)
        return self.value

    @property
    def elements(self) -> tuple[Value, ...]:
        """The elements of a list; none counts as the empty list."""
        assert self.value is None or isinstance(self.value, tuple)
        return self.value or ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Var(Expr):
    """A binder, a parameter, the acting seat or a pick, in the frame of the evaluation."""

    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot(Expr):
    """A local variable stored in the position."""

    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRef(Expr):
    """The value of a declared state; for a family, `owner` is the index: a seat, team, card or enumeration value, or an
    `Index`. None if the owner is none."""

    state: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneRef(Expr):
    """The number of a zone in the position: `zones[zone].base` plus the owner, which is as for states. None if the
    owner is none."""

    zone: int
    owner: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(Expr):
    """The linear index in a family of several dimensions, or of a scale: each part is counted from its `low`, and the
    last varies fastest. None if a part is none; a part out of range is a fault."""

    parts: tuple[Expr, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piles(Expr):
    """The non-empty piles of a family, in order; with `new`, the first empty one, or none. `owner` selects the family;
    for a list of seats, the piles of all of them are concatenated."""

    zone: int
    owner: Expr | None
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute(Expr):
    """A printed attribute of a card: `attributes[attribute].table[card]`. None if the card lacks it, or is none."""

    attribute: int
    card: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Expr):
    """A call of a definition, evaluated in its own frame that begins with the arguments."""

    definition: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply(Expr):
    """A built-in word of `hoyle.program.words` applied to arguments."""

    word: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Expr):
    """A conditional; only the selected branch is evaluated."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class OrElse(Expr):
    """The first value unless it is none, else the second."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic(Expr):
    """`and` / `or` over its parts, left to right with short-circuit evaluation; `not` of one part."""

    op: Literal["and", "or", "not"]
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Expr):
    """An expression that is a named clause, referenced by `why`, refusals and coverage."""

    clause: ClauseId
    body: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One ordering criterion: keep the elements with the highest (or lowest) key."""

    best: Literal["highest", "lowest"]
    key: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Those(Expr):
    """A list comprehension: each element of `source` is bound to `var` and filtered by `where`; `orders` then keeps
    only the best, with ties, in order; `value` maps the result, dropping none."""

    var: int
    source: Expr
    where: Expr | None
    orders: tuple[Order, ...]
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """The criteria of a division, over their own frame: `where` tests whether the list of cards in variable 0 is a
    group; if `keeps` is false, no superset of it is one; `weigh` is the weight of a leftover card, bound to variable
    `card`, by default 1; the variables `given` hold what is handed in."""

    where: Expr
    keeps: Expr | None
    card: int
    weigh: Expr | None
    given: tuple[int, ...] = ()
    frame: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Division(Expr):
    """The cards of `source` partitioned into disjoint groups so that the leftover weight is least, as a list of groups.
    The result is canonical: cards are considered in deck order, and each goes into the first group, by size and then by
    its cards, that leads to the least weight; it is left over only if that weighs strictly less. `given` are values
    from outside that the criteria use."""

    source: Expr
    by: Grouping
    given: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Expr):
    """Whether some, every or no element satisfies the test, with short-circuit evaluation."""

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

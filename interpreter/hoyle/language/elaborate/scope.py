"""Scopes: binders, parameters, picks, `let` names, and the acting seat.

In: names and the expressions they denote. Out: `Scope`, an immutable value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from hoyle.base.dataclass import dataclass
from hoyle.language.elaborate.narrowing import Facts, state_fact
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import SEAT, Type


@dataclass(slots=True)
class Frame:
    """Allocates variables of an evaluation frame."""

    size: int = 0

    def new(self) -> int:
        self.size += 1
        return self.size - 1


@dataclass(frozen=True, slots=True)
class Scope:
    """The local names of a rule. `seats` are the names that denote a seat as a subject: with two of them, a bare `hand`
    is ambiguous (decision S1). `where` is the kind of rule, for messages; `untested` are number parameters, which only
    effects may read; `facts` are expressions known not to be none here, because of guarding tests. `blind`: an
    enclosing list could not be typed, so that an unknown name may depend on it; `unread` are the words of earlier lines
    that could not be parsed and may have bound names."""

    frame: Frame
    names: dict[str, ir.Expr] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    where: str = "rule"
    codes: bool = False
    untested: frozenset[str] = frozenset()
    facts: Facts = frozenset()
    blind: bool = False
    unread: frozenset[str] = frozenset()

    def may_give(self, name: str) -> bool:
        """Whether an unknown name may be bound by a part of the rule that is already in error."""
        return self.blind or name in self.unread

    def bind(self, name: str, held: ir.Expr, *, speaks: bool = True) -> Scope:
        """With one more name. `speaks`: a seat also becomes a subject."""
        seats = self.seats + ((name,) if held.type == SEAT and speaks else ())
        return replace(self, names={**self.names, name: held}, seats=seats)

    def variable(self, name: str, kind: Type) -> tuple[Scope, ir.Var]:
        """With a binder in a new variable of the frame."""
        var = ir.Var(type=kind, index=self.frame.new(), name=name, text=name)
        return self.bind(name, var), var

    def within(self, outer: Mapping[str, ir.Expr]) -> Scope:
        """With the names of an enclosing scope, unless shadowed."""
        return replace(self, names={**outer, **self.names}) if outer else self

    def learn(self, facts: Facts) -> Scope:
        """With more facts."""
        return replace(self, facts=self.facts | facts) if facts else self

    def knows(self, expr: ir.Expr) -> bool:
        """Whether an expression is known not to be none."""
        return bool(self.facts) and state_fact(expr) in self.facts

    @property
    def subject(self) -> ir.Expr | None:
        return self.names.get("seat")

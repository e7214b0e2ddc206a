"""The local names of a rule: binders, parameters, picks, `let` names, and the seat that acts.

In: names and what holds them. Out: `Scope`, never changed, only extended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from hoyle.dataclass import dataclass
from hoyle.elaborate.narrowing import Facts, state_fact
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT, Type


@dataclass(slots=True)
class Frame:
    """Counts the places an expression needs while it is evaluated."""

    size: int = 0

    def new(self) -> int:
        self.size += 1
        return self.size - 1


@dataclass(frozen=True, slots=True)
class Scope:
    """What local names mean here. `seats` are the names that stand for a seat a rule speaks of (S1: two of them make a
    bare `hand` unclear); `where` says what kind of rule this is, for messages; `untested` are number parameters, which
    only effects may read; `facts` are what is known not to be none, because a test guards what is said here. `blind`:
    what a list above holds could not be told, so that a name that is not known may have to do with it; `unread` are the
    words of lines above that could not be read, where a name may be given."""

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
        """Whether a name that is not known here may be given where something is wrong already."""
        return self.blind or name in self.unread

    def bind(self, name: str, held: ir.Expr, *, speaks: bool = True) -> Scope:
        """With one more name. `speaks`: if it is a seat, rules may speak of it as of their subject."""
        seats = self.seats + ((name,) if held.type == SEAT and speaks else ())
        return replace(self, names={**self.names, name: held}, seats=seats)

    def variable(self, name: str, kind: Type) -> tuple[Scope, ir.Var]:
        """With a binder of this name, in a new place of the frame."""
        var = ir.Var(type=kind, index=self.frame.new(), name=name, text=name)
        return self.bind(name, var), var

    def within(self, outer: Mapping[str, ir.Expr]) -> Scope:
        """With the names of what stands around, as far as they mean nothing else here."""
        return replace(self, names={**outer, **self.names}) if outer else self

    def learn(self, facts: Facts) -> Scope:
        """With more that is known not to be none."""
        return replace(self, facts=self.facts | facts) if facts else self

    def knows(self, expr: ir.Expr) -> bool:
        """Whether an expression is known not to be none."""
        return bool(self.facts) and state_fact(expr) in self.facts

    @property
    def subject(self) -> ir.Expr | None:
        return self.names.get("seat")

"""The recursive driver of expression lowering: dispatch on node types, which recurse through it.

In: an expression, an environment, and the facts of the position at that point. Out: a value in which definitions are
inlined, the propagation of none is explicit, and every possible error is a fault with its clause. The functions for the
node types are those of `expressions`, handed in; this module imports none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import MOST_LINES, NUMBER, TRUTH, Fact, between, join, list_of
from hoyle.play.codegen.low.scalars import list_sure
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.control_flow import Place
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.work import LEAST, Work
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import removes_seats
from hoyle.program.ir.types import Type, certain

Env = Mapping[int, Value]
TEXT = between(0, 1 << 20)
EMPTY: dict[int, Value] = {}
Made = TypeVar("Made")
Forms = Mapping[type[ir.Expr], Callable[["Lowering", Any, Env], Value]]


class Lowering:
    """Lowers the expressions of one program. `places` are the facts of slots, states and totals at this point."""

    def __init__(self, program: ir.Program, capacities: tuple[int, ...], forms: Forms) -> None:
        self.program = program
        self.least = Work(program, LEAST)
        self.forms = forms
        self.capacities = capacities
        self.build: Builder = Builder(len(program.cards), program.players)
        self.places: dict[Place, Fact] = {}
        self.clause = 0
        self.zones = sum(zone.size for zone in program.zones)
        self.seats_leave = any(removes_seats(each) for block in program.blocks for each in block.instructions)
        self.texts: dict[str, int] = {}
        self.codes: dict[Value, Value] = {}  # of lists of groups: their encodings, see `partition`
        self._origins: dict[Value, Value] = {}
        self._sure: frozenset[Value] = frozenset()
        self._reads: set[Place] = set()
        self._lowered: dict[tuple[object, ...], list[tuple[tuple[tuple[Place, Fact | None], ...], Any]]] = {}
        self._atoms = {
            "card": between(0, len(program.cards) - 1),
            "seat": between(0, program.players - 1),
            "zone": between(0, self.zones - 1),
            "truth": TRUTH,
            "team": between(0, max(program.teams, default=0)),
            "line": between(0, MOST_LINES * program.players - 1),
            "choice": between(0, len(program.actions)),
            "number": NUMBER,
            "text": TEXT,
        }
        self._enums = {enum.name: between(0, len(enum.values) - 1) for enum in program.enums}

    # ---------------------------------------------------------------------------------------------- facts
    def fact_of(self, kind: Type) -> Fact:
        """The top fact of a type."""
        if kind.kind == "maybe":
            return self.fact_of(certain(kind)).or_none()
        if kind.kind == "list":
            assert kind.of is not None
            return list_of(self.fact_of(kind.of), 1 << 20)
        if kind.kind == "key":
            return list_of(NUMBER, 1 << 20)
        atom = self._enums.get(kind.name) if kind.kind == "enum" else self._atoms.get(kind.kind)
        if atom is None:
            raise Unsupported(f"values of type {kind}")
        return atom

    def find(self, place: Place) -> Fact | None:
        """The current fact of a slot, a state or a column of totals; noted as a dependence of what is being lowered."""
        self._reads.add(place)
        return self.places.get(place)

    @property
    def sure(self) -> frozenset[Value]:
        """The values that are assumed not to be none."""
        return self._sure

    def recall(self, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
        """Memoisation by key, valid while the facts that the first lowering depended on are unchanged."""
        known = self._lowered.setdefault(key, [])
        for reads, made in known:
            if all(self.places.get(place) == fact for place, fact in reads):
                self._reads.update(place for place, _ in reads)
                found: Made = made
                return found
        before, self._reads = self._reads, set()
        new = make()
        known.append((tuple((place, self.places.get(place)) for place in self._reads), new))
        self._reads |= before
        return new

    def start_of(self, state: ir.State) -> Value:
        """The initial value of a state."""
        start: Any = state.start
        if isinstance(start, tuple):
            return self.build.known_list(start, self.fact_of(state.type).of)
        if isinstance(start, str):
            return self.text(start)
        return self.build.none if start is None else self.build.number(start)

    def declare(self) -> dict[Place, Fact]:
        """The fact of each place by declaration alone, valid in any position."""
        program = self.program
        known: dict[Place, Fact] = {("slot", at): self.fact_of(slot.type) for at, slot in enumerate(program.slots)}
        for number, state in enumerate(program.states):
            fact = self.fact_of(state.type)
            if certain(state.type).kind == "number":
                fact = Fact(*bounds_of(state, fact), fact.none)
            known["state", number] = fact.or_none() if state.start is None else join(fact, self.start_of(state).fact)
        return known | {("total", column): NUMBER for column in range(len(program.columns))}

    # ---------------------------------------------------------------------------------------------- lowering
    def lower(self, expr: ir.Expr, env: Env = EMPTY) -> Value:
        """Lower an expression; closed ones are memoised by identity."""
        if env is EMPTY and not self._sure and not isinstance(expr, ir.Const | ir.Slot):
            return self.recall((id(expr),), lambda: self._lower(expr, env))
        return self._lower(expr, env)

    def _lower(self, expr: ir.Expr, env: Env) -> Value:
        lower = self.forms.get(type(expr))
        if lower is None:
            raise Unsupported(type(expr).__name__)
        value: Value = lower(self, expr, env)
        return self.build.sure(value) if value in self._sure else value

    def test(self, expr: ir.Expr | None, env: Env = EMPTY) -> Value:
        """Lower a condition: none is false, and a missing condition is true."""
        if expr is None:
            return self.build.true
        value = self.lower(expr, env)
        if not value.fact.none:
            return value
        return self.build.both(self.build.negate(self.build.is_none(value)), self.build.sure(value))

    def need(self, expr: ir.Expr, env: Env = EMPTY) -> Value:
        """Lower an expression whose result must not be none: that is a fault."""
        return self.build.need(self.lower(expr, env), self.clause)

    @contextmanager
    def within(self, clause: int) -> Iterator[None]:
        """Attribute faults to a clause."""
        before, self.clause = self.clause, clause
        yield
        self.clause = before

    @contextmanager
    def assuming(self, test: Value, *, holds: bool = True) -> Iterator[None]:
        """Lower code dominated by the outcome of a test: values that it says are not none are narrowed by `sure`."""
        before = self._sure
        self._sure |= set(list_sure(test, holds))
        yield
        self._sure = before

    def bind(self, source: Value, variable: Value) -> None:
        """Record the provenance of a bound variable that ranges over the cards of one zone."""
        while source.op == "each" and source.args[2].op == "var":
            source = source.args[0]
        if source.op == "cards":
            self._origins[variable] = source.args[0]

    def find_origin(self, card: Value) -> Value | None:
        """The zone a card was drawn from, if it is a bound variable with provenance."""
        return self._origins.get(card)

    # ---------------------------------------------------------------------------------------------- places
    def place(self, declared: ir.Zone | ir.State, owner: ir.Expr | None, env: Env) -> Value | None:
        """The index of a member in a family of zones or states, checked; None for one without an owner."""
        if owner is None:
            return None
        return self.build.unless_none(
            [self.lower(owner, env)], self.build.none,
            lambda args: self.within_range(args[0], 0, declared.size - 1, declared.clause),
        )  # fmt: skip

    def within_range(self, value: Value, low: int, high: int, clause: int) -> Value:
        """A bounds check: a number (not none), a fault outside the interval, narrowed to it."""
        build = self.build
        if value.op == "none" or (value.fact.low >= low and value.fact.high <= high):
            return value
        checked = build.check(build.inside(value, build.number(low), build.number(high)), value, clause)
        return build.refine(checked, max(low, value.fact.low), min(high, value.fact.high))

    def read_slot(self, number: int) -> Value:
        kind = self.program.slots[number].type
        fact = self.find(("slot", number)) or self.fact_of(kind).or_none()
        held = certain(kind)
        if held.kind == "list" and held.of is not None and held.of.kind == "choice":
            return self.build.read("choices", fact, data=(number,))
        return self.build.read("slot", fact, data=(number,))

    def read_state(self, number: int, *owner: Value) -> Value:
        """A raw load of a state; the owner, if it has one, is not none."""
        fact = self.find(("state", number)) or self.fact_of(self.program.states[number].type)
        return self.build.read("state", fact, *owner, data=(number,))

    def read_cards(self, zone: Value) -> Value:
        """The cards of a zone."""
        first, last = max(0, zone.fact.low), min(zone.fact.high, self.zones - 1)
        most = max(self.capacities[first : last + 1], default=0)
        of = Fact(0, len(self.program.cards) - 1, home=(first, last))
        return self.build.read("cards", list_of(of, most, unique=True), zone)

    def text(self, text: str) -> Value:
        return self.build.number(self.texts.setdefault(text, len(self.texts)))


def bounds_of(state: ir.State, otherwise: Fact) -> tuple[int, int]:
    """The declared bounds of a state, or those of a fact where it declares none."""
    low = otherwise.low if state.low is None else state.low
    return low, otherwise.high if state.high is None else state.high

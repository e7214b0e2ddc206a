"""Expressions of the IR as values of the low form.

In: an expression, the values of its variables, and what is known of the position where it stands. Out: a value, in
which definitions are written out, what happens with none is explicit, and whatever can go wrong is a fault with its
clause.

A new node of the IR needs one function here, a new word one in `words.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import NUMBER, TRUTH, Fact, between, list_of
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.menus import list_ways
from hoyle.codegen.lower.words import lower_word
from hoyle.codegen.unsupported import Unsupported
from hoyle.ir import nodes as ir
from hoyle.ir.types import Type, certain

Place = tuple[str, int]  # ("slot", number) or ("state", number)
Env = Mapping[int, Value]
MOST_LINES = 64  # of the score sheet for each seat
EMPTY: dict[int, Value] = {}
NO_PARAMETERS: dict[int, Value] = {}
Made = TypeVar("Made")


class Lowering:
    """Lowers the expressions of one program. `places` is what is known of slots and states at the moment."""

    def __init__(self, program: ir.Program, capacities: tuple[int, ...]) -> None:
        self.program = program
        self.capacities = capacities
        self.build: Builder = Builder(len(program.cards), program.players)
        self.places: dict[Place, Fact] = {}
        self.clause = 0
        self.zones = sum(zone.size for zone in program.zones)
        self.seats_leave = any(isinstance(each, ir.Retire) for block in program.blocks for each in block.instructions)
        self.texts: dict[str, int] = {}
        self._origins: dict[Value, Value] = {}
        self._sure: frozenset[Value] = frozenset()
        self._reads: set[Place] = set()
        self._lowered: dict[tuple[object, ...], list[tuple[tuple[tuple[Place, Fact | None], ...], Any]]] = {}

    # ---------------------------------------------------------------------------------------------- facts
    def fact_of(self, kind: Type) -> Fact:
        """What is known of any value of a type."""
        if kind.kind == "maybe":
            return self.fact_of(certain(kind)).or_none()
        if kind.kind == "list":
            assert kind.of is not None
            return list_of(self.fact_of(kind.of), 1 << 20)
        if kind.kind == "key":
            return list_of(NUMBER, 1 << 20)
        return self._atom(kind)

    def _atom(self, kind: Type) -> Fact:
        match kind.kind:
            case "card":
                return between(0, len(self.program.cards) - 1)
            case "seat":
                return between(0, self.program.players - 1)
            case "zone":
                return between(0, self.zones - 1)
            case "truth":
                return TRUTH
            case "team":
                return between(0, max(self.program.teams))
            case "enum":
                enum = next((each for each in self.program.enums if each.name == kind.name), None)
                if enum is not None:
                    return between(0, len(enum.values) - 1)
            case "line":
                return between(0, MOST_LINES * self.program.players - 1)
            case "choice":
                return between(0, len(self.program.actions))
            case "number":
                return NUMBER
            case "text":
                return between(0, 1 << 20)
        raise Unsupported(f"values of type {kind}")

    def find(self, place: Place) -> Fact | None:
        """What is known of a slot, a state or a column of totals."""
        self._reads.add(place)
        return self.places.get(place)

    def recall(self, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
        """What was made before under a key, if all it depended on is known to be as it was."""
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

    # ---------------------------------------------------------------------------------------------- lowering
    def lower(self, expr: ir.Expr, env: Env = EMPTY) -> Value:
        """The value of an expression."""
        if env is EMPTY and not self._sure and not isinstance(expr, ir.Const | ir.Slot):
            return self.recall((id(expr),), lambda: self._lower(expr, env))
        return self._lower(expr, env)

    def _lower(self, expr: ir.Expr, env: Env) -> Value:
        lower = _BY_NODE.get(type(expr))
        if lower is None:
            raise Unsupported(type(expr).__name__)
        value: Value = lower(self, expr, env)
        return self.build.sure(value) if value in self._sure else value

    def test(self, expr: ir.Expr | None, env: Env = EMPTY) -> Value:
        """A condition: none is false, and no condition holds."""
        if expr is None:
            return self.build.true
        value = self.lower(expr, env)
        if not value.fact.none:
            return value
        return self.build.both(self.build.negate(self.build.is_none(value)), self.build.sure(value))

    def need(self, expr: ir.Expr, env: Env = EMPTY) -> Value:
        """A value that may not be none."""
        return self.build.need(self.lower(expr, env), self.clause)

    @contextmanager
    def within(self, clause: int) -> Iterator[None]:
        """Faults are those of a clause."""
        before, self.clause = self.clause, clause
        yield
        self.clause = before

    @contextmanager
    def assuming(self, test: Value, *, holds: bool = True) -> Iterator[None]:
        """Where a test is known to hold, or not to."""
        before = self._sure
        self._sure |= set(_list_sure(test, holds))
        yield
        self._sure = before

    def bind(self, source: Value, variable: Value) -> None:
        """Remember of a variable that its elements lie in a zone."""
        while source.op == "each" and source.args[2].op == "var":
            source = source.args[0]
        if source.op == "cards":
            self._origins[variable] = source.args[0]

    def find_origin(self, card: Value) -> Value | None:
        """The zone a card is known to lie in."""
        return self._origins.get(card)

    # ---------------------------------------------------------------------------------------------- places
    def place(self, declared: ir.Zone | ir.State, owner: ir.Expr | None, env: Env) -> Value | None:
        """The owner of a zone or state as an index below its size; None if it belongs to nobody."""
        if owner is None:
            return None
        whose = self.lower(owner, env)
        known = self.within_range(self.build.sure(whose), 0, declared.size - 1, declared.clause)
        if whose.fact.none and known.op != "none":
            return self.build.choose(self.build.is_none(whose), self.build.none, known)
        return known

    def within_range(self, value: Value, low: int, high: int, clause: int) -> Value:
        """A number, known not to be none, that lies in a range; one that does not is a fault."""
        build = self.build
        if value.op == "none" or (value.fact.low >= low and value.fact.high <= high):
            return value
        inside = build.both(
            build.negate(build.less(value, build.number(low))), build.negate(build.less(build.number(high), value))
        )
        return build.refine(build.check(inside, value, clause), max(low, value.fact.low), min(high, value.fact.high))

    def read_slot(self, number: int) -> Value:
        kind = self.program.slots[number].type
        fact = self.find(("slot", number)) or self.fact_of(kind).or_none()
        held = certain(kind)
        if held.kind == "list" and held.of is not None and held.of.kind == "choice":
            return self.build.read("choices", fact, data=(number,))
        return self.build.read("slot", fact, data=(number,))

    def read_state(self, number: int, owner: Value | None) -> Value:
        """A state as it is kept; the owner is not none."""
        fact = self.find(("state", number)) or self.fact_of(self.program.states[number].type)
        return self.build.read("state", fact, *(() if owner is None else (owner,)), data=(number,))

    def read_cards(self, zone: Value) -> Value:
        """The cards of a zone."""
        first, last = max(0, zone.fact.low), min(zone.fact.high, self.zones - 1)
        most = max(self.capacities[first : last + 1], default=0)
        of = Fact(0, len(self.program.cards) - 1, home=(first, last))
        return self.build.read("cards", list_of(of, most, unique=True), zone)

    def text(self, text: str) -> Value:
        return self.build.number(self.texts.setdefault(text, len(self.texts)))


def _list_sure(test: Value, holds: bool) -> Iterator[Value]:
    """The values known not to be none where a test holds, or fails."""
    if test.op == "not":
        yield from _list_sure(test.args[0], not holds)
    elif test.op == "is_none" and not holds:
        yield test.args[0]
    elif (test.op == "and" and holds) or (test.op == "or" and not holds):
        for part in test.args:
            yield from _list_sure(part, holds)


# ------------------------------------------------------------------------------------------------ nodes
def _const(low: Lowering, expr: ir.Const, env: Env) -> Value:
    value: Any = expr.value
    if value is None:
        return low.build.none
    if isinstance(value, str):
        return low.text(value)
    if isinstance(value, tuple):
        if any(isinstance(each, tuple) for each in value):
            raise Unsupported("lists of lists")  # but for those an element is taken of, see `words.py`
        of = expr.type.of
        return low.build.known_list(value, low.fact_of(of) if of is not None else None)
    return low.build.number(value)


def _var(low: Lowering, expr: ir.Var, env: Env) -> Value:
    if expr.index not in env:
        raise Unsupported("a variable that is not bound")
    return env[expr.index]


def _state(low: Lowering, expr: ir.StateRef, env: Env) -> Value:
    owner = low.place(low.program.states[expr.state], expr.owner, env)
    names_pile = certain(low.program.states[expr.state].type).kind == "zone"

    def read(args: list[Value]) -> Value:
        value = low.read_state(expr.state, args[0] if args else None)
        if not names_pile:
            return value
        # a pile is gone when its last card is
        here = low.build.any(low.read_cards(low.build.sure(value)))
        gone = low.build.either(low.build.is_none(value), low.build.negate(here))
        return low.build.choose(gone, low.build.none, low.build.sure(value))

    return low.build.unless_none([] if owner is None else [owner], low.build.none, read)


def _zone(low: Lowering, expr: ir.ZoneRef, env: Env) -> Value:
    zone = low.program.zones[expr.zone]
    owner = low.place(zone, expr.owner, env)
    if owner is None:
        return low.build.number(zone.base)
    base = low.build.number(zone.base)
    return low.build.unless_none([owner], low.build.none, lambda args: low.build.add(args[0], base))


def _index(low: Lowering, expr: ir.Index, env: Env) -> Value:
    """The place in a family: each part counted from its low, the last one running fastest."""
    build = low.build

    def place(args: list[Value]) -> Value:
        at = build.false
        for part, first, size in zip(args, expr.lows, expr.sizes, strict=True):
            inside = low.within_range(part, first, first + size - 1, low.clause)
            at = build.add(build.multiply(at, build.number(size)), build.subtract(inside, build.number(first)))
        return at

    return build.unless_none([low.lower(part, env) for part in expr.parts], build.none, place)


def _piles(low: Lowering, expr: ir.Piles, env: Env) -> Value:
    build, family = low.build, low.program.zones[expr.zone]

    def places(owner: Value) -> Value:
        first = build.add(build.multiply(owner, build.number(family.many)), build.number(family.base))
        return build.span(first, build.add(first, build.number(family.many - 1)))

    whose = build.false if expr.owner is None else low.lower(expr.owner, env)
    empty = build.known_list((), between(family.base, family.base + family.size - 1))
    if whose.fact.is_list:
        listed = build.flat(whose, places)
    else:
        listed = build.unless_none([whose], empty, lambda args: places(args[0]))
    if expr.new:
        free = build.each(listed, lambda zone: build.negate(build.any(low.read_cards(zone))))
        return build.first(free)
    return build.each(listed, lambda zone: build.any(low.read_cards(zone)))


def _attribute(low: Lowering, expr: ir.Attribute, env: Env) -> Value:
    table = low.program.attributes[expr.attribute].table
    card = low.lower(expr.card, env)
    return low.build.unless_none([card], low.build.none, lambda args: low.build.table(table, args[0]))


def _call(low: Lowering, expr: ir.Call, env: Env) -> Value:
    definition = low.program.definitions[expr.definition]
    args = [low.lower(argument, env) for argument in expr.args]

    def write_out() -> Value:
        with low.within(definition.clause):
            return low.lower(definition.body, dict(enumerate(args)) or NO_PARAMETERS)

    return low.recall(("call", expr.definition, low._sure, *map(id, args)), write_out)


def _apply(low: Lowering, expr: ir.Apply, env: Env) -> Value:
    return lower_word(low, expr, env)


def _if(low: Lowering, expr: ir.If, env: Env) -> Value:
    test = low.test(expr.test, env)
    if test.constant is not None:
        return low.lower(expr.yes if test.constant else expr.no, env)
    with low.assuming(test):
        yes = low.lower(expr.yes, env)
    with low.assuming(test, holds=False):
        no = low.lower(expr.no, env)
    return low.build.choose(test, yes, no)


def _or_else(low: Lowering, expr: ir.OrElse, env: Env) -> Value:
    first = low.lower(expr.first, env)
    if not first.fact.none:
        return first
    return low.build.choose(low.build.is_none(first), low.lower(expr.second, env), low.build.sure(first))


def _logic(low: Lowering, expr: ir.Logic, env: Env) -> Value:
    if expr.op == "not":
        return low.build.negate(low.test(expr.parts[0], env))
    holds = expr.op == "and"
    join = low.build.both if holds else low.build.either
    made = low.build.truth(holds)
    for part in expr.parts:
        with low.assuming(made, holds=holds):
            made = join(made, low.test(part, env))
    return made


def _named(low: Lowering, expr: ir.Named, env: Env) -> Value:
    with low.within(expr.clause):
        return low.lower(expr.body, env)


def _those(low: Lowering, expr: ir.Those, env: Env) -> Value:
    build = low.build
    source = low.lower(expr.source, env)
    element = source.fact.of
    if element is None:  # nothing but none
        return build.known_list((), low.fact_of(expr.type).of)

    def lower_under(part: ir.Expr, *, test: bool) -> Callable[[Value], Value]:
        def body(variable: Value) -> Value:
            low.bind(source, variable)
            inner = {**env, expr.var: variable}
            return low.test(part, inner) if test else low.lower(part, inner)

        return body

    if expr.where is not None:
        source = build.each(source, lower_under(expr.where, test=True))
    for order in expr.orders:
        source = build.best(source, order.best, lower_under(order.key, test=False))
    if expr.value is None:
        return source
    return build.each(source, None, lower_under(expr.value, test=False))


def _quantified(low: Lowering, expr: ir.Quantified, env: Env) -> Value:
    build = low.build
    source = low.lower(expr.source, env)
    if source.fact.of is None:
        return build.truth(expr.how != "some")

    def body(variable: Value) -> Value:
        low.bind(source, variable)
        test = low.test(expr.test, {**env, expr.var: variable})
        return build.negate(test) if expr.how == "every" else test

    found = build.any(build.each(source, body))
    return found if expr.how == "some" else build.negate(found)


def _can_do(low: Lowering, expr: ir.CanDo, env: Env) -> Value:
    seat = low.lower(expr.seat, env)
    return low.build.unless_none(
        [seat], low.build.false, lambda args: list_ways(low, expr.action, args[0], allowed=expr.how == "may")
    )


_BY_NODE: dict[type[ir.Expr], Callable[[Lowering, Any, Env], Value]] = {
    ir.Const: _const,
    ir.Var: _var,
    ir.Slot: lambda low, expr, env: low.read_slot(expr.index),
    ir.StateRef: _state,
    ir.ZoneRef: _zone,
    ir.Index: _index,
    ir.Piles: _piles,
    ir.Attribute: _attribute,
    ir.Call: _call,
    ir.Apply: _apply,
    ir.If: _if,
    ir.OrElse: _or_else,
    ir.Logic: _logic,
    ir.Named: _named,
    ir.Those: _those,
    ir.Quantified: _quantified,
    ir.CanDo: _can_do,
}

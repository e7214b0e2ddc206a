"""Lowering of expressions: one function for each node type of the IR.

In: an expression, an environment, and the `Lowering` to recurse through. Out: a value. A new node type of the IR needs
one function here, a new word one in `words.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle.play.codegen.low.facts import between
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.lowering import EMPTY, Env, Forms, Lowering
from hoyle.play.codegen.lower.menus import list_ways
from hoyle.play.codegen.lower.partition import lower_division, read_groups
from hoyle.play.codegen.lower.words import lower_word
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import certain


def _const(low: Lowering, expr: ir.Const, env: Env) -> Value:
    value: Any = expr.value
    if value is None:
        return low.build.none
    if isinstance(value, str):
        return low.text(value)
    if isinstance(value, tuple):
        if any(isinstance(each, str) for each in value):
            raise Unsupported("lists of texts")
        if any(isinstance(each, tuple) for each in value):
            rows = low.build.rows_of(value)
            return low.build.each(low.build.known_list(range(len(value))), None, lambda at: low.build.row(rows, at))
        of = expr.type.of
        return low.build.known_list(value, low.fact_of(of) if of is not None else None)
    return low.build.number(value)


def _var(low: Lowering, expr: ir.Var, env: Env) -> Value:
    if expr.index not in env:
        raise Unsupported("a variable that is not bound")
    return env[expr.index]


def _slot(low: Lowering, expr: ir.Slot, env: Env) -> Value:
    return read_groups(low, expr.index) if _is_groups(low, expr.index) else low.read_slot(expr.index)


def _is_groups(low: Lowering, slot: int) -> bool:
    """Whether a slot holds a list of lists."""
    of = certain(low.program.slots[slot].type).of
    return of is not None and certain(of).kind == "list"


def _state(low: Lowering, expr: ir.StateRef, env: Env) -> Value:
    owner = low.place(low.program.states[expr.state], expr.owner, env)
    names_pile = certain(low.program.states[expr.state].type).kind == "zone"

    def read(args: list[Value]) -> Value:
        value = low.read_state(expr.state, *args)
        if not names_pile:
            return value
        # a pile ceases to exist with its last card: the state then reads as none
        here = low.build.any(low.read_cards(low.build.sure(value)))
        gone = low.build.either(low.build.is_none(value), low.build.negate(here))
        return low.build.choose(gone, low.build.none, low.build.sure(value))

    return low.build.unless_none([] if owner is None else [owner], low.build.none, read)


def _zone(low: Lowering, expr: ir.ZoneRef, env: Env) -> Value:
    zone = low.program.zones[expr.zone]
    owner, base = low.place(zone, expr.owner, env), low.build.number(zone.base)
    if owner is None:
        return base
    return low.build.unless_none([owner], low.build.none, lambda args: low.build.add(args[0], base))


def _index(low: Lowering, expr: ir.Index, env: Env) -> Value:
    """A row-major index into a family, each part relative to its lower bound."""
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
            return low.lower(definition.body, dict(enumerate(args)) or EMPTY)

    return low.recall(("call", expr.definition, low._sure, *map(id, args)), write_out)


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
    if expr.value is not None:
        source = build.each(source, None, lower_under(expr.value, test=False))
    return source


def _quantified(low: Lowering, expr: ir.Quantified, env: Env) -> Value:
    build = low.build
    source = low.lower(expr.source, env)
    if source.fact.of is None:
        return build.truth(expr.how != "some")

    def body(variable: Value) -> Value:
        low.bind(source, variable)
        test = low.test(expr.test, {**env, expr.var: variable})
        return build.negate(test) if expr.how == "every" else test

    found = build.any_of_all(build.each(source, body), source)
    return found if expr.how == "some" else build.negate(found)


def _can_do(low: Lowering, expr: ir.CanDo, env: Env) -> Value:
    seat = low.lower(expr.seat, env)
    return low.build.unless_none(
        [seat], low.build.false, lambda args: list_ways(low, expr.action, args[0], allowed=expr.how == "may")
    )


FORMS: Forms = {
    ir.Const: _const, ir.Var: _var, ir.Slot: _slot, ir.StateRef: _state, ir.ZoneRef: _zone, ir.Index: _index,
    ir.Piles: _piles, ir.Attribute: _attribute, ir.Call: _call, ir.Apply: lower_word, ir.If: _if, ir.OrElse: _or_else,
    ir.Logic: _logic, ir.Named: _named, ir.Those: _those, ir.Division: lower_division, ir.Quantified: _quantified,
    ir.CanDo: _can_do,
}  # fmt: skip

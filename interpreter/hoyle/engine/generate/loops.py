"""Code for loops over lists: those that meet a condition, the best of them, how many, whether some or every one does.

In: simplified expressions. Out: `for` loops and comprehensions before the code that uses what they found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from hoyle.engine.generate.growing import TRUE, find_aggregates, find_lasting, is_var, list_parts, loop_over_tails
from hoyle.engine.generate.nodes import Lookup
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import ARITHMETIC, OR, Code, atom
from hoyle.ir import nodes as ir
from hoyle.ir.walk import list_children, walk_expression
from hoyle.words import Op, applies

TAILS = re.compile(r"tails\((\w+)\)")  # how the tails of a list are written
JOINED = re.compile(r"W_joined\((.*)\)")  # and groups as one list, which need not be made to be run through


def write_quantified(values: Values, expr: ir.Quantified) -> Code:
    source = values.each(expr.source)
    values.hoist((expr.test,), expr.var)
    few = values.module.simplifier.write_out_few(expr)
    if few is not None:
        return values.value(few)
    with values.scope():
        made = values.writer.fresh()
        otherwise = expr.how != "some"
        values.writer.add(f"{made} = {otherwise}")
        with loop(values, expr.var, source, expr.source, expr.test):
            test = values.negated(expr.test) if expr.how == "every" else values.test(expr.test)
            values.writer.add(f"if {test.text}:")
            with values.writer.indented():
                values.writer.add(f"{made} = {not otherwise}")
                values.writer.add("break")
    return atom(made)


@contextmanager
def loop(
    values: Values,
    var: int,
    source: Code,
    listed: ir.Expr | None = None,
    *bodies: ir.Expr | None,
    kept: ir.Expr | None = None,
) -> Iterator[str]:
    """`for x in source:`, with the element known by its number. Where the bodies ask for the place of each card of
    a zone that is run through, the places are counted along; what they ask of tails is kept up to date. `kept`: nothing
    is done with elements for which this does not hold."""
    if applies(listed, Op.TAILS):
        aggregates = find_aggregates(values, var, bodies, kept)
        if aggregates and (whole := TAILS.fullmatch(source.text)):
            with loop_over_tails(values, var, whole[1], aggregates) as tail:
                yield tail
            return
    name = values.writer.fresh("x")
    values.names[var] = atom(name)
    place = next((node for body in bodies if body for node in walk_expression(body) if _is_place(node, var)), None)
    if place is None or not applies(listed, Op.CARDS):
        joined = JOINED.fullmatch(source.text) if applies(listed, Op.JOINED) and not values.is_none(listed) else None
        values.writer.add(f"for {name} in {f'chain({joined[1]})' if joined else source.text}:")
        with values.scope(), values.writer.indented():
            yield name
        return
    source = values.name(source, "pile")
    count = values.writer.fresh("place")
    values.writer.add(f"for {count}, {name} in zip(range(len({source.text}), 0, -1), {source.text}):")
    with values.scope(), values.writer.indented():
        values.shared[place] = atom(count)
        yield name


def write_list(values: Values, expr: ir.Those) -> Code:
    """The elements kept, in a list."""
    source = values.each(expr.source)
    values.hoist((expr.where, *(order.key for order in expr.orders), expr.value), expr.var)
    with values.scope():
        short = _comprehension(values, expr, source)
        if short is not None:
            return short
        kept = source
        if expr.where is not None and not expr.orders:
            return _collect(values, expr.var, source, expr.where, expr.value, expr.source)
        if expr.where is not None:
            kept = _collect(values, expr.var, source, expr.where, None, expr.source)
        for order in expr.orders:
            kept = _best(values, order, expr.var, kept)
        if expr.value is not None:
            kept = _collect(values, expr.var, kept, None, expr.value)
        return kept


def write_total(values: Values, expr: ir.Those, *, counts: bool) -> Code | None:
    """How many elements are kept, or what is made of them added up; None where that is not simply a loop."""
    if expr.orders or (expr.value is not None and values.is_none(expr.value)):
        return None
    if expr.where is None if counts else expr.value is None:
        return None
    with _made_of(values, expr, "0") as (made, element):
        added = "1" if counts else values.value(expr.value).text if expr.value is not None else element
        values.writer.add(f"{made} += {added}")
    return atom(made)


def write_one_of(values: Values, expr: ir.Those, which: Op | None) -> Code | None:
    """The highest, the lowest or the last of what is kept, none if nothing is, without making a list of it; None where
    that is not simply a loop."""
    if expr.orders or (expr.where is None and expr.value is None):
        return None
    if expr.value is not None and values.is_none(expr.value):
        return None
    with _made_of(values, expr, "None") as (made, element):
        code = atom(element) if expr.value is None else values.value(expr.value)
        if which is Op.LAST:
            values.writer.add(f"{made} = {code.text}")
        else:
            code = values.name(code)
            sign = ">" if which is Op.HIGHEST else "<"
            values.writer.add(f"if {made} is None or {code.text} {sign} {made}:")
            with values.writer.indented():
                values.writer.add(f"{made} = {code.text}")
    return atom(made)


@contextmanager
def _made_of(values: Values, expr: ir.Those, begin: str) -> Iterator[tuple[str, str]]:
    """A loop over the elements kept: the name of what is made of them, which begins as said, and the element."""
    source = values.each(expr.source)
    values.hoist((expr.where, expr.value), expr.var)
    with values.scope():
        made = values.writer.fresh()
        values.writer.add(f"{made} = {begin}")
        with (
            loop(values, expr.var, source, expr.source, expr.where, expr.value, kept=expr.where) as element,
            _if_kept(values, expr.where, expr.source, expr.var),
        ):
            yield made, element


def write_one_kind(values: Values, listed: ir.Expr) -> Code | None:
    """Whether the elements of a list are all the same, and there are some; None where that is not simply a loop."""
    var, value = values.module.simplifier.fresh(), None
    if isinstance(listed, ir.Those) and listed.where is None and not listed.orders and listed.value is not None:
        var, value, listed = listed.var, listed.value, listed.source
    if (value is not None and values.is_none(value)) or applies(listed, Op.TAILS):
        return None
    rest, only = _split_joined(values, listed)
    source = None if rest is None else values.name(values.each(rest), "pile")
    values.hoist((value,), var)
    with values.scope():
        first, known = values.writer.fresh(), values.writer.fresh()
        if only is None:
            assert source is not None
            values.writer.add(f"{known} = False")
            values.writer.add(f"if {source.text}:")
        only_code = atom(f"{source.text}[0]") if only is None and source is not None else values.value(only or listed)
        values.writer.depth += only is None
        values.names[var] = only_code
        values.writer.add(f"{first} = {(only_code if value is None else values.value(value)).text}")
        values.writer.add(f"{known} = True")
        if source is not None:
            with loop(values, var, source) as element:
                code = atom(element) if value is None else values.value(value)
                values.writer.add(f"if {code.within(ARITHMETIC)} != {first}:")
                with values.writer.indented():
                    values.writer.add(f"{known} = False")
                    values.writer.add("break")
        values.writer.depth -= only is None
    return atom(known)


def _split_joined(values: Values, listed: ir.Expr) -> tuple[ir.Expr | None, ir.Expr | None]:
    """A list and a single element that follows it, if a list is joined of such; otherwise the list as it is."""
    if applies(listed, Op.JOIN) and not values.is_none(listed):
        rest, last = listed.args
        single = last.args[0] if applies(last, Op.LIST) and len(last.args) == 1 else None
        if single is not None and not values.is_none(single):
            return rest, single
    return listed, None


def _collect(
    values: Values, var: int, source: Code, where: ir.Expr | None, value: ir.Expr | None, listed: ir.Expr | None = None
) -> Code:
    made = values.writer.fresh()
    values.writer.add(f"{made} = []")
    with (
        loop(values, var, source, listed, where, value, kept=where) as element,
        _if_kept(values, where, listed, var),
    ):
        if value is None:
            values.writer.add(f"{made}.append({element})")
        else:
            _append(values, made, value)
    return atom(made)


@contextmanager
def _if_kept(values: Values, where: ir.Expr | None, listed: ir.Expr | None, var: int) -> Iterator[None]:
    """`if` the element is kept. Tails grow: where one is lost for good, so are all that follow."""
    if where is None:
        yield
        return
    tests = [test for test in list_parts(where) if values.shared.get(test) != TRUE]
    if applies(listed, Op.TAILS):
        lost = [test for test in tests if find_lasting(values, test, var) is not None]
        for test in lost:
            values.writer.add(f"if {values.negated(test).text}:")
            with values.writer.indented():
                values.writer.add("break")
        tests = [test for test in tests if test not in lost]
    if not tests:
        yield
        return
    kept = tests[0] if len(tests) == 1 else ir.Logic(type=where.type, op="and", parts=tuple(tests))
    values.writer.add(f"if {values.test(kept).text}:")
    with values.writer.indented():
        yield


def _append(values: Values, to: str, value: ir.Expr) -> None:
    code = values.value(value)
    if values.is_none(value):
        code = values.name(code)
        values.writer.add(f"if {code.text} is not None:")
        with values.writer.indented():
            values.writer.add(f"{to}.append({code.text})")
    else:
        values.writer.add(f"{to}.append({code.text})")


def _comprehension(values: Values, expr: ir.Those, source: Code) -> Code | None:
    """A comprehension, where nothing but the element and tables is read."""
    if expr.orders or (expr.value is not None and values.is_none(expr.value)):
        return None
    name = values.writer.fresh("x")
    values.names[expr.var] = atom(name)
    shown, kept = name, ""
    for part in (expr.where, expr.value):
        if part is None:
            continue
        if not reads_only(part, expr.var):
            return None
        with values.writer.captured() as lines:
            code = values.test(part) if part is expr.where else values.value(part)
        if lines:
            return None
        if part is expr.where:
            kept = f" if {code.within(OR)}"
        else:
            shown = code.text
    return atom(f"[{shown} for {name} in {source.within(OR)}{kept}]")


def _best(values: Values, order: ir.Order, var: int, source: Code) -> Code:
    """Those with the best key; none is no key."""
    best, kept = values.writer.fresh(), values.writer.fresh()
    values.writer.add(f"{best} = None")
    values.writer.add(f"{kept} = []")
    sign = ">" if order.best == "highest" else "<"
    with loop(values, var, source) as element:
        key = values.name(values.value(order.key))
        if values.is_none(order.key):
            values.writer.add(f"if {key.text} is None:")
            with values.writer.indented():
                values.writer.add("continue")
        values.writer.add(f"if {best} is None or {key.text} {sign} {best}:")
        with values.writer.indented():
            values.writer.add(f"{best} = {key.text}")
            values.writer.add(f"{kept} = [{element}]")
        values.writer.add(f"elif {key.text} == {best}:")
        with values.writer.indented():
            values.writer.add(f"{kept}.append({element})")
    return atom(kept)


def _is_place(expr: ir.Expr, var: int) -> bool:
    """Whether this is the place of the element."""
    return applies(expr, Op.PLACE) and is_var(expr.args[0], var)


def reads_only(expr: ir.Expr, var: int) -> bool:
    """Whether an expression is made of tables, constants and one variable."""
    if isinstance(expr, ir.Var):
        return expr.index == var
    if isinstance(expr, ir.Const):
        return True
    allowed = isinstance(expr, Lookup | ir.Logic) or applies(expr, *_SIGNS)
    return allowed and all(reads_only(child, var) for child in list_children(expr))


_SIGNS = (
    Op.ADD, Op.SUBTRACT, Op.EQUAL, Op.DIFFER, Op.LESS, Op.AT_MOST, Op.GREATER, Op.AT_LEAST, Op.IS_IN,
)  # fmt: skip

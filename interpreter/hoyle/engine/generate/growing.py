"""Code for lists that grow by one element at a time: what is asked of them is kept up to date, not worked out anew.

In: the conditions that are tested of every tail of a list. Out: a loop over the elements from the last to the first, in
which counts, sums, extremes and numbers of different values of the tail are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum, auto

from hoyle.dataclass import dataclass
from hoyle.engine.generate.facts import free_vars
from hoyle.engine.generate.nodes import Lookup
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import Code, atom
from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk_expression
from hoyle.words import Op, applies, op_of

_GIVEN = re.compile(r"a\d+")
TRUE = atom("True")


class Lasting(Enum):
    """What holds of a list as long as it is to hold of a longer one."""

    ALIKE = auto()
    DIFFERENT = auto()


_BEGIN: dict[Op | Lasting, str] = {
    Op.COUNT: "0", Op.SUM: "0", Op.HIGHEST: "None", Op.LOWEST: "None", Op.DISTINCT: "set()", Lasting.ALIKE: "None",
    Lasting.DIFFERENT: "set()",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Something asked of a tail: `how` it is made of `value` for each element, which is numbered `var`."""

    asked: ir.Expr
    how: Op | Lasting
    var: int
    value: ir.Expr | None
    test: ir.Expr | None = None  # what holds as long as the loop goes on


def find_aggregates(
    values: Values, var: int, bodies: tuple[ir.Expr | None, ...], kept: ir.Expr | None
) -> list[Aggregate]:
    """What the bodies ask of the tail numbered `var`, each once. Where `kept` ends the loop as soon as two elements are
    alike, or two differ, it need only be seen that they are."""
    found: dict[ir.Expr, Aggregate] = {}
    times: Counter[ir.Expr] = Counter()
    for body in bodies:
        for node in walk_expression(body) if body is not None else ():
            aggregate = _read(values, node, var)
            if aggregate is not None:
                found.setdefault(node, aggregate)
                times[node] += 1
    for test in list_parts(kept) if kept is not None else ():
        lasting = find_lasting(values, test, var)
        if lasting is not None and lasting[0] in found and times[lasting[0]] == 1:
            found[lasting[0]] = replace(found[lasting[0]], how=lasting[1], test=test)
    return list(found.values())


def list_parts(test: ir.Expr) -> list[ir.Expr]:
    """The tests that must all hold for a test to hold."""
    if isinstance(test, ir.Logic) and test.op == "and":
        return [each for part in test.parts for each in list_parts(part)]
    return [test]


def find_lasting(values: Values, test: ir.Expr, var: int) -> tuple[ir.Expr, Lasting] | None:
    """The number of kinds that is asked for, and what it is to be, if all lists that end in one that fails a test fail
    it, too: all of one kind, all different."""
    if not applies(test, Op.EQUAL):
        return None
    for kinds, other in (test.args, test.args[::-1]):
        if not applies(kinds, Op.COUNT) or not isinstance(kinds.args[0], ir.Apply):
            continue
        distinct = kinds.args[0]
        if not applies(distinct, Op.DISTINCT) or not _is_made_of_each(values, distinct.args[0], var):
            continue
        if isinstance(other, ir.Const) and other.value == 1:
            return kinds, Lasting.ALIKE
        if applies(other, Op.COUNT) and is_var(other.args[0], var):
            return kinds, Lasting.DIFFERENT
    return None


def _is_made_of_each(values: Values, expr: ir.Expr, var: int) -> bool:
    """Whether a list has one value for each element of another, whatever else that holds."""
    if isinstance(expr, ir.Those) and expr.where is None and not expr.orders:
        if expr.value is not None and (var in free_vars(expr.value) - {expr.var} or values.is_none(expr.value)):
            return False
        return is_var(expr.source, var)
    return is_var(expr, var)


def is_var(expr: ir.Expr, var: int) -> bool:
    return isinstance(expr, ir.Var) and expr.index == var


def _read(values: Values, node: ir.Expr, var: int) -> Aggregate | None:
    if not applies(node, Op.COUNT, Op.SUM, Op.HIGHEST, Op.LOWEST):
        return None
    how, listed = op_of(node), node.args[0]
    assert how is not None
    if how is Op.COUNT and isinstance(listed, ir.Var) and listed.index == var:
        return Aggregate(node, how, var, None)
    if how is Op.COUNT and applies(listed, Op.DISTINCT):
        how, listed = Op.DISTINCT, listed.args[0]
    if how is Op.COUNT or not isinstance(listed, ir.Those) or listed.where is not None or listed.orders:
        return None
    source, value = listed.source, listed.value
    if not isinstance(source, ir.Var) or source.index != var or value is None:
        return None
    if free_vars(value) - {listed.var} or values.facts.reads_position(value) or values.is_none(value):
        return None
    return Aggregate(node, how, listed.var, value)


def _find_numbers(aggregate: Aggregate) -> list[int]:
    """The values that elements can have, if a table says so."""
    value = aggregate.value
    if not isinstance(value, Lookup) or value.missing is not None or any(type(each) is not int for each in value.table):
        return []
    return [each for each in value.table if isinstance(each, int)]


def _begin(aggregate: Aggregate) -> str:
    """What an aggregate is before the first element: beyond all of them, for the highest and the lowest."""
    numbers = _find_numbers(aggregate) if aggregate.how in (Op.HIGHEST, Op.LOWEST) else []
    if not numbers:
        return _BEGIN[aggregate.how]
    return str(min(numbers) - 1 if aggregate.how is Op.HIGHEST else max(numbers) + 1)


@contextmanager
def loop_over_tails(values: Values, var: int, listed: str, aggregates: list[Aggregate]) -> Iterator[str]:
    """A loop over the tails of a list, the shortest first. Gives the code of the tail itself."""
    writer = values.writer
    names = [writer.fresh() for _ in aggregates]
    for name, aggregate in zip(names, aggregates, strict=True):
        writer.add(f"{name} = {_begin(aggregate)}")
    place = writer.fresh("place")
    # What is given to a definition is a tuple.
    tail = f"{listed}[{place}:]" if _GIVEN.fullmatch(listed) else f"tuple({listed}[{place}:])"
    head = writer.add(f"for {place} in range(len({listed}) - 1, -1, -1):")
    with values.scope(), writer.indented():
        element = writer.fresh("x")
        first = writer.add(f"{element} = {listed}[{place}]")
        made: dict[str, Code] = {}
        for name, aggregate in zip(names, aggregates, strict=True):
            _add(values, name, aggregate, element, made)
            if aggregate.test is not None:
                values.shared[aggregate.test] = TRUE
            else:
                values.shared[aggregate.asked] = atom(f"len({name})" if aggregate.how is Op.DISTINCT else name)
        values.names[var] = atom(tail)
        yield tail
    after = next(number for number, line in enumerate(writer.lines) if line is first)
    if not any(f"{place}:" in line.text for line in writer.lines[after:]):
        head.text, first.text = f"for {element} in reversed({listed}):", ""


def _add(values: Values, name: str, aggregate: Aggregate, element: str, made: dict[str, Code]) -> None:
    """Bring one up to date with an element."""
    writer = values.writer
    if aggregate.value is None:
        writer.add(f"{name} += 1")
        return
    values.names[aggregate.var] = atom(element)
    code = values.value(aggregate.value)
    if code.text not in made:
        made[code.text] = values.name(code)
    code = made[code.text]
    if aggregate.how is Op.SUM:
        writer.add(f"{name} += {code.text}")
    elif aggregate.how is Op.DISTINCT:
        writer.add(f"{name}.add({code.text})")
    elif aggregate.how is Lasting.ALIKE:
        writer.add(f"if {name} is None:")
        with writer.indented():
            writer.add(f"{name} = {code.text}")
        writer.add(f"elif {code.text} != {name}:")
        with writer.indented():
            writer.add("break")
    elif aggregate.how is Lasting.DIFFERENT:
        writer.add(f"if {code.text} in {name}:")
        with writer.indented():
            writer.add("break")
        writer.add(f"{name}.add({code.text})")
    else:
        sign = ">" if aggregate.how is Op.HIGHEST else "<"
        unknown = "" if _find_numbers(aggregate) else f"{name} is None or "
        writer.add(f"if {unknown}{code.text} {sign} {name}:")
        with writer.indented():
            writer.add(f"{name} = {code.text}")

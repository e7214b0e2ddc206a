"""Memo keys: numbers that tell apart what a definition sees as different, so that its results can be kept by them.

In: what a definition is given, and how it sees it. Out: code for a whole number, or for a tuple where there is none.

A list whose order matters is a number with a digit for each element. A list whose order does not matter is a sum: each
class of cards has digits of its own, which count its cards.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.engine.generate.nodes import Key
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import ARITHMETIC, CHOICE, Code, atom
from hoyle.ir import nodes as ir
from hoyle.ir.types import certain
from hoyle.words import Op, applies


def join_keys(values: Values, keys: tuple[ir.Expr, ...]) -> Code:
    """Several keys as one: digits of one number while they are bounded."""
    first, *others = keys
    bounds = [_bound(values, key) for key in others]
    codes = [values.value(key) for key in keys]
    if any(bound is None for bound in bounds) or (others and _digits(values, first) is None):
        return atom(f"({', '.join(code.text for code in codes)})")
    made = codes[0]
    for code, bound in zip(codes[1:], bounds, strict=True):
        made = Code(f"{made.within(ARITHMETIC)} * {bound} + {code.within(ARITHMETIC)}", CHOICE)
    return made


def _digits(values: Values, key: ir.Expr) -> int | None:
    """How many different elements what a key tells of can have; None if nobody knows."""
    assert isinstance(key, Key)
    if key.classes is not None:
        return max(key.classes) + 1
    kind = certain(key.of.type)
    kind = kind.of or kind
    if kind.kind == "truth":
        return 2
    domain = values.facts.domain(kind)
    return None if domain is None else len(domain)


def _bound(values: Values, key: ir.Expr) -> int | None:
    """What a key is below; None if there is no such number."""
    assert isinstance(key, Key)
    digits = None if certain(key.of.type).kind == "list" else _digits(values, key)
    return None if digits is None else digits + 1


def write_key(values: Values, expr: Key) -> Code:
    """Code for the key of one thing. None is 0, or for a list -1."""
    digits = _digits(values, expr)
    is_list = certain(expr.of.type).kind == "list"
    if digits is None:
        code = values.name(values.value(expr.of))
        return atom(f"tuple(sorted({code.text} or ()))") if is_list and expr.sorts else code
    if not is_list:
        return _write_single(values, expr, digits)
    key = values.writer.fresh("key")
    if not values.is_none(expr.of):
        values.writer.add(f"{key} = 0")
        _add_up(values, key, expr, expr.of, digits)
        return atom(key)
    listed = values.name(values.value(expr.of))
    values.writer.add(f"if {listed.text} is None:")
    with values.writer.indented():
        values.writer.add(f"{key} = -1")
    values.writer.add("else:")
    with values.writer.indented():
        values.writer.add(f"{key} = 0")
        _run_through(values, key, expr, listed, digits)
    return atom(key)


def _write_single(values: Values, expr: Key, digits: int) -> Code:
    table = _table(values, expr, digits, sorts=False)
    code = values.value(expr.of)
    if not values.is_none(expr.of):
        return atom(f"{table}[{code.text}]")
    code = values.name(code)
    return Code(f"{table}[{code.text}] if {code.text} is not None else 0", CHOICE)


def _add_up(values: Values, key: str, expr: Key, listed: ir.Expr, digits: int) -> None:
    """Add the elements of a list to a key; lists that are joined one after the other."""
    if listed not in values.shared and listed not in values.shared_each and isinstance(listed, ir.Apply):
        if applies(listed, Op.JOIN) and not values.is_none(listed):
            for part in listed.args:
                _add_up(values, key, expr, part, digits)
            return
        if applies(listed, Op.LIST):
            for part in listed.args:
                _add_one(values, key, expr, part, digits)
            return
    _run_through(values, key, expr, values.name(values.each(listed), "pile"), digits)


def _add_one(values: Values, key: str, expr: Key, element: ir.Expr, digits: int) -> None:
    code = values.name(values.value(element))
    added = _write_added(values, key, expr, code.text, digits)
    if not values.is_none(element):
        values.writer.add(added)
        return
    values.writer.add(f"if {code.text} is not None:")
    with values.writer.indented():
        values.writer.add(added)


def _run_through(values: Values, key: str, expr: Key, listed: Code, digits: int) -> None:
    if expr.sorts:
        values.stop_if(f"len({listed.text}) > {_most(values)}")
    element = values.writer.fresh("x")
    values.writer.add(f"for {element} in {listed.text}:")
    with values.writer.indented():
        values.writer.add(_write_added(values, key, expr, element, digits))


def add_to_key(values: Values, name: str, expr: Key) -> Callable[[str], str] | None:
    """How an element is added to the key of a list that is held by a name; None if the list has no such key."""
    digits = _digits(values, expr)
    if digits is None or certain(expr.of.type).kind != "list" or values.is_none(expr.of) or expr.sorts:
        return None
    return lambda element: _write_added(values, name, expr, element, digits)


def _write_added(values: Values, key: str, expr: Key, element: str, digits: int) -> str:
    table = _table(values, expr, digits, sorts=expr.sorts)
    return f"{key} += {table}[{element}]" if expr.sorts else f"{key} = {key} * {digits + 1} + {table}[{element}]"


def _table(values: Values, expr: Key, digits: int, *, sorts: bool) -> str:
    """For each element what it adds to a key."""
    classes = expr.classes if expr.classes is not None else tuple(range(digits))
    if sorts:
        width = (8 * _most(values)).bit_length()  # several lists may be joined
        return values.module.table(tuple(1 << width * each for each in classes), "digits of classes")
    return values.module.table(tuple(each + 1 for each in classes), "digits")


def _most(values: Values) -> int:
    """The longest list that is counted."""
    return max(64, len(values.module.program.cards))

"""Generic traversal of programs.

In: an expression, an instruction or any other node of a program. Out: its children, all its descendants, or a copy with
children replaced. Traversal does not enter called definitions and actions, except in `walk_into`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from hoyle.program.ir.blocks import Branch, Decide, Enter, Jump, Perform, Terminator
from hoyle.program.ir.expressions import Call, Expr, Order, Var
from hoyle.program.ir.program import Program
from hoyle.program.ir.types import Type

ExprT = TypeVar("ExprT", bound=Expr)

_NAMES: dict[type, tuple[str, ...]] = {}
_NODES: dict[type, bool] = {tuple: False, Type: False}  # whether a class is a node class
# Names in the annotations of fields that hold no nodes.
_NAMED = "Value|Kind|Any|Type|ClauseId|None|int|str|bool|float|tuple|dict"
_PLAIN = re.compile(rf"Literal\[[^][]*\]|\b(?:{_NAMED})\b|[\[\]|,. ]")


def part_names(kind: type) -> tuple[str, ...]:
    """The fields of a node class that can hold nodes."""
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(part.name for part in fields(kind) if _PLAIN.sub("", str(part.type)))
    return names


def list_parts(node: object) -> list[object]:
    """The nodes directly inside a node."""
    found: list[object] = []
    for name in part_names(type(node)):
        held = getattr(node, name)
        if held is not None:
            _add_nodes(held, found)
    return found


def _add_nodes(held: object, found: list[object]) -> None:
    kind = type(held)
    is_node = _NODES.get(kind)
    if is_node is None:
        is_node = _NODES[kind] = hasattr(kind, "__dataclass_fields__") and not issubclass(kind, Type)
    if is_node:
        found.append(held)
    elif isinstance(held, tuple):
        for item in held:
            _add_nodes(item, found)


def list_children(node: object) -> list[Expr]:
    """The expressions directly inside a node, with the keys of its orders."""
    found: list[Expr] = []
    for part in list_parts(node):
        if isinstance(part, Expr):
            found.append(part)
        elif isinstance(part, Order):
            found.append(part.key)
    return found


def walk(node: object) -> Iterator[object]:
    """A node and all its descendants, in pre-order."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(list_parts(node))


def walk_expression(expr: Expr) -> Iterator[Expr]:
    """An expression and all expressions inside it, in pre-order."""
    waiting = [expr]
    while waiting:
        expr = waiting.pop()
        yield expr
        waiting += reversed(list_children(expr))


def rebuild(expr: ExprT, change: Callable[[Expr], Expr]) -> ExprT:
    """The expression with its direct children mapped by `change`; the same object if none of them changed."""
    made = {}
    for name in part_names(type(expr)):
        old = getattr(expr, name)
        new = _rebuild_part(old, change)
        if new is not old:
            made[name] = new
    return replace(expr, **made) if made else expr


def _rebuild_part(part: Any, change: Callable[[Expr], Expr]) -> Any:
    if isinstance(part, Expr):
        return change(part)
    if isinstance(part, Order):
        key = change(part.key)
        return part if key is part.key else replace(part, key=key)
    if isinstance(part, tuple):
        made = [_rebuild_part(each, change) for each in part]
        return part if all(map(operator.is_, made, part)) else tuple(made)
    return part


def walk_into(program: Program, expr: Expr) -> Iterator[Expr]:
    """The expression and all its descendants, entering each called definition once."""
    entered: set[int] = set()
    waiting = [expr]
    while waiting:
        for node in walk_expression(waiting.pop()):
            yield node
            if isinstance(node, Call) and node.definition not in entered:
                entered.add(node.definition)
                waiting.append(program.definitions[node.definition].body)


def list_variables(expr: Expr) -> set[int]:
    """The frame indices that the expression reads."""
    return {node.index for node in walk_expression(expr) if isinstance(node, Var)}


def list_following(program: Program, end: Terminator) -> list[int]:
    """The successor blocks of a terminator; for a call, the entry of the step and the return address. The targets of
    `Return` are not known statically."""
    match end:
        case Branch(yes=yes, no=no):
            return [yes, no]
        case Enter(step=step, to=to):
            return [to, program.steps[step].entry]
        case Jump(to=to) | Decide(to=to) | Perform(to=to):
            return [to]
    return []

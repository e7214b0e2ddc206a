"""The one walk over programs: nodes inside nodes.

In: an expression, an instruction or any other node of a program. Out: its parts, or everything inside it. Definitions
and actions that are called are not entered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from hoyle.ir.expressions import Call, Expr, Order, Var
from hoyle.ir.program import Program
from hoyle.ir.types import Type

_NAMES: dict[type, tuple[str, ...]] = {}


def _part_names(kind: type) -> tuple[str, ...]:
    """The fields of a node class that can hold nodes."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(part.name for part in fields(kind) if part.name not in ("type", "text", "clause"))
    return _NAMES[kind]


def list_parts(node: Any) -> Iterator[Any]:
    """The nodes directly inside a node."""
    for name in _part_names(type(node)):
        yield from _list_nodes(getattr(node, name))


def _list_nodes(held: Any) -> Iterator[Any]:
    if isinstance(held, tuple):
        for item in held:
            yield from _list_nodes(item)
    elif is_dataclass(held) and not isinstance(held, type | Type):
        yield held


def list_children(node: Any) -> Iterator[Expr]:
    """The expressions directly inside a node; those of an order count as directly inside."""
    for part in list_parts(node):
        if isinstance(part, Expr):
            yield part
        elif isinstance(part, Order):
            yield part.key


def walk(node: Any) -> Iterator[Any]:
    """A node and everything inside it."""
    yield node
    for part in list_parts(node):
        yield from walk(part)


def walk_expression(expr: Expr) -> Iterator[Expr]:
    """An expression and every expression inside it."""
    yield expr
    for child in list_children(expr):
        yield from walk_expression(child)


def walk_into(program: Program, expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it and inside the definitions it calls, each definition once."""
    entered: set[int] = set()
    waiting = [expr]
    while waiting:
        for node in walk_expression(waiting.pop()):
            yield node
            if isinstance(node, Call) and node.definition not in entered:
                entered.add(node.definition)
                waiting.append(program.definitions[node.definition].body)


def list_variables(expr: Expr) -> set[int]:
    """The frame places the expression reads."""
    return {node.index for node in walk_expression(expr) if isinstance(node, Var)}

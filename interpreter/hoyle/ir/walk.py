"""Walking over expressions and programs.

In: a node. Out: its parts, or facts about all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from hoyle.ir.nodes import Call, Expr, Order, Program, Var


def list_children(node: Expr | Order) -> Iterator[Expr]:
    """The expressions directly inside a node."""
    for part in fields(node):
        value: Any = getattr(node, part.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Expr):
                yield item
            elif isinstance(item, Order):
                yield from list_children(item)


def walk_expression(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it, not entering definitions it calls."""
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


def walk_nodes(node: Any) -> Iterator[Any]:
    """A node of any class, and every node inside it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(one)
        elif is_dataclass(one):
            yield one
            waiting.extend(getattr(one, part.name) for part in fields(one))

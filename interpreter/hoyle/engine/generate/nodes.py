"""Expressions that only the generator makes: shared values and tables.

In: nothing. Out: `Bind`, `Lookup` and `View`, nodes that stand among those of the IR while code is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hoyle.ir import nodes as ir


@dataclass(frozen=True, slots=True, kw_only=True)
class Bind(ir.Expr):
    """A value worked out once and used in the body as `Var(var)`."""

    var: int
    value: ir.Expr
    body: ir.Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup(ir.Expr):
    """`table[index]`; `missing` where the index is none."""

    table: tuple[Any, ...]
    index: ir.Expr
    missing: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class View(ir.Expr):
    """A value as a definition sees it: cards as their classes, and, if order makes no difference, sorted."""

    of: ir.Expr
    classes: tuple[int, ...] | None
    sorts: bool

"""Expressions that only the generator makes: shared values, tables, and what results are remembered by.

In: nothing. Out: `Bind`, `Lookup`, `View`, `Key` and `Kept`, nodes that stand among those of the IR while code is
written.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass
from hoyle.ir import nodes as ir
from hoyle.model.runtime_values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Bind(ir.Expr):
    """A value worked out once and used in the body as `Var(var)`."""

    var: int
    value: ir.Expr
    body: ir.Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup(ir.Expr):
    """`table[index]`; `missing` where the index is none."""

    table: tuple[Value, ...]
    index: ir.Expr
    missing: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class View(ir.Expr):
    """A value as a definition sees it: cards as their classes."""

    of: ir.Expr
    classes: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(ir.Expr):
    """What tells apart the values a definition sees as different. `sorts`: the order of a list makes no difference."""

    of: ir.Expr
    classes: tuple[int, ...] | None
    sorts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(ir.Expr):
    """What the function `name` gives for the views, kept in `kept_in` by the keys."""

    name: str
    kept_in: str
    keys: tuple[ir.Expr, ...]
    views: tuple[ir.Expr, ...]

    @property
    def kept_once(self) -> str:
        """What holds the results themselves, those that are equal once."""
        return f"S{self.kept_in[1:]}"

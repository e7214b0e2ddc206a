"""Kinds: enumerations declared by the game, whose values may carry columns of data, and numeric ranges.

In: their declarations. Out: a table for each column in the environment.
"""

from __future__ import annotations

from hoyle.base.diagnostics.report import Label
from hoyle.base.source import Span
from hoyle.language.declare.declarations import ColumnValue, KindDecl
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.enums import add_enum, add_scale
from hoyle.language.elaborate.folding import constant
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.typing_rules import described, is_unknown, same
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type, list_of, maybe
from hoyle.program.model.runtime_values import Value


def fill_kinds(elaborator: Elaborator) -> None:
    """Register kinds as enumerations and scales; their columns, which may name cards, follow after the deck."""
    for kind in elaborator.env.declared.kinds.values():
        if kind.values is None:
            add_scale(elaborator.env, kind.name, kind.low, kind.high, kind.names)
        else:
            add_enum(elaborator.env, kind.name, kind.values, kind.values)


def fill_columns(elaborator: Elaborator) -> None:
    """Build a table for each column of each kind; all cells must be constant."""
    for kind in elaborator.env.declared.kinds.values():
        for name, cells in kind.columns.items():
            table = _fill_column(elaborator, kind, name, cells)
            if table is not None:
                elaborator.env.kind_columns.setdefault(name, {})[kind.name] = table


def _fill_column(elaborator: Elaborator, kind: KindDecl, name: str, cells: dict[str, ColumnValue]) -> ir.Const | None:
    env = elaborator.env
    element: Type | None = None
    first: Span | None = None
    values: list[Value] = []
    for value in kind.values or ():
        cell = cells.get(value)
        if cell is None:
            values.append(None)
            continue
        found = [elaborator.expr(expr, Scope(Frame())) for expr in cell.exprs]
        for part, expr in zip(found, cell.exprs, strict=True):
            if is_unknown(part.type):
                return None
            if not isinstance(part, ir.Const):
                env.report.error(
                    "not-constant",
                    f"`{part.text}` has no value before the game begins",
                    expr.span,
                    hint="a column holds cards, numbers and values of options, attributes and kinds",
                )
                return None
            held = list_of(part.type) if cell.listed else part.type
            if element is not None and not same(held, element):
                env.report.error(
                    "different-types",
                    f"the column `{name}` holds {described(element)} in one place and {described(held)} in another",
                    expr.span,
                    described(held),
                    others=(Label(first, described(element)),) if first else (),
                    hint="a column holds one kind of thing",
                )
                return None
            element, first = held, first or expr.span
        parts = tuple(part.value for part in found if isinstance(part, ir.Const))
        values.append(parts if cell.listed else parts[0])
    if element is None:
        return None
    if element.kind == "list":  # a missing list is empty
        values = [() if value is None else value for value in values]
    return constant(tuple(values), list_of(maybe(element) if None in values else element), f"{name} of {kind.name}")

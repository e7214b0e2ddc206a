"""Kinds: enumerations of the game's own, whose values may carry columns.

In: the section `kinds:`. Out: their declarations; in a world, an enumeration for each and a table for each column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.check.declarations import ColumnValue, Declarations, KindDecl
from hoyle.check.folding import constant
from hoyle.check.reader import Reader
from hoyle.check.scope import Frame, Scope
from hoyle.check.typing_rules import described, is_unknown, same
from hoyle.diagnostics.report import Label
from hoyle.document.nodes import Entry, Mapping, Sequence
from hoyle.ir import nodes as ir
from hoyle.ir.types import Type, list_of, maybe
from hoyle.source import Span

if TYPE_CHECKING:
    from hoyle.check.expressions import Elaborator

NOT_VALUES = {"text", "cite"}


def read_kind(reader: Reader, entry: Entry, declared: Declarations) -> None:
    """One kind: its values in order, each with what its columns hold."""
    name, node = entry.key.text, entry.value
    line = reader.line(f"kinds.{name}", entry.key, node)
    if not isinstance(node, Mapping):
        return
    places: dict[str, Span] = {}
    columns: dict[str, dict[str, ColumnValue]] = {}
    for one in node.entries:
        if one.key.text in NOT_VALUES:
            continue
        places[one.key.text] = one.key.span
        for column in one.value.entries if isinstance(one.value, Mapping) else ():
            items = column.value.items if isinstance(column.value, Sequence) else (column.value,)
            found = [reader.expr(item) for item in items]
            if None not in found:
                exprs = tuple(expr for expr in found if expr is not None)
                value = ColumnValue(exprs, isinstance(column.value, Sequence), column.key.span)
                columns.setdefault(column.key.text, {})[one.key.text] = value
    if not places:
        reader.report.error(
            "missing-key",
            f"the kind `{name}` has no values",
            entry.key.span,
            hint="write them in order, each with a colon and braces: `north: {}`",
        )
        return
    declared.kinds[name] = KindDecl(name, line, tuple(places), places, columns)


def fill_columns(elaborator: Elaborator) -> None:
    """A table for each column of each kind; what its cells say is known before the game begins."""
    for kind in elaborator.world.declared.kinds.values():
        for name, cells in kind.columns.items():
            table = _fill_column(elaborator, kind, name, cells)
            if table is not None:
                elaborator.world.kind_columns.setdefault(name, {})[kind.name] = table


def _fill_column(elaborator: Elaborator, kind: KindDecl, name: str, cells: dict[str, ColumnValue]) -> ir.Const | None:
    world = elaborator.world
    element: Type | None = None
    first: Span | None = None
    values: list[Any] = []
    for value in kind.values:
        cell = cells.get(value)
        if cell is None:
            values.append(None)
            continue
        found = [elaborator.expr(expr, Scope(Frame())) for expr in cell.exprs]
        for part, expr in zip(found, cell.exprs, strict=True):
            if is_unknown(part.type):
                return None
            if not isinstance(part, ir.Const):
                world.report.error(
                    "not-constant",
                    f"`{part.text}` has no value before the game begins",
                    expr.span,
                    hint="a column holds cards, numbers and values of options, attributes and kinds",
                )
                return None
            held = list_of(part.type) if cell.listed else part.type
            if element is not None and not same(held, element):
                world.report.error(
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
    if element.kind == "list":  # a list that is not said is empty
        values = [() if value is None else value for value in values]
    return constant(tuple(values), list_of(maybe(element) if None in values else element), f"{name} of {kind.name}")

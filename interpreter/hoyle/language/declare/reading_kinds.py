"""Reading of kinds: enumerations declared by the game, whose values may carry columns of data, and numeric ranges.

In: entries of `kinds:`. Out: their declarations.
"""

from __future__ import annotations

from hoyle.base.source import Span
from hoyle.language.declare.declarations import ColumnValue, Declarations, KindDecl
from hoyle.language.declare.reader import Reader
from hoyle.language.declare.reading_parts import is_scale, read_scale
from hoyle.language.document.nodes import Entry, Mapping, Sequence

NOT_VALUES = {"text", "cite"}


def read_kind(reader: Reader, entry: Entry, declared: Declarations) -> None:
    """Read one kind: its values in order, with the cells of its columns."""
    name, node = entry.key.text, entry.value
    line = reader.line(f"kinds.{name}", entry.key, node)
    if is_scale(node):
        scale = read_scale(reader, node, name)
        if scale:
            declared.kinds[name] = KindDecl(name, line, None, {}, {}, *scale)
        return
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

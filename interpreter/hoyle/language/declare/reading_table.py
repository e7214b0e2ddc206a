"""Reading of the table layout: places and sorting of zones, counts, displayed states.

In: the section `table:`. Out: its declaration.
"""

from __future__ import annotations

from hoyle.language.declare.declarations import CountDecl, Declarations, SortKey, TableDecl, ZoneLookDecl
from hoyle.language.declare.reader import Reader
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.syntax import ast
from hoyle.program.ir.declared import TableForm, TablePlace

PLACES: tuple[TablePlace, ...] = ("", "centre", "side", "away")
FORMS: tuple[TableForm, ...] = ("", "fan", "row", "column", "pile", "stack")


def read_table(reader: Reader, entry: Entry, declared: Declarations) -> None:
    node = entry.value
    if not isinstance(node, Mapping):
        return
    zones = node.get("zones")
    looks = tuple(_read_zone(reader, one) for one in zones.entries) if isinstance(zones, Mapping) else ()
    counts = node.get("counts")
    counted = (_read_count(reader, one) for one in counts.entries) if isinstance(counts, Mapping) else ()
    declared.table = TableDecl(
        tuple(look for look in looks if look is not None),
        tuple(count for count in counted if count is not None),
        _read_names(node.get("states")) if node.get("states") is not None else None,
    )


def _read_zone(reader: Reader, entry: Entry) -> ZoneLookDecl | None:
    node = entry.value
    if not isinstance(node, Mapping):
        return None
    sort = node.get("sort")
    return ZoneLookDecl(
        ast.Word(entry.key.text, entry.key.span),
        reader.one_of(node.get("at"), "at", PLACES),
        reader.one_of(node.get("as"), "as", FORMS),
        tuple(_read_sort(word) for word in _read_names(sort)) if sort is not None else None,
        next(iter(_read_names(node.get("under"))), None),
        _read_names(node.get("marks")),
        int(places.text) if isinstance(places := node.get("places"), Scalar) and places.text.isdecimal() else 0,
    )


def _read_sort(word: ast.Word) -> SortKey:
    """A sort key: `rank`, `lowest rank`, `highest rank`."""
    how, _, name = word.id.rpartition(" ")
    return SortKey(ast.Word(name, word.span), how == "highest")


def _read_count(reader: Reader, entry: Entry) -> CountDecl | None:
    """A count such as `sum pips of row`, or of each seat: `{of: seat, is: cards_left of seat}`."""
    line = reader.line(f"table.counts.{entry.key.text}", entry.key, entry.value)
    said = entry.value.get("is") if isinstance(entry.value, Mapping) else entry.value
    value = reader.expr(said) if said is not None else None
    return CountDecl(entry.key.text, line, reader.owned(entry.value), value) if value is not None else None


def _read_names(node: Node | None) -> tuple[ast.Word, ...]:
    nodes = node.items if isinstance(node, Sequence) else (node,)
    return tuple(ast.Word(each.text, each.span) for each in nodes if isinstance(each, Scalar))

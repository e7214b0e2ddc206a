"""Reading of the result: winners, utility, and the evaluation of a seat's standing.

In: entries of `winners:`, `utility:` and `hints:`. Out: their declarations.
"""

from __future__ import annotations

from hoyle.language.declare.declarations import DefinitionDecl, HintsDecl, UtilityDecl
from hoyle.language.declare.reader import Reader
from hoyle.language.declare.reading_definitions import read_body
from hoyle.language.declare.reading_parts import read_bounds, read_words
from hoyle.language.document.nodes import Entry, Mapping, Scalar
from hoyle.language.syntax import ast


def read_result(reader: Reader, entry: Entry) -> DefinitionDecl | None:
    """One of these sections, as a definition with its name."""
    name = entry.key.text
    line = reader.line(name, entry.key, entry.value)
    body = read_body(reader, name, entry.key, entry.value)
    if body is None:
        return None
    pattern = ast.Pattern("plain", ast.Word(name, entry.key.span), (), entry.key.span)
    return DefinitionDecl(name, line, pattern, False, {}, body)


def read_utility(reader: Reader, entry: Entry) -> UtilityDecl | None:
    """The utility of a result for a seat, with its declared range and sum."""
    value = read_result(reader, entry)
    said = entry.value if isinstance(entry.value, Mapping) else None
    limits, total = (said.get("range"), said.get("sum")) if said is not None else (None, None)
    bounds = read_bounds(reader, limits, "the range of `utility`") if limits is not None else None
    together = int(total.text) if isinstance(total, Scalar) else None
    return UtilityDecl(value, bounds, together) if value is not None else None


def read_hints(reader: Reader, entry: Entry) -> HintsDecl | None:
    """The evaluation of a seat's standing, and the actions at whose decisions bots use it."""
    value = read_result(reader, entry)
    judges = read_words(entry.value.get("judges")) if isinstance(entry.value, Mapping) else None
    return HintsDecl(value, judges or ()) if value is not None else None

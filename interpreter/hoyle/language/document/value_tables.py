"""A definition written as a table: `K: 4`, a line for each value.

In: such a definition, and the root of its file. Out: the same as cases, as candidates for its mending.
"""

from __future__ import annotations

import re

from hoyle.base.diagnostics.report import Fix
from hoyle.base.diagnostics.spelling import COURTS, SPELLED
from hoyle.base.source import Span
from hoyle.language.document.nodes import Entry, Mapping, Scalar

_REST = ("otherwise", "else", "default", "other", "others", "rest", "any")
_SPOKEN = {short: word for word, short in COURTS.items() if word not in ("knave", "deuce")}
_NUMBERS = SPELLED.split()


def is_table(entries: list[Entry]) -> bool:
    """Whether keys without meaning are the lines of a table, one value each."""
    return len(entries) > 1 and all(isinstance(entry.value, Scalar) for entry in entries)


def make_cases(key: Scalar, entries: list[Entry], root: Mapping) -> list[Fix]:
    """The lines of a table as cases, of whatever is printed on cards."""
    parameter = re.fullmatch(r"[\w ]+ of (\w+)", key.text.strip())
    first, last = entries[0].key.span, entries[-1].value.span
    text = first.source.text
    margin = " " * (first.start - text.rfind("\n", 0, first.start) - 1)
    if parameter is None or text[first.start - len(margin) : first.start].strip():
        return []
    whole = Span(first.source, first.start, last.end)
    return [Fix(whole, _write(entries, f"{what} of {parameter[1]}", margin), sure=False) for what in _attributes(root)]


def _write(entries: list[Entry], said: str, margin: str) -> str:
    lines = ["cases:"]
    for entry in entries:
        value, written = entry.name, entry.value.span.text.strip()
        if value.lower() in _REST:
            lines.append(f"{margin}  other: {{value: {written}}}")
        else:
            test = f"{said} {'=' if value.isdigit() else 'is'} {value}"
            lines.append(f"{margin}  {_name(value)}: {{when: {test}, value: {written}}}")
    if not any(entry.name.lower() in _REST for entry in entries):
        lines.append(f"{margin}  other: {{value: 0}}")
    return "\n".join(lines)


def _name(value: str) -> str:
    """What the case of a value is called."""
    if value.isdigit():
        return _NUMBERS[int(value)] if int(value) < len(_NUMBERS) else f"n{value}"
    return _SPOKEN.get(value, value.lower())


def _attributes(root: Mapping) -> list[str]:
    """What may be printed on the cards, the likeliest first."""
    deck = root.get("deck")
    found = deck.get("attributes") if isinstance(deck, Mapping) else None
    return list(dict.fromkeys((*(found.keys() if isinstance(found, Mapping) else ()), "rank", "suit")))

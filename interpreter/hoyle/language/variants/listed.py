"""Duplicates in lists: modules under `use:`, parents under `extends:`.

In: a file and its merged document. Out: warnings at lines of the file, with the corrected list as a fix.
"""

from __future__ import annotations

from hoyle.base.diagnostics.report import Fix, Label, Report
from hoyle.base.source import Span
from hoyle.language.document.files import GameFile
from hoyle.language.document.merging import Document
from hoyle.language.document.nodes import Entry, Node, Sequence


def report_listed_twice(file: GameFile, document: Document, report: Report) -> None:
    """Report modules and parents listed more than once, which has no effect."""
    again = document.ledger.used_again.get(file.name, [])
    _report_twice(file, "use", [(place, first) for place, first in again if first.source == place.source], report)
    firsts: dict[str, Span] = {}
    for item in file.extends:
        firsts.setdefault(item.text, item.span)
    twice = [(item.span, firsts[item.text]) for item in file.extends if firsts[item.text] != item.span]
    _report_twice(file, "extends", twice, report)


def _report_twice(file: GameFile, section: str, twice: list[tuple[Span, Span]], report: Report) -> None:
    """One diagnostic per list, since the fix rewrites the whole list."""
    listed = file.root.entry(section)
    if not twice or listed is None or not isinstance(listed.value, Sequence):
        return
    names = list(dict.fromkeys(f"`{place.text}`" for place, _ in twice))
    fix = without_items(listed, listed.value, items_at(listed.value, [place for place, _ in twice]))
    report.error(
        "listed-twice",
        f"{join(names)} {'stands' if len(names) == 1 else 'stand'} more than once under `{section}:`",
        twice[0][0],
        others=[Label(first, "said here") for first in dict.fromkeys(first for _, first in twice)],
        hint=() if fix is not None else "leave it out the second time",
        fix=fix,
    )


def items_at(listed: Sequence, places: list[Span]) -> list[Node]:
    """The items of a list at these locations."""
    return [item for item in listed if any(_lies_in(place, item.span) for place in places)]


def without_items(entry: Entry, listed: Sequence, gone: list[Node]) -> Fix | None:
    """A fix that removes items from a list, or the whole entry if none is left; None if the layout does not allow a
    simple edit."""
    source, text = listed.span.source, listed.span.text
    kept = [item for item in listed if not any(item is one for one in gone)]  # by identity: duplicates are equal
    if text.startswith("[") and "\n" not in text:
        if kept:
            return Fix(listed.span, f"[{', '.join(item.span.text for item in kept)}]")
        return _without_lines(Span(source, entry.key.span.start, listed.span.end), "")
    if text.startswith("[") or not kept or len(gone) > 1:
        return None
    return _without_lines(gone[0].span, "-")


def _without_lines(span: Span, before: str) -> Fix | None:
    """A fix that deletes the lines of a range, if they contain nothing else but `before`."""
    text = span.source.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    alone = end >= 0 and text[start : span.start].strip() == before and not text[span.end : end].strip()
    return Fix(Span(span.source, start, end + 1), "") if alone else None


def join(parts: list[str]) -> str:
    """An enumeration in words."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _lies_in(place: Span, whole: Span) -> bool:
    return whole.start <= place.start and place.end <= whole.end

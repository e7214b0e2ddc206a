"""What a file lists: modules under `use:`, parents under `extends:`; what stands there twice, and the list without it.

In: a file and what it amounts to. Out: warnings at the lines of the file, with the list as it should be.
"""

from __future__ import annotations

from hoyle.diagnostics.report import Fix, Label, Report
from hoyle.document.files import GameFile
from hoyle.document.merging import Document
from hoyle.document.nodes import Entry, Node, Sequence
from hoyle.source import Span


def report_listed_twice(file: GameFile, document: Document, report: Report) -> None:
    """Report modules and parents that a file names more than once: the second time changes nothing."""
    again = document.ledger.used_again.get(file.name, [])
    _report_twice(file, "use", [(place, first) for place, first in again if first.source == place.source], report)
    firsts: dict[str, Span] = {}
    for item in file.extends:
        firsts.setdefault(item.text, item.span)
    twice = [(item.span, firsts[item.text]) for item in file.extends if firsts[item.text] != item.span]
    _report_twice(file, "extends", twice, report)


def _report_twice(file: GameFile, section: str, twice: list[tuple[Span, Span]], report: Report) -> None:
    """One finding for a list, for it is changed in one go."""
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
    """The items of a list in which these places lie."""
    return [item for item in listed if any(_lies_in(place, item.span) for place in places)]


def without_items(entry: Entry, listed: Sequence, gone: list[Node]) -> Fix | None:
    """The list of an entry without some of its items; the whole entry if none is left. None where what is to go does
    not stand on one line, or has lines with something else on them."""
    source, text = listed.span.source, listed.span.text
    kept = [item for item in listed if not any(item is one for one in gone)]  # equal ones differ in their place
    if text.startswith("[") and "\n" not in text:
        if kept:
            return Fix(listed.span, f"[{', '.join(item.span.text for item in kept)}]")
        return _without_lines(Span(source, entry.key.span.start, listed.span.end), "")
    if text.startswith("[") or not kept or len(gone) > 1:
        return None
    return _without_lines(gone[0].span, "-")


def _without_lines(span: Span, before: str) -> Fix | None:
    """The text without the lines of a stretch, if nothing but `before` stands beside it."""
    text = span.source.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    alone = end >= 0 and text[start : span.start].strip() == before and not text[span.end : end].strip()
    return Fix(Span(span.source, start, end + 1), "") if alone else None


def join(parts: list[str]) -> str:
    """Several things in one sentence."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _lies_in(place: Span, whole: Span) -> bool:
    return whole.start <= place.start and place.end <= whole.end

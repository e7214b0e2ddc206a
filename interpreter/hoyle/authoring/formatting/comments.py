"""Attaches the comments and blank lines of a file to the entries they belong to.

In: a source and its root node. Out: `Remarks`: for every entry and list item, by its start offset in the source, the
lines above it, the comment at the end of its line, and the lines after it.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import field

from hoyle.base.dataclass import dataclass
from hoyle.base.source import Source
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence


@dataclass(frozen=True, slots=True)
class Trailing:
    """A comment at the end of a line, with its column."""

    text: str
    column: int


@dataclass(slots=True)
class Remark:
    """The comments of an entry: `above` are comment lines and blank lines (as empty texts) before it; `after` are
    comment lines at the end of its section."""

    above: list[str] = field(default_factory=list)
    end: Trailing | None = None
    after: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Anchor:
    """An entry or a list item. `closed` is the end of the flow collection that contains it; None in block style."""

    start: int
    column: int
    closed: int | None


@dataclass(slots=True)
class Remarks:
    """The remarks of one source."""

    by_offset: dict[int, Remark] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)

    def of(self, offset: int) -> Remark:
        return self.by_offset.get(offset) or Remark()

    def at(self, anchor: Anchor) -> Remark:
        return self.by_offset.setdefault(anchor.start, Remark())

    def stand_inside(self, node: Node) -> bool:
        """Whether a node contains a comment and so cannot be written on one line."""
        return any(node.span.start <= offset < node.span.end for offset, _ in self.comments)


def read_remarks(source: Source, root: Node) -> Remarks:
    """Read all comments and blank lines of a file and attach them to entries."""
    anchors = sorted(_list_anchors(root, None), key=lambda anchor: anchor.start)
    covered = _Covered(root)
    remarks = Remarks()
    waiting: list[tuple[int, str]] = []  # (column, text) of full lines, until the entry below is known
    begun = 0  # number of anchors that begin before the current line
    start = 0
    for line in source.text.split("\n"):
        end = start + len(line)
        comment = _find_comment(line, start, covered)
        content = line[: comment - start if comment is not None else None].strip()
        if comment is not None:
            remarks.comments.append((comment, source.text[comment:end].rstrip()))
        if covered.is_inside(start):
            content = content or "text"
        if content:
            if begun == 0 and (content.startswith("%") or content == "---"):
                remarks.head += [*(text for _, text in waiting), content]
                waiting = []
                start = end + 1
                continue
            ahead = anchors[begun] if begun < len(anchors) and anchors[begun].start < end else None
            if ahead is None and not content.strip("- "):  # a dash whose content begins on a later line
                waiting += [(0, source.text[comment:end].rstrip())] if comment is not None else []
                start = end + 1
                continue
            _settle(waiting, anchors[:begun], ahead, remarks)
            waiting = []
            while begun < len(anchors) and anchors[begun].start < end:
                begun += 1
            if comment is not None and begun:
                owner = remarks.at(_find_owner(anchors[:begun], comment))
                if owner.end is None:
                    owner.end = Trailing(source.text[comment:end].rstrip(), comment - start)
                else:
                    owner.after.append(source.text[comment:end].rstrip())
        elif comment is not None:
            waiting.append((comment - start, source.text[comment:end].rstrip()))
        else:
            waiting.append((-1, ""))
        start = end + 1
    _settle(waiting, anchors, None, remarks)
    return remarks


def _settle(waiting: list[tuple[int, str]], before: list[Anchor], ahead: Anchor | None, remarks: Remarks) -> None:
    """Attach waiting lines to the entry below them; comments indented deeper than that belong to the section above."""
    if not waiting:
        return
    column = ahead.column if ahead is not None else -1
    open_ones = [anchor for anchor in before if anchor.closed is None]
    # If the entry below is the first of its section, no section ends. Flow collections are not sections.
    opens = not open_ones or open_ones[-1].column < column
    closing = 0 if opens else max((i + 1 for i, (at, text) in enumerate(waiting) if text and at > column), default=0)
    blank: list[str] = []
    for at, text in waiting[:closing]:
        if text:
            owner = next((anchor for anchor in reversed(open_ones) if anchor.column <= at), before[0])
            remarks.at(owner).after += [*blank, text]
        blank = [""] if not text else []
    if ahead is not None:
        remarks.at(ahead).above += _collapse([text for _, text in waiting[closing:]])


def _collapse(lines: list[str]) -> list[str]:
    """Collapse consecutive blank lines."""
    return [line for number, line in enumerate(lines) if line or number == 0 or lines[number - 1]]


def _find_owner(before: list[Anchor], comment: int) -> Anchor:
    """Find the owner of a comment at the end of a line: the last entry before it that is not in a closed flow
    collection."""
    return next((each for each in reversed(before) if each.closed is None or each.closed > comment), before[-1])


def _find_comment(line: str, start: int, covered: _Covered) -> int | None:
    """Return the offset of the comment in a line, or None."""
    at = line.find("#")
    while at >= 0:
        if (at == 0 or line[at - 1] in " \t") and not covered.is_inside(start + at):
            return start + at
        at = line.find("#", at + 1)
    return None


class _Covered:
    """The spans of scalar values, in which `#` and blank lines have no meaning as comments."""

    def __init__(self, root: Node) -> None:
        spans = sorted(_list_texts(root))
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]

    def is_inside(self, offset: int) -> bool:
        place = bisect.bisect_right(self.starts, offset) - 1
        return place >= 0 and offset < self.ends[place]


def _list_texts(node: Node) -> Iterator[tuple[int, int]]:
    if isinstance(node, Scalar):
        span = node.body if node.style in ("literal", "folded") else node.span
        yield span.start, span.start + len(span.text.rstrip())
    elif isinstance(node, Mapping):
        for entry in node:
            yield from _list_texts(entry.key)
            yield from _list_texts(entry.value)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _list_texts(item)


def _list_anchors(node: Node, closed: int | None, dash: int | None = None) -> Iterator[Anchor]:
    """Yield the entries and items of a node. An entry on the line of a dash gets the column of the dash."""
    if not isinstance(node, Mapping | Sequence):
        return
    closed = node.span.end if is_flow(node) else closed
    if isinstance(node, Mapping):
        for number, entry in enumerate(node):
            column = entry.key.span.column - 1 if number or dash is None else dash
            yield Anchor(entry.key.span.start, column, closed)
            yield from _list_anchors(entry.value, closed)
        return
    for item in node:
        at = item.span.column - 1 if is_flow(node) else _find_dash(item)
        if isinstance(item, Scalar) or is_flow(item):  # a block collection is anchored at its first entry or item
            yield Anchor(item.span.start, at, closed)
            yield from _list_anchors(item, closed)
        else:
            yield from _list_anchors(item, closed, at)


def _find_dash(item: Node) -> int:
    """Return the column of the dash before an item."""
    source = item.span.source
    return source.line_and_column(source.text.rfind("-", 0, item.span.start))[1] - 1


def is_flow(node: Node) -> bool:
    """Whether a node is a collection in flow style, in braces or brackets."""
    return not isinstance(node, Scalar) and node.span.source.text[node.span.start : node.span.start + 1] in ("{", "[")

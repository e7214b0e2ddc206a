"""Formats one file, and verifies that only its layout has changed.

In: the text of a file. Out: the formatted text, or a report of why it cannot be parsed. The result is parsed again and
compared value by value and comment by comment; a difference is an internal error and raises an exception.
"""

from __future__ import annotations

from hoyle.authoring.formatting.comments import Remarks, read_remarks
from hoyle.authoring.formatting.printing import Printer
from hoyle.authoring.formatting.style import STYLE, Style
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.errors import HoyleError
from hoyle.base.source import Source
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes

MOST_PASSES = 4


class LayoutChangedMeaningError(HoyleError):
    """The formatter would have changed the content of a file; the file is left unchanged."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A formatted text, and whether it differs from the original."""

    text: str
    changed: bool


def format_source(source: Source, report: Report, style: Style = STYLE) -> Formatted | None:
    """Format a source until the result is stable; None after reporting errors if it cannot be parsed."""
    own = Report()
    root = read_nodes(source, own)
    report.diagnostics += own.diagnostics
    if root is None or own.failed:
        return None
    text = print_source(source, root, style)
    for _ in range(MOST_PASSES):
        # A comment in an unusual place may be attached to its entry only after the lines around it are formatted.
        after = Source(source.name, text)
        printed = read_nodes(after, Report())
        assert printed is not None
        if (again := print_source(after, printed, style)) == text:
            break
        text = again
    return Formatted(text, text != source.text)


def print_source(source: Source, root: Mapping, style: Style) -> str:
    """Format a tree once; raises if the result has another content."""
    remarks = read_remarks(source, root)
    is_game = root.entry("game") is not None or root.entry("module") is not None
    text = Printer(style, lambda _: remarks, is_game).print_root(root, remarks.head)
    check_same(source, root, remarks, text, style.ordered)
    return text


def check_same(source: Source, root: Mapping, remarks: Remarks, text: str, reordered: bool) -> None:
    """Raise unless a text has the same content and comments as the tree it was printed from."""
    report = Report()
    after = Source(source.name, text)
    again = read_nodes(after, report)
    if again is None or report.failed or not same_nodes(root, again, reordered):
        raise LayoutChangedMeaningError(f"{source.name}: the formatter would change what the file says")
    before_comments = sorted(comment for _, comment in remarks.comments)
    after_comments = sorted(comment for _, comment in read_remarks(after, again).comments)
    if before_comments != after_comments:
        raise LayoutChangedMeaningError(f"{source.name}: the formatter would lose a comment")


def same_nodes(a: Node, b: Node, reordered: bool) -> bool:
    """Whether two trees have the same content, ignoring trailing blanks, and the order of keys if `reordered`."""
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return a.value == b.value or trim(a.text) == trim(b.text)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if reordered:
            left, right = ({entry.name: entry.value for entry in node} for node in (a, b))
            return left.keys() == right.keys() and all(same_nodes(left[name], right[name], True) for name in left)
        return len(a.entries) == len(b.entries) and all(
            x.name == y.name and same_nodes(x.value, y.value, False) for x, y in zip(a, b, strict=True)
        )
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        return len(a.items) == len(b.items) and all(
            same_nodes(x, y, reordered) for x, y in zip(a, b, strict=True)
        )
    return False


def trim(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))

"""Rendering of diagnostics as text and as JSON.

In: diagnostics. Out: `render_text` shows each with the source lines it concerns; `render_json` gives the same as data.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic, Fix, Label
from hoyle.base.source import Source, Span

MAX_WIDTH = 120
MAX_OFFERED = 400  # proposed lines are shown in full up to this length
MOST_LINES = 6
TAB = "    "
_STYLES = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;34m", "bold": "\x1b[1m"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled range of one line; columns count from 0, `end` is exclusive."""

    line: int
    start: int
    end: int
    text: str
    primary: bool


def render_text(diagnostics: Iterable[Diagnostic], color: bool = False) -> str:
    """All diagnostics, separated by empty lines."""
    return "\n".join(_Page(color).render(found) for found in diagnostics)


@dataclass(frozen=True, slots=True)
class _Page:
    color: bool

    def render(self, found: Diagnostic) -> str:
        head = self._paint(found.severity, f"{found.severity}[{found.code}]")
        lines = [head + self._paint("bold", ": " + escape(found.message))]
        width = 1
        if found.primary is not None:
            labels = [(found.primary, True), *((label, False) for label in found.others)]
            spans = [label.span for label, _ in labels] + [fix.span for _, fix in shown_fixes(found)]
            width = len(str(max(span.line for span in spans)))
            for source in dict.fromkeys(label.span.source for label, _ in labels):
                own = [mark_of(label, primary) for label, primary in labels if label.span.source is source]
                lines += self._block(source, own, width, found.severity)
        gutter = " " * width + " " + self._paint("note", "=")
        lines += [f"{gutter} hint: {escape(hint)}" for hint in found.hints]
        for said, fix in shown_fixes(found):
            first, *more = fixed_lines(fix)
            lines.append(f"{gutter} {said}: {escape(first)}")
            lines += [" " * (width + len(said) + 5) + escape(line) for line in more]
        return "\n".join(lines) + "\n"

    def _block(self, source: Source, marks: list[Mark], width: int, severity: str) -> list[str]:
        """The relevant lines of one file; the file of the primary label is introduced by `-->`, others by `:::`."""
        first = next((mark for mark in marks if mark.primary), marks[0])
        arrow = "-->" if first.primary else ":::"
        bar = " " * width + " " + self._paint("note", "|")
        place = f"{escape(source.name)}:{first.line}:{first.start + 1}"
        lines = [" " * width + self._paint("note", arrow) + " " + place, bar]
        shown = 0
        for number in sorted({mark.line for mark in marks}):
            if shown and number > shown + 2:
                lines.append(self._paint("note", "..."))
            elif shown and number == shown + 2:
                lines.append(self._quote(source, number - 1, width))
            shown = number
            own = sorted((mark for mark in marks if mark.line == number), key=lambda mark: (mark.start, mark.end))
            text, moved = clip(source.line_text(number), own)
            lines.append(self._paint("note", f"{number:>{width}} |") + (" " + text if text else ""))
            lines += [f"{bar} {self._underline(mark, severity)}" for mark in moved]
        return lines

    def _quote(self, source: Source, number: int, width: int) -> str:
        text, _ = clip(source.line_text(number), [])
        return self._paint("note", f"{number:>{width}} |") + (" " + text if text else "")

    def _underline(self, mark: Mark, severity: str) -> str:
        sign = ("^" if mark.primary else "-") * max(1, mark.end - mark.start)
        said = f"{sign} {escape(mark.text)}".rstrip()
        return " " * mark.start + self._paint(severity if mark.primary else "note", said)

    def _paint(self, style: str, text: str) -> str:
        return f"{_STYLES[style]}{text}\x1b[0m" if self.color else text


def mark_of(label: Label, primary: bool) -> Mark:
    """The position of a label; a range over several lines is shown by its first."""
    line, column = label.span.source.line_and_column(label.span.start)
    length = len(label.span.source.line_text(line))
    start = min(column - 1, length)
    end = max(start, min(start + label.span.end - label.span.start, length))
    return Mark(line, start, end, label.text, primary)


def clip(text: str, marks: list[Mark]) -> tuple[str, list[Mark]]:
    """A line for display, its marks adjusted: tabs are expanded, control characters escaped, a long line is cut around
    its mark."""
    first, last = 0, len(text)
    if len(text) > MAX_WIDTH:
        focus = next((mark for mark in marks if mark.primary), marks[0] if marks else None)
        if focus is not None and focus.end > MAX_WIDTH - 10:
            room = max(0, MAX_WIDTH - 10 - (focus.end - focus.start))
            first = max(0, focus.start - room // 2)
        last = min(len(text), first + MAX_WIDTH)
    cells = [_shown(sign) for sign in text[first:last]]
    before, after = ("..." if first else ""), ("..." if last < len(text) else "")
    places = [len(before)]
    for cell in cells:
        places.append(places[-1] + _width(cell))

    def place(column: int) -> int:
        return places[max(0, min(column - first, len(cells)))]

    moved = [Mark(m.line, place(m.start), place(m.end), m.text, m.primary) for m in marks]
    return (before + "".join(cells) + after).rstrip(), moved


def escape(text: str) -> str:
    """The text on one line, with control characters escaped."""
    return "".join(_shown(sign) if sign != "\n" else "\\n" for sign in text)


def shown_path(path: Path) -> str:
    """A path for display: relative to the current folder if it lies below."""
    try:
        return escape(path.resolve().relative_to(Path.cwd()).as_posix())
    except (ValueError, OSError, RuntimeError):
        return escape(path.as_posix())


def _shown(sign: str) -> str:
    if sign == "\t":
        return TAB
    if sign.isprintable() or sign == " ":
        return sign
    return f"\\x{ord(sign):02x}" if ord(sign) < 256 else f"\\u{ord(sign):04x}"


def _width(cell: str) -> int:
    """The display width of a cell in a terminal."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in cell
    )


def shown_fixes(found: Diagnostic) -> list[tuple[str, Fix]]:
    """The fixes of a diagnostic with their captions: a sure fix, or suggestions for the author to choose from."""
    if found.fix is not None:
        return [("fix", found.fix)]
    return list(zip(("write", *["or"] * len(found.suggestions)), found.suggestions, strict=False))


def fixed_lines(fix: Fix) -> list[str]:
    """The changed lines as they read after the fix, the first without its indentation."""
    source, span = fix.span.source, fix.span
    line, column = source.line_and_column(span.start)
    end_line, end_column = source.line_and_column(span.end)
    if not fix.text and column == end_column == 1:
        return ["(without this line)"]
    whole = source.line_text(line)[: column - 1] + fix.text + source.line_text(end_line)[end_column - 1 :]
    lines = [part.rstrip() for part in whole.split("\n") if part.strip()][:MOST_LINES] or [""]
    margin = len(lines[0]) - len(lines[0].lstrip())
    cut = [part[min(margin, len(part) - len(part.lstrip())) :] for part in lines]
    return [text if len(text) <= MAX_OFFERED else text[: MAX_OFFERED - 3] + "..." for text in cut]


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """The diagnostics as a JSON list in a stable format; lines and columns count from 1."""
    return json.dumps([as_data(found) for found in diagnostics], indent=2, ensure_ascii=False)


def as_data(found: Diagnostic) -> dict[str, object]:
    """A diagnostic as `render_json` writes it."""
    nowhere = {"file": None, "line": None, "column": None, "end_line": None, "end_column": None}
    labels = ([(found.primary, True)] if found.primary else []) + [(label, False) for label in found.others]
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        **(_place(found.primary.span) if found.primary else nowhere),
        "labels": [{**_place(label.span), "text": label.text, "primary": primary} for label, primary in labels],
        "hints": list(found.hints),
        "fix": _as_edit(found.fix) if found.fix else None,
        "suggestions": [_as_edit(fix) for fix in found.suggestions],
    }


def _as_edit(fix: Fix) -> dict[str, object]:
    return {**_place(fix.span), "text": fix.text}


def _place(span: Span) -> dict[str, object]:
    line, column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(span.end)
    return {
        "file": span.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }

"""Renders a rulebook as text and as Markdown.

In: a book. Out: text for a terminal of some width; Markdown.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from hoyle.authoring.rulebook.book import Book, Chapter, Point

_SIGNS = re.compile(r"([\\`*_\[\]<>#|])")
_TIED = re.compile(r" (?=[;:?!»])|(?<=«) ")  # the space of a sign that French sets apart: no line breaks there


def render_text(book: Book, width: int = 88) -> str:
    """Render a book as text."""
    lines = [book.title, "=" * len(book.title)]
    lines += [book.subtitle] if book.subtitle else []
    for chapter in book.chapters:
        lines += ["", chapter.title, "-" * len(chapter.title), *list_points(chapter, width)]
    lines += ["", *_wrap(book.note, width)]
    return "\n".join(lines)


def list_points(chapter: Chapter, width: int) -> Iterator[str]:
    """Render the points of a chapter as lines."""
    for point in chapter.points:
        yield from _text_point(point, 0, width)


def _text_point(point: Point, depth: int, width: int) -> Iterator[str]:
    lead = "  " * depth + ("- " if depth else "")
    said = ": ".join(part for part in (point.name, point.text) if part)
    said += f" [{', '.join(point.cite)}]" if point.cite else ""
    wide = max(width, len(lead) + 30)
    yield from _wrap(said, wide, lead, " " * len(lead) + "  ")
    if point.exact:
        inner = " " * len(lead) + "  = "
        yield from _wrap(point.exact, wide, inner, " " * len(inner))
    for below in point.below:
        yield from _text_point(below, depth + 1, width)


def _wrap(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Wrap a text into lines, none of which begins with a sign.

    >>> _wrap("Il passe ; puis", 9)
    ['Il', 'passe ;', 'puis']
    """
    tied = _TIED.sub("\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(tied, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def render_markdown(book: Book) -> str:
    """Render a book as Markdown."""
    lines = [f"# {_mark(book.title)}", ""]
    lines += [f"*{_mark(book.subtitle)}*", ""] if book.subtitle else []
    for chapter in book.chapters:
        lines += [f"## {_mark(chapter.title)}", ""]
        for point in chapter.points:
            lines += _markdown_point(point, 0)
        lines.append("")
    return "\n".join([*lines, f"*{_mark(book.note)}*"])


def _markdown_point(point: Point, depth: int) -> Iterator[str]:
    name = f"**{_mark(point.name)}**" if point.name else ""
    said = ": ".join(part for part in (name, _mark(point.text)) if part)
    said += f" \\[{', '.join(point.cite)}\\]" if point.cite else ""
    said += f" *({_mark(point.exact)})*" if point.exact else ""
    yield "  " * depth + "- " + said
    for below in point.below:
        yield from _markdown_point(below, depth + 1)


def _mark(text: str) -> str:
    """Escape the special characters of Markdown.

    >>> _mark("a_b *c*")
    'a\\\\_b \\\\*c\\\\*'
    """
    return _SIGNS.sub(r"\\\1", text)

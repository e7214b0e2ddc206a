"""The merged file, line by line, with the origin of each line.

In: a document, perhaps a path in it. Out: `Row`s: the text in rule file notation, and the files that have touched it.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.base.dataclass import dataclass
from hoyle.language.document.clauses import Path, holds_statements
from hoyle.language.document.merging import Document
from hoyle.language.document.nodes import Block, Entry, Mapping, Node, Scalar, Sequence, Touch
from hoyle.language.document.paths import entry_at
from hoyle.language.variants.edited_lines import list_statements


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the merged file. `touches` are what the files did to it, in order; the last is its origin. `place` is
    the location of a statement line, where it is more specific than that of its clause."""

    path: Path
    depth: int
    text: str
    touches: tuple[Touch, ...]
    place: str = ""

    @property
    def origin(self) -> str:
        """The origin of the line, and what it overrides: `whist:46, over …`."""
        if self.place:
            return self.place
        if not self.touches:
            return ""
        last, *before = [_place(touch) for touch in reversed(self.touches)]
        return last + (f", over {before[0]}" if before else "")


def _place(touch: Touch) -> str:
    return f"{touch.by.removeprefix('use.')}:{touch.span.line}"


def list_rows(document: Document, path: Path = ()) -> list[Row]:
    """The lines of a document, or of the entry at a path."""
    if not path:
        return list(_rows(document, document.root, (), 0))
    entry = entry_at(document.root, path)
    return list(_entry_rows(document, entry, path, 0)) if entry is not None else []


def _rows(document: Document, node: Mapping, path: Path, depth: int) -> Iterator[Row]:
    for entry in node:
        yield from _entry_rows(document, entry, (*path, entry.name), depth)


def _entry_rows(document: Document, entry: Entry, path: Path, depth: int) -> Iterator[Row]:
    node, key = entry.value, write_key(entry.name)
    if isinstance(node, Mapping) and node.entries:
        yield Row(path, depth, f"{key}:", ())
        yield from _rows(document, node, path, depth + 1)
    elif isinstance(node, Block) or (isinstance(node, Scalar) and node.style == "literal" and holds_statements(path)):
        yield Row(path, depth, f"{key}: |", ())
        touches = entry.touches
        for line in list_statements(node, document.root):
            place = f"{_name_of(document, line.span.source.name)}:{line.span.line}"
            yield Row(path, depth + 1, str(line), touches, place)
    else:
        yield Row(path, depth, f"{key}: {write_value(node)}", entry.touches)


def _name_of(document: Document, source: str) -> str:
    for file in document.files:
        if file.source.name == source:
            return file.name
        for used in file.modules:
            if used.source.name == source:
                return used.copy or used.name
    return source


def write_key(name: str) -> str:
    return f"'{name}'" if any(sign in name for sign in ":#,[]{}") else name


def write_value(node: Node) -> str:
    """A value on one line, as YAML."""
    if isinstance(node, Sequence):
        return "[" + ", ".join(map(write_value, node)) + "]"
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{write_key(entry.name)}: {write_value(entry.value)}" for entry in node) + "}"
    text = " ".join((node.text if isinstance(node, Scalar) else node.text.text).split())
    plain = isinstance(node, Scalar) and node.style == "plain"
    quoted = not plain and (not text or text[0] in "\"'[]{}&*!|>%@`#-?:," or ": " in text or " #" in text)
    return "'" + text.replace("'", "''") + "'" if quoted else text

"""The nodes of a YAML file, each with its exact place, and what files that are put together make of them.

In: nothing. Out: `Scalar`, `Mapping`, `Sequence`, `Block`, and `resolve_scalar`, the YAML 1.2 core rules for plain
scalars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Literal, TypeAlias

from hoyle.dataclass import dataclass
from hoyle.source import Span

Style = Literal["plain", "single", "double", "literal", "folded"]
Value: TypeAlias = bool | int | float | str | None
Mark = Literal["", "new", "replace"]
TouchVerb = Literal["declares", "changes", "replaces", "removes"]
EditVerb = Literal["before", "after", "replace", "remove", "first", "last"]

MAX_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. `text` is what it says, `value` what that means, `body` the raw stretch a rule is parsed from.

    `escaped` says that the raw stretch holds escapes, so that places in it are not places in `text`.
    """

    text: str
    value: Value
    style: Style
    span: Span = field(compare=False)
    body: Span = field(compare=False)
    escaped: bool = False


@dataclass(frozen=True, slots=True)
class Touch:
    """What a file did to an entry, and where; `by` is the name of the game or module."""

    verb: TouchVerb
    by: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """A name and what stands under it. `mark` is the word before the name (`new low: …`), `touches` what the files did
    to it that were put together, the first to the last."""

    key: Scalar
    value: Node
    mark: Mark = field(default="", compare=False)
    touches: tuple[Touch, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        return self.key.text


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries by name, in the order of the file."""

    entries: tuple[Entry, ...]
    span: Span = field(compare=False)

    def entry(self, name: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.key.text == name), None)

    def get(self, name: str) -> Node | None:
        found = self.entry(name)
        return found.value if found else None

    def keys(self) -> tuple[str, ...]:
        return tuple(entry.key.text for entry in self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Values one after the other."""

    items: tuple[Node, ...]
    span: Span = field(compare=False)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a list of statements. `anchor` says which statement is meant, by its first words or by what it
    cites; `do` are the statements that come in. `first` and `last` need no anchor, `remove` brings nothing in."""

    verb: EditVerb
    anchor: Scalar | Sequence | None
    do: Scalar | None
    by: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that other files have edited: the text they began as, and the edits in order."""

    text: Scalar
    edits: tuple[Edit, ...]

    @property
    def span(self) -> Span:
        return self.text.span


Node: TypeAlias = Scalar | Mapping | Sequence | Block

_NULL = {"", "~", "null", "Null", "NULL"}
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", re.ASCII)


def resolve_scalar(text: str) -> Value:
    """What a plain scalar means: null, truth, whole number, fraction, else the text itself.

    Numbers of more than `MAX_DIGITS` digits stay text; `is_huge_number` tells them.
    """
    if text in _NULL:
        return None
    if text in _TRUTH:
        return _TRUTH[text]
    if text[0] not in "-+.0123456789" or is_huge_number(text):
        return text
    if _INT.fullmatch(text):
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        return int(text[2:] if base != 10 else text, base)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _SPECIAL.fullmatch(text):
        return float(text.lower().replace(".", ""))
    return text


def is_huge_number(text: str) -> bool:
    """Whether a plain scalar is a number nobody could mean."""
    if len(text) <= MAX_DIGITS or not _INT.fullmatch(text):
        return False
    return len(text.lstrip("+-").removeprefix("0o").removeprefix("0x").lstrip("0")) > MAX_DIGITS


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None

"""The nodes of a YAML file with exact locations, and their annotations by merging.

In: nothing. Out: `Scalar`, `Mapping`, `Sequence`, `Block`, and `resolve_scalar`, the YAML 1.2 core schema for plain
scalars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Literal, TypeAlias

from hoyle.base.dataclass import dataclass
from hoyle.base.source import Span

Style = Literal["plain", "single", "double", "literal", "folded"]
Value: TypeAlias = bool | int | float | str | None
Mark = Literal["", "new", "replace"]
TouchVerb = Literal["declares", "changes", "replaces", "removes"]
EditVerb = Literal["before", "after", "replace", "remove", "first", "last"]

MAX_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. `text` is its content, `value` the resolved value, `body` the raw range from which a rule is
    parsed. `escaped`: the raw range contains escapes, so that offsets in it differ from those in `text`.
    """

    text: str
    value: Value
    style: Style
    span: Span = field(compare=False)
    body: Span = field(compare=False)
    escaped: bool = False


@dataclass(frozen=True, slots=True)
class Touch:
    """What a file did to an entry, and where; `by` is the name of the file or module."""

    verb: TouchVerb
    by: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value. `mark` is the word before the name (`new low: …`), `touches` what the merged files did to
    it, in order."""

    key: Scalar
    value: Node
    mark: Mark = field(default="", compare=False)
    touches: tuple[Touch, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        return self.key.text


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries in the order of the file."""

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
    """A list of values."""

    items: tuple[Node, ...]
    span: Span = field(compare=False)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a list of statements. `anchor` addresses a statement, by its first words or by citations; `do` are
    the inserted statements. `first` and `last` have no anchor, `remove` inserts nothing."""

    verb: EditVerb
    anchor: Scalar | Sequence | None
    do: Scalar | None
    by: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Block:
    """Statements edited by other files: the original text, and the edits in order."""

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
    """The value of a plain scalar: null, truth value, integer, float, else the text itself.

    Numbers with more than `MAX_DIGITS` digits stay text; see `is_huge_number`.
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
    """Whether a plain scalar is an implausibly long number."""
    if len(text) <= MAX_DIGITS or not _INT.fullmatch(text):
        return False
    return len(text.lstrip("+-").removeprefix("0o").removeprefix("0x").lstrip("0")) > MAX_DIGITS


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None

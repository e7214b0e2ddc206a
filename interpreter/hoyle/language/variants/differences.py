"""The differences between two games, by path.

In: two documents. Out: `Difference`s in the order of the file: additions, removals and changes; for a changed clause,
whether its text and citations are unchanged.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.language.document.clauses import Path, clause_at, holds_statements, is_name_list, is_named
from hoyle.language.document.combining import CARDS, rows_of
from hoyle.language.document.marks import names_of
from hoyle.language.document.merging import Document
from hoyle.language.document.nodes import Block, Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.paths import shown
from hoyle.language.variants.edited_lines import Line, list_statements

Kind = Literal["added", "removed", "changed", "moved"]
_HEAD = ("game", "title", "family", "also", "text", "goal", "language", "rulebook")
_SENTENCES = ("text", "cite")

# The chapters of a rulebook, in order, with the sections of a rule file that each covers.
CHAPTERS = {
    "The players": ("goal", "players", "teams", "errors"),
    "Options": ("options", "arguments"),
    "The cards": ("deck", "kinds"),
    "Where cards lie": ("zones", "pots", "ledger", "state", "table"),
    "What a player may do": ("actions", "choices"),
    "The deal and the play": ("steps", "use"),
    "What the words mean": ("definitions", "needs", "inputs"),
    "The scoring": ("scores",),
    "The end": ("ends", "winners", "utility", "hints"),
    "Rulings": ("rulings",),
}
ELSEWHERE = "Other"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `old` and `new` are the values, if any; `lines` the differing statements of a step or action,
    prefixed by `+` and `-`; `keeps` names the unchanged parts of a changed clause, `text` and `cite`, which may no
    longer be right; `about` is the text of an option whose default has changed."""

    kind: Kind
    path: Path
    old: str = ""
    new: str = ""
    lines: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    about: str = ""

    @property
    def name(self) -> str:
        """The path in source notation, without the implicit body of a clause."""
        return shown(short_path(self.path))


def short_path(path: Path) -> Path:
    """A path without the implicit body of a clause."""
    clause = clause_at(path[:-1]) if len(path) > 1 else None
    return path[:-1] if clause is not None and path[-1] == clause.body else path


def compare(old: Document, new: Document) -> list[Difference]:
    """The differences of the new game to the old one, except names and titles."""
    return [
        found for found in _compare(_Side(old), old.root, _Side(new), new.root, ()) if found.path[0] not in _HEAD
    ]


def group(differences: list[Difference]) -> dict[str, list[Difference]]:
    """Differences by chapter of a rulebook, in order."""
    found: dict[str, list[Difference]] = {chapter: [] for chapter in (*CHAPTERS, ELSEWHERE)}
    for one in differences:
        section = one.path[0]
        found[next((chapter for chapter, parts in CHAPTERS.items() if section in parts), ELSEWHERE)].append(one)
    return {chapter: each for chapter, each in found.items() if each}


@dataclass(frozen=True, slots=True)
class _Side:
    document: Document

    def statements(self, node: Node) -> list[Line]:
        return list_statements(node, self.document.root) if isinstance(node, Scalar | Block) else []


def _compare(one: _Side, old: Mapping, other: _Side, new: Mapping, path: Path) -> Iterator[Difference]:
    there, here = ({entry.name: entry for entry in node} for node in (old, new))
    kept = [name for name in _SENTENCES if name in there and name in here and _same(there[name], here[name])]
    keeps = tuple(kept) if path[:1] != ("options",) else ()  # the text of an option does not mention its default
    about = summarise(here["text"].value) if path[:1] == ("options",) and "text" in here else ""
    for name in [*there, *(name for name in here if name not in there)]:
        inner = (*path, name)
        if name not in here:
            yield Difference("removed", inner, old=summarise(there[name].value))
        elif name not in there:
            yield Difference("added", inner, new=summarise(here[name].value))
        else:
            found = _compare_values(one, there[name].value, other, here[name].value, inner, keeps)
            yield from (replace(each, about=about) for each in found) if name == "default" else found
    yield from _find_moved(list(there), list(here), path)


def _find_moved(old: list[str], new: list[str], path: Path) -> Iterator[Difference]:
    """A difference in the order of the names that both have."""
    if not is_named((*path, "x")):
        return
    before, after = [name for name in old if name in new], [name for name in new if name in old]
    if before != after:
        yield Difference("moved", path, ", ".join(before), ", ".join(after))


def _compare_values(
    one: _Side, old: Node, other: _Side, new: Node, path: Path, keeps: tuple[str, ...]
) -> Iterator[Difference]:
    old, new = _spread(old, path), _spread(new, path)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _compare(one, old, other, new, path)
    elif holds_statements(path):
        lines = _compare_lines(one.statements(old), other.statements(new))
        if lines:
            yield Difference("changed", path, lines=lines, keeps=keeps)
    elif summarise(old) != summarise(new):
        kept = keeps if path[-1] not in _SENTENCES else ()
        yield Difference("changed", path, summarise(old), summarise(new), keeps=kept)


def _spread(node: Node, path: Path) -> Node:
    """A node in its canonical form with names."""
    if is_name_list(path) and isinstance(node, Sequence):
        return names_of(node, path)
    if path == CARDS and isinstance(node, Sequence):
        return rows_of(node)
    clause = clause_at(path)
    if clause is not None and clause.body and isinstance(node, Scalar | Block):
        return Mapping((Entry(Scalar(clause.body, clause.body, "plain", node.span, node.span), node),), node.span)
    return node


def _compare_lines(old: list[Line], new: list[Line]) -> tuple[str, ...]:
    before, after = ([str(line) for line in lines] for lines in (old, new))
    found = difflib.ndiff(before, after)
    return tuple(line for line in found if line[:1] in "+-")


def _same(one: Entry, other: Entry) -> bool:
    return summarise(one.value) == summarise(other.value)


def summarise(node: Node) -> str:
    """The value of a node, on one line."""
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Block):
        return " ".join(node.text.text.split())
    if isinstance(node, Sequence):
        return "[" + ", ".join(map(summarise, node)) + "]"
    return "{" + ", ".join(f"{entry.name}: {summarise(entry.value)}" for entry in node) + "}"

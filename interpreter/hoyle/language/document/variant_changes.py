"""The individual changes of a variant, and its file without one of them.

In: a file of a variant. Out: its `Change`s: every value it sets, every removal, every edit, every module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.source import Span
from hoyle.language.document.clauses import Path, clause_at, holds_statements
from hoyle.language.document.files import GameFile
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.paths import shown

Steps = tuple[str | int, ...]
ChangeVerb = Literal["changes", "adds", "replaces", "removes", "uses"]

_HEAD = (
    "game", "module", "title", "family", "also", "text", "goal", "language", "rulebook", "extends", "keep", "labels",
    "rulings",
)  # fmt: skip
_BESIDE = ("text", "cite", "after", "before", "label", "call")  # keys without effect on play


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a file with respect to its base. `steps` locate it in the file, `path` names what it changes."""

    verb: ChangeVerb
    path: Path
    steps: Steps
    span: Span

    @property
    def name(self) -> str:
        """The path of what is changed, without the implicit body of a clause."""
        clause = clause_at(self.path[:-1])
        is_body = clause is not None and self.path[-1] == clause.body
        return shown(self.path[:-1] if is_body else self.path)


def list_changes(file: GameFile) -> list[Change]:
    """Everything a file changes, in its order."""
    found: list[Change] = []
    for entry in file.root:
        if entry.name == "remove" and isinstance(entry.value, Sequence):
            for number, item in enumerate(entry.value):
                if isinstance(item, Scalar):
                    found.append(Change("removes", (item.text,), ("remove", number), item.span))
        elif entry.name == "use" and isinstance(entry.value, Sequence):
            for number, (item, used) in enumerate(zip(entry.value, file.modules, strict=False)):
                found.append(Change("uses", (f"use.{used.copy or used.name}",), ("use", number), item.span))
        elif entry.name not in _HEAD:
            found += _below(entry, (entry.name,), (entry.name,))
    return found


def _below(entry: Entry, path: Path, steps: Steps) -> Iterator[Change]:
    node = entry.value
    if entry.mark:
        yield Change("adds" if entry.mark == "new" else "replaces", path, steps, entry.key.span)
    elif isinstance(node, Mapping) and node.entries:
        for inner in node:
            if inner.name not in _BESIDE:
                yield from _below(inner, (*path, inner.name), (*steps, inner.name))
    elif isinstance(node, Sequence) and holds_statements(path):
        for number, item in enumerate(node):
            yield Change("changes", path, (*steps, number), item.span.first_line)
    else:
        yield Change("changes", path, steps, entry.key.span)



def without_change(file: GameFile, change: Change) -> GameFile:
    """The file with one of its changes undone."""
    root = _drop(file.root, change.steps)
    modules = file.modules
    if change.verb == "uses":
        modules = tuple(used for used in modules if f"use.{used.copy or used.name}" != change.path[0])
    assert isinstance(root, Mapping)
    return replace(file, root=root, modules=modules)


def _drop(node: Node, steps: Steps) -> Node:
    """A node without what lies at the end of the steps, and without collections that become empty."""
    first, rest = steps[0], steps[1:]
    if isinstance(node, Sequence):
        items = [item for number, item in enumerate(node) if number != first]
        return Sequence(tuple(items), node.span)
    assert isinstance(node, Mapping)
    entries = []
    for entry in node:
        if entry.name == first:
            inner = _drop(entry.value, rest) if rest else None
            if inner is None or (isinstance(inner, Mapping | Sequence) and not list(inner)):
                continue
            entry = replace(entry, value=inner)
        entries.append(entry)
    return Mapping(tuple(entries), node.span)

"""Dotted paths into a document: `actions.pass`, `choices.turn.stuck`, `definitions.points of card`.

In: a mapping and a path as a person writes it. Out: the names along it; the mapping without what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.dataclass import dataclass
from hoyle.document.clauses import GROUPS, Path, declared_name
from hoyle.document.nodes import Entry, Mapping, Node, Touch


@dataclass(frozen=True, slots=True)
class Removal:
    """Something a file took out: where it stood, what it was, and where the file says so."""

    path: Path
    entry: Entry
    touch: Touch


def normal(name: str) -> str:
    """A name as it is compared: `points  of card` is `points of card`."""
    return " ".join(name.split())


def shown(path: Path) -> str:
    """A path as a person would write it: of a pattern with several parameters only the name."""
    return ".".join(declared_name(step) if "," in step else step for step in path)


def find_path(node: Node, dotted: str) -> Path | None:
    """The names along a dotted path. Names may hold dots and spaces themselves, so longer ones are tried first; of a
    pattern the name it declares will do, and `any`, `all` and `cases` may be left out, as refusals leave them out."""
    if not isinstance(node, Mapping):
        return None
    for name, entry in _steps_into(node):
        if dotted == name:
            return (entry.name,)
        if dotted.startswith(name + "."):
            rest = find_path(entry.value, dotted[len(name) + 1 :])
            if rest is not None:
                return (entry.name, *rest)
    for group in GROUPS:
        below = node.get(group)
        inner = find_path(below, dotted) if below is not None else None
        if inner is not None:
            return (group, *inner)
    return None


def _steps_into(node: Mapping) -> Iterator[tuple[str, Entry]]:
    """The entries of a mapping by every name they may be called, longest names first, whole names before others."""
    whole = [(normal(entry.name), entry) for entry in node]
    short = [(declared_name(name), entry) for name, entry in whole if " " in name]
    yield from sorted(whole, key=lambda named: -len(named[0]))
    yield from sorted(short, key=lambda named: -len(named[0]))


def entry_at(node: Node, path: Path) -> Entry | None:
    """The entry at a path."""
    entry: Entry | None = None
    for step in path:
        entry = node.entry(step) if isinstance(node, Mapping) else None
        if entry is None:
            return None
        node = entry.value
    return entry


def without(node: Mapping, path: Path) -> tuple[Mapping, Entry]:
    """A mapping without the entry at a path, and that entry."""
    taken: Entry | None = None
    entries = []
    for entry in node:
        if entry.name != path[0]:
            entries.append(entry)
        elif len(path) > 1:
            assert isinstance(entry.value, Mapping)
            inner, taken = without(entry.value, path[1:])
            entries.append(Entry(entry.key, inner, entry.mark, entry.touches))
        else:
            taken = entry
    assert taken is not None
    return Mapping(tuple(entries), node.span), taken

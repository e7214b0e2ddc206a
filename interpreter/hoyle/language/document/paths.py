"""Dotted paths into a document: `actions.pass`, `choices.turn.stuck`, `definitions.points of card`.

In: a mapping and a path in source notation. Out: the steps of the path; the mapping without the entry at a path.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.base.dataclass import dataclass
from hoyle.language.document.clauses import GROUPS, Path, declared_name
from hoyle.language.document.nodes import Entry, Mapping, Node, Touch


@dataclass(frozen=True, slots=True)
class Removal:
    """An entry removed by a file: its path, the entry, and where the file says so."""

    path: Path
    entry: Entry
    touch: Touch


def normal(name: str) -> str:
    """A name with whitespace normalised: `points  of card` is `points of card`."""
    return " ".join(name.split())


def shown(path: Path) -> str:
    """A path in source notation; a pattern with several parameters is shortened to its name."""
    return ".".join(declared_name(step) if "," in step else step for step in path)


def find_path(node: Node, dotted: str) -> Path | None:
    """The steps of a dotted path. Names may contain dots and spaces, so longer ones are tried first; a pattern may be
    given by its declared name, and `any`, `all` and `cases` may be omitted, as in refusals."""
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
    """The entries of a mapping by all their possible names, full names before short ones, longest first."""
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

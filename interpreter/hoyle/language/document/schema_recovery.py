"""Error recovery after schema validation: invalid entries are dropped or renamed, so that the rest can be checked.

In: a root and the changes by path. Out: the root without some entries, with others under corrected names, and
with single values as the lists they should be.
"""

from __future__ import annotations

from dataclasses import field, replace

from hoyle.base.dataclass import dataclass
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.schema_rules import Path


@dataclass(frozen=True, slots=True)
class Changes:
    """The paths of entries to drop, of those to rename, and of values to wrap in a list."""

    dropped: set[Path] = field(default_factory=set)
    renamed: dict[Path, str] = field(default_factory=dict)
    listed: set[Path] = field(default_factory=set)


def prune(root: Mapping, changes: Changes) -> Mapping:
    """The tree with the changes applied."""
    return _prune_mapping(root, (), changes)


def _prune(node: Node, path: Path, changes: Changes) -> Node:
    if isinstance(node, Mapping):
        return _prune_mapping(node, path, changes)
    if isinstance(node, Sequence):
        kept = [(index, item) for index, item in enumerate(node.items) if (*path, index) not in changes.dropped]
        return Sequence(tuple(_prune(item, (*path, index), changes) for index, item in kept), node.span)
    return Sequence((node,), node.span) if path in changes.listed else node


def _prune_mapping(node: Mapping, path: Path, changes: Changes) -> Mapping:
    entries: dict[str, Entry] = {}
    for entry in node:
        inner = (*path, entry.name)
        if inner in changes.dropped:
            continue
        key, meant = entry.key, changes.renamed.get(inner)
        if meant is not None:
            key = Scalar(meant, meant, "plain", key.span, key.body)
        entries.setdefault(key.text, replace(entry, key=key, value=_prune(entry.value, inner, changes)))
    return Mapping(tuple(entries.values()), node.span)

"""Error recovery after schema validation: invalid entries are dropped or renamed, so that the rest can be checked.

In: a root and the paths of entries. Out: the root without some of them, and with others under corrected names.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.document.nodes import Entry, Mapping, Node, Scalar, Sequence

Path = tuple[str | int, ...]


def prune(root: Mapping, dropped: set[Path], renamed: dict[Path, str]) -> Mapping:
    """The tree without the entries and items at some paths, and with renamed entries at others."""
    return _prune_mapping(root, (), dropped, renamed)


def _prune(node: Node, path: Path, dropped: set[Path], renamed: dict[Path, str]) -> Node:
    if isinstance(node, Mapping):
        return _prune_mapping(node, path, dropped, renamed)
    if isinstance(node, Sequence):
        kept = [(index, item) for index, item in enumerate(node.items) if (*path, index) not in dropped]
        return Sequence(tuple(_prune(item, (*path, index), dropped, renamed) for index, item in kept), node.span)
    return node


def _prune_mapping(node: Mapping, path: Path, dropped: set[Path], renamed: dict[Path, str]) -> Mapping:
    entries: dict[str, Entry] = {}
    for entry in node:
        inner = (*path, entry.name)
        if inner in dropped:
            continue
        key = entry.key
        if inner in renamed:
            key = Scalar(renamed[inner], renamed[inner], "plain", key.span, key.body)
        entries.setdefault(key.text, replace(entry, key=key, value=_prune(entry.value, inner, dropped, renamed)))
    return Mapping(tuple(entries.values()), node.span)

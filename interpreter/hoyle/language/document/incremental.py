"""Incremental reading for editors: files, and sections of files, that have not changed since an earlier reading are not
parsed again.

In: `keeping` around the reading. Out: cached sources, nodes and events where the text is the same. Without `keeping`
nothing is cached, so that the effort of a check depends on its files alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.base.source import Source
from hoyle.language.document.nodes import Mapping

if TYPE_CHECKING:
    from yaml.events import Event

MOST_KEPT = 64  # files
MOST_SECTIONS = 1000


@dataclass(slots=True)
class Kept:
    """Cache of earlier readings without errors: sources by name and text, their roots, which of these are valid by
    which schema, and the events of sections."""

    sources: dict[tuple[str, str], Source] = field(default_factory=dict)
    roots: dict[Source, Mapping] = field(default_factory=dict)
    valid: set[tuple[int, str]] = field(default_factory=set)
    sections: dict[tuple[str, type], list[Event]] = field(default_factory=dict)  # by their text, the latest last

    def keep(self, source: Source, root: Mapping) -> None:
        self.roots[source] = root
        while len(self.roots) > MOST_KEPT:
            oldest = next(iter(self.roots))
            gone = id(self.roots.pop(oldest))
            self.sources.pop((oldest.name, oldest.text), None)
            self.valid = {each for each in self.valid if each[0] != gone}


_kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


@contextmanager
def keeping(kept: Kept) -> Iterator[None]:
    """Read as usual, but through the cache."""
    token = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(token)


def same_source(source: Source) -> Source:
    """The cached source of the same name and text, or the given one."""
    kept = _kept.get()
    return source if kept is None else kept.sources.get((source.name, source.text), source)


def find_root(source: Source) -> Mapping | None:
    """The cached root of a source."""
    kept = _kept.get()
    return None if kept is None else kept.roots.get(source)


def keep_root(source: Source, root: Mapping) -> None:
    """Cache a root that had no errors."""
    kept = _kept.get()
    if kept is not None:
        kept.sources[source.name, source.text] = source
        kept.keep(source, root)


def sections_kept() -> dict[tuple[str, type], list[Event]] | None:
    """The cached events of sections; None if nothing is cached."""
    kept = _kept.get()
    if kept is None:
        return None
    while len(kept.sections) > MOST_SECTIONS:
        del kept.sections[next(iter(kept.sections))]
    return kept.sections


def is_valid(root: Mapping, schema: str) -> bool:
    """Whether a cached root is known to satisfy a schema."""
    kept = _kept.get()
    return kept is not None and (id(root), schema) in kept.valid


def keep_valid(root: Mapping, schema: str) -> None:
    kept = _kept.get()
    if kept is not None and any(root is each for each in kept.roots.values()):
        kept.valid.add((id(root), schema))

"""The events of a YAML text; in editors, sections that have not changed since an earlier reading are not scanned again.

In: a text, and a loader of PyYAML. Out: its events; of their marks, only the indices are to be used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml.events import DocumentStartEvent, Event, MappingStartEvent

from hoyle.base.dataclass import dataclass
from hoyle.language.document.incremental import sections_kept

_SECTION = re.compile(r"^\w+:(?=\s)", re.M)
_BEFORE = re.compile(r"(?:[ ]*(?:#[^\n]*)?\n)*")
DOCUMENTS = re.compile(r"^(?:%|---|\.\.\.)", re.M)
LARGE = 50_000  # characters; larger texts are read as they are scanned, so that limits are found early
_HEAD = _TAIL = 3  # the events of the stream, of the document and of the root


@dataclass(frozen=True, slots=True)
class _Place:
    index: int


def scan(text: str, loader: type) -> Iterator[Event]:
    kept = sections_kept()
    whole = kept is None or len(text) > LARGE or DOCUMENTS.search(text)
    begins = [] if whole else [found.start() for found in _SECTION.finditer(text)]
    if kept is None or not begins or not _BEFORE.fullmatch(text, 0, begins[0]):
        return yaml.parse(text, Loader=loader)
    found = []
    for start, end in zip([0, *begins[1:]], [*begins[1:], len(text)], strict=True):
        key = text[start:end], loader
        events = kept.pop(key, None) or _scan_section(*key)
        if events is None:  # no section by itself: perhaps a quoted text or a list goes on after it
            return yaml.parse(text, Loader=loader)
        kept[key] = events
        found.append((events, start))
    return _join(found)


def _scan_section(text: str, loader: type) -> list[Event] | None:
    try:
        events = list(yaml.parse(text, Loader=loader))
    except (yaml.YAMLError, ValueError, OverflowError):
        return None
    root = events[_HEAD - 1]
    one = sum(isinstance(each, DocumentStartEvent) for each in events) == 1
    return events if one and isinstance(root, MappingStartEvent) and not root.flow_style else None


def _join(sections: list[tuple[list[Event], int]]) -> Iterator[Event]:
    """The events of sections as those of one text: a root that begins with the first and ends with the last."""
    (first, _), (last, start) = sections[0], sections[-1]
    yield from first[:_HEAD]
    for events, at in sections:
        for event in events[_HEAD:-_TAIL]:
            yield _move(event, at) if at else event
    for event in last[-_TAIL:]:
        yield _move(event, start)


def _move(event: Event, by: int) -> Event:
    """The same event, further on in a text."""
    made: Any = object.__new__(type(event))
    known: Any = event
    made.__dict__.update(
        known.__dict__, start_mark=_Place(known.start_mark.index + by), end_mark=_Place(known.end_mark.index + by)
    )
    return made  # type: ignore[no-any-return]

"""Construction of nodes from YAML events, within limits, for the subset of YAML that rule files use.

In: a `Source`. Out: its root node. Anchors, aliases, tags, merge keys, duplicate keys, further documents and stray keys
caused by a comma are reported. Limits are checked on the event stream, before anything is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from hoyle.base.diagnostics.report import Fix, Label, Report
from hoyle.base.effort import spend
from hoyle.base.errors import HoyleError
from hoyle.base.source import Source, Span
from hoyle.language.document.file_limits import MAX_DEPTH, MAX_NODES, is_full
from hoyle.language.document.guesses import guess_block, guess_entry, keys_in
from hoyle.language.document.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    Value,
    is_huge_number,
    is_null,
    resolve_scalar,
)
from hoyle.language.document.scanning import DOCUMENTS, LARGE, scan
from hoyle.language.document.yaml_errors import report_escape, report_yaml_error

MOST_PARTS = 200
STEPS_FOR_VALUE = 20
_STYLES: dict[str | None, Style] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}


# C0 except tab and line feed, DEL, C1, separators that YAML treats as line breaks, bidirectional controls, the object
# replacement character, and noncharacters.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffc\ufffe\uffff]"
)

class _StopReadingError(HoyleError):
    """Reading was aborted; the reason has been reported."""


def compose(source: Source, report: Report) -> Node | None:
    """The root node of a file, or None, after an error, if nothing could be read."""
    try:
        if len(source.text) > LARGE and yaml.__with_libyaml__:
            # The C parser checks quickly whether a large file stays within the limits.
            for _ in _limited_events(source, source.text, yaml.CSafeLoader, report):
                pass
    except _StopReadingError:
        return None
    except yaml.YAMLError:
        pass  # the Python parser below gives better messages
    try:
        return _compose_text(source, source.text, report)
    except _StopReadingError:
        return None
    except yaml.YAMLError as problem:
        return _compose_parts(source, problem, report)
    except (ValueError, OverflowError):
        report_escape(source, report)
        return None


def _compose_text(source: Source, text: str, report: Report) -> Node | None:
    """The root node of a text with the same offsets as the source."""
    fast = _compose_fast(source, text)
    if fast is not None:
        return fast
    return _Composer(source, _limited_events(source, text, yaml.SafeLoader, report), report).root()


def _compose_fast(source: Source, text: str) -> Node | None:
    """The same by the C parser, five times as fast; None if it finds any error, since the Python parser gives better
    messages. The effort charged is the same for both. Texts with tabs are excluded, where the parsers disagree."""
    if not yaml.__with_libyaml__ or "\t" in text:
        return None
    own, events = Report(), 0

    def count() -> Iterator[Event]:
        nonlocal events
        for event in _limited_events(source, text, yaml.CSafeLoader, own):
            events += isinstance(event, NodeEvent)
            yield event

    with suppress(yaml.YAMLError, _StopReadingError, ValueError, OverflowError):
        root = _Composer(source, count(), own).root()
        if not own.diagnostics:
            spend(events * STEPS_FOR_VALUE)
            return root
    return None


def _compose_parts(source: Source, problem: yaml.YAMLError, report: Report) -> Node | None:
    """Recovery for a file that is not valid YAML: its sections are read separately, and entries within invalid
    sections."""
    own = Report()
    whole = DOCUMENTS.search(source.text) or len(source.text) > LARGE
    found = _compose_blocks(source, (0, len(source.text)), 0, own) if not whole else []
    if not found or not own.failed:
        report_yaml_error(problem, source, report)
        return None
    report.diagnostics += [one for one in own.diagnostics if one not in report.diagnostics]
    report.lost |= own.lost
    report.mentioned |= own.mentioned
    report.unchecked += own.unchecked
    return Mapping(tuple(found), Span(source, 0, len(source.text)))


def _compose_blocks(source: Source, stretch: tuple[int, int], indent: int, report: Report) -> list[Entry]:
    """The entries at an indentation that can be read separately; errors in the others are reported."""
    found: list[Entry] = []
    lines = re.compile(rf"^ {{{indent}}}[^\s#]", re.M).finditer(source.text, *stretch)
    begins = [line.start() for line in islice(lines, MOST_PARTS)]
    for start, end in zip(begins, [*begins[1:], stretch[1]], strict=False):
        try:
            found += _compose_stretch(source, start, end, report).entries
        except _StopReadingError:
            return found
        except (yaml.YAMLError, ValueError, OverflowError) as problem:
            key = re.match(r" *([\w.]+):[ \t]*\n", source.text[start:end])
            inner = _compose_blocks(source, (start + key.end(), end), indent + 2, report) if key and indent == 0 else []
            if key and inner:
                span = Span(source, start + key.start(1), start + key.end(1))
                found.append(Entry(Scalar(key[1], key[1], "plain", span, span), Mapping(tuple(inner), span)))
            else:
                report.mentioned |= keys_in(source.text[start:end])
                report.unchecked.append(Span(source, start, end))
                report_yaml_error(problem, source, report) if isinstance(problem, yaml.YAMLError) else None
    return found


def _compose_stretch(source: Source, start: int, end: int, report: Report) -> Mapping:
    """A part of a file read separately, with unchanged offsets."""
    blank = re.sub(r"[^\n]", " ", source.text[:start])
    root = _compose_text(source, blank + source.text[start:end], report)
    return root if isinstance(root, Mapping) else Mapping((), Span(source, start, end))


def _limited_events(source: Source, text: str, loader: type, report: Report) -> Iterator[Event]:
    """The events of a text; reading is aborted when a limit is exceeded."""
    depth = nodes = 0
    for event in scan(text, loader):
        if isinstance(event, NodeEvent):
            nodes += 1
            spend(STEPS_FOR_VALUE if loader is yaml.SafeLoader else 0)
            if nodes > MAX_NODES:
                _stop(report, "too-many-values", f"the file holds more than {MAX_NODES:,} values", source, event)
        if isinstance(event, CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                _stop(report, "too-deep", f"values are nested more than {MAX_DEPTH} deep", source, event)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        yield event


def _stop(report: Report, code: str, message: str, source: Source, event: Event) -> None:
    start = _start(event)
    report.error(code, message, Span(source, start, min(start + 1, len(source.text))), "here")
    raise _StopReadingError


def _start(event: Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.index


def _end(event: Event) -> int:
    assert event.end_mark is not None
    return event.end_mark.index


class _Composer:
    """Builds nodes from events, recursively; the depth is limited in advance."""

    def __init__(self, source: Source, events: Iterator[Event], report: Report) -> None:
        self.source, self.events, self.report = source, events, report

    def root(self) -> Node | None:
        first = next((event for event in self.events if isinstance(event, NodeEvent)), None)
        if first is None or (isinstance(first, ScalarEvent) and not first.value and _start(first) == _end(first)):
            hint = "a game begins with `game: my-game`"
            self._error("empty-file", f"`{self.source.name}` is empty", None, hint=hint)
            return None
        root = self._node(first)
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                self._error(
                    "several-documents",
                    "a second document begins here",
                    self._span(event),
                    "one file holds one game",
                    hint="put it in a file of its own",
                )
                break
        return root

    def _error(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        others: Iterable[Label] = (),
        hint: str = "",
        fix: Iterable[Fix] = (),
    ) -> None:
        self.report.error(code, message, span, label, others=others, hint=hint or (), fix=fix)
        if is_full(self.report):
            raise _StopReadingError

    def _span(self, event: Event) -> Span:
        return Span(self.source, _start(event), _end(event))

    def _node(self, event: Event) -> Node:
        assert isinstance(event, NodeEvent)
        if isinstance(event, AliasEvent):
            return self._alias(event)
        self._refuse_extras(event)
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(event)
        assert isinstance(event, MappingStartEvent)
        return self._mapping(event)

    def _alias(self, event: AliasEvent) -> Scalar:
        span = self._span(event)
        self._error(
            "yaml-alias",
            f"`*{event.anchor}` is an alias of YAML, which rule files do not have",
            span,
            hint="write the value out; put a text that begins with `*` in quotes",
        )
        return Scalar("", None, "plain", span, span)

    def _refuse_extras(self, event: NodeEvent) -> None:
        """Report an anchor or a tag before a value."""
        tag = getattr(event, "tag", None)
        if event.anchor is None and tag is None:
            return
        start = _start(event)
        for sign, present, code, what in (
            ("&", event.anchor is not None, "yaml-alias", "an anchor"),
            ("!", tag is not None, "yaml-tag", "a tag"),
        ):
            at = self.source.text.find(sign, start)
            if not present or at < 0:
                continue
            end = at
            while end < len(self.source.text) and self.source.text[end] not in " \t\n,[]{}":
                end += 1
            span = Span(self.source, at, end)
            self._error(
                code,
                f"`{span.text}` is {what} of YAML, which rule files do not have",
                span,
                hint=f"remove it; put a text that begins with `{sign}` in quotes",
            )

    def _scalar(self, event: ScalarEvent) -> Scalar:
        style = _STYLES[event.style]
        span = self._span(event)
        text: str = event.value
        value: Value = text
        if style == "plain":
            if is_huge_number(text):
                shown = Span(self.source, span.start, min(span.end, span.start + 40))
                self._error(
                    "number-too-large",
                    "this number has more than eighteen digits",
                    shown,
                    hint="put it in quotes if it is not meant as a number",
                )
            value = resolve_scalar(text)
        hidden = HIDDEN.search(text)
        if hidden is not None:  # written as an escape; a literal one has been reported earlier
            message = f"this text holds a character that cannot be seen, U+{ord(hidden.group()):04X}"
            self._error("control-character", message, span, "leave it out")
        return Scalar(text, value, style, span, body_of(span, style), is_escaped(span, style))

    def _sequence(self, event: SequenceStartEvent) -> Sequence:
        items: list[Node] = []
        for inner in self.events:
            if isinstance(inner, yaml.SequenceEndEvent):
                return Sequence(tuple(items), self._trimmed(_start(event), max(_end(inner), _end(event))))
            items.append(self._node(inner))
        raise _StopReadingError

    def _mapping(self, event: MappingStartEvent) -> Mapping:
        entries: dict[str, Entry] = {}
        cut: Entry | None = None
        strays: list[Scalar] = []
        for inner in self.events:
            if isinstance(inner, yaml.MappingEndEvent):
                span = self._trimmed(_start(event), max(_end(inner), _end(event)))
                blocks = guess_block(span, entries.values(), strays) if strays else []
                entries.update({entry.name: entry for entry in self._report_strays(cut, strays, blocks)})
                return Mapping(tuple(entries.values()), span)
            key = self._node(inner)
            value = self._node(next(self.events))
            if not isinstance(key, Scalar):
                self._report_key(key)
                continue
            entry = Entry(key, value)
            if event.flow_style and self._is_stray(entry, cut):
                strays.append(key)
                continue
            entries.update({entry.name: entry for entry in self._report_strays(cut, strays)})
            cut, strays = entry, []
            if key.text == "<<" and key.style == "plain":
                self.report.mentioned |= keys_in(value.span.text)
                self._error(
                    "merge-key",
                    "`<<` is the merge key of YAML, which rule files do not have",
                    key.span,
                    hint="files are put together with `extends:` and `use:`",
                )
            elif key.text in entries:
                self._report_duplicate(entries[key.text], entry)
            else:
                entries[key.text] = entry
        raise _StopReadingError

    def _report_key(self, key: Node) -> None:
        self.report.mentioned |= keys_in(key.span.text)
        self._error(
            "key-not-text",
            "a name is wanted before the colon",
            key.span,
            "this is a list" if isinstance(key, Sequence) else "this is a mapping",
            hint="give every name its own line",
        )

    def _report_duplicate(self, first: Entry, second: Entry) -> None:
        self._error(
            "duplicate-key",
            f"`{second.name}` stands here twice",
            second.key.span,
            "again here",
            others=(Label(first.key.span, "first here"),),
            hint="give one of them another name, or put both contents under one",
        )

    def _is_stray(self, entry: Entry, before: Entry | None) -> bool:
        """Whether an entry in flow style is the rest of a text cut by a comma: a key without a value that reads like
        text."""
        if not is_null(entry.value) or entry.key.style != "plain" or not entry.name:
            return False
        has_colon = ":" in self.source.text[entry.key.span.end : max(entry.key.span.end, entry.value.span.end)]
        return any(sign in entry.name for sign in " ()") or (not has_colon and _can_be_cut(before))

    def _report_strays(self, cut: Entry | None, strays: list[Scalar], blocks: Iterable[Fix] = ()) -> list[Entry]:
        """Report the pieces of a text cut by commas; `cut` is the entry the text belongs to. A piece that lacks only a
        colon is read as if it had one. `blocks` are fixes of the whole mapping."""
        if not strays:
            return []
        pieces = strays[0].span.to(strays[-1].span)
        fixes, others = list(blocks), []
        if cut is not None and _can_be_cut(cut):
            whole = cut.value.span.to(pieces)
            sign = "'" if '"' in whole.text or "\\" in whole.text else '"'
            quoted = sign + (whole.text.replace("'", "''") if sign == "'" else whole.text) + sign
            words = all(stray.text.isidentifier() for stray in strays)
            fixes += [Fix(whole, f"[{whole.text}]")] if words else []
            fixes += [Fix(whole, quoted, sure=not words), *guess_entry(strays[0], ())]
            others = [Label(cut.value.span, f"here ends the text of `{cut.name}`")]
        elif len(strays) == 1:
            fixes += guess_entry(strays[0], ("of", "shows", "type", "when", "do", "text", "value", "is", "default"))
        self._error(
            "flow-split",
            "YAML ended this text at the comma",
            pieces,
            f"`{strays[0].text}` became a name without a value",
            others=others,
            hint="quote it, or write the clause in block style",
            fix=fixes,
        )
        if cut is not None and _can_be_cut(cut) and not blocks and not guess_entry(strays[0], ()):
            whole = cut.value.span.to(pieces)
            return [Entry(cut.key, Scalar(whole.text, whole.text, "plain", whole, whole))]
        return self._suppose_entry(strays[0], fixes[-1].text) if fixes and len(strays) == 1 else []

    def _suppose_entry(self, key: Scalar, text: str) -> list[Entry]:
        name, colon, value = text.partition(": ")
        if not colon or not name.isidentifier():
            return []
        span = Span(self.source, key.span.start, key.span.start + len(name))
        rest = Span(self.source, key.span.end - len(value), key.span.end)
        said = Scalar(value, resolve_scalar(value), "plain", rest, rest)
        return [Entry(Scalar(name, name, "plain", span, span), said)]

    def _trimmed(self, start: int, end: int) -> Span:
        """A range without trailing blank lines and comments, which YAML includes."""
        return Span(self.source, start, start + len(self.source.text[start:end].rstrip()))


def _can_be_cut(entry: Entry | None) -> bool:
    return entry is not None and isinstance(entry.value, Scalar) and entry.value.style == "plain" and (
        entry.value.value is not None
    )


def body_of(span: Span, style: Style) -> Span:
    """The range of a scalar's text: without quotes, or without the header of a block."""
    source, start, end = span.source, span.start, span.end
    if style in ("single", "double"):
        return Span(source, start + 1, max(start + 1, end - 1))
    if style in ("literal", "folded"):
        first = source.text.find("\n", start, end)
        return Span(source, end if first < 0 else first + 1, end)
    return span


def is_escaped(span: Span, style: Style) -> bool:
    """Whether a quoted scalar contains escapes, so that its raw text differs from its value."""
    inner = body_of(span, style).text
    return (style == "double" and "\\" in inner) or (style == "single" and "''" in inner)

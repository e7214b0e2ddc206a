"""The symbol index of a rule file, for editors.

In: the checked text of a rule file in the editor. Out: an `Index`: declarations with locations and descriptions, the
word at an offset, types of expressions, all references of a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Source, Span
from hoyle.language.compile import Checked
from hoyle.language.declare.declarations import Declarations, RuleText
from hoyle.language.document.clauses import declared_name, declared_word
from hoyle.language.document.merging import Document
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes, read_source
from hoyle.language.family import list_variants
from hoyle.program.words import WORDS

# The sections whose entries declare names that rules use, and the kind of each.
SECTIONS = {
    "options": "option", "zones": "zone", "state": "state", "pots": "pot", "kinds": "kind", "definitions": "word",
    "scores": "score table", "actions": "action", "choices": "choice", "steps": "step",
}  # fmt: skip
TOKEN = re.compile(r'"[^"\n]*"|#.*|[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+|[A-Za-z_][\w.]*')
SENTENCES = (
    "game", "title", "family", "also", "text", "goal", "language", "rulebook", "extends", "use", "label", "labels",
    "rulings", "cite",
)  # fmt: skip
RULE_NUMBER = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
_SAYING = ("is", "default", "type", "shows", "do", "offer", "when")
LONGEST = 300
LONGEST_SAID = 60


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared name: its kind, its location, its description, and the rule text of its clause."""

    name: str
    kind: str
    span: Span
    text: str = ""
    rule: str = ""


@dataclass()
class Index:
    """Answers all queries of an editor about one file."""

    path: Path
    source: Source
    names: dict[str, Declared] = field(default_factory=dict)
    document: Document | None = None
    declared: Declarations | None = None
    types: dict[Span, str] = field(default_factory=dict)
    _compared: tuple[str, int, int] | None = None

    @cached_property
    def rule_texts(self) -> list[RuleText]:
        """The spans of this text that are rules; spans of an earlier version are mapped to the current text."""
        texts = self.declared.texts if self.declared is not None else []
        own = [each for each in texts if each.span.source.name == self.source.name]
        moved = (RuleText(each.start, span, each.lines) for each in own if (span := self.move(each.span)) is not None)
        return sorted(moved, key=lambda each: each.span.start)

    def move(self, span: Span) -> Span | None:
        """Map a span of an earlier version of the text to this one, if each of its ends lies before the first or after
        the last change. None if a change cuts it, or if it is in another file."""
        old, new = span.source.text, self.source.text
        if span.source.name != self.source.name:
            return None
        if old == new:
            return span if span.source is self.source else Span(self.source, span.start, span.end)
        before, after = self._unchanged(old)
        more = len(new) - len(old)
        start = span.start if span.start <= before else span.start + more if span.start >= len(old) - after else None
        end = span.end if span.end <= before else span.end + more if span.end >= len(old) - after else None
        return Span(self.source, start, end) if start is not None and end is not None and start <= end else None

    def _unchanged(self, old: str) -> tuple[int, int]:
        """Return the lengths of the common prefix and suffix with an earlier version of the text."""
        if self._compared is None or self._compared[0] is not old:
            new, most = self.source.text, min(len(old), len(self.source.text))
            before = next((at for at in range(most) if old[at] != new[at]), most)
            after = next((at for at in range(most - before) if old[-1 - at] != new[-1 - at]), most - before)
            self._compared = (old, before, after)
        return self._compared[1:]

    @cached_property
    def types_here(self) -> list[tuple[Span, str]]:
        """The expressions of this text with their types, shortest first."""
        moved = [(self.move(span), type_) for span, type_ in self.types.items()]
        found = {(span.start, span.end): (span, type_) for span, type_ in moved if span is not None}
        return sorted(found.values(), key=lambda each: each[0].end - each[0].start)

    @cached_property
    def types_by_text(self) -> dict[str, str]:
        """Types of expressions by their text, a heuristic: the same text nearly always has the same type."""
        return {" ".join(span.text.split()): type_ for span, type_ in self.types.items()}

    def rule_text_at(self, offset: int) -> RuleText | None:
        """Return the rule text that contains an offset."""
        return next((each for each in self.rule_texts if each.span.start <= offset <= each.span.end), None)

    def describe_types(self, offset: int) -> list[str]:
        """Describe the types of the innermost expression at an offset and of the one around it."""
        around = [(span, type_) for span, type_ in self.types_here if span.start <= offset <= span.end]
        lines: dict[str, None] = {}
        for span, type_ in around:
            said = " ".join(span.text.split())
            lines[f"`{said if len(said) <= LONGEST_SAID else said[: LONGEST_SAID - 1] + '…'}`: {type_}"] = None
        return list(lines)[:2]

    @property
    def rules(self) -> list[str]:
        return [name for name, each in self.names.items() if each.kind == "rule"]

    def word_at(self, offset: int) -> Span | None:
        """Return the word or rule number at an offset."""
        start = self.source.text.rfind("\n", 0, offset) + 1
        end = self.source.text.find("\n", offset)
        line = self.source.text[start : end if end >= 0 else len(self.source.text)]
        for found in TOKEN.finditer(line):
            if found.start() <= offset - start <= found.end() and found[0][0] not in '"#':
                return Span(self.source, start + found.start(), start + found.end())
        return None

    def find(self, word: str) -> Declared | None:
        """Resolve a name; names of modules can be unqualified."""
        return self.names.get(word) or self._by_last_word.get(word)

    @cached_property
    def _by_last_word(self) -> dict[str, Declared]:
        return {name.rpartition(".")[2]: each for name, each in reversed(self.names.items())}

    def explain(self, word: str) -> str:
        """Explain a word in Markdown; empty if it is unknown."""
        known = self.find(word)
        if known is not None:
            parts = [f"**{known.name}** ({known.kind})"]
            parts += [known.text] if known.text else []
            parts += [f"```\n{known.rule[:LONGEST]}\n```"] if known.rule else []
            return "\n\n".join(parts)
        builtin = WORDS.get(word)
        if builtin is not None and builtin.spoken:
            example = f"\n\n`{builtin.example}`" if builtin.example else ""
            return f"**{word}** (built-in word)\n\n{builtin.doc}{example}"
        return ""

    def uses(self, name: str) -> Iterator[Span]:
        """Yield all declarations and references of a name, in the file, the files it depends on, its examples and its
        variants."""
        seen: set[tuple[str, int]] = set()
        for span in self._places(name):
            key = (span.source.name, span.start)
            if key not in seen:
                seen.add(key)
                yield span

    def _places(self, name: str) -> Iterator[Span]:
        texts = self.declared.texts if self.declared is not None else []
        for text in texts:
            yield from _tokens(text.span, name)
        for source in self._sources():
            root = read_nodes(source, Report())
            if root is not None:
                yield from _keys(root, name)
        for variant in list_variants(self.path):
            yield from _uses_in(variant, name)

    def _sources(self) -> list[Source]:
        found = [self.source]
        if self.document is not None:
            for file in self.document.files:
                found += [file.source, *(used.source for used in file.modules)]
            found += [source for source in self.document.sources if source.name.endswith("rules.yaml")]
        tests = self.path.with_name(self.path.name.replace(".game.yaml", ".test.yaml"))
        examples = read_source(tests, Report()) if tests != self.path else None
        if examples is not None:
            found.append(examples)
        unique: dict[str, Source] = {}
        for source in found:
            unique.setdefault(source.name, source)
        return list(unique.values())

    def symbols(self) -> Iterator[tuple[Entry, list[Entry]]]:
        """Yield the sections of the file with their entries."""
        root = read_nodes(self.source, Report())
        for entry in root if root is not None else ():
            yield entry, list(entry.value.entries) if isinstance(entry.value, Mapping) else []


def build_index(path: Path, text: str, checked: Checked | None, before: Index | None = None) -> Index:
    """Build the index of a checked text; while it cannot be parsed, reuse the previous index."""
    file = checked.file if checked is not None else None
    document = checked.document if checked is not None else None
    source = file.source if file is not None else Source(shown_path(path), text.replace("\r\n", "\n"))
    index = Index(path, source)
    if checked is None or document is None or checked.partial is None:
        if before is not None:
            index.names, index.document, index.declared = before.names, before.document, before.declared
            index.types = before.types
        return index
    index.document, index.declared = document, checked.partial
    index.names = {each.name: each for each in _declarations(document)}
    for name, rule in checked.partial.rules.items():
        place = f"{rule.place}; {rule.status}" if rule.place else rule.status
        known = document.rules.entry(name) if document.rules is not None else None
        span = known.key.span if known is not None else _ruling(document, name)
        if span is not None:
            index.names[name] = Declared(name, "rule", span, f"{rule.text}\n\n*{place}*")
    return index


def _uses_in(path: Path, name: str) -> Iterator[Span]:
    """Yield the references of a name in a variant and its examples, which are not open; its rules are only
    tokenized."""
    for file in (path, path.with_name(path.name.replace(".game.yaml", ".test.yaml"))):
        source = read_source(file, Report()) if file.is_file() else None
        root = read_nodes(source, Report()) if source is not None else None
        if root is not None:
            yield from _keys(root, name)
            if file == path:
                yield from _rule_words(root, name)


def _rule_words(node: Node, name: str, key: str = "") -> Iterator[Span]:
    """Yield the occurrences of a name in all texts of a file other than descriptions."""
    if isinstance(node, Mapping):
        for entry in node:
            if entry.name not in SENTENCES:
                yield from _rule_words(entry.value, name, entry.name)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _rule_words(item, name, key)
    elif isinstance(node, Scalar):
        yield from _tokens(node.span, name)


def _ruling(document: Document, name: str) -> Span | None:
    rulings = document.root.get("rulings")
    entry = rulings.entry(name) if isinstance(rulings, Mapping) else None
    return entry.key.span if entry is not None else None


def _declarations(document: Document) -> Iterator[Declared]:
    for section, kind in SECTIONS.items():
        for entry in _entries(document.root.get(section)):
            yield _declare(entry, kind)
    deck = document.root.get("deck")
    if isinstance(deck, Mapping):
        for entry in _entries(deck.get("attributes")):
            yield _declare(entry, "attribute")
            yield from _values(entry)
        for entry in _entries(deck.get("cards")):
            yield _declare(entry, "row of cards")
    for entry in _entries(document.root.get("options")):
        if isinstance(entry.value, Mapping):
            yield from _listed(entry.value.get("values"), f"value of {entry.name}")


def _values(entry: Entry) -> Iterator[Declared]:
    if isinstance(entry.value, Mapping) and entry.value.entry("range") is None:
        for each in entry.value:
            if each.name not in ("text", "cite", "names"):
                yield Declared(each.name, f"value of {entry.name}", each.key.span)
    else:
        yield from _listed(entry.value, f"value of {entry.name}")


def _listed(node: Node | None, kind: str) -> Iterator[Declared]:
    if isinstance(node, Sequence):
        yield from (Declared(item.text, kind, item.span) for item in node if isinstance(item, Scalar))
    elif isinstance(node, Mapping):
        yield from (Declared(each.name, kind, each.key.span, _line(each.value)) for each in node)


def _declare(entry: Entry, kind: str) -> Declared:
    text = _line(entry.value.get("text")) if isinstance(entry.value, Mapping) else ""
    rule = _line(entry.value)
    if isinstance(entry.value, Mapping):
        said = [
            f"{name}: {_line(node)}" for name in _SAYING if (node := entry.value.get(name)) is not None and _line(node)
        ]
        more = [f"{name}: {_line(node)}" for name in ("range", "of", "values") if (node := entry.value.get(name))]
        rule = "\n".join(said + [each for each in more if not each.endswith(": ")])
    return Declared(declared_name(entry.name), kind, name_span(entry), text, rule)


def name_span(entry: Entry) -> Span:
    """Return the span of the declared name within the key of an entry: `points` in `points of card`."""
    key = entry.key.span
    words = list(re.finditer(r"[^\s]+", key.text.strip("\"'")))
    name = declared_name(entry.name)
    at = key.text.find(name)
    if not words or at < 0 or declared_word(entry.name) >= len(words):
        return key
    return Span(key.source, key.start + at, key.start + at + len(name))


def _line(node: Node | None) -> str:
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    return ", ".join(_line(item) for item in node) if isinstance(node, Sequence) else ""


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _tokens(span: Span, name: str) -> Iterator[Span]:
    for found in TOKEN.finditer(span.text):
        if found[0] == name:
            yield Span(span.source, span.start + found.start(), span.start + found.end())


def _keys(node: Node, name: str) -> Iterator[Span]:
    """Yield occurrences of a name outside rules: in keys, citations and `starts_in`; and in the rules of examples."""
    if isinstance(node, Mapping):
        for entry in node:
            if entry.name == name or declared_name(entry.name) == name:
                yield name_span(entry)
            if entry.name == "cite":
                for item in entry.value if isinstance(entry.value, Sequence) else (entry.value,):
                    if isinstance(item, Scalar) and item.text == name:
                        yield item.span
            elif entry.name == "starts_in" and isinstance(entry.value, Scalar) and entry.value.text == name:
                yield entry.value.span
            yield from _keys(entry.value, name)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _keys(item, name)
    elif isinstance(node, Scalar) and node.style == "literal" and RULE_NUMBER.fullmatch(name):
        yield from _tokens(node.span, name)

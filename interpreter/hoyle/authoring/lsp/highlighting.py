"""Semantic highlighting.

In: an index. Out: `Piece`s of the text in order: the words of the rule language, classified by meaning, and for the
playground page also the keys and comments of the YAML around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.authoring.lsp.index import SENTENCES, Index
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Span
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes
from hoyle.language.syntax.reserved import GRAMMAR, RESERVED
from hoyle.program.words import WORDS

# Token types of the Language Server Protocol, which all editor themes support.
KINDS = ("keyword", "function", "variable", "property", "enumMember", "method", "event", "string", "number", "comment",
         "parameter", "type")  # fmt: skip
_KIND_OF = {
    "option": "variable", "zone": "type", "state": "property", "pot": "property", "kind": "type", "word": "function",
    "score table": "function", "action": "method", "choice": "method", "step": "event", "attribute": "property",
    "row of cards": "type",
}  # fmt: skip
_WORD = re.compile(r'"[^"\n]*"|\[[^\[\]\n]*\]|(?<![^\s])#[^\n]*|[A-Za-z_][\w.]*|\d+[A-Za-z]\w*|\d+')
_KEYWORDS = frozenset(re.findall(r'"([a-z]+)"', GRAMMAR)) | {"cards", "all", "true", "false", "none"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of the text and its token type. `builtin`: it belongs to the language, not to the game."""

    start: int
    end: int
    kind: str
    builtin: bool = False


def color_rules(index: Index) -> list[Piece]:
    """Classify the words of the rules."""
    return [piece for text in index.rule_texts for piece in _color(index, text.span)]


def color_page(index: Index) -> list[Piece]:
    """Classify everything: rules, keys, comments and descriptions."""
    rules = color_rules(index)
    taken = [False] * (len(index.source.text) + 1)
    for text in index.rule_texts:
        taken[text.span.start : text.span.end] = [True] * (text.span.end - text.span.start)
    pieces = list(rules)
    root = read_nodes(index.source, Report())
    if root is not None:
        pieces += [piece for piece in _keys(root) if not taken[piece.start]]
    for piece in pieces:
        taken[piece.start : piece.end] = [True] * (piece.end - piece.start)
    pieces += [piece for piece in _comments(index.source.text) if not taken[piece.start]]
    return sorted(pieces, key=lambda piece: piece.start)


def _color(index: Index, span: Span) -> Iterator[Piece]:
    for found in _WORD.finditer(span.text):
        start, end = span.start + found.start(), span.start + found.end()
        word = found[0]
        if word[0] == '"':
            yield Piece(start, end, "string")
        elif word[0] in "#[":
            yield Piece(start, end, "comment")
        elif word[0].isdigit():
            yield Piece(start, end, "number" if word.isdigit() else "enumMember")
        else:
            kind, builtin = _classify(index, word)
            yield Piece(start, end, kind, builtin)


def _classify(index: Index, word: str) -> tuple[str, bool]:
    known = index.find(word)
    if word in RESERVED:
        return "keyword", False
    if known is not None:
        return ("enumMember" if known.kind.startswith("value of") else _KIND_OF.get(known.kind, "variable")), False
    if word in _KEYWORDS:
        return "keyword", False
    if word in WORDS and WORDS[word].spoken:
        return "function", True
    return "parameter", False  # a local name: a pick, a loop variable, `let`


def _keys(node: Node) -> Iterator[Piece]:
    if isinstance(node, Mapping):
        for entry in node:
            yield Piece(entry.key.span.start, entry.key.span.end, "key")
            if entry.name in SENTENCES and isinstance(entry.value, Scalar):
                yield Piece(entry.value.span.start, entry.value.span.end, "string")
            yield from _keys(entry.value)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _keys(item)


def _comments(text: str) -> Iterator[Piece]:
    for found in re.finditer(r"(?:^|(?<=[ \t]))#[^\n]*", text, re.M):
        yield Piece(found.start(), found.end(), "comment")

"""The parser front end for texts of a game file; all rule texts are parsed here.

In: nodes of a document. Out: the AST of rule texts, clause locations, and keywords.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from hoyle.base.diagnostics.report import Fix, Label, Report, respell
from hoyle.base.source import Source, Span
from hoyle.language.declare.calls import blocks_of
from hoyle.language.declare.declarations import Line, RuleText
from hoyle.language.declare.edits import apply_edit
from hoyle.language.document.nodes import Block, Mapping, Node, Scalar, Sequence
from hoyle.language.syntax import ast
from hoyle.language.syntax.grammar import Start
from hoyle.language.syntax.parse import parse
from hoyle.language.syntax.reserved import RESERVED
from hoyle.language.syntax.source_text import BRACES
from hoyle.language.syntax.vocabulary import EMPTY, Vocabulary

DEEPEST_BLOCKS = 20
WordT = TypeVar("WordT", bound=str)
SAID_OTHERWISE = {
    "player": "seat", "players": "seat", "seats": "seat", "each seat": "seat", "each player": "seat", "game": "match",
    "everyone": "all", "everybody": "all", "public": "all", "yes": "true", "no": "false", "deal": "round",
    "hand": "round",
    "nobody": "nothing", "none": "nothing", "hidden": "nothing", "private": "owner", "self": "owner", "always": "match",
}  # fmt: skip


class Reader:
    """Parses texts; the vocabulary of the game must be known in advance."""

    def __init__(self, report: Report, vocabulary: Vocabulary = EMPTY) -> None:
        self.report = report
        self.vocabulary = vocabulary
        self.cited: list[ast.Word] = []
        self.texts: list[RuleText] = []
        self.lost: set[str] = set()

    def parse(self, start: Start, node: Node) -> Any | None:
        """The AST of the rule text in a scalar; for statements edited by variants, the result of the edits."""
        if isinstance(node, Block) and start == "steps":
            return self._parse_edited(node)
        if not isinstance(node, Scalar):
            self.report.error("wrong-kind", "a rule is written as a text here", node.span, "expected a text")
            return None
        if node.escaped:
            self.report.error(
                "escaped-text",
                "rule texts may not hold backslash escapes",
                node.span,
                hint="write the text plainly, in single quotes or as a `|` block",
            )
            return None
        lines = node.style in ("literal", "folded")
        self.texts.append(RuleText(start, node.body, lines))
        found = parse(start, node.body, self.report, vocabulary=self.vocabulary, lines=lines)
        return None if start == "steps" and found is not None and self._is_too_deep(found) else found

    def _parse_edited(self, block: Block) -> tuple[ast.Statement, ...] | None:
        statements: tuple[ast.Statement, ...] | None = self.parse("steps", block.text)
        for edit in block.edits:
            found = self.parse("steps", edit.do) if edit.do is not None else ()
            if statements is None or found is None:
                return None
            statements = apply_edit(statements, edit, found, self.report)
        return statements

    def _is_too_deep(self, statements: tuple[ast.Statement, ...]) -> bool:
        """Report statements that are nested too deeply."""
        inner = list(statements)
        for _ in range(DEEPEST_BLOCKS):
            inner = [one for outer in inner for block in blocks_of(outer) for one in block]
        if inner:
            span = inner[0].span
            self.report.error(
                "too-deep",
                f"statements are nested more than {DEEPEST_BLOCKS} deep",
                Span(span.source, span.start, span.start + len(span.text.split("\n", 1)[0].rstrip())),
                hint="give what is inside a name under `steps:`, and `do` it",
            )
        return bool(inner)

    def expr(self, node: Node) -> ast.Expr | None:
        found: ast.Expr | None = self.parse("expr", node)
        return found

    def pattern(self, key: Scalar) -> ast.Pattern | None:
        """The key of a definition or step as a pattern."""
        span = key.span
        if self.report.tells(span):
            if key.text.split() == span.text.split():
                return None
            span = Span(Source("", key.text, span.source.renames, supposed=True), 0, len(key.text))
        if span.text[:1] in "'\"":
            span = Span(span.source, span.start + 1, span.end - 1)
        words = span.text.split()
        if self._is_reserved(span, words):
            return None
        relations = frozenset(words[1:2]) if len(words) == 3 and words[1] not in ("of", "is") else frozenset()
        found: ast.Pattern | None = parse(
            "pattern", span, self.report, vocabulary=self.vocabulary, relations=relations
        )
        return found

    def _is_reserved(self, span: Span, words: list[str]) -> bool:
        """Report a key whose name is reserved, so that no rule could use it."""
        place = 0 if len(words) == 1 or words[1:2] == ["of"] else 2 if words[1:2] == ["is"] else 1
        name = words[place] if place < len(words) <= 3 else ""
        if name not in RESERVED or words[:2] == ["is", "of"]:
            return False
        start = span.start + [found.start() for found in re.finditer(r"\S+", span.text)][place]
        self.report.error(
            "reserved-name",
            f"`{name}` is a word of the language, so nothing can be called so",
            Span(span.source, start, start + len(name)),
            hint="choose another name",
        )
        return True

    def line(self, path: str, key: Scalar, value: Node | None) -> Line:
        """The clause at a key, with its own `text` and `cite` if it is a mapping."""
        text = ""
        cite: tuple[ast.Word, ...] = ()
        if isinstance(value, Mapping):
            said = value.get("text")
            text = said.text if isinstance(said, Scalar) else ""
            if isinstance(said, Scalar) and (braces := BRACES.search(text)) is not None:
                self.report.error(
                    "braces-in-text",
                    f"a text is told as it stands, with `{braces[0][:60]}` in it",
                    said.span,
                    hint="values in braces are told by `announce`",
                )
            cite = self.cite(value.get("cite"))
        return Line(path, key.span, text, cite)

    def cite(self, node: Node | None) -> tuple[ast.Word, ...]:
        nodes = node.items if isinstance(node, Sequence) else (node,) if node is not None else ()
        words = tuple(ast.Word(n.text, n.span) for n in nodes if isinstance(n, Scalar))
        self.cited.extend(words)
        return words

    def one_of(self, node: Node | None, what: str, words: tuple[WordT, ...]) -> WordT:
        """One of a few keywords; by default the first."""
        if node is None:
            return words[0]
        text = node.text if isinstance(node, Scalar) else ""
        for word in words:
            if word == text:
                return word
        listed = ", ".join(f"`{word}`" for word in words[:-1])
        wanted = f"{listed} or `{words[-1]}`" if listed else f"`{words[0]}`"
        self.report.error(
            "bad-value",
            f"`{what}` must be {wanted}, not `{text[:60]}`",
            node.span,
            fix=(*_said_otherwise(node.span, text, words), *respell(node.span, text, words)),
        )
        return words[0]

    def is_quiet(self, node: Mapping) -> bool:
        """Whether a zone or state is hidden from displays: `quiet: true`."""
        return self.one_of(node.get("quiet"), "quiet", ("false", "true")) == "true"

    def owned(self, node: Node) -> bool:
        """Whether a clause has a seat as its subject: `of: seat`."""
        whose = node.get("of") if isinstance(node, Mapping) else None
        if whose is not None:
            self.one_of(whose, "of", ("seat",))
        return whose is not None

    def family(self, node: Mapping) -> tuple[ast.Word, ...]:
        """The dimensions of a family: `of: seat`, `of: [team, rank]`; empty for a single member."""
        whose = node.get("of")
        items = whose.items if isinstance(whose, Sequence) else (whose,)
        named = ((item.text, item.span) for item in items if isinstance(item, Scalar))
        return tuple(ast.Word(CARD_NAME if text == "card name" else text, span) for text, span in named)


CARD_NAME = "card_name"  # an attribute of every deck in which some cards have names


def _said_otherwise(span: Span, text: str, words: tuple[str, ...]) -> tuple[Fix, ...]:
    meant = SAID_OTHERWISE.get(text.lower(), "")
    return (Fix(span, meant),) if meant in words else ()


def keep(into: dict[str, Any], name: str, value: Any, report: Report) -> None:
    """Add a declaration, unless its name is taken: different keys may declare the same name (`fits of card`, `card fits
    pile`)."""
    if name in into:
        report.error(
            "declared-twice",
            f"`{name}` is declared twice",
            value.line.span,
            "again here",
            others=(Label(into[name].line.span, "first here"),),
            hint="rename one of them",
        )
    else:
        into[name] = value

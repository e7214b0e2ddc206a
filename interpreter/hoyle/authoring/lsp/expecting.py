"""Finds what can come next in a rule text, from the state of the parser.

In: a rule text up to the cursor. Out: the tokens before it, and the terminals that the parser would accept.
"""

from __future__ import annotations

from functools import cache

from lark import Lark, Token
from lark.exceptions import LarkError
from lark.lexer import PatternStr

from hoyle.base.dataclass import dataclass
from hoyle.language.declare.declarations import RuleText
from hoyle.language.syntax.grammar import build_grammar
from hoyle.language.syntax.indentation import Layout

_layout = Layout()  # not shared: another thread may be parsing files meanwhile


@dataclass(frozen=True, slots=True)
class Expected:
    """The tokens of the statement before the cursor, and the names of the terminals that can follow."""

    tokens: tuple[Token, ...]
    terminals: frozenset[str]

    @property
    def words(self) -> list[str]:
        """The keywords of the grammar that can follow."""
        return sorted(word for name, word in _list_words().items() if name in self.terminals)

    @property
    def wants_name(self) -> bool:
        return "NAME" in self.terminals


def expect(text: RuleText, offset: int, relations: frozenset[str]) -> Expected | None:
    """Find what can follow at an offset; None if the text before it has a syntax error."""
    said = text.span.source.text[text.span.start : offset]
    if text.start == "steps":
        lines = said.split("\n")
        base = next((len(line) - len(line.lstrip()) for line in lines if line.strip()), 0) if text.lines else 0
        return (
            _follow(text.start, said, relations, lines=text.lines, base=base)
            # An error in an earlier line need not affect this one.
            or _follow(text.start, lines[-1].strip(" "), relations, lines=False, base=0)
        )
    return _follow(text.start, said, relations, lines=False, base=0)


def _follow(start: str, said: str, relations: frozenset[str], *, lines: bool, base: int) -> Expected | None:
    # With `statements`, the layout would close open blocks at the end of the text.
    _layout.prepare(relations, statements=False, lines=lines, base=base, end=-1)
    try:
        parser = _parser().parse_interactive(said, start=start)
        tokens = list(parser.exhaust_lexer())
        found = frozenset(parser.accepts())  # type: ignore[no-untyped-call]
    except LarkError:
        return None
    last = max((at for at, token in enumerate(tokens) if token.type in ("_NL", "_INDENT", "COLON")), default=-1)
    return Expected(tuple(tokens[last + 1 :]), found)


@cache
def _parser() -> Lark:
    return build_grammar(_layout)


@cache
def _list_words() -> dict[str, str]:
    terminals = _parser().terminals
    return {
        each.name: each.pattern.value
        for each in terminals
        if isinstance(each.pattern, PatternStr) and each.pattern.value.isalpha()
    }

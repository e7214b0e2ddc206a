"""The parser of rule texts, built once.

In: the grammar beside this module. Out: `grammar`, and `LAYOUT`, which must be prepared before each text is parsed.
"""

from __future__ import annotations

from typing import Literal, get_args

from lark import Lark

from hoyle.cache import cache_folder
from hoyle.syntax.layout import Layout
from hoyle.syntax.reserved import GRAMMAR

Start = Literal["steps", "expr", "pick", "menu", "each_row", "pattern"]

LAYOUT = Layout()
_grammar: Lark | None = None


def grammar() -> Lark:
    """The parser, built once."""
    global _grammar
    if _grammar is None:
        _grammar = build_grammar(LAYOUT)
    return _grammar


def build_grammar(layout: Layout) -> Lark:
    """A parser with a layout of its own; its tables are kept in the user's cache, because building them takes a
    second."""
    folder = cache_folder()
    return Lark(
        GRAMMAR,
        parser="lalr",
        lexer="contextual",
        start=list(get_args(Start)),
        postlex=layout,
        maybe_placeholders=True,
        propagate_positions=True,
        cache=str(folder / "grammar") if folder else False,
    )

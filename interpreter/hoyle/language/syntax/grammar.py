"""The parser of rule texts, built once per process.

In: the grammar beside this module. Out: `grammar`, and `LAYOUT`, which must be prepared before each text is parsed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import lark
from lark import Lark, Token
from lark.common import LexerConf
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedToken
from lark.grammar import Rule
from lark.lexer import BasicLexer, Lexer, LexerState, PatternStr, TerminalDef

from hoyle.base.cache import cache_folder, keep_at_most, read_sealed, seal, unseal, write_sealed
from hoyle.base.shipped import shipped_folder
from hoyle.language.syntax.indentation import Layout
from hoyle.language.syntax.reserved import GRAMMAR, RESERVED

Start = Literal["steps", "expr", "pick", "menu", "each_row", "pattern"]

LAYOUT = Layout()
KEPT = "grammar"
MOST_KEPT = 4
OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": list(get_args(Start)),
    "maybe_placeholders": True,
    "propagate_positions": True,
}
_grammar: Lark | None = None


def grammar() -> Lark:
    """The shared parser."""
    global _grammar
    if _grammar is None:
        _grammar = build_grammar(LAYOUT)
    return _grammar


def build_grammar(layout: Layout) -> Lark:
    """A parser with its own layout. Building the tables takes a second, so they are cached in the user's cache folder,
    as JSON: Lark's own cache is a pickle, which can execute arbitrary code when it is loaded. A build has them with
    it, for the version of Lark that it was made with."""
    name = f"{KEPT}-{_digest()}.json"
    folder = cache_folder()
    place = folder / name if folder else None
    shipped = shipped_folder() / name
    return (
        _recall(lambda: unseal(shipped.read_bytes()), layout)
        or (_recall(lambda: read_sealed(place), layout) if place else None)
        or _build(place, layout)
    )


def _digest() -> str:
    """A hash of everything that determines the tables."""
    return hashlib.sha256(repr((GRAMMAR, OPTIONS, lark.__version__)).encode()).hexdigest()


class _Lexer(Lexer):
    """In place of Lark's contextual lexer, which compiles a regular expression for each state of the parser: one finds
    the tokens of all states. What a state does not accept is a name, if it can be one, or else an error."""

    def __init__(self, conf: LexerConf, states: Mapping[int, Collection[str]], always_accept: Collection[str] = ()):
        conf.skip_validation = True  # a test checks the grammar for colliding terminals
        self.every = BasicLexer(conf)
        words = (each for each in conf.terminals if isinstance(each.pattern, PatternStr))
        self.words = {each.name for each in words if re.fullmatch(r"[a-z]+", each.pattern.value)}
        self.words -= {each.upper() for each in RESERVED}  # what the pattern of names leaves out
        self.accepted = {state: {*accepts, *always_accept} for state, accepts in states.items()}

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        every = self.every
        while True:
            last = lexer_state.last_token
            try:
                token = every.next_token(lexer_state, parser_state)
            except EOFError:
                return
            except UnexpectedCharacters as error:
                error.allowed = self.accepted[parser_state.position] - self.words
                raise
            accepted = self.accepted[parser_state.position]
            if token.type in self.words and token.type not in accepted:
                token.type = "NAME"
            elif token.type not in accepted:
                known = every.terminals_by_name
                raise UnexpectedToken(  # type: ignore[no-untyped-call]
                    token, accepted - self.words, state=parser_state, token_history=last and [last],
                    terminals_by_name=known,
                )  # fmt: skip
            yield token


PLUGINS = {"ContextualLexer": _Lexer}


def _build(place: Path | None, layout: Layout) -> Lark:
    built = Lark(GRAMMAR, postlex=layout, _plugins=PLUGINS, **OPTIONS)
    if place is not None:
        write_sealed(place, _write_tables(built))
        keep_at_most(MOST_KEPT, place.parent, f"{KEPT}*")
    return built


def _write_tables(built: Lark) -> bytes:
    tables, shared = built.memo_serialize([TerminalDef, Rule])
    tables["options"] |= {"postlex": None, "_plugins": {}}
    return json.dumps([tables, shared], separators=(",", ":")).encode()


def bake_tables(folder: Path) -> Path:
    """Write the tables of the parser for a build, in the folder of what is shipped."""
    place = folder / f"{KEPT}-{_digest()}.json"
    place.write_bytes(seal(_write_tables(_build(None, LAYOUT))))
    return place


def _recall(read: Callable[[], bytes], layout: Layout) -> Lark | None:
    """The parser from kept tables; None if there are none, or they are corrupt."""
    try:
        tables, shared = json.loads(read(), object_hook=_with_numbers)
        found: Lark = Lark._load_from_dict(tables, shared, postlex=layout, _plugins=PLUGINS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, LarkError):
        return None
    return found


def _with_numbers(table: dict[str, Any]) -> dict[Any, Any]:
    """Restore integer keys, which JSON turns into strings: the keys of each table are either all numbers or all
    names."""
    return {int(key): value for key, value in table.items()} if all(map(str.isdigit, table)) else table

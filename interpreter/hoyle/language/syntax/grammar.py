"""The parser of rule texts, built once per process.

In: the grammar beside this module. Out: `grammar`, and `LAYOUT`, which must be prepared before each text is parsed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import lark
from lark import Lark
from lark.common import LexerConf
from lark.exceptions import LarkError
from lark.grammar import Rule
from lark.lexer import ContextualLexer, TerminalDef

from hoyle.base.cache import cache_folder, keep_at_most, read_sealed, seal, unseal, write_sealed
from hoyle.base.shipped import shipped_folder
from hoyle.language.syntax.indentation import Layout
from hoyle.language.syntax.reserved import GRAMMAR

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


class _Lexer(ContextualLexer):
    """The contextual lexer without its check for colliding terminals in each state, which takes as long as everything
    else if `interegular` is installed. A test checks the grammar as a whole instead."""

    def __init__(self, conf: LexerConf, states: Mapping[Any, Collection[str]], always_accept: Collection[str] = ()):
        conf.skip_validation = True
        super().__init__(conf, states, always_accept)  # type: ignore[arg-type]


def _build(place: Path | None, layout: Layout) -> Lark:
    built = Lark(GRAMMAR, postlex=layout, _plugins={"ContextualLexer": _Lexer}, **OPTIONS)
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
        found: Lark = Lark._load_from_dict(tables, shared, postlex=layout)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, LarkError):
        return None
    return found


def _with_numbers(table: dict[str, Any]) -> dict[Any, Any]:
    """Restore integer keys, which JSON turns into strings: the keys of each table are either all numbers or all
    names."""
    return {int(key): value for key, value in table.items()} if all(map(str.isdigit, table)) else table

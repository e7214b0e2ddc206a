"""Lists the words of the rule language that a game uses.

In: the declarations of a game, and the names of its own files. Out: the built-in words, connecting words and statements
in these files, in the order of the reference, each with its syntax and meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from hoyle.authoring.word_reference import write_word
from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import Declarations
from hoyle.language.syntax import ast
from hoyle.language.syntax.reserved import RESERVED
from hoyle.program.words import WORDS, Word
from hoyle.program.words.phrases import PHRASES
from hoyle.program.words.statements import STATEMENTS

_LEFT_OUT = re.compile(r'"[^"\n]*"|#.*|\[[^\[\]\n]*\]')  # strings, comments and citations
_PLAIN = ("if", "for", "otherwise", "nothing")  # self-explanatory


def list_words(declared: Declarations, files: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the built-in words used in the rules of these files."""
    rules = _list_rules(declared, files)
    for word in WORDS.values():
        said = re.compile(_said(word))
        if word.spoken and any(map(said.search, rules)):
            yield write_word(word), word.doc


def list_phrases(declared: Declarations, files: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the connecting words used in the rules of these files whose meaning is not obvious."""
    rules = _list_rules(declared, files)
    for pattern, form in PHRASES.items():
        if any(map(pattern.search, rules)):
            yield form.shape, form.meaning


def _list_rules(declared: Declarations, files: Collection[str]) -> list[str]:
    return [_LEFT_OUT.sub(" ", each.span.text) for each in declared.texts if each.span.source.name in files]


def _said(word: Word) -> str:
    """Return a pattern for uses of a word: alone, with `of`, or as in `highest rank of`. Steps and scores can have the
    same name, which must not match."""
    if not word.takes:
        return rf"\b{word.name}\b"
    between = r"([A-Za-z][\w.]*\s+)?" if word.name in RESERVED else ""
    return rf"\b{word.name}\s+{between}of\b"


def list_statements(declared: Declarations, files: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the statements used in these files, except self-explanatory ones."""
    units = [one for unit in declared.units() for one in statements_in(unit.do)]
    made = {_find_verb(one) for one in units if one.span.source.name in files}
    for verb, form in STATEMENTS.items():
        if verb in made and verb not in _PLAIN:
            yield form.shape, form.meaning


def _find_verb(one: ast.Statement) -> str:
    if isinstance(one, ast.Choose):
        return "choose" if one.together else "may" if one.may else "chooses"
    return one.span.text.split(maxsplit=1)[0].rstrip(":")

"""Completion: what an editor offers, and after which words.

In: an index and an offset. Out: `Completion`s, best first: in a rule what the grammar accepts there, ranked by the
expected kind or type; in a citation the numbered rules; at the start of a line the sections.
"""

from __future__ import annotations

import re

from lark import Token

from hoyle.authoring.lsp.expecting import Expected, expect
from hoyle.authoring.lsp.index import SECTIONS, Declared, Index
from hoyle.base.dataclass import dataclass
from hoyle.base.source import Span
from hoyle.language.syntax.reserved import VERBS
from hoyle.program.words import WORDS

_CITING = re.compile(r"\[[A-Z0-9, -]*$|cite: *+\[?[A-Z0-9, -]*+$")
_WORD = re.compile(r"(?<![\w.])[\w.]*$")
_CARDS_MOVE = ("GATHER", "SHUFFLE", "CUT", "DEAL", "MOVE", "TURN", "SWAP")
_OPENS_MENU = ("CHOOSES", "CHOOSE", "OFFER")
_NO_VALUES = ("action", "choice", "step")  # offered only where the grammar expects them
_FIT, _POSSIBLE, _WORD_OF_GRAMMAR = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion item: its kind, its description, its rank (`fit`, 0 is best) and the type of its value."""

    name: str
    kind: str
    text: str = ""
    fit: int = _POSSIBLE
    type: str = ""


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is expected at an offset. `kinds` and `values_of`, if given, exclude everything else; `types` only rank."""

    kinds: tuple[str, ...] = ()
    values_of: str = ""
    types: tuple[str, ...] = ()


def complete(index: Index, offset: int) -> list[Completion]:
    """List completions at an offset, best first."""
    source = index.source.text
    start = source.rfind("\n", 0, offset) + 1
    before = source[start:offset]
    if _CITING.search(before):
        return [Completion(each.name, each.kind, each.text) for each in index.names.values() if each.kind == "rule"]
    half = _WORD.search(before)
    assert half is not None
    if not before[: half.start()]:
        return [Completion(f"{section}:", "section") for section in SECTIONS]
    text = index.rule_text_at(offset) or index.rule_text_at(start + len(before.rstrip()))
    relations = index.declared.vocabulary.relations if index.declared is not None else frozenset()
    expected = expect(text, offset - len(half[0]), relations) if text is not None else None
    found = _list_all(index, offset) if expected is None else _list_expected(index, offset, expected)
    return sorted(found, key=lambda each: (each.fit, each.name))


def _list_all(index: Index, offset: int) -> list[Completion]:
    """List all words, where the context cannot be parsed."""
    names = [Completion(each.name, each.kind, each.text) for each in _names(index, offset)]
    return names + [Completion(verb, "statement") for verb in VERBS]


def _list_expected(index: Index, offset: int, expected: Expected) -> list[Completion]:
    words = [
        Completion(word, "statement" if word in VERBS and not expected.tokens else "word of the grammar",
                   fit=_FIT if word in VERBS and not expected.tokens else _WORD_OF_GRAMMAR)
        for word in expected.words
    ]  # fmt: skip
    if not expected.wants_name:
        return words
    wish = _find_wish(index, expected.tokens)
    names = []
    for each in _names(index, offset):
        type_ = index.types_by_text.get(each.name, "zone" if each.kind == "zone" else "")
        fits = type_ in wish.types or each.kind in wish.kinds
        if wish.kinds or wish.values_of:
            other = wish.types and type_ and type_ not in wish.types
            if other or (not fits and each.kind != f"value of {wish.values_of}"):
                continue
            fits = True
        elif each.kind in _NO_VALUES:
            continue
        names.append(Completion(each.name, each.kind, each.text, _FIT if fits else _POSSIBLE, type_))
    return names + words


def _names(index: Index, offset: int) -> list[Declared]:
    nowhere = Span(index.source, offset, offset)
    found = [each for each in index.names.values() if each.kind != "rule"]
    known = {each.name for each in found}
    return found + [
        Declared(name, "built-in word", nowhere, word.doc)
        for name, word in WORDS.items()
        if word.spoken and name not in known
    ]


def _find_wish(index: Index, tokens: tuple[Token, ...]) -> _Wish:
    """Determine what is expected after some tokens of a statement."""
    if not tokens:
        return _Wish()
    kinds = [token.type for token in tokens]
    last, verb = kinds[-1], kinds[0]
    if last in ("DO", "END"):
        return _Wish(kinds=("step",))
    if last in _OPENS_MENU or (last in ("OR", "OTHERWISE") and any(kind in _OPENS_MENU for kind in kinds)):
        return _Wish(kinds=("action", "choice"))
    if last in ("CAN", "MAY"):
        return _Wish(kinds=("action",))
    if last in ("IS", "COMPARE") or kinds[-2:] == ["IS", "NOT"]:
        at = max(place for place, kind in enumerate(kinds) if kind in ("IS", "COMPARE"))
        type_ = _type_of(index, tokens[:at])
        if last != "COMPARE":
            adjectives = index.declared.vocabulary.adjectives if index.declared is not None else ()
            words = ("word", "built-in word") if adjectives or not type_ else ()
            return _Wish(kinds=words, values_of=type_ if _has_values(index, type_) else "")
        if _has_values(index, type_):
            return _Wish(("option", "state", "word", "attribute"), type_, (type_,))
        return _Wish(types=(type_,) if type_ else ())
    if verb in _CARDS_MOVE and last in (*_CARDS_MOVE, "TO", "FROM", "THEN", "OVER", "WITH"):
        onto = last in ("TO", "FROM", "THEN", "OVER") or verb in ("GATHER", "SHUFFLE", "CUT")
        return _Wish(types=("zone",) if onto else ("zone", "card", "cards"))
    if verb in ("SCORE", "SHOW", "PAY") and last in ("TO", "FROM"):
        return _Wish(types=("seat", "seats"))
    if verb in ("SET", "CLEAR", "ADD") and len(tokens) == 1:
        return _Wish(types=(), kinds=("state",))
    if verb == "SET" and last == "TO":
        type_ = _type_of(index, tokens[1:-1])
        return _Wish(types=(type_, type_.removesuffix(" or none")))
    if last == "OF" and len(tokens) > 1:
        known = index.find(str(tokens[-2]))
        whose = known.rule if known is not None else ""
        if known is not None and known.kind == "attribute":
            return _Wish(types=("card", "cards", "zone"))
        if "of: seat" in whose or str(tokens[-2]) == "score":
            return _Wish(types=("seat", "seats"))
    return _Wish()


def _has_values(index: Index, type_: str) -> bool:
    return any(each.kind == f"value of {type_}" for each in index.names.values())


def _type_of(index: Index, tokens: tuple[Token, ...]) -> str:
    """Return the type, without `or none`, of the longest known expression that ends a sequence of tokens."""
    for first in range(len(tokens)):
        said = " ".join(map(str, tokens[first:]))
        type_ = index.types_by_text.get(said) or _declared_type(index, said)
        if type_:
            return type_.removesuffix(" or none")
    return ""


def _declared_type(index: Index, said: str) -> str:
    """Return the type of an expression that begins with an attribute, an option or a state: `suit of …` is a suit."""
    known = index.find(said.split(" ")[0]) if said else None
    if known is None or (" " in said and " of " not in said):
        return ""
    if known.kind == "attribute" or known.kind == "option":
        return known.name
    found = re.search(r"^type: (.*)$", known.rule, re.M)
    return found[1] if found is not None and known.kind == "state" else ""



"""Fixes for type mismatches.

In: a rejected expression, its place, and the expected type. Out: a hint, and candidate conversions: the count of a
list, the zone of a seat, the top card of a pile.
"""

from __future__ import annotations

import re

from hoyle.base.diagnostics.report import Fix
from hoyle.base.diagnostics.spelling import with_article
from hoyle.base.source import Span
from hoyle.language.elaborate.environment import Environment
from hoyle.language.syntax.repair.trial_parsing import FIRST_WORDS
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import is_of_seats
from hoyle.program.ir.types import CARD, CARDS, SEAT, SEATS, ZONE, Type, certain, list_of
from hoyle.program.words import Op, word_of

_FIRST_WORD = re.compile(rf"(?:{'|'.join(FIRST_WORDS)})\b")
_OPERAND = re.compile(r"\(.*\)|(?:\w[\w.]* of )*[\w.]+", re.S)


def convert(env: Environment, expr: ir.Expr, wanted: Type, span: Span) -> tuple[Fix, ...]:
    """Candidate conversions to the expected type, the most likely first."""
    text = " ".join(span.text.split())
    said = text if _OPERAND.fullmatch(text) else f"({text})"
    have, held, want = expr.type, certain(expr.type), certain(wanted)
    found: list[str] = []
    if want.kind == "truth":
        if have.kind == "maybe" and held.kind != "truth":
            found.append(f"{said} is not none")
        elif held == SEATS:
            found += [f"seat is in {said}", f"{said} is not empty"]
        elif held.kind in ("list", "zone"):
            found.append(f"{said} is not empty")
        elif held.kind == "number":
            found.append(f"{said} > 0")
    elif want.kind == "number":
        if held == CARDS and _is_of_singles(expr):  # of `card + other = 14` the ranks are likelier
            found += [f"sum {each.name} of {said}" for each in env.attribute_list if each.type.kind == "number"]
        if held.kind in ("list", "zone"):
            found.append(f"count of {said}")
        elif held == CARD:
            found += [f"{each.name} of {said}" for each in env.attribute_list if each.type.kind == "number"]
    elif want.kind == "enum":
        cards = f"top of {said}" if held.kind in ("zone", "list") else said
        if held in (CARD, ZONE, CARDS):
            found += [f"{each.name} of {cards}" for each in env.attribute_list if each.type == want]
    elif want == ZONE:
        if text == "deck" and env.declared.vocabulary.start:
            found.append(env.declared.vocabulary.start)
        elif held == SEAT:
            found += [f"{zone.name} of {said}" for zone in _zones_of_seats(env)]
        elif have == list_of(ZONE) and not text.startswith("each "):  # of `each hand` the first would be arbitrary
            found += [f"new {said}", f"first of {said}"]
        elif held == SEATS and said != "seats":  # the first of all seats would be arbitrary
            return tuple(Fix(span, f"{zone.name} of first of {said}", sure=False) for zone in _zones_of_seats(env))
    elif want == CARD and held.kind in ("zone", "list"):
        found.append(f"top of {said}")
    elif want == SEAT and held == SEATS:
        first = () if text in ("seats", "each seat") else (Fix(span, f"first of {said}", sure=False),)
        return (*_do_for_each(span, text), *first)  # the first of all seats would be arbitrary
    elif want == CARDS and held == SEAT:
        found += [f"{zone.name} of {said}" for zone in _zones_of_seats(env)]
    guessed = (f"{said} > 0", f"top of {said}", f"first of {said}")
    return tuple(Fix(span, one, sure=len(found) == 1 and one not in guessed) for one in found)


def _do_for_each(span: Span, seats: str) -> tuple[Fix, ...]:
    """The statement of a line, done for each of several seats rather than for a list of them."""
    text = span.source.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    start += len(text[start : span.start]) - len(text[start : span.start].lstrip())
    before, after = text[start : span.start], text[span.end : end if end >= 0 else len(text)].rstrip()
    if _FIRST_WORD.match(before) is None or ":" in before + after:
        return ()
    name = "other" if re.search(r"\bseat\b", before + after) else "seat"
    among = "" if seats in ("seats", "each seat") else f" in {seats}"
    loop = f"for each {name}{among or (' in seats' if name == 'other' else '')}: "
    return (Fix(Span(span.source, start, span.end + len(after)), f"{loop}{before}{name}{after}", sure=False),)


def _is_of_singles(expr: ir.Expr) -> bool:
    """Whether a list is joined of single values alone."""
    if not isinstance(expr, ir.Apply):
        return False
    return expr.word == word_of(Op.LIST).name or (
        expr.word == word_of(Op.JOIN).name and all(map(_is_of_singles, expr.args))
    )


def _zones_of_seats(env: Environment) -> list[ir.Zone]:
    return [zone for zone in env.zone_list if is_of_seats(zone)]


def find_none(expr: ir.Expr, span: Span) -> tuple[str, Span]:
    """The operand that makes an arithmetic expression none, as source text and place; else the whole expression."""
    reckons = [word_of(op).name for op in (Op.ADD, Op.SUBTRACT, Op.MULTIPLY)]
    while isinstance(expr, ir.Apply) and expr.word in reckons:
        parts = [part for part in expr.args if part.type.kind == "maybe" and part.text]
        if len(parts) != 1 or span.text.count(parts[0].text) != 1:
            break
        expr = parts[0]
        start = span.start + span.text.index(expr.text)
        span = Span(span.source, start, start + len(expr.text))
    return expr.text, span


def give_value(env: Environment, span: Span, wanted: Type) -> tuple[Fix, ...]:
    """Fixes that supply a default for a value that may be none; of a scale without 0 none is likelier than another."""
    want = certain(wanted)
    instead = {"number": "0", "seat": "dealer"}.get(want.kind)
    scale = env.scales.get(want.name)
    if instead is None or (instead == "0" and scale is not None and not scale.low <= 0 <= scale.high):
        return ()
    text = f"{' '.join(span.text.split())} or else {instead}"
    return (Fix(span, text if _stands_alone(span) else f"({text})", sure=False),)


def _stands_alone(span: Span) -> bool:
    """Whether the expression is delimited on both sides, so that no operator binds to a part of its replacement."""
    text = span.source.text
    before, after = text[: span.start].rstrip(" "), text[span.end :].lstrip(" ")
    return before[-1:] in (":", "(", ",", "", "\n", "|") and after[:1] in (")", ",", "}", "\n", "")


def describe(env: Environment, expr: ir.Expr, wanted: Type) -> tuple[str, ...]:
    """A hint on how values of the expected type are written."""
    want = certain(wanted)
    if want.kind == "truth" and certain(expr.type).kind not in ("list", "zone", "number"):
        return ("a condition compares: `… = …`, `… is …`, `… > …`",)
    if want.kind == "seat":
        return ("a seat is `dealer`, `left of dealer`, a state that holds a seat, or a name given by `for each`",)
    if want.kind == "enum":
        values = ", ".join(f"`{value}`" for value in env.enum_values(want)[:12])
        return (f"{with_article(want.name)} is one of {values}",)
    if want.kind == "zone":
        return (f"a zone is one of {', '.join(f'`{name}`' for name in list(env.zones)[:12])}",)
    return ()

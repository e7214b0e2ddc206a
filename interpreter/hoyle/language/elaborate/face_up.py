"""Elaboration of `face_up of` a zone: its cards that everybody sees now.

In: a zone, static or dynamic. Out: an expression for its publicly visible cards, derived from the zone's visibility.
Anything a rule computes from them is thus public.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.base.source import Span
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, choose, constant
from hoyle.language.elaborate.giving import give
from hoyle.language.elaborate.typing_rules import coerce, is_unknown, unknown
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.declared import Visibility
from hoyle.program.ir.types import CARDS, NUMBER, TRUTH, ZONE, list_of
from hoyle.program.words import Op

OPEN = ("top_card", "face_up", "all")


def find_face_up(env: Environment, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
    """`face_up of` a zone: its cards that everybody sees now."""
    zone = coerce(env, arg, ZONE, at, "what lies face up")
    if is_unknown(zone.type):
        return unknown()
    if env.seeing:
        env.report.error(
            "visibility-ring",
            "who sees a zone cannot depend on what lies face up, which depends on who sees it",
            at,
            hint="let it depend on states, or on how many cards lie somewhere",
        )
        return unknown()
    if not isinstance(zone, ir.ZoneRef):
        return _find_in_any(env, zone, text)
    declared = env.zone_list[zone.zone]
    parts = zone.owner.parts if isinstance(zone.owner, ir.Index) else (zone.owner,) if zone.owner else ()
    found = _find_open(declared, zone, parts, text)
    if found is None:
        env.report.error(
            "never-open",
            f"the cards of `{declared.name}` never lie open to all, so none of them is face up",
            at,
            f"shows {declared.shows}",
            hint="let the zone show `face_up`, `top_card` or `all`, or leave out `face_up of`",
        )
        return unknown()
    return found


def _find_in_any(env: Environment, zone: ir.Expr, text: str) -> ir.Expr:
    """The publicly visible cards of a zone that is known only at run time."""
    found: ir.Expr = constant((), CARDS, text)
    for declared in reversed(env.zone_list):
        parts = []
        for place, dimension in enumerate(declared.of):
            table = give(env, "index", list_of(dimension.type), "", declared.name, place)
            parts.append(apply(Op.ELEMENT, (table, zone), dimension.type))
        seen = _find_open(declared, zone, tuple(parts), text)
        if seen is not None:
            among = apply(Op.IS_IN, (zone, give(env, "piles", list_of(ZONE), "", declared.name)), TRUTH)
            found = choose(among, seen, found, CARDS, text)
    return found


def _find_open(declared: ir.Zone, zone: ir.Expr, parts: tuple[ir.Expr, ...], text: str) -> ir.Expr | None:
    """The publicly visible cards of a member of a family; None if its visibility never includes everybody."""
    if not any(shows in OPEN for shows in (declared.shows, *(case.shows for case in declared.cases))):
        return None
    found = _find_shown(zone, declared.shows, text)
    for case in reversed(declared.cases):
        assert isinstance(case.when, ir.Call)
        found = choose(replace(case.when, args=parts), _find_shown(zone, case.shows, text), found, CARDS, text)
    return found


def _find_shown(zone: ir.Expr, shows: Visibility, text: str) -> ir.Expr:
    if shows == "face_up":
        return apply(Op.FACE_UP, (zone,), CARDS, text)
    if shows not in OPEN:
        return constant((), CARDS, text)
    cards = apply(Op.CARDS, (zone,), CARDS, text)
    if shows == "top_card":
        cards = apply(Op.LAST_FEW, (constant(1, NUMBER), cards), CARDS, text)
    return apply(Op.LAID_OPEN, (cards,), CARDS, text)

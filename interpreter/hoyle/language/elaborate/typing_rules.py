"""Type compatibility and coercion.

In: an expression and the expected type. Out: the expression with that type, or a diagnostic.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.base.diagnostics.spelling import with_article
from hoyle.base.source import Span
from hoyle.language.elaborate.conversions import convert, describe, find_none, give_value
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply
from hoyle.language.elaborate.team_values import seats_of
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARDS, NUMBER, SEATS, TEAM, UNKNOWN, ZONE, Type, certain, list_of, maybe
from hoyle.program.words import Op

ORDERED = ("number", "enum", "key", "truth")


def unknown() -> ir.Const:
    """A placeholder for an erroneous expression: compatible with every type, to avoid follow-up errors."""
    return ir.Const(type=UNKNOWN, value=None)


def is_unknown(kind: Type) -> bool:
    return kind.kind == "unknown" or (kind.of is not None and is_unknown(kind.of))


def same(a: Type, b: Type) -> bool:
    """Whether two types are compatible, ignoring `or none` and scales of numbers."""
    a, b = certain(a), certain(b)
    if is_unknown(a) or is_unknown(b) or "none" in (a.kind, b.kind):
        return True
    if a.kind == b.kind == "list":
        assert a.of and b.of
        return same(a.of, b.of)
    return a == b or a.kind == b.kind == "number"


def joined(a: Type, b: Type) -> Type:
    """The join of two types: the type of a value that is either."""
    if is_unknown(a):
        return b
    if is_unknown(b):
        return a
    if a.kind == "none":
        return maybe(b)
    if b.kind == "none":
        return maybe(a)
    doubtful = "maybe" in (a.kind, b.kind)
    a, b = certain(a), certain(b)
    if a.kind == b.kind == "list" and a.of and b.of:
        a = list_of(joined(a.of, b.of))
    elif a.kind == b.kind == "number" and a != b:
        a = NUMBER
    return maybe(a) if doubtful else a


def as_elements(env: Environment, expr: ir.Expr) -> ir.Expr:
    """A zone as the list of its cards, a team as that of its seats; anything else unchanged."""
    if expr.type.kind == "zone":
        return apply(Op.CARDS, (expr,), CARDS, expr.text)
    return seats_of(env, expr) if certain(expr.type) == TEAM else expr


def as_piles(expr: ir.Expr) -> ir.Expr:
    """A zone as a list of one; anything else unchanged."""
    return apply(Op.LIST, (expr,), list_of(ZONE), expr.text) if certain(expr.type) == ZONE else expr


def described(kind: Type) -> str:
    """A type as words in a sentence."""
    if kind.kind == "zone":
        return "a zone"
    if kind.kind == "list":
        return f"{kind}"
    if kind.kind == "maybe":
        return f"{described(certain(kind))} or none"
    if kind.kind in ("none", "text", "truth"):
        return {"none": "none", "text": "a text", "truth": "a condition"}[kind.kind]
    return with_article(f"{kind}")


def coerce(
    env: Environment,
    expr: ir.Expr,
    wanted: Type,
    span: Span,
    what: str = "this",
    *,
    widen: bool = False,
    pointing: bool = False,
) -> ir.Expr:
    """The expression coerced to the expected type. `widen`: a single value is accepted for a list (`move top of pack to
    hand`). `pointing`: a value that may be none is accepted, since the rule refers to something that should exist (`set
    dealer to first of cutters`); if it does not, there is a run-time fault."""
    have = expr.type
    if is_unknown(have) or is_unknown(wanted):
        return expr
    if wanted.kind == "list":
        if (have.kind == "zone" and wanted == CARDS) or (have == TEAM and wanted == SEATS):
            return as_elements(env, expr)
        if have == list_of(TEAM) and wanted == SEATS:
            return seats_of(env, expr)
        if widen and wanted.of is not None and same(have, wanted.of) and have.kind != "list":
            return apply(Op.LIST, (expr,), list_of(certain(wanted.of)), expr.text)
    if wanted.kind == "maybe" and (have.kind == "none" or same(have, wanted)):
        return expr
    if have.kind == "maybe" and same(have, wanted):
        if pointing:
            return expr
        text, span = find_none(expr, span)
        env.report.error(
            "may-be-none",
            f"`{text}` may be none, but {described(wanted)} is needed",
            span,
            "none where there is no such thing",
            hint=f"say what holds then: `({text} or else …)`",
            fix=give_value(env, span, wanted),
        )
        return unknown()
    if have.kind != "none" and same(have, wanted):
        return expr
    if have == list_of(ZONE) and certain(wanted) == ZONE and expr.text.startswith("each "):
        zone = expr.text.removeprefix("each ")
        env.report.error(
            "which-pile",
            f"`{expr.text}` is several zones; {what} must be one of them",
            span,
            "several zones",
            hint=f"`deal 1 card from … to {expr.text}` gives each a card; `for each seat: … {zone}` goes through them",
        )
        return unknown()
    if have == list_of(ZONE) and certain(wanted) == ZONE:
        env.report.error(
            "which-pile",
            f"`{expr.text}` is a family of piles; {what} must be one of them",
            span,
            "several piles",
            hint=f"`new {expr.text}` opens a pile; `first of {expr.text}` is the first; `for each pile in {expr.text}` "
            "goes through all",
            fix=[replace(fix, sure=False) for fix in convert(env, expr, wanted, span)],
        )
        return unknown()
    env.report.error(
        "wrong-type",
        f"{what} must be {described(wanted)}; `{expr.text}` is {described(have)}",
        span,
        f"{described(have)}",
        hint=describe(env, expr, wanted),
        fix=convert(env, expr, wanted, span),
    )
    return unknown()

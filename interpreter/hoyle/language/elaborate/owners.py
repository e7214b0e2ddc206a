"""Owners and indices of family members: explicit, or implied by the seat or value in scope.

In: a zone or state, what follows `of`, and the scope. Out: the index in the family; missing and ambiguous owners are
reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hoyle.base.diagnostics.report import Fix
from hoyle.base.source import Span
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment, display
from hoyle.language.elaborate.folding import constant
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.team_values import team_of
from hoyle.language.elaborate.typing_rules import coerce, described, is_unknown, same
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import OpenIndex
from hoyle.program.ir.layout import find_member, is_of_seats
from hoyle.program.ir.types import CARD, NUMBER, SEAT, TEAM, Type, certain, maybe

Held = ir.Zone | ir.State


def find_subject(env: Environment, name: str, span: Span, scope: Scope) -> ir.Expr | None:
    """The seat whose `hand` is meant when a rule says just `hand`: the only one in scope."""
    if scope.subject is not None and len(scope.seats) == 1:
        return scope.subject
    reason = "two seats are spoken of here" if len(scope.seats) > 1 else "no seat is spoken of here"
    people = tuple(reversed(scope.seats)) or env.declared.vocabulary.people  # the innermost seat is the most likely
    line = span.source.line_text(span.line)
    people = tuple(sorted(people, key=lambda seat: f"{span.text} of {seat}" in line))  # not once more
    hint = "say whose: " + " or ".join(f"`{name} of {seat}`" for seat in people[: len(scope.seats) or 1])
    if not scope.seats and scope.where == "definition":
        hint = f"say that it is about a seat, `of: seat` beside `is:`; or whose is meant, such as `{name} of dealer`"
        people = ()  # none of them would be the one it is asked of
    some = [f"some {span.text}"] if name in env.zones and not scope.seats and scope.where == "end" else []
    fixes = [Fix(span, text, sure=False) for text in (*some, *(f"{span.text} of {seat}" for seat in people[:3]))]
    env.report.error("whose", f"whose `{name}`? {reason}", span, reason, hint=hint, fix=fixes)
    return None


def find_spoken(env: Environment, dimension: ir.Dimension, scope: Scope) -> ir.Expr | None:
    """The value in scope that implies an index: the seat, its team, or the name bound by `for each KIND`."""
    named = scope.names.get(dimension.name)
    if dimension.kind != "seat" and named is not None and named.type == dimension.type:
        return named
    seat = scope.subject if len(scope.seats) == 1 else None
    if dimension.kind == "team" and seat is not None:
        return team_of(env, seat)
    return seat if dimension.kind == "seat" else None


def find_owner(env: Environment, held: Held, said: str, span: Span, scope: Scope) -> ir.Expr | None:
    """The implied index of a zone or state without `of`; None, after an error, if it is missing or ambiguous."""
    if is_of_seats(held):
        return find_subject(env, said, span, scope)
    parts = [find_spoken(env, dimension, scope) for dimension in held.of]
    known = [part for part in parts if part is not None]
    if len(known) == len(parts):
        return build_index(env, held, known, span)
    missing = next(each for each, part in zip(held.of, parts, strict=True) if part is None)
    examples = _examples(env, held.of, scope)
    hints = [f"say which: `{said} of {examples[0] if examples else example_of(env, held.of, scope)}`"]
    if missing.name in scope.names and missing.kind == "number":
        hints.insert(0, f"`{missing.name}` is just a number here; in `each {missing.name}` it says which is meant")
    env.report.error(
        "whose",
        f"there is a `{said}` for each {_list_kinds(held.of)}; which is meant?",
        span,
        f"no `{missing.name}` is spoken of here",
        hint=hints,
        fix=[Fix(span, f"{span.text} of {value}", sure=False) for value in examples],
    )
    return None


def _examples(env: Environment, of: tuple[ir.Dimension, ...], scope: Scope) -> list[str]:
    """Possible indices for a family of one dimension: names in scope, or else the first values."""
    given = [name for name, value in scope.names.items() if len(of) == 1 and certain(value.type) == of[0].type]
    if given:
        return given[-3:]
    cards = [name for name, value in scope.names.items() if certain(value.type) == CARD]
    if len(of) == 1 and of[0].name in env.attributes and cards:  # an attribute of a card in scope
        return [f"{of[0].name} of {card}" for card in reversed(cards[-3:])]
    domain = env.domain_of(of[0].name) if len(of) == 1 else None
    return [display(env, value, domain[0]) for value in domain[1][:3]] if domain is not None else []


def find_named_owner(
    elaborator: Elaborator, held: Held, said: str, node: ast.Expr, scope: Scope
) -> ir.Expr | None:
    """The index given after `of`: one value for each dimension. Dimensions that the scope implies may be omitted, seats
    and teams first."""
    env, of = elaborator.env, held.of
    if env.is_lost(held.name, node.span):
        return None
    given = node.items if isinstance(node, ast.ListOf) and len(of) > 1 else (node,)
    for left_out in _ways_to_leave_out(env, of, len(of) - len(given), scope):
        parts: list[ir.Expr] = []
        waiting = list(given)
        for dimension, spoken in zip(of, left_out, strict=True):
            parts.append(spoken or elaborator.expr(waiting.pop(0), scope, dimension.type))
        pairs = zip(of, parts, strict=True)
        if all(_fits(dimension, part) for dimension, part in pairs):
            return build_index(env, held, parts, node.span)
        if len(given) == len(of):
            _report_misfit(env, held, said, parts, [each.span for each in given])
            return None
    if any(is_unknown(elaborator.expr(each, scope).type) for each in given):
        return None
    env.report.error(
        "whose",
        f"there is a `{said}` for each {_list_kinds(of)}; which is meant?",
        node.span,
        f"this says {'one thing' if len(given) == 1 else f'{len(given)} things'}",
        hint=f"say which: `{said} of {example_of(env, of, scope)}`",
    )
    return None


def find_owner_by(env: Environment, held: Held, said: str, part: ir.Expr, span: Span, scope: Scope) -> ir.Expr | None:
    """The index given by one elaborated value: `sum purse of live` applies to each seat."""
    if is_unknown(part.type):
        return None
    for left_out in _ways_to_leave_out(env, held.of, len(held.of) - 1, scope):
        parts = [spoken or part for spoken in left_out]
        if all(_fits(dimension, each) for dimension, each in zip(held.of, parts, strict=True)):
            return build_index(env, held, parts, span)
    env.report.error(
        "wrong-type",
        f"there is a `{said}` for each {_list_kinds(held.of)}; `{part.text}` is {described(part.type)}",
        span,
        described(part.type),
        hint=f"name what it is of: `{said} of {example_of(env, held.of, scope)}`",
    )
    return None


def _ways_to_leave_out(
    env: Environment, of: tuple[ir.Dimension, ...], number: int, scope: Scope
) -> list[list[ir.Expr | None]]:
    """For each way to omit so many dimensions, the implied values; seats and teams are omitted first."""
    spoken = [find_spoken(env, dimension, scope) for dimension in of]
    order = sorted(range(len(of)), key=lambda index: of[index].kind not in ("seat", "team"))
    return [
        [spoken[index] if index in chosen else None for index in range(len(of))]
        for chosen in (combinations(order, number) if number >= 0 else ())
        if all(spoken[index] is not None for index in chosen)
    ]


def _fits(dimension: ir.Dimension, part: ir.Expr) -> bool:
    """Whether a value may index a dimension; a seat is accepted for its team."""
    if is_unknown(part.type):
        return False
    wanted = dimension.type
    return same(part.type, wanted) or (wanted == TEAM and certain(part.type) == SEAT)


def _report_misfit(
    env: Environment, held: Held, said: str, parts: Sequence[ir.Expr], spans: Sequence[Span]
) -> None:
    """Report the first value that does not fit its dimension."""
    for dimension, part, span in zip(held.of, parts, spans, strict=True):
        if not _fits(dimension, part):
            if certain(part.type) == TEAM and dimension.kind == "seat":
                _report_team(env, held, said, part, span)
                return
            coerce(env, part, dimension.type, span, f"whose `{said}` it is")
            return


def _report_team(env: Environment, held: Held, said: str, team: ir.Expr, span: Span) -> None:
    counted = f"count of {said} of ally" if isinstance(held, ir.Zone) else f"{said} of ally"
    env.report.error(
        "wrong-type",
        f"each seat has a `{said}`; `{team.text}` is a team",
        span,
        "a team",
        hint="its seats are asked one by one, and the answers put together: "
        f"`sum of ({counted} for ally in {team.text})`",
    )


def build_index(env: Environment, held: Held, parts: Sequence[ir.Expr], span: Span) -> ir.Expr | None:
    """The index of a family member; a constant that is out of range is reported."""
    fitted = [
        team_of(env, part) if dimension.kind == "team" and certain(part.type) == SEAT else part
        for dimension, part in zip(held.of, parts, strict=True)
    ]
    only = held.of[0] if len(held.of) == 1 else None
    if only is not None and only.kind != "number":
        return fitted[0]
    text = ", ".join(part.text for part in fitted)
    values = [part.number for part in fitted if isinstance(part, ir.Const) and part.value is not None]
    if len(values) == len(fitted):
        place = find_member(held.of, values)
        if place is None:
            at = next(d for d, value in zip(held.of, values, strict=True) if not d.low <= value < d.low + d.size)
            first, last = (display(env, number, at.type) for number in (at.low, at.low + at.size - 1))
            env.report.error(
                "out-of-range",
                f"there is no `{held.name}` of {text}: `{at.name}` goes from {first} to {last}",
                span,
                hint=f"choose one from {first} to {last}",
            )
            return None
        return constant(place, NUMBER, text)
    doubtful = any(part.type.kind in ("maybe", "none") for part in fitted)
    index = ir.Index(
        type=maybe(NUMBER) if doubtful else NUMBER,
        parts=tuple(fitted),
        lows=tuple(dimension.low for dimension in held.of),
        sizes=tuple(dimension.size for dimension in held.of),
        text=text,
    )
    if not env.is_general:
        return index
    zone, state = (env.zones[held.name], None) if isinstance(held, ir.Zone) else (None, env.states[held.name])
    return OpenIndex(
        type=index.type, parts=index.parts, lows=index.lows, sizes=index.sizes, text=text, zone=zone, state=state
    )


def _list_kinds(of: tuple[ir.Dimension, ...]) -> str:
    return " and ".join(f"`{dimension.name}`" for dimension in of)


def example_of(env: Environment, of: tuple[ir.Dimension, ...], scope: Scope) -> str:
    """An example of an index, for hints: `hearts`, `(team of seat, K)`."""
    seat = scope.seats[0] if scope.seats else "dealer"
    words = {"seat": seat, "team": f"team of {seat}", "card": "card"}
    shown = [words.get(each.kind) or display(env, each.low, each.type) for each in of]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def kind_of_place(owner: ir.Expr | None, kind: Type) -> Type:
    """The type of a family member's value: it may be none if the owner may."""
    return maybe(kind) if owner is not None and owner.type.kind == "maybe" else kind

"""Families: zones, states and pots indexed by seat, team, card, or values of a kind or attribute.

In: the words under `of:`. Out: the dimensions; words that denote no set of values are reported.
"""

from __future__ import annotations

from hoyle.base.diagnostics.report import Fix, Label, respell
from hoyle.base.diagnostics.spelling import with_article
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.giving import count_teams
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import count_members

MOST_DIMENSIONS = 2
MEANT = {"player": "seat", "players": "seat", "seats": "seat", "teams": "team", "side": "team"}


def read_family(
    env: Environment, words: tuple[ast.Word, ...], what: str, most: int, *, cards: bool = True
) -> tuple[ir.Dimension, ...]:
    """The dimensions of a family with at most `most` members; errors in them are reported."""
    of = tuple(_read_dimension(env, word, what, cards=cards) for word in words[:MOST_DIMENSIONS])
    if len(words) > MOST_DIMENSIONS:
        env.report.error(
            "too-many-dimensions",
            f"there is a {what} for each of {len(words)} things; two are the most",
            words[MOST_DIMENSIONS].span,
            "one too many",
            hint="let two of them be one kind of their own, with a value for each pair",
        )
    size = count_members(of)
    if size > most:
        env.report.error(
            "family-too-big",
            f"there would be {size:,}: a {what} for each; {most:,} are the most",
            words[0].span.to(words[-1].span),
            hint="let it be of something with fewer values",
        )
        return ()
    return of


def _read_dimension(env: Environment, word: ast.Word, what: str, *, cards: bool) -> ir.Dimension:
    name = word.name
    sizes = {"seat": env.players, "team": count_teams(env)} | ({"card": len(env.cards)} if cards else {})
    if name in sizes:
        return ir.Dimension(kind=name, name=name, low=0, size=sizes[name])  # type: ignore[arg-type]  # one of the three
    if env.is_spoken_kind(name):
        domain = env.domain_of(name)
        assert domain is not None
        kind, values = domain
        return ir.Dimension(kind=kind.kind, name=name, low=values.start, size=len(values))  # type: ignore[arg-type]  # enum or number
    known = [*sizes, *env.attributes, *env.declared.kinds]
    place = env.place_of(name)
    listed = ", ".join(f"`{one}`" for one in known)
    hints = [f"{with_article(what)} may be of {listed}"]
    many = env.zone_list[env.zones[name]].many if name in env.zones else 0
    if many:
        said = f"`kinds: {{heap: 1..{many}}}`, `{name}: {{of: heap, …}}`"
        hints.insert(0, f"piles are numbered by a kind, and zone and {what.split()[0]} are `of` that: {said}")
    env.report.error(
        "no-values",
        f"`{name}` has no values, so there cannot be a {what} for each"
        if place or name in ("card", "number", "truth", "zone", "pile", "text")
        else f"there is no kind or attribute `{name}`, so there cannot be a {what} for each",
        word.span,
        others=(Label(place, "declared here"),) if place else (),
        hint=hints,
        fix=Fix(word.span, MEANT[name]) if name in MEANT else respell(word.span, name, known),
    )
    return ir.Dimension(kind="seat", name="seat", low=0, size=env.players)  # avoids follow-up errors

"""Cards of one face that lie in one zone are one choice.

In: a list that is picked from. Out: statements that run through it, or find copies in it, each face once.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.codegen.low.facts import TRUTH, between, exactly, list_of
from hoyle.codegen.low.program import For, Let, Push, When
from hoyle.codegen.low.values import Value
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.shapes import BITS, find_filter
from hoyle.codegen.passes.tabulate import list_entries

Elements = Callable[[Value, Callable[[Value], None]], None]


def run_through_faces(expander: Expander, domain: Value, elements: Elements, bind: Callable[[Value], None]) -> None:
    """Cards of one face in one zone are one choice: the first stands for all of them, if it can be picked."""
    build = expander.build
    faces = list_faces(expander)
    zone = _find_zone(domain)
    many = max(faces) + 1
    if zone is not None and many <= 64:
        seen = expander.register(BITS)
        expander.out.append(Let(seen, build.false))

        def give(card: Value) -> None:
            bit = expander.name(build.read("bit", BITS, build.table(faces, card)))
            with expander.scope() as out:
                expander.out.append(Let(seen, build.read("or_bits", BITS, seen, bit)))
                bind(card)
            expander.out.append(When(build.negate(build.read("has_bits", TRUTH, seen, bit)), tuple(out)))
    else:
        kept = expander.register(list_of(domain.element, domain.fact.high, unique=True))
        expander.out.append(Let(kept, build.known_list((), domain.element)))

        def give(card: Value) -> None:
            known = build.read("holds_alike", TRUTH, kept, card, data=(build.table_of(faces),))
            with expander.scope() as out:
                expander.out.append(Push(kept, card))
                bind(card)
            expander.out.append(When(build.negate(known), tuple(out)))

    elements(domain, lambda card: give(expander.name(card)))


def find_twins(expander: Expander, listed: Value) -> Value:
    """For each place of a list of cards, that of the last card before it of the same face and zone, from 1; 0 if
    there is none."""
    build = expander.build
    places = listed.fact.high
    twins = expander.register(list_of(between(0, max(0, places)), places))
    expander.out.append(Let(twins, build.known_list((), exactly(0))))
    index = expander.register(between(0, max(0, places)))
    card = expander.register(listed.element)
    found = build.read(
        "find_alike", between(0, max(0, places)), listed, index, card, data=(build.table_of(list_faces(expander)),)
    )
    expander.out.append(For(card, listed, (Push(twins, found),), index=index))
    return twins


def list_faces(expander: Expander) -> list[int]:
    return [card.face for card in expander.module.program.cards]


def has_copies(expander: Expander, domain: Value) -> bool:
    """Whether two cards of a list can have one face."""
    possible = list(range(len(expander.module.program.cards)))
    while (found := find_filter(domain))[0] is not None:
        variable = expander.build.read("var", domain.element, data=(domain.number,))
        entries = list_entries(expander.build, found[1], variable)
        if entries is not None:
            possible = [card for card in possible if card < len(entries) and entries[card]]
        domain = found[0]
    faces = list_faces(expander)
    return len({faces[card] for card in possible}) < len(possible)


def _find_zone(domain: Value) -> Value | None:
    """The one zone all candidates lie in."""
    while domain.op == "each" and domain.args[2].op == "var":
        domain = domain.args[0]
    return domain if domain.op == "cards" else None

"""Symmetry breaking: cards of the same face in the same zone are interchangeable, and are one choice.

In: the domain of a pick. Out: statements that iterate over one representative of each class, or that find copies.
"""

from __future__ import annotations

from hoyle.play.codegen.low.facts import TRUTH, between, exactly, list_of
from hoyle.play.codegen.low.program import Push
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.expand import Expander, Step
from hoyle.play.codegen.passes.folds import give_new
from hoyle.play.codegen.passes.patterns import BITS, WORD, is_of_zone
from hoyle.play.codegen.passes.tabulate import list_possible


def loop_over_classes(expander: Expander, domain: Value, bind: Step) -> None:
    """Iterate over a domain with the first card of each class as representative. The representative is fixed before the
    pick's test: a class whose first card fails it is not offered."""
    build, faces = expander.build, expander.build.table_of(list_faces(expander))
    few = is_of_zone(domain) and max(list_faces(expander)) < WORD
    seen = expander.register(BITS if few else list_of(domain.element, domain.fact.high, unique=True))
    expander.set(seen, build.false if few else build.known_list((), domain.element))

    def give(card: Value) -> None:
        named = expander.name(card)
        alike = build.read("holds_alike", TRUTH, seen, named, data=(faces,))
        give_new(expander, seen, named, build.table(faces, named), alike, bind)

    expander.fold_streaming(domain, give)


def find_twins(expander: Expander, listed: Value) -> Value:
    """For each place of a list of cards, that of the previous card of its class, from 1; 0 if there is none."""
    build, place = expander.build, between(0, max(0, listed.fact.high))
    twins, index = expander.register(list_of(place, listed.fact.high)), expander.register(place)
    expander.set(twins, build.known_list((), exactly(0)))
    faces = build.table_of(list_faces(expander))

    def step(card: Value) -> None:
        expander.out.append(Push(twins, build.read("find_alike", place, listed, index, card, data=(faces,))))

    expander.loop(listed, step, index=index)
    return twins


def list_faces(expander: Expander) -> list[int]:
    return [card.face for card in expander.module.program.cards]


def has_copies(expander: Expander, domain: Value) -> bool:
    """Whether a list can hold two cards of the same face."""
    possible = list_possible(expander.build, domain, list_faces(expander))
    return len(set(possible)) < len(possible)

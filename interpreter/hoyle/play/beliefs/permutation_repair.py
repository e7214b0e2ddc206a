"""Repairs a random card permutation, by swaps, so that it satisfies constraints on where cards can lie.

In: the permutation (card -> card in its place), the cards excluded from each place, and needs: sets of places of which
at least one must hold one of some cards. Out: the permutation, changed in place. This is best effort: a constraint that
no single swap can satisfy stays violated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hoyle.program.model.chance import Stream

Need = tuple[Sequence[int], frozenset[int]]  # places, and the cards of which at least one must lie there
NOTHING = frozenset[int]()


def exchange_barred(becomes: dict[int, int], barred: Mapping[int, frozenset[int]], stream: Stream) -> None:
    """Swap each card that lies in a place it is barred from with a random card that allows it, if there is one."""
    for card in becomes:
        cannot_be = barred.get(card, NOTHING)
        if becomes[card] not in cannot_be:
            continue
        others = [
            other
            for other in becomes
            if becomes[other] not in cannot_be and becomes[card] not in barred.get(other, NOTHING)
        ]
        if others:
            other = others[stream.below(len(others))]
            becomes[card], becomes[other] = becomes[other], becomes[card]


def is_met(becomes: Mapping[int, int], needed: Sequence[Need]) -> bool:
    """Whether the permutation satisfies every need."""
    return all(any(becomes[place] in wanted for place in places) for places, wanted in needed)


def meet(
    becomes: dict[int, int], needed: Sequence[Need], barred: Mapping[int, frozenset[int]], stream: Stream
) -> None:
    """Satisfy each unmet need, if possible, by one random swap that violates no bar and no need that is already met."""
    for places, wanted in needed:
        if any(becomes[place] in wanted for place in places):
            continue
        kept = set(_list_kept(becomes, needed))
        open_places = [place for place in places if place not in kept]
        exchanges = [
            (place, other)
            for other in becomes
            if becomes[other] in wanted and other not in kept
            for place in open_places
            if becomes[other] not in barred.get(place, NOTHING)
            and becomes[place] not in barred.get(other, NOTHING)
        ]
        if exchanges:
            place, other = exchanges[stream.below(len(exchanges))]
            becomes[place], becomes[other] = becomes[other], becomes[place]


def _list_kept(becomes: Mapping[int, int], needed: Sequence[Need]) -> Iterator[int]:
    """List the places whose card is the only one that satisfies a need, and so must not be swapped away."""
    for places, wanted in needed:
        meeting = [place for place in places if becomes[place] in wanted]
        if len(meeting) == 1:
            yield meeting[0]

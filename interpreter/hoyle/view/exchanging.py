"""Cards that were dealt at random, exchanged until they lie as they must.

In: for each card which one lies in its place, what cards cannot be there, and places of which one at least has one of
some cards. Out: the same, with some exchanged, as far as that can be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hoyle.model.chance import Stream

Need = tuple[Sequence[int], frozenset[int]]  # places, and the cards of which one at least lies there
NOTHING = frozenset[int]()


def exchange_barred(becomes: dict[int, int], barred: Mapping[int, frozenset[int]], stream: Stream) -> None:
    """Exchange cards that cannot be where they were dealt with others, at random, as long as that can be done."""
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
    """Whether some of the cards that are needed lie wherever they are."""
    return all(any(becomes[place] in wanted for place in places) for places, wanted in needed)


def meet(
    becomes: dict[int, int], needed: Sequence[Need], barred: Mapping[int, frozenset[int]], stream: Stream
) -> None:
    """Wherever none of the cards lies of which one is needed, exchange any card with any of them, so that no other need
    goes without."""
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
    """The places whose cards alone are what is needed there."""
    for places, wanted in needed:
        meeting = [place for place in places if becomes[place] in wanted]
        if len(meeting) == 1:
            yield meeting[0]

"""A hand lies in the groups into which the rules divide cards, and what is left over lies apart."""

from __future__ import annotations

from itertools import accumulate, combinations, pairwise

import pytest

import hoyle
from hoyle.play.engine.game import Match
from hoyle.play.table import Host
from hoyle.play.table.model import Zone

RANKS = "A23456789TJQK"


def hand_of(host: Host, match: Match, seat: int, viewer: int | None) -> Zone:
    return next(zone for zone in host.see(match, viewer).zones if zone.name == "hand" and zone.owner == seat)


def is_meld(cards: list[str]) -> bool:
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    return len(cards) >= 3 and (len(set(ranks)) == 1 or (
        len({card[1] for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    ))  # fmt: skip


def count(cards: tuple[str, ...]) -> int:
    return sum(min(10, RANKS.index(card[0]) + 1) for card in cards)


def find_least(cards: tuple[str, ...]) -> int:
    """The least that can be left over, by trying all groups with the first card, and none."""
    if not cards:
        return 0
    first, *rest = cards
    ways = [(first, *more) for size in range(2, 8) for more in combinations(rest, size) if is_meld([first, *more])]
    least = [find_least(tuple(card for card in rest if card not in way)) for way in ways]
    return min([*least, count((first,)) + find_least(tuple(rest))])


@pytest.mark.parametrize("name", ["gin-rummy", "rummy"])
def test_melds_stand_together_in_a_hand_and_what_is_left_over_counts_least(name: str) -> None:
    game = hoyle.load(name)
    host, met = Host(game), 0
    for seed in range(3):
        match = game.new(seed=seed)
        for at in range(16):
            if match.decision is None:
                break
            seat = match.decision.seat
            zone = hand_of(host, match, seat, seat)
            assert sorted(zone.order) == list(range(zone.size))
            ends = [0, *accumulate(zone.parts)]
            parts = [list(zone.shown[start:end]) for start, end in pairwise(ends)]
            assert ends[-1] in (0, zone.size)
            melds = [part for part in parts if is_meld([card or "" for card in part])]
            assert len(melds) >= len(parts) - 1
            loose = {card for part in parts if part not in melds for card in part} if parts else set(zone.cards)
            assert count(tuple(card for card in loose if card)) == find_least(tuple(filter(None, zone.cards)))
            met += len(parts) > 1
            assert hand_of(host, match, seat, 1 - seat).parts == ()  # nor from how cards lie that are not seen
            match.apply(match.decision.actions[at * 5 % len(match.decision.actions)])
    assert met

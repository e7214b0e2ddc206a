"""What others must have had to choose as they did: samples give it to them, as long as it is sure to be there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import hoyle
from every_game import choose, each_game, list_players, load
from hoyle.play.beliefs.cannot_hold import find_lacking
from hoyle.play.beliefs.from_choices import find_barred
from hoyle.play.beliefs.must_hold import find_needed

# Who names a colour holds a card of it. Cards are played openly, or laid aside so that nobody sees which.
NAMING = """game: naming
title: Naming
players: 2..3
deck:
  starts_in: pack
  attributes: {suit: [red, blue, green, white], rank: 1..6}
  cards: [{suit: [red, blue, green, white], rank: 1..6}]
zones:
  pack: {shows: nothing}
  aside: {shows: nothing}
  table: {shows: all}
  hand: {of: seat, shows: owner}
state:
  player: seat
actions:
  name:
    choose: {wanted: any suit where (card in hand where suit of card = wanted) is not empty}
  play: {choose: {card: hand}, do: move card to table}
  lay: {do: move top of hand to aside}
steps:
  match: |
    gather pack
    shuffle pack
    deal 5 cards from pack to each hand, starting left of dealer
    set player to left of dealer
    repeat 8 times:
      player chooses name or play or lay
      set player to left of player
winners: (seat in seats with highest count of hand of seat)
"""

# Who can match the card that lies on top does; the pile is shuffled again and again, and what was seen is not known.
MATCHING = """game: matching
title: Matching
players: 2..3
deck:
  starts_in: pack
  attributes: {suit: [red, blue, green], rank: 1..5}
  cards: [{suit: [red, blue, green], rank: 1..5}]
zones:
  pack: {shows: nothing}
  pile: {shows: %s}
  hand: {of: seat, shows: owner}
state:
  player: seat
actions:
  play:
    choose: {card: hand where suit of card = suit of top of pile}
    do: |
      move card to pile
      move top of pack to hand
  pass: {do: move top of pack to pile}
steps:
  match: |
    gather pack
    shuffle pack
    deal 3 cards from pack to each hand, starting left of dealer
    move top of pack to pile
    set player to left of dealer
    repeat 60 times:
      if pack is empty:
        move all but top of pile to pack
        shuffle pack
      player chooses play, otherwise pass
      set player to left of player
winners: (seat in seats with highest count of hand of seat)
"""


@pytest.fixture
def naming(tmp_path: Path) -> hoyle.Game:
    file = tmp_path / "naming.game.yaml"
    file.write_text(NAMING, encoding="utf-8")
    return hoyle.load(file, players=2)


def list_hands(match: hoyle.Match, seat: int, seeds: int = 20) -> Iterator[list[int]]:
    """The hand of the other seat of two, in samples for a seat; a sampled match gives the same."""
    hands = {name.owner: zone for zone, name in enumerate(match.view(None).zones) if name.name == "hand"}
    for given in (match, match.sample(seat, seed=3)):
        standpoint = given.standpoint(seat)
        yield standpoint.position.zones[hands[1 - seat]]
        for seed in range(seeds):
            yield standpoint.sample(seed).zones[hands[1 - seat]]
            yield match.sample(seat, seed).position.zones[hands[1 - seat]]


def find_attribute(game: hoyle.Game, name: str) -> tuple[object, ...]:
    return tuple(next(attribute for attribute in game.program.attributes if attribute.name == name).table)


def test_who_asks_for_a_rank_is_dealt_one_of_it_until_it_has_left_his_hand() -> None:
    game, seen = hoyle.load("go-fish", players=2), 0
    ranks = find_attribute(game, "rank")
    match, chance = game.new(seed=3), random.Random(3)
    shown: list[set[object]] = [set(), set()]  # by seat: ranks it has asked for, none of which has left its hand
    hands = [zone for zone, name in enumerate(match.view(None).zones) if name.name == "hand"]
    while (decision := match.decision) is not None:
        wanted = shown[1 - decision.seat]
        for hand in list_hands(match, decision.seat, seeds=2) if wanted else ():
            assert wanted <= {ranks[card] for card in hand}
            seen += 1
        action = decision.choice(chance.randrange(decision.count))
        if len(action.choice) > 1:
            shown[decision.seat].add(action.choice[2])
        before = [set(match.position.zones[hand]) for hand in hands]
        match.apply(action)
        for seat, hand in enumerate(hands):
            shown[seat] -= {ranks[card] for card in before[seat].difference(match.position.zones[hand])}
    assert seen > 200


def test_who_was_asked_for_a_rank_is_dealt_no_more_of_it_than_he_has_drawn_since() -> None:
    game, seen = hoyle.load("go-fish", players=2), 0
    ranks = find_attribute(game, "rank")
    match, chance = game.new(seed=4), random.Random(4)
    drawn: list[dict[object, int]] = [{}, {}]  # by seat: ranks it was asked for, and what came to its hand since
    hands = [zone for zone, name in enumerate(match.view(None).zones) if name.name == "hand"]
    while (decision := match.decision) is not None:
        other = 1 - decision.seat
        for hand in list_hands(match, decision.seat, seeds=4):
            for rank, most in drawn[other].items():
                assert sum(ranks[card] == rank for card in hand) <= most
                seen += most < 3
        action = decision.choice(chance.randrange(decision.count))
        before = len(match.events)
        match.apply(action)
        moved = [event.data for event in match.events[before:] if event.name == "moved"]
        if len(action.choice) > 1:
            drawn[other][action.choice[2]] = 0
        for seat, hand in enumerate(hands):
            came = sum(len(data["cards"]) for data in moved if data["zone"] == hand)
            drawn[seat] = {rank: count + came for rank, count in drawn[seat].items()}
    assert seen > 200


def test_who_names_a_colour_holds_it_until_a_card_has_left_unseen(naming: hoyle.Game) -> None:
    suits = find_attribute(naming, "suit")
    match = naming.new(seed=1)
    assert match.decision is not None
    seat = match.decision.seat
    hand = next(zone for zone, name in enumerate(match.view(None).zones) if (name.name, name.owner) == ("hand", seat))
    held = {suits[card] for card in match.position.zones[hand]}
    named = match.decision.actions[0]
    colour = named.choice[1]
    assert colour in held
    match.apply(named)
    assert all(colour in {suits[card] for card in cards} for cards in list_hands(match, 1 - seat))
    match.apply("lay")  # of the other seat: nothing is known of it that was, and nothing forgotten of this one
    other = next(action for action in match.decision.actions if action.text.startswith("play")
                 and suits[action.choice[1]] != colour)  # fmt: skip
    seen = match.copy()
    seen.apply(other)  # openly, of another colour: the one he has named is still there
    assert all(colour in {suits[card] for card in cards} for cards in list_hands(seen, 1 - seat))
    match.apply("lay")  # it may have been that one
    assert not all(colour in {suits[card] for card in cards} for cards in list_hands(match, 1 - seat))


def test_what_he_must_have_had_is_dealt_as_often_as_by_chance_alone(naming: hoyle.Game) -> None:
    """Of a thousand deals by chance those in which he holds the colour he named hold it once, twice … as often."""
    suits = find_attribute(naming, "suit")
    match = naming.new(seed=1)
    assert match.decision is not None
    seat, named = match.decision.seat, match.decision.actions[0]
    hand = next(zone for zone, name in enumerate(match.view(None).zones) if (name.name, name.owner) == ("hand", seat))
    colour, times = named.choice[1], 3000
    by_chance = [match.sample(1 - seat, seed).position.zones[hand] for seed in range(times)]
    match.apply(named)
    standpoint = match.standpoint(1 - seat)
    given = [standpoint.sample(seed).zones[hand] for seed in range(times)]

    def average(hands: list[list[int]]) -> float:
        counts = [sum(suits[card] == colour for card in cards) for cards in hands]
        return sum(counts) / sum(map(bool, counts))

    assert average(given) == pytest.approx(average(by_chance), abs=0.06)


@pytest.mark.share
@each_game
def test_what_others_must_hold_or_lack_by_what_was_chosen_they_do(path: Path) -> None:
    check_conclusions(load(path, list_players(path)[0]), seed=7, decisions=25)


@pytest.mark.parametrize("shows", ("all", "top_card"))
def test_what_was_seen_and_then_shuffled_tells_nothing_wrong(tmp_path: Path, shows: str) -> None:
    file = tmp_path / "matching.game.yaml"
    file.write_text(MATCHING % shows, encoding="utf-8")
    game = hoyle.load(file, players=2)
    assert sum(check_conclusions(game, seed, decisions=60) for seed in range(5)) > 100


def check_conclusions(game: hoyle.Game, seed: int, decisions: int) -> int:
    """What is concluded at each decision of a match holds in truth; how many cards it was about."""
    match, chance, found = game.new(seed=seed), random.Random(seed), 0
    for _ in range(decisions):
        decision = match.decision
        if decision is None:
            break
        hidden = game.sampler.redealer.list_hidden(match.position, decision.seat, match.knowledge.masks)
        barred = find_barred(game.sampler, match.position, decision.seat, hidden, match._moments)
        assert not [card for card, cannot_be in barred.items() if card in cannot_be]
        for zone, cards in find_needed(game.sampler, match.position, decision.seat, hidden, match._moments):
            assert not cards.isdisjoint(match.position.zones[zone])
        lacking = find_lacking(game.sampler, match.position, decision.seat, hidden, match._moments)
        assert not [card for card, cannot_be in lacking.items() if card in cannot_be]
        match.apply(choose(decision, chance))
        found += len(barred)
    return found

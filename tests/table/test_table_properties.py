"""What must hold of the model of the table for every game: it says nothing hidden, it offers what is legal, it is plain
data in words for people. A game is found by lying under `games/` or `tests/language/valid/`."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import hoyle
from every_game import begin, each_game, play
from hoyle.play.engine.game import Match
from hoyle.play.table import Host, Table, find_way, narrow
from hoyle.play.view.seeing import includes
from hoyle.program.model.events import Event

NAMES = ("Ash", "Bay", "Elm", "Fir", "Oak", "Yew", "Box", "Gum", "Sal", "Nim", "Koa", "Tea", "Bog", "Fig")
LOOKED_AT = 4  # decisions of a match at which the table is looked at
DECISIONS = 60


@cache
def look(path: Path, seed: int) -> tuple[Host, list[Match]]:
    """A host, and a match at some of its decisions and at its end."""
    match = begin(path, seed, checked=False)
    host = Host(match.game, names=NAMES[: match.game.players])
    met = [each.copy() for each in play(match, seed, DECISIONS)]
    return host, [*met[:: max(1, len(met) // LOOKED_AT)], met[-1]]


def seats_of(match: Match) -> list[int | None]:
    return [None, *range(match.game.players)]


@pytest.mark.share
@each_game
def test_a_table_does_not_depend_on_what_its_seat_cannot_see(path: Path) -> None:
    host, matches = look(path, 1)
    chance = random.Random(7)
    for match in matches:
        for seat in seats_of(match):
            other = deal_anew(match, seat, 99, [redraw(match, event, seat, chance) for event in match.events])
            assert host.see(other, seat) == host.see(match, seat)
            assert host.tell(other, seat) == host.tell(match, seat)


def deal_anew(match: Match, seat: int | None, seed: int, events: list[Event]) -> Match:
    """A match that the seat cannot tell from this one: where it has been shown a card, that card lies there, too."""
    knowledge = match.knowledge
    position, becomes = match.game.sampler.redealer.redeal(match.position, seat, seed, knowledge.masks)
    other = Match(match.game, position, events=events, history=match.history)
    other._knowledge = knowledge.relabel(becomes, len(events))
    return other


def redraw(match: Match, event: Event, seat: int | None, chance: random.Random) -> Event:
    """The event with other cards in place of those the seat is not told; an event it is not told, with another seat."""
    players = match.game.players
    if not includes(event.told, seat, players):
        return replace(event, seat=None if event.seat is None else chance.randrange(players))
    if "cards" not in event.data:
        return event
    cards = tuple(
        card if includes(mask, seat, players) else chance.randrange(len(match.game.program.cards))
        for card, mask in zip(event.data["cards"], event.known, strict=True)
    )
    return replace(event, data={**event.data, "cards": cards})


@pytest.mark.share
@each_game
def test_a_menu_offers_what_is_legal_and_every_way_can_be_picked_piece_by_piece(path: Path) -> None:
    host, matches = look(path, 1)
    chance = random.Random(3)
    for match in matches:
        decision = match.decision
        for seat in seats_of(match):
            menu = host.see(match, seat).menu
            assert (menu is not None) == (decision is not None and decision.seat == seat)
            if menu is None or decision is None:
                continue
            listed = [(act, way) for act in menu.acts for way in act.ways if way.group is None]
            offered = {way.choice for _, way in listed} | ({menu.decline} - {None})
            many = range(len(decision.actions))
            grouped = [place for place in chance.sample(many, min(50, len(many))) if place not in offered]
            ways = [found for place in grouped if (found := find_way(menu, place)) is not None]
            assert len(ways) == len(grouped) and (len(offered) == len(many) or ways)
            assert all(find_way(menu, way.choice) == (act, way) for act, way in listed)
            for act, way in [*chance.sample(listed, min(5, len(listed))), *ways[:5]]:
                assert decision.actions[way.choice].name == act.name
                wanted = [item for pick in way.picks for item in pick]
                chance.shuffle(wanted)
                for number in range(len(wanted)):
                    assert wanted[number] in narrow(menu, wanted[:number], act.name).items
                found = narrow(menu, wanted, act.name).complete
                assert found is not None
                assert set(map(frozenset, found[1].picks)) == set(map(frozenset, way.picks))


@pytest.mark.share
@each_game
def test_what_can_be_picked_lies_where_the_table_shows_it(path: Path) -> None:
    host, matches = look(path, 1)
    for match in matches:
        for seat in range(match.game.players):
            table = host.see(match, seat)
            zones = {zone.id: zone for zone in table.zones}
            assert len(zones) == len(table.zones)
            for zone in table.zones:
                assert sorted(zone.order) == list(range(zone.size))
            for item in table.menu.items if table.menu else ():
                if item.kind == "zone":
                    assert item.zone in zones
                for place in item.places:
                    assert zones[item.zone or ""].cards[place] == item.card


@pytest.mark.share
@each_game
def test_a_table_is_plain_data_in_words_for_people(path: Path) -> None:
    host, matches = look(path, 1)
    json.dumps(host.legend.to_json())
    for match in matches:
        for seat in seats_of(match):
            table = host.see(match, seat, since=0)
            data = table.to_json()
            assert json.loads(json.dumps(data))["players"][0]["name"] == NAMES[0]
            for text in texts_of(table):
                assert text, table
                assert not re.search(r"\bseat \d|[{}]|\|\w|\bNone\b|\b[a-z]+_[a-z]+", text), text
                assert not re.search(r"^(\w+) pays? [\d,]+ to \1$", text, re.I), text
            codes = {card for zone in table.zones for card in zone.cards if card is not None}
            codes |= {card for news in table.news for card in news.cards}
            assert codes <= set(host.legend.faces)


def texts_of(table: Table) -> list[str]:
    """What a person reads, but for texts of the rule file."""
    found = [table.status, *(news.text for news in table.news)]
    found += [text for zone in table.zones for text in (zone.label, zone.short)]
    found += [text for pot in table.pots for text in (pot.label, pot.short)]
    found += [f"{fact.label} {fact.value}".strip() for fact in table.facts]
    found += [text for player in table.players for text in player.marks]
    found += [fact.label for player in table.players for fact in player.counts]
    if table.menu:
        found += [item.text for item in table.menu.items]
        found += [text for act in table.menu.acts for text in (act.label, *(slot.label for slot in act.slots))]
    found += [table.result.verdict] if table.result else []
    return found


@pytest.mark.slow
@each_game
@pytest.mark.parametrize("seed", range(20))
def test_no_table_of_many_matches_depends_on_what_its_seat_cannot_see(path: Path, seed: int) -> None:
    host, matches = look(path, 100 + seed)
    for match in matches:
        for seat in seats_of(match):
            other = deal_anew(match, seat, seed, match.events)
            assert host.see(other, seat) == host.see(match, seat)


def test_partners_are_marked_and_have_one_score() -> None:
    match = hoyle.load("bridge").new(seed=3)
    while not any(match.scores):
        match.apply(0)
    for seat in (0, 1, None):
        players = Host(match.game, names=["Ash", "Bay", "Elm", "Fir"]).see(match, seat).players
        assert players[0].score == players[2].score and players[1].score == players[3].score
        assert any(player.score for player in players)
        marked = [player.seat for player in players if "partner" in player.marks]
        assert marked == ([] if seat is None else [(seat + 2) % 4])
    alone = hoyle.load("hearts")
    assert not any("partner" in player.marks for player in Host(alone).see(alone.new(seed=1), 0).players)

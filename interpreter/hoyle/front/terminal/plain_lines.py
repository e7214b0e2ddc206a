"""Renders a table as plain lines, one fact per line.

In: a table. Out: lines of text without colour or columns, for screen readers and pipes.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Table, Zone


def list_facts(table: Table, speaker: Speaker) -> Iterator[str]:
    """Yield everything visible: the header, roles and facts, zones (the seat's own last), pots, counts and scores."""
    rounds = (speaker.say("round", round=table.round),) if table.round else ()
    yield ", ".join((table.title, *rounds, table.status))

    def fact(name: str, value: object) -> str:
        return speaker.say("is_set", name=name, value=value)

    for player in table.players:
        if player.marks:
            yield fact(speaker.who(player.seat), ", ".join(player.marks))
    for each in table.facts:
        yield fact(each.label, each.value) if each.value else each.label
    zones = sorted(table.zones, key=lambda zone: zone.owner is not None and zone.owner == table.seat)
    for zone in zones:
        yield fact(zone.label, describe_zone(zone, speaker))
    for pot in table.pots:
        yield fact(pot.label, pot.amount)
    for player in table.players:
        for count in player.counts:
            yield fact(f"{count.label}, {speaker.who(player.seat)}", count.value)
    if table.scores.best:
        for side in table.scores.sides:
            yield fact(f"{speaker.say('score')}, {side.name}", side.score)


def describe_zone(zone: Zone, speaker: Speaker) -> str:
    """Describe the cards of a zone."""
    locale = speaker.locale
    if not zone.cards:
        return speaker.say("empty")
    if any(zone.marks):
        return ", ".join(_describe_place(zone, place, speaker) for place in zone.order)
    if zone.form == "pile" and zone.top is not None and zone.size > 1:
        return speaker.say("on_top", card=locale.card(zone.top), cards=locale.count_cards(zone.size))
    seen = [locale.card(card) for card in zone.shown if card is not None]
    hidden = zone.size - len(seen)
    if not seen:
        return locale.count_cards(zone.size)
    shown = " ".join(seen)
    return speaker.say("and", list=shown, last=locale.count_cards(hidden)) if hidden else shown


def _describe_place(zone: Zone, place: int, speaker: Speaker) -> str:
    """Describe a card and its marks."""
    card = zone.cards[place]
    said = speaker.locale.card(card) if card is not None else speaker.locale.count_cards(1)
    return f"{said} ({' '.join(zone.marks[place])})" if zone.marks[place] else said

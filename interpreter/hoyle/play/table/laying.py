"""What has happened to the cards on the table: who has played them, and which have just been shown.

In: a match, the zones as a seat sees them. Out: the zones; rows in the centre also name the seat that played each card,
and hands are open whose cards were shown. To leak nothing, it uses only events that the seat was told of, and in them
only cards that it was shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hoyle.play.table.model import Zone
from hoyle.play.view.seeing import includes
from hoyle.program.model.events import Event

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match

MOST_EVENTS = 400  # bounds the backward search; cards that have lain longer are attributed to nobody


def mark_laid(match: Match, zones: Sequence[Zone], seat: int | None, numbers: Mapping[str, int]) -> list[Zone]:
    """Fill in `laid_by` of the rows in the centre; `numbers` maps zone ids to zone indices of a position."""
    rows = {
        zone.id: match.position.zones[numbers[zone.id]]
        for zone in zones
        if zone.form == "row" and zone.place == "centre" and zone.cards and None not in zone.cards
        and zone.size == len(match.position.zones[numbers[zone.id]])
    }
    laid = _find_layers(match, {card for cards in rows.values() for card in cards}, seat)
    found = []
    for zone in zones:
        seats = tuple(laid.get(card) for card in rows.get(zone.id, ()))
        found.append(replace(zone, laid_by=seats) if any(each is not None for each in seats) else zone)
    return found


def mark_shown(match: Match, zones: Sequence[Zone], seat: int | None, numbers: Mapping[str, int]) -> list[Zone]:
    """Leave cards that were shown open until somebody chooses again, as at a showdown. They stand for the last cards of
    their zone that the seat does not see: which of them they are it was not told."""
    lying = _find_shown(match, seat)
    found = []
    for zone in zones if lying else ():
        covered = [place for place, card in enumerate(zone.cards) if card is None]
        codes = {match.game.names.name_card(card) for card, where in lying.items() if where == numbers[zone.id]}
        shown = sorted(codes - set(zone.cards))[: len(covered)]
        cards = list(zone.cards)
        for place, code in zip(covered[len(covered) - len(shown) :], shown, strict=True):
            cards[place] = code
        found.append(replace(zone, cards=tuple(cards)) if shown else zone)
    return found or list(zones)


def _find_shown(match: Match, seat: int | None) -> dict[int, int]:
    """The cards that a seat was shown since the last choice, as far as it knows in which zone each still lies."""
    players = match.game.players
    since = []
    for event in match.events[: -MOST_EVENTS - 1 : -1]:
        if event.name in ("chose", "round_began"):
            break
        since.append(event)
    lying: dict[int, int] = {}
    for event in reversed(since):
        match event.name:
            case "shown" if includes(event.told, seat, players):
                seen = zip(event.data["cards"], event.data["source"], event.known, strict=True)
                lying |= {card: zone for card, zone, mask in seen if includes(mask, seat, players)}
            case "moved" | "dealt" if lying:
                _follow_shown(lying, event, seat, players)
            case "gathered" | "swapped" | "taken_back":
                lying.clear()
    return lying


def _follow_shown(lying: dict[int, int], event: Event, seat: int | None, players: int) -> None:
    """Drop the cards of which a seat can no longer tell where they lie: of a card that it does not see leave, it knows
    only that it may be any of its zone."""
    cards: Sequence[int] = event.data["cards"]
    sources = event.data["source"] if event.name == "moved" else [event.data["source"]] * len(cards)
    unseen = set()
    for card, source, mask in zip(cards, sources, event.known, strict=True):
        if includes(mask, seat, players):
            lying.pop(card, None)
        else:
            unseen.add(source)
    for card in [card for card, zone in lying.items() if zone in unseen]:
        del lying[card]


def _find_layers(match: Match, cards: set[int], seat: int | None) -> dict[int, int]:
    """Map each card to the seat that owned the zone it last came from; leave out cards from shared zones."""
    players, owners = match.game.players, match.game.names.zones
    found: dict[int, int] = {}
    wanted = set(cards)
    for event in match.events[: -MOST_EVENTS - 1 : -1]:
        if not wanted:
            break
        if event.name not in ("moved", "dealt") or not includes(event.told, seat, players):
            continue
        sources = event.data["source"] if event.name == "moved" else [event.data["source"]] * len(event.data["cards"])
        for card, source, mask in zip(event.data["cards"], sources, event.known, strict=True):
            if card not in wanted or not includes(mask, seat, players):
                continue
            wanted.discard(card)
            owner = owners[source][1]
            if owner is not None:
                found[card] = owner
    return found

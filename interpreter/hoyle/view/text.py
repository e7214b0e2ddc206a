"""Positions and events as plain text.

In: a game, a match and a seat, or an event as told to a seat. Out: the table as the seat sees it; one line in English.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, Protocol

from hoyle.ir.nodes import Program
from hoyle.view.seeing import UNKNOWN_CARD, View, ZoneView


class HasProgram(Protocol):
    program: Program
    title: str


class HasView(Protocol):
    def view(self, seat: int | None) -> View: ...


def render_view(game: HasProgram, match: HasView, seat: int | None, width: int = 80) -> str:
    """The table as the seat sees it: one line for each zone, state and score, folded at `width`."""
    seen = match.view(seat)
    order = {card.code: number for number, card in reversed(list(enumerate(game.program.cards)))}
    quiet = {zone.name for zone in game.program.zones if zone.quiet}
    quiet |= {state.name for state in game.program.states if state.quiet}
    rows = [
        (_name_owned(zone.name, zone.owner, seat), _describe_zone(zone, order))
        for zone in seen.zones
        if not zone.pile and (zone.cards or zone.name not in quiet)
    ]
    rows += _describe_families(seen, seat, order)
    rows += [
        (_name_owned(state.name, state.owner, seat), state.value) for state in seen.states if state.name not in quiet
    ]
    rows += [(_name_total(column), _describe_totals(seen, totals)) for column, totals in seen.totals.items()]
    margin = min(max((len(name) for name, _ in rows), default=0), width // 3) + 2
    lines = [_headline(game, seen)]
    for name, text in rows:
        lines += _fold(name, text, margin, width)
    return "\n".join(lines)


def _headline(game: HasProgram, seen: View) -> str:
    if seen.over:
        state = "the match is over"
    elif seen.deciding is None:
        state = f"round {seen.round}"
    else:
        who = "you choose" if seen.deciding == seen.seat else f"seat {seen.deciding} chooses"
        state = f"round {seen.round}, {who}"
    return f"{game.title}: {state}"


def _name_owned(name: str, owner: int | str | None, seat: int | None) -> str:
    name = name.replace("_", " ")
    if owner is None:
        return name
    if isinstance(owner, str):
        return f"{name} of {owner.replace('_', ' ')}"
    return f"your {name}" if owner == seat else f"{name} of seat {owner}"


def _name_total(column: str) -> str:
    return column.replace("_", " ") or "score"


def _describe_zone(zone: ZoneView, order: dict[str, int]) -> str:
    """What lies in a zone: sorted if all of it is seen by its owner, top card and size for a pile."""
    if not zone.cards:
        return "empty"
    visible = [code for code in zone.cards if code is not None]
    if zone.shows == "top_card":
        return f"{zone.cards[-1]} on top of {_count_cards(zone.size)}"
    if not visible:
        return _count_cards(zone.size)
    if zone.shows == "owner":
        visible.sort(key=lambda code: order[code])
    hidden = zone.size - len(visible)
    return " ".join(visible) + (f" and {_count_cards(hidden)}" if hidden else "")


def _describe_families(seen: View, seat: int | None, order: dict[str, int]) -> list[tuple[str, str]]:
    """The standing piles of each family, one after another, with their numbers."""
    families: dict[tuple[str, int | None], list[str]] = {}
    for zone in seen.zones:
        if zone.pile:
            standing = families.setdefault((zone.name, zone.owner), [])
            if zone.cards:
                standing.append(f"{zone.pile}: {_describe_zone(zone, order)}")
    return [(_name_owned(name, owner, seat), "; ".join(piles) or "empty") for (name, owner), piles in families.items()]


def _describe_totals(seen: View, totals: tuple[int, ...]) -> str:
    return ", ".join(f"{'you' if seat == seen.seat else f'seat {seat}'} {total}" for seat, total in enumerate(totals))


def _count_cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _fold(name: str, text: str, margin: int, width: int) -> list[str]:
    """A name and its text beside it, further lines below; a name too long for the margin stands alone."""
    beside = len(name) < margin
    room = max(width, margin + 10)
    first = f"  {name:<{margin}}" if beside else " " * (margin + 2)
    lines = textwrap.wrap(
        text, room, initial_indent=first, subsequent_indent=" " * (margin + 2), break_on_hyphens=False
    )
    return lines if beside else [f"  {name}", *lines]


def render_event(game: HasProgram, event: dict[str, Any], seat: int | None = None) -> str:
    """One line for an event as told to a seat, in the past tense; empty if it is not worth a line."""
    if event["event"] == "set" and any(state.quiet and state.name == event["state"] for state in game.program.states):
        return ""
    if event["event"] == "shown" and len(event["seats"]) == game.program.players:
        return f"{_list_cards(event['cards'])} shown"
    return _BY_NAME[event["event"]](event, seat)


def say_who(number: int | None, seat: int | None) -> str:
    """A seat as it is called to another: `seat 1`, or `you`."""
    return "you" if number is not None and number == seat else f"seat {number}"


def _place(zone: str, seat: int | None) -> str:
    """`hand of 1` as `hand of seat 1`, or `your hand`."""
    name, _, owner = zone.partition(" of ")
    name = name.replace("_", " ")
    if not owner:
        return f"the {name}"
    return f"your {name}" if owner == str(seat) else f"the {name} of seat {owner}"


def _place_pot(pot: str, seat: int | None) -> str:
    """`purse of 1` as `the purse of seat 1`, or `your purse`; `stake of centre` as `the stake of centre`."""
    name, _, owner = pot.partition(" of ")
    return _place(pot, seat) if not owner or owner.isdecimal() else f"the {name} of {owner}".replace("_", " ")


def _list_cards(cards: list[str]) -> str:
    """`C7, C8 and 2 cards`; `a card` where nothing is known."""
    known = [card for card in cards if card != UNKNOWN_CARD]
    hidden = len(cards) - len(known)
    parts = known + ([_count_cards(hidden)] if hidden else [])
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _dealt(event: dict[str, Any], seat: int | None) -> str:
    by_zone: dict[str, list[str]] = {}
    for card, zone in zip(event["cards"], event["to"], strict=True):
        by_zone.setdefault(zone, []).append(card)
    hidden = {len(cards) for cards in by_zone.values()}
    parts = []
    if len(by_zone) > 1 and len(hidden) == 1:
        parts.append(f"{_count_cards(hidden.pop())} each to {', '.join(_place(zone, seat) for zone in by_zone)}")
        parts += [
            f"{_list_cards(cards)} to {_place(zone, seat)}"
            for zone, cards in by_zone.items()
            if UNKNOWN_CARD not in cards
        ]
    else:
        parts += [f"{_list_cards(cards)} to {_place(zone, seat)}" for zone, cards in by_zone.items()]
    return f"dealt from {_place(event['source'], seat)}: {'; '.join(parts)}"


def _moved(event: dict[str, Any], seat: int | None) -> str:
    sources = list(dict.fromkeys(event["source"]))
    origin = " and ".join(_place(zone, seat) for zone in sources)
    target = ("the bottom of " if event["bottom"] else "") + _place(event["zone"], seat)
    return f"{_list_cards(event['cards'])} moved from {origin} to {target}"


def _shown(event: dict[str, Any], seat: int | None) -> str:
    return f"{_list_cards(event['cards'])} shown to {', '.join(say_who(each, seat) for each in event['seats'])}"


def _set(event: dict[str, Any], seat: int | None) -> str:
    return f"{_name_owned(event['state'], event['owner'], seat)} is now {event['value']}"


def _scored(event: dict[str, Any], seat: int | None) -> str:
    label = f" for {event['label']}" if event["label"] else ""
    return f"{say_who(event['seat'], seat)} scored {event['amount']}{label}"


def _chose(event: dict[str, Any], seat: int | None) -> str:
    action = (event["action"] or "declined").replace("_", " ")
    picks = " ".join(event["picks"].values())
    secret = " (secretly)" if event["secret"] else ""
    return f"{say_who(event['seat'], seat)}: {action}{' ' + picks if picks else ''}{secret}"


def _drawn(event: dict[str, Any], seat: int | None) -> str:
    what = _list_cards(event["cards"]) if "cards" in event else event["text"]
    return f"{what} drawn at random"


def _ended(event: dict[str, Any], seat: int | None) -> str:
    winners = " and ".join(say_who(each, seat) for each in event["winners"])
    return f"the match ended; {winners} won" if winners else "the match ended; nobody won"


_BY_NAME: dict[str, Callable[[dict[str, Any], int | None], str]] = {
    "gathered": lambda event, seat: f"all cards gathered into {_place(event['zone'], seat)}",
    "shuffled": lambda event, seat: f"{_place(event['zone'], seat)} shuffled",
    "cut": lambda event, seat: f"{_place(event['zone'], seat)} cut",
    "dealt": _dealt,
    "moved": _moved,
    "turned_over": lambda event, seat: f"{_place(event['zone'], seat)} turned over",
    "swapped": lambda event, seat: " and ".join(_place(zone, seat) for zone in event["zones"]) + " swapped",
    "shown": _shown,
    "set": _set,
    "scored": _scored,
    "paid": lambda event, seat: (
        f"{event['amount']} paid from {_place_pot(event['payer'], seat)} to {_place_pot(event['payee'], seat)}"
    ),
    "retired": lambda event, seat: f"{say_who(event['seat'], seat)} left the match",
    "taken_back": lambda event, seat: f"what {say_who(event['seat'], seat)} did was taken back",
    "announced": lambda event, seat: str(event["text"]),
    "chose": _chose,
    "drawn_at_random": _drawn,
    "round_began": lambda event, seat: f"round {event['round']} began",
    "round_ended": lambda event, seat: f"round {event['round']} ended",
    "match_ended": _ended,
}

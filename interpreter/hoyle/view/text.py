"""Positions and events as plain text.

In: a game, a match and a seat, or an event as told to a seat. Out: the table as the seat sees it; a line for an event.
Both are in the language of a `Locale`, that of the rule file unless one is given.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from hoyle.ir.nodes import Program
from hoyle.view.locale import Locale
from hoyle.view.members import Member, Row, list_rows
from hoyle.view.seeing import UNKNOWN_CARD, StateView, View, ZoneView
from hoyle.view.sheet import has_sheet


class HasProgram(Protocol):
    program: Program
    title: str


class HasView(Protocol):
    def view(self, seat: int | None) -> View: ...


def render_view(
    game: HasProgram, match: HasView, seat: int | None, width: int = 80, locale: Locale | None = None
) -> str:
    """The table as the seat sees it: one line for each zone, state and score, folded at `width`."""
    locale = locale or Locale(game.program)
    seen = match.view(seat)
    order = {card.code: number for number, card in reversed(list(enumerate(game.program.cards)))}
    quiet = {zone.name for zone in game.program.zones if zone.quiet}
    quiet |= {state.name for state in game.program.states if state.quiet}
    rows: list[Row] = []
    for name in dict.fromkeys(zone.name for zone in seen.zones if not zone.pile):
        zones = [zone for zone in seen.zones if zone.name == name and (zone.cards or name not in quiet)]
        members = [Member(zone.owner, _describe_zone(zone, order, locale), bool(zone.cards)) for zone in zones]
        rows += list_rows(locale.zone(name), members, seat, locale, zones=True)
    rows += _describe_families(seen, seat, order, locale)
    pots = [state.name for state in game.program.states if state.pot]
    for name in dict.fromkeys(state.name for state in seen.states if state.name not in (*quiet, *pots)):
        states = [state for state in seen.states if state.name == name]
        members = [Member(state.owner, locale.loose(state.value), not state.is_start) for state in states]
        rows += list_rows(locale.state(name), members, seat, locale)
    rows += [(locale.state(pot), _describe_pot(seen.states, pot, seat, locale)) for pot in pots]
    if not has_sheet(game.program) and game.program.standing is None:
        rows += [
            (_name_total(column, locale), _describe_totals(seen, totals, locale))
            for column, totals in seen.totals.items()
        ]
    margin = min(max((len(name) for name, _ in rows), default=0), width // 3) + 2
    lines = [_headline(seen, locale)]
    for name, text in rows:
        lines += _fold(name, text, margin, width)
    return "\n".join(lines)


def _headline(seen: View, locale: Locale) -> str:
    if seen.over:
        state = locale.say("over")
    elif seen.deciding is None:
        state = locale.say("round", round=seen.round)
    elif seen.deciding == seen.seat:
        state = locale.say("you_choose", round=seen.round)
    else:
        state = locale.say("seat_chooses", round=seen.round, seat=seen.deciding)
    return f"{locale.title}: {state}"


def _describe_pot(states: Sequence[StateView], pot: str, seat: int | None, locale: Locale) -> str:
    """What is in a pot: of each seat, or of each value of the kind it is kept for."""
    held = [state for state in states if state.name == pot]
    if len(held) == 1 and held[0].owner is None:
        return held[0].value
    owners = (
        locale.who(state.owner, seat) if isinstance(state.owner, int) else locale.owner(str(state.owner), seat)
        for state in held
    )
    return ", ".join(
        f"{owner}{':' if owner.isdecimal() else ''} {state.value}" for owner, state in zip(owners, held, strict=True)
    )


def _name_total(column: str, locale: Locale) -> str:
    if column in ("", "score"):
        return locale.say("score")
    return locale.message(column) if column in locale.labels.messages else column.replace("_", " ")


def _describe_zone(zone: ZoneView, order: dict[str, int], locale: Locale) -> str:
    """What lies in a zone: sorted if all of it is seen by its owner, top card and size for a pile."""
    if not zone.cards:
        return locale.say("empty")
    visible = [code for code in zone.cards if code is not None]
    if zone.shows == "top_card":
        return locale.say("on_top", card=locale.card(str(zone.cards[-1])), cards=locale.count_cards(zone.size))
    if not visible:
        return locale.count_cards(zone.size)
    if zone.shows == "owner":
        visible.sort(key=lambda code: order[code])
    hidden = zone.size - len(visible)
    shown = " ".join(locale.card(code) for code in visible)
    return locale.say("and", list=shown, last=locale.count_cards(hidden)) if hidden else shown


def _describe_families(
    seen: View, seat: int | None, order: dict[str, int], locale: Locale
) -> list[tuple[str, str]]:
    """The standing piles of each family, one after another, with their numbers."""
    families: dict[tuple[str, int | str | None], list[str]] = {}
    for zone in seen.zones:
        if zone.pile:
            standing = families.setdefault((zone.name, zone.owner), [])
            if zone.cards:
                standing.append(f"{zone.pile}: {_describe_zone(zone, order, locale)}")
    return [
        (locale.owned(locale.zone(name), owner, seat), "; ".join(piles) or locale.say("empty"))
        for (name, owner), piles in families.items()
    ]


def _describe_totals(seen: View, totals: tuple[int, ...], locale: Locale) -> str:
    """What each side has scored; partners have one score."""
    sides = dict.fromkeys(locale.program.teams, 0)
    if len(sides) == len(totals):
        return ", ".join(f"{locale.who(seat, seen.seat)} {total}" for seat, total in enumerate(totals))
    for team, total in zip(locale.program.teams, totals, strict=True):
        sides[team] += total
    return ", ".join(f"{locale.team(team, seen.seat)} {total}" for team, total in sides.items())


def _fold(name: str, text: str, margin: int, width: int) -> list[str]:
    """A name and its text beside it, further lines below; a name too long for the margin stands alone."""
    beside = len(name) < margin
    room = max(width, margin + 10)
    first = f"  {name:<{margin}}" if beside else " " * (margin + 2)
    lines = textwrap.wrap(
        text, room, initial_indent=first, subsequent_indent=" " * (margin + 2), break_on_hyphens=False
    )
    return lines if beside else [f"  {name}", *lines]


# ------------------------------------------------------------------------------------------------ events
def render_event(
    game: HasProgram, event: dict[str, Any], seat: int | None = None, locale: Locale | None = None
) -> str:
    """One line for an event as told to a seat, in the past tense and the names of the rule file; empty if it is not
    worth a line."""
    if event["event"] == "set" and any(state.quiet and state.name == event["state"] for state in game.program.states):
        return ""
    locale = locale or Locale(game.program, labelled=False)
    if event["event"] == "shown" and len(event["seats"]) == game.program.players:
        return locale.say("shown", cards=locale.list_cards(event["cards"]))
    return _BY_NAME[event["event"]](event, seat, locale)


def _dealt(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    by_zone: dict[str, list[str]] = {}
    for card, zone in zip(event["cards"], event["to"], strict=True):
        by_zone.setdefault(zone, []).append(card)
    places = {zone: locale.place(zone, seat) for zone in by_zone}
    sizes = {len(cards) for cards in by_zone.values()}
    parts = []
    told = list(by_zone.items())
    if len(by_zone) > 1 and len(sizes) == 1:
        each = locale.count_cards(sizes.pop())
        parts.append(locale.say("dealt_each", cards=each, places=", ".join(places.values())))
        told = [(zone, cards) for zone, cards in told if UNKNOWN_CARD not in cards]
    parts += [locale.say("dealt_to", cards=locale.list_cards(cards), place=places[zone]) for zone, cards in told]
    return locale.say("dealt", place=locale.place(event["source"], seat), parts="; ".join(parts))


def _moved(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    target = locale.place(event["zone"], seat)
    return locale.say(
        "moved",
        cards=locale.list_cards(event["cards"]),
        origin=_join_places(event["source"], seat, locale),
        target=locale.say("under", place=target) if event["bottom"] else target,
    )


def _join_places(zones: list[str], seat: int | None, locale: Locale) -> str:
    """Several zones, each once: `your hand and the pile and the hand of seat 1`."""
    named = [locale.place(zone, seat) for zone in dict.fromkeys(zones)]
    joined = named[0]
    for name in named[1:]:
        joined = locale.say("and", list=joined, last=name)
    return joined


def _shown(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    seats = ", ".join(locale.who(each, seat) for each in event["seats"])
    return locale.say("shown_to", cards=locale.list_cards(event["cards"]), seats=seats)


def _set(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    name = locale.owned(locale.state(event["state"]), event["owner"], seat)
    return locale.say("set", name=name, value=locale.loose(event["value"]))


def _scored(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    team = locale.program.teams[event["seat"]]
    return locale.say(
        "scored",
        who=locale.team(team, seat) if event.get("side") else locale.who(event["seat"], seat),
        amount=event["amount"],
        column=locale.say("scored_under", column=locale.message(event["under"])) if "under" in event else "",
        label=locale.say("scored_for", label=locale.message(event["label"])) if event["label"] else "",
    )


def _chose(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    what = locale.action(event["action"]) if event["action"] else locale.say("declined")
    what = " ".join([what, *(locale.pick(pick) for pick in event["picks"].values() if pick)])
    if event["secret"]:
        what = locale.say("secretly", what=what)
    return locale.say("chose", who=locale.who(event["seat"], seat), what=what)


def _drawn(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    what = locale.list_cards(event["cards"]) if "cards" in event else locale.loose(event["text"])
    return locale.say("drawn", what=what)


def _ended(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    winners = [locale.who(each, seat) for each in event["winners"]]
    if not winners:
        return locale.say("match_ended")
    joined = winners[0]
    for winner in winners[1:]:
        joined = locale.say("and", list=joined, last=winner)
    return locale.say("match_won", winners=joined)


def _paid(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    payer, payee = (locale.place(event[side], seat, pot=True) for side in ("payer", "payee"))
    return locale.say("paid", amount=event["amount"], payer=payer, payee=payee)


def _of_zone(phrase: str) -> Callable[[dict[str, Any], int | None, Locale], str]:
    return lambda event, seat, locale: locale.say(phrase, place=locale.place(event["zone"], seat))


def _of_seat(phrase: str) -> Callable[[dict[str, Any], int | None, Locale], str]:
    return lambda event, seat, locale: locale.say(phrase, who=locale.who(event["seat"], seat))


def _of_round(phrase: str) -> Callable[[dict[str, Any], int | None, Locale], str]:
    return lambda event, seat, locale: locale.say(phrase, round=event["round"])


def _marked(event: dict[str, Any], seat: int | None, locale: Locale) -> str:
    mark = locale.message(event["mark"])
    return locale.say("chose", who=locale.who(event["seat"], seat), what=mark) if mark else ""


_BY_NAME: dict[str, Callable[[dict[str, Any], int | None, Locale], str]] = {
    "gathered": _of_zone("gathered"),
    "shuffled": _of_zone("shuffled"),
    "cut": _of_zone("cut"),
    "dealt": _dealt,
    "moved": _moved,
    "turned_over": _of_zone("turned_over"),
    "swapped": lambda event, seat, locale: locale.say("swapped", places=_join_places(event["zones"], seat, locale)),
    "shown": _shown,
    "set": _set,
    "scored": _scored,
    "marked": _marked,
    "paid": _paid,
    "retired": _of_seat("retired"),
    "taken_back": _of_seat("taken_back"),
    "announced": lambda event, seat, locale: locale.loose(str(event["text"])),
    "chose": _chose,
    "drawn_at_random": _drawn,
    "round_began": _of_round("round_began"),
    "round_ended": _of_round("round_ended"),
    "match_ended": _ended,
}

"""Renders single events as lines of a record.

In: an event as told to a seat. Out: one line, by default in the names of the rule file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hoyle.play.view.locale import Locale
from hoyle.play.view.seeing import UNKNOWN_CARD
from hoyle.program.ir.nodes import Program
from hoyle.program.model.events import Told


class HasProgram(Protocol):
    program: Program
    title: str


def render_event(
    game: HasProgram, event: Told, seat: int | None = None, locale: Locale | None = None
) -> str:
    """Render an event as one line in the past tense; empty for events that players need not read, such as changes of
    quiet states."""
    if event["event"] == "set" and any(state.quiet and state.name == event["state"] for state in game.program.states):
        return ""
    locale = locale or Locale(game.program, labelled=False)
    if event["event"] == "shown" and len(event["seats"]) == game.program.players:
        return locale.say("shown", cards=locale.list_cards(event["cards"]))
    return _BY_NAME[event["event"]](event, seat, locale)


def _dealt(event: Told, seat: int | None, locale: Locale) -> str:
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


def _moved(event: Told, seat: int | None, locale: Locale) -> str:
    target = locale.place(event["zone"], seat)
    return locale.say(
        "moved",
        cards=locale.list_cards(event["cards"]),
        origin=_join_places(event["source"], seat, locale),
        target=locale.say("under", place=target) if event["bottom"] else target,
    )


def _join_places(zones: list[str], seat: int | None, locale: Locale) -> str:
    """List zones without duplicates: `your hand and the pile and the hand of seat 1`."""
    named = [locale.place(zone, seat) for zone in dict.fromkeys(zones)]
    joined = named[0]
    for name in named[1:]:
        joined = locale.say("and", list=joined, last=name)
    return joined


def _shown(event: Told, seat: int | None, locale: Locale) -> str:
    seats = ", ".join(locale.who(each, seat) for each in event["seats"])
    return locale.say("shown_to", cards=locale.list_cards(event["cards"]), seats=seats)


def _turned(event: Told, seat: int | None, locale: Locale) -> str:
    return locale.say(
        "turned_up" if event["up"] else "turned_down",
        cards=locale.list_cards(event["cards"]),
        place=_join_places(event["source"], seat, locale),
    )


def _set(event: Told, seat: int | None, locale: Locale) -> str:
    name = locale.owned(locale.state(event["state"]), event["owner"], seat)
    return locale.say("set", name=name, value=locale.loose(event["value"]))


def _scored(event: Told, seat: int | None, locale: Locale) -> str:
    team = locale.program.teams[event["seat"]]
    return locale.say(
        "scored",
        who=locale.team(team, seat) if event.get("side") else locale.who(event["seat"], seat),
        amount=event["amount"],
        column=locale.say("scored_under", column=locale.message(event["under"])) if "under" in event else "",
        label=locale.say("scored_for", label=locale.message(event["label"])) if event["label"] else "",
    )


def _chose(event: Told, seat: int | None, locale: Locale) -> str:
    what = locale.action(event["action"]) if event["action"] else locale.say("declined")
    what = " ".join([what, *(locale.pick(pick) for pick in event["picks"].values() if pick)])
    if event["secret"]:
        what = locale.say("secretly", what=what)
    return locale.say("chose", who=locale.who(event["seat"], seat), what=what)


def _drawn(event: Told, seat: int | None, locale: Locale) -> str:
    what = locale.list_cards(event["cards"]) if "cards" in event else locale.loose(event["text"])
    return locale.say("drawn", what=what)


def _ended(event: Told, seat: int | None, locale: Locale) -> str:
    winners = [locale.who(each, seat) for each in event["winners"]]
    if not winners:
        return locale.say("match_ended")
    joined = winners[0]
    for winner in winners[1:]:
        joined = locale.say("and", list=joined, last=winner)
    return locale.say("match_won", winners=joined)


def _paid(event: Told, seat: int | None, locale: Locale) -> str:
    payer, payee = (locale.place(event[side], seat, pot=True) for side in ("payer", "payee"))
    return locale.say("paid", amount=event["amount"], payer=payer, payee=payee)


def _of_zone(phrase: str) -> Callable[[Told, int | None, Locale], str]:
    return lambda event, seat, locale: locale.say(phrase, place=locale.place(event["zone"], seat))


def _of_seat(phrase: str) -> Callable[[Told, int | None, Locale], str]:
    return lambda event, seat, locale: locale.say(phrase, who=locale.who(event["seat"], seat))


def _of_round(phrase: str) -> Callable[[Told, int | None, Locale], str]:
    return lambda event, seat, locale: locale.say(phrase, round=event["round"])


def _marked(event: Told, seat: int | None, locale: Locale) -> str:
    mark = locale.message(event["mark"])
    return locale.say("chose", who=locale.who(event["seat"], seat), what=mark) if mark else ""


_BY_NAME: dict[str, Callable[[Told, int | None, Locale], str]] = {
    "gathered": _of_zone("gathered"),
    "shuffled": _of_zone("shuffled"),
    "cut": _of_zone("cut"),
    "dealt": _dealt,
    "moved": _moved,
    "turned_over": _of_zone("turned_over"),
    "turned": _turned,
    "swapped": lambda event, seat, locale: locale.say("swapped", places=_join_places(event["zones"], seat, locale)),
    "shown": _shown,
    "set": _set,
    "scored": _scored,
    "marked": _marked,
    "paid": _paid,
    "retired": _of_seat("retired"),
    "taken_back": _of_seat("taken_back"),
    "announced": lambda event, seat, locale: locale.announced(event),
    "chose": _chose,
    "drawn_at_random": _drawn,
    "round_began": _of_round("round_began"),
    "round_ended": _of_round("round_ended"),
    "match_ended": _ended,
}

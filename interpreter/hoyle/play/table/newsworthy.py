"""Which events of a seat's log are worth a sentence.

In: events as told to a seat, in order. Out: those to tell. Bookkeeping is left out: gathering and shuffling before a
deal, shuffled hands, states that say whose turn it is, except for the first dealer, and states set to what a player has
just chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from hoyle.play.table.layout import Layout
from hoyle.play.table.moving import is_chosen_unseen
from hoyle.program.ir.nodes import Program, State
from hoyle.program.ir.types import certain
from hoyle.program.model.events import Event, Told

_BOOKKEEPING = ("gathered", "cut")


def select_events(
    events: Sequence[Told], layout: Layout, told: Mapping[str, str] | None = None, *, opens: bool = False
) -> list[Told]:
    """Drop the events that are not worth a sentence. `told` names what the file has a phrase for: cards that go to a
    zone out of sight are told only if it has one. `opens`: they may settle who deals the first round, even if it has
    not begun."""
    program, told = layout.program, told or {}
    states = {state.name: state for state in program.states}
    matter = program.table.states if program.table is not None else None
    looks = program.table.zones if program.table is not None else ()
    away = {program.zones[look.zone].name for look in looks if look.at == "away"} - set(told)
    kept: list[Told] = []
    gathered = ""
    chosen: tuple[str, ...] = ()
    done: Told | None = None
    for at, event in enumerate(events):
        name = event["event"]
        if name == "gathered":
            gathered = event["zone"]
        elif name in ("dealt", "chose"):
            gathered = ""
        elif name == "shuffled" and (event["zone"] == gathered or _is_dealt_now(events, at)):
            continue  # before a deal
        elif name == "shuffled" and _is_held(program, event["zone"]):
            continue  # the owner's hand is displayed sorted anyway
        if name == "chose":
            chosen, done = tuple(event["picks"].values()), event
            if event["secret"] and (_is_told_again(events, at) or _is_done_later(events, at, program)):
                continue
        if _is_first_dealer(events, at, opens=opens):
            kept.append({**event, "event": "deals_first", "by_lot": _is_drawn(event, events[:at])})
            continue
        if name == "set" and event["state"] in layout.marked:
            continue  # shown on the cards as a mark
        if done is not None and _is_said(event, done, told, follows=kept[-1:] == [done]):
            continue
        if name == "round_began" and not layout.has_rounds:
            continue  # the only round
        if name in _BOOKKEEPING or (name == "set" and not is_news(states[event["state"]], event, chosen, matter)):
            continue
        if name == "drawn_at_random" and ("cards" in event or _is_first(event, events[at + 1 : at + 2])):
            continue  # a later event tells the outcome: where the cards go, or what the seat does
        deals = name == "drawn_at_random" and _is_first_dealer(events, at + 1, opens=opens)
        if deals and _is_drawn(events[at + 1], [event]):
            continue  # told with the first dealer
        if name == "moved" and event["zone"].partition(" of ")[0] in away:
            continue  # cleared away
        kept.append(event)
    return kept


def find_settled(events: Sequence[Event], since: int) -> int:
    """The event before which no sentence can change any more: the last open choice at which nobody who has chosen
    secretly since is still to choose openly, which may tell that choice again."""
    waiting: set[int | None] = set()
    for at in range(since, len(events)):
        event = events[at]
        if event.name == "chose" and event.data["secret"]:
            waiting.add(event.seat)
        elif event.name == "chose":
            waiting.discard(event.seat)
            since = since if waiting else at
    return since


def name_first_dealer(events: Sequence[Told], program: Program) -> Sequence[Told]:
    """Add to the events of a match that the dealer was set, where chance or a cut left it the seat it was: no event
    tells what has not changed."""
    round_begins = next((at for at, each in enumerate(events) if each["event"] == "round_began"), None)
    if round_begins is None:
        return events
    before = events[:round_begins]
    if any(each["event"] == "set" and each["state"] == "dealer" for each in before):
        return events
    start = next(state.start for state in program.states if state.name == "dealer")
    return [*before, {"event": "set", "state": "dealer", "value": f"seat {start}"}, *events[round_begins:]]


def _is_first_dealer(events: Sequence[Told], at: int, *, opens: bool) -> bool:
    """Whether an event settles who deals first: the last time the dealer is set before the first round."""
    if not opens or at >= len(events) or events[at]["event"] != "set" or events[at]["state"] != "dealer":
        return False
    if any(each["event"] == "round_began" for each in events[:at]):
        return False
    later = (each for each in events[at + 1 :] if each["event"] == "round_began" or each.get("state") == "dealer")
    following = next(later, None)
    return following is None or following.get("round") == 1


def _is_drawn(dealer: Told, before: Sequence[Told]) -> bool:
    return any(each["event"] == "drawn_at_random" and each.get("text") == dealer["value"] for each in before[-1:])


def _is_said(event: Told, chose: Told, told: Mapping[str, str], *, follows: bool) -> bool:
    """Whether an event only carries out what the sentence of a choice says: a state that records it, `alone`, `folded`;
    an exchange by an action with a phrase of its own; the payment, to no other player, of the number just chosen."""
    name, own = event["event"], f"{event['clause']}.".startswith(f"actions.{chose['action']}.")
    phrase, seat = told.get(chose["action"]), str(chose["seat"])
    if name == "set":
        return own and (event["value"] == "true" or f"seat {seat}" in event["value"].split(", "))
    if name == "swapped":
        return own and phrase is not None
    if name != "paid" or not follows or chose["secret"]:
        return False
    payer, payee = (event[side].partition(" of ")[2] for side in ("payer", "payee"))
    said = [pick for pick, word in chose["picks"].items() if word == str(event["amount"])]
    spoken = any(phrase is None or f"{{{pick}}}" in phrase for pick in said)
    return spoken and payer == seat and (payee == seat or not payee.isdecimal())


def join_moves(events: Sequence[Told]) -> list[Told]:
    """Merge consecutive moves by the same clause between the same zones into one move."""
    kept: list[Told] = []
    for event in events:
        last = kept[-1] if kept else {}
        if event["event"] == last.get("event") == "moved" and _list_ends(event) == _list_ends(last):
            kept[-1] = {**last, **{part: [*last[part], *event[part]] for part in ("cards", "source")}}
        else:
            kept.append(event)
    return kept


def _list_ends(moved: Told) -> tuple[object, ...]:
    return moved["clause"], moved["zone"], moved["bottom"], set(moved["source"])


def _is_dealt_now(events: Sequence[Told], at: int) -> bool:
    """Whether the zone shuffled here is dealt from next."""
    return any(each["event"] == "dealt" and each["source"] == events[at]["zone"] for each in events[at + 1 : at + 2])


def _is_first(drawn: Told, following: Sequence[Told]) -> bool:
    """Whether a seat was drawn among several claimants, and makes its choice next."""
    return any(each["event"] == "chose" and drawn["text"] == f"seat {each['seat']}" for each in following)


def _is_told_again(events: Sequence[Told], at: int) -> bool:
    """Whether to omit a secret choice from its own seat's log: it declined, or its next choice is the same action, made
    openly."""
    event = events[at]
    if event["action"] is None:
        return True
    later = (each for each in events[at + 1 :] if each["event"] == "chose" and each["seat"] == event["seat"])
    following = next(later, None)
    return following is not None and not following["secret"] and bool(following["action"] == event["action"])


def _is_done_later(events: Sequence[Told], at: int, program: Program) -> bool:
    """Whether to omit a secret choice from its own seat's log, because the cards are told once all have chosen: as its
    effect, or when the seat shows the very cards that it chose."""
    event, moves = events[at], [each for each in events[at + 1 :] if each["event"] == "moved"]
    if any(find_doer(each, program) == (event["seat"], event["action"]) for each in moves):
        return True
    picked = sorted(code for pick in event["picks"].values() for code in pick.split("+"))
    until = takewhile(lambda each: each["event"] != "chose" or each["seat"] != event["seat"], events[at + 1 :])
    shown = (each for each in until if each["event"] == "moved" and _list_owners(each) == {str(event["seat"])})
    return any(sorted(each["cards"]) == picked for each in shown)


def _list_owners(moved: Told) -> set[str]:
    return {zone.partition(" of ")[2] for zone in moved["source"]}


def find_doer(moved: Told, program: Program) -> tuple[int, str] | None:
    """Return the seat and the secretly chosen action by which it moved its own cards; None for any other move."""
    owners = _list_owners(moved)
    owner = owners.pop() if len(owners) == 1 else ""
    for action in program.actions:
        if moved["clause"] == program.clauses[action.clause].path and is_chosen_unseen(program, action.name):
            return (int(owner), action.name) if owner.isdecimal() else None
    return None


def is_news(state: State, event: Told, chosen: tuple[str, ...], matter: tuple[str, ...] | None = None) -> bool:
    """Whether the change of a state is worth a sentence: not if it is quiet, holds seats or a zone, was cleared (a
    number to 0, if it starts at 0), or repeats what a player has just chosen. If the file lists the states that matter,
    only those are worth one, seats and zones included."""
    kind = certain(state.type)
    if state.quiet or (kind.kind == "number" and event["value"] == "0" and not state.start):
        return False
    if matter is not None:
        return state.name in matter and event["value"] not in ("none", "nothing", "false", *chosen)
    about_seats = kind.kind == "seat" or (kind.of is not None and certain(kind.of).kind == "seat")
    if about_seats or kind.kind == "zone":
        return False
    return event["value"] not in ("none", "nothing", "false") and event["value"] not in chosen


def _is_held(program: Program, zone: str) -> bool:
    name = zone.partition(" of ")[0]
    return any(each.shows == "owner" and each.name == name for each in program.zones)

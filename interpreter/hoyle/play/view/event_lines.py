"""Renders a sequence of events as lines of text, merging related ones.

In: events as told to a seat, in order. Out: lines. Related events share a line, and events implied by the next line are
dropped. The rows of one score table become a spoken count: `fifteen two, and a pair is four`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.play.view.locale import Locale
from hoyle.play.view.phrases import DEFAULT
from hoyle.play.view.running_count import count_aloud, count_plainly, find_calls
from hoyle.play.view.seeing import UNKNOWN_CARD
from hoyle.play.view.text import HasProgram, render_event
from hoyle.program.model.events import Told


def render_events(
    game: HasProgram, events: Sequence[Told], seat: int | None = None, locale: Locale | None = None
) -> list[str]:
    """Render events for a seat, with an empty line before each round; by default in the names of the rule file."""
    locale = locale or Locale(game.program, labelled=False)
    worth = [event for event in events if render_event(game, event, seat, locale)]
    lines = []
    at = 0
    while at < len(worth):
        event, following = worth[at], worth[at + 1] if at + 1 < len(worth) else None
        taken = 1
        if "table" in event:
            rows = _take_rows(worth, at)
            taken = len(rows)
            lines.append(_count_aloud(locale, rows, seat))
        elif event["event"] == "paid":
            payments = take_payments(worth, at)
            taken = len(payments)
            lines.append(_tell_payments(locale, payments, seat))
        elif following is not None and _is_told_by(event, following):
            pass
        elif following is not None and _lays_cards(locale, event, following):
            taken = 2
            what = " ".join([locale.action(event["action"]), *map(locale.card, following["cards"])])
            third = worth[at + 2] if at + 2 < len(worth) else None
            called = locale.announced(third) if third is not None and third["event"] == "announced" else ""
            taken += bool(called)
            line = locale.say("chose", who=locale.who(event["seat"], seat), what=what)
            lines.append(f"{line}, {called}" if called else line)
        else:
            if event["event"] == "round_began":
                lines.append("")
            lines.append(render_event(game, event, seat, locale))
        at += taken
    return lines


def _is_told_by(event: Told, following: Told) -> bool:
    """Whether the next event implies this one: cards gathered before a shuffle, a random draw before its effect."""
    if event["event"] == "gathered":
        return following["event"] == "shuffled" and bool(event["zone"] == following["zone"])
    if event["event"] == "drawn_at_random" and following["event"] == "chose":  # the draw among several claimants
        return bool(event.get("text") == f"seat {following['seat']}")
    drawn = event["event"] == "drawn_at_random" and "cards" in event
    return drawn and following["event"] == "moved" and len(event["cards"]) == len(following["cards"])


def _lays_cards(locale: Locale, event: Told, following: Told) -> bool:
    """Whether the next event is the public move, out of the player's own zones, of exactly the cards chosen here."""
    if event["event"] != "chose" or following["event"] != "moved" or not event["action"]:
        return False
    cards = following["cards"]
    named = "+".join(event["picks"].values()).split("+") if event["picks"] else cards
    owned = [zone.partition(" of ") for zone in following["source"]]
    own = all(name.split(" ")[0] in locale.of_seats and owner == str(event["seat"]) for name, _, owner in owned)
    return own and UNKNOWN_CARD not in cards and sorted(named) == sorted(cards)


# ------------------------------------------------------------------------------------------------ payments
def take_payments(events: Sequence[Told], at: int) -> list[Told]:
    """Take the payments from `at` that merge into one line: every payer pays the same amount to each of the same pots,
    and all payers are pots of one name. Without such a run, take the first alone."""
    run: list[Told] = []
    for event in events[at:]:
        if event["event"] != "paid" or event["amount"] != events[at]["amount"]:
            break
        if run and event["payer"].partition(" of ")[0] != run[0]["payer"].partition(" of ")[0]:
            break  # the space pays, then a player
        if any((each["payer"], each["payee"]) == (event["payer"], event["payee"]) for each in run):
            break  # paid once more, for something else
        run.append(event)
    by_payer: dict[str, list[str]] = {}
    for event in run:
        by_payer.setdefault(event["payer"], []).append(event["payee"])
    payees = by_payer[run[0]["payer"]]
    alike = [payer for payer, each in by_payer.items() if each == payees]
    in_order = [event["payer"] for event in run] == [payer for payer in by_payer for _ in by_payer[payer]]
    return run if in_order and len(alike) == len(by_payer) else run[:1]


def _tell_payments(locale: Locale, payments: Sequence[Told], seat: int | None) -> str:
    payers, payees = ([*dict.fromkeys(event[side] for event in payments)] for side in ("payer", "payee"))
    return say_payment(locale, payments, payers, _join_pots(locale, payers, seat), _join_pots(locale, payees, seat))


def say_payment(locale: Locale, payments: Sequence[Told], payers: Sequence[str], payer: str, payee: str) -> str:
    """Say payments of one amount, of which payers and payees are named already."""
    amount = payments[0]["amount"]
    if len(payers) > 1 and not is_family(locale, payers):
        return locale.say("pay_each", who=payer, amount=amount, payee=payee)
    return locale.say("paid" if len(payments) == 1 else "paid_each", payer=payer, amount=amount, payee=payee)


def is_family(locale: Locale, pots: Sequence[str]) -> bool:
    """Whether these are all the pots of one name, of which there are several."""
    name = pots[0].partition(" of ")[0]
    size = next(state.size for state in locale.program.states if state.name == name)
    return len(pots) == size > 1 and all(pot.startswith(f"{name} of ") for pot in pots)


def _join_pots(locale: Locale, pots: Sequence[str], seat: int | None) -> str:
    """List several pots; a complete family becomes `every purse`."""
    if is_family(locale, pots):
        return locale.say("every", name=locale.state(pots[0].partition(" of ")[0]))
    return locale.join([locale.place(pot, seat, pot=True) for pot in pots])


# ------------------------------------------------------------------------------------------------ counting aloud
def _take_rows(events: Sequence[Told], at: int) -> list[Told]:
    """Take consecutive rows that one seat scored from one table, up to a repeated row."""
    first = events[at]
    rows: list[Told] = []
    for event in events[at:]:
        same = event.get("table") == first["table"] and event["seat"] == first["seat"]
        if not same or event["label"] in [row["label"] for row in rows]:
            break
        rows.append(event)
    return rows


def _count_aloud(locale: Locale, rows: Sequence[Told], seat: int | None) -> str:
    calls = find_calls(locale.program, rows[0]["table"])
    counted = [(locale.message(calls[row["label"]]), _list_parts(row)) for row in rows]
    total = sum(row["amount"] for row in rows)
    said = count_aloud(counted) if locale.language == DEFAULT else count_plainly(counted)
    who = locale.who(rows[0]["seat"], seat)
    if rows[0].get("side"):
        who = locale.team(locale.program.teams[rows[0]["seat"]], seat)
    return locale.say("counted", who=who, amount=total, said=said)


def _list_parts(row: Told) -> list[int]:
    """List the points of each group of a row; just their sum where the score entered differs from it (a capped one)."""
    parts: list[int] = row["parts"]
    return parts if sum(parts) == row["amount"] else [row["amount"]]

"""Explains how scores came about, entry by entry.

In: the events of a match. Out: `ScoreEntry`s in order: each score or payment with its round and clause.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.program.ir import nodes as ir
from hoyle.program.model.events import Event

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """One entry. `total` is the value of its column or pot after it; `parts` are the points of the groups of a row;
    `heading` names the column or the pot, if there are several; `pot` is the other side of a payment."""

    round: int
    seat: int
    amount: int
    total: int
    label: str
    heading: str
    parts: tuple[int, ...]
    clause: ir.Clause | None
    pot: int | None = None


def explain_scores(match: Match, seat: int | None = None) -> list[ScoreEntry]:
    """List the scores and payments of a seat or of all, from the beginning of the recorded events."""
    program, names = match.game.program, match.game.names
    totals = _find_beginning(match)
    entries: list[ScoreEntry] = []
    number = 1
    for event in match.events:
        if event.name == "round_began":
            number = event.data["round"]
        clause = program.clauses[event.clause] if event.clause is not None else None
        for change in _list_changes(match, event):
            totals[change.place, change.seat] += change.amount
            if change.place[0] == "pot":
                heading = names.states[change.place[1]][0].name
            else:
                heading = program.column_labels[change.place[1]] if len(program.columns) > 1 else ""
            total = totals[change.place, change.seat]
            parts = tuple(event.data.get("parts") or ())
            entry = ScoreEntry(number, change.seat, change.amount, total, change.label, heading, parts, clause)
            entries.append(replace(entry, pot=change.pot))
    return [entry for entry in entries if seat is None or entry.seat == seat]


Place = tuple[str, int]  # ("column" or "pot", index)


@dataclass(frozen=True, slots=True)
class _Change:
    place: Place
    seat: int
    amount: int
    label: str
    pot: int | None = None  # the other pot of a payment


def _list_changes(match: Match, event: Event) -> list[_Change]:
    """List the changes of columns and pots of seats by an event."""
    if event.name == "scored" and event.seat is not None:
        return [_Change(("column", event.data["column"]), event.seat, event.data["amount"], event.data["label"])]
    if event.name != "paid":
        return []
    names = match.game.names
    payer: int = event.data["payer"]
    payee: int = event.data["payee"]
    amount: int = event.data["amount"]
    found: list[_Change] = []
    for pot, change, other, label in (
        (payer, -amount, payee, f"to {names.name_state(payee)}"),
        (payee, amount, payer, f"from {names.name_state(payer)}"),
    ):
        owner = names.find_owner(pot)
        if isinstance(owner, int):
            found.append(_Change(("pot", pot), owner, change, label, other))
    return found


def _find_beginning(match: Match) -> dict[tuple[Place, int], int]:
    """Reconstruct the values before the first event: the current ones minus all recorded changes."""
    position, names = match.position, match.game.names
    found: dict[tuple[Place, int], int] = {
        (("column", column), seat): total
        for column, totals in enumerate(position.totals)
        for seat, total in enumerate(totals)
    }
    for pot in names.pots:
        owner = names.find_owner(pot)
        if isinstance(owner, int):
            found[("pot", pot), owner] = position.states[pot]
    for event in match.events:
        for change in _list_changes(match, event):
            found[change.place, change.seat] -= change.amount
    return found

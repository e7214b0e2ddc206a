"""How a score came about, entry by entry.

In: the events of a match. Out: `ScoreEntry`s in order: what was written or paid, in which round, by which clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hoyle.ir import nodes as ir

if TYPE_CHECKING:
    from hoyle.engine.game import Match


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """One entry. `total` is what stands after it in its column, or in the pot; `parts` are the groups a row is made of;
    `heading` names the column or the pot, if there are several."""

    round: int
    seat: int
    amount: int
    total: int
    label: str
    heading: str
    parts: tuple[int, ...]
    clause: ir.Clause | None


def explain_scores(match: Match, seat: int | None = None) -> list[ScoreEntry]:
    """What was scored and paid, for a seat or for all; from the beginning of what the match has recorded."""
    program = match.game.program
    names = match.game.names
    begun = _find_beginning(match)
    entries: list[ScoreEntry] = []
    number = 1
    for event in match.events:
        clause = program.clauses[event.clause] if event.clause is not None else None
        if event.name == "round_began":
            number = event.data["round"]
        elif event.name == "scored" and event.seat is not None:
            column = event.data["column"]
            begun[column, event.seat] = begun.get((column, event.seat), 0) + event.data["amount"]
            heading = program.column_labels[column] if len(program.columns) > 1 else ""
            parts = tuple(event.data.get("parts") or ())
            entries.append(
                ScoreEntry(number, event.seat, event.data["amount"], begun[column, event.seat], event.data["label"],
                           heading, parts, clause)
            )  # fmt: skip
        elif event.name == "paid":
            for place, sign in ((event.data["payer"], -1), (event.data["payee"], 1)):
                state, owner = names.states[place]
                if state.owner == "seat" and owner is not None:
                    key = (f"pot {place}", owner)
                    begun[key] = begun.get(key, state.start) + sign * event.data["amount"]
                    entries.append(
                        ScoreEntry(number, owner, sign * event.data["amount"], begun[key], "", state.name, (), clause)
                    )
    return [entry for entry in entries if seat is None or entry.seat == seat]


def _find_beginning(match: Match) -> dict[tuple[int | str, int], int]:
    """What each seat had in each column before the first event: what is there now, less what was written."""
    written: dict[tuple[int | str, int], int] = {}
    for event in match.events:
        if event.name == "scored" and event.seat is not None:
            key = (event.data["column"], event.seat)
            written[key] = written.get(key, 0) + event.data["amount"]
    return {
        (column, seat): total - written.get((column, seat), 0)
        for column, totals in enumerate(match.position.totals)
        for seat, total in enumerate(totals)
    }

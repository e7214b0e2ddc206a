"""Words about the table: seats, zones and cards, and what has been scored.

In: a position. Out: what lies where, who sits where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.words.registry import word

if TYPE_CHECKING:
    from hoyle.model.position import Position


@word("seats: -> list(seat)", "everybody at the table, in seat order", "count of seats = players", reads_position=True)
def seats(position: Position) -> tuple[int, ...]:
    return tuple(range(position.players))


@word("left: seat -> seat", "the next seat clockwise", "left of first of seats != first of seats", reads_position=True)
def left(position: Position, seat: int) -> int:
    return (seat + 1) % position.players


@word("right: seat -> seat", "the next seat anticlockwise", "right of left of dealer = dealer", reads_position=True)
def right(position: Position, seat: int) -> int:
    return (seat - 1) % position.players


@word(
    "around: list(seat), seat -> list(seat)", "the seats clockwise beginning at one", spoken=False, reads_position=True
)
def around(position: Position, listed: tuple[int, ...], start: int) -> tuple[int, ...]:
    return tuple(sorted(listed, key=lambda seat: (seat - start) % position.players))


@word(
    "score: seat -> number", "what the seat has scored in the match so far", "score of dealer = 0", reads_position=True
)
def score(position: Position, seat: int) -> int:
    return position.totals[0][seat]


@word("rounds_played: -> number", "how many rounds have been finished", "rounds_played = 0", reads_position=True)
def rounds_played(position: Position) -> int:
    return position.rounds_played


@word("cards: zone -> list(card)", "the cards of a zone, bottom to top", reads_position=True, spoken=False)
def cards(position: Position, zone: int) -> tuple[int, ...]:
    return tuple(position.zones[zone])


@word("size: zone -> number", "how many cards lie in a zone", reads_position=True, spoken=False)
def size(position: Position, zone: int) -> int:
    return len(position.zones[zone])


@word("no_cards: zone -> truth", "the zone is empty", reads_position=True, spoken=False)
def no_cards(position: Position, zone: int) -> bool:
    return not position.zones[zone]


@word("top: zone -> maybe(card)", "the top card of a zone, none if it is empty", reads_position=True, spoken=False)
def top(position: Position, zone: int) -> int | None:
    pile = position.zones[zone]
    return pile[-1] if pile else None


@word("bottom: zone -> maybe(card)", "the lowest card of a zone", reads_position=True, spoken=False)
def bottom(position: Position, zone: int) -> int | None:
    pile = position.zones[zone]
    return pile[0] if pile else None


@word(
    "last_holder: card -> maybe(seat)",
    "the last seat in whose zone the card lay: who played it",
    reads_position=True,
)
def last_holder(position: Position, card: int) -> int | None:
    return position.holders[card]


@word(
    "place: card -> number",
    "where a card lies in its zone, counted from the top; the top card is 1",
    reads_position=True,
)
def place(position: Position, card: int) -> int:
    pile = position.zones[zone(position, card)]
    return len(pile) - pile.index(card)


@word("zone: card -> zone", "where the card lies", reads_position=True)
def zone(position: Position, card: int) -> int:
    return next(i for i, pile in enumerate(position.zones) if card in pile)


@word(
    "lines: seat -> list(line)", "the lines of the score sheet written for the seat, oldest first", reads_position=True
)
def lines(position: Position, seat: int) -> tuple[int, ...]:
    players = position.players
    return tuple(
        number * players + seat for number, rows in enumerate(position.lines) if any(v is not None for v in rows[seat])
    )


@word("round: line -> number", "the round in which a line was written; the first is 1", reads_position=True)
def round_of(position: Position, line: int) -> int:
    return line // position.players + 1


@word("owner: line -> seat", "the seat for which a line was written", reads_position=True)
def owner(position: Position, line: int) -> int:
    return line % position.players


@word("entry: line, number -> maybe(number)", "what stands in a column of a line", reads_position=True, spoken=False)
def entry(position: Position, line: int, column: int) -> int | None:
    found: int | None = position.lines[line // position.players][line % position.players][column]
    return found


@word("marked: line, number -> truth", "whether a line bears a mark", reads_position=True, spoken=False)
def marked(position: Position, line: int, mark: int) -> bool:
    marks = position.lines[line // position.players][line % position.players][-1] or 0
    return bool(marks >> mark & 1)


@word("column: seat, number -> number", "the total of a column for a seat", reads_position=True, spoken=False)
def column(position: Position, seat: int, number: int) -> int:
    return position.totals[number][seat]

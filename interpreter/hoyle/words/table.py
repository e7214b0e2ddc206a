"""Words about the table: seats, zones and cards, and what has been scored.

In: a position. Out: what lies where, who sits where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.words.registry import word

if TYPE_CHECKING:
    from hoyle.model.position import Position


@word(
    "seats: -> list(seat)",
    "everybody at the table, in seat order, but for those who have left the match",
    "count of seats = players",
    reads_position=True,
    inline="tuple(range({players}))",
)
def seats(position: Position) -> tuple[int, ...]:
    if position.retired:
        return tuple(seat for seat in range(position.players) if seat not in position.retired)
    return tuple(range(position.players))


@word(
    "left: seat -> seat",
    "the next seat clockwise, past those who have left the match",
    "left of first of seats != first of seats",
    reads_position=True,
    inline="({0} + 1) % {players}",
)
def left(position: Position, seat: int) -> int:
    return _next_seat(position, seat, 1)


@word(
    "right: seat -> seat",
    "the next seat anticlockwise, past those who have left the match",
    "right of left of dealer = dealer",
    reads_position=True,
    inline="({0} - 1) % {players}",
)
def right(position: Position, seat: int) -> int:
    return _next_seat(position, seat, -1)


def _next_seat(position: Position, seat: int, step: int) -> int:
    """The next seat that has not left the match; if all have, the next one."""
    found = (seat + step) % position.players
    while found in position.retired and found != seat:
        found = (found + step) % position.players
    return found


@word(
    "around: list(seat), seat -> list(seat)",
    "the seats clockwise beginning at one",
    spoken=False,
    reads_position=True,
    inline="sorted({0:each}, key=lambda seat: (seat - {1}) % {players})",
)
def around(position: Position, listed: tuple[int, ...], start: int) -> tuple[int, ...]:
    return tuple(sorted(listed, key=lambda seat: (seat - start) % position.players))


@word(
    "score: seat -> number",
    "what the seat has scored in the match so far",
    "score of dealer = 0",
    reads_position=True,
    inline="totals[0][{0}]",
)
def score(position: Position, seat: int) -> int:
    return position.totals[0][seat]


@word(
    "rounds_played: -> number",
    "how many rounds have been finished",
    "rounds_played = 0",
    reads_position=True,
    inline="position.rounds_played",
)
def rounds_played(position: Position) -> int:
    return position.rounds_played


@word(
    "cards: zone -> list(card)",
    "the cards of a zone, bottom to top",
    reads_position=True,
    spoken=False,
    inline="tuple(zones[{0}])",
)
def cards(position: Position, zone: int) -> tuple[int, ...]:
    return tuple(position.zones[zone])


@word(
    "size: zone -> number", "how many cards lie in a zone", reads_position=True, spoken=False, inline="len(zones[{0}])"
)
def size(position: Position, zone: int) -> int:
    return len(position.zones[zone])


@word("no_cards: zone -> truth", "the zone is empty", reads_position=True, spoken=False, inline="not zones[{0}]")
def no_cards(position: Position, zone: int) -> bool:
    return not position.zones[zone]


@word(
    "top: zone -> maybe(card)",
    "the top card of a zone, none if it is empty",
    reads_position=True,
    spoken=False,
    inline="zones[{0}][-1] if zones[{0}] else None",
)
def top(position: Position, zone: int) -> int | None:
    pile = position.zones[zone]
    return pile[-1] if pile else None


@word(
    "bottom: zone -> maybe(card)",
    "the lowest card of a zone",
    reads_position=True,
    spoken=False,
    inline="zones[{0}][0] if zones[{0}] else None",
)
def bottom(position: Position, zone: int) -> int | None:
    pile = position.zones[zone]
    return pile[0] if pile else None


@word(
    "last_holder: card -> maybe(seat)",
    "the last seat in whose zone the card lay: who played it",
    reads_position=True,
    inline="position.holders[{0}]",
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


@word(
    "round: line -> number",
    "the round in which a line was written; the first is 1",
    reads_position=True,
    inline="{0} // {players} + 1",
)
def round_of(position: Position, line: int) -> int:
    return line // position.players + 1


@word("owner: line -> seat", "the seat for which a line was written", reads_position=True, inline="{0} % {players}")
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


@word(
    "column: seat, number -> number",
    "the total of a column for a seat",
    reads_position=True,
    spoken=False,
    inline="totals[{1}][{0}]",
)
def column(position: Position, seat: int, number: int) -> int:
    return position.totals[number][seat]


@word(
    "offender: -> maybe(seat)",
    "who has done something against the rules that can still be called; none where errors are refused",
    "offender is none",
    reads_position=True,
)
def offender(position: Position) -> int | None:
    return None if position.offence is None else position.offence[0]

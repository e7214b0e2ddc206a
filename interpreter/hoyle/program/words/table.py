"""Words about the table: seats, zones, cards and scores.

In: a position. Out: values derived from it.
"""

from __future__ import annotations

from hoyle.program.ir.parts import (
    CARDS_OF_ZONE,
    FACES_OF_ZONE,
    HOLDER_OF_CARD,
    LINES,
    OFFENDER,
    PLACE_OF_CARD,
    ROUNDS,
    SEATS_LEFT,
    SIZE_OF_ZONE,
    TOP_OF_ZONE,
    TOTALS,
)  # fmt: skip
from hoyle.program.model.position import Position
from hoyle.program.words.operations import Op
from hoyle.program.words.registry import Cost, word


@word(
    "seats: -> list(seat)",
    "everybody at the table, in seat order, but for those who have left the match",
    "count of seats = players",
    op=Op.SEATS,
    reads=(SEATS_LEFT,),
    cost=Cost.LINEAR,
    full=True,
)
def seats(position: Position) -> tuple[int, ...]:
    if position.retired:
        return tuple(seat for seat in range(position.players) if seat not in position.retired)
    return tuple(range(position.players))


@word(
    "left: seat -> seat",
    "the next seat clockwise, past those who have left the match",
    "left of first of seats != first of seats",
    op=Op.LEFT,
    reads=(SEATS_LEFT,),
)
def left(position: Position, seat: int) -> int:
    return _next_seat(position, seat, 1)


@word(
    "right: seat -> seat",
    "the next seat anticlockwise, past those who have left the match",
    "right of left of dealer = dealer",
    op=Op.RIGHT,
    reads=(SEATS_LEFT,),
)
def right(position: Position, seat: int) -> int:
    return _next_seat(position, seat, -1)


def _next_seat(position: Position, seat: int, step: int) -> int:
    """The next seat that has not left the match; the seat itself if there is no other."""
    found = (seat + step) % position.players
    while found in position.retired and found != seat:
        found = (found + step) % position.players
    return found


@word(
    "around: list(seat), seat -> list(seat)",
    "the seats clockwise, beginning with that one if it is among them",
    op=Op.AROUND,
    spoken=False,
    reads=(),
    written="(seat in LIST from SEAT)",
    keeps=(0,),
    cost=Cost.SORTING,
    full=True,
)
def around(position: Position, listed: tuple[int, ...], start: int) -> tuple[int, ...]:
    return tuple(sorted(listed, key=lambda seat: (seat - start) % position.players))


@word(
    "score: seat -> number",
    "what the seat has scored in the match so far",
    "score of dealer = 0",
    op=Op.SCORE,
    reads=(TOTALS,),
)
def score(position: Position, seat: int) -> int:
    return position.totals[0][seat]


@word(
    "rounds_played: -> number",
    "how many rounds have been finished",
    "rounds_played = 0",
    op=Op.ROUNDS_PLAYED,
    reads=(ROUNDS,),
)
def rounds_played(position: Position) -> int:
    return position.rounds_played


@word(
    "cards: zone -> list(card)",
    "the cards of a zone, bottom to top",
    op=Op.CARDS,
    spoken=False,
    reads=(CARDS_OF_ZONE,),
    cost=Cost.LINEAR,
)
def cards(position: Position, zone: int) -> tuple[int, ...]:
    return tuple(position.zones[zone])


@word(
    "size: zone -> number",
    "how many cards lie in a zone",
    op=Op.SIZE,
    spoken=False,
    reads=(SIZE_OF_ZONE,),
    written="count of ZONE",
)
def size(position: Position, zone: int) -> int:
    return len(position.zones[zone])


@word(
    "no_cards: zone -> truth",
    "the zone is empty",
    op=Op.NO_CARDS,
    told=("empty", "not empty"),
    spoken=False,
    reads=(SIZE_OF_ZONE,),
    written="ZONE is empty",
)
def no_cards(position: Position, zone: int) -> bool:
    return not position.zones[zone]


@word(
    "top: zone -> maybe(card)",
    "the top card of a zone, none if it is empty",
    op=Op.TOP,
    none_of_empty=True,
    spoken=False,
    reads=(TOP_OF_ZONE,),
    written="top of ZONE",
)
def top(position: Position, zone: int) -> int | None:
    pile = position.zones[zone]
    return pile[-1] if pile else None


@word(
    "bottom: zone -> maybe(card)",
    "the lowest card of a zone",
    op=Op.BOTTOM,
    none_of_empty=True,
    spoken=False,
    reads=(CARDS_OF_ZONE,),
    written="bottom of ZONE",
)
def bottom(position: Position, zone: int) -> int | None:
    pile = position.zones[zone]
    return pile[0] if pile else None


@word(
    "face_up: zone -> list(card)",
    "the cards of a zone that everybody sees now, bottom to top: all that lie open, the top card, those turned up",
    "count of face_up of pile = 0",
    op=Op.FACE_UP,
    reads=(SIZE_OF_ZONE, FACES_OF_ZONE),
    cost=Cost.LINEAR,
)
def face_up(position: Position, zone: int) -> tuple[int, ...]:
    """The cards turned up; other visible cards are added by the checker, from the zone's visibility."""
    return tuple(card for card in position.zones[zone] if position.turned[card])


@word(
    "laid_open: list(card) -> list(card)",
    "the same cards, which everybody sees where they lie",
    op=Op.LAID_OPEN,
    spoken=False,
    keeps="all",
    blind="all",
    opens=True,
)
def laid_open(cards: tuple[int, ...]) -> tuple[int, ...]:
    return cards


@word(
    "last_holder: card -> maybe(seat)",
    "the last seat in whose zone the card lay: who played it",
    op=Op.LAST_HOLDER,
    reads=(HOLDER_OF_CARD,),
)
def last_holder(position: Position, card: int) -> int | None:
    return position.holders[card]


@word(
    "place: card -> number",
    "where a card lies in its zone, counted from the top; the top card is 1",
    op=Op.PLACE,
    reads=(PLACE_OF_CARD,),
    cost=Cost.LINEAR,
)
def place(position: Position, card: int) -> int:
    pile = position.zones[zone(position, card)]
    return len(pile) - pile.index(card)


@word(
    "zone: card -> zone",
    "where the card lies",
    op=Op.ZONE,
    reads=(PLACE_OF_CARD,),
    cost=Cost.LINEAR,
)
def zone(position: Position, card: int) -> int:
    return next(i for i, pile in enumerate(position.zones) if card in pile)


@word(
    "lines: seat -> list(line)",
    "the lines of the score sheet written for the seat, oldest first",
    op=Op.LINES,
    reads=(LINES,),
    cost=Cost.LINEAR,
)
def lines(position: Position, seat: int) -> tuple[int, ...]:
    players = position.players
    return tuple(
        number * players + seat for number, rows in enumerate(position.lines) if any(v is not None for v in rows[seat])
    )


@word(
    "round: line -> number",
    "the round in which a line was written; the first is 1",
    op=Op.ROUND,
    reads=(),
)
def round_of(position: Position, line: int) -> int:
    return line // position.players + 1


@word(
    "owner: line -> seat",
    "the seat for which a line was written",
    op=Op.OWNER,
    reads=(),
)
def owner(position: Position, line: int) -> int:
    return line % position.players


@word(
    "entry: line, number -> maybe(number)",
    "what stands in a column of a line",
    op=Op.ENTRY,
    spoken=False,
    reads=(LINES,),
    written="COLUMN of LINE",
)
def entry(position: Position, line: int, column: int) -> int | None:
    found: int | None = position.lines[line // position.players][line % position.players][column]
    return found


@word(
    "marked: line, number -> truth",
    "whether a line bears a mark",
    op=Op.MARKED,
    spoken=False,
    reads=(LINES,),
    written="LINE is MARK",
)
def marked(position: Position, line: int, mark: int) -> bool:
    marks = position.lines[line // position.players][line % position.players][-1] or 0
    return bool(marks >> mark & 1)


@word(
    "column: seat, number -> number",
    "the total of a column for a seat",
    op=Op.COLUMN,
    spoken=False,
    reads=(TOTALS,),
    written="COLUMN of SEAT",
)
def column(position: Position, seat: int, number: int) -> int:
    return position.totals[number][seat]


@word(
    "offender: -> maybe(seat)",
    "who has broken a rule and can still be called for it, until another has chosen in his turn; none where errors "
    "are refused",
    "offender is none",
    op=Op.OFFENDER,
    reads=(OFFENDER,),
)
def offender(position: Position) -> int | None:
    return None if position.offence is None else position.offence[0]

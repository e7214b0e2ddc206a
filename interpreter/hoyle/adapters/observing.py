"""What a seat sees of a position, as numbers.

In: a position, a seat. Out: a list of numbers, as long for every position of a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.view.seeing import includes

if TYPE_CHECKING:
    from hoyle.engine.game import Game
    from hoyle.model.position import Position


class Observing:
    """Turns positions of one game into numbers; what does not change is worked out once."""

    def __init__(self, game: Game) -> None:
        program = game.program
        self._players = program.players
        self._sight = game.executor.effects.sight
        places = {face: at for at, face in enumerate(dict.fromkeys(card.face for card in program.cards))}
        self._faces = [places[card.face] for card in program.cards]
        self._width = len(places) + 1
        self._states = [
            [includes(self._sight.mask_state(index), seat, program.players) for index in range(len(game.names.states))]
            for seat in range(program.players)
        ]
        self._zones = [
            [self._find_way(zone, seat) for zone in range(len(game.names.zones))] for seat in range(program.players)
        ]
        zones, columns = len(game.names.zones), len(program.columns)
        self.size = zones * self._width + 2 * len(game.names.states) + columns * program.players + 2

    def _find_way(self, zone: int, seat: int) -> bool | None:
        """Whether the seat sees all cards of a zone, or none, whatever the position; None if it must be asked."""
        shows = self._sight.names.zones[zone][0].shows
        if shows in ("all", "nothing"):
            return shows == "all"
        return seat in self._sight.names.zone_owners[zone] if shows == "owner" else None

    def observe(self, position: Position, seat: int, *, mine: bool, spelt: int) -> list[float]:
        """For each zone how many of each face the seat sees there, and its size; each state it may see, after a 1, else
        two noughts; the totals; whether it is to choose, and how many tokens of its choice are said."""
        faces, sight, players = self._faces, self._sight, self._players
        found: list[float] = []
        empty = [0.0] * self._width
        for zone, (pile, way) in enumerate(zip(position.zones, self._zones[seat], strict=True)):
            if not pile:
                found += empty
                continue
            counts = empty[:]
            counts[-1] = float(len(pile))
            if way:
                for card in pile:
                    counts[faces[card]] += 1
            elif way is None:
                for place, card in enumerate(pile):
                    if includes(sight.mask_place(position, zone, place), seat, players):
                        counts[faces[card]] += 1
            found += counts
        for value, is_seen in zip(position.states, self._states[seat], strict=True):
            if value is None or not is_seen:
                found += [0.0, 0.0]
            else:
                found += [1.0, float(value) if isinstance(value, int) else float(len(value))]
        for row in position.totals:
            found += [float(total) for total in row]
        return [*found, float(mine), float(spelt if mine else 0)]

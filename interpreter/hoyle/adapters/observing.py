"""What a seat sees of a position, as numbers.

In: a position, a seat, what it has said of its choice. Out: an array of numbers, as long for every position of a game.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.view.seeing import includes

if TYPE_CHECKING:
    from hoyle.adapters.encoding import Encoding
    from hoyle.engine.game import Game
    from hoyle.model.position import Position


class Observing:
    """Turns positions of one game into numbers; what does not change is worked out once.

    `faces` says which number of a zone, of `width`, stands for a card; `seen_states` by seat which states it may see;
    `begin_states`, `begin_totals` and `begin_choice` where they stand; `names` what each number is.
    """

    def __init__(self, game: Game, encoding: Encoding) -> None:
        program = game.program
        self.players = program.players
        self.sight = game.executor.effects.sight
        places = {face: at for at, face in enumerate(dict.fromkeys(card.face for card in program.cards))}
        self.faces = [places[card.face] for card in program.cards]
        self.width = len(places) + 1
        self.seen_states = [
            [includes(self.sight.mask_state(index), seat, program.players) for index in range(len(game.names.states))]
            for seat in range(program.players)
        ]
        self._zones = [
            [self._find_way(zone, seat) for zone in range(len(game.names.zones))] for seat in range(program.players)
        ]
        self.begin_states = len(game.names.zones) * self.width
        self.begin_totals = self.begin_states + 2 * len(game.names.states)
        self.begin_choice = self.begin_totals + len(program.columns) * program.players
        self.begin_said = self.begin_choice + 2
        self.size = self.begin_said + encoding.size
        self._blank = array("f", [0.0]) * self.size
        self.names = self._name_numbers(game, encoding)

    def _name_numbers(self, game: Game, encoding: Encoding) -> list[str]:
        """What each number is: `hand of 0: KS`, how many of that face are seen there; `pack: cards`, how many lie
        there; `stake of 1: told`, whether the value of a state is seen and not none, and `stake of 1`, which;
        `said card KS`, how often that token was said of the choice that is being spelt."""
        program, names = game.program, game.names
        faces = {face: card.code for face, card in zip(self.faces, program.cards, strict=True)}.values()
        zones = [names.name_zone(zone) for zone in range(len(names.zones))]
        states = [names.name_state(state) for state in range(len(names.states))]
        return [
            *(f"{zone}: {what}" for zone in zones for what in (*faces, "cards")),
            *(each for state in states for each in (f"{state}: told", state)),
            *(f"{column} of {seat}" for column in program.columns for seat in range(self.players)),
            "to choose",
            "tokens said",
            *(f"said {name}" for name in encoding.names),
        ]

    def _find_way(self, zone: int, seat: int) -> bool | None:
        """Whether the seat sees all cards of a zone, or none, whatever the position; None if it must be asked."""
        mask = self.sight.fixed[zone]
        return None if mask is None else includes(mask, seat, self.players)

    def observe(self, position: Position, seat: int, *, mine: bool, said: Sequence[int]) -> array[float]:
        """For each zone how many of each face the seat sees there, and its size; each state it may see, after a 1, else
        two noughts; the totals; whether it is to choose, how many tokens of its choice are said, and how often
        each: otherwise who says a third card would have forgotten the first."""
        faces, found = self.faces, self._blank[:]
        at = -self.width
        for zone, (pile, way) in enumerate(zip(position.zones, self._zones[seat], strict=True)):
            at += self.width
            if not pile:
                continue
            found[at + self.width - 1] = len(pile)
            seen = pile if way else () if way is False else self.list_seen(position, zone, seat)
            for card in seen:
                found[at + faces[card]] += 1
        at = self.begin_states
        for value, is_seen in zip(position.states, self.seen_states[seat], strict=True):
            if is_seen and value is not None:
                found[at], found[at + 1] = 1, value if isinstance(value, int) else len(value)
            at += 2
        at = self.begin_totals
        for row in position.totals:
            found[at : at + self.players] = array("f", row)
            at += self.players
        if mine:
            found[self.begin_choice], found[self.begin_choice + 1] = 1, len(said)
            for token in said:
                found[self.begin_said + token] += 1
        return found

    def list_seen(self, position: Position, zone: int, seat: int) -> list[int]:
        """The cards of a zone that a seat sees."""
        masks = self.sight.mask_places(position, zone)
        return [
            card for card, mask in zip(position.zones[zone], masks, strict=True) if includes(mask, seat, self.players)
        ]

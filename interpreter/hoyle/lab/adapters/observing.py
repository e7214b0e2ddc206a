"""Observations for other libraries: what a seat sees of a position, as a fixed-length vector. What `hoyle train` and
its policies read is `hoyle.lab.learning.looking`.

In: a position, a seat, the tokens of its choice so far. Out: an array of numbers, of the same length throughout a game.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.play.view.seeing import includes

if TYPE_CHECKING:
    from hoyle.lab.adapters.encoding import Encoding
    from hoyle.play.engine.game import Game
    from hoyle.program.model.position import Position


class Observing:
    """Computes observations of one game, from tables that are built once.

    Each zone takes `width` numbers, and `faces` maps a card to its index there; `seen_states` tells by seat which
    states it may see; `begin_states`, `begin_totals` and `begin_choice` are the offsets of these parts; `names`
    describes each number.
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
        """Name each number: `hand of 0: KS`, the count of visible cards with that face; `pack: cards`, the size of the
        zone; `stake of 1: told`, whether the value of a state is visible and not none, and `stake of 1`, the value;
        `said card KS`, the count of that token in the current choice."""
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
        """Whether the seat always sees the cards of a zone (True) or never (False); None if that depends on the
        position."""
        mask = self.sight.fixed[zone]
        return None if mask is None else includes(mask, seat, self.players)

    def observe(self, position: Position, seat: int, *, mine: bool, said: Sequence[int]) -> array[float]:
        """Compute an observation: for each zone the counts of visible faces and its size; for each state a flag and the
        value, or two zeros if hidden; the totals; whether the seat is to choose; the number of tokens of its choice so
        far, and the count of each. Without the latter, a policy could not tell which cards it has already picked."""
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
        """List the cards of a zone that a seat sees."""
        masks = self.sight.mask_places(position, zone)
        return [
            card for card, mask in zip(position.zones[zone], masks, strict=True) if includes(mask, seat, self.players)
        ]

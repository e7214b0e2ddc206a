"""Observations and choices of one position in Python, as native code makes them for many.

In: what a seat knows: its view of a position, and what it was told. Out: the numbers and tokens that
`hoyle.lab.learning.features` lays out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hoyle.lab.learning.features import (
    A_CARD,
    A_NUMBER,
    A_RANGE,
    A_SEAT,
    A_TEAM,
    A_ZONE,
    BY_CASE,
    CARDS_AT_ONE,
    LADDER,
    MOST_SAID,
    PLACED,
    SPOTS,
    WAYS,
    Features,
    Pick,
    Told,
    find_rung,
    join,
    list_rungs,
    place_number,
)
from hoyle.play.engine.actions import type_of_pick
from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.faults import Fault
from hoyle.program.ir.types import certain
from hoyle.program.model.events import Told as ToldEvent

if TYPE_CHECKING:
    from hoyle.play.engine.legality import Choice
    from hoyle.play.view.seeing import Sight
    from hoyle.program.model.position import Position

Said = tuple[int, tuple[int, ...]]  # who chose, and the tokens of the choice, with seats counted from him


class Looking:
    """Makes the numbers for one program."""

    def __init__(self, features: Features, sight: Sight) -> None:
        self.features = features
        self._sight = sight
        self._names = features.names
        self._cards = {card.code: number for number, card in enumerate(features.program.cards)}
        self._evaluator = Evaluator(features.program)
        self._actions = {action.name: number for number, action in enumerate(features.program.actions)}

    # ---------------------------------------------------------------------------------------------- observations
    def observe(
        self, position: Position, seat: int, exposed: Iterable[int] = (), recent: Sequence[Said] = ()
    ) -> tuple[list[float], set[int]]:
        """What a seat to choose is told, and the cards it sees. `exposed` are cards it has seen since the last shuffle,
        `recent` the last choices that everybody was told, the newest last."""
        features = self.features
        found = [0.0] * features.size
        seen = self._tell_zones(position, seat, found)
        for index, base in features.states[seat].items():
            self._tell_value(features.told[index], position.states[index], seat, found, base)
        for column, row in enumerate(position.totals):
            for other, value in enumerate(row):
                self._tell_value(features.number, value, seat, found, features.totals[seat][column][other])
        _tell_number(position.rounds_played, found, features.rounds_at)
        for card in exposed:
            if card not in seen:
                found[features.exposed_at + features.faces[card]] += 1.0
        decision = features.decisions[position.block]
        if decision >= 0:
            found[features.decisions_at + decision] = 1.0
        self._tell_recent(recent, seat, found)
        for place, number in enumerate(features.common.seats):
            told = self._work_out(position, number)
            if told is not None:
                found[features.common_at + place * features.players + (told - seat) % features.players] = 1.0
        return found, seen

    def _work_out(self, position: Position, number: int, *given: int) -> Any:
        """What a definition is; None where it faults."""
        definition = self.features.program.definitions[number]
        frame = [*given, *[None] * (definition.frame - len(given))]
        try:
            return self._evaluator.evaluate(definition.body, position, frame)
        except Fault:
            return None

    def _tell_zones(self, position: Position, seat: int, found: list[float]) -> set[int]:
        features, seen = self.features, set[int]()
        for zone, (pile, told) in enumerate(zip(position.zones, features.zones[seat], strict=True)):
            found[told.size_at], found[told.size_at + 1] = len(pile) / CARDS_AT_ONE, float(bool(pile))
            way = told.way
            if way == BY_CASE:
                shows = self._sight.list_shown(zone)
                now = self._sight.find_shown(position, zone)
                way = 0 if now not in shows else told.cases[shows.index(now)]
            for place in self._list_places(position, pile, WAYS[way], seat):
                card = pile[place]
                seen.add(card)
                found[told.base + features.faces[card]] += 1.0
                if told.places_at >= 0 and (spot := len(pile) - 1 - place) < PLACED:
                    found[told.places_at + spot * features.faces_many + features.faces[card]] = 1.0
                if told.ends_at >= 0 and place == 0:
                    found[told.ends_at + features.faces[card]] = 1.0
                if told.ends_at >= 0 and place == len(pile) - 1:
                    found[told.ends_at + features.faces_many + features.faces[card]] = 1.0
        return seen

    def _list_places(self, position: Position, pile: Sequence[int], way: str, seat: int) -> Iterable[int]:
        if not pile or way == "nothing":
            return ()
        if way == "top_card":
            return (len(pile) - 1,)
        if way == "face_up":
            return [place for place, card in enumerate(pile) if position.turned[card]]
        if way == "last_holder":
            return [place for place, card in enumerate(pile) if position.holders[card] == seat]
        return range(len(pile))

    def _tell_value(self, told: Told, value: Any, seat: int, found: list[float], base: int) -> None:
        if value is None:
            return
        values: Sequence[Any] = (value,)
        if told.listed:
            values = value
            _tell_number(len(values), found, base)
            base += 3
            if told.kind == A_NUMBER:
                return
        for each in values:
            if told.kind == A_NUMBER:
                _tell_number(int(each), found, base)
                return
            place = -1 if each is None else self._place(told, each, seat)
            if 0 <= place < told.domain:
                found[base + place] += 1.0

    def _place(self, told: Told, value: Any, seat: int) -> int:
        features = self.features
        if told.kind == A_SEAT:
            return int(value - seat) % features.players
        if told.kind == A_TEAM:
            return int(value - features.sides[seat]) % len(set(features.sides))
        if told.kind == A_CARD:
            return features.faces[int(value)]
        if told.kind == A_ZONE:
            return features.relative[seat][int(value)]
        return int(value) - told.low

    def _tell_recent(self, recent: Sequence[Said], seat: int, found: list[float]) -> None:
        features, players = self.features, self.features.players
        for place, (actor, tokens) in enumerate(reversed(recent[-features.recent_many :])):
            base = features.recent_at + place * features.recent_size
            found[base + (actor - seat) % players] = 1.0
            for token in tokens:
                first = features.turns[token]
                if first >= 0:
                    token = first + (token - first + actor - seat) % players
                if features.recent_of[token] >= 0:
                    found[base + players + features.recent_of[token]] += 1.0

    # ---------------------------------------------------------------------------------------------- choices
    def spell(
        self, position: Position, choices: Sequence[Choice], seat: int, known: set[int]
    ) -> tuple[list[list[int]], list[Choice]]:
        """The tokens of choices, and the choices: of one with a number to say, one for each rung. `known` are the cards
        whose faces the seat knows."""
        rows, named = list[list[int]](), list["Choice"]()
        for choice in choices:
            tokens = self._spell_all(position, choice, seat, known)
            marks = self._mark(position, choice, known)
            last = choice[-1] if choice else None
            if not isinstance(last, range):
                rows.append(join(tokens, self.features, marks))
                named.append(choice)
                continue
            base = self.features.picks[choice[0]][-1].base
            for number, rung in list_rungs(len(last)):
                itself = base + LADDER + 1 + find_rung(last[number])
                rows.append(join([*tokens, base + rung, itself], self.features, marks))
                named.append((*choice[:-1], last[number]))
        return rows, named

    def _spell_all(self, position: Position, choice: Choice, seat: int, known: set[int]) -> list[int]:
        features = self.features
        if not choice:
            return [features.decline]
        tokens = [1 + choice[0]]
        for spelt, value in zip(features.picks[choice[0]], choice[1:], strict=True):
            if not isinstance(value, range):
                self._spell_pick(position, spelt, value, seat, known, tokens)
        return tokens

    def _mark(self, position: Position, choice: Choice, known: set[int]) -> list[int]:
        """The tests that the first card of a choice passes, if the seat knows it."""
        features = self.features
        if not choice or not features.common.marks:
            return []
        picked = zip(features.picks[choice[0]], choice[1:], strict=True)
        card = next((value for spelt, value in picked if spelt.told.kind == A_CARD and not spelt.told.listed
                     and value in known), None)  # fmt: skip
        if card is None:
            return []
        passed = (self._work_out(position, number, card) for number in features.common.marks)
        return [features.marks_at + place for place, mark in enumerate(passed) if mark]

    def _spell_pick(
        self, position: Position, spelt: Pick, value: Any, seat: int, known: set[int], tokens: list[int]
    ) -> None:
        told = spelt.told
        for each in value if isinstance(value, tuple) else (value,):
            if each is None:
                place = told.domain - 1
            elif told.kind in (A_NUMBER, A_RANGE):
                place = place_number(int(each))
            elif told.kind == A_CARD and each not in known:
                _, spot = position.find(each)
                place = self.features.faces_many + min(spot, SPOTS - 1)
            else:
                place = self._place(told, each, seat)
            if not 0 <= place < told.domain:
                place = told.domain - 1
            if len(tokens) < self.features.tokens - 1:
                tokens.append(spelt.base + place)

    # ---------------------------------------------------------------------------------------------- what was told
    def list_exposed(self, events: Sequence[ToldEvent]) -> set[int]:
        """The cards a seat was shown since the last shuffle."""
        found: set[int] = set()
        for event in events:
            if event["event"] in ("shuffled", "gathered"):
                found.clear()
            for code in event.get("cards", ()):
                if code in self._cards:
                    found.add(self._cards[code])
        return found

    def list_recent(self, events: Sequence[ToldEvent]) -> list[Said]:
        """The choices of this round that everybody was told, other than of cards."""
        found: list[Said] = []
        for event in events:
            if event["event"] in ("round_began", "round_ended"):
                found.clear()
            if event["event"] != "chose" or event["secret"]:
                continue
            tokens = self._spell_told(event)
            if self.features.recent_of[tokens[0]] >= 0:
                found.append((event["seat"], tuple(tokens)))
        return found[-self.features.recent_many :]

    def _spell_told(self, event: ToldEvent) -> list[int]:
        features = self.features
        number = self._actions.get(event["action"])
        if number is None:
            return [features.decline]
        tokens = [1 + number]
        action = features.program.actions[number]
        for pick, spelt in zip(action.picks, features.picks[number], strict=True):
            for word in str(event["picks"].get(pick.name, "none")).split("+"):
                value = self._read(certain(type_of_pick(pick)), word)
                place = spelt.told.domain - 1
                if value is not None and spelt.is_range:
                    place = LADDER + 1 + find_rung(value)
                elif value is not None and spelt.told.kind == A_NUMBER:
                    place = place_number(value)
                elif value is not None:
                    place = self._place(spelt.told, value, event["seat"])
                tokens.append(spelt.base + (place if 0 <= place < spelt.told.domain else spelt.told.domain - 1))
        return join(tokens, features)[:MOST_SAID]

    def _read(self, kind: Any, word: str) -> int | None:
        """A value from its word; None for none."""
        kind = certain(kind.of) if kind.kind == "list" and kind.of is not None else kind
        if word in ("none", "nothing"):
            return None
        if kind.kind == "enum":
            enum = next(enum for enum in self.features.program.enums if enum.name == kind.name)
            return enum.values.index(word) if word in enum.values else None
        if kind.kind == "truth":
            return int(word == "true")
        if kind.kind == "zone":
            spelt = [self._names.spell_zone(zone) for zone in range(len(self._names.zones))]
            return spelt.index(word) if word in spelt else None
        return self._names.read_number(kind, word)


def _tell_number(number: int, found: list[float], at: int) -> None:
    size, sign = abs(number), -1.0 if number < 0 else 1.0
    found[at] = 1.0
    found[at + 1] = sign * min(size, 256) / 16.0
    found[at + 2] = sign * 0.25 * math.log2(1 + size)

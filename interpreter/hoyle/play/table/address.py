"""Formats text addressed to one seat: player names, `you`, places, verb agreement.

In: a locale, the seat addressed, the names of the players. Out: words and phrases.

A phrase can contain two forms of a word, `play|plays`: the first for the seat addressed, the second for others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from hoyle.play.view.locale import OF_OTHERS, OF_YOU, Locale, choose_form, has_forms
from hoyle.play.view.names import Names
from hoyle.play.view.phrases import DEFAULT
from hoyle.play.view.seeing import UNKNOWN_CARD
from hoyle.program.model.events import Told

_PLACE = re.compile(r"\{(\w+)\}")
_SEAT = re.compile(r"seat (\d+)")
_TEAM = re.compile(r"team (\d+)")
_ZONE = re.compile(r"(?P<name>[\w.]+?)(?: (?P<pile>\d+))?(?: of (?P<owner>.+))?")


class Speaker:
    """Formats text for a seat (None: a spectator) in a language."""

    def __init__(self, locale: Locale, seat: int | None, names: Sequence[str] | None = None) -> None:
        self.locale = locale
        self.seat = seat
        self.names = tuple(names or ())

    # ---------------------------------------------------------------------------------------------- phrases
    def say(self, phrase: str, *, of: int | Collection[int] | None = None, **parts: object) -> str:
        """Format a phrase; its verbs agree with `of`, the seat or seats that are its subject."""
        return self.fill(self.locale.get_phrase(phrase), of, **parts)

    def fill(self, template: str, of: int | Collection[int] | None, **parts: object) -> str:
        """Fill in a template, with verbs that agree with `of`. Templates can come from untrusted rule files: only known
        `{name}` placeholders are replaced, never `str.format` syntax."""
        chosen = choose_form(template, self._form(of))
        return _PLACE.sub(lambda found: str(parts.get(found[1], found[0])), chosen)

    def _form(self, of: int | Collection[int] | None) -> int:
        if not isinstance(of, Collection):
            return OF_YOU if of is not None and of == self.seat else OF_OTHERS
        return OF_YOU if len(of) > 1 or self.seat in of else OF_OTHERS  # plural as in `you play`: `Robin and Wren play`

    def begin(self, text: str) -> str:
        """Capitalize the first letter of a text."""
        return text[:1].upper() + text[1:]

    # ---------------------------------------------------------------------------------------------- players
    def name(self, seat: int) -> str:
        """Name a seat in the third person: the player's name, or else `seat 1`."""
        return self.names[seat] if seat < len(self.names) else self.locale.say("seat", seat=seat)

    def who(self, seat: int | None) -> str:
        if seat is None:
            return self.locale.say("nobody")
        return self.locale.say("you") if seat == self.seat else self.name(seat)

    def list_seats(self, seats: Iterable[int]) -> str:
        return self.locale.join([self.who(seat) for seat in seats])

    # ---------------------------------------------------------------------------------------------- places and cards
    def place(self, written: str, actor: int | None = None) -> str:
        """Format a zone written as in events, `surplus 2 of 1`: `your surplus 2`, `Robin's surplus 2`, or `surplus 2`
        and `the hand` if its owner is the actor of the sentence."""
        found = _ZONE.fullmatch(written)
        assert found is not None
        name = self.locale.zone(found["name"])
        numbered = self.locale.say("numbered", name=name, number=found["pile"]) if found["pile"] else name
        if found["owner"] is None:
            return numbered if found["pile"] else self.locale.say("the", name=name)
        if found["name"] not in self.locale.of_seats:
            return self.whose(numbered, found["owner"])
        owner = int(found["owner"])
        if owner == actor and owner != self.seat:
            return numbered if found["pile"] else self.locale.say("the", name=name)
        return self.whose(numbered, owner)

    def whose(self, name: str, owner: int | str | None) -> str:
        """Format a name with its owner: `your hand`, `Robin's hand`, `your side's tricks`, `the Sequence space`, `row
        1`; the name alone without an owner."""
        if owner is None:
            return name
        if isinstance(owner, str) and (held := self._split_owner(owner)) is not None:
            return self.whose(self.locale.say("valued", name=name, value=held[1]), held[0])
        if isinstance(owner, str) and (team := _TEAM.fullmatch(owner)):
            seats = [seat for seat, side in enumerate(self.locale.program.teams) if side == int(team[1])]
            if len(seats) > 1:
                phrase = "of_your_side" if self.seat in seats else "whose"
                return self.locale.say(phrase, name=name, who=self.locale.join([self.name(seat) for seat in seats]))
            owner = seats[0]
        if isinstance(owner, str):
            value = self.owner(owner)
            if value.isdecimal():  # `row 1`: a number follows the name
                return self.locale.say("numbered", name=name, number=value)
            return self.locale.say("value_name", name=name, value=value)
        if owner == self.seat:
            return self.locale.say("yours", name=name)
        return self.locale.say("whose", name=name, who=self.name(owner))

    def _split_owner(self, written: str) -> tuple[int | str, str] | None:
        """Split the key of a member of a seat or team, `(seat 1, hearts)`, into whose it is and the value; None for any
        other key."""
        parts = written.strip("()").split(", ")
        holder = next((part for part in parts if _SEAT.fullmatch(part) or _TEAM.fullmatch(part)), None)
        if holder is None:
            return None
        seat = _SEAT.fullmatch(holder)
        value = ", ".join(self._owner_part(part) for part in parts if part != holder)
        return (int(seat[1]) if seat else holder, value) if value else None

    def owner(self, written: str) -> str:
        """Format the key of a family member: `hearts`, `you and Robin, K`."""
        return ", ".join(self._owner_part(part) for part in written.strip("()").split(", "))

    def member(self, owner: int | str | None) -> str:
        """Format the key of a family member without an owning player: `hearts`; empty for all others."""
        if not isinstance(owner, str) or _TEAM.search(owner) or _SEAT.search(owner):
            return ""
        return self.owner(owner)

    def _owner_part(self, part: str) -> str:
        if found := _TEAM.fullmatch(part):
            teams = self.locale.program.teams
            return self.list_seats(seat for seat, team in enumerate(teams) if team == int(found[1]))
        found = _SEAT.fullmatch(part)
        return self.who(int(found[1])) if found else self.locale.value(part)

    def list_cards(self, cards: Iterable[str]) -> str:
        """List cards, counting unknown ones: `C7, C8 and 2 cards`."""
        cards = list(cards)
        known = [self.locale.card(card) for card in cards if card != UNKNOWN_CARD]
        hidden = len(cards) - len(known)
        return self.locale.join([*known, *([self.locale.count_cards(hidden)] if hidden else [])])

    def value(self, text: str) -> str:
        """Format a value as views and events write it, with the names of players."""
        parts = []
        for part in text.split(", "):
            seat = _SEAT.fullmatch(part)
            zone = _ZONE.fullmatch(part)
            if seat:
                parts.append(self.who(int(seat[1])))
            elif _TEAM.fullmatch(part):
                parts.append(self._owner_part(part))
            elif zone and (zone["pile"] or zone["owner"]) and zone["name"] in self.zone_names:
                parts.append(self.place(part))
            else:
                parts.append(_in_words(self.locale.loose(part)))
        return self.locale.join(parts)

    def pick(self, word: str) -> str:
        """Format one part of a pick, a card or a value."""
        return _in_words(self.locale.pick(word))

    def announced(self, event: Told) -> str:
        """Format an announcement. Seats in its placeholders appear by name, the same for every listener; but if it has
        two-form verbs, `{seat} have|has passed`, the listener is `you`, and the verbs agree with the first seat."""
        text, values = str(event["text"]), event.get("values", {})
        if not values:
            return self.value(text)
        named = (_SEAT.fullmatch(values.get(place, "")) for place in _PLACE.findall(text))
        first = next((int(seat[1]) for seat in named if seat), None)
        call = self.who if has_forms(text) else self.name

        def word(value: str) -> str:
            seat = _SEAT.fullmatch(value)
            return call(int(seat[1])) if seat else self.value(value)

        return self.locale.announced(event, word, self._form(first))

    @cached_property
    def zone_names(self) -> frozenset[str]:
        return frozenset(zone.name for zone in self.locale.program.zones)

    def read_place(self, word: str) -> str | None:
        """Convert a zone id to the form used in events: `surplus2.1` to `surplus 2 of 1`; None if it is no zone."""
        return self._places.get(word)

    @cached_property
    def _places(self) -> dict[str, str]:
        names = Names(self.locale.program)
        return {names.spell_zone(zone): names.name_zone(zone) for zone in range(len(names.zones))}

    # ---------------------------------------------------------------------------------------------- verbs
    def verb(self, action: str, seat: int) -> str:
        """Conjugate the label of an action for a seat: `plays`, `lays away`; other languages use the plain label."""
        label = self.locale.action(action)
        if seat == self.seat or self.locale.language != DEFAULT:
            return label
        first, space, rest = label.partition(" ")
        return conjugate(first) + space + rest


def _in_words(text: str) -> str:
    """Format an identifier of the rule file as words."""
    return text.replace("_", " ") if text.isidentifier() else text


def conjugate(verb: str) -> str:
    """Form the third person singular of an English verb.

    >>> [conjugate(verb) for verb in ("play", "pass", "go", "carry", "show")]
    ['plays', 'passes', 'goes', 'carries', 'shows']
    """
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"

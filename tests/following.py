"""An independent model of what a seat knows about cards, from its views and events.

In: a program, a seat (None: a spectator), the events as told to it and its views, in match order. Out: for every place
the card that the seat knows to be there, and the cards it knows to be somewhere in a zone; and a position with all
other cards permuted.

It shares no code with the knowledge that bots get (`hoyle.play.beliefs.known_cards`), knows no rules and trusts no
declarations: a card is known where it was seen, as long as its moves were observed; a shuffle or a cut forgets places.
When a card leaves a zone and the seat cannot tell which, it no longer knows the places of the others. Cards are
distinguished by their codes, as for players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hoyle.language.analyse.showing import single
from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import UNKNOWN_CARD, Sight, View, filter_event, includes
from hoyle.program.ir.nodes import Decide, Program, Show
from hoyle.program.ir.types import Type, certain
from hoyle.program.model.chance import shuffled
from hoyle.program.model.events import Event
from hoyle.program.model.offences import rename_cards
from hoyle.program.model.position import Position
from hoyle.program.words import Op, applies

Told = dict[str, Any]
MOST_KEPT = 40
_SIGHTS: dict[int, tuple[Program, Sight]] = {}


def look_up_sight(program: Program) -> Sight:
    """Who sees what in a program: made once for the programs asked for last."""
    if id(program) not in _SIGHTS:
        if len(_SIGHTS) > 3:
            _SIGHTS.clear()
        _SIGHTS[id(program)] = program, Sight(program)
    return _SIGHTS[id(program)][1]


@dataclass(slots=True)
class KnownZone:
    """Knowledge about a zone: the code at each place, bottom to top, None if unknown, and the cards known to be among
    the unknown places."""

    places: list[str | None] = field(default_factory=list)
    among: Counter[str] = field(default_factory=Counter)

    def copy(self) -> KnownZone:
        return KnownZone(list(self.places), Counter(self.among))

    def mix(self) -> None:
        """Forget the order of the cards."""
        self.among.update(code for code in self.places if code is not None)
        self.places = [None] * len(self.places)

    def forget(self) -> None:
        """Forget places and cards."""
        self.places = [None] * len(self.places)
        self.among.clear()

    def take(self, code: str | None) -> str | None:
        """Remove a card, of which the seat sees `code` (None: hidden); return what the seat knows it to be."""
        if code is not None and code in self.places:
            place = len(self.places) - 1 - self.places[::-1].index(code)
            return self.places.pop(place)
        unknown = [place for place, held in enumerate(self.places) if held is None]
        if code is not None:
            self.among -= Counter([code])
        if code is None or not unknown:  # it could be any of them
            self.forget()
            self.places = self.places[:-1]
            return code
        without = {tuple(self.places[:place] + self.places[place + 1 :]) for place in unknown}
        if len(without) > 1:
            self.mix()
            unknown = [0]
        del self.places[unknown[-1]]
        return code

    def take_top(self, code: str | None) -> str | None:
        """Remove the top card."""
        known = self.places.pop() if self.places else None
        if known is None and code is not None:
            self.among -= Counter([code])
        elif known is None and code is None and self.among:
            self.among.clear()  # one of them may have left
        return code or known


class Knowledge:
    """The knowledge of a seat, fed with its events and views in order."""

    def __init__(self, program: Program, seat: int | None) -> None:
        self.program = program
        self.seat = seat
        names = look_up_sight(program).names
        self._names = names
        self._numbers = {names.name_zone(zone): zone for zone in range(len(names.zones))}
        self._deck: list[str | None] = [card.code for card in program.cards]
        self.zones = [KnownZone() for _ in names.zones]
        self.zones[program.zones[program.start_zone].base].places = list(self._deck)
        # The rules are known to all: where they show the top card of a zone, it is that.
        shows = [one for block in program.blocks for one in block.instructions if isinstance(one, Show)]
        of_top = {one.clause for one in shows if applies(single(one.cards), Op.TOP)}
        self._tops = of_top - {one.clause for one in shows if not applies(single(one.cards), Op.TOP)}
        self._before: list[tuple[int, str, list[KnownZone]]] = []  # recent choices: seat, action, zones before

    def follow(self, events: Iterable[Event], view: View) -> None:
        """Process new events, then the current view."""
        for event in events:
            told = filter_event(self.program, event, self.seat, self._names)
            if told is not None:
                self.hear(told | {"top": True} if event.clause in self._tops else told)
        self.look(view)

    def knows(self, position: Position) -> list[list[bool]]:
        """Return, for each zone and place, whether the seat knows the card there."""
        return [
            [code is not None for code in known.places] if len(known.places) == len(pile) else [False] * len(pile)
            for known, pile in zip(self.zones, position.zones, strict=True)
        ]

    # ---------------------------------------------------------------------------------------------- views
    def look(self, view: View) -> None:
        """Learn the cards visible in a view."""
        for known, seen in zip(self.zones, view.zones, strict=True):
            if len(known.places) != len(seen.cards):
                known.forget()
                known.places = [None] * len(seen.cards)
            for place, code in enumerate(seen.cards):
                if code is not None and known.places[place] != code:
                    if known.places[place] is None:
                        known.among -= Counter([code])
                    known.places[place] = code

    # ---------------------------------------------------------------------------------------------- events
    def hear(self, told: Told) -> None:
        """Process one event, as told to the seat."""
        change = getattr(self, f"_{told['event']}", None)
        if change is not None:
            change(told)

    def _zone(self, name: str) -> KnownZone:
        return self.zones[self._numbers[name]]

    def _gathered(self, told: Told) -> None:
        for known in self.zones:
            known.places, known.among = [], Counter()
        self._zone(told["zone"]).places = list(self._deck)

    def _shuffled(self, told: Told) -> None:
        self._zone(told["zone"]).mix()

    _cut = _shuffled

    def _turned_over(self, told: Told) -> None:
        self._zone(told["zone"]).places.reverse()

    def _swapped(self, told: Told) -> None:
        first, second = (self._numbers[name] for name in told["zones"])
        self.zones[first], self.zones[second] = self.zones[second], self.zones[first]

    def _dealt(self, told: Told) -> None:
        source = self._zone(told["source"])
        for code, target in zip(told["cards"], told["to"], strict=True):
            self._zone(target).places.append(source.take_top(_known(code)))

    def _moved(self, told: Told) -> None:
        sources: list[str] = told["source"]
        leaving = Counter(sources)
        emptied = [self._zone(name) for name in leaving if leaving[name] == len(self._zone(name).places)]
        along: Counter[str] = Counter()  # cards known to be among those that leave a zone completely
        for zone in emptied:
            zone.mix()
            along += zone.among
        moved = [
            self._zone(source).take(_known(code)) for code, source in zip(told["cards"], told["source"], strict=True)
        ]
        target = self._zone(told["zone"])
        at = 0 if told["bottom"] else len(target.places)
        target.places[at:at] = moved
        target.among += along - Counter(code for code in moved if code is not None)
        for zone in emptied:
            zone.among.clear()

    def _shown(self, told: Told) -> None:
        """Learn that shown cards are in their zone; and their places, if the whole zone was shown."""
        by_zone: dict[str, list[str]] = {}
        for code, source in zip(told["cards"], told["source"], strict=True):
            if _known(code) is not None:
                by_zone.setdefault(source, []).append(code)
        for name, codes in by_zone.items():
            known = self._zone(name)
            if "top" in told and known.places:
                known.among -= Counter(codes)
                known.places[-1] = codes[-1]
            elif len(codes) == len(known.places):
                known.places, known.among = list(codes), Counter()
            else:
                placed = Counter(code for code in known.places if code is not None)
                known.among |= Counter(codes) - placed

    def _chose(self, told: Told) -> None:
        """Remember the knowledge before a choice, in case it is taken back."""
        if self.program.called:
            kept = [zone.copy() for zone in self.zones]
            self._before = [*self._before[1 - MOST_KEPT :], (told["seat"], told["action"], kept)]

    def _taken_back(self, told: Told) -> None:
        """Restore the knowledge from before the offender's latest choice that can have broken the rule; of a step, the
        event tells all that lies otherwise than before."""
        if "step" in told:
            for name in set(told["to"]):
                self._zone(name).forget()
                self._zone(name).places.clear()
            for code, name in zip(told["cards"], told["to"], strict=True):
                self._zone(name).places.append(_known(code))
            for name in set(told["source"]) - set(told["to"]):
                self._zone(name).forget()
                self._zone(name).places.clear()
            return
        own = [(action, kept) for seat, action, kept in self._before if seat == told["seat"]]
        fitting = [kept for action, kept in own if told["broke"].startswith(f"actions.{action}.")]
        if own:
            self.zones = [zone.copy() for zone in (fitting[-1] if fitting else own[-1][1])]


def _known(code: str) -> str | None:
    return None if code == UNKNOWN_CARD else code


# ------------------------------------------------------------------------------------------------ relabelling
@dataclass(frozen=True, slots=True)
class Known:
    """The cards of a position whose place is known, and those of which only the zone is known."""

    placed: frozenset[int]
    zoned: frozenset[int] = frozenset()

    def joined(self, other: Known) -> Known:
        """Combine the knowledge of two."""
        placed = self.placed | other.placed
        return Known(placed, (self.zoned | other.zoned) - placed)


def list_known(knowledge: Knowledge, position: Position) -> Known:
    """List the cards that a seat knows, by place, by zone, or by a state that it sees."""
    found = _list_named(knowledge.program, position, knowledge.seat)
    zoned: set[int] = set()
    names = look_up_sight(knowledge.program).names
    shown = knowledge.knows(position)
    for pile, known, zone in zip(position.zones, shown, knowledge.zones, strict=True):
        among = zone.among.copy()
        for card, is_known in zip(pile, known, strict=True):
            code = names.name_card(card)
            if is_known:
                found.add(card)
            elif among[code] > 0:
                among[code] -= 1
                zoned.add(card)
    return Known(frozenset(found), frozenset(zoned - found))


def relabel(program: Program, position: Position, known: Known, random_state: int) -> Position:
    """Permute the cards whose place is unknown: first the wholly unknown ones among all zones, then those known by zone
    within it. A card known by zone that a name stands for stays: the name may be of this card, or of its place."""
    of_cards = [value for local, value in zip(program.slots, position.slots, strict=True) if holds_cards(local.type)]
    named = {card for value in of_cards for card in (value if isinstance(value, tuple) else (value,))}
    known = Known(known.placed | (known.zoned & named), known.zoned - named)
    fixed = known.placed | known.zoned
    hidden = [card for pile in position.zones for card in pile if card not in fixed]
    random_state, others = shuffled(random_state, hidden)
    becomes = dict(zip(hidden, others, strict=True))
    for pile in position.zones:
        loose = [card for card in pile if card not in known.placed]
        if not known.zoned.isdisjoint(loose):
            now = [becomes.get(card, card) for card in loose]
            random_state, mixed = shuffled(random_state, now)
            becomes |= dict(zip(loose, mixed, strict=True))
    changed = position.copy()
    changed.zones = [[becomes.get(card, card) for card in pile] for pile in position.zones]
    if position.holders:  # the last holder belongs to the place, since the card is unknown
        for card, other in becomes.items():
            changed.holders[other] = position.holders[card]
    states = look_up_sight(program).names.states
    kinds = [state.type for state, _ in states]

    def rename_states(values: Sequence[Any]) -> list[Any]:
        return [_rename(kind, value, becomes) for kind, value in zip(kinds, values, strict=True)]

    changed.states = rename_states(position.states)
    changed.offence = rename_cards(position.offence, becomes, rename_states)
    stores = {block.end.store for block in program.blocks if isinstance(block.end, Decide)}
    for index, local in enumerate(program.slots):
        value = position.slots[index]
        if index in stores:
            changed.slots[index] = value and tuple(_rename_choice(program, choice, becomes) for choice in value)
        else:
            changed.slots[index] = _rename(local.type, value, becomes)
    return changed


def _list_named(program: Program, position: Position, seat: int | None) -> set[int]:
    """Return the cards in states that the seat may see."""
    sight = look_up_sight(program)
    found: set[int] = set()
    for index, (state, _) in enumerate(sight.names.states):
        value = position.states[index]
        if value is not None and holds_cards(state.type) and includes(sight.mask_state(index), seat, program.players):
            found.update(value if isinstance(value, tuple) else (value,))
    return found


def _rename(kind: Type, value: Any, becomes: dict[int, int]) -> Any:
    kind = certain(kind)
    if value is None or not holds_cards(kind):
        return value
    if isinstance(value, tuple):
        return tuple(_rename(kind.of or kind, part, becomes) for part in value)
    return becomes.get(value, value)


def _rename_choice(program: Program, choice: tuple[Any, ...], becomes: dict[int, int]) -> tuple[Any, ...]:
    if not choice:
        return choice
    picks = program.actions[choice[0]].picks
    return (choice[0], *(_rename(pick.type, value, becomes) for pick, value in zip(picks, choice[1:], strict=True)))

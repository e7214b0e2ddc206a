"""The menu of a seat: its legal actions, structured so that a choice can be built piece by piece, card by card.

In: a decision of a match. Out: a `Menu`; and for a partial selection, the ways that complete it (`Picking`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.actions import type_of_pick
from hoyle.play.engine.legality import DECLINED
from hoyle.play.engine.offering import Choice, is_bundle, list_entries, list_members, size_of
from hoyle.play.table.address import Speaker
from hoyle.play.table.costing import Costs
from hoyle.play.table.handles import find_handles, find_receiver
from hoyle.play.table.model import Act, Group, Item, Menu, Move, PickKind, Slot, Way, Zone
from hoyle.play.table.numbered_cards import Places
from hoyle.play.table.why_not import find_ranking
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type, certain
from hoyle.program.model.groups import Groups

if TYPE_CHECKING:
    from hoyle.play.engine.game import Decision, Match

_KINDS: dict[str, PickKind] = {"card": "card", "zone": "zone", "seat": "seat", "number": "number"}
MOST_TRIED = 6  # actions with more ways than this show no costs: each cost applies the action to a copy of the match
Key = tuple[Type, Any]


def make_menu(
    match: Match, decision: Decision, zones: Sequence[Zone], speaker: Speaker, costs: Costs, places: Places
) -> Menu:
    """Build the menu of a decision. Its items are ordered as the zones and their cards are shown."""
    return _Maker(match, decision, zones, speaker, costs, places).make()


@dataclass(slots=True)
class _Maker:
    match: Match
    decision: Decision
    zones: Sequence[Zone]
    speaker: Speaker
    costs: Costs
    places: Places

    def make(self) -> Menu:
        program = self.match.game.program
        found: dict[Key, Item] = {}
        by_action: dict[int, list[tuple[int, Choice, list[list[Key]]]]] = {}
        decline, place = None, 0
        for choice in list_entries(self.decision.choices):
            if choice == DECLINED:
                decline = place
                break
            declared = program.actions[choice[0]]
            picks = []
            for pick, value in zip(declared.picks, choice[1:], strict=True):
                keys = [] if isinstance(value, range) else self._list_keys(type_of_pick(pick), value)
                for key in keys:
                    if key not in found:
                        found[key] = self._make_item(key)
                picks.append(keys)
            by_action.setdefault(choice[0], []).append((place, choice, picks))
            place += size_of(choice)
        counted = {action: self._find_counted(action, ways) for action, ways in by_action.items()}
        for action, zone in counted.items():
            if zone is not None:
                for _, choice, picks in by_action[action]:
                    for key in picks[0]:
                        found[key] = replace(found[key], zone=zone.id, places=(zone.size - choice[1],))
        moved = self._find_handles(by_action)
        ordered = sorted(found, key=lambda key: self._rank(key, found[key]))
        numbers = {key: number for number, key in enumerate(ordered)}
        items = tuple(found[key] for key in ordered)
        acts = tuple(
            self._make_act(action, ways, numbers, items, counted[action], moved) for action, ways in by_action.items()
        )
        return Menu(self.match.count_told(self.decision.seat), items, acts, decline, self.decision.window)

    def _make_act(
        self,
        action: int,
        ways: list[tuple[int, Choice, list[list[Key]]]],
        numbers: dict[Key, int],
        items: Sequence[Item],
        counted: Zone | None,
        moved: dict[int, Move],
    ) -> Act:
        program, locale = self.match.game.program, self.speaker.locale
        declared = program.actions[action]
        made = []
        label = locale.action(declared.name)
        for place, choice, picks in ways:
            places = tuple(tuple(sorted(numbers[key] for key in keys)) for keys in picks)
            last = choice[-1] if picks else None
            if is_bundle(choice):
                group = _make_group(choice[-1], tuple(numbers[key] for key in picks[-1]))
                fixed = (*places[:-1], ())
                made.append(Way(place, fixed, self._say_group(label, fixed, group, items), group=group))
                continue
            bounds = (last[0], last[-1]) if isinstance(last, range) else None
            note = self._say_cost(place) if bounds is None and len(ways) <= MOST_TRIED else ""
            zone = counted.id if counted is not None and bounds is not None else ""
            text = self._say_way(label, places, items, bounds)
            made.append(Way(place, places, text, bounds, note=note, zone=zone, moved=moved.get(place)))
        return Act(
            declared.name,
            locale.action(declared.name),
            locale.message(declared.text),
            program.clauses[declared.clause].cite,
            tuple(_make_slot(pick, locale.value(pick.name)) for pick in declared.picks),
            tuple(sorted(made, key=lambda way: way.picks)),
            self._find_receiver(ways, made),
        )

    def _find_receiver(self, ways: list[tuple[int, Choice, list[list[Key]]]], made: Sequence[Way]) -> int | None:
        """Who gets the cards that are picked, other than the seat itself."""
        owners = {zone.id: zone.owner for zone in self.zones}
        targets = {owners.get(zone) for way in made if way.moved is not None for zone in way.moved.target}
        if len(targets) == 1 and all(way.moved is not None for way in made):
            found = next(iter(targets))
            if found is not None and found != self.decision.seat:
                return found
        offered = self.decision.actions
        first, (last, choice, _) = ways[0][0], ways[-1]
        return find_receiver(self.match, (offered[first], offered[last + size_of(choice) - 1]))

    def _find_handles(self, by_action: dict[int, list[tuple[int, Choice, list[list[Key]]]]]) -> dict[int, Move]:
        """Find what each choice without an open number or group moves."""
        offered = self.decision.actions
        whole = [place for ways in by_action.values() for place, choice, _ in ways if not is_bundle(choice)]
        tried = ((place, offered[place]) for place in whole)
        return find_handles(self.match, ((place, each) for place, each in tried if each.number is None), self.zones)

    def _find_counted(self, action: int, ways: list[tuple[int, Choice, list[list[Key]]]]) -> Zone | None:
        """Find the zone of face-down cards of which the action takes the card at the place given by its number, if its
        only pick is such a number."""
        picks = self.match.game.program.actions[action].picks
        if len(picks) != 1 or (type_of_pick(picks[0]).kind, type_of_pick(picks[0]).name) != ("number", ""):
            return None
        tried = {}
        for place, choice, _ in ways:
            offered, said = self.decision.actions[place], choice[1]
            for number in (said[0], said[-1]) if isinstance(said, range) else (said,):
                tried[number] = offered.with_number(number) if isinstance(said, range) else offered
        found = self.places.find(self.match, tried)
        zone = self.match.game.names.spell_zone(found) if found is not None else None
        return next((each for each in self.zones if each.id == zone and not any(each.cards)), None)

    def _say_cost(self, place: int) -> str:
        cost = self.costs.find(self.match, place)
        return self.speaker.say("costs", amount=cost) if cost else ""

    def _say_group(
        self, label: str, picks: tuple[tuple[int, ...], ...], group: Group, items: Sequence[Item]
    ) -> str:
        """Format a way whose group is still to be picked: `give 1-4 of 7C 8C 8D`."""
        count = str(group.low) if group.low == group.high else f"{group.low}-{group.high}"
        texts = dict.fromkeys(items[item].text for item in sorted(group.items))
        return f"{self._say_way(label, picks, items, None)} {count} of {' '.join(texts)}"

    def _say_way(
        self,
        label: str,
        picks: tuple[tuple[int, ...], ...],
        items: Sequence[Item],
        bounds: tuple[int, int] | None,
    ) -> str:
        """Format a way: cards in display order, with their zone unless it is the seat's own hand."""
        words = [label]
        picked = [items[number] for pick in picks for number in pick]
        for zone, run in groupby(picked, lambda item: item.zone if item.kind == "card" else None):
            together = list(run)
            if zone is not None and not self._is_hand(zone):
                place = self.speaker.place(str(self.speaker.read_place(zone)), self.decision.seat)
                words.append(self.speaker.say("lying", card=" ".join(item.text for item in together), place=place))
                continue
            for item in together:
                words.append(self.speaker.say("onto", place=item.text) if item.kind == "zone" else item.text)
        if bounds is not None:
            words.append(f"{bounds[0]}..{bounds[1]}" if bounds[0] < bounds[1] else str(bounds[0]))
        return " ".join(words)

    def _is_hand(self, zone: str) -> bool:
        return any(each.id == zone and each.form == "fan" and each.owner == self.decision.seat for each in self.zones)

    def _list_keys(self, kind: Type, value: Any) -> list[Key]:
        """Split the value of a pick into the keys of its items; a list has several."""
        if kind.kind == "list" and kind.of is not None:
            return [(certain(kind.of), part) for part in list_members(value)]
        return [(kind, value)]

    def _make_item(self, key: Key) -> Item:
        kind, value = key
        names, position, locale = self.match.game.names, self.match.position, self.speaker.locale
        if kind.kind == "card":
            zone, _ = position.find(value)
            code, place = names.name_card(value), names.spell_zone(zone)
            seen = next((each for each in self.zones if each.id == place), None)
            places = tuple(at for at, card in enumerate(seen.cards) if card == code) if seen else ()
            return Item("card", locale.card(code), code, card=code, zone=place, places=places)
        if kind.kind == "zone":
            word = names.spell_zone(value)
            text = self.speaker.place(names.name_zone(value))
            if names.number_pile(value) and not position.zones[value]:
                text = self.speaker.say("new_pile", name=locale.zone(names.zones[value][0].name))
            return Item("zone", text, word, zone=word)
        if kind.kind == "seat":
            return Item("seat", self.speaker.who(value), str(value), seat=value)
        word = names.spell_value(kind, value)
        if kind.kind == "number" and not kind.name:
            return Item("number", word, word)
        text = self.speaker.owner(names.name_value(kind, value)) if kind.kind == "team" else locale.value(word)
        ranking = find_ranking(kind, self.match.game.program)
        if ranking is None:
            return Item("value", text, word)
        return Item("value", text, word, attribute=ranking.name, value=str(value))

    def _rank(self, key: Key, item: Item) -> tuple[Any, ...]:
        """Sort key of an item: cards in display order, then zones, seats, values and numbers, each by value."""
        kinds = ("card", "zone", "seat", "value", "number")
        places = {zone.id: number for number, zone in enumerate(self.zones)}
        zone = places.get(item.zone or "", len(places))
        shown = 0
        if item.kind == "card" and item.places:
            order = self.zones[zone].order
            shown = min(order.index(place) for place in item.places)
        value = key[1] if isinstance(key[1], int) else 0
        return kinds.index(item.kind), zone, shown, value


def _make_slot(pick: ir.Pick, label: str) -> Slot:
    kind = type_of_pick(pick)
    many = kind.kind == "list"
    inner = certain(kind.of) if kind.of is not None else kind
    return Slot(pick.name, label, _KINDS.get(inner.kind, "value"), many)


def _make_group(groups: Groups, items: tuple[int, ...]) -> Group:
    kinds = {key: number for number, key in enumerate(dict.fromkeys(groups.keys))}
    return Group(items, tuple(kinds[key] for key in groups.keys), groups.low, groups.high)


# ------------------------------------------------------------------------------------------------ picking
@dataclass(frozen=True, slots=True)
class Picking:
    """A partial selection: the ways compatible with it, the items that any of them adds, and the way that it completes
    exactly, if any."""

    ways: tuple[tuple[Act, Way], ...]
    items: tuple[int, ...]
    complete: tuple[Act, Way] | None


def narrow(menu: Menu, picked: Sequence[int], act: str | None = None) -> Picking:
    """Narrow a menu to what is compatible with the items picked so far, in any order, and with action `act`, if given.
    Items are counted: one that two picks of an action need is picked twice."""
    wanted = Counter(picked)
    ways = []
    items: set[int] = set()
    complete = None
    for each in menu.acts:
        if act is not None and each.name != act:
            continue
        for way in each.ways:
            held = _count_items(way)
            rest = wanted - held
            grouped = set(way.group.items) if way.group is not None else set()
            most = way.group.high if way.group is not None else 0
            if rest.total() > most or not rest <= Counter(grouped):
                continue
            ways.append((each, way))
            items |= (held - wanted).keys()
            if rest.total() < most:
                items |= grouped - rest.keys()
            whole = complete_way(menu, each, way, picked) if held <= wanted else None
            if whole is not None and complete is None:
                complete = (each, whole)
    return Picking(tuple(ways), tuple(sorted(items)), complete)


def complete_way(menu: Menu, act: Act, way: Way, picked: Iterable[int]) -> Way | None:
    """Return the way with its group resolved to the items picked beyond the way's fixed ones; None if items are left
    over or form no valid group. The fixed items of the way are not required to be picked."""
    rest = Counter(picked) - _count_items(way)
    if way.group is None:
        return way if not rest else None
    groups, places = _list_places(way.group), {item: place for place, item in enumerate(way.group.items)}
    if not rest.keys() <= places.keys():
        return None
    found = groups.find(tuple(places[item] for item in rest.elements()))
    return None if found is None else _spell_group(menu, act, way, groups.index(found), found)


def _count_items(way: Way) -> Counter[int]:
    return Counter(item for pick in way.picks for item in pick)


def find_way(menu: Menu, place: int) -> tuple[Act, Way] | None:
    """Find the way for the index of an offered action, with its group resolved."""
    for act in menu.acts:
        for way in act.ways:
            if way.group is None:
                if way.choice == place:
                    return act, way
                continue
            groups = _list_places(way.group)
            if way.choice <= place < way.choice + groups.total:
                return act, _spell_group(menu, act, way, place - way.choice, groups[place - way.choice])
    return None


def find_group(menu: Menu, place: int, items: Sequence[int]) -> int | None:
    """Return the index of the offered action that is the way with `choice == place` and these items as its group."""
    for act in menu.acts:
        for way in act.ways:
            if way.choice == place and way.group is not None and len(set(items)) == len(items):
                whole = complete_way(menu, act, way, [*items, *(item for pick in way.picks for item in pick)])
                return None if whole is None else whole.choice
    return None


def _list_places(group: Group) -> Groups:
    return Groups(range(len(group.items)), group.keys, group.low, group.high)


def _spell_group(menu: Menu, act: Act, way: Way, number: int, places: Sequence[int]) -> Way:
    assert way.group is not None
    items = tuple(sorted(way.group.items[place] for place in places))
    words = [act.label, *(menu.items[item].text for pick in (*way.picks, items) for item in pick)]
    return replace(
        way, choice=way.choice + number, picks=(*way.picks[:-1], items), text=" ".join(words), group=None
    )

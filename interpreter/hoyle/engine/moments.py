"""What others could not have held, seen from what they chose.

In: the choices of a round with the positions they were made in, and what a seat does not know. Out: for each card it
does not know which cards it cannot be. Who plays another suit than he should follow has none of it; who passes though
he would have had to play has nothing to play.

Nothing here knows a rule. A choice is tried again in its position with all that the seat does not know taken out of
what the chooser saw. If it is legal so, and not with one card more, then the chooser had not that card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hoyle.engine.faults import Fault
from hoyle.engine.legality import Choice, is_permitted
from hoyle.engine.limits import measure_value
from hoyle.ir.types import certain
from hoyle.view.names import holds_cards

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.model.position import Position

MOST_KEPT = 60  # choices looked back at
MOST_HELD = 10_000  # elements of the lists of a position that is kept
Barred = Mapping[int, frozenset[int]]  # which cards a card that is not known cannot be


class Moment(NamedTuple):
    """A choice, who made it, the position before it, which nobody changes any more, and the zones into which cards came
    by it."""

    position: Position
    seat: int
    choice: Choice
    entered: frozenset[int]


class Moments:
    """The last choices of a round."""

    def __init__(self) -> None:
        self._kept: list[Moment] = []
        self._rename: Callable[[Position], Position] | None = None

    def note(self, position: Position, seat: int, choice: Choice, after: Position) -> None:
        """A choice was made in a position, and led to another."""
        kept = self.listed
        if kept and kept[-1].position.rounds_played != position.rounds_played:
            kept.clear()
        if _measure_lists(position) > MOST_HELD:  # sixty of them would fill the memory; what came before is out of date
            kept.clear()
            return
        piles = zip(position.zones, after.zones, strict=True)
        entered = [zone for zone, (before, now) in enumerate(piles) if before != now and not set(now) <= set(before)]
        kept.append(Moment(position, seat, choice, frozenset(entered)))
        del kept[:-MOST_KEPT]

    @property
    def listed(self) -> list[Moment]:
        if self._rename is not None:
            self._kept = [moment._replace(position=self._rename(moment.position)) for moment in self._kept]
            self._rename = None
        return self._kept

    def copy(self, rename: Callable[[Position], Position] | None = None) -> Moments:
        """The same choices; with `rename`, in positions whose cards have other names. That is done when they are asked
        for."""
        other = Moments()
        other._kept, other._rename = self.listed[:], rename
        return other


def find_barred(
    executor: ReferenceExecutor, position: Position, seat: int, hidden: Sequence[int], moments: Moments
) -> dict[int, frozenset[int]]:
    """Which of the cards that a seat does not know cannot be which, by the choices of the others in this round."""
    if executor.program.called or not hidden:  # errors can be made: then everything could have been chosen
        return {}
    finder = _Finder(executor, frozenset(hidden))
    found: dict[int, set[int]] = {}
    entered: set[int] = set()  # where other cards have come since
    for moment in reversed(moments.listed):
        if moment.position.rounds_played != position.rounds_played:
            break
        entered |= moment.entered
        if moment.seat != seat:
            for zone, cards in finder.find(moment, entered):
                for card in finder.hidden.intersection(position.zones[zone]):
                    found.setdefault(card, set()).update(cards)
    return {card: frozenset(cards) for card, cards in found.items()}


class _Finder:
    def __init__(self, executor: ReferenceExecutor, hidden: frozenset[int]) -> None:
        self.executor = executor
        self.hidden = hidden
        self.ordered = sorted(hidden)
        self.fixed = executor.effects.sight.fixed
        program = executor.program
        self.faces = [card.face for card in program.cards]
        self.has_copies = len(set(self.faces)) < len(self.faces)
        self.picks = [[holds_cards(pick.type) for pick in action.picks] for action in program.actions]

    def find(self, moment: Moment, entered: set[int]) -> list[tuple[int, list[int]]]:
        """The cards that the chooser cannot have had in a zone he saw, if none came there since."""
        position, hidden, bit = moment.position, self.hidden, 1 << moment.seat
        decide = self.executor.find_decide(position)
        if decide is None or decide.store is not None or self._names_hidden(moment.choice):
            return []
        if not self._is_plain(decide.decision):
            return []
        sees = [mask is not None and bool(mask & bit) for mask in self.fixed]
        own = [
            zone for zone, pile in enumerate(position.zones) if sees[zone] and not hidden.isdisjoint(pile)
        ]
        away = next((zone for zone, seen in enumerate(sees) if not seen and self.fixed[zone] is not None), None)
        if away is None or entered.issuperset(own):
            return []
        bare = position.copy()
        for zone in own:
            bare.zones[away] = [card for card in bare.zones[zone] if card in hidden] + bare.zones[away]
            bare.zones[zone] = [card for card in bare.zones[zone] if card not in hidden]
        if not self._is_legal(bare, moment.choice):
            return []
        found = []
        for zone in own:
            if zone not in entered and not self._is_legal(self._with_all(bare, zone), moment.choice):
                cards = [
                    card for card in self.ordered if not self._is_legal(_with(bare, zone, away, card), moment.choice)
                ]
                if len(cards) < len(self.ordered):
                    found.append((zone, cards))
        return found

    def _is_plain(self, number: int) -> bool:
        """Whether a decision is made in turn and openly, and what is offered is no groups of cards: of all that could
        be held there may be more of those than can be listed."""
        program = self.executor.program
        declared = program.decisions[number]
        actions = {item.action for tier in declared.tiers for item in tier.items}
        picks = [pick for action in actions for pick in program.actions[action].picks]
        return not (declared.window or declared.secret or any(certain(pick.type).kind == "list" for pick in picks))

    def _names_hidden(self, choice: Choice) -> bool:
        """Whether it is not known what was chosen."""
        if not choice:
            return False
        for names_cards, value in zip(self.picks[choice[0]], choice[1:], strict=True):
            if names_cards and value is not None:
                cards = value if isinstance(value, tuple) else (value,)
                if not self.hidden.isdisjoint(cards):
                    return True
        return False

    def _with_all(self, bare: Position, zone: int) -> Position:
        full = bare.copy()
        full.zones = [[card for card in pile if card not in self.hidden] for pile in bare.zones]
        full.zones[zone] += self.ordered
        return full

    def _is_legal(self, position: Position, choice: Choice) -> bool:
        try:
            legal = self.executor.list_legal(position)
        except Fault:
            return False
        if self.has_copies:  # of cards that are alike one is offered
            return is_permitted(self._name(choice), [self._name(each) for each in legal])
        return is_permitted(choice, legal)

    def _name(self, choice: Choice) -> Choice:
        """A choice by the faces of its cards."""
        if not choice:
            return choice
        named = zip(self.picks[choice[0]], choice[1:], strict=True)
        return (choice[0], *(self._name_cards(value) if cards else value for cards, value in named))

    def _name_cards(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(sorted(self.faces[card] for card in value))
        return None if value is None else self.faces[value]


def _measure_lists(position: Position) -> int:
    return sum(measure_value(value) for value in (*position.states, *position.slots) if isinstance(value, tuple))


def _with(bare: Position, zone: int, away: int, card: int) -> Position:
    """The position with a card in a zone, and in the place of the card one of those that were put away, so that piles
    are as large wherever the card lay."""
    made = bare.copy()
    for other, pile in enumerate(made.zones):
        if card in pile:
            if other != away:
                pile[pile.index(card)] = made.zones[away].pop(0)
            else:
                pile.remove(card)
            break
    made.zones[zone].append(card)
    return made

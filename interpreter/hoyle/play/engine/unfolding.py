"""The game tree, expanded on demand: chance nodes with outcomes and probabilities, decision nodes as matches.

In: a game. Out: `Node`: the outcomes at a chance node; elsewhere a match at a decision or at its end.

Chance is lazy: a shuffle yields placeholders (`Hidden`), each of which may be any of the shuffled cards. A placeholder
is resolved by a chance node only when a rule or a seat learns the card, so that a deal has as many outcomes as there
are faces, and cards that stay hidden have none. This preserves probabilities, because cards that were shuffled together
and not looked at are exchangeable. Code that uses a card triggers its resolution: `Hidden` stands in the position in
place of the card's number and raises `Asked` when it is used as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game, Match
from hoyle.play.engine.outcomes import Chance
from hoyle.play.engine.utility import value_end
from hoyle.program.model.events import Event
from hoyle.program.model.given import read_whole
from hoyle.program.model.position import Position

if TYPE_CHECKING:
    from hoyle.play.engine.legality import Choice

Key = tuple[int, int]  # number of the question to chance, and the part of its answer
Given = dict[Key, int]
Say = Callable[[Key], Any]  # gives a card, hidden or not


class Asked(HoyleError):  # noqa: N818 - control flow, not an error
    """A chance node was reached: its outcomes are the keys of `weights`, with probabilities proportional to the values.
    They are cards, or, if `shown` is given, indices into it."""

    def __init__(self, key: Key, weights: dict[int, int], shown: Sequence[Any] | None = None) -> None:
        super().__init__()
        self.key, self.weights, self.shown = key, weights, shown


class Hidden:
    """Placeholder for a card that was shuffled and not looked at since; `cards` are its possible values."""

    __slots__ = ("cards", "key")

    def __init__(self, key: Key, cards: tuple[int, ...]) -> None:
        self.key = key
        self.cards = cards

    def ask(self, *_: object) -> NoReturn:
        raise Asked(self.key, dict.fromkeys(self.cards, 1))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int) and other in self.cards:
            self.ask()
        return isinstance(other, Hidden) and other.key == self.key

    __index__ = __hash__ = __lt__ = __le__ = __gt__ = __ge__ = ask


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of chance: a card, by its face; the number of cards below a cut; or a picked element."""

    text: str
    probability: Fraction
    number: int


class _Asking(Chance):
    """Answers questions to chance from `given`, and raises `Asked` for the rest. `log` holds the questions so far: for
    a shuffle its cards, else the answer."""

    def __init__(self, log: list[Any], given: Given) -> None:
        self.log = log
        self.given = given

    def order(self, position: Position, cards: list[int]) -> list[int]:
        if len(cards) < 2:
            return list(cards)
        inside = list(find_hidden(cards))
        mixed = {card.key[0] for card in inside}
        for other in find_hidden([position.zones, position.states, position.slots]):
            if other.key[0] in mixed and other not in inside:
                other.ask()  # outside this shuffle, so no longer exchangeable with the cards in it: resolve it first
        known = [card for card in cards if not isinstance(card, Hidden)]
        left = [card for number in mixed for card in list_left(self.log, self.given, number)]
        shuffled, number = tuple(sorted([*known, *left])), len(self.log)
        self.log.append(shuffled)
        return [self.lay((number, place)) for place in range(len(shuffled))]

    def lay(self, key: Key) -> Any:
        """The card at a place of a shuffle; a placeholder if it is not resolved."""
        return self.given[key] if key in self.given else Hidden(key, tuple(list_left(self.log, self.given, key[0])))

    def permutation(self, position: Position, values: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(values) < 2:
            return values
        left, number = list(values), len(self.log)
        order = [left.pop(self._pick((number, place), left)) for place in range(len(values))]
        self.log.append(order)
        return tuple(order)

    def cut(self, position: Position, cards: list[int]) -> int:
        if len(cards) < 2:
            return 0
        kinds = {_kind_of(card, place) for place, card in enumerate(cards)}
        at = 1 if len(kinds) == 1 else 1 + self._pick((len(self.log), 0), range(1, len(cards)))
        self.log.append(at)
        return at

    def element(self, position: Position, elements: Sequence[Any]) -> Any:
        if len(elements) < 2:
            return super().element(position, elements)
        picked = elements[self._pick((len(self.log), 0), elements)]
        self.log.append(picked)
        return picked

    def _pick(self, key: Key, values: Sequence[Any]) -> int:
        """The index of a value, uniformly random. Exchangeable placeholders are represented by the first of them."""
        places: dict[Any, int] = {}
        weights: Counter[int] = Counter(
            places.setdefault(_kind_of(value, place), place) for place, value in enumerate(values)
        )
        if len(weights) > 1 and key not in self.given:
            raise Asked(key, dict(weights), values)
        at: int = self.given[key] if len(weights) > 1 else 0
        return at


class Node:
    """An immutable node of the game tree. At a chance node, `outcomes` lists the outcomes and `match` is None;
    elsewhere `outcomes` is empty, and `match` stands at a decision or is over. `take` gives a child. In the match,
    unresolved cards are filled in, in deck order, as in `script`: nobody has seen them."""

    def __init__(self, game: Game, before: _Moment, choice: Choice | None, given: Given, text: str = "") -> None:
        self.game = game
        self._before, self._choice, self._given, self._text = before, choice, given, text
        self.outcomes: tuple[Outcome, ...] = ()
        self.match: Match | None = None
        while self.match is None and not self.outcomes:
            try:
                self._after = self._run()
                self.match = self._make_match()
            except Fault as fault:
                raise game.locate(fault) from None
            except Asked as asked:
                self._key, found = asked.key, self._list_outcomes(asked)
                if len(found) > 1:
                    self.outcomes = found
                else:
                    self._given = {**self._given, asked.key: found[0].number}

    def __deepcopy__(self, _known: dict[int, Any]) -> Node:
        return self

    def take(self, place: int) -> Node:
        """The child for an outcome or a choice, by index."""
        if self.outcomes:
            place = read_whole(place, "the number of an outcome")
            if not 0 <= place < len(self.outcomes):
                raise IndexError(f"there is no outcome {place}; there are {len(self.outcomes)}")
            given = {**self._given, self._key: self.outcomes[place].number}
            return Node(self.game, self._before, self._choice, given, self._text)
        if self.match is None or self.match.decision is None:
            raise IndexError("the match is over")
        action = self.match.decision.choice(place)
        return Node(self.game, self._after, action.choice, self._given, action.text)

    @property
    def script(self) -> list[Any]:
        """The outcomes of chance, in the format of `Game.new`; with them, the choices of `match.history` lead to this
        node."""
        fill = self._find_filling()
        return [
            [fill[number, place] for place in range(len(said))]
            if isinstance(said, tuple)
            else replace_hidden(said, fill.__getitem__)
            for number, said in enumerate(self._log)
        ]

    @property
    def _log(self) -> tuple[Any, ...]:
        return self._before.log if self.outcomes else self._after.log

    def _run(self) -> _Moment:
        """Run to the next decision or to the end; raises `Asked` for every unresolved card that is seen or read on the
        way."""
        moment = self._before
        asking = _Asking(list(moment.log), self._given)
        say = cache(asking.lay)
        events = [_replace_in_event(event, say) for event in moment.events]
        position = _replace_in_position(moment.position, say)

        def record(event: Event) -> None:
            for card, mask in zip(event.data.get("cards", ()), event.known, strict=True):
                if mask and isinstance(card, Hidden):
                    card.ask()
            for hidden in find_hidden([value for key, value in event.data.items() if key != "cards"]):
                hidden.ask()
            events.append(event)

        executor = ReferenceExecutor(self.game.program, record, like=self.game.executor)
        executor.effects.chance = asking
        if self._choice is None:
            executor.run(position)
        else:
            executor.advance(position, self._choice)
        for zone, pile in enumerate(position.zones):
            if any(isinstance(card, Hidden) for card in pile):
                for card, mask in zip(pile, executor.effects.sight.mask_places(position, zone), strict=True):
                    if mask and isinstance(card, Hidden):
                        card.ask()
        if position.over:
            value_end(executor, position)
        else:
            executor.list_legal(position)
        said = (*moment.history, self._text) if self._choice is not None else moment.history
        return _Moment(position, tuple(events), said, tuple(asking.log))

    def _list_outcomes(self, asked: Asked) -> tuple[Outcome, ...]:
        weights, cards = asked.weights, self.game.program.cards
        if asked.shown is None:  # merge cards with the same face into one outcome
            first: dict[int, int] = {}
            weights = Counter(first.setdefault(cards[card].face, card) for card in weights)
            names = {card: cards[card].code for card in weights}
        else:
            said = asked.shown
            names = {at: "hidden" if isinstance(said[at], Hidden) else str(said[at]) for at in weights}
        total = sum(weights.values())
        return tuple(Outcome(names[number], Fraction(weight, total), number) for number, weight in weights.items())

    def _find_filling(self) -> Given:
        """The resolved cards, and for unresolved ones the remaining cards in deck order."""
        filled = dict(self._given)
        for number, said in enumerate(self._log):
            if isinstance(said, tuple):
                left = iter(list_left(self._log, self._given, number))
                filled |= {(number, at): next(left) for at in range(len(said)) if (number, at) not in filled}
        return filled

    def _make_match(self) -> Match:
        say, after = self._find_filling().__getitem__, self._after
        events = [_replace_in_event(event, say) for event in after.events]
        position = _replace_in_position(after.position, say)
        return Match(self.game, position, events=events, history=list(after.history), script=self.script)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position with placeholders, and what led to it."""

    position: Position
    events: tuple[Event, ...]
    history: tuple[str, ...]
    log: tuple[Any, ...]


def unfold(game: Game) -> Node:
    """The root of a game's tree. Raises `ValueError` for games with callable offences: taking back undoes outcomes of
    chance."""
    if not isinstance(game, Game):
        raise TypeError(f"what is unfolded is a game, not {game!r}")
    if game.program.called:
        raise ValueError(f"{game.name} cannot be unfolded: errors are called in it")
    return Node(game, _Moment(game.executor.start(), (), (), ()), None, {})


def list_left(log: Sequence[Any], given: Given, number: int) -> list[int]:
    """The cards of a shuffle that are still unresolved."""
    said = {given.get((number, place)) for place in range(len(log[number]))}
    return [card for card in log[number] if card not in said]


def _kind_of(value: Any, place: int) -> Any:
    """A key equal for exchangeable values: unresolved cards of one shuffle; all other values differ by place."""
    return value.key[0] if isinstance(value, Hidden) else (place,)


def find_hidden(value: Any) -> Iterator[Hidden]:
    """The placeholders nested in a value."""
    if isinstance(value, Hidden):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from find_hidden(part)


def replace_hidden(value: Any, say: Say) -> Any:
    """The value with placeholders replaced by what `say` gives."""
    if isinstance(value, Hidden):
        return say(value.key)
    if isinstance(value, list | tuple):
        return type(value)([replace_hidden(part, say) for part in value])
    return value


def _replace_in_position(position: Position, say: Say) -> Position:
    other = position.copy()
    other.zones = [replace_hidden(pile, say) for pile in other.zones]
    other.states, other.slots = replace_hidden(other.states, say), replace_hidden(other.slots, say)
    other.offence = replace_hidden(other.offence, say)  # what a turn that may be taken back began with
    return other


def _replace_in_event(event: Event, say: Say) -> Event:
    if not any(True for _ in find_hidden(list(event.data.values()))):
        return event
    return replace(event, data={key: replace_hidden(value, say) for key, value in event.data.items()})

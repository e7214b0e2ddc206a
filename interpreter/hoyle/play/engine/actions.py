"""Textual actions: `play C7`, `bonus B circles`, `offer 0..9999`.

In: choices, or a line of text. Out: `Action`s with unique texts, or the choices that a text may denote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import product
from typing import Any, overload

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.offering import Offered
from hoyle.play.view.names import Names, holds_cards, read_number
from hoyle.play.view.seeing import Sight, includes
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type, certain
from hoyle.program.model.position import Position
from hoyle.program.model.runtime_values import Value

DECLINE = "decline"
ANY = "any"
MOST_READINGS = 1000
Reading = Callable[[str], Iterable[Choice]]


@dataclass(frozen=True, slots=True)
class Action:
    """A choice in the words of the game; `choice` is the engine's representation.

    If a number is still open, `number` is its range, and `text` ends with it: `offer 0..9999`.
    """

    name: str
    picks: dict[str, str] = field(hash=False)
    text: str
    choice: Choice
    number: range | None = None

    def with_number(self, number: int) -> Action:
        """The same action with its number filled in; raises `ValueError` if it is out of range."""
        if self.number is None or number not in self.number:
            raise ValueError(f"{number} cannot be the number of `{self.text}`")
        words = self.text.rsplit(" ", 1)
        picks = {**self.picks, next(reversed(self.picks)): str(number)}
        return Action(self.name, picks, f"{words[0]} {number}", (*self.choice[:-1], number))


def spell_actions(
    program: ir.Program, names: Names, position: Position, choices: Sequence[Choice], read: Reading | None = None
) -> Sequence[Action]:
    """The choices as actions. Texts that would be equal name the zones of their cards: `play C7@hand.1`. `read` gives
    the choices that a text may denote, legal or not."""
    if isinstance(choices, Offered):
        return Spelled(program, names, position.copy(), choices, read)
    wording = Wording(program, names)
    texts = [wording.spell(choice, position) for choice in choices]
    counts = Counter(texts)
    if len(counts) < len(texts):
        texts = [
            wording.spell(choice, position, places=True) if counts[text] > 1 else text
            for text, choice in zip(texts, choices, strict=True)
        ]
        texts = number_repeats(texts)
    return [
        Action(name_action(program, choice), wording.word_picks(choice), text, choice, _number_of(choice))
        for text, choice in zip(texts, choices, strict=True)
    ]


class Spelled(Sequence[Action]):
    """The actions of an unlisted set of choices; each is put into words on demand."""

    def __init__(
        self, program: ir.Program, names: Names, position: Position, offered: Offered, read: Reading | None
    ) -> None:
        self.program, self.names, self.position, self.offered = program, names, position, offered
        self._readings = read
        self._wording = Wording(program, names)

    def __len__(self) -> int:
        return len(self.offered)

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return [self.spell(choice) for choice in self.offered[index]]
        return self.spell(self.offered[index])

    def __iter__(self) -> Iterator[Action]:
        return map(self.spell, self.offered)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.find(action.choice) == action

    def __eq__(self, other: object) -> bool:
        """Whether both offer the same choices. Equal choices have equal texts, since a card is spelled by its code."""
        return isinstance(other, Spelled) and self.offered == other.offered

    __hash__ = None  # type: ignore[assignment]  # compared, never kept in sets

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of an action; raises `ValueError` if it is not offered."""
        if value not in self:
            raise ValueError(f"{value} is not offered")
        return self.offered.index(value.choice)

    def spell(self, choice: Choice) -> Action:
        """A choice as an action."""
        text = self._wording.spell(choice, self.position)
        picks = self._wording.word_picks(choice)
        return Action(name_action(self.program, choice), picks, text, choice, _number_of(choice))

    def iter_texts(self) -> Iterator[str]:
        """The texts alone, in order."""
        return (self._wording.spell(choice, self.position) for choice in self.offered)

    def find(self, choice: Choice) -> Action | None:
        """The action of a choice, whose cards may be in any order; None if it is not offered."""
        found = self.offered.find(choice)
        return None if found is None else self.spell(found)

    def read(self, text: str) -> list[Action]:
        """The offered actions that a text may denote."""
        readings = self._readings(" ".join(text.split())) if self._readings is not None else ()
        found = {action.choice: action for choice in readings if (action := self.find(choice)) is not None}
        return list(found.values())


def _number_of(choice: Choice) -> range | None:
    return choice[-1] if choice and isinstance(choice[-1], range) else None


def number_repeats(texts: list[str]) -> list[str]:
    """Make texts unique: repeats get ` #2`, ` #3` and so on."""
    seen: Counter[str] = Counter()
    numbered = []
    for text in texts:
        seen[text] += 1
        numbered.append(text if seen[text] == 1 else f"{text} #{seen[text]}")
    return numbered


def name_action(program: ir.Program, choice: Choice) -> str:
    return program.actions[choice[0]].name if choice else DECLINE


def type_of_pick(pick: ir.Pick) -> Type:
    """The type of the picked value: a list where several elements are picked together."""
    kind = certain(pick.type)
    return Type("list", "", kind) if pick.low is not None and kind.kind != "list" else kind


def spell_choice(
    program: ir.Program, names: Names, choice: Choice, position: Position | None = None, *, places: bool = False
) -> str:
    """A choice as text. With a position, cards that may lie in several zones name theirs; with `places`, all cards
    do."""
    return Wording(program, names).spell(choice, position, places=places)


class Wording:
    """Puts choices into words; what is the same for all choices of an action is cached."""

    def __init__(self, program: ir.Program, names: Names) -> None:
        self.names = names
        self._actions = program.actions
        self._known: dict[int, _WordsOfAction] = {}

    def spell(self, choice: Choice, position: Position | None = None, *, places: bool = False) -> str:
        """A choice as text; see `spell_choice`."""
        if not choice:
            return DECLINE
        action = self._look_up(choice[0])
        words = [action.name]
        for (_, kind, is_placed), value in zip(action.picks, choice[1:], strict=True):
            if position is not None and (is_placed or places) and holds_cards(kind):
                word = spell_places(self.names, position, value)
            else:
                word = self.names.spell_value(kind, value)
            words.append(word.replace("+", " ") if action.has_one_group and kind.kind == "list" else word)
        return " ".join(words)

    def word_picks(self, choice: Choice) -> dict[str, str]:
        """The picked values by parameter name, for display."""
        picks = self._look_up(choice[0]).picks if choice else ()
        return {
            name: self.names.name_value(kind, value) for (name, kind, _), value in zip(picks, choice[1:], strict=True)
        }

    def _look_up(self, index: int) -> _WordsOfAction:
        if index not in self._known:
            action = self._actions[index]
            picks = tuple((pick.name, type_of_pick(pick), pick.placed) for pick in action.picks)
            groups = sum(kind.kind == "list" for _, kind, _ in picks)
            self._known[index] = _WordsOfAction(action.name, picks, groups == 1)
        return self._known[index]


@dataclass(frozen=True, slots=True)
class _WordsOfAction:
    """Name of an action; for each pick its name, its type and whether its card names its zone; whether exactly one pick
    is a group, whose cards are then written as separate words."""

    name: str
    picks: tuple[tuple[str, Type, bool], ...]
    has_one_group: bool


def spell_places(names: Names, position: Position, value: Any) -> str:
    """Cards with the zones in which they lie."""
    if isinstance(value, tuple):
        return "+".join(spell_places(names, position, card) for card in value) or "nothing"
    return f"{names.name_card(value)}@{names.spell_zone(position.find(value)[0])}"


def match_text(actions: Sequence[Action], text: str) -> list[Action]:
    """The actions that a text may denote: by exact match, else ignoring case, else with a number filled in, else with
    `any`, omissions, and words in any order."""
    if isinstance(actions, Spelled):
        return actions.read(text)
    wanted = " ".join(text.split())
    exact = [action for action in actions if action.text == wanted]
    if exact:
        return exact
    folded = wanted.casefold()
    loose = [action for action in actions if action.text.casefold() == folded]
    if loose:
        return loose
    numbered = _match_number(actions, folded)
    if numbered:
        return numbered
    words = _split_words(folded)
    return [action for action in actions if _fits(words, _split_words(action.text.casefold()), _size_of_group(action))]


def _size_of_group(action: Action) -> int:
    """The number of words in the group of cards that ends an action."""
    last = action.choice[-1] if action.choice else None
    return len(last) if isinstance(last, tuple) else 0


def _match_number(actions: Sequence[Action], text: str) -> list[Action]:
    """The actions whose open number is the last word: `offer 30` matches `offer 0..9999`."""
    first, _, last = text.rpartition(" ")
    number = read_number(last)
    if number is None:
        return []
    return [
        action.with_number(number)
        for action in actions
        if action.number is not None
        and number in action.number
        and _fits(_split_words(first), _split_words(action.text.casefold())[:-1], 0)
    ]


def _split_words(text: str) -> list[str]:
    return text.replace("+", " ").split()


def _fits(wanted: list[str], words: list[str], group: int) -> bool:
    """Whether the wanted words may denote an action's words: `any` matches any word; zones and trailing words may be
    omitted, but not a part of the trailing group of cards."""
    if wanted[:1] != words[:1] or len(wanted) > len(words) or 0 < len(words) - len(wanted) < group:
        return False
    padded = wanted + [ANY] * (len(words) - len(wanted))
    return Counter(wanted) == Counter(words) or all(
        a in (ANY, b, b.partition("@")[0]) for a, b in zip(padded, words, strict=True)
    )


def list_readings(program: ir.Program, sight: Sight, position: Position, seat: int, text: str) -> Iterator[Choice]:
    """All choices that the text may denote for a seat, legal or not, so that refusals can be explained; at most
    `MOST_READINGS` for each action. The readings do not depend on cards hidden from the seat."""
    read = _Reader(sight, position, seat)
    words = text.split()
    if not words:
        return
    if words == [DECLINE]:
        yield ()
    for index, action in enumerate(program.actions):
        if action.name.casefold() != words[0].casefold():
            continue
        parts = _share_words(action, words[1:])
        if parts is None:
            continue
        domains = [
            read.pick(type_of_pick(pick), part)
            for pick, part in zip(action.picks, parts, strict=True)
        ]
        for number, picks in enumerate(product(*domains)):
            if number == MOST_READINGS:
                break
            yield (index, *picks)


def _share_words(action: ir.Action, words: list[str]) -> list[list[str]] | None:
    """The words of each pick; a single group takes what the other picks leave."""
    picks = action.picks
    groups = [i for i, pick in enumerate(picks) if type_of_pick(pick).kind == "list"]
    spare = len(words) - len(picks)
    if spare < 0 or (spare and len(groups) != 1):
        return None
    shared, start = [], 0
    for index in range(len(picks)):
        size = 1 + (spare if groups == [index] else 0)
        shared.append([part for word in words[start : start + size] for part in word.split("+")])
        start += size
    return shared


class _Reader:
    """Parses words as values from the point of view of a seat."""

    def __init__(self, sight: Sight, position: Position, seat: int) -> None:
        self.sight = sight
        self.names = sight.names
        self.position = position
        self.seat = seat

    def pick(self, kind: Type, words: list[str]) -> list[Value]:
        """The values of a pick that the words may denote."""
        if kind.kind != "list" or kind.of is None:
            return self.value(kind, words[0])
        if words == ["nothing"]:
            return [()]
        element = certain(kind.of)
        groups = product(*(self.value(element, word) for word in words))
        return [group for group, _ in zip(groups, range(MOST_READINGS), strict=False) if len(set(group)) == len(group)]

    def value(self, kind: Type, word: str) -> list[Any]:
        """The values of a type that the word may denote."""
        if kind.kind in ("number", "seat"):
            number = self.names.read_number(kind, word)
            return [] if number is None else [number]
        if kind.kind == "truth":
            return {"true": [True], "false": [False]}.get(word.casefold(), [])
        if kind.kind == "zone":
            return [zone for zone, name in enumerate(self._zone_names()) if name.casefold() == word.casefold()]
        if kind.kind == "enum":
            values = next(enum.values for enum in self.names.program.enums if enum.name == kind.name)
            return [i for i, name in enumerate(values) if name.casefold() == word.casefold()]
        return self._cards(word.casefold()) if kind.kind == "card" else []

    def _cards(self, word: str) -> list[int]:
        """Cards by code, with an optional zone. Must not reveal whether a hidden card lies in the named zone: one of
        the cards the seat cannot see stands for all of them."""
        code, _, place = word.partition("@")
        cards = [i for i, card in enumerate(self.names.program.cards) if card.code.casefold() == code]
        if not place:
            return cards
        seen = [card for card in cards if self._sees(card)]
        there = [card for card in seen if spell_places(self.names, self.position, card).casefold() == word]
        if there or place not in (name.casefold() for name in self._zone_names()):
            return there
        return [card for card in cards if card not in seen][:1]

    def _sees(self, card: int) -> bool:
        return includes(self.sight.mask_place(self.position, *self.position.find(card)), self.seat, self.sight.players)

    def _zone_names(self) -> list[str]:
        return [self.names.spell_zone(zone) for zone in range(len(self.names.zones))]

"""Parses typed lines: a key of the menu, an action in words, or just cards.

In: a line, a table with its menu, the lines shown. Out: an `Answer`: a way (with its number), several ways that it
could mean, or an error with the part of the line that causes it.

Words can be abbreviated, cards can be in any order, and omitted parts are filled in where they are unambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.terminal.keys import Line
from hoyle.front.terminal.pen import fold
from hoyle.play.table.address import Speaker
from hoyle.play.table.menu import complete_way
from hoyle.play.table.model import Act, Face, Item, Menu, Table, Way
from hoyle.play.view.names import read_number

LONGEST_NAME = 5  # maximum words of a name: `top of the table pile`
LONGEST_LINE = 500
MOST_READINGS = 200  # limit of interpretations of words that may each mean several cards


@dataclass(frozen=True, slots=True)
class Answer:
    """The meaning of a line. One way: take it, after asking for its number if that is missing. Several ways: the line
    is ambiguous. No way: `wrong` is the error message; the refusal of the action `refused` or of the `card` tells
    more."""

    ways: tuple[tuple[Act | None, Way | None], ...] = ()
    number: int | None = None
    wrong: str = ""
    refused: str = ""
    card: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class _Words:
    """A parsed line: the actions that it may begin with (None if it begins with something else), the menu items that
    each further part may mean, and its numbers."""

    acts: tuple[Act, ...] | None
    parts: tuple[tuple[str, frozenset[int]], ...]
    numbers: tuple[int, ...]
    verb: str = ""


@dataclass(slots=True)
class Reader:
    """Parses lines typed at one menu."""

    table: Table
    menu: Menu
    lines: Sequence[Line]
    faces: dict[str, Face]
    actions: dict[str, str]  # name -> label of every action of the game
    speaker: Speaker
    _items: dict[str, set[int]] = field(default_factory=dict)
    _parts: dict[str, set[int]] = field(default_factory=dict)  # cards by one attribute: `5`, `hearts`

    def __post_init__(self) -> None:
        for number, item in enumerate(self.menu.items):
            for word in self._list_words(item):
                self._items.setdefault(_join(word), set()).add(number)
            if item.card is not None:
                for each in self.faces[item.card].prints:
                    for word in (each.short, each.value, each.text, each.glyph):
                        self._parts.setdefault(_join(word), set()).add(number)
        if not any(item.kind == "card" for item in self.menu.items):
            self._let_cards_stand_for_ranks()

    def _let_cards_stand_for_ranks(self) -> None:
        """In menus with ranks but without cards, let the name of a held card stand for its rank."""
        held = {card for zone in self.table.zones if zone.owner == self.table.seat for card in zone.cards if card}
        for number, item in enumerate(self.menu.items):
            for code in held:
                if item.attribute and self.faces[code].shows(item.attribute, item.value):
                    for word in list_names(self.faces[code]):
                        self._items.setdefault(_join(word), set()).add(number)

    # ---------------------------------------------------------------------------------------------- reading
    def read(self, line: str) -> Answer:
        """Parse a line."""
        wanted = fold(line.strip())
        for number, each in enumerate(self.lines, 1):
            if wanted in (each.key, f".{number}"):  # `.3` selects the third line in every game
                return self._take_line(each)
        if self.menu.decline is not None and _begins(wanted, fold(self.speaker.locale.say("decline"))):
            return Answer(((None, None),))
        for act in self.menu.acts:
            for way in act.ways:
                if fold(way.text) == wanted and way.number is None and way.group is None:
                    return Answer(((act, way),))
        words = self._split(line)
        if isinstance(words, Answer):
            return words
        return self._choose(words)

    def _take_line(self, line: Line) -> Answer:
        if line.act is None:
            return Answer(((None, None),))
        return Answer(tuple((line.act, way) for way in line.ways))

    def _split(self, line: str) -> _Words | Answer:
        """Split a line into its parts, or return the error of an unknown one."""
        tokens = [token for token in re.split(r"[\s,;+&→]+", line[:LONGEST_LINE]) if token]
        acts, verb, at = self._read_verb(tokens)
        parts: list[tuple[str, frozenset[int]]] = []
        numbers: list[int] = []
        while at < len(tokens):
            found, taken = self._read_item(tokens[at:])
            number = read_number(tokens[at])
            if number is not None and self._takes_numbers(acts):
                numbers.append(number)
                if found is None:
                    at += 1
                    continue
            if found is None:
                if fold(tokens[at]) in _FILLERS:
                    at += 1
                    continue
                return self._refuse_word(tokens[at], acts, verb)
            parts.append((" ".join(tokens[at : at + taken]), found))
            at += taken
        return _Words(acts, tuple(parts), tuple(numbers), verb)

    def _read_verb(self, tokens: Sequence[str]) -> tuple[tuple[Act, ...] | None, str, int]:
        """Match the actions that the line may begin with; return them (None if there are none), the words matched, and
        their number."""
        for length in range(min(LONGEST_NAME, len(tokens)), 0, -1):
            said = _join(" ".join(tokens[:length]))
            exact = tuple(act for act in self.menu.acts if said in (_join(act.label), _join(act.name)))
            if exact:
                return exact, " ".join(tokens[:length]), length
        first = _join(tokens[0]) if tokens else ""
        if not first or first in self._items or first[:1].isdigit():
            return None, "", 0
        for length in range(min(LONGEST_NAME, len(tokens)), 0, -1):
            said = _join(" ".join(tokens[:length]))
            cut = tuple(act for act in self.menu.acts if _join(act.label).startswith(said))
            if cut:
                return cut, " ".join(tokens[:length]), length
        return None, "", 0

    def _read_item(self, tokens: Sequence[str]) -> tuple[frozenset[int] | None, int]:
        """Match the items that the next words may mean, preferring the longest name; return them and the number of
        words."""
        for length in range(min(LONGEST_NAME, len(tokens)), 0, -1):
            found = self._items.get(_join(" ".join(tokens[:length])))
            if found:
                return frozenset(found), length
        said = _join(tokens[0])
        if said in self._parts:
            return frozenset(self._parts[said]), 1
        cut = {
            item
            for word, items in self._items.items()
            if len(said) > 1 and word.startswith(said)
            for item in items
            if self.menu.items[item].kind in ("value", "zone", "seat")
        }
        return (frozenset(cut), 1) if cut else (None, 1)

    def _takes_numbers(self, acts: tuple[Act, ...] | None) -> bool:
        return any(way.number is not None for act in acts or self.menu.acts for way in act.ways)

    # ---------------------------------------------------------------------------------------------- choosing
    def _choose(self, words: _Words) -> Answer:
        """Find the ways that contain all parts of the line. Exact matches take precedence over ways with more items if
        the action is named or unambiguous."""
        fitting: list[tuple[Act, Way, bool, int | None]] = []
        for act in words.acts if words.acts is not None else self.menu.acts:
            for way in act.ways:
                if way.group is not None:
                    fitting += self._gather(words, act, way)
                    continue
                fits, whole, number = self._fits(words, way)
                if fits:
                    fitting.append((act, way, whole, number))
        if not fitting:
            return self._refuse_combination(words)
        whole_ones = [each for each in fitting if each[2]]
        acts = {act.name for act, *_ in fitting}
        chosen = whole_ones if whole_ones and (len(acts) == 1 or words.acts is not None) else fitting
        if not words.parts and not words.numbers and len(chosen) > 1 and words.acts is not None:
            chosen = fitting
        numbers = {number for *_, number in chosen}
        return Answer(
            tuple((act, way) for act, way, *_ in chosen), numbers.pop() if len(numbers) == 1 else None
        )

    def _gather(self, words: _Words, act: Act, way: Way) -> list[tuple[Act, Way, bool, int | None]]:
        """Resolve a way with a group to the groups that match the line exactly; return the way itself if more items
        are needed."""
        assert way.group is not None
        if len(words.numbers) > sum(read_number(said) is not None for said, _ in words.parts):
            return []
        held = [item for pick in way.picks for item in pick]
        parts = [found for _, found in words.parts]
        if len(parts) > len(held) + way.group.high:
            return []
        made = {}
        can_grow = False
        for picked in islice(_assign(parts, frozenset((*held, *way.group.items))), MOST_READINGS):
            can_grow = True
            whole = complete_way(self.menu, act, way, picked) if picked.issuperset(held) else None
            if whole is not None:
                made[whole.choice] = whole
        if made:
            return [(act, whole, True, None) for whole in made.values()]
        return [(act, way, False, None)] if can_grow else []

    def _fits(self, words: _Words, way: Way) -> tuple[bool, bool, int | None]:
        """Return whether a way contains all parts of the line, whether it matches exactly, and the number given for
        it."""
        held = [item for pick in way.picks for item in pick]
        parts = [found for _, found in words.parts]
        if way.number is not None:
            low, high = way.number
            for number in words.numbers:
                if low <= number <= high:
                    # A part with the same number has been matched as an item as well; drop it.
                    rest = [found for said, found in words.parts if read_number(said) != number]
                    if _matches(rest, held):
                        return True, len(rest) == len(held), number
            if words.numbers and len(parts) < len(words.numbers):
                return False, False, None
        elif len(words.numbers) > sum(read_number(said) is not None for said, _ in words.parts):
            return False, False, None
        fits = _matches(parts, held)
        return fits, fits and len(parts) == len(held) and way.number is None, None

    # ---------------------------------------------------------------------------------------------- errors
    def _refuse_word(self, word: str, acts: tuple[Act, ...] | None, verb: str) -> Answer:
        """Make the error for a word that matches nothing in this menu."""
        say = self.speaker.say
        code = self._find_card(word)
        called, codes = (word, self._find_rank(word)) if code is None else (self.faces[code].text, {code})
        if codes:
            for zone in self.table.zones:
                if zone.owner == self.table.seat or (zone.owner is None and code is not None):
                    for place, card in enumerate(zone.cards):
                        if card in codes:
                            return Answer(wrong=say("wrong_card", card=called), card=(zone.id, place))
            return Answer(wrong=say("not_held", card=called))
        known = next((name for name, label in self.actions.items() if _join(word) in (_join(name), _join(label))), None)
        if known is None:
            cut = [n for n, label in self.actions.items() if _begins(_join(word), _join(label)) and len(word) > 1]
            known = cut[0] if len(cut) == 1 else None
        if known is not None and acts is None:
            return Answer(wrong=say("not_now", action=self.actions[known]), refused=known)
        if acts is not None and read_number(word) is not None:
            bounds = next((way.number for act in acts for way in act.ways if way.number), None)
            if bounds is not None:
                return self._refuse_number(word, bounds)
        near = nearest(word, self._list_known(acts))
        wrong = say("no_word", word=word[:40])
        return Answer(wrong=say("perhaps", text=wrong, near=near) if near else wrong)

    def _refuse_number(self, number: str, bounds: tuple[int, int]) -> Answer:
        phrase = "not_between" if bounds[0] < bounds[1] else "not_the_only"
        return Answer(wrong=self.speaker.say(phrase, number=number, low=bounds[0], high=bounds[1]))

    def _refuse_combination(self, words: _Words) -> Answer:
        """Make the error for parts that are valid by themselves but not together."""
        say = self.speaker.say
        for number in words.numbers if not words.parts else ():
            bounds = next(
                (way.number for act in words.acts or self.menu.acts for way in act.ways if way.number is not None), None
            )
            if bounds is not None:
                return self._refuse_number(str(number), bounds)
        if words.acts is not None and len(words.acts) == 1:
            act = words.acts[0]
            sizes = sorted({sum(map(len, way.picks)) + (way.group.high if way.group else 0) for way in act.ways})
            if len(words.parts) > sizes[-1]:
                return Answer(wrong=say("too_many", action=act.label, count=len(words.parts), wanted=sizes[-1]))
            picked = [self.menu.items[min(found)].word for _, found in words.parts]
            return Answer(wrong=say("not_together"), refused=" ".join([act.name, *picked]))
        return Answer(wrong=say("not_together"))

    def _find_card(self, word: str) -> str | None:
        said = _join(word)
        return next((code for code, face in self.faces.items() if said in map(_join, list_names(face))), None)

    def _find_rank(self, word: str) -> set[str]:
        """Return the cards of a rank, if the menu asks for ranks."""
        said, wanted = _join(word), {item.attribute for item in self.menu.items if item.attribute}
        return {
            code
            for code, face in self.faces.items()
            if any(each.attribute in wanted and said in map(_join, (each.short, each.text)) for each in face.prints)
        }

    def _list_known(self, acts: tuple[Act, ...] | None) -> list[str]:
        words = [item.text for item in self.menu.items]
        return [*words, *(act.label for act in self.menu.acts)] if acts is None else words

    # ---------------------------------------------------------------------------------------------- names
    def _list_words(self, item: Item) -> Iterable[str]:
        """Yield all names of an item."""
        yield item.word
        yield item.text
        if item.kind == "card" and item.card is not None:
            yield from list_names(self.faces[item.card])
            if item.zone is not None:
                yield f"{item.card}@{item.zone}"
        if item.kind == "zone" and item.zone is not None:
            name, _, owner = item.zone.partition(".")
            if not owner or owner == str(self.table.seat):
                yield name
            shown = next((zone for zone in self.table.zones if zone.id == item.zone), None)
            if shown is not None:
                yield shown.short
                yield shown.label
                if shown.pile and not shown.cards:
                    yield self.speaker.say("new")
                if shown.pile:  # the last word suffices: `pile 2` for `table pile 2`
                    yield f"{shown.short.split(' ')[-2]} {shown.pile}"
        if item.kind == "seat" and item.seat is not None:
            yield self.speaker.name(item.seat)


_FILLERS = {"the", "to", "on", "onto", "from", "and", "a", "of", "in", "le", "la", "les", "de", "sur", "et", "un",
"une"}


def list_names(face: Face) -> list[str]:
    """List all names of a card: `TH`, `10H`, `H10`, `10♥`, `bonus`."""
    names = [face.code, face.text]
    if face.name:
        names.append(face.name)
    if len(face.prints) > 1 or any(each.glyph for each in face.prints):
        shorts = [each.short for each in face.prints]
        values = [each.value if each.value.isdigit() else each.short for each in face.prints]
        glyphs = [each.glyph or each.short for each in face.prints]
        tens = [each.glyph or (each.value if each.value.isdigit() else each.short) for each in face.prints]
        for parts in (shorts, values, glyphs, tens):
            names += ["".join(parts), "".join(reversed(parts))]
    return list(dict.fromkeys(names))


def _join(text: str) -> str:
    """Normalize a name for comparison: without case, accents, blanks, underscores and apostrophes."""
    return re.sub(r"[\s_'\u2019]+", "", fold(text))


def _begins(said: str, name: str) -> bool:
    return bool(said) and name.startswith(said)


def _assign(parts: Sequence[frozenset[int]], free: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield every set of distinct items that the parts can mean."""
    if not parts:
        yield frozenset()
        return
    for item in sorted(parts[0] & free):
        for rest in _assign(parts[1:], free - {item}):
            yield rest | {item}


def _matches(parts: Sequence[frozenset[int]], held: Sequence[int]) -> bool:
    """Whether the parts can be matched to distinct items held."""
    if len(parts) > len(held):
        return False
    if not parts:
        return True
    first, rest = parts[0], parts[1:]
    return any(
        _matches(rest, [*held[:number], *held[number + 1 :]]) for number, item in enumerate(held) if item in first
    )

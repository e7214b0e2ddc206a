"""Which values are worth remembering where results can be kept by any key: loops in loops over cards.

In: a value. Out: `Remembered`, if it depends on nothing but lists of cards, on these only by attributes of the cards
and, if possible, not by their order, and on a few single values. `memo` is for tables of bytes, where everything has a
place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import between
from hoyle.codegen.low.values import BINDERS, REDUCERS, Table, Value, walk
from hoyle.codegen.passes.memo import GROUPS, PURE
from hoyle.codegen.passes.premap import Premap
from hoyle.dataclass import dataclass

LIGHTEST, HEAVIEST = 12, 3000
WORTH_REMEMBERING = 120  # operations: a few times what it takes to look a result up
LENGTH, PAIRS, SUBSETS = 6, 15, 63  # elements of lists as they usually are
MOST_LISTS, MOST_SINGLE = 2, 3
LONGEST = 127  # cards in a list of which a key is made
PLACES = frozenset({"cards", "state", "slot", "var", "register", "asked", "top", "bottom", "size", "total"})
COMPUTED = PURE | {"items", "join", "flat", "span", "row", "concatenate"}
ORDERLESS = frozenset({"subsets", "pairs", "each", "best", "count", "any", "join", "distinct", "flat", "check", "sure"})
SLICES = frozenset({"first_few", "last_few", "all_but_first", "all_but_last"})
CONDITIONAL = frozenset({"and", "or", "if"})
ORDERED = SLICES | {"tails", "first", "last"}


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a value is made of. `lists` are the lists of cards, `single` what else it depends on; `key` are values that
    tell apart what is different for it. `tests` must hold in any case: they are faults. `mapped` is the same value of
    lists in which cards have been looked up in a table, if one is all that is wanted of them."""

    lists: tuple[Value, ...]
    single: tuple[Value, ...]
    key: tuple[Value, ...]
    tests: tuple[Value, ...]
    mapped: tuple[Table, Value] | None


class Memory:
    """Finds what is to be remembered in the values of one module; each is looked at once."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self._known: dict[Value, Remembered | None] = {}
        self._together: dict[Value, tuple[Value, ...]] = {}

    def gather(self, roots: Iterable[Value]) -> None:
        """Values are kept together that have the same key, and are worked out wherever a root is."""
        under: dict[tuple[Value, ...], dict[Value, None]] = {}
        seen: set[Value] = set()
        left = list(roots)
        while left:
            value = left.pop()
            if value in seen:
                continue
            seen.add(value)
            remembered = self.find(value)
            if remembered is not None:
                under.setdefault(remembered.key, {})[value] = None
            elif value.op in CONDITIONAL or value.op in BINDERS:  # of the rest, some is worked out only sometimes
                left += value.args[:1]
            else:
                left += value.args
        self._together = {value: tuple(values) for values in under.values() for value in values}

    def find_together(self, value: Value) -> tuple[Value, ...]:
        """The values that are kept together with one, it among them."""
        return self._together.get(value, (value,))

    def find(self, value: Value) -> Remembered | None:
        """How a value is remembered, if it is."""
        if value.op not in REDUCERS or not LIGHTEST <= value.weight <= HEAVIEST or value.fact.is_list:
            return None
        if value not in self._known:
            self._known[value] = self._look(value)
        return self._known[value]

    def _look(self, value: Value) -> Remembered | None:
        if not _is_heavy(value) or _count_steps(value, {}) < WORTH_REMEMBERING:
            return None
        for in_order in (False, True):
            inputs = _Inputs(self.build.cards, in_order=in_order)
            if inputs.take(value, {}):
                return self._describe(value, inputs)
        return None

    def _describe(self, value: Value, inputs: _Inputs) -> Remembered | None:
        if not 0 < len(inputs.lists) <= MOST_LISTS or len(inputs.single) > MOST_SINGLE:
            return None
        if any(single.op == "var" and single.fact.is_list for single in inputs.single):
            return None
        if inputs.tells_apart and not all(each.fact.unique for each in inputs.lists):
            return None
        kinds = [tuple(table.values[card] for table in inputs.tables) for card in range(self.build.cards)]
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        classes = tuple(numbers[kind] for kind in kinds)
        op = "cards_in_order" if inputs.in_order else "cards_key"
        lists = dict.fromkeys(strip_checks(each) for each in inputs.lists)
        key = [self.build.read(op, between(0, 1 << 62), each, data=(classes,)) for each in lists]
        tests = [test for each in inputs.lists for test in _list_checks(each) if not self._is_of_length(test, each)]
        mapped = None if inputs.tells_apart else Premap(self.build, inputs.lists, inputs.holds_cards).map(value)
        single = tuple(inputs.single)
        return Remembered(tuple(inputs.lists), single, (*key, *inputs.keys), tuple(dict.fromkeys(tests)), mapped)

    def _is_of_length(self, test: Value, listed: Value) -> bool:
        """Whether a test asks nothing but how long a list is, which is known where its cards are."""
        if test.op != "less" or test.args[1].constant is None:
            return False
        length = self.build.count(strip_checks(listed))
        counted = test.args[0]
        return counted is length or (counted.op == "count" and strip_checks(counted.args[0]) is strip_checks(listed))


def is_short(listed: Value) -> bool:
    """Whether a list of cards is never too long for a key."""
    return listed.fact.unique or listed.fact.high <= LONGEST


def strip_checks(listed: Value) -> Value:
    """A list without what must hold of it."""
    while listed.op == "check":
        listed = listed.args[1]
    return listed


def _list_checks(listed: Value) -> Iterator[Value]:
    while listed.op == "check":
        yield listed.args[0]
        listed = listed.args[1]


def _is_heavy(value: Value) -> bool:
    """Whether groups are run through, or a list for each element of a list."""
    for node in walk(value):
        if node.op in GROUPS:
            return True
        bodies = node.args[1:] if node.op in BINDERS else ()
        parts = [part for body in bodies for part in walk(body) if node.number in part.free]
        if any(part.op in REDUCERS and part.loops for part in parts):
            return True
    return False


def _count_steps(value: Value, known: dict[Value, int]) -> int:
    """About how many operations working a value out takes, if lists are as long as hands usually are."""
    if value not in known:
        inner = [_count_steps(arg, known) for arg in value.args]
        if value.op in BINDERS:
            source, *bodies = inner
            known[value] = source + _guess_length(value.args[0]) * (1 + sum(bodies))
        elif value.op in REDUCERS:
            known[value] = sum(inner) + (0 if value.args[0].op in BINDERS else _guess_length(value.args[0]))
        else:
            known[value] = 1 + sum(inner)
    return known[value]


def _guess_length(listed: Value) -> int:
    while listed.op in ("each", "best", "sure", "check", "distinct"):
        listed = listed.args[1 if listed.op == "check" else 0]
    usual = {"subsets": SUBSETS, "groups": SUBSETS, "pairs": PAIRS}.get(listed.op, LENGTH)
    return min(usual, max(1, listed.fact.high))


class _Inputs:
    """What a value depends on, and by which tables on cards; cards in lists are looked up and counted, nothing else,
    unless `in_order`: then their order may matter, too. `tells_apart`: whether a card that comes twice is one card."""

    def __init__(self, cards: int, *, in_order: bool) -> None:
        self.cards = cards
        self.in_order = in_order
        self.tells_apart = False
        self.lists: dict[Value, None] = {}
        self.single: dict[Value, None] = {}
        self.keys: dict[Value, None] = {}
        self.tables: dict[Table, None] = {}

    def take(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """`cards` says of the variables that are bound around which of them are cards, or groups of them."""
        if node.op == "var" and node.number in cards:
            return not cards[node.number]  # a card by itself is looked up and nothing else
        if node.op in PLACES:
            return self._read(node, cards)
        if self._is_gathered(node, cards):
            self.lists[node] = None
            return True
        if (node.op not in COMPUTED or node.op == "need") and not (self.in_order and node.op in ORDERED):
            return False
        if node.op == "table" and self._is_card(node.args[0], cards):
            self.tables[node.table] = None
            return len(node.table.values) >= self.cards
        if node.op == "table" and node.args[0].op in PLACES and not node.free & cards.keys():
            self.single[node.args[0]] = None
            self.keys[node] = None
            return not node.faults
        if node.op in BINDERS:
            source, *bodies = node.args
            inside = {**cards, node.number: self.holds_cards(source, cards)}
            return self._take_list(source, cards) and all(
                self._is_card(body, inside) or self._take_list(body, inside) for body in bodies
            )
        if any(self._is_card(arg, cards) for arg in node.args):
            return False
        of_cards = any(self.holds_cards(arg, cards) for arg in node.args)
        if of_cards and node.op not in ORDERLESS and not (self.in_order and node.op in ORDERED and node.fact.is_list):
            return False
        self.tells_apart |= of_cards and node.op == "distinct"
        return all(self._take_list(arg, cards) if arg.fact.is_list else self.take(arg, cards) for arg in node.args)

    def _take_list(self, node: Value, cards: Mapping[int, bool]) -> bool:
        return (node.op == "var" and node.fact.is_list and node.number in cards) or self.take(node, cards)

    def _read(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """What is read of the position, or given; it may depend on nothing bound inside."""
        if node.free & cards.keys() or node.faults:
            return False
        of = node.fact.of
        if of is None:
            self.single[node] = self.keys[node] = None
            return True
        if not self._is_of_cards(node):
            return False
        self.lists[node] = None
        return True

    def _is_of_cards(self, node: Value) -> bool:
        """Whether a value is a list of cards."""
        of = node.fact.of
        return of is not None and not of.is_list and 0 <= of.low <= of.high < self.cards and not node.fact.none

    def _is_gathered(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """Whether a list is put together from lists and single cards of the position."""
        if node.free & cards.keys() or not self._is_of_cards(node):
            return False
        listed = strip_checks(node)
        if listed.op != "join" or listed.faults:
            return False
        return all(
            (part.op in PLACES and self._is_of_cards(part))
            or (part.op == "items" and all(_is_place(card) for card in part.args))
            for part in listed.args
        )

    def _is_card(self, node: Value, cards: Mapping[int, bool]) -> bool:
        return node.op == "var" and not node.fact.is_list and cards.get(node.number, False)

    def holds_cards(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """Whether the elements of a list are cards that are read somewhere, or groups of such cards."""
        match node.op:
            case "var" if node.number in cards:
                return node.fact.is_list and cards[node.number]
            case "subsets" | "pairs" | "best" | "distinct" | "tails":
                return self.holds_cards(node.args[0], cards)
            case "check" | "sure":
                return self.holds_cards(node.args[-1], cards)
            case slice_ if slice_ in SLICES:
                return self.holds_cards(node.args[0], cards)
            case "join":
                return any(self.holds_cards(arg, cards) for arg in node.args)
            case "each":
                source, _, made = node.args
                return made.op == "var" and made.data == node.data[:1] and self.holds_cards(source, cards)
        return node.op in PLACES and node.fact.is_list


def _is_place(card: Value) -> bool:
    while card.op == "sure":
        card = card.args[0]
    return card.op in PLACES and not card.faults

"""Which values are worth remembering: those that run through all groups of some cards.

In: a value. Out: a `Memo`, if the value depends on nothing but one list of cards, on these only by some of their
attributes, and not on their order. Then there are few different cases, and a table of bytes holds what was found in
each: the cards' classes, sorted, are the place in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hoyle.codegen.low.values import BINDERS, Table, Value, walk

LARGEST = 1 << 20  # bytes of one table
LONGEST = 8  # cards in a place
FEWEST = 2
HEAVIEST = 2000
GROUPS = frozenset({"subsets", "pairs"})
# What may be made of cards: groups, parts of the list, how many there are.
TAKES_CARDS = frozenset({"subsets", "pairs", "each", "best", "count", "any"})
PURE = frozenset({
    "int", "none", "list", "var", "table", "add", "subtract", "multiply", "divide", "modulo", "greatest", "least",
    "equal", "less", "not", "and", "or", "if", "is_none", "sure", "need", "check", "present", "each", "best", "any",
    "count", "sum", "highest", "lowest", "distinct", "subsets", "pairs",
})  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Memo:
    """A table for what is worked out of the cards in `source`, at most `most` of them: `classes` gives each card a
    number from 1 below `base`. `low` is the least that can come of it."""

    number: int
    source: Value
    classes: tuple[int, ...]
    base: int
    most: int
    low: int

    @property
    def size(self) -> int:
        return int(self.base**self.most)


class Memos:
    """Finds what is to be remembered in the values of one module; each is looked at once."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self._known: dict[Value, Memo | None] = {}
        self._made = 0

    def find(self, value: Value) -> Memo | None:
        if value.fact.is_list or value.free or value.op == "check" or value.weight > HEAVIEST:
            return None
        if value not in self._known:
            self._known[value] = self._look(value)
        return self._known[value]

    def _look(self, value: Value) -> Memo | None:
        groups = [node for node in walk(value) if node.op in GROUPS]
        closed = {node.args[0] for node in groups if not node.args[0].free}
        if len(closed) != 1:
            return None
        source = closed.pop()
        of = source.fact.of
        if of is None or of.is_list or of.low < 0 or of.high >= self.cards:
            return None
        tables: dict[Table, None] = {}
        if not _Inspection(source, tables).allows(value, {}):
            return None
        kinds = [tuple(table.values[card] for table in tables) for card in range(self.cards)]
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds), start=1)}
        base = len(numbers) + 1
        most = max((n for n in range(LONGEST + 1) if base**n <= LARGEST), default=0)
        if most < max(FEWEST, source.fact.low) or base > 255:
            return None
        self._made += 1
        return Memo(self._made, source, tuple(numbers[kind] for kind in kinds), base, most, value.fact.low)


class _Inspection:
    """Whether a value depends on a list of cards alone, whatever their order, and only through tables of attributes."""

    def __init__(self, source: Value, tables: dict[Table, None]) -> None:
        self.source = source
        self.tables = tables

    def allows(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """`cards` says of the variables around which of them are cards, or groups of them."""
        if node is self.source:
            return True
        if node.op not in PURE:
            return False
        if node.op == "table" and self._is_card(node.args[0], cards):
            self.tables[node.table] = None
            return True
        if node.op in BINDERS:
            return self._allows_binder(node, cards)
        of_cards = any(self._holds_cards(arg, cards) or self._is_card(arg, cards) for arg in node.args)
        if of_cards and node.op not in TAKES_CARDS:
            return False
        return all(self.allows(arg, cards) for arg in node.args)

    def _allows_binder(self, node: Value, cards: Mapping[int, bool]) -> bool:
        source, *bodies = node.args
        inside = {**cards, node.number: self._holds_cards(source, cards)}
        return self.allows(source, cards) and all(
            self._is_card(body, inside) or self.allows(body, inside) for body in bodies
        )

    def _is_card(self, node: Value, cards: Mapping[int, bool]) -> bool:
        return node.op == "var" and not node.fact.is_list and cards.get(node.number, False)

    def _holds_cards(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """Whether the elements of a list are cards, or groups of cards."""
        match node.op:
            case "var":
                return node.fact.is_list and cards.get(node.number, False)
            case "subsets" | "pairs" | "best":
                return self._holds_cards(node.args[0], cards)
            case "each":
                source, _, made = node.args
                return made.op == "var" and made.data == node.data[:1] and self._holds_cards(source, cards)
        return node is self.source

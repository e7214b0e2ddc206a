"""Input analysis for memoisation: the lists of cards, tables and scalars that determine a value.

In: a value. Out: `Inputs`, from which memo tables are made: cards that no table tells apart are equivalent.
"""

from __future__ import annotations

from collections.abc import Mapping

from hoyle.play.codegen.low.values import BINDERS, SCALARS, Table, Value
from hoyle.play.codegen.passes.patterns import SLICES

GROUPS = frozenset({"subsets", "pairs"})
PLACES = frozenset({"cards", "state", "slot", "var", "register", "asked", "top", "bottom", "size", "total"})
COMPUTED = SCALARS | GROUPS | {
    "list", "check", "present", "each", "best", "any", "count", "sum", "highest", "lowest", "distinct", "items", "join",
    "flat", "span", "row",
}  # fmt: skip
ORDERLESS = GROUPS | {"each", "best", "count", "any", "join", "distinct", "flat", "check", "sure"}


class Inputs:
    """The inputs of a value. Cards may only be looked up in `tables` and counted, so that the key of a list is a
    multiset of classes. `given` is a list of cards that is an input as it is.
    `tells_apart`: the value removes duplicates, so that classes are not enough unless lists have none."""

    def __init__(self, cards: int, given: Value) -> None:
        self.cards = cards
        self.given = given
        self.tells_apart = False
        self.lists: dict[Value, None] = {}
        self.single: dict[Value, None] = {}
        self.tables: dict[Table, None] = {}

    def take(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """Collect the inputs of a node; False if it depends on something else. `cards` says of each enclosing variable
        whether it is a card or a group of cards."""
        if node.op == "var" and node.number in cards:
            return not cards[node.number]  # the identity of a card must not escape
        if node.op in PLACES and node is not self.given:
            return self._read(node, cards)
        if node is self.given or self._is_gathered(node, cards):
            self.lists[node] = None
            return True
        if node.op not in COMPUTED or any(map(_is_in_order, _list_compared(node))):
            return False
        if node.op == "table" and self._is_card(node.args[0], cards):
            self.tables[node.table] = None
            return len(node.table.values) >= self.cards
        if node.op == "table" and node.args[0].op in PLACES and not node.free & cards.keys():
            self.single[node.args[0]] = None
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
        if of_cards and node.op not in ORDERLESS:
            return False
        self.tells_apart |= of_cards and node.op == "distinct"
        return all(self._take_list(arg, cards) if arg.fact.is_list else self.take(arg, cards) for arg in node.args)

    def _take_list(self, node: Value, cards: Mapping[int, bool]) -> bool:
        return (node.op == "var" and node.fact.is_list and node.number in cards) or self.take(node, cards)

    def _read(self, node: Value, cards: Mapping[int, bool]) -> bool:
        """A load from the position, or a variable bound outside; it may depend on no variable bound inside."""
        if node.free & cards.keys() or node.faults:
            return False
        of = node.fact.of
        if of is None:
            self.single[node] = None
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
        """Whether a list is a concatenation of lists and single cards of the position."""
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
        """Whether the elements of a list are cards loaded from the position, or groups of such cards."""
        match node.op:
            case _ if node is self.given:
                return True
            case "var" if node.number in cards:
                return node.fact.is_list and cards[node.number]
            case "check":
                return self.holds_cards(node.args[1], cards)
            case op if op in SLICES or op in ("subsets", "pairs", "best", "distinct", "tails", "sure", "flat"):
                return self.holds_cards(node.args[0], cards)
            case "join":
                return any(self.holds_cards(arg, cards) for arg in node.args)
            case "each":
                source, _, made = node.args
                inside = {**cards, node.number: self.holds_cards(source, cards)}
                return self.holds_cards(made, inside) if made.fact.is_list else self._is_card(made, inside)
        return node.op in PLACES and node.fact.is_list

    def list_classes(self) -> tuple[int, ...]:
        """The equivalence class of each card: cards with equal entries in all tables are one class."""
        kinds = [tuple(table.values[card] for table in self.tables) for card in range(self.cards)]
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        return tuple(numbers[kind] for kind in kinds)


def _list_compared(node: Value) -> tuple[Value, ...]:
    """The lists that an operation compares elementwise: its operands, keys, or the elements of its operand."""
    if node.op in ("equal", "less"):
        return node.args
    if node.op == "best":
        return node.args[1:]
    if node.op not in ("distinct", "highest", "lowest"):
        return ()
    source = node.args[0]
    of_lists = source.fact.of is not None and source.fact.of.is_list
    return (source.args[2] if source.op == "each" else source,) if of_lists else ()


def _is_in_order(node: Value) -> bool:
    """Whether a value is a list whose order derives from that of an input."""
    if node.op in ("sure", "if", "join"):
        return any(map(_is_in_order, node.args))
    return node.fact.is_list and node.op not in ("items", "list", "span", "row")


def _is_place(card: Value) -> bool:
    while card.op == "sure":
        card = card.args[0]
    return card.op in PLACES and not card.faults


def strip_checks(listed: Value) -> Value:
    """A list without the fault checks around it."""
    while listed.op == "check":
        listed = listed.args[1]
    return listed

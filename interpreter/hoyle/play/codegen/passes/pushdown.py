"""Projection pushdown: if one table is all that a value reads of its cards, the lookup is moved to the source lists.

In: a value over lists of cards. Out: the table, and the same value over lists of table entries: groups of these are
formed, compared and added up without a lookup in the inner loops.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.values import BINDERS, Table, Value
from hoyle.play.codegen.passes.tabulate import tabulate

# Whether the elements of a list are cards or groups of cards, given which of the enclosing variables are.
HoldsCards = Callable[[Value, Mapping[int, bool]], bool]


class Pushdown:
    """Rewrites a value over some lists. Precondition (`Inputs`): it only looks cards up and counts them."""

    def __init__(self, build: Builder, lists: Container[Value], holds_cards: HoldsCards) -> None:
        self.build = build
        self.lists = lists
        self.holds_cards = holds_cards
        self.tables: dict[Table, None] = {}
        self._done: dict[tuple[object, ...], Value] = {}
        self.possible = True

    def map(self, value: Value) -> tuple[Table, Value] | None:
        """The table, and the value over lists of its entries; None unless there is exactly one table, without none."""
        mapped = self._visit(value, {})
        if not self.possible or len(self.tables) != 1:
            return None
        return next(iter(self.tables)), mapped

    def _visit(self, node: Value, cards: Mapping[int, bool]) -> Value:
        if node in self.lists or node.op == "var" or not node.args:
            return node
        key = (node, *(cards.get(number) for number in sorted(node.free)))
        if key not in self._done:
            self._done[key] = self._map_looked_up(node, cards) or self._rebuild(node, cards)
        return self._done[key]

    def _map_looked_up(self, node: Value, cards: Mapping[int, bool]) -> Value | None:
        """A number that depends on one card alone: it becomes the element of the mapped list."""
        if len(node.free) != 1 or node.fact.is_list or not all(map(cards.get, node.free)):
            return None
        table = node if node.op == "table" else tabulate(self.build, node)
        if table is None or table.args[0].op != "var" or table.args[0].fact.is_list:
            return None
        self.tables[table.table] = None
        self.possible &= not table.fact.none
        return self.build.make("var", (), table.args[0].data, table.fact)

    def _rebuild(self, node: Value, cards: Mapping[int, bool]) -> Value:
        if node.op not in BINDERS:
            return self.build.make(node.op, [self._visit(arg, cards) for arg in node.args], node.data, node.fact)
        source, *bodies = node.args
        inside = {**cards, node.number: self.holds_cards(source, cards)}
        listed, inner = self._visit(source, cards), [self._visit(body, inside) for body in bodies]
        if node.op == "each" and inner[0] is self.build.true and inner[1].op == "var" and inner[1].data == node.data:
            return listed
        return self.build.make(node.op, (listed, *inner), node.data, node.fact)

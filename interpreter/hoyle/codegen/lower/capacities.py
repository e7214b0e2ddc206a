"""How many cards each zone needs room for.

In: a module. Out: for each zone a number of cards.

Where cards are gathered again and again in one zone, all others together hold no more than were taken out of it since:
those that are dealt, drawn or moved from it. Of a card that was named before it is moved, it is assumed that it still
lies where it was named. That is all but certain, and need not be: a card that finds no room is a fault.
"""

from __future__ import annotations

from hoyle.codegen.low.program import Do, Module, Statement, When
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.control import Control

MOST_VISITS = 8  # of a block, before it is taken to be in a loop that takes out card after card
ORDERING = frozenset({"shuffle", "cut", "turn_over"})
MOVING = frozenset({"gather", "deal", "move", "swap", "move_card", "take_back", *ORDERING})


def find_capacities(module: Module) -> tuple[int, ...]:
    """Room for each zone of the position."""
    program, cards = module.program, len(module.program.cards)
    home = program.zones[program.start_zone].base
    most = _Outside(module, home).count()
    return tuple(
        cards if zone.base + place == home else min(cards, most)
        for zone in sorted(program.zones, key=lambda each: each.base)
        for place in range(zone.size)
    )


class _Outside:
    """Counts the cards that can be outside of one zone."""

    def __init__(self, module: Module, home: int) -> None:
        self.module = module
        self.home = home
        self.cards = len(module.program.cards)
        self.control = Control(module.program)
        self.most = 0

    def count(self) -> int:
        known: dict[int, int] = {self.module.entry: 0}
        visits: dict[int, int] = {}
        todo = [self.module.entry]
        while todo:
            number = todo.pop()
            visits[number] = visits.get(number, 0) + 1
            before = known[number] if visits[number] <= MOST_VISITS else self.cards
            after = self._run(self.module.blocks[number].body, before)
            for to in self.control.list_reached(number):
                if to in self.module.blocks and known.get(to, -1) < after:
                    known[to] = after
                    todo.append(to)
        return self.most

    def _run(self, statements: tuple[Statement, ...], outside: int) -> int:
        for each in statements:
            match each:
                case Do() if each.op in MOVING:
                    outside = min(self.cards, self._do(each, outside))
                    self.most = max(self.most, outside)
                case When():
                    outside = max(self._run(each.then, outside), self._run(each.otherwise, outside))
        return outside

    def _do(self, do: Do, outside: int) -> int:
        if do.op == "gather":
            return 0 if do.args[0].constant == self.home else self.cards
        if do.op in ORDERING:
            return outside
        if do.op == "deal" and do.args[3:]:
            source, targets, _, many = do.args
            return outside + (targets.fact.high * max(0, many.fact.high) if self._may_be_home(source) else 0)
        if do.op == "move":
            of = do.args[0].fact.of
            assert of is not None
            taken = of.home is None or of.home[0] <= self.home <= of.home[1]
            return outside + (do.args[0].fact.high if taken else 0)
        if do.op == "move_card":
            near = do.args[0].fact.home
            return outside + (near is None or near[0] <= self.home <= near[1])
        return self.cards

    def _may_be_home(self, zone: Value) -> bool:
        return zone.fact.low <= self.home <= zone.fact.high

"""Static capacities: a forward dataflow analysis that bounds the cards each zone can hold.

In: a module. Out: for each zone a number of cards.

Between two gathers into the start zone (home), a zone holds at most the cards that left home for it, or for zones that
feed it. Where a card lies when it is moved is taken from its `home` hint, which is unsound if it was moved since it was
read; so the bound is speculative, and the run-time check that a zone has room is a fault.
"""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.play.codegen.low.facts import Fact
from hoyle.play.codegen.low.program import Do, Module, Statement, When
from hoyle.play.codegen.lower.control_flow import ControlFlow, list_finished

MOST_VISITS = 8  # of a block, before counts that still grow there are widened to the whole deck
MOVING = frozenset({"gather", "deal", "move", "swap", "take_back"})

Taken = tuple[int, ...]  # the abstract state: cards that left home since the last gather, by target zone


def find_capacities(module: Module) -> tuple[int, ...]:
    """The capacity of each zone."""
    return _Flow(module).find()


class _Flow:
    """The worklist iteration; `sources` is the graph of zones along which cards flow, without home."""

    def __init__(self, module: Module) -> None:
        program = module.program
        self.module = module
        self.home = program.zones[program.start_zone].base
        self.cards = len(program.cards)
        self.zones = range(sum(zone.size for zone in program.zones))
        self.control = ControlFlow(program)
        self.most = [0] * len(self.zones)
        self.most_outside = 0
        self.sources: list[set[int]] = [set() for _ in self.zones]

    def find(self) -> tuple[int, ...]:
        self._follow()
        room = (min(self.most_outside, sum(self.most[each] for each in self._reach(zone))) for zone in self.zones)
        return tuple(self.cards if zone == self.home else most for zone, most in enumerate(room))

    def _follow(self) -> None:
        known: dict[int, Taken] = {self.module.entry: (0,) * len(self.zones)}
        visits: dict[int, int] = {}
        todo = [self.module.entry]
        while todo:
            number = todo.pop()
            visits[number] = visits.get(number, 0) + 1
            after = self._run(self.module.blocks[number].body, known[number])
            for to in self.control.list_reached(number):
                if to in self.module.blocks:
                    before = known.get(to)
                    known[to] = after if before is None else self._join(before, after, visits.get(to, 0))
                    if known[to] != before:
                        todo.append(to)

    def _join(self, before: Taken, after: Taken, visits: int) -> Taken:
        grown = self.cards if visits > MOST_VISITS else 0
        return tuple(one if one >= other else max(other, grown) for one, other in zip(before, after, strict=True))

    def _reach(self, zone: int) -> list[int]:
        """The zones from which cards can flow to one, itself included."""
        return list_finished([zone], self.sources.__getitem__)

    def _run(self, statements: Iterable[Statement], taken: Taken) -> Taken:
        for each in statements:
            match each:
                case Do() if each.op in MOVING:
                    taken = self._do(each, taken)
                    self.most = list(map(max, self.most, taken))
                    self.most_outside = min(self.cards, max(self.most_outside, sum(taken)))
                case When():
                    then, otherwise = self._run(each.then, taken), self._run(each.otherwise, taken)
                    taken = tuple(map(max, then, otherwise))
        return taken

    def _do(self, do: Do, taken: Taken) -> Taken:
        if do.op == "gather" and do.args[0].constant == self.home:
            return (0,) * len(self.zones)
        if do.op == "deal":
            source, targets, _, *many = do.args
            most = many[0].fact.high if many else self.cards
            return self._bring(taken, self._span(source.fact), targets.element, most)
        if do.op == "move":
            cards, zone = do.args
            first, last = cards.element.home or (0, len(self.zones) - 1)
            return self._bring(taken, range(first, last + 1), zone.fact, cards.fact.high)
        return (self.cards,) * len(self.zones)

    def _span(self, zone: Fact) -> range:
        return range(max(0, zone.low), min(zone.high + 1, len(self.zones)))

    def _bring(self, taken: Taken, sources: range, zone: Fact, many: int) -> Taken:
        targets = self._span(zone)
        for target in targets:
            self.sources[target] |= set(sources) - {self.home}
        if self.home not in sources:
            return taken
        more = [max(0, many) if zone in targets else 0 for zone in self.zones]
        return tuple(min(self.cards, each + new) for each, new in zip(taken, more, strict=True))

"""Zones that rules ask for where they are always empty, such as the trick after it has been taken.

In: a finished program. Out: a `Finding` for each clause that reads a zone that is empty there, whatever way has led
there. The facts are the zones that are empty on all paths.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.language.analyse.findings import Finding
from hoyle.language.analyse.sure_facts import NO_FACTS, Change, Facts, SureFacts
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import changes_holders
from hoyle.program.ir.parts import Part
from hoyle.program.words import Op, applies


def find_empties(program: ir.Program) -> list[Finding]:
    """For each zone, the clauses that read it where it is always empty."""
    return list(_Empties(program).find())


class _Empties(SureFacts):
    def __init__(self, program: ir.Program) -> None:
        self.single = frozenset(number for number, zone in enumerate(program.zones) if not zone.of and not zone.many)
        self.emptied_in: dict[int, int] = {}  # by zone: a clause that leaves it empty
        super().__init__(program, self.single - {program.start_zone})

    def change_by(self, node: ir.Instruction) -> Change:
        if not changes_holders(node):
            return Change(NO_FACTS, NO_FACTS)
        match node:
            case ir.Gather():
                filled = self._filled(node.zone)
                emptied = self.single
            case ir.Move():
                filled, emptied = self._filled(node.zone), self._whole(node.cards)
            case ir.Deal():
                filled = self._filled(node.targets)
                emptied = self._whole(node.source) if node.count is None else NO_FACTS
            case _:
                filled, emptied = self.single, NO_FACTS
        if node.clause is not None and not isinstance(node, ir.Gather):
            for zone in emptied - filled:
                self.emptied_in.setdefault(zone, node.clause)
        return Change(emptied - filled, filled)

    def _filled(self, target: ir.Expr) -> Facts:
        """The zones that may get cards."""
        match target:
            case ir.ZoneRef():
                return self.single & {target.zone}
            case ir.Those() if target.value is not None:
                return self._filled(target.value)
            case ir.Apply() if applies(target, Op.LIST, Op.JOIN):
                return frozenset[int]().union(*map(self._filled, target.args))
        return self.single

    def _whole(self, cards: ir.Expr) -> Facts:
        """The zone whose cards these all are."""
        if applies(cards, Op.CARDS):
            return self._whole(cards.args[0])
        return self.single & {cards.zone} if isinstance(cards, ir.ZoneRef) else NO_FACTS

    def find(self) -> Iterator[Finding]:
        self.flow()
        always: dict[tuple[int, int], bool] = {}  # by clause and zone; an end is tested in many places
        for clause, exprs, empty in self.list_reads(asked=False):  # actions are offered in several places
            read = {region.index for expr in exprs for region in self.effects.reads(expr) if region.part is Part.ZONES}
            for zone in self.single.intersection(read):
                if clause is not None:
                    always[clause, zone] = zone in empty and always.get((clause, zone), True)
        for (clause, zone), is_empty in always.items():
            if is_empty and zone in self.emptied_in:
                yield self._finding(clause, zone)

    def _finding(self, clause: int, zone: int) -> Finding:
        name = self.program.zones[zone].name
        return Finding(
            "always-empty",
            clause,
            f"`{name}` is always empty here",
            "asks for what is not there",
            "ask before its cards are moved away",
            ((self.emptied_in[zone], "its cards are moved away here"),),
        )

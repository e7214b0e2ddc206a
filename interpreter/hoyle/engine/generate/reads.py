"""What expressions read of a position and what instructions change, so that a value worked out can be used again.

In: expressions, instructions. Out: sets of marks: `("zone", 3)`, `("state", 1)`, `("slot", 7)`, `("zones",)` for any
zone, `("states",)` for any state, `("all",)` for anything.
"""

from __future__ import annotations

from hoyle.analyse.effects import written_by
from hoyle.engine.generate.dividers import find_read
from hoyle.engine.generate.simplify import Simplifier
from hoyle.ir import nodes as ir
from hoyle.ir.parts import Part, Region
from hoyle.ir.types import certain
from hoyle.ir.walk import walk_expression
from hoyle.words import WORDS

Mark = tuple[str, int] | tuple[str]
ALL: Mark = ("all",)
ZONES: Mark = ("zones",)
STATES: Mark = ("states",)
HOLDERS: Mark = ("holders",)
FACES: Mark = ("faces",)
TOTALS: Mark = ("totals",)
ROUNDS: Mark = ("rounds",)
LINES: Mark = ("lines",)

_MARKS: dict[Part, Mark] = {
    Part.ZONES: ZONES, Part.HOLDERS: HOLDERS, Part.TOTALS: TOTALS, Part.ROUNDS: ROUNDS, Part.STATES: STATES,
    Part.LINES: LINES, Part.FACES: FACES,
}  # fmt: skip


class Reads:
    """Marks of the expressions of one program."""

    def __init__(self, simplifier: Simplifier) -> None:
        self.simplifier = simplifier
        self._definitions: dict[int, frozenset[Mark]] = {}
        self._known: dict[int, tuple[ir.Expr, frozenset[Mark]]] = {}  # by expressions, which are held to stay the same

    def of(self, expr: ir.Expr) -> frozenset[Mark]:
        """What an expression reads."""
        if id(expr) not in self._known:
            self._known[id(expr)] = expr, self._find(expr)
        return self._known[id(expr)][1]

    def _find(self, expr: ir.Expr) -> frozenset[Mark]:
        found: set[Mark] = set()
        for node in walk_expression(expr):
            if isinstance(node, ir.Slot):
                found.add(("slot", node.index))
            elif isinstance(node, ir.StateRef):
                found |= {("state", node.state), ZONES} if self._names_pile(node) else {("state", node.state)}
            elif isinstance(node, ir.Piles):
                found.add(ZONES)
            elif isinstance(node, ir.CanDo):
                found.add(ALL)
            elif isinstance(node, ir.Division):
                found |= {_mark(region) for region in find_read(self.simplifier.program, node.by)}
            elif isinstance(node, ir.Call):
                found |= self._of_definition(node.definition)
            elif isinstance(node, ir.Apply) and not self.simplifier.facts.is_fixed(node.word):
                found |= self._of_word(node)
        return frozenset(found)

    def _names_pile(self, node: ir.StateRef) -> bool:
        return certain(self.simplifier.program.states[node.state].type).kind == "zone"

    def _of_definition(self, number: int) -> frozenset[Mark]:
        if number not in self._definitions:
            self._definitions[number] = self.of(self.simplifier.body_of(number)[1])
        return self._definitions[number]

    def _of_word(self, node: ir.Apply) -> set[Mark]:
        found: set[Mark] = set()
        for look in WORDS[node.word].reads or (None,):
            zone = node.args[look.argument] if look is not None and look.argument < len(node.args) else None
            if look is None or look.part not in _MARKS:
                found.add(ALL)
            elif look.part is Part.ZONES and isinstance(zone, ir.Const) and zone.type.kind == "zone":
                found.add(("zone", zone.number) if zone.value is not None else ZONES)
            else:
                found.add(_MARKS[look.part])
        return found


def list_writes(instruction: ir.Instruction) -> frozenset[Mark]:
    """What an instruction changes."""
    return frozenset(map(_mark, written_by(instruction)))


def _mark(region: Region) -> Mark:
    if region.part is Part.SLOTS and region.index is not None:
        return ("slot", region.index)
    if region.part is Part.STATES and region.index is not None:
        return ("state", region.index)
    return _MARKS.get(region.part, ALL)


def touches(reads: frozenset[Mark], writes: frozenset[Mark]) -> bool:
    """Whether what is read may have changed."""
    if not reads or not writes:
        return False
    if ALL in reads or ALL in writes or reads & writes:
        return True
    kinds = {mark[0] for mark in writes}
    if "states" in kinds and any(mark[0] == "state" for mark in reads):
        return True
    return ("zones" in kinds and any(mark[0] == "zone" for mark in reads)) or (
        ZONES in reads and "zone" in kinds
    )  # fmt: skip

"""What expressions read of a position and what instructions change, so that a value worked out can be used again.

In: expressions, instructions. Out: sets of marks: `("zone", 3)`, `("state", 1)`, `("slot", 7)`, `("zones",)` for any
zone, `("states",)` for any state, `("all",)` for anything.
"""

from __future__ import annotations

from hoyle.engine.generate.facts import walk
from hoyle.engine.generate.simplify import Simplifier
from hoyle.ir import nodes as ir
from hoyle.ir.types import certain

Mark = tuple[str, int] | tuple[str]
ALL: Mark = ("all",)
ZONES: Mark = ("zones",)
STATES: Mark = ("states",)
HOLDERS: Mark = ("holders",)
TOTALS: Mark = ("totals",)
ROUNDS: Mark = ("rounds",)

_OF_ONE_ZONE = frozenset({"cards", "size", "no_cards", "top", "bottom"})
_WORDS: dict[str, Mark] = {
    "zone": ZONES, "place": ZONES, "last_holder": HOLDERS, "score": TOTALS, "column": TOTALS, "rounds_played": ROUNDS,
}  # fmt: skip
_MOVES = (ir.Gather, ir.Shuffle, ir.Cut, ir.Deal, ir.Move, ir.TurnOver, ir.Swap)
_NOTHING = (ir.Show, ir.Announce)


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
        for node in walk(expr):
            if isinstance(node, ir.Slot):
                found.add(("slot", node.index))
            elif isinstance(node, ir.StateRef):
                found |= {("state", node.state), ZONES} if self._names_pile(node) else {("state", node.state)}
            elif isinstance(node, ir.Piles):
                found.add(ZONES)
            elif isinstance(node, ir.CanDo):
                found.add(ALL)
            elif isinstance(node, ir.Call):
                found |= self._of_definition(node.definition)
            elif isinstance(node, ir.Apply) and not self.simplifier.facts.is_fixed(node.word):
                found.add(self._of_word(node))
        return frozenset(found)

    def _names_pile(self, node: ir.StateRef) -> bool:
        return certain(self.simplifier.program.states[node.state].type).kind == "zone"

    def _of_definition(self, number: int) -> frozenset[Mark]:
        if number not in self._definitions:
            self._definitions[number] = self.of(self.simplifier.body_of(number)[1])
        return self._definitions[number]

    def _of_word(self, node: ir.Apply) -> Mark:
        if node.word in _OF_ONE_ZONE:
            zone = node.args[0]
            return ("zone", zone.value) if isinstance(zone, ir.Const) and zone.value is not None else ZONES
        return _WORDS.get(node.word, ALL)


def list_writes(instruction: ir.Instruction) -> frozenset[Mark]:
    """What an instruction changes."""
    match instruction:
        case ir.SetState() | ir.AddTo():
            return frozenset({("state", instruction.state)})
        case ir.Let() | ir.Draw():
            return frozenset({("slot", instruction.slot)})
        case ir.Leave():
            return frozenset(("slot", slot) for slot in instruction.slots)
        case ir.Score():
            return frozenset({TOTALS})
        case ir.BeginRound():
            return frozenset({STATES})
        case ir.EndRound():
            return frozenset({ROUNDS})
    if isinstance(instruction, _MOVES):
        return frozenset({ZONES, HOLDERS})
    return frozenset() if isinstance(instruction, _NOTHING) else frozenset({ALL})


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

"""What is open in a general program: the nodes that hold something only a table gives.

In: the general program of a game. Out: `Open`, which tells of a node whether settling can change it.
"""

from __future__ import annotations

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given, OpenIndex
from hoyle.program.ir.walk import list_parts
from hoyle.program.words import Op, applies


class Open:
    """What is open in a general program: the nodes with something given inside, by identity."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._known: dict[int, bool] = {}
        self._definitions: dict[int, bool] = {}

    def __contains__(self, node: object) -> bool:
        key = id(node)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._is_open(node)
        return known

    def _is_open(self, node: object) -> bool:
        if isinstance(node, Given | OpenIndex):
            return True
        if applies(node, Op.OFFENDER) and self.program.called:  # type: ignore[arg-type]  # of any node
            return True
        if isinstance(node, ir.Call) and self.is_open_definition(node.definition):
            return True
        return any(part in self for part in list_parts(node))

    def is_open_definition(self, number: int) -> bool:
        """Whether something is given in what a definition says."""
        if number not in self._definitions:
            self._definitions[number] = False  # guards the recursion; rings are reported elsewhere
            self._definitions[number] = self.program.definitions[number].body in self
        return self._definitions[number]

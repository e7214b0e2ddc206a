"""What is known on the way through blocks, and where ways meet.

In: the ways that lead to a block. Out: what all of them agree on, so that what follows is written once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

from hoyle.codegen.unsupported import Unsupported
from hoyle.dataclass import dataclass
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import Code, Line, Writer
from hoyle.engine.limits import MOST_STEPS
from hoyle.ir import nodes as ir
from hoyle.ir.instructions import list_slots_set

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Flow:
    """What is known on the way to a block: return slots, names that hold slots, and what has been counted."""

    returns: dict[int, int]
    names: dict[int, Code]
    cost: int  # since the budget was last written down
    spent: int  # since the budget was last tested
    counts: bool  # whether there is a variable for the budget


def follow(flow: Flow, instruction: ir.Instruction) -> Flow:
    """What is known after an instruction: slots it sets are read anew, slots it leaves are not running."""
    if isinstance(instruction, ir.Leave):
        return replace(flow, returns={k: v for k, v in flow.returns.items() if k not in instruction.slots})
    changed = flow.names.keys() if instruction.writes is None else list_slots_set(instruction)
    if any(slot in flow.names for slot in changed):
        return replace(flow, names={k: v for k, v in flow.names.items() if k not in changed})
    if any(slot in flow.returns for slot in changed):
        raise Unsupported("a return slot that is set by hand")
    return flow


class Writing(Protocol):
    """A function being written."""

    counts_exactly: bool
    values: Values
    writer: Writer
    said: str


class Meeting:
    """A block where two ways meet: written once, after both. Ways arrive if they would return to the same places."""

    def __init__(self, block: int, returns: dict[int, int]) -> None:
        self.block = block
        self.returns = returns
        self.flows: list[Flow] = []
        self.shared: list[tuple[dict[ir.Expr, Code], dict[ir.Expr, Code]]] = []
        self.ends: list[Line] = []
        self.empty: list[Line] = []

    def fits(self, number: int, flow: Flow) -> bool:
        return number == self.block and flow.returns == self.returns

    def arrive(self, segment: Writing, flow: Flow) -> None:
        """End a way here, with a line that may have to count down what it has cost."""
        self.flows.append(flow)
        self.shared.append((dict(segment.values.shared), dict(segment.values.shared_each)))
        self.ends.append(segment.writer.add("pass"))

    def join(self, segment: Writing) -> Flow | None:
        """What is known where the ways have met; None if none arrived."""
        if not self.flows:
            return None
        first, *others = self.flows
        if not segment.counts_exactly:
            first = replace(first, cost=max(flow.cost for flow in self.flows))
        alike = all((flow.cost, flow.counts) == (first.cost, first.counts) for flow in others)
        if alike or not segment.counts_exactly:
            merged = first
            for line in self.empty:
                self._drop(segment, line)
        else:
            for flow, line in zip(self.flows, self.ends, strict=True):
                line.text = f"budget -= {flow.cost}" if flow.counts else f"budget = {MOST_STEPS - flow.cost}"
            merged = replace(first, cost=0, counts=True)
        self._tidy(segment)
        values = segment.values
        values.shared = _keep_common([shared for shared, _ in self.shared])
        values.shared_each = _keep_common([each for _, each in self.shared])
        names = _keep_common([flow.names for flow in self.flows])
        segment.said = ""
        return replace(merged, spent=max(flow.spent for flow in self.flows), names=names)

    def _drop(self, segment: Writing, otherwise: Line) -> None:
        """An `else` in which nothing is done."""
        at = next(i for i, line in enumerate(segment.writer.lines) if line is otherwise)
        otherwise.text = ""
        for line in segment.writer.lines[at + 1 :]:
            if line.depth <= otherwise.depth:
                break
            line.text = ""

    def _tidy(self, segment: Writing) -> None:
        """Leave out a `pass` that stands after something."""
        for line in self.ends:
            if line.text == "pass":
                at = next(i for i, each in enumerate(segment.writer.lines) if each is line)
                before = next((each for each in reversed(segment.writer.lines[:at]) if _is_code(each)), None)
                if before is not None and before.depth >= line.depth and not before.text.endswith(":"):
                    line.text = ""


def _is_code(line: Line) -> bool:
    return bool(line.text) and not line.text.startswith("#")


def _keep_common(parts: list[dict[Key, Code]]) -> dict[Key, Code]:
    """What all say alike."""
    first, *others = parts
    return {key: code for key, code in first.items() if all(other.get(key) == code for other in others)}

"""What an expression reads and what an instruction writes, so that ends are tested only where they can have come about.

In: IR. Out: sets of `zones`, `totals`, `rounds` and `state:N`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import singledispatch
from typing import Any

from hoyle.ir import nodes as ir
from hoyle.ir.types import ZONE, certain
from hoyle.words import WORDS

TOTALS_WORDS = {"score", "lines", "entry", "marked", "column"}
ROUND_WORDS = {"rounds_played"}
SEAT_WORDS = {"seats", "left", "right"}


def parts(node: Any) -> Iterator[Any]:
    """The IR nodes directly inside a node."""
    for one in fields(node):
        held = getattr(node, one.name)
        for item in held if isinstance(held, tuple) else (held,):
            if is_dataclass(item) and not isinstance(item, type):
                yield item


def walk(node: Any) -> Iterator[Any]:
    """A node and everything inside it."""
    yield node
    for inner in parts(node):
        yield from walk(inner)


class Reads:
    """Works out what expressions read, through definitions and actions; `actions` are filled in as they are built."""

    def __init__(self, definitions: dict[int, ir.Expr], conditions: dict[int, tuple[ir.Expr, ...]]) -> None:
        self.definitions = definitions
        self.conditions = conditions
        self._known: dict[int, frozenset[str]] = {}

    def of(self, expr: ir.Expr) -> frozenset[str]:
        found: set[str] = set()
        for node in walk(expr):
            if isinstance(node, ir.StateRef):
                found.add(f"state:{node.state}")
                if certain(node.type) == ZONE:
                    found.add("zones")
            elif isinstance(node, ir.ZoneRef | ir.Piles):
                found.add("zones")
            elif isinstance(node, ir.Call):
                found |= self._definition(node.definition)
            elif isinstance(node, ir.CanDo):
                found.add("zones")
                for condition in self.conditions.get(node.action, ()):
                    found |= self.of(condition)
            elif isinstance(node, ir.Apply) and WORDS[node.word].reads_position:
                if node.word in TOTALS_WORDS:
                    found.add("totals")
                elif node.word in ROUND_WORDS:
                    found.add("rounds")
                elif node.word in SEAT_WORDS:
                    found.add("seats")
                elif node.word in ("place", "zone", "last_holder"):
                    found.add("zones")
        return frozenset(found)

    def _definition(self, index: int) -> frozenset[str]:
        if index not in self._known:
            self._known[index] = frozenset()
            self._known[index] = self.of(self.definitions[index]) if index in self.definitions else frozenset()
        return self._known[index]


@singledispatch
def writes(instruction: ir.Instruction) -> frozenset[str]:
    """What an instruction may change."""
    return frozenset()


@writes.register(ir.Gather)
@writes.register(ir.Shuffle)
@writes.register(ir.Cut)
@writes.register(ir.Deal)
@writes.register(ir.Move)
@writes.register(ir.TurnOver)
@writes.register(ir.Swap)
def _zones(instruction: ir.Instruction) -> frozenset[str]:
    return frozenset({"zones"})


@writes.register(ir.Score)
@writes.register(ir.Mark)
def _totals(instruction: ir.Instruction) -> frozenset[str]:
    return frozenset({"totals"})


@writes.register(ir.SetState)
@writes.register(ir.AddTo)
@writes.register(ir.ShuffleList)
def _state(instruction: ir.SetState | ir.AddTo | ir.ShuffleList) -> frozenset[str]:
    return frozenset({f"state:{instruction.state}"})


@writes.register
def _pots(instruction: ir.Pay) -> frozenset[str]:
    return frozenset({f"state:{instruction.source}", f"state:{instruction.target}"})


@writes.register
def _seats(instruction: ir.Retire) -> frozenset[str]:
    return frozenset({"seats"})


@writes.register(ir.EndRound)
def _rounds(instruction: ir.Instruction) -> frozenset[str]:
    return frozenset({"rounds"})

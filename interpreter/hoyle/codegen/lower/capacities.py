"""How many cards each zone can hold.

In: a program and where it can go. Out: for each zone a number of cards that is never exceeded.
"""

from __future__ import annotations

from hoyle.codegen.lower.control import Control
from hoyle.ir import nodes as ir


def find_capacities(program: ir.Program, control: Control) -> tuple[int, ...]:
    """The most cards that can lie in each zone of the position."""
    return tuple(len(program.cards) for zone in program.zones for _ in range(zone.size))

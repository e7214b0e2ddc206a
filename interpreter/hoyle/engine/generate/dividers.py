"""By what a program divides cards, and what of a position that depends on."""

from __future__ import annotations

from hoyle.analyse.effects import effects_of
from hoyle.ir import nodes as ir
from hoyle.ir.parts import Regions
from hoyle.ir.walk import walk


def list_groupings(program: ir.Program) -> list[ir.Grouping]:
    """By what cards are divided anywhere in the program, each once."""
    return list(dict.fromkeys(node.by for node in walk(program) if isinstance(node, ir.Division)))


def find_read(program: ir.Program, by: ir.Grouping) -> Regions:
    """What of a position the groups depend on besides the cards."""
    effects = effects_of(program)
    found = [effects.reads(part) for part in (by.where, by.keeps, by.weigh) if part is not None]
    return frozenset().union(*found)

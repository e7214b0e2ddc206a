"""What everybody can work out of what lies open: definitions such as who takes the trick as it lies.

In: a program. Out: the definitions that tell a seat, or something about a card, from open cards and values that are
shown to all.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.program.effects import effects_of
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part, Region
from hoyle.program.ir.types import CARD, SEAT, TRUTH, Type, certain
from hoyle.program.ir.visibility import is_stated, is_visible
from hoyle.program.ir.walk import walk_into


@dataclass(frozen=True, slots=True)
class CommonKnowledge:
    """Definitions by number: `seats` each tell a seat or none; `marks` are tests of a card."""

    seats: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()


def find_common(program: ir.Program) -> CommonKnowledge:
    """The definitions that read cards which all see, and nothing that anybody does not know."""
    known = [number for number in range(len(program.definitions)) if _is_common(program, number)]
    shapes = [tuple(local.type for local in program.definitions[number].params) for number in known]
    types = [certain(program.definitions[number].type) for number in known]
    return CommonKnowledge(
        tuple(number for number, shape, kind in zip(known, shapes, types, strict=True) if not shape and kind == SEAT),
        tuple(number for number, shape, kind in zip(known, shapes, types, strict=True)
              if shape == (CARD,) and kind == TRUTH),
    )  # fmt: skip


def _is_common(program: ir.Program, number: int) -> bool:
    read = effects_of(program).read_by_definition(number)
    return any(region.part is Part.ZONES for region in read) and all(_is_told(program, number, each) for each in read)


def _is_told(program: ir.Program, number: int, region: Region) -> bool:
    """Whether everybody knows what is read."""
    if region.part is Part.ZONES:
        return region.index is not None and is_visible(program.zones[region.index])
    if region.part is Part.STATES:
        return region.index is not None and is_stated(program.states[region.index])
    if region.part is Part.HOLDERS:
        definition = program.definitions[number]
        return not definition.params and not _names_cards(program, definition.body)
    return region.part is Part.TOTALS


def _names_cards(program: ir.Program, expr: ir.Expr) -> bool:
    """Whether an expression has cards from elsewhere than the zones that it reads, to look at more than their faces:
    who held a card last is known of those that lie open only."""
    nodes = list(walk_into(program, expr))
    faces = {id(node.card) for node in nodes if isinstance(node, ir.Attribute)}
    return any(
        isinstance(node, ir.Const | ir.StateRef) and id(node) not in faces and _may_hold_cards(node.type)
        for node in nodes
    )


def _may_hold_cards(kind: Type) -> bool:
    kind = certain(kind)
    return kind == CARD or (kind.of is not None and _may_hold_cards(kind.of))

"""Actions, decisions and steps: what seats may do, and when.

In: expressions and block numbers. Out: the node classes of which menus and the flow of play consist.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.blocks import BlockId
from hoyle.program.ir.expressions import ClauseId, Expr, Named
from hoyle.program.ir.types import Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One parameter of an action, chosen from `source` (a list) where `where` holds.

    `low`, `high`: the size of a group chosen together; None for a single value, otherwise the pick is a tuple of
    elements. Cards of equal face in the same zone are one choice, represented by the first in the list. `placed`: the
    cards may lie in several zones, so that texts always name the zone. `keeps` and `keeps_allowed` are monotone
    necessary conditions for the group to be possible, or also allowed: a group that fails one cannot be repaired by
    adding elements.

    With `least` and `most` it is a number parameter: any number in this range, offered as a `range` and not one by one.
    Only the last pick of an action may be one; it has no `where`, and no condition reads it. `source` then gives the
    same numbers as a list, and is not evaluated."""

    name: str
    type: Type
    source: Expr
    where: Expr | None
    low: Expr | None
    high: Expr | None
    clause: ClauseId
    least: Expr | None = None
    most: Expr | None = None
    placed: bool = False
    keeps: Expr | None = None
    keeps_allowed: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a seat may do. `possible` and `allowed` are named conditions that must all hold, over the frame (seat,
    picks…, binders…). To execute the action, the seat is stored in `seat_slot` and the picks in `pick_slots`, and
    control enters `entry`."""

    name: str
    text: str
    picks: tuple[Pick, ...]
    possible: tuple[Named, ...]
    allowed: tuple[Named, ...]
    frame: int
    entry: BlockId
    return_slot: int
    seat_slot: int
    pick_slots: tuple[int, ...]
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An action offered in a tier; an optional restriction, `where`, is evaluated in the action's frame."""

    action: int
    where: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """A group of offered actions; `when`, over a frame that begins with the seat, decides whether the tier is
    considered."""

    name: str
    clause: ClauseId
    when: Expr | None
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An ordered list of tiers, of which the first with a legal action is binding. `optional`: the seat may decline.
    `secret`: the choice is told to the seat alone. `window`: several seats are asked in secret, and the first that does
    not decline acts; a seat that could only decline is skipped."""

    name: str
    tiers: tuple[Tier, ...]
    optional: bool
    secret: bool
    frame: int
    clause: ClauseId
    window: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A subroutine of the game: its entry block, the block that `end` jumps to, and the slot with the return
    address."""

    name: str
    entry: BlockId
    exit: BlockId
    return_slot: int
    clause: ClauseId

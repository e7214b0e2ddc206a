"""What seats may do and when: actions with their picks, decisions with their tiers, steps.

In: expressions and numbers of blocks. Out: the node classes that menus and the flow of play are made of.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass
from hoyle.ir.blocks import BlockId
from hoyle.ir.expressions import ClauseId, Expr, Named
from hoyle.ir.types import Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One parameter of an action, chosen from `source` (a list) where `where` holds.

    `low`, `high`: how many are chosen together, None for exactly one; then the pick is a tuple of cards. Cards of
    equal face in the same zone are one choice; the first in the list stands for them all. `placed`: they may lie in
    several zones, so that it is always said in which. `keeps` and `keeps_allowed` follow from what must hold of such a
    group for it to be possible, and to be allowed besides: if a group fails one of them, more cards do not mend it.

    With `least` and `most` it is a number parameter: any number from one to the other, offered as a `range` and not
    one by one. Only the last pick of an action can be one; it has no `where`, and no condition reads it. `source`
    then says the same as a list, and is not evaluated."""

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
    """What a seat may do. `possible` and `allowed` are the named conditions, all of which must hold, over the frame
    (seat, picks…, binders…). Effects: put the seat into `seat_slot`, the picks into `pick_slots`, enter `entry`."""

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
    """An action offered in a tier, perhaps restricted; `where` is evaluated in the action's frame."""

    action: int
    where: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """`when` (over a frame that begins with the seat) decides whether the tier is looked at."""

    name: str
    clause: ClauseId
    when: Expr | None
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An ordered list of tiers: the first with a legal action binds. `optional`: the seat may decline. `window`:
    several seats are asked, each unseen, and the first that does not decline acts; one that can only decline is
    passed over."""

    name: str
    tiers: tuple[Tier, ...]
    optional: bool
    secret: bool
    frame: int
    clause: ClauseId
    window: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A named stretch of play: where it begins, where `end` jumps to, and where its return block is kept."""

    name: str
    entry: BlockId
    exit: BlockId
    return_slot: int
    clause: ClauseId

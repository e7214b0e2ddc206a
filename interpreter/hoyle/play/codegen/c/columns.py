"""The numbers of 32 bits in the structures of C, and why none is ever larger.

In: nothing. Out: `COUNTED`, the numbers that C itself counts, with the most that each can be and what keeps it there;
the layout and the printer take their bounds from it. `Given` and `make_array`: structures and arrays that Python fills
in, which refuse what does not fit.

A third kind, values of the rules, needs no entry: `struct_layout.fit` takes their type from their facts. A number of
32 bits in C that is of none of these kinds fails a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.passes.unranking import MOST_COUNTED
from hoyle.play.engine.limits import MOST_DECISIONS

LARGEST = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Counted:
    """Members, `Struct.member`, the most they can be, and what holds them there."""

    members: str
    most: int
    because: str


COUNTED = (
    Counted("Pos.decisions Frame.decisions Result.decisions", MOST_DECISIONS, "`ENDLESS` leaves the match there"),
    Counted("Pos.rounds Result.rounds Match.rounds", LARGEST, "`end_round` is a fault there"),
    Counted("Ask.only_round", LARGEST, "a number of rounds"),
    Counted("Ask.size Ask.place Ask.widest Frame.widest Result.widest Listing.size Listing.many Listing.at",
            MOST_COUNTED + 1, "a decision with more choices is a fault"),
    Counted("Ask.stops Ask.given Ask.policy Ask.most Ask.window Result.fault", LARGEST, "one of a few ways"),
    Counted("Pos.late Pos.block Pos.offence_clause Ask.seat Ask.action Ask.until_seat Ask.erred Match.seat",
            LARGEST, "the number of something in the program, all of which is in memory"),
    Counted("Match.steps", LARGEST, "an episode ends at `most_steps`, which is given"),
    Counted("Listing.rows Listing.lawful", LARGEST, "the rows that an environment has room for, and one of two passes"),
    Counted("Match.said_many", LARGEST, "no more than `Match.steps`"),
    Counted("Entry.visits Entry.offered", LARGEST, "`grow` stops before"),
    Counted("Entry.first Entry.last Entry.next Entry.spare Option.offer Option.child Tree.nodes_many"
            " Tree.children_many Tree.root", LARGEST, "places in memory that is given"),
)  # fmt: skip


def find_bound(member: str) -> int:
    """The most that a number of a structure can be."""
    return next(each.most for each in COUNTED if member in each.members.split())


def find_type(member: str) -> str:
    return "int32_t" if find_bound(member) <= LARGEST else "int64_t"


class Given:
    """For structures that Python fills in: `ctypes` by itself would cut off what does not fit."""

    _fields_: ClassVar[Sequence[tuple[Any, ...]]]

    def __init__(self, *values: object, **known: object) -> None:
        super().__init__()
        names = (field[0] for field in self._fields_)
        for name, value in (*zip(names, values, strict=False), *known.items()):
            setattr(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if isinstance(value, int) and (getattr(self, name) or 0) != value:
            raise OverflowError(f"`{name}` of {type(self).__name__} cannot be {value}")


def make_array(kind: Any, values: Sequence[Any]) -> Any:
    """A ctypes array of values, of length one at least; like `Given`, it refuses what does not fit."""
    made = (kind * max(1, len(values)))(*values)
    if values and isinstance(values[0], int) and list(made) != list(values):
        raise OverflowError(f"{kind.__name__} cannot be each of {min(values)} to {max(values)}")
    return made

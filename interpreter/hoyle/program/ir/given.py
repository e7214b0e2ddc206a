"""Constants that a table gives: options, the number of players, and what follows from them.

In: types. Out: the nodes `Given` and `OpenIndex`, which stand in the general program of a game; the program for a table
holds their values instead (`hoyle.language.irgen.settling`).
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.expressions import Expr, Index


@dataclass(frozen=True, slots=True, kw_only=True)
class Given(Expr):
    """A constant that is known once the number of players and the options are: `what` it is, of which `name`, at which
    `place`. `hoyle.language.elaborate.giving` lists what there is, and works out the values."""

    what: str
    name: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenIndex(Index):
    """An index in a family of zones or states that has a member for each seat, team or card; how many there are is
    known once the table is. `lows` and `sizes` are those at one table."""

    zone: int | None
    state: int | None

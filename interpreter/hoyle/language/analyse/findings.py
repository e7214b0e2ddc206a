"""What the analyses of a program report."""

from __future__ import annotations

from hoyle.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation in a clause. `others` are related clauses, each with a label; `part` names the violating part if it
    is not a clause; `trail` are the definitions through which the hidden information is read."""

    code: str
    clause: int | None
    message: str
    label: str
    hint: str
    others: tuple[tuple[int, str], ...] = ()
    part: str = ""
    trail: tuple[str, ...] = ()

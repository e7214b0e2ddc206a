"""What a diagnostic code is.

In: nothing. Out: `Code`, and `declare`, with which the tables of codes are written.
"""

from __future__ import annotations

from typing import Literal

from hoyle.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding. `meaning` is told by `hoyle explain`; `wrong` and `right` show the fault and its cure."""

    slug: str
    meaning: str
    wrong: str = ""
    right: str = ""
    severity: Literal["error", "warning"] = "error"


def declare(
    slug: str,
    meaning: str,
    *,
    wrong: str = "",
    right: str = "",
    severity: Literal["error", "warning"] = "error",
) -> Code:
    """One row of a table of codes; the blanks and line ends of its texts are tidied."""
    return Code(slug, " ".join(meaning.split()), wrong.strip("\n"), right.strip("\n"), severity)

"""The declaration of diagnostic codes.

In: nothing. Out: `Code`, and `declare`, with which the tables of codes are written.
"""

from __future__ import annotations

from typing import Literal

from hoyle.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of diagnostic. `meaning` is shown by `hoyle explain`; `wrong` and `right` are an example and its
    correction."""

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
    """One row of a table of codes, with the whitespace of its texts normalised."""
    return Code(slug, " ".join(meaning.split()), wrong.strip("\n"), right.strip("\n"), severity)

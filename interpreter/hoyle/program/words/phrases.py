"""Keywords of expressions that are not words: how each is written and what it means.

In: nothing. Out: `PHRASES`, by a pattern of rules that use one; `hoyle words` shows those that a game uses.
"""

from __future__ import annotations

import re

from hoyle.program.words.registry import WORDS
from hoyle.program.words.statements import Form

PHRASES: dict[re.Pattern[str], Form] = {
    re.compile(r"\bor else\b"): Form("A or else B", "A, or B where A is none"),
    re.compile(r"\bwith (highest|lowest)\b"): Form(
        "NAME in LIST with highest VALUE", "those of which it is greatest: all of them, if several are equal"
    ),
    re.compile(r"\bseats? from\b|\bin [\w.]+ from\b"): Form(WORDS["around"].written, WORDS["around"].doc),
    re.compile(r"(?m)^[^(\n]*\(.*\bthen\b"): Form(WORDS["key"].written, WORDS["key"].doc),
    re.compile(r"\bteam of\b"): Form(
        "team of SEAT", "all who win with the seat, itself included; without teams, the seat alone"
    ),
}

"""Required literals of regular expressions, a prefilter: most patterns need not be tried on most texts.

In: a regular expression. Out: literals of which every match contains one; empty if unknown.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

SHORTEST = 2

# Python's own regular expression parser, the only module that exposes the structure of a pattern.
_reading: Any = import_module("re._parser")
_signs: Any = import_module("re._constants")


@cache
def find_needed(regex: str) -> frozenset[str]:
    """Literals of which every match contains one; empty if unknown."""
    return _find_in(_reading.parse(regex))


def _find_in(parts: Any) -> frozenset[str]:
    """The literals required by a sequence: those of the element whose shortest literal is longest."""
    best: frozenset[str] = frozenset()
    written = ""
    for kind, held in [*parts, (None, None)]:
        if kind is _signs.LITERAL:
            written += chr(held)
            continue
        for found in (frozenset({written} if len(written) >= SHORTEST else ()), _find_in_part(kind, held)):
            if found and (not best or min(map(len, found)) > min(map(len, best))):
                best = found
        written = ""
    return best


def _find_in_part(kind: Any, held: Any) -> frozenset[str]:
    if kind is _signs.SUBPATTERN:
        _, added, _, inner = held
        return frozenset() if added & re.IGNORECASE else _find_in(inner)
    if kind is _signs.ASSERT:
        return _find_in(held[1])
    if kind is _signs.MAX_REPEAT or kind is _signs.MIN_REPEAT:
        least, _, inner = held
        return _find_in(inner) if least else frozenset()
    if kind is _signs.BRANCH:
        ways = [_find_in(way) for way in held[1]]
        return frozenset().union(*ways) if all(ways) else frozenset()
    return frozenset()

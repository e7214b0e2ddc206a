"""Parts of the position held in local names while a function runs.

In: the statements of a function, which read and write `slots[3]`, `states[2]`, `zones[7]`, `totals[0]`. Out: its lines
with local names instead. What has been changed is written back where the function is left, as far as it matters there;
nothing is written back where code cannot go on, because the position is of no use then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

HELD = {"slots": "s", "states": "v", "zones": "z", "totals": "p"}  # what local names begin with
_PLACE = re.compile(r"\b(slots|states|zones|totals)\[(\d+)\]")
_SET = re.compile(r"^ *(slots|states)\[(\d+)\] [-+]?= ")
_LEAVE = re.compile(r"^( *)return (\w+)")
_UNREAD = re.compile(r"^ *(s\d+) = (-?\w+|\(\))$")

Place = tuple[str, int]


def hold_places(
    lines: Sequence[str], alone: frozenset[int], live: Mapping[str, frozenset[int]], needed: frozenset[int]
) -> Iterator[str]:
    """The lines of a function. `alone` are the states that are read and set by their number only, `live` the slots that
    matter where it is left for a block, or for one of several, by what stands for it in the text, and `needed` those
    that matter where it begins."""
    found = {(part, int(number)) for line in lines for part, number in _PLACE.findall(line)}
    held = {place for place in found if place[0] != "states" or place[1] in alone}
    changed = {(part, int(number)) for line in lines for part, number in _SET.findall(line)} & held
    written = list(_rewrite(lines, held, changed, live))
    read = {name for line in written for name in re.findall(r"\b[svzp]\d+\b(?! = (?!=))", line)}
    for place in sorted(held):
        if _name(place) in read and (place[0] != "slots" or place[1] in needed):
            yield f" {_name(place)} = {place[0]}[{place[1]}]"
    for line in written:
        unread = _UNREAD.match(line)
        yield line.replace(unread[0].lstrip(), "pass") if unread and unread[1] not in read else line


def _rewrite(
    lines: Sequence[str], held: set[Place], changed: set[Place], live: Mapping[str, frozenset[int]]
) -> Iterator[str]:
    def name(found: re.Match[str]) -> str:
        place = (found[1], int(found[2]))
        return _name(place) if place in held else found[0]

    for line in lines:
        left = _LEAVE.match(line)
        if left:
            matters = live.get(left[2], frozenset())
            for part, number in sorted(changed):
                if part == "states" or number in matters:
                    yield f"{left[1]}{part}[{number}] = {_name((part, number))}"
        yield _PLACE.sub(name, line)


def _name(place: Place) -> str:
    return f"{HELD[place[0]]}{place[1]}"

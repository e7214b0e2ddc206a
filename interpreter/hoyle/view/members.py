"""Members of families in few rows: what there is one of for each suit, lane, or team and rank.

In: zones or states as a seat sees them, with what stands beside each. Out: rows of a name and a text. What is a seat's
has a row of its own for every seat; so have the zones of a small family. The members of others stand side by side, and
of several zones, or of many states, only those that hold something. """

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hoyle.view.locale import Locale

Row = tuple[str, str]
MOST_ROWS = 10  # members that have a row each
MOST_BESIDE = 8  # states side by side of which all are shown
_PAIR = re.compile(r"\((?P<first>[^,()]+), (?P<rest>[^()]+)\)")
_SEAT = re.compile(r"seat (\d+)")


@dataclass(frozen=True, slots=True)
class Member:
    """One of a family: whose it is, as views say it, what is shown of it, and whether that is worth showing."""

    owner: int | str | None
    text: str
    holds: bool = True


def list_rows(
    name: str, members: Sequence[Member], seat: int | None, locale: Locale, *, zones: bool = False
) -> list[Row]:
    """The rows of all zones or states of one name. `zones`: a small family has a row for each member, and what is empty
    is left out of a large one."""
    if all(member.owner is None or isinstance(member.owner, int) for member in members):
        return [(locale.owned(name, member.owner, seat), member.text) for member in members]
    pairs = [_PAIR.fullmatch(str(member.owner)) for member in members]
    if not any(pairs):
        if zones and len(members) <= MOST_ROWS:
            return [(locale.owned(name, member.owner, seat), member.text) for member in members]
        return [(name, _beside(members, seat, locale, zones))]
    groups: dict[str, list[Member]] = {}
    for member, pair in zip(members, pairs, strict=True):
        if pair is not None:
            groups.setdefault(pair["first"], []).append(Member(pair["rest"], member.text, member.holds))
    return [
        (_name_group(name, first, seat, locale), _beside(group, seat, locale, zones))
        for first, group in groups.items()
    ]


def _name_group(name: str, first: str, seat: int | None, locale: Locale) -> str:
    found = _SEAT.fullmatch(first)
    return locale.owned(name, int(found[1]) if found else first, seat)


def _beside(members: Sequence[Member], seat: int | None, locale: Locale, zones: bool) -> str:
    """Members side by side: `7: 7C 7D; K: KS`."""
    every = not zones and len(members) <= MOST_BESIDE
    shown = [member for member in members if member.holds or every]
    parts = [f"{locale.owner(str(member.owner), seat)}: {member.text}" for member in shown]
    return "; ".join(parts) or locale.say("empty" if zones else "nothing")

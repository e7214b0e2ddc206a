"""Spelling correction, and numbers in words.

In: a name and the known names. Out: the names that may have been meant.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from hoyle.base.effort import spend

SPELLED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
COURTS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "knave": "J", "ten": "T", "deuce": "2", "joker": "Jk"}
NUMBERS = {word: str(value) for value, word in enumerate(SPELLED.split())}


def with_article(noun: str) -> str:
    """
    >>> with_article("card"), with_article("`effect`")
    ('a card', 'an `effect`')
    """
    return f"{'an' if noun.lstrip('`')[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def near_names(name: str, known: Iterable[str], most: int = 3) -> list[tuple[str, bool]]:
    """The known names that may have been meant, the nearest first, each with whether it is unambiguous.

    >>> near_names("hnad", ["hand", "pile"]), near_names("handsize", ["hand_size", "hands"])
    ([('hand', True)], [('hand_size', True), ('hands', False)])
    """
    names = sorted(set(known))
    spend(2 * len(names))
    alike = [other for other in names if _bare(other) == _bare(name)]
    close = [
        other
        for other in difflib.get_close_matches(name, names, n=most, cutoff=0.6)
        if other not in alike and _may_be_meant(name, other)
    ]
    slips = [_count_slips(name, other) for other in close]
    nearest_slips = min(slips, default=9)
    clear = not alike and nearest_slips <= (1 if len(name) <= 5 else 2) and slips.count(nearest_slips) == 1
    close.sort(key=lambda other: _count_slips(name, other))
    found = [(other, len(alike) == 1) for other in alike]
    found += [(other, clear and place == 0 and _begin_alike(name, other)) for place, other in enumerate(close)]
    return found[:most]


def _begin_alike(name: str, other: str) -> bool:
    """Whether two names begin with the same letter, or have swapped the first two: hardly anybody mistypes the first
    letter, and what differs in it is often a word of its own.

    >>> _begin_alike("paly", "play"), _begin_alike("ahnd", "hand"), _begin_alike("loser", "closer")
    (True, True, False)
    """
    return name[:1] == other[:1] or name[:2] == other[1::-1]


def is_near(name: str, other: str) -> bool:
    """Whether one is a plausible misspelling of the other, or has the same beginning; a few letters in common do not
    suffice.

    >>> is_near("rules", "rulings"), is_near("suffle", "shuffle"), is_near("rotate", "take"), is_near("rounds", "ends")
    (True, True, False, False)
    """
    slips = 1 if len(name) <= 5 else 2
    return _bare(name) == _bare(other) or name[:3] == other[:3] or _count_slips(name, other) <= slips


def _may_be_meant(name: str, other: str) -> bool:
    """Whether at most half of the letters differ: `need` shares all its letters with `turned`, but is not a misspelling
    of it.

    >>> _may_be_meant("need", "turned"), _may_be_meant("handsize", "hands"), _may_be_meant("crad", "card")
    (False, True, True)
    """
    return 2 * _count_slips(name, other) <= max(len(name), len(other))


def _count_slips(name: str, other: str) -> int:
    """The Damerau-Levenshtein distance: insertions, deletions, substitutions and transpositions of adjacent letters.

    >>> _count_slips("hnad", "hand"), _count_slips("ace", "place")
    (1, 2)
    """
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(name, 1):
        row = [i]
        for j, sign in enumerate(other, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != sign))
            if i > 1 and j > 1 and letter == other[j - 2] and name[i - 2] == sign:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def _bare(name: str) -> str:
    """A name without what is easily confused: case, underscores, hyphens, a plural s."""
    plain = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    return plain.removesuffix("s") if len(plain) > 3 else plain


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was most likely meant, if one is close."""
    return next(iter(nearest_of(name, known, 1)), None)


def nearest_of(name: str, known: Iterable[str], most: int) -> list[str]:
    """The known names that may have been meant, the closest first; only one if it is very close."""
    names = sorted(set(known))
    spend(2 * len(names))
    plain = difflib.get_close_matches(name, names, n=1, cutoff=0.8)
    return plain or difflib.get_close_matches(name, names, n=most, cutoff=0.6)

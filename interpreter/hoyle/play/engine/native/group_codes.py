"""The encoding of lists of groups that native code stores: one number, `group * deck + card`, for each card.

In: groups, none of them empty. Out: their encoding, and the groups decoded.
"""

from __future__ import annotations

from collections.abc import Sequence

Groups = tuple[tuple[int, ...], ...]


def write_groups(groups: Groups, deck: int) -> list[int]:
    """Encode groups of cards of a deck."""
    return [number * deck + card for number, group in enumerate(groups) for card in group]


def read_groups(codes: Sequence[int], deck: int) -> Groups:
    """Decode groups."""
    numbers = range(codes[-1] // deck + 1 if codes else 0)
    return tuple(tuple(code % deck for code in codes if code // deck == number) for number in numbers)

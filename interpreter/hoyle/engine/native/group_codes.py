"""Groups of cards as numbers: each card together with the number of its group, as native code keeps them.

In: groups, none of them empty. Out: numbers, and the groups again.
"""

from __future__ import annotations

from collections.abc import Sequence

Groups = tuple[tuple[int, ...], ...]


def write_groups(groups: Groups, deck: int) -> list[int]:
    """The numbers that stand for groups of the cards of a deck."""
    return [number * deck + card for number, group in enumerate(groups) for card in group]


def read_groups(codes: Sequence[int], deck: int) -> Groups:
    """The groups that numbers stand for."""
    numbers = range(codes[-1] // deck + 1 if codes else 0)
    return tuple(tuple(code % deck for code in codes if code // deck == number) for number in numbers)

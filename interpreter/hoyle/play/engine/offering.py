"""The offered choices as an ordered set that can be counted, indexed, searched and iterated without being materialised.

In: choices, some ending in all groups of cards that may be picked. Out: a list if it is short, else `Offered`. All
executors give the same choices in the same order; a random player draws an index.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Any, overload

from hoyle.program.model.groups import Groups

Choice = tuple[Any, ...]
LISTED = 1000  # choices up to which a list is built


class Offered(Sequence[Choice]):
    """A lazy sequence of choices: each entry is one choice, or, if it ends in `Groups`, one for each group."""

    __slots__ = ("_ends", "entries", "total")

    def __init__(self, entries: Iterable[Choice]) -> None:
        self.entries = tuple(entries)
        self._ends = list(accumulate(size_of(entry) for entry in self.entries))
        self.total = self._ends[-1] if self._ends else 0  # may exceed what `len` can return

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, index: int) -> Choice: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Choice]: ...

    def __getitem__(self, index: int | slice) -> Choice | Sequence[Choice]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        at = bisect_right(self._ends, index)
        if not 0 <= index < len(self):
            raise IndexError("there are not so many choices")
        entry = self.entries[at]
        if not is_bundle(entry):
            return entry
        return (*entry[:-1], entry[-1][index - (self._ends[at - 1] if at else 0)])

    def __iter__(self) -> Iterator[Choice]:
        for entry in self.entries:
            if is_bundle(entry):
                for group in entry[-1]:
                    yield (*entry[:-1], group)
            else:
                yield entry

    def __contains__(self, choice: object) -> bool:
        return isinstance(choice, tuple) and self.find(choice) == choice

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Offered):
            return self.entries == other.entries
        return isinstance(other, Sequence) and len(self) == len(other) and all(
            one == two for one, two in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]  # equal to lists, which are unhashable

    def find(self, choice: Choice) -> Choice | None:
        """The offered choice that is meant, whose cards may be in any order, or whose number is one of a range; None if
        it is not offered."""
        return self._find(choice)[1]

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of a choice; raises `ValueError` if it is not offered."""
        at, found = self._find(value)
        if found is None or found != value:
            raise ValueError(f"{value} is not offered")
        before = self._ends[at - 1] if at else 0
        return before + (self.entries[at][-1].index(value[-1]) if is_bundle(self.entries[at]) else 0)

    def _find(self, choice: Choice) -> tuple[int, Choice | None]:
        for at, entry in enumerate(self.entries):
            if entry == choice:
                return at, choice
            if is_bundle(entry) and choice and entry[:-1] == choice[:-1] and isinstance(choice[-1], tuple):
                group = entry[-1].find(choice[-1])
                if group is not None:
                    return at, (*choice[:-1], group)
            elif entry and isinstance(entry[-1], range) and _is_number_of(choice, entry):
                return at, choice
        return -1, None


def _is_number_of(choice: Choice, entry: Choice) -> bool:
    return entry[:-1] == choice[:-1] and isinstance(choice[-1], int) and choice[-1] in entry[-1]


def is_bundle(entry: Choice) -> bool:
    return bool(entry) and type(entry[-1]) is Groups


def size_of(entry: Choice) -> int:
    return entry[-1].total if is_bundle(entry) else 1


def list_entries(choices: Sequence[Choice]) -> Sequence[Choice]:
    """The entries of the choices, with bundled groups unexpanded."""
    return choices.entries if isinstance(choices, Offered) else choices


def list_members(value: Any) -> tuple[Any, ...]:
    """The elements that a pick consists of, or, for bundled groups, may consist of."""
    if type(value) is Groups:
        return value.elements
    return value if isinstance(value, tuple) else (value,)


def thin_out(choices: Sequence[Choice], most: int, chance: Random) -> Sequence[Choice]:
    """At most `most` of the choices, sampled at random and kept in order."""
    if len(choices) <= most:
        return choices
    return [choices[place] for place in sorted(chance.sample(range(len(choices)), most))]


def settle(entries: list[Choice]) -> Sequence[Choice]:
    """The choices as a list if they are few or contain no bundles, else as `Offered`."""
    if not any(is_bundle(entry) for entry in entries):
        return entries
    offered = Offered(entries)
    return list(offered) if offered.total <= LISTED else offered

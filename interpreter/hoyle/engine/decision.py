"""What a seat is to choose from, as a list and by number.

In: actions, some of which still ask for a number. Out: `Decision`: every choice there is has a number, and is an action
that can be applied as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.engine.actions import Action


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat is to choose from. `window`: others may be asked the same before anything happens, and only the seat
    itself may know that it is asked.

    `actions` may hold some that ask for a number, one for the whole range. As choices, numbered from 0, each number of
    a range is one: `count` of them, in the order of the actions."""

    name: str
    seat: int
    actions: list[Action]
    window: bool = False

    @property
    def count(self) -> int:
        """How many choices there are."""
        return sum(1 if action.number is None else len(action.number) for action in self.actions)

    def choice(self, index: int) -> Action:
        """The choice of a number from 0 to `count` - 1."""
        left = index
        if left >= 0:
            for action in self.actions:
                size = 1 if action.number is None else len(action.number)
                if left < size:
                    return action if action.number is None else action.with_number(action.number[left])
                left -= size
        raise IndexError(f"there is no choice {index}; there are {self.count}")

    def index(self, action: Action) -> int:
        """The number of a choice; `ValueError` if it is not offered."""
        before = 0
        for each in self.actions:
            if each.choice == action.choice and each.number is None:
                return before
            if each.number is not None and action.choice and each.choice[:-1] == action.choice[:-1]:
                said = action.choice[-1]
                if isinstance(said, int) and said in each.number:
                    return before + each.number.index(said)
            before += 1 if each.number is None else len(each.number)
        raise ValueError(f"`{action.text}` is not offered, or its number is not said")

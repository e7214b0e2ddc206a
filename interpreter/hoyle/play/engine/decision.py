"""A decision: what a seat may choose from, as a list and by number.

In: actions, some with an open number. Out: `Decision`, which maps every complete choice to a number and back to an
action that can be applied.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.actions import Action, Spelled
from hoyle.play.engine.legality import is_permitted
from hoyle.play.engine.offering import Choice, is_bundle, list_entries, size_of
from hoyle.program.model.given import read_whole


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat may choose from. `window`: other seats may be asked too before anything happens, and only the seat
    itself may know that it is asked.

    `actions` is a lazy sequence: `len`, `[i]`, `in` and iteration work, and texts are made on demand. An action with an
    open number stands for the whole range. Counted as choices, each number of the range is one of its own: choices are
    numbered from 0 to `count` - 1, in the order of the actions."""

    name: str
    seat: int
    actions: Sequence[Action]
    window: bool = False

    @property
    def choices(self) -> Sequence[Choice]:
        """The choices behind the actions, without texts."""
        if isinstance(self.actions, Spelled):
            return self.actions.offered
        return [action.choice for action in self.actions]

    @property
    def count(self) -> int:
        """The number of choices, with open numbers expanded."""
        return sum(_count(entry) for entry in list_entries(self.choices))

    def choice(self, index: int) -> Action:
        """The choice with an index from 0 to `count` - 1."""
        index = read_whole(index, "the number of a choice")
        left, place = index, 0
        for entry in list_entries(self.choices) if index >= 0 else ():
            size = _count(entry)
            if left < size:
                if _asks_number(entry):
                    return self.actions[place].with_number(entry[-1][left])
                return self.actions[place + left]
            left -= size
            place += size_of(entry)
        raise IndexError(f"there is no choice {index}; there are {self.count}")

    def find(self, choice: Choice) -> Action | None:
        """The action that makes a choice, whose cards may be in any order, with its number filled in; None if it is not
        offered."""
        if isinstance(self.actions, Spelled):
            return self.actions.find(choice)
        for action in self.actions:
            if action.choice == choice:
                return action
            if action.number is not None and is_permitted(choice, [action.choice]):
                return action.with_number(choice[-1])
        return None

    def place(self, choice: Choice) -> int:
        """The index in `actions` of the action that makes a choice; raises `ValueError` if there is none."""
        if isinstance(self.actions, Spelled):
            return self.actions.offered.index(choice)
        for place, action in enumerate(self.actions):
            if is_permitted(choice, [action.choice]):
                return place
        raise ValueError(f"{choice} is not offered")

    def index(self, action: Action) -> int:
        """The number of a choice; raises `ValueError` if it is not offered or its number is open."""
        if not isinstance(action, Action):
            raise TypeError(f"the number of an action is asked for, not that of {action!r}")
        before, choice = 0, action.choice
        for entry in list_entries(self.choices):
            if entry == choice and not _asks_number(entry):
                return before
            if choice and entry[:-1] == choice[:-1] and (is_bundle(entry) or _asks_number(entry)):
                said = choice[-1]
                if type(said) is (tuple if is_bundle(entry) else int) and said in entry[-1]:
                    found: int = entry[-1].index(said)
                    return before + found
            before += _count(entry)
        raise ValueError(f"`{action.text}` is not offered, or its number is not said")


def _asks_number(entry: Choice) -> bool:
    return bool(entry) and isinstance(entry[-1], range)


def _count(entry: Choice) -> int:
    return len(entry[-1]) if _asks_number(entry) else size_of(entry)

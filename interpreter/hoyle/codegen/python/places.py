"""How the parts of the position are called in a function, and what the function has to do about it.

In: whoever prints asks for an element of a part, or says that one changes. Out: the text, and, when the function is
complete, the statements it begins with and those where it is left.

`Places` speaks of the position itself: `slots[3]`. `HeldPlaces` holds in local names what is found by a number that is
known: `s3`. What has changed is written back where the function is left, as far as it matters there; nothing is
written back where code cannot go on, because the position is of no use then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.codegen.python.code import ATOM, NAME, Assign, Code, Leave, Line, Nest, Put, Statement, leave_out

PARTS = ("zones", "states", "slots", "totals", "holders")  # of a position, which have names of their own
HELD = {"slots": "s", "states": "v", "zones": "z", "totals": "p"}  # what local names begin with


class Places:
    """The position itself."""

    def __init__(self) -> None:
        self._parts: set[str] = set()

    def whole(self, part: str) -> str:
        """A part of the position by its name."""
        self._parts.add(part)
        return part

    def element(self, part: str, at: int | str) -> Code:
        """An element of a part, by its number or an expression of it."""
        quick = part == "zones" and isinstance(at, int)
        return Code(f"{self.whole(part)}[{at}]", NAME if part == "slots" else ATOM, quick=quick)

    def change(self, part: str, at: int | str, code: Code) -> Statement:
        """An element becomes another."""
        return Line(f"{self.whole(part)}[{at}] = {code.text}")

    def complete(self, body: Sequence[Statement], live: frozenset[int] = frozenset()) -> list[Statement]:
        """The statements of a function, after those that give names to the parts it speaks of. `live` are the slots
        that matter where it begins."""
        return [*(Assign(part, f"position.{part}") for part in PARTS if part in self._parts), *body]


class HeldPlaces(Places):
    """Local names. `alone` are the states that are read and changed by their number only."""

    def __init__(self, alone: frozenset[int]) -> None:
        super().__init__()
        self._alone = alone
        self._read: set[tuple[str, int]] = set()
        self._changed: set[tuple[str, int]] = set()

    def _find_name(self, part: str, at: int | str, noted: set[tuple[str, int]]) -> str:
        """The name that an element is held in, if it is."""
        if part not in HELD or not isinstance(at, int) or (part == "states" and at not in self._alone):
            return ""
        noted.add((part, at))
        return _name(part, at)

    def element(self, part: str, at: int | str) -> Code:
        name = self._find_name(part, at, self._read)
        level = ATOM if part == "states" else NAME  # a state is named as it is at that moment
        return Code(name, level) if name else super().element(part, at)

    def change(self, part: str, at: int | str, code: Code) -> Statement:
        name = self._find_name(part, at, self._changed)
        return Put(name, code.text, code.is_name) if name else super().change(part, at, code)

    def complete(self, body: Sequence[Statement], live: frozenset[int] = frozenset()) -> list[Statement]:
        written = list(self._write_back(body))
        unread = {_name(part, at) for part, at in self._changed - self._read}
        read = [(part, at) for part, at in sorted(self._read) if part != "slots" or at in live]
        loads = [Assign(_name(part, at), f"{self.whole(part)}[{at}]") for part, at in read]
        return super().complete([*loads, *leave_out(written, unread)])

    def _write_back(self, body: Sequence[Statement]) -> Iterator[Statement]:
        for each in body:
            if isinstance(each, Nest):
                yield Nest(each.header, list(self._write_back(each.body)))
                continue
            if isinstance(each, Leave):
                for part, at in sorted(self._changed):
                    if part == "states" or at in each.live:
                        yield super().change(part, at, self.element(part, at))
            yield each


def _name(part: str, at: int) -> str:
    return f"{HELD[part]}{at}"

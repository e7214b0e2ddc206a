"""Register promotion: how a function accesses the parts of the position.

In: reads and writes of elements, as they are printed. Out: their code, and, when the function is complete, its prologue
of loads and the write-backs at its exits.

`Places` accesses memory: `slots[3]`. `PromotedPlaces` promotes elements with a constant index to local variables: `s3`.
They are loaded on entry if read, and written back at exits if changed and live there; not on a fault, which discards
the position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.play.codegen.python.code import ATOM, NAME, Assign, Code, Leave, Line, Nest, Put, Statement, eliminate_dead

PARTS = ("zones", "states", "slots", "totals", "holders")  # of a position, which functions bind to local variables
HELD = {"slots": "s", "states": "v", "zones": "z", "totals": "p"}  # prefixes of promoted elements


class Places:
    """No promotion: elements are accessed in memory."""

    def __init__(self) -> None:
        self._parts: set[str] = set()

    def whole(self, part: str) -> str:
        """The local variable of a part of the position."""
        self._parts.add(part)
        return part

    def element(self, part: str, at: int | str) -> Code:
        """A read of an element, by a constant index or an expression."""
        quick = part == "zones" and isinstance(at, int)
        return Code(f"{self.whole(part)}[{at}]", NAME if part == "slots" else ATOM, quick=quick)

    def change(self, part: str, at: int | str, code: Code) -> Statement:
        """A write of an element."""
        return Line(f"{self.whole(part)}[{at}] = {code.text}")

    def complete(self, body: Sequence[Statement], live: frozenset[int] = frozenset()) -> list[Statement]:
        """The statements of a function with its prologue; `live` are the slots live on entry."""
        return [*(Assign(part, f"position.{part}") for part in PARTS if part in self._parts), *body]


class PromotedPlaces(Places):
    """Promotion to local variables. `alone` are the states that are never accessed through a computed index."""

    def __init__(self, alone: frozenset[int]) -> None:
        super().__init__()
        self._alone = alone
        self._read: set[tuple[str, int]] = set()
        self._changed: set[tuple[str, int]] = set()

    def _find_name(self, part: str, at: int | str, noted: set[tuple[str, int]]) -> str:
        """The variable of an element, if it can be promoted."""
        if part not in HELD or not isinstance(at, int) or (part == "states" and at not in self._alone):
            return ""
        noted.add((part, at))
        return _name(part, at)

    def element(self, part: str, at: int | str) -> Code:
        name = self._find_name(part, at, self._read)
        level = ATOM if part == "states" else NAME  # not `NAME`: the variable of a state is reassigned
        return Code(name, level) if name else super().element(part, at)

    def change(self, part: str, at: int | str, code: Code) -> Statement:
        name = self._find_name(part, at, self._changed)
        return Put(name, code.text, code.is_name) if name else super().change(part, at, code)

    def complete(self, body: Sequence[Statement], live: frozenset[int] = frozenset()) -> list[Statement]:
        written = list(self._write_back(body))
        unread = {_name(part, at) for part, at in self._changed - self._read}
        read = [(part, at) for part, at in sorted(self._read) if part != "slots" or at in live]
        loads = [Assign(_name(part, at), f"{self.whole(part)}[{at}]") for part, at in read]
        return super().complete([*loads, *eliminate_dead(written, unread)])

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

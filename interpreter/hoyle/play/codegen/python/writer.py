"""Emission of Python text: indentation, names, owners of zones.

In: lines and values. Out: text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hoyle.base.effort import spend
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.python.expressions import SLOT, Expressions
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import list_holders
from hoyle.program.ir.types import certain

STEPS_OF_LINE = 10  # charged for a line, which Python then compiles
MOST_DEEP = 90  # levels of indentation; the compiler of Python refuses a hundred


class Writer(Expressions):
    """Emits the text of one module."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.owners = list_holders(program.zones, program.teams)
        self.lines: list[str] = []
        self.depth = 0
        self.keeps = False  # whether values are kept across statements, with the mask `kept` of the valid ones
        self.stored: int | None = None  # the slot that the choice being listed was stored in
        self._names = 0

    def write(self, line: str) -> None:
        spend(STEPS_OF_LINE)
        self.lines.append(" " * self.depth + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented body of what is emitted meanwhile."""
        self.write(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.write("pass")
        self.depth -= 1

    def fresh(self, letter: str) -> str:
        self._names += 1
        return f"{letter}_{self._names}"

    def name_list(self, value: Value) -> str:
        """A list in a variable, apart from the zone it may be read from."""
        if value.op == "register":
            return self.expr(value)
        name, text = self.fresh("m"), self.expr(value)
        self.write(f"{name} = [*{text}]" if value.fact.none is False else f"{name} = [*({text} or ())]")
        return name

    def list_choice(self, action: object) -> None:
        """Where choices are listed: note this one, and go on to the next."""
        with self.block("if stops:"):
            if self.stored is not None:
                self.write(f"found.append({self.place(SLOT, self.stored, ())}[-1])")
            elif action is None:
                self.write("found.append(())")
            else:
                assert isinstance(action, int)
                self.write(f"found.append(({action}, {''.join(map(self._spell_pick, self._list_picks(action)))}))")
            if isinstance(action, int) and any(pick.least is not None for pick in self.program.actions[action].picks):
                self.write("found[-1] = (*found[-1][:-1], range(found[-1][-1], found[-1][-1] + numbers))")
            self.go_on_listing()
        self.stored = None

    def _list_picks(self, action: int) -> tuple[int, ...]:
        return self.program.actions[action].pick_slots

    def _spell_pick(self, slot: int) -> str:
        name = self.place(SLOT, slot, ())
        return f"bool({name}), " if certain(self.program.slots[slot].type).kind == "truth" else f"{name}, "

    def move_states(self, *, back: bool) -> None:
        """Put all states into the position, or load them from there again."""
        raise NotImplementedError

    def go_on_listing(self) -> None:
        """Only blocks that ask for a choice list any."""
        raise AssertionError

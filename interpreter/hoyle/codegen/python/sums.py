"""Sums that go along with the cards of a zone, in Python: each has a name of its own throughout a function.

In: what `passes.running` found, and changes as they are printed. Out: the statements that bring the names up to date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hoyle.codegen.low.program import Do
from hoyle.codegen.low.values import Value
from hoyle.codegen.passes.running import COMES, EMPTIES, Origin, Running, classify
from hoyle.codegen.python.code import ATOM, Code, Line, Nest, Statement
from hoyle.codegen.python.operations import spell_step
from hoyle.codegen.python.values import Constants
from hoyle.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Moved:
    """The name of the card that was moved, or of the cards, unless `one`; `test` says whether there was one."""

    name: str
    test: str
    one: bool


class Sums:
    """The sums of a module. In each function they have the same names."""

    def __init__(self, found: Sequence[Running], constants: Constants, find_origin: Origin) -> None:
        self.constants = constants
        self.find_origin = find_origin
        self.found = found
        self.names: dict[Value, Code] = {each.value: Code(f"g{at}", ATOM) for at, each in enumerate(found)}

    def _step(self, running: Running, name: str, card: str) -> str:
        if running.table is None:
            return spell_step(self.constants, running.value).format(key=name, card=card)
        return f"{name} += {self.constants.table(running.table)}[{card}]"

    def _add_up(self, running: Running) -> str:
        """What adds all cards up, as where a function begins."""
        def write(function: str) -> Iterator[str]:
            step = self._step(running, "found", "card")
            yield from (f"def {function}(cards):", " found = 0", " for card in cards:", f"  {step}", " return found")

        name = self.names[running.value].text
        return f"{name} = {self.constants.outline(running.value, write)}(zones[{running.zone}])"

    def add_up(self) -> list[Statement]:
        """Where it is not known what has happened to the cards."""
        return [Line(self._add_up(each)) for each in self.found]

    def go_along(self, do: Do, moved: Moved) -> Iterator[Statement]:
        """What a change changes."""
        for each in self.found:
            name = self.names[each.value].text
            match classify(do, each, self.find_origin):
                case kind if kind == EMPTIES:
                    yield Line(f"{name} = 0")
                case kind if kind == COMES and moved.name:
                    step = Line(self._step(each, name, moved.name if moved.one else "card"))
                    if not moved.one:
                        yield Nest(f"for card in {moved.name}:", [step])
                    else:
                        yield Nest(f"if {moved.test}:", [step]) if moved.test else step

    def begin(self, lines: Sequence[str]) -> list[str]:
        """The lines of a function, with the sums begun that are read in it; the others are left out."""
        for each in self.found:
            name = self.names[each.value].text
            own, word = re.compile(rf"^( *){name} (\+=|=) .*$"), re.compile(rf"\b{name}\b")
            if any(word.search(line) and not own.match(line) for line in lines):
                lines = [f" {self._add_up(each)}", *lines]
            else:
                lines = [own.sub(r"\1pass", line) for line in lines]
        return list(lines)

"""Code for incrementally maintained sums: each has a local variable throughout a function.

In: what `passes/incremental_sums.py` found, and state changes. Out: statements that update the variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.program import Do
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.incremental_sums import COMES, EMPTIES, IncrementalSum, Origin, classify
from hoyle.play.codegen.python.code import NAME, Assign, Code, Line, Nest, Statement, Update, eliminate_dead
from hoyle.play.codegen.python.constants import Constants
from hoyle.play.codegen.python.operations import spell_step
from hoyle.play.codegen.python.promotion import Places


@dataclass(frozen=True, slots=True)
class Moved:
    """The variable of the card that was moved, or of a list of cards unless `one`; `test`: whether there was a card."""

    name: str
    test: str
    one: bool


class Sums:
    """The sums of a module; they have the same names in every function."""

    def __init__(self, found: Sequence[IncrementalSum], constants: Constants, find_origin: Origin) -> None:
        self.constants = constants
        self.find_origin = find_origin
        self.found = found
        self.names: dict[Value, Code] = {each.value: Code(f"g{at}", NAME) for at, each in enumerate(found)}

    def _step(self, running: IncrementalSum, name: str, card: str) -> str:
        if running.table is None:
            return spell_step(self.constants, running.value).format(key=name, card=card)
        return f"{name} += {self.constants.table(running.table)}[{card}]"

    def _add_up(self, running: IncrementalSum, places: Places) -> Assign:
        """Compute a sum from scratch, as on entry to a function."""
        def write(function: str) -> Iterator[str]:
            step = self._step(running, "found", "card")
            yield from (f"def {function}(cards):", " found = 0", " for card in cards:", f"  {step}", " return found")

        add_up = self.constants.define(("outlined", running.value), "f", write)
        return Assign(self.names[running.value].text, f"{add_up}({places.element('zones', running.zone).text})")

    def add_up(self, places: Places) -> Iterator[Statement]:
        """Recompute all sums: the zones have changed in a way that was not predicted."""
        for each in self.found:
            yield Update(self.names[each.value].text, self._add_up(each, places))

    def update(self, do: Do, moved: Moved) -> Iterator[Statement]:
        """Update the sums after a state change."""
        for each in self.found:
            name = self.names[each.value].text
            match classify(do, each, self.find_origin):
                case kind if kind == EMPTIES:
                    yield Update(name, Assign(name, "0"))
                case kind if kind == COMES and moved.name:
                    step: Statement = Line(self._step(each, name, moved.name if moved.one else "card"))
                    header = (moved.test and f"if {moved.test}:") if moved.one else f"for card in {moved.name}:"
                    yield Update(name, Nest(header, [step]) if header else step)

    def complete(self, body: Sequence[Statement], read: Set[Value], places: Places) -> list[Statement]:
        """The statements of a function: sums that it reads are initialised, updates of the others are dead code."""
        begun = [self._add_up(each, places) for each in self.found if each.value in read]
        return [*begun, *eliminate_dead(body, {name.text for value, name in self.names.items() if value not in read})]

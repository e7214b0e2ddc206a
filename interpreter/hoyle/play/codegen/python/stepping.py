"""Stepping: Python functions that run from one decision to the next.

In: a program. Out: source text: for each decision and each action offered there a function that performs the choice and
runs to the next decision (`CHOICES`), and functions that continue at a block (`ENTRIES`). They return the block to
continue at and the rest of the step budget, or None where the game stops.

The position is modified in place, instruction by instruction. After a fault the reference resumes at the instruction
that raised: `PLACES` maps lines of the module to instructions (a deoptimisation table).
"""

from __future__ import annotations

from hoyle.base.effort import spend
from hoyle.play.codegen.low.program import Decide
from hoyle.play.codegen.lower.each_block import lower_each_block
from hoyle.play.codegen.python.code import At, Comment, Leave, Line, Nest, list_placed
from hoyle.play.codegen.python.enumeration import Enumeration, write_seat
from hoyle.play.codegen.python.functions import write_texts
from hoyle.play.codegen.python.operations import OPERATIONS
from hoyle.play.codegen.python.printing import Values
from hoyle.play.codegen.python.regions import Flow, Functions, Region
from hoyle.play.engine.limits import MOST_STEPS
from hoyle.program.ir import nodes as ir

BEFORE = At(-1, 0, 0)  # before the first write: the reference performs the choice from its beginning


class Stepping(Functions):
    """All functions of a module."""

    through = False

    def __init__(self, program: ir.Program) -> None:
        super().__init__(lower_each_block(program))
        self.lines: list[tuple[str, At | None]] = []
        self.legal: set[int] = set()
        self.choices: dict[int, dict[int | None, str]] = {}

    def print(self, head: str = "") -> str:
        if self.program.called:  # offences are left to the reference
            return f"{head}\nMARGIN = 0\nENTRIES = {{}}\nCHOICES = {{}}\nPLACES = {{}}\n"
        self.want(self.module.entry)
        for number, block in self.module.blocks.items():
            if isinstance(block.end, Decide):
                self._print_choices(number, block.end)
        for begin in self.wanted:  # a worklist that grows while it is iterated
            region = Step(self)
            region.print(begin)
            self._add(f"b{begin}(position, budget", region, At(begin, 0, 0))
        self.check_margin()
        before = [head, write_texts(self.module.texts), *self.constants.lines]
        first = sum(line.count("\n") + 1 for line in before) + 1
        places = ", ".join(f"{first + at}: {(*place,)}" for at, (_, place) in enumerate(self.lines) if place)
        entries = ", ".join(f"{block}: b{block}" for block in self.wanted)
        choices = ", ".join(
            f"{block}: {{{', '.join(f'{action}: {name}' for action, name in by_action.items())}}}"
            for block, by_action in self.choices.items()
        )
        ends = (f"MARGIN = {self.margin}", f"ENTRIES = {{{entries}}}", f"CHOICES = {{{choices}}}")
        return "\n".join((*before, *(line for line, _ in self.lines), *ends, f"PLACES = {{{places}}}", ""))

    def _add(self, head: str, region: Step, begins: At) -> None:
        body = [begins, *region.places.complete(region.values.out)]
        lines = list(list_placed([Nest(f"def {head}):", body)]))
        spend(len(lines) - 1)
        self.lines += lines

    # ---------------------------------------------------------------------------------------------- choices
    def _print_choices(self, number: int, end: Decide) -> None:
        declared = self.program.decisions[end.menu.decision]
        offered = dict.fromkeys(item.action for tier in declared.tiers for item in tier.items)
        found: dict[int | None, str] = {}
        for action in (*offered, None) if declared.optional else offered:
            # storing is the same code for all actions, but for the check of a number parameter
            plain = end.store is not None and not self.has_number(action)
            again = next((name for other, name in found.items() if plain and not self.has_number(other)), None)
            found[action] = again or self._print_choice(number, end, action)
        self.choices[number] = found

    def has_number(self, action: int | None) -> bool:
        return action is not None and any(pick.least is not None for pick in self.program.actions[action].picks)

    def _print_choice(self, number: int, end: Decide, action: int | None) -> str:
        region = Step(self)
        said = "declining" if action is None else self.program.actions[action].name
        region.values.out.append(Comment(f"{said} at {self.program.decisions[end.menu.decision].name}"))
        region.choose(number, end, action)
        name = f"c{number}_{'none' if action is None else action}"
        self._add(f"{name}(position, choice", region, BEFORE)
        return name

    def print_legal(self, number: int, end: Decide) -> str:
        """The function that enumerates the legal choices at a decision."""
        if number not in self.legal:
            self.legal.add(number)
            values = Values(self.program, self.module.build, self.constants, OPERATIONS)
            values.outlines = True
            Enumeration(values).write(end.menu, end.seat)
            self.lines += ((line, None) for line in values.define(f"legal_{number}(position)"))
        return f"legal_{number}"


class Step(Region):
    """One function under construction."""

    match: Stepping

    def __init__(self, match: Stepping) -> None:
        super().__init__(match)
        self.match = match
        self.values.outlines = True
        self.stands_at: int | None = None

    def choose(self, number: int, end: Decide, action: int | None) -> None:
        """Perform the choice of an action at a decision, and go on."""
        values, self.stands_at = self.values, number
        values.out.append(BEFORE)
        values.start([end.seat])
        seat = write_seat(values, end.seat)
        if self.match.has_number(action):
            values.nest("if type(choice[-1]) is range:", Line("raise Stop"))
        self.values.write("position.decisions += 1")
        self.values.write(f"budget = {MOST_STEPS}")
        flow = Flow({}, 0, 0)
        if end.store is not None:
            self.add_choice(end.store, "choice")
        elif action is not None:
            self._begin_chosen(action, seat, "choice", end.to, flow)
            return
        self._go_after(end.to, flow)

    def _check_budget(self, number: int) -> None:
        self.values.nest("if budget < MARGIN:", Leave(f"{number}, budget"))
        self.match.want(number)

    def _decide(self, number: int, end: Decide, flow: Flow) -> bool:
        """Stop at a decision; a seat that can only decline in a window is not asked."""
        self._note(flow)
        if end.passes:
            test = f"if {self.match.print_legal(number, end)}(position) == [()]:"
            merges, self.merges = self.merges, []
            self.nest(test, lambda: self._declined(end, flow))
            self.merges = merges
        if self.stands_at != number:
            self._stand_at(number, len(self.program.blocks[number].instructions))
        self.values.out.append(Leave("None"))
        return False


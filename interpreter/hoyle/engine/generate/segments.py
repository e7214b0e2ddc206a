"""Code for blocks: one function for each stretch of play from a choice, or from a place that is jumped to.

In: blocks. Out: functions of the position. Each ends at a decision or at the end of the match and returns None, or
returns the block to go on at and how many instructions may still be carried out: `MOST_STEPS` minus what the reference
would have counted. A run that comes near the limit is handed to the reference, which says exactly where it is reached.
"""

from __future__ import annotations

from hoyle.codegen.unsupported import Unsupported
from hoyle.engine.generate.flow import Flow
from hoyle.engine.generate.graph import Graph, list_offered, list_stored
from hoyle.engine.generate.module import Function, Module
from hoyle.engine.generate.reads import Reads
from hoyle.engine.generate.refusing import Reason
from hoyle.engine.generate.segment import Segment, has_number
from hoyle.engine.generate.tiers import write_decision
from hoyle.engine.limits import MOST_STEPS
from hoyle.ir import nodes as ir


class Segments:
    """Writes all functions of a module of segments."""

    def __init__(self, module: Module, *, recorded: bool) -> None:
        self.module = module
        self.program = module.program
        self.recorded = recorded
        self.graph = Graph(module.program)
        self.reads = Reads(module.simplifier)
        self.margin = 1
        self.units = module.work.units
        self.entries: dict[int, str] = {}
        self.choices: dict[int, dict[int | None, str]] = {}
        self._wanted: list[int] = []
        self._legal: dict[int, str] = {}
        self.action_slots = {action.return_slot for action in self.program.actions}
        self._first_node = self._number_nodes()
        self.stored = list_stored(self.program)

    def legal(self, number: int, decide: ir.Decide) -> str:
        """The function that lists what may be chosen, where that is asked before the game stops."""
        if number not in self._legal:
            self._legal[number] = write_decision(self.module, number, decide)
        return self._legal[number]

    def _number_nodes(self) -> list[int]:
        first, numbers = 0, []
        for block in self.program.blocks:
            numbers.append(first)
            first += len(block.instructions)
        return numbers

    def node(self, block: int, instruction: int) -> str:
        """What an instruction is called in the module."""
        return f"NODES[{self._first_node[block] + instruction}]"

    # ---------------------------------------------------------------------------------------------- functions
    def write_all(self) -> None:
        """Every function that can be needed from the beginning and from every decision."""
        self.want(self.program.entry)
        for number, block in enumerate(self.program.blocks):
            if isinstance(block.end, ir.Decide):
                self._write_choices(number, block.end)
        self.write_wanted()

    def write_wanted(self) -> None:
        """The functions that are asked for, and those that these ask for."""
        done = 0
        while done < len(self._wanted):
            self._write_entry(self._wanted[done])
            done += 1
        if self.margin > MOST_STEPS // 2:
            raise Unsupported(Reason.STRETCH)

    def want(self, block: int) -> None:
        """Let there be a function that begins at a block."""
        if block not in self.entries:
            self.entries[block] = f"b{block}"
            self._wanted.append(block)

    def _write_entry(self, block: int) -> None:
        name = self.entries[block]
        head = f"{name}(position, budget{self.listener})"
        self._add(name, head, f"from block {block}", self._write_segment(block))

    def _write_segment(self, block: int) -> Segment:
        return self.fill(Segment(self, stands_at=None), block)

    def fill(self, segment: Segment, block: int) -> Segment:
        """Write a function that begins at a block."""
        segment.go(block, Flow({}, {}, 0, 0, counts=True))
        return segment

    @property
    def listener(self) -> str:
        return ", executor" if self.recorded else ""

    def _add(self, name: str, head: str, about: str, segment: Segment) -> None:
        lines = segment.writer.lines
        if self.recorded and any("effects." in line.text for line in lines):
            segment.writer.lines = []
            segment.writer.depth = 1
            segment.writer.place = None
            segment.writer.add("effects = executor.effects")
            lines = segment.writer.lines + lines
        self.module.add(Function(name, head, about, lines))

    def _write_choices(self, number: int, decide: ir.Decide) -> None:
        decision = self.program.decisions[decide.decision]
        offered = list_offered(self.program, decide)
        found: dict[int | None, str] = {}
        for action in (*offered, None) if decision.optional else offered:
            # What is only stored is stored in the same way, whatever it is, unless a number must be tested.
            plain = decide.store is not None and not has_number(self.program, action)
            again = next((name for other, name in found.items() if plain and not has_number(self.program, other)), None)
            found[action] = again or self._write_choice(number, decide, action)
        self.choices[number] = found

    def _write_choice(self, number: int, decide: ir.Decide, action: int | None) -> str:
        """The function for a choice of an action (None: declined) at a decision."""
        segment = Segment(self, stands_at=number)
        segment.choose(number, decide, action)
        name = f"c{number}_{'none' if action is None else action}"
        said = "declining" if action is None else self.program.actions[action].name
        about = f"{said} at {self.program.decisions[decide.decision].name}"
        self._add(name, f"{name}(position, choice{self.listener})", about, segment)
        return name

"""Code for blocks: one function for each stretch of play from a choice, or from a place that is jumped to.

In: blocks. Out: functions of the position. Each ends at a decision or at the end of the match and returns None, or
returns the block to go on at and how many instructions may still be carried out: `MOST_STEPS` minus what the reference
would have counted. A run that comes near the limit is handed to the reference, which says exactly where it is reached.

Blocks follow each other without jumps as far as they form a tree; loops become `while`. A step or action that is
entered inside a function returns inside it: its return slot is set all the same, so that positions agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hoyle.engine.generate.graph import Graph
from hoyle.engine.generate.instructions import Instructions
from hoyle.engine.generate.module import Function, Module
from hoyle.engine.generate.values import Unsupported, Values
from hoyle.engine.generate.writer import Code, Writer, atom, comment
from hoyle.engine.limits import MOST_STEPS
from hoyle.ir import nodes as ir

LONGEST_FUNCTION = 300
DEEPEST = 24
MOST_LOOPS = 4
APPLY = (-1, 0)  # the place of code that comes before anything has changed: the reference makes the choice anew


@dataclass(frozen=True, slots=True)
class Flow:
    """What is known on the way to a block: return slots, names that hold slots, and what has been counted."""

    returns: dict[int, int]
    names: dict[int, Code]
    cost: int  # since the budget was last written down
    spent: int  # since the budget was last tested
    counts: bool  # whether there is a variable for the budget


class Segments:
    """Writes all functions of a module of segments."""

    def __init__(self, module: Module, *, recorded: bool) -> None:
        self.module = module
        self.program = module.program
        self.recorded = recorded
        self.graph = Graph(module.program)
        self.margin = 1
        self.entries: dict[int, str] = {}
        self.choices: dict[int, dict[int | None, str]] = {}
        self._wanted: list[int] = []
        self._first_node = self._number_nodes()
        self.stored = {
            item.action
            for block in self.program.blocks
            if isinstance(block.end, ir.Decide) and block.end.store is not None
            for tier in self.program.decisions[block.end.decision].tiers
            for item in tier.items
        }

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
        done = 0
        while done < len(self._wanted):
            self._write_entry(self._wanted[done])
            done += 1
        if self.margin > MOST_STEPS // 2:
            raise Unsupported("blocks too long")

    def want(self, block: int) -> None:
        """Let there be a function that begins at a block."""
        if block not in self.entries:
            self.entries[block] = f"b{block}"
            self._wanted.append(block)

    def _write_entry(self, block: int) -> None:
        segment = Segment(self, stands_at=None)
        segment.go(block, Flow({}, {}, 0, 0, counts=True))
        name = self.entries[block]
        head = f"{name}(position, budget{self.listener})"
        self._add(name, head, f"from block {block}", segment)

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
        offered = dict.fromkeys(item.action for tier in decision.tiers for item in tier.items)
        self.choices[number] = {action: self._write_choice(number, decide, action) for action in offered}
        if decision.optional:
            self.choices[number][None] = self._write_choice(number, decide, None)

    def _write_choice(self, number: int, decide: ir.Decide, action: int | None) -> str:
        """The function for a choice of an action (None: declined) at a decision."""
        segment = Segment(self, stands_at=number)
        segment.choose(number, decide, action)
        name = f"c{number}_{'none' if action is None else action}"
        said = "declining" if action is None else self.program.actions[action].name
        about = f"{said} at {self.program.decisions[decide.decision].name}"
        self._add(name, f"{name}(position, choice{self.listener})", about, segment)
        return name


class Segment:
    """One function being written. `stands_at` is the decision the position stands at when it is called."""

    def __init__(self, segments: Segments, stands_at: int | None) -> None:
        self.segments = segments
        self.module = segments.module
        self.program = segments.program
        self.graph = segments.graph
        self.recorded = segments.recorded
        self.stands_at = stands_at
        self.writer = Writer()
        self.values = Values(self.module, self.writer)
        self.instructions = Instructions(self.values, recorded=segments.recorded)
        self.loops: list[tuple[int, dict[int, int]]] = []
        self.written = 0
        self.said = ""

    # ---------------------------------------------------------------------------------------------- choices
    def choose(self, number: int, decide: ir.Decide, action: int | None) -> None:
        """The choice of an action at a decision, and what follows."""
        self.writer.place = APPLY
        writer = self.writer
        seat = self.values.name(self.values.value(self.module.simple(decide.seat)), "seat")
        self.values.stop_if(f"not 0 <= {seat.text} < {self.program.players}")
        flow = Flow({}, {}, 0, 0, counts=False)
        if action is not None and any(pick.least is not None for pick in self.program.actions[action].picks):
            self.values.stop_if("type(choice[-1]) is range")
        picks = [] if action is None or decide.store is not None else self._take_picks(action, "choice")
        writer.add("position.decisions += 1")
        if self.recorded:
            writer.add(f"executor.tell_choice({number}, {seat.text}, choice)")
        if decide.store is not None:
            held = f"slots[{decide.store}]"
            writer.add(f"{held} = (*({held} or ()), choice)")
        elif action is not None:
            flow = self._begin(action, seat, picks, decide.to, flow)
            self.go(self.program.actions[action].entry, flow)
            return
        self.go(decide.to, flow)

    def _take_picks(self, action: int, choice: str) -> list[Code]:
        picks = []
        for place in range(len(self.program.actions[action].picks)):
            pick = self.writer.fresh("pick")
            self.writer.add(f"{pick} = {choice}[{place + 1}]")
            picks.append(atom(pick))
        return picks

    def _begin(self, number: int, seat: Code, picks: list[Code], to: int, flow: Flow) -> Flow:
        """Put seat, picks and the way back into the slots of an action."""
        action = self.program.actions[number]
        names = dict(flow.names)
        for slot, code in ((action.seat_slot, seat), *zip(action.pick_slots, picks, strict=True)):
            self.writer.add(f"slots[{slot}] = {code.text}")
            names[slot] = code
        self.writer.add(f"slots[{action.return_slot}] = {to}")
        return replace(flow, names=names, returns={**flow.returns, action.return_slot: to})

    # ---------------------------------------------------------------------------------------------- blocks
    def go(self, number: int, flow: Flow) -> None:
        """Go on at a block: inside this function, or by leaving it."""
        if self.loops and self.loops[-1] == (number, flow.returns):
            self._repeat(number, flow)
        elif any(number == header for header, _ in self.loops) or self._is_long():
            self._leave(str(number), flow)
            self.segments.want(number)
        elif number in self.graph.loops:
            if len(self.loops) < MOST_LOOPS:
                self._loop(number, flow)
            else:
                self._leave(str(number), flow)
                self.segments.want(number)
        else:
            self._block(number, flow)

    def _is_long(self) -> bool:
        return self.written > LONGEST_FUNCTION or self.writer.depth > DEEPEST

    def _leave(self, to: str, flow: Flow) -> None:
        """Return where to go on."""
        self._note(flow)
        budget = _subtract("budget", flow.cost) if flow.counts else str(MOST_STEPS - flow.cost)
        self.writer.add(f"return {to}, {budget}")

    def _note(self, flow: Flow) -> None:
        self.segments.margin = max(self.segments.margin, flow.spent + 1)

    def _block(self, number: int, flow: Flow) -> None:
        flow = self._carry_out(number, flow)
        self._end(number, self.program.blocks[number].end, flow)

    def _carry_out(self, number: int, flow: Flow) -> Flow:
        """The instructions of a block."""
        block = self.program.blocks[number]
        size = len(block.instructions) + 1
        self.written += size
        for place, instruction in enumerate(block.instructions):
            self.writer.place = (number, place)
            self.values.slot_names = flow.names
            self._say(instruction.clause)
            self.instructions.write(instruction, self.segments.node(number, place))
            flow = _forget(flow, instruction)
        self.writer.place = (number, len(block.instructions))
        self.values.slot_names = flow.names
        return replace(flow, cost=flow.cost + size, spent=flow.spent + size)

    def _say(self, clause: int) -> None:
        declared = self.program.clauses[clause]
        said = declared.path + (f" [{', '.join(declared.cite)}]" if declared.cite else "")
        if said != self.said:
            self.writer.add(comment(said))
            self.said = said

    def _end(self, number: int, end: ir.Terminator, flow: Flow) -> None:
        match end:
            case ir.Jump():
                self.go(end.to, flow)
            case ir.Branch():
                self._branch(end, flow)
            case ir.Decide():
                self._stop(number, flow)
            case ir.Enter():
                step = self.program.steps[end.step]
                self.writer.add(f"slots[{step.return_slot}] = {end.to}")
                self.go(step.entry, replace(flow, returns={**flow.returns, step.return_slot: end.to}))
            case ir.Return():
                self._return(end, flow)
            case ir.Perform():
                self._perform(end, flow)
            case ir.Finish():
                self._finish(number, flow)

    def _branch(self, end: ir.Branch, flow: Flow) -> None:
        test = self.module.simple(end.test)
        if isinstance(test, ir.Const):
            self.go(end.yes if test.value else end.no, flow)
            return
        self.writer.add(f"if {self.values.test(test).text}:")
        with self.writer.indented():
            self.go(end.yes, flow)
        self.said = ""
        self.go(end.no, flow)

    def _stop(self, number: int, flow: Flow) -> None:
        """Stand at a decision."""
        self._note(flow)
        if self.stands_at != number:
            self.writer.add(f"position.block = {number}")
            self.writer.add(f"position.instruction = {len(self.program.blocks[number].instructions)}")
        self.writer.add("return None")

    def _finish(self, number: int, flow: Flow) -> None:
        self._note(flow)
        self.writer.add(f"position.block = {number}")
        self.writer.add("position.instruction = 0")
        self.writer.add("executor.finish(position)" if self.recorded else "position.over = True")
        self.writer.add("return None")

    def _return(self, end: ir.Return, flow: Flow) -> None:
        to = flow.returns.get(end.slot)
        if to is not None:
            self.writer.add(f"slots[{end.slot}] = -1")
            self.go(to, replace(flow, returns={k: v for k, v in flow.returns.items() if k != end.slot}))
            return
        back = self.writer.fresh("back")
        self.writer.add(f"{back} = slots[{end.slot}]")
        self.writer.add(f"slots[{end.slot}] = -1")
        self._leave(back, flow)
        for block in self._list_returns(end.slot):
            self.segments.want(block)

    def _list_returns(self, slot: int) -> list[int]:
        """The blocks that a return slot can lead to."""
        steps = {number for number, step in enumerate(self.program.steps) if step.return_slot == slot}
        actions = {number for number, action in enumerate(self.program.actions) if action.return_slot == slot}
        found = []
        for block in self.program.blocks:
            end = block.end
            if isinstance(end, ir.Enter) and end.step in steps:
                found.append(end.to)
            elif isinstance(end, ir.Perform) and actions & self.segments.stored:
                found.append(end.to)
            elif isinstance(end, ir.Decide) and end.store is None:
                tiers = self.program.decisions[end.decision].tiers
                if any(item.action in actions for tier in tiers for item in tier.items):
                    found.append(end.to)
        return found

    def _perform(self, end: ir.Perform, flow: Flow) -> None:
        """Begin the action of a stored choice; which it is shows only now."""
        choice = self.values.name(self.values.value(self.module.simple(end.choice)), "choice")
        seat = self.values.name(self.values.value(self.module.simple(end.seat)), "seat")
        self.writer.add(f"if not {choice.text}:")
        with self.writer.indented():
            self.go(end.to, flow)
        for action in sorted(self.segments.stored):
            self.writer.add(f"if {choice.text}[0] == {action}:")
            with self.writer.indented():
                picks = self._take_picks(action, choice.text)
                self.go(self.program.actions[action].entry, self._begin(action, seat, picks, end.to, flow))
            self.said = ""
        self.writer.add("raise Stop")

    # ---------------------------------------------------------------------------------------------- loops
    def _loop(self, number: int, flow: Flow) -> None:
        """A block that is come back to without a decision."""
        if flow.cost or not flow.counts:
            count = f"budget -= {flow.cost}" if flow.counts else f"budget = {MOST_STEPS - flow.cost}"
            self.writer.add(count)
        names = {} if self.segments.stored else flow.names
        flow = replace(flow, cost=0, counts=True, names=names)
        end = self.program.blocks[number].end
        self.loops.append((number, flow.returns))
        self.said = ""
        if isinstance(end, ir.Branch):
            outer = {header for header, _ in self.loops[:-1]}
            arms = [self.graph.leads_to(arm, number, outer) for arm in (end.yes, end.no)]
            if arms[0] != arms[1] and not isinstance(self.module.simple(end.test), ir.Const):
                self._while(number, end, flow, stays=end.yes if arms[0] else end.no)
                return
        self.writer.add("while True:")
        with self.writer.indented():
            self._block(number, flow)
        self.loops.pop()

    def _while(self, number: int, end: ir.Branch, flow: Flow, stays: int) -> None:
        """A loop with one way out, which is written after it."""
        self.writer.add("while True:")
        with self.writer.indented():
            inner = self._carry_out(number, flow)
            test = self.module.simple(end.test)
            out = self.values.negated(test) if stays == end.yes else self.values.test(test)
            self.writer.add(f"if {out.text}:")
            with self.writer.indented():
                self.writer.add("break")
            self.go(stays, inner)
        self.loops.pop()
        self.said = ""
        self.go(end.no if stays == end.yes else end.yes, inner)

    def _repeat(self, number: int, flow: Flow) -> None:
        """Back to the beginning of the innermost loop."""
        self._note(flow)
        self.writer.add(f"budget -= {flow.cost}")
        self.writer.add("if budget < MARGIN:")
        with self.writer.indented():
            self.writer.add(f"return {number}, budget")
        self.segments.want(number)
        self.writer.add("continue")


def _subtract(name: str, amount: int) -> str:
    return f"{name} - {amount}" if amount else name


def _forget(flow: Flow, instruction: ir.Instruction) -> Flow:
    """What is known after an instruction: slots it sets are read anew, slots it leaves are not running."""
    if isinstance(instruction, ir.Let | ir.Draw) and instruction.slot in flow.names:
        return replace(flow, names={k: v for k, v in flow.names.items() if k != instruction.slot})
    if isinstance(instruction, ir.Leave):
        return replace(flow, returns={k: v for k, v in flow.returns.items() if k not in instruction.slots})
    if isinstance(instruction, ir.Let | ir.Draw) and instruction.slot in flow.returns:
        raise Unsupported("a return slot that is set by hand")
    return flow

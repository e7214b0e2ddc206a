"""Code for blocks: one function for each stretch of play from a choice, or from a place that is jumped to.

In: blocks. Out: functions of the position. Each ends at a decision or at the end of the match and returns None, or
returns the block to go on at and how many instructions may still be carried out: `MOST_STEPS` minus what the reference
would have counted. A run that comes near the limit is handed to the reference, which says exactly where it is reached.

Blocks follow each other without jumps as far as they form a tree; loops become `while`. A step or action that is
entered inside a function returns inside it: its return slot is set all the same, so that positions agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from hoyle.engine.generate.choices import write_decision
from hoyle.engine.generate.graph import Graph
from hoyle.engine.generate.instructions import Instructions
from hoyle.engine.generate.module import Function, Module
from hoyle.engine.generate.reads import TOTALS, Mark, Reads, list_writes, touches
from hoyle.engine.generate.values import Unsupported, Values
from hoyle.engine.generate.writer import Code, Line, Writer, atom, comment
from hoyle.engine.limits import MOST_STEPS
from hoyle.ir import nodes as ir

LONGEST_FUNCTION = 300
LONG_ENOUGH, LONG_AFTER = 40, 60
DEEPEST = 24
MOST_LOOPS = 4
WORTH_MEETING = 10  # instructions that are too many to be written twice
TRUE, FALSE = atom("True"), atom("False")
Key = TypeVar("Key")
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
        self.reads = Reads(module.simplifier)
        self.margin = 1
        self.entries: dict[int, str] = {}
        self.choices: dict[int, dict[int | None, str]] = {}
        self._wanted: list[int] = []
        self._legal: dict[int, str] = {}
        self.action_slots = {action.return_slot for action in self.program.actions}
        self._first_node = self._number_nodes()
        self.stored = {
            item.action
            for block in self.program.blocks
            if isinstance(block.end, ir.Decide) and block.end.store is not None
            for tier in self.program.decisions[block.end.decision].tiers
            for item in tier.items
        }

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

    def list_returns(self, slot: int) -> list[int]:
        """The blocks that a return slot can lead to."""
        steps = {number for number, step in enumerate(self.program.steps) if step.return_slot == slot}
        actions = {number for number, action in enumerate(self.program.actions) if action.return_slot == slot}
        found = []
        for block in self.program.blocks:
            end = block.end
            entered = isinstance(end, ir.Enter) and end.step in steps
            performed = isinstance(end, ir.Perform) and actions & self.stored
            if isinstance(end, ir.Enter | ir.Perform):
                found += [end.to] if entered or performed else []
            elif isinstance(end, ir.Decide) and end.store is None:
                tiers = self.program.decisions[end.decision].tiers
                if any(item.action in actions for tier in tiers for item in tier.items):
                    found.append(end.to)
        return found


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
        self.meetings: list[Meeting] = []
        self.flow = Flow({}, {}, 0, 0, counts=True)
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
        if has_number(self.program, action):
            self.values.stop_if("type(choice[-1]) is range")
        picks = [] if action is None or decide.store is not None else self._take_picks(action, "choice")
        writer.add("position.decisions += 1")
        if self.recorded:
            writer.add(f"executor.tell_choice({number}, {seat.text}, choice)")
        if decide.store is not None:
            self._set_slot(decide.store, f"(*(slots[{decide.store}] or ()), choice)")
        elif action is not None:
            flow = self._begin(action, seat, picks, decide.to, flow)
            self.go(self.program.actions[action].entry, flow)
            return
        self._go_after(decide.to, flow)

    def _go_after(self, to: int, flow: Flow) -> bool:
        """Go on after a choice: if that is long, in a function that serves after every choice."""
        if self.graph.measure(to, flow.returns) <= LONG_AFTER:
            return self.go(to, flow)
        self.segments.want(to)
        self._leave(str(to), flow)
        return False

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
            self._set_slot(slot, code.text)
            names[slot] = code
        self._set_slot(action.return_slot, str(to))
        return replace(flow, names=names, returns={**flow.returns, action.return_slot: to})

    # ---------------------------------------------------------------------------------------------- blocks
    def go(self, number: int, flow: Flow) -> bool:
        """Go on at a block: inside this function, or by leaving it. Gives whether the code that is written here can run
        on to what is written after it, where several ways meet."""
        if self.meetings and self.meetings[-1].fits(number, flow):
            self.meetings[-1].arrive(self, flow)
            return True
        if self.loops and self.loops[-1] == (number, flow.returns):
            self._repeat(number, flow)
            return False
        again = any(number == header for header, _ in self.loops) or self._is_elsewhere(number, flow)
        loops = number in self.graph.loops
        if again or self._is_long() or (loops and len(self.loops) == MOST_LOOPS):
            self._leave(str(number), flow)
            self.segments.want(number)
            return False
        return self._loop(number, flow) if loops else self._block(number, flow)

    def _is_elsewhere(self, number: int, flow: Flow) -> bool:
        """Whether a long function goes on with something long that has a function of its own."""
        if number not in self.segments.entries or self.written < LONG_ENOUGH:
            return False
        return self.graph.measure(number, flow.returns) > LONG_ENOUGH

    def _is_long(self) -> bool:
        return self.written > LONGEST_FUNCTION or self.writer.depth > DEEPEST

    def _leave(self, to: str, flow: Flow) -> None:
        """Return where to go on."""
        self._note(flow)
        budget = _subtract("budget", flow.cost) if flow.counts else str(MOST_STEPS - flow.cost)
        self.writer.add(f"return {to}, {budget}")

    def _note(self, flow: Flow) -> None:
        self.segments.margin = max(self.segments.margin, flow.spent + 1)

    def _block(self, number: int, flow: Flow) -> bool:
        block = self.program.blocks[number]
        nested = self._prepare_nested(number, block)
        flow = self._carry_out(number, flow)
        self.instructions.after_score = None
        if nested and isinstance(block.end, ir.Branch):
            self.values.shared[self.module.simple(block.end.test)] = FALSE
            return self.go(block.end.no, flow)
        return self._end(number, block.end, flow)

    def _prepare_nested(self, number: int, block: ir.Block) -> bool:
        """Where a row of a score table is followed by a test that did not hold before it, the test need be made only if
        the row has scored."""
        if not block.instructions or not isinstance(block.end, ir.Branch):
            return False
        *others, last = block.instructions
        if not isinstance(last, ir.Score) or not last.table or others:
            return False
        test = self.module.simple(block.end.test)
        if self.values.shared.get(test) != FALSE or self._is_long():
            return False
        end = block.end

        def test_now() -> None:
            self._forget(frozenset({TOTALS}))
            self.writer.place = (number, len(block.instructions))
            self.writer.add(f"if {self.values.test(test).text}:")
            meetings, self.meetings = self.meetings, []
            with self.values.scope(), self.writer.indented():
                self.go(end.yes, self._count(number, self.flow))
            self.meetings = meetings
            self.instructions.after_score = None

        self.instructions.after_score = test_now
        return True

    def _count(self, number: int, flow: Flow) -> Flow:
        size = len(self.program.blocks[number].instructions) + 1
        return replace(flow, cost=flow.cost + size, spent=flow.spent + size)

    def _carry_out(self, number: int, flow: Flow) -> Flow:
        """The instructions of a block."""
        block = self.program.blocks[number]
        self.written += len(block.instructions) + 1
        for place, instruction in enumerate(block.instructions):
            self.writer.place = (number, place)
            self.values.slot_names = flow.names
            self.flow = flow
            self._say(instruction.clause)
            self.instructions.write(instruction, self.segments.node(number, place))
            flow = _follow(flow, instruction)
            self._forget(list_writes(instruction))
        self.writer.place = (number, len(block.instructions))
        self.values.slot_names = flow.names
        return self._count(number, flow)

    def _forget(self, writes: frozenset[Mark]) -> None:
        """What has been worked out from something that has changed is worked out anew."""
        reads = self.segments.reads
        for shared in (self.values.shared, self.values.shared_each):
            for expr in [expr for expr in shared if touches(reads.of(expr), writes)]:
                del shared[expr]

    def _set_slot(self, slot: int, value: str) -> None:
        self.writer.add(f"slots[{slot}] = {value}")
        self._forget(frozenset({("slot", slot)}))

    def _say(self, clause: int) -> None:
        declared = self.program.clauses[clause]
        said = declared.path + (f" [{', '.join(declared.cite)}]" if declared.cite else "")
        if said != self.said:
            self.writer.add(comment(said))
            self.said = said

    # ---------------------------------------------------------------------------------------------- ends of blocks
    def _end(self, number: int, end: ir.Terminator, flow: Flow) -> bool:
        match end:
            case ir.Jump():
                return self.go(end.to, flow)
            case ir.Branch():
                return self._branch(end, flow)
            case ir.Enter():
                step = self.program.steps[end.step]
                self._set_slot(step.return_slot, str(end.to))
                return self.go(step.entry, replace(flow, returns={**flow.returns, step.return_slot: end.to}))
            case ir.Return():
                return self._return(end, flow)
            case ir.Perform():
                return self._perform(end, flow)
            case ir.Decide():
                self._stop(number, end, flow)
            case ir.Finish():
                self._finish(number, flow)
        return False

    def _branch(self, end: ir.Branch, flow: Flow) -> bool:
        test = self.module.simple(end.test)
        code = self.values.test(test)
        if isinstance(test, ir.Const) or code in (TRUE, FALSE):
            holds = bool(test.value) if isinstance(test, ir.Const) else code == TRUE
            return self.go(end.yes if holds else end.no, flow)
        meeting = self._find_meeting(end, flow)
        if meeting is None:
            return self._fork(test, code, end, flow)
        self.meetings.append(meeting)
        self._fork(test, code, end, flow)
        self.meetings.pop()
        met = meeting.join(self)
        return met is not None and self.go(meeting.block, met)

    def _fork(self, test: ir.Expr, code: Code, end: ir.Branch, flow: Flow) -> bool:
        """Both ways on from a branch."""
        self.writer.add(f"if {code.text}:")
        with self.values.scope(), self.writer.indented():
            self.values.shared[test] = TRUE
            runs_on = self.go(end.yes, flow)
        self.said = ""
        if not runs_on:
            self.values.shared[test] = FALSE
            return self.go(end.no, flow)
        otherwise = self.writer.add("else:")
        begin = len(self.writer.lines)
        with self.values.scope(), self.writer.indented():
            self.values.shared[test] = FALSE
            self.go(end.no, flow)
        if all(line in self.meetings[-1].ends for line in self.writer.lines[begin:]):
            self.meetings[-1].empty.append(otherwise)
        self.said = ""
        return True

    def _find_meeting(self, end: ir.Branch, flow: Flow) -> Meeting | None:
        """Where both ways on meet, if what follows is too long to be written twice."""
        block = self.graph.meet(end.yes, end.no, {header for header, _ in self.loops})
        if block is None or self.graph.measure(block, flow.returns) < WORTH_MEETING or self._is_long():
            return None
        return Meeting(block, flow.returns)

    def _stop(self, number: int, end: ir.Decide, flow: Flow) -> None:
        """Stand at a decision; pass over a seat that could only decline in a window."""
        self._note(flow)
        if end.store is not None and self.program.decisions[end.decision].window:
            self.writer.add(f"if {self.segments.legal(number, end)}(position) == [()]:")
            meetings, self.meetings = self.meetings, []
            with self.values.scope(), self.writer.indented():
                self._set_slot(end.store, f"(*(slots[{end.store}] or ()), ())")
                self.go(end.to, flow)
            self.meetings = meetings
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

    def _return(self, end: ir.Return, flow: Flow) -> bool:
        to = flow.returns.get(end.slot)
        if to is not None:
            self._set_slot(end.slot, "-1")
            flow = replace(flow, returns={k: v for k, v in flow.returns.items() if k != end.slot})
            return self._go_after(to, flow) if end.slot in self.segments.action_slots else self.go(to, flow)
        back = self.writer.fresh("back")
        self.writer.add(f"{back} = slots[{end.slot}]")
        self.writer.add(f"slots[{end.slot}] = -1")
        self._leave(back, flow)
        for block in self.segments.list_returns(end.slot):
            self.segments.want(block)
        return False

    def _perform(self, end: ir.Perform, flow: Flow) -> bool:
        """Begin the action of a stored choice; which it is shows only now."""
        choice = self.values.name(self.values.value(self.module.simple(end.choice)), "choice")
        seat = self.values.name(self.values.value(self.module.simple(end.seat)), "seat")
        if end.decision is not None and self.recorded:
            self.writer.add(f"executor.tell_claim({end.decision}, position, {seat.text}, {choice.text})")
        meetings, self.meetings = self.meetings, []
        self.writer.add(f"if not {choice.text}:")
        with self.values.scope(), self.writer.indented():
            self.go(end.to, flow)
        for action in sorted(self.segments.stored):
            self.writer.add(f"if {choice.text}[0] == {action}:")
            with self.values.scope(), self.writer.indented():
                picks = self._take_picks(action, choice.text)
                self.go(self.program.actions[action].entry, self._begin(action, seat, picks, end.to, flow))
            self.said = ""
        self.writer.add("raise Stop")
        self.meetings = meetings
        return False

    # ---------------------------------------------------------------------------------------------- loops
    def _loop(self, number: int, flow: Flow) -> bool:
        """A block that is come back to without a decision."""
        self.count_down(flow)
        names = {} if self.segments.stored else flow.names
        flow = replace(flow, cost=0, counts=True, names=names)
        end = self.program.blocks[number].end
        self.loops.append((number, flow.returns))
        self.values.shared, self.values.shared_each = {}, {}
        self.said = ""
        outer = {header for header, _ in self.loops[:-1]}
        if isinstance(end, ir.Branch) and not isinstance(self.module.simple(end.test), ir.Const):
            stays = [self.graph.leads_to(arm, number, outer) for arm in (end.yes, end.no)]
            if stays[0] != stays[1]:
                return self._while(number, end, flow, stays=end.yes if stays[0] else end.no)
        meetings, self.meetings = self.meetings, []
        self.writer.add("while True:")
        with self.writer.indented():
            self._block(number, flow)
        self.meetings = meetings
        self.loops.pop()
        return False

    def count_down(self, flow: Flow) -> Line | None:
        """Write down what has been carried out."""
        if not flow.counts:
            return self.writer.add(f"budget = {MOST_STEPS - flow.cost}")
        return self.writer.add(f"budget -= {flow.cost}") if flow.cost else None

    def _while(self, number: int, end: ir.Branch, flow: Flow, stays: int) -> bool:
        """A loop with one way out, which is written after it."""
        meetings, self.meetings = self.meetings, []
        self.writer.add("while True:")
        with self.values.scope(), self.writer.indented():
            inner = self._carry_out(number, flow)
            test = self.module.simple(end.test)
            out = self.values.negated(test) if stays == end.yes else self.values.test(test)
            self.writer.add(f"if {out.text}:")
            with self.writer.indented():
                self.writer.add("break")
            self.go(stays, inner)
        self.meetings = meetings
        self.loops.pop()
        self.said = ""
        self.values.shared, self.values.shared_each = {}, {}
        return self.go(end.no if stays == end.yes else end.yes, inner)

    def _repeat(self, number: int, flow: Flow) -> None:
        """Back to the beginning of the innermost loop."""
        self._note(flow)
        self.writer.add(f"budget -= {flow.cost}")
        self.writer.add("if budget < MARGIN:")
        with self.writer.indented():
            self.writer.add(f"return {number}, budget")  # the reference goes on from here
        self.writer.add("continue")


class Meeting:
    """A block where two ways meet: written once, after both. Ways arrive if they would return to the same places."""

    def __init__(self, block: int, returns: dict[int, int]) -> None:
        self.block = block
        self.returns = returns
        self.flows: list[Flow] = []
        self.shared: list[tuple[dict[ir.Expr, Code], dict[ir.Expr, Code]]] = []
        self.ends: list[Line] = []
        self.empty: list[Line] = []

    def fits(self, number: int, flow: Flow) -> bool:
        return number == self.block and flow.returns == self.returns

    def arrive(self, segment: Segment, flow: Flow) -> None:
        """End a way here, with a line that may have to count down what it has cost."""
        self.flows.append(flow)
        self.shared.append((dict(segment.values.shared), dict(segment.values.shared_each)))
        self.ends.append(segment.writer.add("pass"))

    def join(self, segment: Segment) -> Flow | None:
        """What is known where the ways have met; None if none arrived."""
        if not self.flows:
            return None
        first, *others = self.flows
        if all((flow.cost, flow.counts) == (first.cost, first.counts) for flow in others):
            merged = first
            for line in self.empty:
                self._drop(segment, line)
        else:
            for flow, line in zip(self.flows, self.ends, strict=True):
                line.text = f"budget -= {flow.cost}" if flow.counts else f"budget = {MOST_STEPS - flow.cost}"
            merged = replace(first, cost=0, counts=True)
        self._tidy(segment)
        values = segment.values
        values.shared = _keep_common([shared for shared, _ in self.shared])
        values.shared_each = _keep_common([each for _, each in self.shared])
        names = _keep_common([flow.names for flow in self.flows])
        segment.said = ""
        return replace(merged, spent=max(flow.spent for flow in self.flows), names=names)

    def _drop(self, segment: Segment, otherwise: Line) -> None:
        """An `else` in which nothing is done."""
        at = next(i for i, line in enumerate(segment.writer.lines) if line is otherwise)
        otherwise.text = ""
        for line in segment.writer.lines[at + 1 :]:
            if line.depth <= otherwise.depth:
                break
            line.text = ""

    def _tidy(self, segment: Segment) -> None:
        """Leave out a `pass` that stands after something."""
        for line in self.ends:
            if line.text == "pass":
                at = next(i for i, each in enumerate(segment.writer.lines) if each is line)
                before = next((each for each in reversed(segment.writer.lines[:at]) if _is_code(each)), None)
                if before is not None and before.depth >= line.depth and not before.text.endswith(":"):
                    line.text = ""


def _is_code(line: Line) -> bool:
    return bool(line.text) and not line.text.startswith("#")


def _keep_common(parts: list[dict[Key, Code]]) -> dict[Key, Code]:
    """What all say alike."""
    first, *others = parts
    return {key: code for key, code in first.items() if all(other.get(key) == code for other in others)}


def has_number(program: ir.Program, action: int | None) -> bool:
    """Whether an action has a number parameter."""
    return action is not None and any(pick.least is not None for pick in program.actions[action].picks)


def _subtract(name: str, amount: int) -> str:
    return f"{name} - {amount}" if amount else name


def _follow(flow: Flow, instruction: ir.Instruction) -> Flow:
    """What is known after an instruction: slots it sets are read anew, slots it leaves are not running."""
    if isinstance(instruction, ir.Let | ir.Draw) and instruction.slot in flow.names:
        return replace(flow, names={k: v for k, v in flow.names.items() if k != instruction.slot})
    if isinstance(instruction, ir.Leave):
        return replace(flow, returns={k: v for k, v in flow.returns.items() if k not in instruction.slots})
    if isinstance(instruction, ir.Let | ir.Draw) and instruction.slot in flow.returns:
        raise Unsupported("a return slot that is set by hand")
    return flow

"""One function of blocks being written.

In: the block it begins at, or the choice it begins with. Out: its lines.

Blocks follow each other without jumps as far as they form a tree; where ways meet again and much follows, it is written
once; loops become `while`. A step or action that is entered inside a function returns inside it: its return slot is set
all the same, so that positions agree.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from hoyle.engine.generate.flow import Flow, Meeting, follow
from hoyle.engine.generate.graph import Graph, list_returns, list_stored
from hoyle.engine.generate.instruction_code import Instructions
from hoyle.engine.generate.module import Module
from hoyle.engine.generate.reads import ALL, TOTALS, Mark, Reads, list_writes, touches
from hoyle.engine.generate.refuted import list_begun, list_chosen
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import Code, Place, Writer, atom, comment
from hoyle.engine.limits import MOST_STEPS
from hoyle.ir import nodes as ir

LONGEST_FUNCTION = 300
LONG_ENOUGH, LONG_AFTER = 40, 60
DEEPEST = 24
MOST_LOOPS = 4
WORTH_MEETING = 10  # instructions that are too many to be written twice
TRUE, FALSE = atom("True"), atom("False")
# The place of code that comes before anything has changed: the reference makes the choice anew.
APPLY = Place(-1, 0, 0, counts=False)


class Functions(Protocol):
    """The functions of a module, as one that is being written sees the others."""

    module: Module
    program: ir.Program
    graph: Graph
    reads: Reads
    recorded: bool
    margin: int
    units: tuple[int, ...]
    entries: dict[int, str]
    action_slots: set[int]
    stored: list[int]

    def want(self, block: int) -> None: ...

    def node(self, block: int, instruction: int) -> str: ...

    def legal(self, number: int, decide: ir.Decide) -> str: ...


class Segment:
    """One function being written. `stands_at` is the decision the position stands at when it is called."""

    counts_exactly = True

    def __init__(self, segments: Functions, stands_at: int | None) -> None:
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
        if not isinstance(last, ir.Score) or not last.table:
            return False
        test = self.module.simple(block.end.test)
        if not self._is_refuted(number, test) or self._is_long():
            return False
        reads = self.segments.reads.of(test)
        if any(touches(reads, list_writes(other)) for other in others):
            return False
        end = block.end

        def test_now() -> None:
            self._forget(frozenset({TOTALS}))
            self._stand(number, len(block.instructions), self.flow)
            self.writer.add(f"if {self.values.test(test).text}:")
            meetings, self.meetings = self.meetings, []
            with self.values.scope(), self.writer.indented():
                self.go(end.yes, self._count(number, self.flow))
            self.meetings = meetings
            self.instructions.after_score = None

        self.instructions.after_score = test_now
        return True

    def _is_refuted(self, number: int, test: ir.Expr) -> bool:
        """Whether a test is known to fail at the beginning of a block."""
        return self.values.shared.get(test) == FALSE

    def _count(self, number: int, flow: Flow) -> Flow:
        size = self.segments.units[number]
        return replace(flow, cost=flow.cost + size, spent=flow.spent + size)

    def _carry_out(self, number: int, flow: Flow) -> Flow:
        """The instructions of a block."""
        block = self.program.blocks[number]
        self.written += len(block.instructions) + 1
        for place, instruction in enumerate(block.instructions):
            self._stand(number, place, flow)
            self.values.slot_names = flow.names
            self.flow = flow
            self._say(instruction.clause)
            self.instructions.write(instruction, self.segments.node(number, place))
            flow = follow(flow, instruction)
            self._forget(list_writes(instruction))
        self._stand(number, len(block.instructions), flow)
        self.values.slot_names = flow.names
        return self._count(number, flow)

    def _stand(self, number: int, place: int, flow: Flow) -> None:
        """The code that follows carries out an instruction of a block, or its end."""
        self.writer.place = Place(number, place, flow.cost, flow.counts)

    def _forget(self, writes: frozenset[Mark]) -> None:
        """What has been worked out from something that has changed is worked out anew."""
        reads = self.segments.reads
        for shared in (self.values.shared, self.values.shared_each):
            for expr in [expr for expr in shared if touches(reads.of(expr), writes)]:
                del shared[expr]

    def _written_in_loop(self, number: int, returns: dict[int, int]) -> frozenset[Mark]:
        """What may be changed in the loop that begins at a block."""
        outer = {header for header, _ in self.loops if header != number}
        found: set[Mark] = set()
        for block in self.graph.list_loop(number, returns, outer):
            end = self.program.blocks[block].end
            if isinstance(end, ir.Perform):
                found |= list_begun(self.program, list_stored(self.program))
            elif isinstance(end, ir.Enter):
                found.add(("slot", self.program.steps[end.step].return_slot))
            elif isinstance(end, ir.Return):
                found.add(("slot", end.slot))
            elif isinstance(end, ir.Decide):
                found |= list_chosen(self.program, end)
            for instruction in self.program.blocks[block].instructions:
                found |= list_writes(instruction)
        return frozenset(found)

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
                return self._decide(number, end, flow)
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

    def _decide(self, number: int, end: ir.Decide, flow: Flow) -> bool:
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
        return False

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
        for block in list_returns(self.program, end.slot):
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
        flow = self._begin_count(flow)
        end = self.program.blocks[number].end
        self.loops.append((number, flow.returns))
        written = self._written_in_loop(number, flow.returns)
        names = {} if ALL in written else {k: v for k, v in flow.names.items() if ("slot", k) not in written}
        flow = replace(flow, names=names)
        self._forget(written)
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

    def _begin_count(self, flow: Flow) -> Flow:
        """Write down what has been carried out before a loop."""
        if not flow.counts:
            self.writer.add(f"budget = {MOST_STEPS - flow.cost}")
        elif flow.cost:
            self.writer.add(f"budget -= {flow.cost}")
        return replace(flow, cost=0, counts=True)

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
        return self.go(end.no if stays == end.yes else end.yes, inner)

    def _repeat(self, number: int, flow: Flow) -> None:
        """Back to the beginning of the innermost loop."""
        self._note(flow)
        self.writer.add(f"budget -= {flow.cost}")
        self.writer.add("if budget < MARGIN:")
        with self.writer.indented():
            self.writer.add(f"return {number}, budget")  # the reference goes on from here
        self.writer.add("continue")


def has_number(program: ir.Program, action: int | None) -> bool:
    """Whether an action has a number parameter."""
    return action is not None and any(pick.least is not None for pick in program.actions[action].picks)


def _subtract(name: str, amount: int) -> str:
    return f"{name} - {amount}" if amount else name

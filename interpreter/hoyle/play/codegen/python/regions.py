"""Region formation and control-flow structuring: the block graph as Python functions without gotos.

In: a module of the low form. Out: the statements of functions that each start at a block and return the block to
continue at and the rest of the step budget. Decisions are left to the subclasses in `match` and `stepping`.

Tail duplication turns the graph into a tree of branches, except where a merge point with much code behind it is printed
once, after the branches; loops become `while`. Steps and actions are inlined; a return whose address is a known
constant continues in the same function. Available expressions flow along with the code and are intersected at merges.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeGuard

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.program import (
    Branch,
    Decide,
    Do,
    End,
    Jump,
    Let,
    Module,
    Perform,
    Statement,
    When,
    list_values,
)
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.control_flow import ControlFlow
from hoyle.play.codegen.lower.each_block import AT
from hoyle.play.codegen.lower.liveness import find_live
from hoyle.play.codegen.passes.incremental_sums import find_incremental_sums
from hoyle.play.codegen.passes.mod_ref import Place, list_touched
from hoyle.play.codegen.passes.origins import find_origins
from hoyle.play.codegen.passes.reduction_cache import list_by_statement
from hoyle.play.codegen.python.changes import Changes, find_origin
from hoyle.play.codegen.python.code import NAME, Assign, At, Code, Comment, Leave, Line, Nest
from hoyle.play.codegen.python.code import Statement as Written
from hoyle.play.codegen.python.constants import Constants
from hoyle.play.codegen.python.operations import OPERATIONS
from hoyle.play.codegen.python.printing import Values, name_place
from hoyle.play.codegen.python.promotion import Places
from hoyle.play.codegen.python.regions_graph import Graph, Returns
from hoyle.play.codegen.python.sums import Sums
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.codegen_limits import Reason
from hoyle.play.engine.limits import MOST_STEPS
from hoyle.play.engine.work import Work
from hoyle.play.view.names import Names
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import certain

LONGEST_FUNCTION = 300
LONG_ENOUGH = 40
DEEPEST = 24
MOST_LOOPS = 4
LONG_AFTER = 60  # the size of a continuation that is one shared function, not inlined after every choice
WORTH_MERGING = 10  # the size of code that is not duplicated
Arm = tuple[str, Callable[[], bool]]  # a condition, and the writer of its branch
FAILS = Code("False", NAME, "bool")  # of a test that is available as false


@dataclass(frozen=True, slots=True)
class Flow:
    """The static context on a path to a block: known return addresses, the `cost` not yet subtracted from the step
    budget, and that `spent` since the budget was last tested."""

    returns: Returns
    cost: int
    spent: int


@dataclass(slots=True)
class Merge:
    """A merge point: printed once, after the branches. Paths join it only with the same known return addresses."""

    block: int
    flow: Flow
    known: dict[Value, Code] | None = None  # intersection of the available expressions


def _meet_known(one: dict[Value, Code], other: dict[Value, Code]) -> dict[Value, Code]:
    return {value: code for value, code in one.items() if other.get(value) == code}


class Functions:
    """All functions of a module; `through`: they run through decisions."""

    through = True

    def __init__(self, module: Module) -> None:
        self.module = module
        self.program = program = module.program
        self.graph = Graph(module, through=self.through)
        self.constants = Constants()
        self.units = Work(program).units
        control = ControlFlow(program)
        self.live = find_live(program, control)
        self.returns = control.returns
        self.return_slots = control.return_slots
        self.action_slots = {action.return_slot for action in program.actions}
        self.owners = tuple(owner for _, owner in Names(program).zones)
        self.origins = find_origins(module)
        origin = partial(find_origin, module.build, self.origins)
        memos = self.constants.memos(module.build)
        memos.gather(value for block in module.blocks.values() for value in list_values(block.body))
        found = find_incremental_sums(module, memos, origin) if self.through else []
        self.sums = Sums(found, self.constants, origin)
        self.margin = 0
        self.wanted: list[int] = []
        self.own: Collection[int] = self.wanted  # blocks with functions of their own

    def check_margin(self) -> None:
        """Decline if code between two tests of the budget can overrun it by too much."""
        if self.margin > MOST_STEPS // 2:
            raise Unsupported(Reason.STRETCH)

    def list_written(self, number: int) -> Iterator[Place]:
        """The mod set of a block and its terminator."""
        yield from list_written(self.module.blocks[number].body)
        end = self.module.blocks[number].end
        if isinstance(end, Decide | Perform):
            for action in self.program.actions:
                slots = (action.seat_slot, *action.pick_slots, action.return_slot)
                yield from (("slot", slot) for slot in slots)
            if isinstance(end, Decide) and end.store is not None:
                yield "slot", end.store

    def want(self, block: int) -> None:
        if block not in self.wanted:
            self.wanted.append(block)


class Region(ABC):
    """One function under construction. Writers return whether control can fall through to what is printed next."""

    def __init__(self, match: Functions) -> None:
        self.match = match
        self.module = match.module
        self.program = match.program
        self.graph = match.graph
        self.build = match.module.build
        self.places: Places = self.make_places()
        self.values = Values(self.program, self.build, match.constants, OPERATIONS, self.places)
        self.values.running = match.sums.names
        self.changes = Changes(self.module, self.values, match.origins, match.owners, match.sums)
        self.loops: list[tuple[int, Returns]] = []
        self.merges: list[Merge] = []
        self.written = 0
        self.depth = 1
        self._said = -1

    def make_places(self) -> Places:
        return Places()

    @abstractmethod
    def _decide(self, number: int, end: Decide, flow: Flow) -> bool:
        """Print a decision."""

    @abstractmethod
    def _check_budget(self, number: int) -> None:
        """Print the test of the step budget at the back edge to a loop header."""

    def print(self, block: int) -> None:
        self.go(block, Flow({}, 0, 0), begins=True)

    def complete(self, live: frozenset[int]) -> list[Written]:
        """All statements of the function. `live` are the slots live on entry."""
        body = self.match.sums.complete(self.values.out, self.values.read_running, self.places)
        return self.places.complete(body, live)

    # ---------------------------------------------------------------------------------------------- writing
    def set_slot(self, slot: int, code: Code) -> None:
        self.values.out.append(self.places.change("slots", slot, code))

    def add_choice(self, slot: int, choice: str) -> None:
        before = self.places.element("slots", slot).text
        self.set_slot(slot, Code(f"(*({before} or ()), {choice})"))

    def nest(self, header: str, write: Callable[[], bool]) -> bool:
        """A compound statement; available expressions of its body are scoped to it."""
        self.depth += 1
        known = dict(self.values.known)
        with self.values.collecting() as out:
            runs_on = write()
        self.values.know(known)
        self.depth -= 1
        self.values.out.append(Nest(header, out))
        return runs_on

    def fork(self, arms: Sequence[Arm]) -> bool:
        """An if-elif-else chain; `else` is dropped where no other branch falls through."""
        runs_on = False
        for test, write in arms[:-1]:
            runs_on = self.nest(f"{'elif' if runs_on else 'if'} {test}:", write) or runs_on
        last = arms[-1][1]
        if not runs_on:  # no `else` needed
            return last()
        self.nest("else:", last)
        otherwise = self.values.out[-1]
        if isinstance(otherwise, Nest) and not otherwise.body:
            self.values.out.pop()
        return True

    def _stop(self) -> bool:
        self.values.write("raise Stop")
        return False

    # ---------------------------------------------------------------------------------------------- blocks
    def go(self, number: int, flow: Flow, *, begins: bool = False) -> bool:
        """Transfer control to a block: fall through to a merge, `continue` a loop, return to the caller, or inline
        it."""
        if self.merges and (self.merges[-1].block, self.merges[-1].flow.returns) == (number, flow.returns):
            self._arrive(self.merges[-1], flow)
            return True
        if self.loops and self.loops[-1] == (number, flow.returns):
            self._repeat(number, flow)
            return False
        again = any(number == header for header, _ in self.loops) or (not begins and self._is_elsewhere(number, flow))
        loops = number in self.graph.loops
        if again or self._is_long() or (loops and len(self.loops) == MOST_LOOPS):
            self._leave(str(number), flow, (number,))
            return False
        return self._loop(number, flow) if loops else self._block(number, flow)

    def _arrive(self, merge: Merge, flow: Flow) -> None:
        """End a path at a merge, and intersect what is available."""
        if flow.cost and not self.match.through:  # marks need the same cost on all paths
            self.values.write(f"budget -= {flow.cost}")
            flow = replace(flow, cost=0)
        known, before = self.values.known, merge.flow
        merge.known = _meet_known(known if merge.known is None else merge.known, known)
        merge.flow = Flow(flow.returns, max(before.cost, flow.cost), max(before.spent, flow.spent))

    def _repeat(self, number: int, flow: Flow) -> None:
        """The back edge of the innermost loop."""
        self._note(flow)
        self.values.write(f"budget -= {flow.cost}")
        self._check_budget(number)
        self.values.write("continue")

    def _is_elsewhere(self, number: int, flow: Flow) -> bool:
        """Whether a function that is long already should call, not inline, a long block that has its own function."""
        if number not in self.match.own or self.written < LONG_ENOUGH:
            return False
        return self.graph.measure(number, flow.returns) > LONG_ENOUGH

    def _is_long(self) -> bool:
        return self.written > LONGEST_FUNCTION or self.depth > DEEPEST

    def _leave(self, to: str, flow: Flow, targets: tuple[int, ...]) -> None:
        """Exit the function with the block to continue at, one of `targets`."""
        self._note(flow)
        for block in targets:
            self.match.want(block)
        live = frozenset[int]().union(*(self.match.live.get(block, frozenset()) for block in targets))
        self.values.out.append(Leave(f"{to}, budget - {flow.cost}", live))

    def _note(self, flow: Flow) -> None:
        self.match.margin = max(self.match.margin, flow.spent + 1)

    def _block(self, number: int, flow: Flow) -> bool:
        after, last = self._carry_out(number, flow)
        return self._end(number, after) if last is None else self._end_sometimes(number, last, after)

    def _carry_out(self, number: int, flow: Flow) -> tuple[Flow, When | None]:
        """Print the statements of a block, but for a conditional last one that alone decides the branch after it."""
        block = self.module.blocks[number]
        self.number, self.flow = number, flow
        self.written += block.cost
        returns = dict(flow.returns)
        body = block.body
        if isinstance(self.program.blocks[number].end, ir.Return):
            body = _without_return(body)
        self._said = -1
        self.values.start(value for roots in list_by_statement(block) for value in roots)
        last: When | None = None
        for statement in body:
            if isinstance(statement, Do) and statement.clause:
                self._say(statement.clause)
            if statement is body[-1] and self._decides(statement, block.end):
                last = statement
                break
            self._statement(statement)
            if isinstance(statement, Do) and statement.op == "set_slot" and statement.number in self.match.return_slots:
                returns.pop(statement.number, None)
                to = statement.args[0].constant
                if to is not None and to >= 0:
                    returns[statement.number] = to
        self._mark_end()
        units = self.match.units[number]
        return Flow(returns, flow.cost + units, flow.spent + units), last

    def _say(self, number: int) -> None:
        """A comment that names the clause, where it changes."""
        if number != self._said:
            self._said = number
            clause = self.program.clauses[number]
            said = clause.path + (f" [{', '.join(clause.cite)}]" if clause.cite else "")
            self.values.out.append(Comment(said))

    def _statement(self, statement: Statement) -> None:
        values = self.values
        match statement:
            case Do() if statement.op == AT:
                self._say(self.program.blocks[self.number].instructions[statement.number].clause)
                values.out.append(At(self.number, statement.number, self.flow.cost))
            case Do():
                self.changes.write(statement)
            case Let():
                code = values.whole(statement.value)
                values.registers.pop(statement.register.number, None)
                if code.once:  # alias the register to the variable
                    values.registers[statement.register.number] = code
                else:
                    values.out.append(Assign(f"r{statement.register.number}", code.text))
            case When():
                test = values.test(statement.test)
                for header, arm in ((f"if {test.text}:", statement.then), ("else:", statement.otherwise)):
                    known = dict(values.known)
                    with values.collecting() as out:
                        for each in arm:
                            self._statement(each)
                    if arm:
                        values.out.append(Nest(header, out))
                        values.know(_meet_known(known, values.known))
            case _:
                raise AssertionError(statement)

    def _decides(self, last: Statement, end: End) -> TypeGuard[When]:
        """Whether the branch of a block is known to fail unless its last statement, a conditional, takes effect."""
        if not isinstance(last, When) or last.otherwise or not isinstance(end, Branch):
            return False
        fails = self.values.known.get(end.test) == FAILS
        return fails and self.values.is_changed(end.test, frozenset(list_written(last.then)))

    def _end_sometimes(self, number: int, last: When, flow: Flow) -> bool:
        """Jump threading: a test that has failed before is repeated only in the branch that can have changed it."""
        end = self.module.blocks[number].end
        assert isinstance(end, Branch)

        def do() -> bool:
            for each in last.then:
                self._statement(each)
            self._mark_end()
            return self._end(number, flow)

        arms: list[Arm] = [(self.values.test(last.test).text, do), ("", partial(self.go, end.no, flow))]
        return self._meet(end.no, flow, partial(self.fork, arms))

    def _mark_end(self) -> None:
        """In stepping, mark what follows as the terminator of the block."""
        if not self.match.through:
            end = len(self.program.blocks[self.number].instructions)
            self.values.out.append(At(self.number, end, self.flow.cost))

    # ---------------------------------------------------------------------------------------------- ends of blocks
    def _end(self, number: int, flow: Flow) -> bool:
        declared, end = self.program.blocks[number].end, self.module.blocks[number].end
        if isinstance(declared, ir.Return):
            return self._return(declared, flow)
        match end:
            case Jump():
                return self.go(end.to, flow)
            case Branch():
                return self._branch(end, flow)
            case Decide():
                return self._decide(number, end, flow)
            case Perform():
                return self._perform(number, end, flow)
        self._note(flow)  # the match is over
        self._stand_at(number, 0)
        self.values.write("position.over = True")
        self.values.out.append(Leave("None"))
        return False

    def _stand_at(self, number: int, instruction: int) -> None:
        self.values.write(f"position.block = {number}")
        self.values.write(f"position.instruction = {instruction}")

    def _branch(self, end: Branch, flow: Flow) -> bool:
        code = self.values.test(end.test)
        if code == FAILS:
            return self.go(end.no, flow)

        def fail() -> bool:
            self.values.known[end.test] = FAILS
            return self.go(end.no, flow)

        block = self.graph.meet(end.yes, end.no, {header for header, _ in self.loops})
        arms: list[Arm] = [(code.text, partial(self.go, end.yes, flow)), ("", fail)]
        return self._meet(block, flow, partial(self.fork, arms))

    def _meet(self, block: int | None, flow: Flow, write: Callable[[], bool]) -> bool:
        """Print branches, and after them their merge point, unless it is small enough to be duplicated."""
        if block not in self.module.blocks or self._is_long():
            return write()
        if self.graph.measure(block, flow.returns) < WORTH_MERGING:
            return write()
        merge = Merge(block, Flow(flow.returns, 0, 0))
        self.merges.append(merge)
        write()
        self.merges.pop()
        if merge.known is None:
            return False
        self.values.know(merge.known)
        return self.go(block, merge.flow)

    def _return(self, end: ir.Return, flow: Flow) -> bool:
        to = flow.returns.get(end.slot)
        if to is not None:
            self.set_slot(end.slot, Code("-1", NAME))
            flow = replace(flow, returns={k: v for k, v in flow.returns.items() if k != end.slot})
            return self._go_after(to, flow) if end.slot in self.match.action_slots else self.go(to, flow)
        targets = tuple(each for each in self.match.returns.get(end.slot, ()) if each in self.module.blocks)
        back = self.values.fresh("back")
        self.values.out.append(Assign(back, self.places.element("slots", end.slot).text))
        self.set_slot(end.slot, Code("-1", NAME))
        self._leave(back, flow, targets)
        return False

    def _go_after(self, to: int, flow: Flow) -> bool:
        """Continue after a choice, out of line if the continuation is long."""
        if self.match.through or self.graph.measure(to, flow.returns) <= LONG_AFTER:
            return self.go(to, flow)
        self._leave(str(to), flow, (to,))
        return False

    # ---------------------------------------------------------------------------------------------- loops
    def _loop(self, number: int, flow: Flow) -> bool:
        """A loop header: `while True`, with the exit test of the header as `break` where it has one exit."""
        if flow.cost:
            self._note(flow)
            self.values.write(f"budget -= {flow.cost}")
            flow = replace(flow, cost=0)
        end, outer = self.module.blocks[number].end, {header for header, _ in self.loops}
        blocks = self.graph.list_loop(number, flow.returns, outer)
        self.values.forget(place for block in blocks for place in self.match.list_written(block))
        arms = (end.yes, end.no) if isinstance(end, Branch) else ()
        stays = [self.graph.leads_to(arm, number, outer) for arm in arms]
        left: list[Flow] = []

        def write() -> bool:
            if not isinstance(end, Branch) or stays[0] == stays[1]:
                return self._block(number, flow)
            left.append(self._carry_out(number, flow)[0])  # nothing available depends on the loop
            code = self.values.test(self.values.expect(self.build.negate(end.test) if stays[0] else end.test))
            self.values.nest(f"if {code.text}:", Line("break"))
            return self.go(arms[stays[1]], left[0])

        self.loops.append((number, flow.returns))
        merges, self.merges = self.merges, []
        self.nest("while True:", write)
        self.merges = merges
        self.loops.pop()
        return self.go(arms[stays[0]], left[0]) if left else False  # the exit is printed after the loop

    # ---------------------------------------------------------------------------------------------- actions
    def _begin(self, number: int, seat: Code, picks: list[Code], to: int, flow: Flow) -> bool:
        """Call an action: seat, picks and return address into its slots, then its entry."""
        action = self.program.actions[number]
        for slot, code in ((action.seat_slot, seat), *zip(action.pick_slots, picks, strict=True)):
            held = self.values.name(code._replace(kind=self._find_kind(slot)), "pick")
            self.set_slot(slot, held)
            self.values.forget([("slot", slot)])
            self.values.hold(name_place(self.build, "slot", slot), held)
        self.set_slot(action.return_slot, Code(str(to), NAME))
        return self.go(action.entry, replace(flow, returns={**flow.returns, action.return_slot: to}))

    def _begin_chosen(self, number: int, seat: Code, choice: str, to: int, flow: Flow) -> bool:
        """Call the action of a choice tuple."""
        picks = [Code(f"{choice}[{place + 1}]") for place in range(len(self.program.actions[number].picks))]
        return self._begin(number, seat, picks, to, flow)

    def _find_kind(self, slot: int) -> str:
        return {"list": "tuple", "truth": ""}.get(certain(self.program.slots[slot].type).kind, "int")

    def _store(self, end: Decide, choice: str, flow: Flow) -> bool:
        """Append a choice to those stored in a slot."""
        assert end.store is not None
        self.add_choice(end.store, choice)
        self.values.forget([("slot", end.store)])
        if self.match.through:  # facts bound its length
            held, most = self.places.element("slots", end.store), self.module.held["slot", end.store].high
            self.values.refuse_unless(Code(f"len({held.text}) <= {most}"))
        return self.go(end.to, flow)

    def _declined(self, end: Decide, flow: Flow) -> bool:
        return self.go(end.to, flow) if end.store is None else self._store(end, "()", flow)

    def _perform(self, number: int, end: Perform, flow: Flow) -> bool:
        """Dispatch on the action of a stored choice."""
        values = self.values
        choice = values.name(values.value(end.choice), "choice").text
        seat = values.name(values.value(end.seat), "seat")
        arms: list[Arm] = [(f"not {choice}", lambda: self.go(end.to, flow))]
        for action in end.actions:
            begin = partial(self._begin_chosen, action, seat, choice, end.to, flow)
            arms.append((f"{choice}[0] == {action}", begin))
        arms.append(("", self._stop))
        return self._meet(end.to, flow, partial(self.fork, arms))


def list_written(body: Sequence[Statement]) -> Iterator[Place]:
    """The mod set of statements."""
    for statement in body:
        if isinstance(statement, Do):
            yield from list_touched(statement)
        elif isinstance(statement, When):
            yield from list_written(statement.then)
            yield from list_written(statement.otherwise)


def _without_return(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements of a block without the lowered return sequence, which is printed by `_return`."""
    last = len(body) - 1
    before = body[last - 1] if last else None
    return body[: last - 1] if isinstance(before, Let) and before.value.op == "slot" else body[:last]

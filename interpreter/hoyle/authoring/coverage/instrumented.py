"""Instrumented execution: counts which clauses held, failed or were reached.

In: a program, and the cases already decided at compile time. Out: an instrumented reference executor that counts into
`Counts`.

Conditions and definitions count at each evaluation, statements at each execution, tiers and offers once per decision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from functools import partial
from typing import Any

from hoyle.authoring.coverage.clauses import Key, Kind
from hoyle.base.dataclass import dataclass
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import DECLINED, Choice, Frame, Legality
from hoyle.play.engine.transitions import Record
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.walk import walk_expression
from hoyle.program.model.position import Position
from hoyle.program.words import Op, applies

MOST_DROPPED = 40  # rejected groups of cards evaluated per decision
Cell = list[int]  # counts of held and failed
Count = Callable[[Any], None]
How = Callable[[Cell, Any], None]
Bound = tuple[ir.Tier | None, frozenset[int]]


@dataclass(slots=True)
class Counts:
    """How often each clause held and failed."""

    cells: dict[Key, Cell] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))

    def of(self, key: Key) -> tuple[int, int]:
        held, failed = self.cells.get(key, (0, 0))
        return held, failed

    def merge(self, other: Counts) -> None:
        for key, (held, failed) in other.cells.items():
            cell = self.cells[key]
            cell[0] += held
            cell[1] += failed


class Probe:
    """Counts events of one program. The counter of each expression node is looked up by the node's identity."""

    def __init__(self, program: ir.Program, decided: dict[int, bool], counts: Counts) -> None:
        self.program = program
        self.counts = counts
        self.decided = decided
        self.paused = False
        self.seen = 0  # number of expressions evaluated
        self._cells: dict[tuple[Kind, int, str], Cell] = {}
        self._by_node: dict[int, Count] = {}
        self._by_definition = [self._count_definition(index) for index in range(len(program.definitions))]
        for definition in program.definitions:
            self._watch_only_case(definition.body, program.clauses[definition.clause].path)
        self._watch_only_case(program.winners, "winners")
        for expr in _list_expressions(program):
            self._watch_clauses(expr)
        for action in program.actions:
            for pick in action.picks:
                self._watch(pick.source if pick.least is None else pick.least, "pick", pick.clause, count_any)
        for block in program.blocks:
            if isinstance(block.end, ir.Branch):
                kind = self._kind_of_branch(block.end)
                acts = kind != "window" or self._performs(block.end.yes)
                self._watch(block.end.test, kind, block.end.clause, count_truth if acts else count_falsehood)

    def cell(self, kind: Kind, clause: int, part: str = "") -> Cell:
        """Return the counts of a clause."""
        key = (kind, clause, part)
        if key not in self._cells:
            known = self.program.clauses[clause]
            self._cells[key] = self.counts.cells[(kind, (known.path, known.file, known.line, known.column), part)]
        return self._cells[key]

    def _watch(self, node: ir.Expr, kind: Kind, clause: int, how: How, part: str = "") -> None:
        self._by_node[id(node)] = partial(how, self.cell(kind, clause, part))

    def _count_definition(self, index: int) -> Count:
        definition = self.program.definitions[index]
        row = next((r for table in self.program.scores for r in table.rows if r.amount == index), None)
        if row is not None:
            return partial(count_truth, self.cell("row", row.clause))
        how = count_truth if definition.type.kind == "truth" else count_use
        return partial(how, self.cell("definition", definition.clause))

    def _kind_of_branch(self, end: ir.Branch) -> Kind:
        """Classify a branch by its clause and its targets."""
        if self.program.clauses[end.clause].path.startswith("ends."):
            return "end"
        if self._performs(end.yes) or self._performs(end.no):
            return "window"
        counted = applies(end.test, Op.LESS) and not end.test.text
        return "limit" if counted else "branch"

    def _performs(self, block: int) -> bool:
        """Whether a block ends by performing an action chosen in a response window."""
        end = self.program.blocks[block].end
        return isinstance(end, ir.Perform) and end.decision is not None

    def _watch_only_case(self, body: ir.Expr, path: str) -> None:
        """Watch the single case left of a definition whose cases were decided by options at compile time."""
        if isinstance(body, ir.Named) and self.program.clauses[body.clause].path.startswith(f"{path}."):
            self._watch(body, "case", body.clause, count_use)

    def _watch_clauses(self, expr: ir.Expr) -> None:
        """Watch the subexpressions that are clauses of their own."""
        for node in walk_expression(expr):
            if isinstance(node, ir.If) and isinstance(node.test, ir.Named):
                self._watch(node.test, "case", node.test.clause, count_truth)
                self._by_node.setdefault(id(node.yes), ignore)
                if isinstance(node.no, ir.Named):
                    self._watch(node.no, "case", node.no.clause, count_use)
            elif isinstance(node, ir.Named) and id(node) not in self._by_node:
                self._watch(node, "condition", node.clause, count_truth, _name_group(node))

    # ---------------------------------------------------------------------------------------------- hooks
    def trace(self, expr: ir.Expr, value: object) -> None:
        """Count an evaluated expression; called for each with its value."""
        self.seen += 1
        if self.paused:
            return
        if type(expr) is ir.Call:
            self._by_definition[expr.definition](value)
        count = self._by_node.get(id(expr))
        if count is not None:
            count(value)

    def reach(self, clause: int | None) -> None:
        """Count an executed statement."""
        if clause is not None:
            self.cell("statement", clause)[0] += 1

    def follow(self, end: ir.Terminator) -> None:
        """Count the terminator of a block."""
        if isinstance(end, ir.Jump) and end.held is not None and end.clause is not None:
            self.cell("branch", end.clause)[0 if end.held else 1] += 1
        elif isinstance(end, ir.Jump | ir.Enter):
            self.reach(end.clause)

    def begin(self) -> None:
        """Count constants and cases decided at compile time, once per match or example."""
        for clause, held in self.decided.items():
            self.cell("case", clause)[0 if held else 1] += 1
        for index, definition in enumerate(self.program.definitions):
            if isinstance(definition.body, ir.Const):
                self._by_definition[index](definition.body.value)


def count_truth(cell: Cell, value: object) -> None:
    cell[0 if value else 1] += 1


def count_falsehood(cell: Cell, value: object) -> None:
    """Count an inverted test, such as whether nobody claims."""
    cell[1 if value else 0] += 1


def count_use(cell: Cell, value: object) -> None:
    cell[0] += 1


def count_any(cell: Cell, value: object) -> None:
    """Count whether a value is present: a non-empty list, or not none."""
    cell[1 if value is None or value == () else 0] += 1


def ignore(value: object) -> None:
    """Count nothing."""


def _name_group(node: ir.Named) -> str:
    """Return `any` or `all` for a clause that combines others, else empty."""
    body = node.body
    if isinstance(body, ir.Logic) and all(isinstance(part, ir.Named) for part in body.parts):
        return {"or": "any", "and": "all"}.get(body.op, "")
    return "any" if isinstance(body, ir.Named) else ""  # for a single condition, both are equivalent


def _list_expressions(program: ir.Program) -> Iterator[ir.Expr]:
    """Yield the expressions that contain clauses."""
    yield program.winners
    yield from (definition.body for definition in program.definitions)
    for action in program.actions:
        yield from (*action.possible, *action.allowed)


class BindingLegality(Legality):
    """Records the tier that was last binding, and the actions it left. It also evaluates the conditions for some of the
    card groups that are pruned during enumeration, so that conditions that prune count as failed."""

    bound: Bound = (None, frozenset())

    def list_picks(
        self, pick: ir.Pick, depth: int, position: Position, frame: Frame, *, allowed: bool = True
    ) -> Iterator[Any]:
        yield from super().list_picks(pick, depth, position, frame, allowed=allowed)
        if pick.low is not None and (pick.keeps is not None or (allowed and pick.keeps_allowed is not None)):
            self._ask_of_dropped(pick, depth, position, frame, allowed=allowed)

    def _ask_of_dropped(self, pick: ir.Pick, depth: int, position: Position, frame: Frame, *, allowed: bool) -> None:
        action = next(number for number, each in enumerate(self.program.actions) if pick in each.picks)
        tests = (self._allowed if allowed else self._possible)[action][depth + 1]
        keeps = [test for test in (pick.keeps, pick.keeps_allowed if allowed else None) if test is not None]
        groups = self.list_free_groups(pick, depth, position, frame)
        for number in range(0, groups.total, groups.total // MOST_DROPPED + 1):
            frame[depth + 1] = groups[number]
            if not all(self.evaluator.value(test, position, frame) for test in keeps):
                all(self.evaluator.value(test, position, frame) for test in tests)  # counts the first that fails

    def find_binding(
        self, decision: ir.Decision, seat: int, position: Position
    ) -> tuple[ir.Tier | None, list[Choice]]:
        tier, legal = super().find_binding(decision, seat, position)
        self.bound = tier, frozenset(choice[0] for choice in legal)
        return tier, legal


class CountingExecutor(ReferenceExecutor):
    """A reference executor with a probe; `with_probe` derives a class that can be used as an executor class."""

    probe: Probe

    def __init__(
        self,
        program: ir.Program,
        record: Record | None = None,
        *,
        checked: bool = False,
        like: ReferenceExecutor | None = None,
        **others: Any,
    ) -> None:
        super().__init__(program, record, trace=self.probe.trace, checked=checked, like=like, **others)
        self.legality = BindingLegality(program, self.evaluator)
        self.evaluator.legality = self.legality
        self._listed: tuple[Position, Sequence[Choice], Bound] | None = None

    @staticmethod
    def with_probe(probe: Probe) -> type[CountingExecutor]:
        return type("ProbedExecutor", (CountingExecutor,), {"probe": probe})

    def start(self, seed: int = 0, script: list[object] | None = None) -> Position:
        self.probe.begin()
        return super().start(seed, script)

    def apply(self, position: Position, choice: Choice, legal: Sequence[Choice] | None = None) -> None:
        if choice != DECLINED:
            self.probe.cell("action", self.program.actions[choice[0]].clause)[0] += 1
        super().apply(position, choice)

    def list_legal(self, position: Position) -> Sequence[Choice]:
        """Compute, and so count, the legal choices only once per position."""
        if self._listed is None or self._listed[0] != position:
            self._listed = None
            legal = super().list_legal(position)
            self._listed = position.copy(), legal, self.legality.bound
        return self._listed[1]

    def _carry_out(self, instruction: ir.Instruction, position: Position) -> None:
        self.probe.reach(instruction.clause)
        super()._carry_out(instruction, position)

    def _reach_decision(self, decide: ir.Decide, position: Position) -> None:
        self.probe.reach(decide.clause)
        with suppress(Fault):  # the fault recurs below and is reported there
            self._count_tiers(self.program.decisions[decide.decision], position)
        super()._reach_decision(decide, position)

    def _go_on(self, end: ir.Terminator, position: Position) -> None:
        self.probe.follow(end)
        super()._go_on(end, position)

    def _count_tiers(self, decision: ir.Decision, position: Position) -> None:
        """Count the binding tier, and which of its actions can be chosen."""
        legality, possible = self.legality, set[int]()
        self.list_legal(position)
        if self.program.called:  # the legal choices include errors, so find the lawful ones here
            self.probe.paused = True
            try:
                seat = self.find_seat(position)
                legality.find_binding(decision, seat, position)
                offered = {item.action for tier in decision.tiers for item in tier.items}
                possible = {each for each in offered if legality.can_do(each, seat, position, allowed=False)}
            finally:
                self.probe.paused = False
        elif self._listed is not None:
            legality.bound = self._listed[2]
        bound, chosen = legality.bound
        for tier in decision.tiers:
            named, binds = tier.clause != decision.clause, tier is bound
            self.probe.cell("tier", tier.clause, "" if named else tier.name)[0 if binds else 1] += 1
            for item in tier.items if binds or possible else ():
                action = self.program.actions[item.action].name
                offer = action if named else f"{tier.name} {action}"
                open_ = item.action in possible or (binds and item.action in chosen)
                self.probe.cell("offer", tier.clause, offer)[0 if open_ else 1] += 1
            if binds:
                break

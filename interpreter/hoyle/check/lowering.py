"""Statements to blocks: control flow made explicit, local names given slots, ends tested where they can come about.

In: the statements of steps and actions, with their scopes. Out: blocks, slots, decisions of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hoyle.check.calls import Calls, renamed, statements_in
from hoyle.check.declarations import Line, ScoreDecl
from hoyle.check.definitions import read_params
from hoyle.check.effects import writes
from hoyle.check.expressions import Elaborator, written
from hoyle.check.folding import apply, constant, logic, truth_of
from hoyle.check.menus import Menus
from hoyle.check.scope import Frame, Scope
from hoyle.check.typing_rules import coerce, is_unknown
from hoyle.check.world import World
from hoyle.diagnostics.report import Label
from hoyle.ir import nodes as ir
from hoyle.ir.types import CARDS, NUMBER, SEAT, SEATS, TRUTH, ZONE, Type, list_of
from hoyle.source import Span
from hoyle.syntax import ast

MOST_REPEATS = 1_000_000


@dataclass(slots=True)
class OpenBlock:
    instructions: list[ir.Instruction] = field(default_factory=list)
    end: ir.Terminator | None = None


@dataclass(slots=True)
class Unit:
    """A step or the effects of an action: where it begins and ends, and the slots it is given."""

    name: str
    entry: int
    exit: int
    return_slot: int
    params: tuple[ir.Local, ...]
    param_slots: tuple[int, ...]
    line: Line


@dataclass(frozen=True, slots=True)
class EndRule:
    """A condition under which a step ends."""

    step: str
    test: ir.Expr
    reads: frozenset[str]
    clause: int


class Reported(Exception):  # noqa: N818 - a signal to go on with the next statement, not an error
    """A statement could not be lowered; the reason has been reported, the next statement is looked at."""


class Lowering:
    """Builds the blocks of one program."""

    def __init__(self, elaborator: Elaborator, calls: Calls, menus: Menus) -> None:
        self.elaborator = elaborator
        self.world: World = elaborator.world
        self.calls = calls
        self.menus = menus
        self.blocks: list[OpenBlock] = []
        self.slots: list[ir.Local] = []
        self.units: dict[str, Unit] = {}
        self.ends: list[EndRule] = []
        self.frame = Frame()
        self.current = 0
        self.unit = ""
        self.line = Line("", next(iter(self.world.declared.steps.values())).line.span)
        self._forms: dict[type[ast.Statement], Callable[[Any, Scope], Scope]] = {
            ast.OnZone: self._on_zone,
            ast.Deal: self._deal,
            ast.Move: self._move,
            ast.Swap: self._swap,
            ast.Show: self._show,
            ast.Set: self._set,
            ast.AddTo: self._add_to,
            ast.Let: self._let,
            ast.Draw: self._draw,
            ast.Score: self._score,
            ast.Mark: self._mark,
            ast.Cases: self._cases,
            ast.Choose: self._choose,
            ast.Do: self._do,
            ast.End: self._end,
            ast.Announce: self._announce,
            ast.If: self._if,
            ast.ForEach: self._for_each,
            ast.Repeat: self._repeat,
        }

    # -------------------------------------------------------------------------------------------- building
    def new_slot(self, name: str, kind: Type) -> int:
        self.slots.append(ir.Local(name=name, type=kind))
        return len(self.slots) - 1

    def slot(self, index: int) -> ir.Slot:
        held = self.slots[index]
        return ir.Slot(type=held.type, index=index, name=held.name, text=held.name)

    def new_block(self) -> int:
        self.blocks.append(OpenBlock())
        return len(self.blocks) - 1

    def close(self, end: ir.Terminator) -> None:
        """Ends the current block; what follows an `end` in the file begins a block nothing leads to."""
        if self.blocks[self.current].end is None:
            self.blocks[self.current].end = end

    def go_on(self, block: int) -> None:
        self.current = block

    def clause(self, statement: ast.Statement) -> int:
        return self.world.clause(Line(self.line.path, statement.span, self.line.text, statement.cite))

    def emit(self, instruction: ir.Instruction) -> None:
        """One atomic change, and after it the ends that may have come about by it."""
        self.blocks[self.current].instructions.append(instruction)
        changed = writes(instruction)
        if changed:
            self.test_ends(changed)

    def test_ends(self, changed: frozenset[str]) -> None:
        for rule in self.ends:
            step = f"steps.{rule.step}"
            if (step == self.unit or self.unit in self.calls.reaches[step]) and changed & rule.reads:
                self.test_end(rule)

    def test_end(self, rule: EndRule) -> None:
        step = self.units[f"steps.{rule.step}"]
        test = rule.test
        if self.unit != step.name:
            running = apply("at_least", (self.slot(step.return_slot), constant(0, NUMBER, "0")), TRUTH)
            test = logic("and", (running, test), test.text) if rule.step != "match" else test
        leave, on = self.new_block(), self.new_block()
        self.close(ir.Branch(test=test, yes=leave, no=on, clause=rule.clause))
        self.go_on(leave)
        self.leave(step, rule.clause)
        self.go_on(on)

    def leave(self, step: Unit, clause: int) -> None:
        """Jump to the exit of a step out of whatever runs inside it."""
        inner = tuple(self.units[u].return_slot for u in sorted(self.calls.reaches[step.name]) if u in self.units)
        if inner:
            self.blocks[self.current].instructions.append(ir.Leave(clause=clause, slots=inner))
        self.close(ir.Jump(to=step.exit))

    # -------------------------------------------------------------------------------------------- units
    def declare_units(self) -> None:
        """Entry, exit and slots of every step and action, before any of them is lowered."""
        for name, step in self.world.declared.steps.items():
            params = read_params(self.world, step) or ()
            self._declare_unit(f"steps.{name}", params, step.line)
        for name, action in self.world.declared.actions.items():
            picks = self.menus.pick_types(name)
            params = (ir.Local(name="seat", type=SEAT), *picks)
            self._declare_unit(f"actions.{name}", params, action.line)

    def _declare_unit(self, name: str, params: tuple[ir.Local, ...], line: Line) -> None:
        short = name.split(".", 1)[1]
        return_slot = self.new_slot(f"{short}: return", NUMBER)
        slots = tuple(self.new_slot(f"{short}: {p.name}", p.type) for p in params)
        self.units[name] = Unit(name, self.new_block(), self.new_block(), return_slot, params, slots, line)

    def lower_unit(self, name: str, statements: tuple[ast.Statement, ...]) -> None:
        unit = self.units[name]
        self.unit, self.line = name, unit.line
        scope = Scope(self.frame, where=name.split("s.", 1)[0])
        for param, index in zip(unit.params, unit.param_slots, strict=True):
            held = ir.Slot(type=param.type, index=index, name=param.name, text=param.name)
            scope = scope.bind(param.name, held)
        clause = self.world.clause(unit.line)
        self.go_on(unit.entry)
        if name == "steps.round":
            self.emit(ir.BeginRound(clause=clause))
        for rule in self.ends:
            if f"steps.{rule.step}" == name:
                self.test_end(rule)
        self.block(statements, scope)
        self.close(ir.Jump(to=unit.exit))
        self.go_on(unit.exit)
        if name == "steps.round":
            self.unit = "steps.round exit"
            self.blocks[self.current].instructions.append(ir.EndRound(clause=clause))
        self.close(ir.Finish() if name == "steps.match" else ir.Return(slot=unit.return_slot))

    def block(self, statements: tuple[ast.Statement, ...], scope: Scope) -> None:
        for one in statements:
            try:
                scope = self._forms[type(one)](one, scope)
            except Reported:
                continue

    # -------------------------------------------------------------------------------------------- cards
    def zone(self, node: ast.Expr, scope: Scope, what: str) -> ir.Expr:
        if isinstance(node, ast.Name | ast.Of):
            name = self.elaborator.renamed(node if isinstance(node, ast.Name) else node.word)
            self._known_zone(name, node, scope)
        return self.elaborator.pointed(node, scope, ZONE, what)

    def _known_zone(self, name: str, node: ast.Expr, scope: Scope) -> None:
        """A misspelt zone is better answered with the zones than with every name there is."""
        known = {*scope.names, *self.world.names(), *self.world.actions, *self.world.declared.steps}
        if name not in known | self.world.reported:
            labels, hints = self.world.similar(name, self.world.zones, "zones")
            self.world.report.error(
                "unknown-zone",
                f"no zone named `{name}`",
                node.span,
                "not declared under `zones:`",
                others=labels,
                hint=hints,
            )
            raise Reported

    def _on_zone(self, node: ast.OnZone, scope: Scope) -> Scope:
        zone = self.zone(node.zone, scope, f"what to {node.verb}")
        kinds = {"gather": ir.Gather, "shuffle": ir.Shuffle, "cut": ir.Cut, "turn over": ir.TurnOver}
        self.emit(kinds[node.verb](zone=zone, clause=self.clause(node)))
        return scope

    def _deal(self, node: ast.Deal, scope: Scope) -> Scope:
        start = self.elaborator.pointed(node.start, scope, SEAT, "after `starting`, this")
        count = self.elaborator.typed(node.count, scope, NUMBER, "how many cards") if node.count is not None else None
        source = self.zone(node.source, scope, "where cards are dealt from")
        targets: ir.Expr | None = None
        for target in node.targets:
            if isinstance(target, ast.EachZone):
                each = self.elaborator.each_zone(target.word, scope)
                if isinstance(each, ir.Those):
                    around = apply("around", (each.source, start), SEATS, "seats")
                    each = ir.Those(
                        type=each.type,
                        var=each.var,
                        source=around,
                        where=None,
                        orders=(),
                        value=each.value,
                        text=each.text,
                    )
            else:
                one = self.zone(target, scope, "where cards are dealt to")
                each = apply("list", (one,), list_of(ZONE), one.text)
            targets = each if targets is None else apply("join", (targets, each), list_of(ZONE), "")
        packet = self.elaborator.typed(node.packet, scope, NUMBER, "the size of a packet") if node.packet else None
        assert targets is not None
        self.emit(
            ir.Deal(
                count=count,
                up_to=node.up_to or node.count is None,
                source=source,
                targets=targets,
                packet=packet or constant(1, NUMBER, "1"),
                clause=self.clause(node),
            )
        )
        return scope

    def _move(self, node: ast.Move, scope: Scope) -> Scope:
        cards = self.elaborator.typed(node.cards, scope, CARDS, "what is moved", widen=True)
        zone = self.zone(node.zone, scope, "where cards are moved to")
        self.emit(ir.Move(cards=cards, zone=zone, bottom=node.bottom, clause=self.clause(node)))
        return scope

    def _swap(self, node: ast.Swap, scope: Scope) -> Scope:
        first, second = (
            self.zone(node.first, scope, "what is swapped"),
            self.zone(node.second, scope, "what is swapped"),
        )
        self.emit(ir.Swap(first=first, second=second, clause=self.clause(node)))
        return scope

    def _show(self, node: ast.Show, scope: Scope) -> Scope:
        cards = self.elaborator.typed(node.cards, scope, CARDS, "what is shown", widen=True)
        seats = self.elaborator.typed(node.seats, scope, SEATS, "who is shown them", widen=True)
        self.emit(ir.Show(cards=cards, seats=seats, clause=self.clause(node)))
        return scope

    # -------------------------------------------------------------------------------------------- values
    def _target(self, node: ast.Expr, scope: Scope) -> tuple[int, ir.Expr | None]:
        """The state a statement changes, and whose it is."""
        word = node if isinstance(node, ast.Name) else node.word if isinstance(node, ast.Of) else None
        name = self.elaborator.renamed(word) if word is not None else ""
        if name in self.world.reported:
            raise Reported
        if word is not None and name in self.world.states and word.id not in scope.names:
            found = self.elaborator.expr(node, scope)
            if isinstance(found, ir.StateRef):
                return found.state, found.owner
            raise Reported
        hint: tuple[str, ...] = ()
        labels: tuple[Label, ...] = ()
        if word is not None and word.id in scope.names:
            message = f"`{word.id}` is a name given here; it never changes"
            hint = ("declare a state for what changes",)
        elif name in self.world.zones:
            message = f"`{name}` is a zone; cards are moved, not set"
            hint = (f"`move … to {name}`",)
        elif name in self.world.options:
            message = f"`{name}` is an option; it does not change during a game"
            hint = ("declare a state for what changes",)
        elif word is not None and name not in set(self.world.names()):
            labels, hint = self.world.similar(name, self.world.states)
            self.world.report.error(
                "unknown-state",
                f"no state named `{name}`",
                node.span,
                "not declared under `state:`",
                others=labels,
                hint=hint or (f"declare it: `state: {{{name}: …}}`",),
            )
            raise Reported
        else:
            message = f"`{written(node)}` is not something that can be set"
            hint = ("only what is declared under `state:` can be set",)
        self.world.report.error("not-a-state", message, node.span, others=labels, hint=hint)
        raise Reported

    def _set(self, node: ast.Set, scope: Scope) -> Scope:
        state, owner = self._target(node.target, scope)
        held = self.world.state_list[state]
        value = None
        if node.value is not None:
            if held.type.kind in ("seat", "card"):
                value = self.elaborator.pointed(node.value, scope, held.type, f"`{held.name}`")
            else:
                value = self.elaborator.typed(node.value, scope, held.type, f"`{held.name}`", widen=True)
            if (
                isinstance(value, ir.Const)
                and isinstance(value.value, int)
                and held.low is not None
                and held.high is not None
                and not held.low <= value.value <= held.high
            ):
                self.world.report.error(
                    "out-of-range",
                    f"`{held.name}` goes from {held.low} to {held.high}, so it cannot be {value.value}",
                    node.value.span,
                    hint="set it to a number in its range, or widen the range",
                )
        self.emit(ir.SetState(state=state, owner=owner, value=value, clause=self.clause(node)))
        return scope

    def _add_to(self, node: ast.AddTo, scope: Scope) -> Scope:
        state, owner = self._target(node.target, scope)
        held = self.world.state_list[state]
        if held.type.kind != "list":
            verb = "add" if not node.remove else "remove"
            self.world.report.error(
                "wrong-type",
                f"`{verb}` is for lists of seats; `{held.name}` is {held.type}",
                node.target.span,
                hint=f"`set {held.name} to {held.name} {'-' if node.remove else '+'} …`" if held.type == NUMBER else (),
            )
            raise Reported
        value = self.elaborator.pointed(node.value, scope, held.type.of or held.type, "what is added")
        self.emit(ir.AddTo(state=state, owner=owner, value=value, remove=node.remove, clause=self.clause(node)))
        return scope

    def _let(self, node: ast.Let, scope: Scope) -> Scope:
        self.elaborator.check_free(node.word, scope)
        value = self.elaborator.expr(node.value, scope)
        index = self.new_slot(node.word.id, value.type)
        self.emit(ir.Let(slot=index, value=value, clause=self.clause(node)))
        return scope.bind(node.word.id, self.slot(index), speaks=False)

    def _draw(self, node: ast.Draw, scope: Scope) -> Scope:
        self.elaborator.check_free(node.word, scope)
        source = self.elaborator.listed(node.source, scope, "what is picked from")
        index = self.new_slot(node.word.id, source.type.of or Type("unknown"))
        self.emit(ir.Draw(slot=index, source=source, clause=self.clause(node)))
        return scope.bind(node.word.id, self.slot(index), speaks=False)

    def _score(self, node: ast.Score, scope: Scope) -> Scope:
        amount = self.elaborator.typed(node.amount, scope, NUMBER, "what is scored")
        seat = self.elaborator.pointed(node.seat, scope, SEAT, "who scores")
        columns = list(self.world.declared.columns)
        column = 0
        if node.column is not None:
            if node.column.id not in columns:
                labels, hints = self.world.similar(node.column.id, columns)
                self.world.report.error(
                    "unknown-column",
                    f"the ledger has no column `{node.column.id}`",
                    node.column.span,
                    "not declared under `ledger: columns:`",
                    others=labels,
                    hint=hints,
                )
                return scope
            column = columns.index(node.column.id)
        table = self._score_table(amount)
        if table is not None and isinstance(amount, ir.Call):
            self._score_rows(table, amount.args, seat, column)
            return scope
        self.emit(ir.Score(amount=amount, seat=seat, column=column, label=node.label, clause=self.clause(node)))
        return scope

    def _mark(self, node: ast.Mark, scope: Scope) -> Scope:
        seat = self.elaborator.pointed(node.seat, scope, SEAT, "who is marked")
        marks = list(self.world.declared.marks)
        if node.mark.id not in marks:
            labels, hints = self.world.similar(node.mark.id, marks)
            self.world.report.error(
                "unknown-mark",
                f"the ledger has no mark `{node.mark.id}`",
                node.mark.span,
                "not declared under `ledger: marks:`",
                others=labels,
                hint=hints,
            )
            return scope
        self.world.used.add("word:lines")
        self.emit(ir.Mark(seat=seat, mark=marks.index(node.mark.id), clause=self.clause(node)))
        return scope

    def _cases(self, node: ast.Cases, scope: Scope) -> Scope:
        """Cases of a step: like `if`, each with a name, a sentence and citations of its own."""
        after = self.new_block()
        line = self.line
        for name, when, body, span in node.cases:
            self.line = Line(f"{line.path}.{name}", span, line.text, line.cite)
            yes, no = self.new_block(), self.new_block()
            test = self.elaborator.truth(when, scope) if when is not None else constant(True, TRUTH)
            known = truth_of(test)
            if known is None or is_unknown(test.type):
                self.close(ir.Branch(test=test, yes=yes, no=no, clause=self.world.clause(self.line)))
            else:
                self.close(ir.Jump(to=yes if known else no))
            self.go_on(yes)
            self.block(body, scope)
            self.close(ir.Jump(to=after))
            self.go_on(no)
        self.line = line
        self.close(ir.Jump(to=after))
        self.go_on(after)
        return scope

    def _score_table(self, amount: ir.Expr) -> ScoreDecl | None:
        """The table whose sum is scored, if it is one."""
        if not isinstance(amount, ir.Call):
            return None
        tables = self.world.declared.scores
        return next((t for n, t in tables.items() if self.world.definitions[n].index == amount.definition), None)

    def _score_rows(self, table: ScoreDecl, args: tuple[ir.Expr, ...], seat: ir.Expr, column: int) -> None:
        """One entry for each row that scores; ends are tested after each."""
        for row in table.rows:
            path = f"{table.name}.{row.name}"
            parts = self._row(f"{path}.parts", args) if row.grouped else None
            self.emit(
                ir.Score(
                    amount=self._row(path, args),
                    seat=seat,
                    column=column,
                    label=row.label,
                    table=table.name,
                    parts=parts,
                    clause=self.world.clause(row.line),
                )
            )

    def _row(self, name: str, args: tuple[ir.Expr, ...]) -> ir.Expr:
        info = self.world.definitions[name]
        kind = self.menus.definitions.type_of(info, info.decl.line.span)
        return ir.Call(type=kind, definition=info.index, args=args, text=name)

    def _announce(self, node: ast.Announce, scope: Scope) -> Scope:
        self.emit(ir.Announce(value=self.elaborator.expr(node.value, scope), clause=self.clause(node)))
        return scope

    # -------------------------------------------------------------------------------------------- decisions
    def _choose(self, node: ast.Choose, scope: Scope) -> Scope:
        decision = self.menus.decision(node, Line(self.line.path, node.span, "", node.cite))
        clause = self.clause(node)
        if not node.together:
            seat = self.elaborator.pointed(node.seat, scope, SEAT, "who chooses")
            on = self.new_block()
            if decision is not None:
                self.close(ir.Decide(decision=decision, seat=seat, store=None, to=on, clause=clause))
            self.go_on(on)
            return scope
        seats = self.elaborator.typed(node.seat, scope, SEATS, "who chooses", widen=True)
        if decision is not None and not is_unknown(seats.type):
            self._together(decision, seats, clause)
        return scope

    def _together(self, decision: int, seats: ir.Expr, clause: int) -> None:
        """Each seat is asked in turn and nobody is told; when all have chosen, the effects run in the same order."""
        who = self.new_slot("those who choose", SEATS)
        choices = self.new_slot("what they chose", list_of(Type("choice")))
        self.emit(ir.Let(slot=who, value=seats, clause=clause))
        self.emit(ir.Let(slot=choices, value=constant((), list_of(Type("choice")), ""), clause=clause))

        def ask(seat: ir.Slot, index: ir.Expr, to: int) -> ir.Terminator:
            return ir.Decide(decision=decision, seat=seat, store=choices, to=to, clause=clause)

        def perform(seat: ir.Slot, index: ir.Expr, to: int) -> ir.Terminator:
            choice = apply("element", (self.slot(choices), index), Type("choice"))
            return ir.Perform(choice=choice, seat=seat, to=to)

        for turn in (ask, perform):
            self._loop_over(who, SEAT, clause, turn)

    def _loop_over(
        self, listed: int, element: Type, clause: int, turn: Callable[[ir.Slot, ir.Expr, int], ir.Terminator]
    ) -> None:
        counter, one = self.new_slot("counter", NUMBER), self.new_slot("seat", element)
        head, body, after = self._counted(counter, apply("count", (self.slot(listed),), NUMBER), clause)
        self.go_on(body)
        self.emit(
            ir.Let(slot=one, value=apply("element", (self.slot(listed), self.slot(counter)), element), clause=clause)
        )
        again = self.new_block()
        self.close(turn(self.slot(one), self.slot(counter), again))
        self.go_on(again)
        self._count_up(counter, clause)
        self.close(ir.Jump(to=head))
        self.go_on(after)

    # -------------------------------------------------------------------------------------------- control
    def _do(self, node: ast.Do, scope: Scope) -> Scope:
        name = renamed(node.step)
        unit = self.units.get(f"steps.{name}")
        if unit is None:
            labels, hints = self.world.similar(name, self.world.declared.steps, "steps")
            if name in self.world.actions:
                hints = (f"`{name}` is an action: it is offered, `player chooses {name}`",)
            self.world.report.error(
                "unknown-step",
                f"no step named `{name}`",
                node.step.span,
                "not declared under `steps:`",
                others=labels,
                hint=hints,
            )
            return scope
        self.world.used.add(f"step:{name}")
        clause = self.clause(node)
        decl = self.world.declared.steps[name]
        given: list[ir.Expr] = []
        if decl.owned:
            seat = (
                self.elaborator.pointed(node.subject, scope, SEAT, "after `as`, this")
                if node.subject
                else scope.subject
            )
            if seat is None:
                self.world.report.error(
                    "whose",
                    f"`{name}` is done by a seat; by which?",
                    node.step.span,
                    hint=f"write `do {name} as player`",
                )
                return scope
            given.append(seat)
        elif node.subject is not None:
            self.world.report.error(
                "not-said-of",
                f"the step `{name}` is not about a seat",
                node.subject.span,
                hint="leave `as …` out, or add `of: seat` to the step",
            )
        if decl.pattern.params:
            if node.arg is None:
                self.world.report.error(
                    "not-said-of",
                    f"`{name}` is done of something",
                    node.step.span,
                    hint=f"write `do {' '.join(decl.pattern.span.text.split())}`",
                )
                return scope
            given.append(self.elaborator.typed(node.arg, scope, unit.params[-1].type, f"what `{name}` is done of"))
        elif node.arg is not None:
            self.world.report.error(
                "not-said-of", f"the step `{name}` is not done of anything", node.arg.span, hint=f"write `do {name}`"
            )
        for index, value in zip(unit.param_slots, given, strict=False):
            self.blocks[self.current].instructions.append(ir.Let(slot=index, value=value, clause=clause))
        on = self.new_block()
        number = list(self.world.declared.steps).index(name)
        self.close(ir.Enter(step=number, to=on))
        self.go_on(on)
        if name == "round":
            self.test_ends(frozenset({"rounds"}))
        return scope

    def _end(self, node: ast.End, scope: Scope) -> Scope:
        name = renamed(node.step)
        unit = self.units.get(f"steps.{name}")
        if unit is None:
            labels, hints = self.world.similar(name, self.world.declared.steps, "steps")
            self.world.report.error(
                "unknown-step", f"no step named `{name}`", node.step.span, others=labels, hint=hints
            )
            return scope
        if self.unit != unit.name and self.unit not in self.calls.reaches[unit.name]:
            self.world.report.error(
                "not-running",
                f"the step `{name}` is not running here, so it cannot be ended",
                node.step.span,
                others=(Label(unit.line.span, "the step"),),
                hint="only a step that has led here can be ended",
            )
            return scope
        self.leave(unit, self.clause(node))
        self.go_on(self.new_block())
        return scope

    def _if(self, node: ast.If, scope: Scope) -> Scope:
        after = self.new_block()
        for test_node, body in node.cases:
            test = self.elaborator.truth(test_node, scope)
            yes, no = self.new_block(), self.new_block()
            known = truth_of(test)
            if known is None or is_unknown(test.type):
                self.close(ir.Branch(test=test, yes=yes, no=no, clause=self.clause(node)))
            else:
                self.close(ir.Jump(to=yes if known else no))
            self.go_on(yes)
            self.block(body, scope)
            self.close(ir.Jump(to=after))
            self.go_on(no)
        self.block(node.otherwise, scope)
        self.close(ir.Jump(to=after))
        self.go_on(after)
        return scope

    def _for_each(self, node: ast.ForEach, scope: Scope) -> Scope:
        inner, var, source = self.elaborator.binding(node.binding, scope)
        if node.binding.where is not None:
            where = self.elaborator.truth(node.binding.where, inner)
            source = ir.Those(
                type=source.type, var=var.index, source=source, where=where, orders=(), value=None, text=source.text
            )
        clause = self.clause(node)
        name = node.binding.word.id
        listed, counter = self.new_slot(f"each {name}", source.type), self.new_slot(f"{name}: counter", NUMBER)
        one = self.new_slot(name, var.type)
        self.emit(ir.Let(slot=listed, value=source, clause=clause))
        head, body, after = self._counted(counter, apply("count", (self.slot(listed),), NUMBER), clause)
        self.go_on(body)
        element = apply("element", (self.slot(listed), self.slot(counter)), var.type)
        self.emit(ir.Let(slot=one, value=element, clause=clause))
        self._count_up(counter, clause)
        self.block(node.body, scope.bind(name, self.slot(one)))
        self.close(ir.Jump(to=head))
        self.go_on(after)
        return scope

    def _counted(self, counter: int, limit: ir.Expr, clause: int) -> tuple[int, int, int]:
        """A loop head that runs its body while the counter is below the limit: head, body, after."""
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        self.emit(ir.Let(slot=counter, value=constant(0, NUMBER, "0"), clause=clause))
        self.close(ir.Jump(to=head))
        self.go_on(head)
        self.close(ir.Branch(test=apply("less", (self.slot(counter), limit), TRUTH), yes=body, no=after, clause=clause))
        return head, body, after

    def _count_up(self, counter: int, clause: int) -> None:
        more = apply("add", (self.slot(counter), constant(1, NUMBER, "1")), NUMBER)
        self.emit(ir.Let(slot=counter, value=more, clause=clause))

    def _repeat(self, node: ast.Repeat, scope: Scope) -> Scope:
        clause = self.clause(node)
        times = None
        if node.times is not None:
            found = self.elaborator.expr(node.times, scope, NUMBER)
            if isinstance(found, ir.Const) and found.value is None and not is_unknown(found.type):
                times = None  # a limit that is none is no limit
            else:
                if found.type.kind == "maybe" and isinstance(found, ir.Const):
                    found = constant(found.value, NUMBER, found.text)
                times = coerce(self.world, found, NUMBER, node.times.span, "how often")
                if isinstance(times, ir.Const) and isinstance(times.value, int) and times.value > MOST_REPEATS:
                    self.world.report.error(
                        "huge-number",
                        f"a loop runs at most {MOST_REPEATS} times",
                        node.times.span,
                        hint="say when it is over: `repeat until …:`",
                    )
        if node.times is None and node.until is None and not self._has_way_out(node):
            self.world.report.error(
                "endless-loop",
                "nothing ends this loop",
                head_of(node),
                hint="add `until …`, `at most N times`, an `end` inside it, or a line under `ends:`",
            )
        if times is not None:
            counter = self.new_slot("times", NUMBER)
            head, body, after = self._counted(counter, times, clause)
            self.go_on(body)
            self._count_up(counter, clause)
        else:
            head, after = self.new_block(), self.new_block()
            self.close(ir.Jump(to=head))
            self.go_on(head)
        if node.until is not None:
            test = self.elaborator.truth(node.until, scope)
            body = self.new_block()
            self.close(ir.Branch(test=test, yes=after, no=body, clause=clause))
            self.go_on(body)
        self.block(node.body, scope)
        self.close(ir.Jump(to=head))
        self.go_on(after)
        return scope

    def _has_way_out(self, node: ast.Repeat) -> bool:
        inside = list(statements_in(node.body))
        units = {self.unit}
        for one in inside:
            if isinstance(one, ast.Do):
                units |= {f"steps.{renamed(one.step)}", *self.calls.reaches.get(f"steps.{renamed(one.step)}", ())}
            elif isinstance(one, ast.Choose):
                for word in self.calls.offered(one.menu):
                    units |= {f"actions.{renamed(word)}", *self.calls.reaches.get(f"actions.{renamed(word)}", ())}
        for rule in self.ends:
            step = f"steps.{rule.step}"
            if step == self.unit or self.unit in self.calls.reaches[step]:
                return True
        bodies = [inside]
        for unit in units - {self.unit}:
            section, name = unit.split(".", 1)
            table = self.world.declared.steps if section == "steps" else self.world.declared.actions
            if name in table:
                bodies.append(list(statements_in(table[name].do)))
        return any(isinstance(one, ast.End) for body in bodies for one in body)


def head_of(node: ast.Statement) -> Span:
    """The first line of a statement."""
    head = node.span.text.split("\n", 1)[0]
    return Span(node.span.source, node.span.start, node.span.start + len(head.rstrip()))

"""Lowering of statements to basic blocks: explicit control flow for decisions, steps, loops and the effects of actions.

In: the statements of steps and actions, with their scopes. Out: blocks, slots and decisions of the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from hoyle.base.diagnostics.report import Fix, Label
from hoyle.language.declare.calls import Calls, statements_in
from hoyle.language.declare.declarations import Line
from hoyle.language.elaborate.definitions import read_params
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, constant, truth_of
from hoyle.language.elaborate.local_names import bind_each
from hoyle.language.elaborate.narrowing import Facts, rename_locals
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import coerce, described, is_unknown, same
from hoyle.language.irgen.dealing import Dealing
from hoyle.language.irgen.decisions import Menus
from hoyle.language.irgen.flow import Flow, Unit
from hoyle.language.irgen.pots import Payments
from hoyle.language.irgen.simple_statements import Changes, Form, Reported
from hoyle.language.irgen.windows import Windows, find_kept
from hoyle.language.irgen.writing import Writing
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import head_of, written
from hoyle.program.effects import Effects
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given
from hoyle.program.ir.parts import Part, Region, Regions, overlap
from hoyle.program.ir.types import NUMBER, SEAT, SEATS, TRUTH, Type, certain, list_of
from hoyle.program.ir.walk import list_children
from hoyle.program.words import WORDS, Op

MOST_REPEATS = 1_000_000
LAST = -1_000_000_000  # the key of what has none, in a loop that goes by a key
UNLIMITED = 1_000_000_000  # how often a loop without a limit runs, if a setting says so; no match takes so long


class Lowering:
    """Lowers the steps and actions of one program to its control flow graph."""

    def __init__(self, elaborator: Elaborator, calls: Calls, menus: Menus) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env
        self.calls = calls
        self.menus = menus
        self.flow = Flow(self.env, calls)
        self.kept = find_kept(self.env)
        self.writing = Writing(self.env, calls)
        self.effects = Effects(self._body_of, menus.asked_by)
        changes = Changes(elaborator, menus.definitions, self.flow)
        self._forms: dict[type[ast.Statement], Form] = {
            **changes.forms,
            **Dealing(elaborator, self.flow, changes.zone).forms,
            **Payments(elaborator, self.flow).forms,
            **Windows(elaborator, menus, self.flow).forms,
            ast.Choose: self._choose,
            ast.Do: self._do,
            ast.End: self._end,
            ast.If: self._if,
            ast.Cases: self._cases,
            ast.ForEach: self._for_each,
            ast.Repeat: self._repeat,
            ast.Lost: self._lost,
        }

    # -------------------------------------------------------------------------------------------- units
    def declare_units(self) -> None:
        """Allocate entry, exit and slots of every step and action, before any of them is lowered."""
        for name, step in self.env.declared.steps.items():
            chosen = (ir.Local(name="seat", type=SEAT), *self.menus.pick_types(name)) if step.is_action else ()
            params = chosen or read_params(self.env, step) or ()
            self._declare_unit(f"steps.{name}", params, step.line)
        for name, action in self.env.declared.actions.items():
            picks = self.menus.pick_types(name)
            params = (ir.Local(name="seat", type=SEAT), *picks)
            self._declare_unit(f"actions.{name}", params, action.line)

    def _declare_unit(self, name: str, params: tuple[ir.Local, ...], line: Line) -> None:
        short = name.split(".", 1)[1]
        return_slot = self.flow.new_slot(f"{short}: return", NUMBER)
        slots = tuple(self.flow.new_slot(f"{short}: {p.name}", p.type) for p in params)
        self.flow.units[name] = Unit(
            name, self.flow.new_block(), self.flow.new_block(), return_slot, params, slots, line
        )

    def lower_unit(self, name: str, statements: tuple[ast.Statement, ...]) -> None:
        unit = self.flow.units[name]
        self.flow.unit, self.flow.line = name, unit.line
        scope = Scope(self.flow.frame, where=unit.line.path.split("s.", 1)[0])
        for param, index in zip(unit.params, unit.param_slots, strict=True):
            held = ir.Slot(type=param.type, index=index, name=param.name, text=param.name)
            scope = scope.bind(param.name, held)
        if name.startswith("actions."):
            scope = scope.learn(self._proved_of_picks(name.split(".", 1)[1], unit))
        clause = self.env.clause(unit.line)
        self.flow.go_on(unit.entry)
        if name == "steps.round":
            self.flow.emit(ir.BeginRound(clause=clause))
        if name == self.kept:
            self.flow.note(ir.Keep(clause=clause))
        for rule in self.flow.ends:
            if rule.step == name.removeprefix("steps."):
                self.flow.test_end(rule)
        self.block(statements, scope)
        self.flow.close(ir.Jump(to=unit.exit))
        self.flow.go_on(unit.exit)
        if name == "steps.round":
            self.flow.unit = "steps.round exit"
            self.flow.note(ir.EndRound(clause=clause))
        self.flow.close(ir.Finish() if name == "steps.match" else ir.Return(slot=unit.return_slot))

    def _proved_of_picks(self, action: str, unit: Unit) -> Facts:
        """Facts tested of an action's picks that still hold when its effects run: those that do not read the
        position."""
        facts = frozenset(fact for fact in self.menus.parts[action].scope.facts if not self.effects.reads(fact.expr))
        return rename_locals(facts, {f"%{index}": f"${slot}" for index, slot in enumerate(unit.param_slots)})

    def block(self, statements: tuple[ast.Statement, ...], scope: Scope) -> None:
        for one in statements:
            try:
                scope = self._forms[type(one)](one, scope)
            except Reported:
                continue
            if scope.facts:
                scope = self._forget(scope, self._written_by(one))

    def _forget(self, scope: Scope, written: Regions) -> Scope:
        """The scope without facts that a write may have invalidated."""
        kept = frozenset(fact for fact in scope.facts if not overlap(self.effects.reads(fact.expr), written))
        return replace(scope, facts=kept)

    def _forget_body(self, scope: Scope, body: tuple[ast.Statement, ...]) -> Scope:
        """The scope without facts that a block may invalidate; the effects of the block are computed only if there are
        facts."""
        return self._forget(scope, self.writing.of(body)) if scope.facts else scope

    def _body_of(self, number: int) -> ir.Expr | None:
        """The body of a definition, if it has been elaborated."""
        found = next((each.result for each in self.env.definitions.values() if each.index == number), None)
        return found.body if found is not None else None

    def _written_by(self, one: ast.Statement) -> Regions:
        """The effects of a statement on the path to its successor. Loops have invalidated facts themselves."""
        if isinstance(one, ast.If):
            bodies = (*(body for _, body in one.cases), one.otherwise)
            return frozenset().union(*(self.writing.of(body) for body in bodies if not _leaves(body)))
        return frozenset() if isinstance(one, ast.Repeat) else self.writing.of((one,))

    def _lost(self, node: ast.Lost, scope: Scope) -> Scope:
        """Recovery from an unparsable line: its words may be names that later lines refer to."""
        end = node.body[0].span.start - node.span.start if node.body else None
        words = frozenset(re.findall(r"(?!cards\b)[^\W\d]\w*", node.span.text[:end]))
        scope = replace(scope, unread=scope.unread | words)
        self.block(node.body, scope)
        return scope

    def _cases(self, node: ast.Cases, outer: Scope) -> Scope:
        """Cases of a step: like `if`, but each is a clause with its own name, text and citations."""
        scope = outer
        after = self.flow.new_block()
        line = self.flow.line
        for case in node.cases:
            self.flow.line = Line(
                f"{line.path}.{case.word.id}", case.word.span, case.text or line.text, case.cite or line.cite
            )
            yes, no = self.flow.new_block(), self.flow.new_block()
            test = self.elaborator.truth(case.when, scope) if case.when is not None else constant(True, TRUTH)
            known, clause = truth_of(test), self.env.clause(self.flow.line)
            if known is None or is_unknown(test.type):
                self.flow.close(ir.Branch(test=test, yes=yes, no=no, clause=clause))
            else:
                self.flow.close(ir.Jump(to=yes if known else no, clause=clause, held=known))
            self.flow.go_on(yes)
            self.block(case.do, self.elaborator.assume(scope, test))
            self.flow.close(ir.Jump(to=after))
            self.flow.go_on(no)
            scope = self.elaborator.assume(scope, test, False)
        self.flow.line = line
        self.flow.close(ir.Jump(to=after))
        self.flow.go_on(after)
        return scope

    # -------------------------------------------------------------------------------------------- decisions
    def _choose(self, node: ast.Choose, scope: Scope) -> Scope:
        decision = self.menus.decision(node, Line(self.flow.line.path, node.span, "", node.cite), scope.names)
        clause = self.flow.clause(node)
        if not node.together:
            seat = self.elaborator.pointed(node.seat, scope, SEAT, "who chooses")
            on = self.flow.new_block()
            if decision is not None:
                self.flow.close(ir.Decide(decision=decision, seat=seat, store=None, to=on, clause=clause))
            self.flow.go_on(on)
            if decision is not None:
                self.flow.finish(self.menus.offered(decision))
            return scope
        self._report_decisions_inside(node)
        seats = self.elaborator.typed(node.seat, scope, SEATS, "who chooses", widen=True)
        if decision is not None and not is_unknown(seats.type):
            self._together(decision, seats, clause)
        return scope

    def _report_decisions_inside(self, node: ast.Choose) -> None:
        """Report decisions in actions that are chosen simultaneously (decision S31): their effects run as one, without
        a point to ask."""
        for word in self.calls.offered(node.menu):
            unit = f"actions.{word.name}"
            for inside in [unit, *sorted(self.calls.reaches.get(unit, ()))]:
                if inside in self.calls.leads and self._asks(inside):
                    self.env.report.error(
                        "choice-inside",
                        f"`{word.id}` is chosen together with others, so it may not ask for another choice",
                        word.span,
                        others=(Label(self.flow.units[inside].line.span, "asks for a choice"),),
                        hint="let the seats choose one after the other, or ask after all have chosen",
                    )

    def _asks(self, unit: str) -> bool:
        return any(isinstance(one, ast.Choose) for one in statements_in(self.calls.body(unit)))

    def _together(self, decision: int, seats: ir.Expr, clause: int) -> None:
        """Simultaneous choice: each seat is asked in turn and nothing is revealed; after that the effects run in the
        same order."""
        who = self.flow.new_slot("those who choose", SEATS)
        choices = self.flow.new_slot("what they chose", list_of(Type("choice")))
        self.flow.emit(ir.Let(slot=who, value=seats, clause=clause))
        self.flow.emit(ir.Let(slot=choices, value=constant((), list_of(Type("choice")), ""), clause=clause))

        def ask(seat: ir.Slot, index: ir.Expr, to: int) -> ir.Terminator:
            return ir.Decide(decision=decision, seat=seat, store=choices, to=to, clause=clause)

        def perform(seat: ir.Slot, index: ir.Expr, to: int) -> ir.Terminator:
            choice = apply(Op.ELEMENT, (self.flow.slot(choices), index), Type("choice"))
            return ir.Perform(choice=choice, seat=seat, to=to)

        self._loop_over(who, SEAT, clause, ask)
        self._loop_over(who, SEAT, clause, perform, self.menus.offered(decision))

    def _loop_over(
        self,
        listed: int,
        element: Type,
        clause: int,
        turn: Callable[[ir.Slot, ir.Expr, int], ir.Terminator],
        finished: Sequence[str] = (),
    ) -> None:
        counter, one = self.flow.new_slot("counter", NUMBER), self.flow.new_slot("seat", element)
        head, body, after = self.flow.counted(counter, apply(Op.COUNT, (self.flow.slot(listed),), NUMBER), clause)
        self.flow.go_on(body)
        self.flow.emit(
            ir.Let(
                slot=one,
                value=apply(Op.ELEMENT, (self.flow.slot(listed), self.flow.slot(counter)), element),
                clause=clause,
            )
        )
        again = self.flow.new_block()
        self.flow.close(turn(self.flow.slot(one), self.flow.slot(counter), again))
        self.flow.go_on(again)
        self.flow.finish(finished)
        self.flow.count_up(counter, clause)
        self.flow.close(ir.Jump(to=head))
        self.flow.go_on(after)

    # -------------------------------------------------------------------------------------------- control
    def _do(self, node: ast.Do, scope: Scope) -> Scope:
        name = node.step.name
        unit = self.flow.units.get(f"steps.{name}")
        if unit is None and self.env.is_told(name, node.step.span):
            return scope
        if unit is None:
            similar = self.env.similar(name, self.env.declared.steps, node.step.span, "steps")
            self.env.report.error(
                "unknown-step", f"no step named `{name}`", node.step.span, "not declared under `steps:`", **similar
            )
            return scope
        clause = self.flow.clause(node)
        decl = self.env.declared.steps[name]
        if decl.is_action and self._report_open_choice(node, unit, scope):
            return scope
        given: list[ir.Expr] = []
        if decl.owned:
            seat = (
                self.elaborator.pointed(node.subject, scope, SEAT, "after `as`, this")
                if node.subject
                else self._doer(node, scope)
            )
            if seat is None:
                return scope
            given.append(seat)
        elif node.subject is not None:
            self.env.report.error(
                "not-said-of",
                f"the step `{name}` is not about a seat",
                node.subject.span,
                hint="leave `as …` out, or add `of: seat` to the step",
                fix=Fix(node.span, f"do {name}" + (f" of {written(node.arg)}" if node.arg else ""), sure=False),
            )
        if decl.pattern.params:
            if node.arg is None:
                self.env.report.error(
                    "not-said-of",
                    f"`{name}` is done of something",
                    node.step.span,
                    hint=f"it is done as `do {' '.join(decl.pattern.span.text.split())}`",
                    fix=self._give_argument(node, unit.params[-1].type, scope),
                )
                return scope
            given.append(self.elaborator.typed(node.arg, scope, unit.params[-1].type, f"what `{name}` is done of"))
        elif node.arg is not None:
            self.env.report.error(
                "not-said-of",
                f"the {'action' if decl.is_action else 'step'} `{name}` is not done of anything",
                node.arg.span,
                fix=(
                    *((Fix(node.span, f"do {name} as {written(node.arg)}"),) if decl.owned else ()),
                    Fix(node.span, f"do {name}", sure=False),
                ),
            )
        for index, value in zip(unit.param_slots, given, strict=False):
            self.flow.note(ir.Let(slot=index, value=value, clause=clause))
        on = self.flow.new_block()
        number = list(self.env.declared.steps).index(name)
        self.flow.close(ir.Enter(step=number, to=on, clause=clause))
        self.flow.go_on(on)
        # When a step returns, everything inside it has finished, including units abandoned by `end`.
        self.flow.finish((unit.name, *self.calls.reaches[unit.name]))
        if name == "round":
            self.flow.test_ends(frozenset({Region(Part.ROUNDS)}))
        return scope

    def _report_open_choice(self, node: ast.Do, unit: Unit, scope: Scope) -> bool:
        """Report `do` of an action with unbound picks: they must be given, or a player must choose them."""
        name, picks = node.step.name, [param.name for param in unit.params[1:]]
        if len(picks) == (node.arg is not None) or not picks:
            return False
        who = ["seat"] if scope.subject is not None else self.env.declared.vocabulary.people
        asked = [Fix(node.span, f"{one} chooses {name}", sure=False) for one in who]
        listed = " and ".join(f"`{pick}`" for pick in picks)
        if len(picks) == 1:
            given = [replace(fix, sure=False) for fix in self._give_argument(node, unit.params[-1].type, scope)]
            hint = f"let a seat choose, or say which it is: `do {name} of …`"
        else:
            given = []
            hint = "let a seat choose; or make a step of what it does, which both can do"
        message = f"`{name}` is an action in which {listed} must be chosen"
        self.env.report.error("not-said-of", message, node.step.span, hint=hint, fix=(*asked, *given))
        return True

    def _doer(self, node: ast.Do, scope: Scope) -> ir.Expr | None:
        """The seat that does a step `of: seat`, if the statement does not name it: the only one in scope."""
        if scope.subject is not None and len(scope.seats) == 1:
            return scope.subject
        reason = "two seats are spoken of here" if len(scope.seats) > 1 else "no seat is spoken of here"
        people = scope.seats or self.env.declared.vocabulary.people
        self.env.report.error(
            "whose",
            f"`{node.step.name}` is done by a seat; by which? {reason}",
            node.step.span,
            reason,
            fix=[Fix(node.span, f"{written(node)} as {seat}", sure=False) for seat in reversed(people[-3:])],
        )
        return None

    def _give_argument(self, node: ast.Do, wanted: Type, scope: Scope) -> list[Fix]:
        """Fixes that supply the missing argument of a step from the names in scope of a matching type."""
        fit = [name for name, held in scope.names.items() if same(held.type, wanted) and name != "seat"]
        subject = f" as {written(node.subject)}" if node.subject is not None else ""
        return [Fix(node.span, f"do {node.step.id} of {name}{subject}", sure=len(fit) == 1) for name in reversed(fit)]

    def _end(self, node: ast.End, scope: Scope) -> Scope:
        unit = self.flow.find_running(node.step, "ended")
        if unit is None:
            return scope
        self.flow.leave(unit, self.flow.clause(node))
        self.flow.go_on(self.flow.new_block())
        return scope

    def _if(self, node: ast.If, outer: Scope) -> Scope:
        scope = outer
        after = self.flow.new_block()
        for number, (test_node, body) in enumerate(node.cases):
            test = self.elaborator.truth(test_node, scope)
            yes, no = self.flow.new_block(), self.flow.new_block()
            known, clause = truth_of(test), self.flow.clause(node, test_node.span if number else None)
            if known is None or is_unknown(test.type):
                self.flow.close(ir.Branch(test=test, yes=yes, no=no, clause=clause))
            else:
                self.flow.close(ir.Jump(to=yes if known else no, clause=clause, held=known))
            self.flow.go_on(yes)
            self.block(body, self.elaborator.assume(scope, test))
            self.flow.close(ir.Jump(to=after))
            self.flow.go_on(no)
            scope = self.elaborator.assume(scope, test, False)
        self.block(node.otherwise, scope)
        self.flow.close(ir.Jump(to=after))
        self.flow.go_on(after)
        only_no = not node.otherwise and all(_leaves(body) for _, body in node.cases)
        return scope if only_no else outer

    def _for_each(self, node: ast.ForEach, scope: Scope) -> Scope:
        inner, var, source = bind_each(self.elaborator, node.binding, scope)
        known: Facts = frozenset()
        if node.binding.where is not None:
            where = self.elaborator.truth(node.binding.where, inner)
            known = self.elaborator.assume(inner, where).facts - inner.facts
            source = ir.Those(
                type=source.type, var=var.index, source=source, where=where, orders=(), value=None, text=source.text
            )
        clause = self.flow.clause(node)
        name = node.binding.word.id
        listed, counter = (
            self.flow.new_slot(f"each {name}", source.type),
            self.flow.new_slot(f"{name}: counter", NUMBER),
        )
        one = self.flow.new_slot(name, var.type)
        self.flow.emit(ir.Let(slot=listed, value=source, clause=clause))
        for best in reversed(node.binding.by):
            self._sort(listed, best, node.binding, inner, clause)
        head, body, after = self.flow.counted(counter, apply(Op.COUNT, (self.flow.slot(listed),), NUMBER), clause)
        self.flow.go_on(body)
        element = apply(Op.ELEMENT, (self.flow.slot(listed), self.flow.slot(counter)), var.type)
        self.flow.emit(ir.Let(slot=one, value=element, clause=clause))
        self.flow.count_up(counter, clause)
        # The list is evaluated before the first iteration: facts from its filter hold until the body invalidates them.
        known = rename_locals(known, {f"%{var.index}": f"${one}"})
        within = self._forget_body(scope.learn(known), node.body).bind(name, self.flow.slot(one))
        self.block(node.body, replace(within, blind=inner.blind))
        self.flow.close(ir.Jump(to=head))
        self.flow.go_on(after)
        return scope

    def _sort(self, listed: int, best: ast.Best, binding: ast.Binding, scope: Scope, clause: int) -> None:
        """Sort the list in a slot by a number, stably; elements without one come last. Each becomes a number made of
        its key and its place, these are sorted, and each gives the element at its place."""
        element, held = scope.names[binding.word.id], self.flow.slot(listed)
        assert isinstance(element, ir.Var)
        key = self._sort_key(best, binding, element, scope)
        if is_unknown(key.type):
            return
        many = apply(Op.COUNT, (held,), NUMBER)
        if best.how == "lowest":
            key = apply(Op.SUBTRACT, (constant(0, NUMBER, "0"), key), key.type)
        if key.type.kind == "maybe":
            key = ir.OrElse(type=NUMBER, first=key, second=constant(LAST, NUMBER), text=key.text)
        place = apply(Op.PLACE_IN, (element, held), NUMBER)
        code = apply(Op.SUBTRACT, (apply(Op.MULTIPLY, (key, many), NUMBER), place), NUMBER)
        codes = ir.Those(
            type=list_of(NUMBER), var=element.index, source=held, where=None, orders=(), value=code, text=best.how
        )
        number = ir.Var(type=NUMBER, index=scope.frame.new(), name="", text=best.how)
        back = apply(Op.SUBTRACT, (many, constant(1, NUMBER, "1")), NUMBER)
        at = apply(Op.SUBTRACT, (back, apply(Op.MODULO, (number, many), NUMBER)), NUMBER)
        order = ir.Those(
            type=held.type,
            var=number.index,
            source=apply(Op.DESCENDING, (codes,), list_of(NUMBER)),
            where=None,
            orders=(),
            value=apply(Op.ELEMENT, (held, at), element.type),
            text=held.text,
        )
        self.flow.emit(ir.Let(slot=listed, value=order, clause=clause))

    def _sort_key(self, best: ast.Best, binding: ast.Binding, element: ir.Var, scope: Scope) -> ir.Expr:
        """What elements are sorted by: a value, or a word that gives one of each, `lowest rank`."""
        word = best.key if isinstance(best.key, ast.Name) else None
        key: ast.Expr = best.key
        if word is not None and word.id not in scope.names and self._is_said_of(word.name):
            name = ast.Word(word.id, word.span)
            key = ast.Of(word=name, arg=ast.Name(id=binding.word.id, span=word.span), span=word.span)
        found = self.elaborator.expr(key, scope)
        if certain(found.type).kind in ("number", "enum", "unknown"):
            return found
        self.env.report.error(
            "no-order",
            f"a loop goes by a number or a value of an attribute; `{written(best.key)}` is {described(found.type)}",
            best.key.span,
            hint="several of them are said with `then`: `by lowest suit then highest rank`",
        )
        return ir.Const(type=Type("unknown"), value=None)

    def _is_said_of(self, name: str) -> bool:
        """Whether a name is said of something: an attribute, a column, a state of each seat, such a definition."""
        info = self.env.definitions.get(name)
        if info is not None:
            return info.decl.owned or info.decl.pattern.form == "function"
        state = self.env.states.get(name)
        if state is not None:
            return bool(self.env.state_list[state].of)
        word = WORDS.get(name)
        return name in self.env.attributes or name in self.env.kind_columns or (word is not None and bool(word.takes))

    def _repeat(self, node: ast.Repeat, scope: Scope) -> Scope:
        clause = self.flow.clause(node)
        times = None
        if node.times is not None:
            found = self.elaborator.expr(node.times, scope, NUMBER)
            if isinstance(found, ir.Const) and found.value is None and not is_unknown(found.type):
                times = None  # a limit of none means unlimited
            else:
                found = self._limit(found, node)
                times = coerce(self.env, found, NUMBER, node.times.span, "how often")
                if isinstance(times, ir.Const) and isinstance(times.value, int) and times.value > MOST_REPEATS:
                    self.env.report.error(
                        "huge-number",
                        f"a loop runs at most {MOST_REPEATS} times",
                        node.times.span,
                        hint="say when it is over: `repeat until …:`",
                    )
        if node.times is None and node.until is None and not self._has_way_out(node):
            self.env.report.error(
                "endless-loop",
                "nothing ends this loop",
                head_of(node),
                hint="add `until …`, `at most N times`, an `end` inside it, or a line under `ends:`",
            )
        if isinstance(times, ir.Const) and times.value == 1:  # no loop needed
            head = after = self.flow.new_block()
        elif times is not None:
            counter = self.flow.new_slot("at most" if node.at_most else "times", NUMBER)
            head, body, after = self.flow.counted(counter, times, clause)
            self.flow.go_on(body)
            self.flow.count_up(counter, clause)
        else:
            head, after = self.flow.new_block(), self.flow.new_block()
            self.flow.close(ir.Jump(to=head))
            self.flow.go_on(head)
        known = inner = self._forget_body(scope, node.body)
        test: ir.Expr | None = None
        if node.until is not None:
            test = self.elaborator.truth(node.until, inner)
            body = self.flow.new_block()
            until = self.flow.clause(node, node.until.span)
            self.flow.close(ir.Branch(test=test, yes=after, no=body, clause=until))
            self.flow.go_on(body)
            inner = self.elaborator.assume(inner, test, False)
        self.block(node.body, inner)
        self.flow.close(ir.Jump(to=head))
        self.flow.go_on(after)
        return self.elaborator.assume(known, test) if test is not None and times is None else known

    def _limit(self, found: ir.Expr, node: ast.Repeat) -> ir.Expr:
        """How often a loop runs: a setting that may be none is then no limit."""
        if found.type.kind != "maybe" or not _is_setting(found):
            return found
        if isinstance(found, ir.Const):
            return constant(found.value, NUMBER, found.text)
        if node.until is None and not self._has_way_out(node):
            self.env.report.error(
                "endless-loop",
                f"nothing ends this loop where `{found.text}` is none",
                head_of(node),
                hint="add `until …`, an `end` inside it, or a line under `ends:`",
            )
        return ir.OrElse(type=NUMBER, first=found, second=constant(UNLIMITED, NUMBER), text=found.text)

    def _has_way_out(self, node: ast.Repeat) -> bool:
        inside = list(statements_in(node.body))
        units = {self.flow.unit}
        for one in inside:
            if isinstance(one, ast.Do):
                units |= {f"steps.{one.step.name}", *self.calls.reaches.get(f"steps.{one.step.name}", ())}
            elif isinstance(one, ast.Choose | ast.Offer):
                for word in self.calls.offered(one.menu):
                    units |= {f"actions.{word.name}", *self.calls.reaches.get(f"actions.{word.name}", ())}
        for rule in self.flow.ends:
            step = f"steps.{rule.step}"
            if step == self.flow.unit or self.flow.unit in self.calls.reaches[step]:
                return True
        bodies = [inside]
        for unit in units - {self.flow.unit}:
            section, name = unit.split(".", 1)
            table = self.env.declared.steps if section == "steps" else self.env.declared.actions
            if name in table:
                bodies.append(list(statements_in(table[name].do)))
        return any(isinstance(one, ast.End) for body in bodies for one in body)


def _is_setting(expr: ir.Expr) -> bool:
    """Whether an expression has one value at each table."""
    while isinstance(expr, ir.Named):
        expr = expr.body
    return isinstance(expr, ir.Const | Given) or (
        isinstance(expr, ir.If | ir.OrElse | ir.Logic | ir.Apply) and all(map(_is_setting, list_children(expr)))
    )


def _leaves(body: tuple[ast.Statement, ...]) -> bool:
    """Whether control never reaches the end of a block, because the block ends a step."""
    return bool(body) and isinstance(body[-1], ast.End)

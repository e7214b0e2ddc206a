"""Elaboration of definitions: parameters, bodies, result types. A definition is elaborated on first use, which also
detects cycles.

In: declarations of definitions. Out: IR definitions with inferred types.
"""

from __future__ import annotations

from typing import Literal

from hoyle.base.diagnostics.report import Label
from hoyle.base.source import Span
from hoyle.language.declare.declarations import AnyCondition, Body, Case, Condition, DefinitionDecl, StepDecl
from hoyle.language.elaborate.branching import either
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import DefinitionInfo, Environment
from hoyle.language.elaborate.folding import apply, constant, logic, truth_of
from hoyle.language.elaborate.local_names import is_foreign
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.typing_rules import coerce, unknown
from hoyle.language.elaborate.word_rules import apply_word
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, SEAT, TRUTH, UNKNOWN, Type
from hoyle.program.words import Op, word_of

DEEPEST_CHAIN = 50


class Definitions:
    """The definitions of an environment."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env
        self.order: list[DefinitionInfo] = []
        self.unwritten: list[ir.Definition] = []
        self._running: list[DefinitionInfo] = []
        elaborator.definitions = self
        for decl in self.env.declared.definitions.values():
            self._declare(decl)

    def _declare(self, decl: DefinitionDecl) -> None:
        params = read_params(self.env, decl)
        if params is None:
            return
        info = DefinitionInfo(decl, params, len(self.order))
        self.order.append(info)
        self.env.definitions[decl.name] = info

    def add(self, name: str, params: tuple[ir.Local, ...], body: ir.Expr, frame: Frame, clause: int) -> int:
        """Add a synthetic definition; returns its number."""
        self.unwritten.append(
            ir.Definition(name=name, params=params, type=body.type, body=body, frame=frame.size, clause=clause)
        )
        return len(self.order) + len(self.unwritten) - 1

    def find_body(self, number: int) -> ir.Expr | None:
        """The body of a declared definition, if it has been elaborated."""
        result = self.order[number].result if number < len(self.order) else None
        return result.body if result is not None else None

    def type_of(self, info: DefinitionInfo, used_at: Span) -> Type:
        """The result type of a definition, which is elaborated now if necessary."""
        if info.result is not None:
            return info.result.type
        if info.running:
            ring = [one.decl.name for one in self._running[self._running.index(info) :]]
            self.env.report.error(
                "definition-ring",
                f"`{info.decl.name}` is defined by itself"
                + (f": {' → '.join([*ring, ring[0]])}" if len(ring) > 1 else ""),
                used_at,
                "used here",
                others=(Label(info.decl.line.span, "while this is being defined"),),
                hint="a definition may use others, but never itself, not even in a ring",
            )
            return UNKNOWN
        if len(self._running) >= DEEPEST_CHAIN:
            self.env.report.error(
                "too-deep",
                f"more than {DEEPEST_CHAIN} definitions lean on one another here",
                used_at,
                f"`{info.decl.name}` is one too many",
                hint="let some of them say what they are without the others",
            )
            return UNKNOWN
        info.running = True
        self._running.append(info)
        frame = Frame()
        scope = Scope(frame, where="definition")
        for param in info.params:
            scope, _ = scope.variable(param.name, param.type)
        body = self.body(info.decl.body, scope)
        if info.decl.body.expr is not None and info.decl.body.expr.span.source.supposed:
            body = unknown()  # a guess of the error recovery: its type must not cause further errors
        self._running.pop()
        info.running = False
        info.result = ir.Definition(
            name=info.decl.name,
            params=info.params,
            type=body.type,
            body=body,
            frame=frame.size,
            clause=self.env.clause(info.decl.line),
        )
        return body.type

    def body(self, body: Body, scope: Scope) -> ir.Expr:
        """The body of a definition, in any of its forms."""
        elaborator = self.elaborator
        if body.rows:
            return self._sum_of_rows(body.rows, scope)
        if body.each is not None and body.expr is not None:
            return self._each(body, scope)
        if body.expr is not None:
            return elaborator.expr(body.expr, scope)
        if body.condition is not None:
            return self.condition(body.condition, scope)
        return self._cases(body.cases, scope)

    def _cases(self, body: tuple[Case, ...], scope: Scope) -> ir.Expr:
        """The value of the first case whose test holds; each case is elaborated under the assumption that earlier ones
        do not hold. Tests and values become clauses, except that a constant decided by options stays a constant.
        """
        elaborator = self.elaborator
        cases: list[tuple[ir.Expr, ir.Expr, Span]] = []
        for case in body:
            clause = self.env.clause(case.line)
            test = elaborator.truth(case.when, scope) if case.when is not None else constant(True, TRUTH)
            value = name_clause(clause, elaborator.expr(case.value, elaborator.assume(scope, test)))
            scope = elaborator.assume(scope, test, False)
            known = truth_of(test)
            if known is None:
                test = name_clause(clause, test)
            elif case is not body[-1]:
                self.env.decided[clause] = known
            cases.append((test, value, case.value.span))
        _, result, last = cases[-1]
        for test, value, span in reversed(cases[:-1]):
            result = either(self.env, test, value, result, span, last, value.text)
        if not isinstance(result, ir.Named) or not isinstance(result.body, ir.Const):
            return result
        self.env.decided[result.clause] = True
        return result.body

    def _sum_of_rows(self, rows: tuple[str, ...], scope: Scope) -> ir.Expr:
        """The sum of the rows of a score table, all with the same arguments."""
        args = tuple(scope.names.values())
        total: ir.Expr | None = None
        for name in rows:
            info = self.env.definitions[name]
            kind = self.type_of(info, info.decl.line.span)
            row: ir.Expr = ir.Call(type=kind, definition=info.index, args=args, text=name)
            said = info.decl.body.expr
            if kind.kind == "maybe" and said is not None and info.result is not None:
                row = coerce(self.env, info.result.body, NUMBER, said.span)  # so that errors point into the row
            row = coerce(self.env, row, NUMBER, info.decl.line.span, f"the row `{name}`")
            total = row if total is None else apply(Op.ADD, (total, row), NUMBER, "")
        return total if total is not None else constant(0, NUMBER)

    def _each(self, body: Body, scope: Scope) -> ir.Expr:
        """A row that scores for each of several groups: the total, the score of each group, or the groups, as `wants`
        says."""
        assert body.each is not None and body.expr is not None
        node = ast.Those(
            value=None if body.wants == "groups" else body.expr,
            binding=body.each.binding,
            orders=body.each.orders,
            span=body.each.span,
        )
        listed = self.elaborator.expr(node, scope)
        if body.wants != "total":
            return listed
        return apply_word(self.env, word_of(Op.SUM).name, listed, body.expr.span, listed.text)

    def condition(self, part: AnyCondition, scope: Scope) -> ir.Expr:
        """A named condition, or a group of them, as an expression that keeps the names."""
        if isinstance(part, Condition):
            if part.test is None:
                test: ir.Expr = constant(False, TRUTH, "never")
            else:
                test = self.elaborator.truth(part.test, scope)
            if part.negated:
                test = logic("not", (test,), test.text)
            return ir.Named(type=TRUTH, clause=self.env.clause(part.line), body=test, text=test.text)
        op: Literal["and", "or"] = "or" if part.op == "any" else "and"
        inner = logic(op, self.conditions(part.parts, scope, holding=op == "and"))
        return ir.Named(type=TRUTH, clause=self.env.clause(part.line), body=inner, text=inner.text)

    def conditions(
        self, parts: tuple[AnyCondition, ...], scope: Scope, *, holding: bool
    ) -> tuple[ir.Expr, ...]:
        """Named conditions, each elaborated under the assumption that the earlier ones hold, or do not hold."""
        found = []
        for part in parts:
            found.append(self.condition(part, scope))
            scope = self.elaborator.assume(scope, found[-1], holding)
        return tuple(found)

    def finish(self) -> tuple[ir.Definition, ...]:
        """All definitions, by number; unused ones are elaborated too, so that they are checked."""
        for info in self.order:
            self.type_of(info, info.decl.line.span)
        results = []
        for info in self.order:
            assert info.result is not None
            results.append(info.result)
        return (*results, *self.unwritten)


def name_clause(clause: int, expr: ir.Expr) -> ir.Expr:
    """An expression as a named clause."""
    return ir.Named(type=expr.type, clause=clause, body=expr, text=expr.text)


def read_params(env: Environment, decl: DefinitionDecl | StepDecl) -> tuple[ir.Local, ...] | None:
    """The parameters of a definition or step: named by their type, or typed under `takes:`; the seat comes first."""
    params: list[ir.Local] = [ir.Local(name="seat", type=SEAT)] if decl.owned else []
    for word in decl.pattern.params:
        kind = _param_type(env, word, decl.takes)
        if kind is None:
            env.report.error(
                "unknown-type",
                f"`{word.id}` is not a kind of thing a rule can be about",
                word.span,
                hint="name it by its type (`card`, `cards`, `seat`, `number`, `pile`), or add "
                f"`takes: {{{word.id}: card}}`",
            )
            return None
        if any(p.name == word.id for p in params):
            env.report.error(
                "name-taken",
                f"`{word.id}` is already the name of another parameter",
                word.span,
                hint=f"give it a name and a type: `takes: {{other: {word.id}}}`",
            )
            return None
        if word.id in env.zones and not is_foreign(word):
            env.report.error(
                "name-taken",
                f"the parameter `{word.id}` hides the zone `{word.id}`",
                word.span,
                others=(Label(env.declared.zones[word.id].line.span, "the zone"),),
                hint="rename the parameter and say its type under `takes:`",
            )
            return None
        params.append(ir.Local(name=word.id, type=kind))
    return tuple(params)


def _param_type(env: Environment, word: ast.Word, takes: dict[str, str]) -> Type | None:
    return env.type_named(takes.get(word.id, word.id))

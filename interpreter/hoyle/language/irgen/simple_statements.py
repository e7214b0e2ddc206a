"""Lowering of simple statements: those that change cards, state or scores.

In: statements with their scopes. Out: instructions, one for each atomic change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

from hoyle.base.diagnostics.report import Fix, Label
from hoyle.base.errors import HoyleError
from hoyle.base.source import Span
from hoyle.language.declare.declarations import ScoreDecl
from hoyle.language.elaborate.definitions import Definitions
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.local_names import check_free
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.states import Bounds
from hoyle.language.elaborate.team_values import first_seat_of
from hoyle.language.elaborate.typing_rules import coerce, described, is_unknown
from hoyle.language.irgen.flow import Flow
from hoyle.language.syntax import ast
from hoyle.language.syntax.parse import parse
from hoyle.language.syntax.source_text import BRACES, written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARDS, NUMBER, SEAT, SEATS, TEAM, ZONE, Type, certain
from hoyle.program.ir.visibility import has_faces
from hoyle.program.ir.walk import walk_expression

Form = Callable[[Any, Scope], Scope]


class Reported(HoyleError):  # noqa: N818 - control flow: continue with the next statement
    """A statement could not be lowered, and the reason has been reported; lowering continues with the next one."""


class Changes:
    """Lowers the statements that involve no decision and no control flow."""

    def __init__(self, elaborator: Elaborator, definitions: Definitions, flow: Flow) -> None:
        self.elaborator = elaborator
        self.definitions = definitions
        self.flow = flow
        self.env: Environment = elaborator.env
        self.forms: dict[type[ast.Statement], Form] = {
            ast.OnZone: self._on_zone,
            ast.Move: self._move,
            ast.Swap: self._swap,
            ast.Turn: self._turn,
            ast.Show: self._show,
            ast.Set: self._set,
            ast.AddTo: self._add_to,
            ast.Let: self._let,
            ast.Draw: self._draw,
            ast.Score: self._score,
            ast.Mark: self._mark,
            ast.Announce: self._announce,
            ast.Nothing: lambda node, scope: scope,
        }

    # -------------------------------------------------------------------------------------------- cards
    def zone(self, node: ast.Expr, scope: Scope, what: str) -> ir.Expr:
        if isinstance(node, ast.Name | ast.Of):
            self._known_zone(node.name, node, scope)
        return self.elaborator.pointed(node, scope, ZONE, what)

    def _known_zone(self, name: str, node: ast.Expr, scope: Scope) -> None:
        """Report an unknown name in a zone position with suggestions among zones only, not among all names."""
        known = {*scope.names, *self.env.names(), *self.env.actions, *self.env.declared.steps}
        if name not in known | self.env.reported and not scope.may_give(name):
            word = node.word.span if isinstance(node, ast.Of) else node.span
            self.env.report.error(
                "unknown-zone",
                f"no zone named `{name}`",
                word,
                "not declared under `zones:`",
                **self.env.similar(name, self.env.zones, word, "zones"),
            )
            raise Reported

    def _on_zone(self, node: ast.OnZone, scope: Scope) -> Scope:
        if node.verb == "shuffle" and self._names_state(node.zone, scope):
            return self._shuffle_list(node, scope)
        zone = self.zone(node.zone, scope, f"what to {node.verb}")
        kinds = {"gather": ir.Gather, "shuffle": ir.Shuffle, "cut": ir.Cut, "turn over": ir.TurnOver}
        self.flow.emit(kinds[node.verb](zone=zone, clause=self.flow.clause(node)))
        return scope

    def _names_state(self, node: ast.Expr, scope: Scope) -> bool:
        word = node if isinstance(node, ast.Name) else node.word if isinstance(node, ast.Of) else None
        return word is not None and word.id not in scope.names and word.name in self.env.states

    def _shuffle_list(self, node: ast.OnZone, scope: Scope) -> Scope:
        state, owner = self._target(node.zone, scope)
        held = self.env.state_list[state]
        if held.most is None:
            self.env.report.error(
                "wrong-type",
                f"only zones and lists have an order that can be shuffled; `{held.name}` is {described(held.type)}",
                node.zone.span,
                described(held.type),
                hint=f"declare it as `type: list of {held.type.of}`" if held.type.of is not None else (),
            )
            raise Reported
        self.flow.emit(ir.ShuffleList(state=state, owner=owner, clause=self.flow.clause(node)))
        return scope

    def _move(self, node: ast.Move, scope: Scope) -> Scope:
        cards = self.elaborator.typed(node.cards, scope, CARDS, "what is moved", widen=True)
        zone = self.zone(node.zone, scope, "where cards are moved to")
        self.flow.emit(ir.Move(cards=cards, zone=zone, bottom=node.bottom, clause=self.flow.clause(node)))
        return scope

    def _swap(self, node: ast.Swap, scope: Scope) -> Scope:
        first, second = (
            self.zone(node.first, scope, "what is swapped"),
            self.zone(node.second, scope, "what is swapped"),
        )
        self.flow.emit(ir.Swap(first=first, second=second, clause=self.flow.clause(node)))
        return scope

    def _turn(self, node: ast.Turn, scope: Scope) -> Scope:
        way = "up" if node.up else "down"
        cards = self.elaborator.typed(node.cards, scope, CARDS, f"what is turned {way}", widen=True)
        for part in walk_expression(cards):
            if isinstance(part, ir.ZoneRef) and not has_faces(self.env.zone_list[part.zone]):
                self._report_not_turned(self.env.zone_list[part.zone], node, way)
        kind = ir.TurnUp if node.up else ir.TurnDown
        self.flow.emit(kind(cards=cards, clause=self.flow.clause(node)))
        return scope

    def _report_not_turned(self, zone: ir.Zone, node: ast.Turn, way: str) -> NoReturn:
        hints = ["a zone in which they do is declared with `shows: face_up`"]
        if node.up:
            hints.append("`show CARDS to seats` lets all see cards that stay as they lie")
        self.env.report.error(
            "not-turned",
            f"in `{zone.name}` cards lie neither face up nor face down, so none can be turned {way}",
            node.cards.span,
            others=(Label(self.env.lines[zone.clause].span, f"shows {zone.shows}"),),
            hint=tuple(hints),
        )
        raise Reported

    def _show(self, node: ast.Show, scope: Scope) -> Scope:
        cards = self.elaborator.typed(node.cards, scope, CARDS, "what is shown", widen=True)
        seats = self.elaborator.typed(node.seats, scope, SEATS, "who is shown them", widen=True)
        self.flow.emit(ir.Show(cards=cards, seats=seats, clause=self.flow.clause(node)))
        return scope

    # -------------------------------------------------------------------------------------------- values
    def _target(self, node: ast.Expr, scope: Scope, value: ast.Expr | None = None) -> tuple[int, ir.Expr | None]:
        """The state a statement changes, and its owner; `value` is what the state is set to."""
        name = node.name
        word = node if isinstance(node, ast.Name) else node.word if isinstance(node, ast.Of) else None
        if self.env.is_lost(name, node.span):
            raise Reported
        if self._names_state(node, scope):
            found = self.elaborator.expr(node, scope)
            if isinstance(found, ir.StateRef) and not self.env.state_list[found.state].pot:
                return found.state, found.owner
            if isinstance(found, ir.StateRef):
                self.env.report.error(
                    "not-a-state",
                    f"`{name}` is a pot; chips are paid, so that none are lost",
                    node.span,
                    hint=f"`pay … from … to {written(node)}`",
                )
            raise Reported
        hint: tuple[str, ...] = ()
        if word is not None and word.id in scope.names:
            message = f"`{word.id}` is a name given here; it never changes"
            hint = ("declare a state for what changes",)
        elif name in self.env.zones:
            message = f"`{name}` is a zone; cards are moved, not set"
            hint = (f"`move … to {name}`",)
        elif name in self.env.options:
            message = f"`{name}` is an option; it does not change during a game"
            hint = ("declare a state for what changes",)
        elif word is not None and name not in set(self.env.names()):
            similar = self.env.similar(name, self.env.states, word.span)
            similar["hint"] = similar["hint"] or (f"declare it: `state: {{{name}: …}}`",)
            if value is not None:
                whole = Span(node.span.source, node.span.start - len("set "), value.span.end)
                named = Fix(whole, f"let {name} be {written(value)}", sure=False)
                wanted = len(re.findall(rf"\b{re.escape(name)}\b", node.span.source.text)) > 1
                similar["fix"] = (*similar["fix"], *((named,) if wanted and whole.text.startswith("set ") else ()))
            self.env.report.error(
                "unknown-state", f"no state named `{name}`", word.span, "not declared under `state:`", **similar
            )
            raise Reported
        else:
            message = f"`{written(node)}` is not something that can be set"
            hint = ("only what is declared under `state:` can be set",)
            if word is not None:
                similar = self.env.similar(name, self.env.states, word.span)
                similar["hint"] = hint
                self.env.report.error("not-a-state", message, node.span, **similar)
                raise Reported
        self.env.report.error("not-a-state", message, node.span, hint=hint)
        raise Reported

    def _set(self, node: ast.Set, scope: Scope) -> Scope:
        state, owner = self._target(node.target, scope, node.value)
        held = self.env.state_list[state]
        value = None
        if node.value is not None:
            if held.type.kind in ("seat", "card"):
                value = self.elaborator.pointed(node.value, scope, held.type, f"`{held.name}`")
            else:
                value = self.elaborator.typed(node.value, scope, held.type, f"`{held.name}`", widen=True)
            self._check_bounds(held, value, node.value.span)
        self.flow.emit(ir.SetState(state=state, owner=owner, value=value, clause=self.flow.clause(node)))
        return scope

    def _check_bounds(self, held: ir.State, value: ir.Expr, span: Span) -> None:
        """Report a constant that is out of the bounds of a state."""
        if not isinstance(value, ir.Const) or Bounds(held.low, held.high, held.most).allow(value.value):
            return
        many = isinstance(value.value, tuple) and held.most is not None and len(value.value) > held.most
        if many:
            message = f"`{held.name}` holds at most {held.most}, so it cannot be a list of {len(value.elements)}"
        else:
            message = f"`{held.name}` goes from {held.low} to {held.high}, so it cannot be {value.text}"
        hint = "set it to a number in its range, or widen the range"
        if held.most is not None:
            hint = "set it to a shorter list, or raise `most`" if many else hint.replace("set it to", "add")
        self.env.report.error("out-of-range", message, span, hint=hint)

    def _is_list(self, node: ast.Expr) -> bool:
        """Whether an expression names a list in state."""
        index = self.env.states.get(node.name)
        return index is not None and self.env.state_list[index].type.kind == "list"

    def _add_to(self, node: ast.AddTo, scope: Scope) -> Scope:
        if self._is_list(node.value) and not self._is_list(node.target):
            verb, to = ("removed", "from") if node.remove else ("added", "to")
            whole = Span(node.span.source, node.value.span.start, node.target.span.end)
            self.env.report.error(
                "not-a-state",
                f"what is {verb} stands first, and then the list",
                whole,
                fix=Fix(whole, f"{written(node.target)} {to} {written(node.value)}"),
            )
            raise Reported
        state, owner = self._target(node.target, scope)
        held = self.env.state_list[state]
        if is_unknown(held.type):
            raise Reported
        if held.type.kind != "list":
            verb, named = "remove" if node.remove else "add", written(node.target)
            self.env.report.error(
                "wrong-type",
                f"`{verb}` is for lists of seats; `{held.name}` is {held.type}",
                node.target.span,
                hint=f"`set {named} to {named} {'-' if node.remove else '+'} …`" if held.type == NUMBER else (),
            )
            raise Reported
        what = "what is removed" if node.remove else "what is added"
        value = self.elaborator.pointed(node.value, scope, held.type.of or held.type, what)
        if not node.remove:
            self._check_bounds(held, value, node.value.span)
        self.flow.emit(
            ir.AddTo(state=state, owner=owner, value=value, remove=node.remove, clause=self.flow.clause(node))
        )
        return scope

    def _let(self, node: ast.Let, scope: Scope) -> Scope:
        if node.word.name in self.env.states and node.word.id not in scope.names:
            self.env.report.error(
                "name-taken",
                f"`{node.word.id}` is a state; it is changed with `set`",
                node.word.span,
                fix=Fix(node.span, f"set {node.word.id} to {written(node.value)}"),
            )
            raise Reported
        check_free(self.env, node.word, scope)
        value = self.elaborator.expr(node.value, scope)
        index = self.flow.new_slot(node.word.id, value.type)
        self.flow.emit(ir.Let(slot=index, value=value, clause=self.flow.clause(node)))
        return scope.bind(node.word.id, self.flow.slot(index), speaks=False)

    def _draw(self, node: ast.Draw, scope: Scope) -> Scope:
        check_free(self.env, node.word, scope)
        source = self.elaborator.listed(node.source, scope, "what is picked from")
        index = self.flow.new_slot(node.word.id, source.type.of or Type("unknown"))
        self.flow.emit(ir.Draw(slot=index, source=source, clause=self.flow.clause(node)))
        return scope.bind(node.word.id, self.flow.slot(index), speaks=False)

    def _score(self, node: ast.Score, scope: Scope) -> Scope:
        amount = self.elaborator.typed(node.amount, scope, NUMBER, "what is scored")
        seat, side = self._scorer(node.seat, scope)
        columns = list(self.env.declared.columns)
        column = 0
        if node.column is not None:
            if node.column.id not in columns:
                self.env.report.error(
                    "unknown-column",
                    f"the ledger has no column `{node.column.id}`",
                    node.column.span,
                    "not declared under `ledger: columns:`",
                    **self.env.similar(node.column.id, columns, node.column.span, "columns"),
                )
                return scope
            column = columns.index(node.column.id)
        table = self._score_table(amount)
        if table is not None and isinstance(amount, ir.Call):
            self._score_rows(table, amount.args, seat, side, column)
            return scope
        clause = self.flow.clause(node)
        self.flow.emit(
            ir.Score(amount=amount, seat=seat, side=side, column=column, label=node.label, clause=clause)
        )
        return scope

    def _scorer(self, node: ast.Expr, scope: Scope) -> tuple[ir.Expr, bool]:
        """The scoring seat, and whether it represents a team, whose first seat keeps the score."""
        found = self.elaborator.expr(node, scope, SEAT)
        if certain(found.type) == TEAM:
            return first_seat_of(self.env, found), True
        return coerce(self.env, found, SEAT, node.span, "who scores", pointing=True), False

    def _mark(self, node: ast.Mark, scope: Scope) -> Scope:
        seat = self.elaborator.pointed(node.seat, scope, SEAT, "who is marked")
        marks = list(self.env.declared.marks)
        if node.mark.id not in marks:
            self.env.report.error(
                "unknown-mark",
                f"the ledger has no mark `{node.mark.id}`",
                node.mark.span,
                "not declared under `ledger: marks:`",
                **self.env.similar(node.mark.id, marks, node.mark.span, "marks"),
            )
            return scope
        self.flow.emit(ir.Mark(seat=seat, mark=marks.index(node.mark.id), clause=self.flow.clause(node)))
        return scope

    def _score_table(self, amount: ir.Expr) -> ScoreDecl | None:
        """The score table whose sum is scored, if the amount is one."""
        if not isinstance(amount, ir.Call):
            return None
        tables = self.env.declared.scores
        return next((t for n, t in tables.items() if self.env.definitions[n].index == amount.definition), None)

    def _score_rows(
        self, table: ScoreDecl, args: tuple[ir.Expr, ...], seat: ir.Expr, side: bool, column: int
    ) -> None:
        """One entry for each row that scores; end conditions are tested after each."""
        for row in table.rows:
            path = f"{table.name}.{row.name}"
            parts = self._row(f"{path}.parts", args) if row.grouped else None
            self.flow.emit(
                ir.Score(
                    amount=self._row(path, args),
                    seat=seat,
                    side=side,
                    column=column,
                    label=row.label,
                    table=table.name,
                    parts=parts,
                    clause=self.env.clause(row.line),
                )
            )

    def _row(self, name: str, args: tuple[ir.Expr, ...]) -> ir.Expr:
        info = self.env.definitions[name]
        kind = self.definitions.type_of(info, info.decl.line.span)
        return ir.Call(type=kind, definition=info.index, args=args, text=name)

    def _announce(self, node: ast.Announce, scope: Scope) -> Scope:
        value = self.elaborator.expr(node.value, scope)
        parts = self._parts_of(node.value.span, scope) if isinstance(node.value, ast.Text) else ()
        self.flow.emit(ir.Announce(value=value, parts=parts, clause=self.flow.clause(node)))
        return scope

    def _parts_of(self, text: Span, scope: Scope) -> tuple[ir.Expr, ...]:
        """The expressions in braces in a text, each with the source between the braces as its `text`."""
        found: dict[str, ir.Expr] = {}
        for brace in BRACES.finditer(text.text):
            span = Span(text.source, text.start + brace.start(1), text.start + brace.end(1))
            if brace[1] in found:
                continue
            parsed = parse("expr", span, self.env.report, vocabulary=self.env.declared.vocabulary)
            if parsed is not None:
                found[brace[1]] = replace(self.elaborator.expr(parsed, scope), text=brace[1])
        return tuple(found.values())

"""Lists the coverage items of a game: conditions, cases, rows, tiers, actions, ends, windows, statements.

In: declarations, and a program compiled from them, for the types of definitions. Out: `Item`s in file order, including
those that only some settings of the options make reachable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.source import Span
from hoyle.language.declare.calls import blocks_of
from hoyle.language.declare.declarations import AnyCondition, Condition, Declarations, DefinitionDecl, Line
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import TRUTH

Kind = Literal[
    "condition", "definition", "case", "row", "tier", "offer", "action", "pick", "end", "window", "branch", "limit",
    "statement",
]  # fmt: skip
Outcome = Literal["held", "failed"]
Place = tuple[str, str, int, int]
Key = tuple[Kind, Place, str]

BOTH: tuple[Outcome, ...] = ("held", "failed")
HELD: tuple[Outcome, ...] = ("held",)
FAILED: tuple[Outcome, ...] = ("failed",)


@dataclass(frozen=True, slots=True)
class Item:
    """A coverage item. `needs` are the outcomes that must all be observed; `part` distinguishes items at the same
    location. `negated`: its counts are swapped, because the clause forbids."""

    kind: Kind
    path: str
    span: Span = field(compare=False)
    needs: tuple[Outcome, ...] = HELD
    part: str = ""
    negated: bool = False

    @property
    def key(self) -> Key:
        line, column = self.span.source.line_and_column(self.span.start)
        return self.kind, (self.path, self.span.source.name, line, column), self.part

    @property
    def name(self) -> str:
        return f"{self.path}: {self.part}" if self.part else self.path

    @property
    def text(self) -> str:
        """The source line of the item."""
        source = self.span.source
        return source.line_text(source.line_and_column(self.span.start)[0]).strip()


def list_items(declared: Declarations, program: ir.Program) -> list[Item]:
    """List all distinct items in file order."""
    truths = {definition.name for definition in program.definitions if definition.type == TRUTH}
    found = [
        *_list_definitions(declared, truths),
        *_list_scores(declared),
        *_list_actions(declared),
        *_list_choices(declared),
        *(Item("end", end.line.path, end.line.span, BOTH) for end in declared.ends),
        *_list_steps(declared),
    ]
    unique = {item.key: item for item in found}
    return sorted(unique.values(), key=lambda item: (item.span.source.name, item.span.start, item.kind, item.part))


def _list_definitions(declared: Declarations, truths: set[str]) -> Iterator[Item]:
    rows = {f"{table.name}.{row.name}" for table in declared.scores.values() for row in table.rows}
    for name, decl in declared.definitions.items():
        of_table = name in declared.scores or any(name == row or name.startswith(f"{row}.") for row in rows)
        if not of_table:
            yield Item("definition", decl.line.path, decl.line.span, _needs_of(decl) if name in truths else HELD)
            yield from _list_body(decl)
    if declared.winners is not None:
        yield from _list_body(declared.winners)


def _needs_of(decl: DefinitionDecl) -> tuple[Outcome, ...]:
    """Return the outcomes of a truth definition; the constants `true` and `false` have only one."""
    expr = decl.body.expr
    said = expr.id if isinstance(expr, ast.Name) else ""
    return {"true": HELD, "false": FAILED}.get(said, BOTH)


def _list_body(decl: DefinitionDecl) -> Iterator[Item]:
    """Yield the cases and the named conditions of a definition."""
    for case in decl.body.cases:
        yield Item("case", case.line.path, case.line.span)
    for part in decl.body.condition.parts if decl.body.condition is not None else ():
        yield from _list_condition(part)


def _list_condition(part: AnyCondition) -> Iterator[Item]:
    if isinstance(part, Condition):
        yield Item("condition", part.line.path, part.line.span, BOTH if part.test else FAILED, negated=part.negated)
        return
    yield Item("condition", part.line.path, part.line.span, BOTH, part=part.op)
    for inner in part.parts:
        yield from _list_condition(inner)


def _list_scores(declared: Declarations) -> Iterator[Item]:
    for table in declared.scores.values():
        for row in table.rows:
            yield Item("row", row.line.path, row.line.span, BOTH)
            yield from _list_body(declared.definitions[f"{table.name}.{row.name}"])


def _list_actions(declared: Declarations) -> Iterator[Item]:
    for action in declared.actions.values():
        yield Item("action", action.line.path, action.line.span)
        for pick in action.picks:
            yield Item("pick", pick.line.path, pick.line.span)
        for part in (*action.possible, *action.allowed):
            yield from _list_condition(part)
        yield from _list_statements(action.line, action.do, declared)


def _list_choices(declared: Declarations) -> Iterator[Item]:
    for choice in declared.choices.values():
        for tier in choice.tiers:
            yield Item("tier", tier.line.path, tier.line.span)
            yield from _list_offers(tier.line.path, tier.line.span, "", tier.offer.tiers[0])


def _list_offers(path: str, span: Span, tier: str, items: tuple[ast.Item, ...]) -> Iterator[Item]:
    """Yield the actions of a tier that offers several."""
    if len(items) > 1:
        for action in dict.fromkeys(item.action.name for item in items):
            yield Item("offer", path, span, part=f"{tier} {action}".strip())


def _list_steps(declared: Declarations) -> Iterator[Item]:
    for step in (step for step in declared.steps.values() if not step.is_action):
        yield from _list_statements(step.line, step.do, declared)


def _list_statements(line: Line, statements: tuple[ast.Statement, ...], declared: Declarations) -> Iterator[Item]:
    for one in statements:
        yield from _list_statement(line, one, declared)
        if isinstance(one, ast.Cases):
            for case in one.cases:
                inner = Line(f"{line.path}.{case.word.id}", case.word.span)
                yield Item("branch", inner.path, inner.span)
                yield from _list_statements(inner, case.do, declared)
            continue
        for block in blocks_of(one):
            yield from _list_statements(line, block, declared)


def _list_statement(line: Line, one: ast.Statement, declared: Declarations) -> Iterator[Item]:
    match one:
        case ast.If():
            yield Item("branch", line.path, one.span, BOTH)
            for test, _ in one.cases[1:]:
                yield Item("branch", line.path, test.span, BOTH)
        case ast.Repeat():
            if one.until is not None:
                yield Item("branch", line.path, one.until.span, BOTH)
            if one.at_most:
                yield Item("limit", line.path, one.span, BOTH)
        case ast.Choose() | ast.Offer():
            yield Item("statement", line.path, one.span)
            if isinstance(one, ast.Offer):
                yield Item("window", line.path, one.span, BOTH)
            yield from _list_menu(line.path, one, declared)
        case ast.Cases() | ast.Nothing():
            pass  # its cases, or whatever leads to `nothing`, are items of their own
        case ast.Score() if one.amount.name in declared.scores:
            pass  # its rows are items of their own
        case _:
            yield Item("statement", line.path, one.span)


def _list_menu(path: str, one: ast.Choose | ast.Offer, declared: Declarations) -> Iterator[Item]:
    """Yield the tiers of an inline menu."""
    tiers = one.menu.tiers
    if len(tiers) == 1 and len(tiers[0]) == 1 and tiers[0][0].action.name in declared.choices:
        return
    for number, tier in enumerate(tiers, 1):
        if len(tiers) > 1:
            yield Item("tier", path, one.span, part=f"tier {number}")
        yield from _list_offers(path, one.span, f"tier {number}", tier)

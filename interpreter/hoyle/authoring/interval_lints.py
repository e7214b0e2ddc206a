"""Review: rules that can be played but are probably mistakes.

In: a checked game. Out: diagnostics: conditions that never hold or never fail, ends that cannot occur, cases shadowed
by earlier ones, scores without a label.

Conditions are decided by interval analysis: attributes and options have their declared ranges, counts are not negative,
and anything else is unknown. A comment on the line marks an intended case: `# never holds: why`, `# never fails: why`,
`# unreached: why`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from hoyle.base.dataclass import dataclass, list_fields
from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.source import Span
from hoyle.language.compile import Checked
from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import AnyCondition, AttributeDecl, Condition, Declarations, Line
from hoyle.language.declare.reading_parts import numbers_of
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import BRACES, written
from hoyle.program.words import Op, op_named

_MEANT = re.compile(r"#\s*(unreached|never holds|never fails):\s*\S")
DEEPEST = 20  # definitions that are followed


@dataclass(frozen=True, slots=True)
class Range:
    """The interval of a number; `certain` if it cannot be none."""

    low: float
    high: float
    certain: bool = True


@dataclass(frozen=True, slots=True)
class _Test:
    """A condition of the file, and its description for messages."""

    expr: ast.Expr
    what: str
    is_end: bool = False


def review(checked: Checked) -> None:
    """Report probable mistakes in the game's own file."""
    declared = checked.declared
    if declared is None or declared.line is None:
        return
    _Review(declared, checked.report, declared.line.span.source.name).run()


class _Review:
    def __init__(self, declared: Declarations, report: Report, home: str) -> None:
        self.declared, self.report, self.home = declared, report, home
        deck = declared.deck
        self.attributes = {each.name: each for each in deck.attributes if each.values is None} if deck else {}

    def run(self) -> None:
        judged = [test.expr.span for test in self._tests() if self._concerns(test.expr.span) and self._judge(test)]
        declared = self.declared
        parts = [*declared.definitions.values(), *declared.units(), *declared.choices.values()]
        for compared in _comparisons(parts) if self.attributes else ():
            at = compared.span
            if self._concerns(at) and not any(span.start <= at.start < span.end for span in judged):
                self._check_listed(compared) if isinstance(compared, ast.IsIn) else self._check_printed(compared)
        for named in self._case_lists():
            self._compare_cases(named)
        for unit in self.declared.units():
            for one in statements_in(unit.do):
                if isinstance(one, ast.Score) and self._concerns(one.span):
                    self._check_label(one)

    def _concerns(self, span: Span) -> bool:
        """Whether a location is in the game's own file, and no comment marks it as intended."""
        source = span.source
        return source.name == self.home and not source.supposed and not _MEANT.search(source.line_text(span.line))

    # ---------------------------------------------------------------------------------------------- conditions
    def _tests(self) -> Iterator[_Test]:
        declared = self.declared
        for action in declared.actions.values():
            for condition in (*action.possible, *action.allowed):
                yield from _leaves(condition)
        for definition in declared.definitions.values():
            yield from _leaves(definition.body.condition) if definition.body.condition is not None else ()
            yield from (_Test(case.when, "case") for case in definition.body.cases if case.when is not None)
        for choice in declared.choices.values():
            yield from (_Test(tier.when, "tier") for tier in choice.tiers if tier.when is not None)
        for unit in declared.units():
            for one in statements_in(unit.do):
                if isinstance(one, ast.If):
                    yield from (_Test(test, "condition") for test, _ in one.cases)
                elif isinstance(one, ast.Repeat) and one.until is not None:
                    yield _Test(one.until, "condition")
                elif isinstance(one, ast.Cases):
                    yield from (_Test(case.when, "case") for case in one.cases if case.when is not None)
        yield from (_Test(end.when, "end", is_end=True) for end in declared.ends)

    def _judge(self, test: _Test) -> bool:
        """Report a condition that never holds or never fails; whether it is one."""
        if isinstance(test.expr, ast.Name) and test.expr.id in ("true", "false"):
            return False  # explicit
        known = self._truth(test.expr)
        if known is None:
            return False
        said = written(test.expr)
        if test.is_end and not known:
            self.report.error("end-unreachable", f"this end cannot come: `{said}` never holds", test.expr.span,
                              hint="compare with what the numbers can be, or leave the end out")  # fmt: skip
        elif known:
            self.report.error("never-fails", f"this {test.what} always holds: `{said}`", test.expr.span,
                              hint="leave it out, or compare with something that can differ")  # fmt: skip
        else:
            shown = self._shown(test.expr) if isinstance(test.expr, ast.Compare) else ""
            self.report.error("never-holds", f"this {test.what} never holds: `{said}`", test.expr.span,
                              hint=shown or "compare with what the numbers can be, or leave it out")  # fmt: skip
        return True

    def _check_printed(self, one: ast.Compare) -> None:
        """Report what an attribute is compared with, wherever it stands, if no card can have it."""
        printed = next((self._attribute(side) for side in (one.left, one.right) if self._attribute(side)), None)
        number = next((side for side in (one.left, one.right) if isinstance(side, ast.Int)), None)
        if printed is None or number is None or self._compare(one) is None:
            return
        hint = self._shown(one) or f"`{printed.name}` goes from {printed.low} to {printed.high}"
        if self._compare(one):
            self.report.error("never-fails", f"this always holds: `{written(one)}`", one.span, hint=hint)
        else:
            self.report.error("never-holds", f"no card can have this: `{written(one)}`", one.span, hint=hint)

    def _check_listed(self, one: ast.IsIn) -> None:
        """Report numbers among which an attribute is looked for, if no card can have them."""
        printed = self._attribute(one.arg)
        if printed is None:
            return
        listed = one.list.body if isinstance(one.list, ast.Group) else one.list
        for item in listed.items if isinstance(listed, ast.ListOf) else (listed,):
            ends = (item.left, item.right) if isinstance(item, ast.Binary) and item.op == ".." else (item, item)
            low, high = self._range(ends[0]), self._range(ends[1])
            if low is not None and high is not None and (high.high < printed.low or low.low > printed.high):
                self.report.error(
                    "never-holds",
                    f"no card can have this: `{written(item)}`",
                    item.span,
                    hint=f"`{printed.name}` goes from {printed.low} to {printed.high}",
                )

    def _attribute(self, expr: ast.Expr) -> AttributeDecl | None:
        return self.attributes.get(expr.word.name) if isinstance(expr, ast.Of) else None

    def _shown(self, one: ast.Compare) -> str:
        """A hint where the number compared with is how another is shown: a 15 that players see as 2."""
        for side, other in ((one.left, one.right), (one.right, one.left)):
            printed = self._attribute(side)
            if printed is not None and isinstance(other, ast.Int):
                numbers = [number for number, text in printed.shorts.items() if text == str(other.value)]
                return f"what is shown as {other.value} is {numbers[0]}: write `{numbers[0]}`" if numbers else ""
        return ""

    def _truth(self, expr: ast.Expr) -> bool | None:
        """The constant value of a condition; None if it depends."""
        match expr:
            case ast.Group():
                return self._truth(expr.body)
            case ast.Not():
                inner = self._truth(expr.arg)
                return None if inner is None else not inner
            case ast.Logic():
                parts = self._truth(expr.left), self._truth(expr.right)
                deciding = expr.op == "or"
                if deciding in parts:
                    return deciding
                return not deciding if None not in parts else None
            case ast.Compare():
                return self._compare(expr)
        return None

    def _compare(self, expr: ast.Compare) -> bool | None:
        left, right = self._range(expr.left), self._range(expr.right)
        if left is None or right is None:
            return None
        always, never = {
            "<": (left.high < right.low, left.low >= right.high),
            "<=": (left.high <= right.low, left.low > right.high),
            ">": (left.low > right.high, left.high <= right.low),
            ">=": (left.low >= right.high, left.high < right.low),
            "=": (left.low == left.high == right.low == right.high, left.high < right.low or right.high < left.low),
            "!=": (left.high < right.low or right.high < left.low, left.low == left.high == right.low == right.high),
        }[expr.op]
        certain = left.certain and right.certain
        if always and certain:
            return True
        return False if never and (certain or expr.op != "!=") else None  # comparisons with none are false, except `!=`

    def _range(self, expr: ast.Expr, depth: int = 0) -> Range | None:
        """The interval of a number; None if unknown, or not a number."""
        match expr:
            case ast.Int():
                return Range(expr.value, expr.value)
            case ast.Group():
                return self._range(expr.body, depth)
            case ast.Name():
                return self._named(expr.name, depth)
            case ast.Of():
                return self._range_of_word(expr.word.name)
            case ast.Binary() if expr.op in ("+", "-", "*"):
                return _combine(expr.op, self._range(expr.left, depth), self._range(expr.right, depth))
        return None

    def _named(self, name: str, depth: int) -> Range | None:
        declared = self.declared
        if name == "players":
            return Range(*declared.allowed)
        option = declared.options.get(name)
        if option is not None and option.kind == "number":
            return Range(option.low, option.high, not option.or_none)
        definition = declared.definitions.get(name)
        if definition is not None and definition.body.expr is not None and depth < DEEPEST:
            return self._range(definition.body.expr, depth + 1)
        return self._range_of_state(name)

    def _range_of_state(self, name: str) -> Range | None:
        state = self.declared.states.get(name)
        text = state.type.text if state is not None else ""
        bounds = numbers_of(text.removesuffix(" or none")) if ".." in text else None
        return Range(*bounds, not text.endswith(" or none")) if bounds is not None else None

    def _range_of_word(self, word: str) -> Range | None:
        if op_named(word) is Op.COUNT:
            return Range(0, math.inf)
        attribute = self.attributes.get(word)
        # The card may be none, or lack the attribute.
        return Range(attribute.low, attribute.high, False) if attribute is not None else self._range_of_state(word)

    # ---------------------------------------------------------------------------------------------- cases
    def _case_lists(self) -> Iterator[list[tuple[str, Span, ast.Expr | None]]]:
        for definition in self.declared.definitions.values():
            if definition.body.cases:
                yield [(_last(case.line), case.line.span, case.when) for case in definition.body.cases]
        for unit in self.declared.units():
            for one in statements_in(unit.do):
                if isinstance(one, ast.Cases):
                    yield [(case.word.id, case.word.span, case.when) for case in one.cases]
                elif isinstance(one, ast.If) and len(one.cases) > 1:
                    yield [("this", test.span, test) for test, _ in one.cases]

    def _compare_cases(self, cases: list[tuple[str, Span, ast.Expr | None]]) -> None:
        for place, (name, span, when) in enumerate(cases):
            if when is None or not self._concerns(span):
                continue
            for earlier, there, test in cases[:place]:
                if test is not None and self._implies(when, test):
                    what = "this case" if name == "this" else f"the case `{name}`"
                    self.report.error(
                        "overlapping-cases",
                        f"{what} is never taken: whenever it holds, an earlier one does",
                        span,
                        others=(Label(there, "this one" if earlier == "this" else f"`{earlier}` is taken instead"),),
                        hint="put the narrower case first, or leave one of them out",
                    )
                    break

    def _implies(self, one: ast.Expr, other: ast.Expr) -> bool:
        """Whether one condition implies another, by syntactic rules."""
        if written(one) == written(other):
            return True
        if isinstance(one, ast.Group):
            return self._implies(one.body, other)
        if isinstance(other, ast.Group):
            return self._implies(one, other.body)
        if isinstance(one, ast.Logic) and one.op == "and":
            return self._implies(one.left, other) or self._implies(one.right, other)
        if isinstance(other, ast.Logic) and other.op == "or":
            return self._implies(one, other.left) or self._implies(one, other.right)
        if isinstance(one, ast.Compare) and isinstance(other, ast.Compare) and written(one.left) == written(other.left):
            inner, outer = self._bounds(one), self._bounds(other)
            return inner is not None and outer is not None and outer[0] <= inner[0] and inner[1] <= outer[1]
        return False

    def _bounds(self, expr: ast.Compare) -> tuple[float, float] | None:
        """The interval of integers for which a comparison with a literal holds."""
        if not isinstance(expr.right, ast.Int):
            return None
        value = expr.right.value
        return {
            "<": (-math.inf, value - 1),
            "<=": (-math.inf, value),
            ">": (value + 1, math.inf),
            ">=": (value, math.inf),
            "=": (value, value),
        }.get(expr.op)

    # ---------------------------------------------------------------------------------------------- scores
    def _check_label(self, one: ast.Score) -> None:
        if not one.label and one.column is None and one.amount.name not in self.declared.scores:
            self.report.error(
                "unlabelled-score",
                "this score has no label, so that nobody can see on the sheet what it was for",
                one.span,
                hint='say what it is for: `score … to … for "last trick"`',
            )
        if (braces := BRACES.search(one.label)) is not None:
            start = one.span.start + max(one.span.text.rfind(braces[0]), 0)
            self.report.error(
                "braces-in-text",
                f"the label of a score is told as it stands, with `{braces[0]}` in it",
                Span(one.span.source, start, start + len(braces[0])),
                hint="values in braces are told by `announce`",
            )


def _comparisons(node: Any) -> Iterator[ast.Compare | ast.IsIn]:
    """All comparisons of declarations, or of a part of them."""
    if isinstance(node, ast.Compare | ast.IsIn):
        yield node
    if isinstance(node, tuple | list):
        parts = iter(node)
    elif isinstance(node, Span | Line | str):
        return
    else:
        parts = (getattr(node, name) for name in list_fields(type(node)))
    for part in parts:
        yield from _comparisons(part)


def _leaves(condition: AnyCondition) -> Iterator[_Test]:
    if isinstance(condition, Condition):
        if condition.test is not None:
            yield _Test(condition.test, "condition")
        return
    for part in condition.parts:
        yield from _leaves(part)


def _combine(op: str, one: Range | None, other: Range | None) -> Range | None:
    if one is None or other is None:
        return None
    certain = one.certain and other.certain
    if op == "+":
        return Range(one.low + other.low, one.high + other.high, certain)
    if op == "-":
        return Range(one.low - other.high, one.high - other.low, certain)
    ends = [first * second if first and second else 0 for first in (one.low, one.high)
            for second in (other.low, other.high)]  # fmt: skip
    return Range(min(ends), max(ends), certain)


def _last(line: Line) -> str:
    return line.path.rpartition(".")[2]

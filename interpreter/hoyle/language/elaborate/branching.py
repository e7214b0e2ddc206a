"""Elaboration of `not`, `and`, `or`, conditionals and `or else`.

In: these forms of the AST and their scope. Out: their IR; branches of different types are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hoyle.base.diagnostics.report import Fix
from hoyle.base.source import Span
from hoyle.language.elaborate.conversions import convert
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import choose, constant, logic
from hoyle.language.elaborate.name_resolution import is_value_name
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import (
    as_elements,
    as_piles,
    coerce,
    described,
    is_unknown,
    joined,
    same,
    unknown,
)
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import TRUTH, ZONE, Type, certain, list_of

# Errors that may result from the way in which an ambiguous expression was parsed.
OF_GROUPING = ("unclear-and-or", "different-types", "wrong-type", "never-none", "may-be-none", "unclear-value")
MOST_WAYS = 12


class Branching:
    """Elaborates logical operators and choices between values."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env

    def negation(self, node: ast.Not, scope: Scope, wanted: Type | None) -> ir.Expr:
        return logic("not", (self.elaborator.truth(node.arg, scope),), written(node))

    def and_or(self, node: ast.Logic, scope: Scope, wanted: Type | None) -> ir.Expr:
        self._ask_for_parentheses(node)
        first = self.elaborator.expr(node.left, scope)
        if node.op == "or" and first.type.kind == "maybe" and certain(first.type) != TRUTH:
            return self._report_or(node, first, scope)
        left = coerce(self.env, first, TRUTH, node.left.span)
        if isinstance(node.left, ast.Logic) and is_unknown(left.type):
            return unknown()  # `is J or Q or K`: the right half has the same error as the left one
        right = self._other_half(node, self.elaborator.assume(scope, left, node.op == "and"))
        return logic(node.op, (left, right), written(node))

    def _report_or(self, node: ast.Logic, first: ir.Expr, scope: Scope) -> ir.Expr:
        """Report `called or suit of top of pile`: not a condition, but a default for a value that may be none."""
        second = self.elaborator.expr(node.right, scope, certain(first.type))
        full = f"{written(node.left)} or else {written(node.right)}"
        self.env.report.error(
            "wrong-type",
            f"`or` joins conditions; `{written(node.left)}` is {described(first.type)}",
            node.span,
            hint="what stands for a value that is none is said with `or else`",
            fix=(Fix(node.span, full), Fix(node.left.span, f"{written(node.left)} is not none", sure=False)),
        )
        return unknown() if not same(first.type, second.type) else ir.OrElse(
            type=second.type, first=first, second=second, text=full
        )

    def _ask_for_parentheses(self, node: ast.Logic) -> None:
        """Report the ambiguous `A and B or C`."""
        if node.op != "or":
            return
        for mixed, first in ((node.left, True), (node.right, False)):
            if isinstance(mixed, ast.Logic) and mixed.op == "and":
                left, right = written(node.left), written(node.right)
                inner, outer = written(mixed.left), written(mixed.right)
                texts = (
                    (f"({left}) or {right}", f"{inner} and ({outer} or {right})")
                    if first
                    else (f"{left} or ({right})", f"({left} or {inner}) and {outer}")
                )
                self.env.report.error(
                    "unclear-and-or",
                    "`and` and `or` stand side by side; which belongs together is not plain",
                    node.span,
                    hint="put what belongs together in parentheses",
                    fix=[Fix(node.span, text, sure=False) for text in texts],
                )
                return

    def _other_half(self, node: ast.Logic, scope: Scope) -> ir.Expr:
        """The right operand of `and` or `or`; `card is in hand or pile` is reported with the probable intention as a
        fix."""
        before = node.left.right if isinstance(node.left, ast.Logic) else node.left
        after, full = written(node.right), self._say_in_full(node, before)
        right: ir.Expr | None = None
        if full and isinstance(node.right, ast.Name) and is_value_name(self.env, node.right, scope):
            kind = self.env.values[node.right.name][0].type
        else:
            right = self.elaborator.expr(node.right, scope)
            kind = right.type
            if not full or same(kind, TRUTH):
                return coerce(self.env, right, TRUTH, node.right.span)
        self.env.report.error(
            "wrong-type",
            f"`{node.op}` joins conditions; `{after}` is {described(kind)}",
            node.right.span,
            described(kind),
            hint="each side says what it is about",
            fix=(*self._as_tests(node, right), Fix(before.span.to(node.right.span), full, sure=not _is_empty(before))),
        )
        return unknown()

    def _as_tests(self, node: ast.Logic, right: ir.Expr | None) -> tuple[Fix, ...]:
        """Fixes for a value that may be none where a condition is expected: test that it is there."""
        if right is None or right.type.kind != "maybe":
            return ()
        return tuple(replace(fix, sure=False) for fix in convert(self.env, right, TRUTH, node.right.span))

    def _say_in_full(self, node: ast.Logic, before: ast.Expr) -> str:
        """The expansion of `suit of card is clubs or hearts`, where the right operand continues the test on the left. A
        negated test becomes `not in` a list of both, whether `or` or `and` was written."""
        after = written(node.right)
        if isinstance(before, ast.IsIn):
            return f"{written(before.arg)} is {'not ' if before.negated else ''}in ({written(before.list)} + {after})"
        if isinstance(before, ast.IsA):
            what, word = written(before.arg), before.word.id
            if before.word.name not in self.env.definitions and word not in ("none", "empty"):
                return f"{what} is {'not ' if before.negated else ''}in ({word}, {after})"
            if before.negated:
                return f"not ({what} is {word} or {what} is {after})"
            return f"{written(before)} {node.op} {what} is {after}"
        if isinstance(before, ast.Compare) and before.op in ("=", "!="):
            sign = "is in" if before.op == "=" else "is not in"
            return f"{written(before.left)} {sign} ({written(before.right)}, {after})"
        if isinstance(before, ast.Compare):
            return f"{written(before)} {node.op} {written(before.left)} {before.op} {after}"
        return ""

    def choice(self, node: ast.Choice, scope: Scope, wanted: Type | None) -> ir.Expr:
        if isinstance(node.no, ast.OrElse):
            test_text, no_text = written(node.test), written(node.no.first)
            return self._report_unclear(
                node, scope, (node.yes, node.test, node.no.first, node.no.second),
                lambda first, last: (
                    f"{first} if {test_text} otherwise ({no_text} or else {last})",
                    f"({first} if {test_text} otherwise {no_text}) or else {last}",
                ),
            )  # fmt: skip
        test = self.elaborator.truth(node.test, scope)
        known = len(self.env.report.diagnostics)
        yes = self.elaborator.expr(node.yes, self.elaborator.assume(scope, test), wanted)
        no = self.elaborator.expr(node.no, self.elaborator.assume(scope, test, False), wanted or certain(yes.type))
        found = either(self.env, test, yes, no, node.yes.span, node.no.span, written(node))
        between = f"if {written(node.test)} otherwise"
        return unknown() if self._regroup(known, node.span, node.yes, between, node.no) else found

    def _regroup(self, known: int, span: Span, first: ast.Expr, between: str, last: ast.Expr) -> bool:
        """Whether an error was found, after so many diagnostics, in an operand that may belong to what follows it:
        `pile is empty or bid if … otherwise 5 > 4`. All errors that follow from this grouping are replaced by one, with
        parentheses as fixes."""
        found = self.env.report.diagnostics
        refused = [
            one for one in found[known:]
            if one.code == "wrong-type" and isinstance(first, ast.Logic) and one.primary is not None
            and one.primary.span == first.right.span
        ]  # fmt: skip
        if not refused:
            return False
        texts = [
            f"{head}({value} {between} {rest}){tail}"
            for head, value in _peel_left(first)
            for rest, tail in _peel_right(last)
            if head
        ]
        fixes = [Fix(span, text, sure=False) for text in texts[:MOST_WAYS]]
        others = [one for one in found[known:] if one.code not in OF_GROUPING]
        found[known:] = [replace(refused[0], candidates=(*fixes, *refused[0].candidates)), *others]
        return True

    def _report_unclear(
        self, node: ast.Expr, scope: Scope, parts: tuple[ast.Expr, ...], group: Callable[[str, str], tuple[str, str]]
    ) -> ir.Expr:
        """Report an ambiguous combination. `group` joins the first part and the last in the ways that may be meant;
        operators at either end may apply to the whole: `pile is empty and bid or else 3 if … otherwise 5 > 4`."""
        texts = []
        for head, first in _peel_left(parts[0]):
            for last, tail in _peel_right(parts[-1]):
                texts += [f"{head}({text}){tail}" if head or tail else text for text in group(first, last)]
        report = self.env.report
        report.error(
            "unclear-and-or",
            "`or else` and `if … otherwise` stand side by side; which belongs together is not plain",
            node.span,
            hint="put what belongs together in parentheses",
            fix=[Fix(node.span, text, sure=False) for text in texts[:MOST_WAYS]],
        )
        known = len(report.diagnostics)
        for part in parts:
            self.elaborator.expr(part, scope)
        report.diagnostics[known:] = [found for found in report.diagnostics[known:] if found.code not in OF_GROUPING]
        return unknown()

    def or_else(self, node: ast.OrElse, scope: Scope, wanted: Type | None) -> ir.Expr:
        if isinstance(node.second, ast.Choice):
            yes, test = written(node.second.yes), written(node.second.test)
            return self._report_unclear(
                node, scope, (node.first, node.second.yes, node.second.test, node.second.no),
                lambda first, last: (
                    f"{first} or else ({yes} if {test} otherwise {last})",
                    f"({first} or else {yes}) if {test} otherwise {last}",
                ),
            )  # fmt: skip
        known = len(self.env.report.diagnostics)
        first = self.elaborator.expr(node.first, scope, wanted)
        second = self.elaborator.expr(node.second, scope, wanted or certain(first.type))
        if self._regroup(known, node.span, node.first, "or else", node.second):
            return unknown()
        if certain(first.type).kind == "list":
            second = as_elements(self.env, second)
        if scope.knows(first):  # redundant but harmless
            return first
        if not is_unknown(first.type) and first.type.kind not in ("maybe", "none"):
            lacking = self.env.reported & {"deck", "cards", "attributes"}  # an unreadable card may lack the attribute
            told = len(self.env.report.diagnostics) > known  # the type may change once these errors are fixed
            if node.span.source.own is not None or lacking or told:
                return first  # modules are generic: other decks may lack an attribute
            self.env.report.error(
                "never-none",
                f"`{written(node.first)}` is never none, so what follows `or else` is never used",
                node.first.span,
                fix=_without_else(node, first, second),
            )
            return first
        if not same(first.type, second.type):
            self.env.report.error(
                "different-types",
                f"this is {described(certain(first.type))} or else {described(second.type)}",
                node.second.span,
                hint="both must be the same kind of thing",
            )
            return unknown()
        kind = second.type if second.type.kind != "none" else first.type
        if isinstance(first, ir.Const):
            return second if first.value is None else constant(first.value, kind, first.text)
        return ir.OrElse(type=kind, first=first, second=second, text=written(node))


def _without_else(node: ast.OrElse, first: ir.Expr, second: ir.Expr) -> tuple[Fix, ...]:
    """Fixes for `or else` after a value that is never none; between conditions, `or` was probably meant."""
    sides = [f"({written(side)})" if isinstance(side, ast.Logic) and side.op == "and" else written(side)
             for side in (node.first, node.second)]  # fmt: skip
    either_holds = Fix(node.span, " or ".join(sides), sure=False)
    meant = (either_holds,) if same(first.type, TRUTH) and same(second.type, TRUTH) else ()
    return (*meant, Fix(node.span, written(node.first), sure=not meant))


def _is_empty(node: ast.Expr) -> bool:
    """Whether an expression tests for emptiness: a value next to it is then hardly a number of cards to compare."""
    return isinstance(node, ast.IsA) and node.word.id == "empty"


def _peel_left(node: ast.Expr) -> Iterator[tuple[str, str]]:
    """Splits of an expression into a prefix with an operator and the remaining right operand, longest operand first."""
    yield "", written(node)
    if isinstance(node, ast.Logic | ast.Compare):
        for head, rest in _peel_left(node.right):
            yield f"{written(node.left)} {node.op} {head}", rest


def _peel_right(node: ast.Expr) -> Iterator[tuple[str, str]]:
    """Splits of an expression into the remaining left operand and a suffix with an operator."""
    yield written(node), ""
    if isinstance(node, ast.Logic | ast.Compare):
        for rest, tail in _peel_right(node.left):
            yield rest, f"{tail} {node.op} {written(node.right)}"


def either(env: Environment, test: ir.Expr, yes: ir.Expr, no: ir.Expr, at: Span, other: Span, text: str) -> ir.Expr:
    """A conditional; branches of incompatible types are reported."""
    if list_of(ZONE) in (yes.type, no.type):
        yes, no = as_piles(yes), as_piles(no)
    elif yes.type.kind == "list" or no.type.kind == "list":
        yes, no = as_elements(env, yes), as_elements(env, no)
    if not same(yes.type, no.type):
        env.report.error(
            "different-types",
            f"this is {described(yes.type)} in one case and {described(no.type)} in the other",
            other,
            described(no.type),
            hint="both cases must give the same kind of thing",
        )
        return unknown()
    kind = joined(yes.type, no.type)
    found = choose(test, yes, no, kind, text)
    if isinstance(found, ir.Const):
        return constant(found.value, kind, found.text)
    return found

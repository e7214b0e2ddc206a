"""Pruning conditions for the enumeration of groups of cards.

In: the conditions on a picked group, and the index of the group in the frame. Out: a weaker, monotone condition:
whenever a group fails it, so do all supersets. Groups are thus built card by card, and dead ends are cut early.
Conditions on equal ranks or suits, on distinctness, with upper bounds, or on every card yield such a condition; all
others are tested only on complete groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hoyle.base.dataclass import dataclass
from hoyle.language.elaborate.folding import apply, logic
from hoyle.language.elaborate.scope import Frame
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, TRUTH
from hoyle.program.ir.walk import list_variables, rebuild
from hoyle.program.words import Op, applies, op_of

_TURNED: dict[Op | None, Op] = {
    Op.AT_MOST: Op.AT_LEAST, Op.AT_LEAST: Op.AT_MOST, Op.LESS: Op.GREATER, Op.GREATER: Op.LESS, Op.EQUAL: Op.EQUAL,
}  # fmt: skip
# The comparison that must not hold for a growing quantity, and for a shrinking one.
_BEYOND = {Op.AT_MOST: Op.GREATER, Op.LESS: Op.AT_LEAST, Op.EQUAL: Op.GREATER}
_SHORT_OF = {Op.AT_LEAST: Op.LESS, Op.GREATER: Op.AT_MOST}
MOST_DEEP = 12


@dataclass(frozen=True, slots=True)
class Relaxing:
    """Weakens conditions on the group in variable `place` of the frame, of at most `most` cards; `picks` is the number
    of picks of the action, `bodies` are the bodies of definitions."""

    place: int
    picks: int
    most: ir.Expr
    bodies: Sequence[ir.Expr | None]
    frame: Frame
    scales: Mapping[str, ir.Scale]

    def join(self, tests: Iterable[ir.Expr]) -> ir.Expr | None:
        """The pruning condition implied by the conjunction of these tests; None if there is none."""
        known = [test for test in tests if self._can_be_tested(test)]
        found = [weak for test in known if (weak := self._weaken(test, 0)) is not None]
        return logic("and", tuple(found)) if found else None

    def _can_be_tested(self, test: ir.Expr) -> bool:
        """Whether a test reads the group, and no later pick."""
        read = {index for index in list_variables(test) if index <= self.picks}
        return self.place in read and max(read) == self.place

    def _weaken(self, test: ir.Expr, deep: int) -> ir.Expr | None:
        if self.place not in list_variables(test):
            return _strip(test)
        if isinstance(test, ir.Named):
            return self._weaken(test.body, deep)
        if isinstance(test, ir.Call):
            body = self.bodies[test.definition]
            return self._weaken(self._write_out(body, test.args), deep + 1) if body and deep < MOST_DEEP else None
        if isinstance(test, ir.Logic):
            return self._weaken_logic(test, deep)
        if isinstance(test, ir.If) and self.place not in list_variables(test.test):
            yes, no = self._weaken(test.yes, deep), self._weaken(test.no, deep)
            if yes is None and no is None:
                return None
            always = ir.Const(type=TRUTH, value=True, text="true")
            return replace(test, test=_strip(test.test), yes=yes or always, no=no or always)
        if isinstance(test, ir.Quantified):
            is_each = self._is_group(test.source) and self.place not in list_variables(test.test)
            return replace(test, test=_strip(test.test)) if is_each and test.how != "some" else None
        if isinstance(test, ir.Apply) and (op := op_of(test)) in _TURNED:
            left, right = test.args
            turned = _TURNED[op]
            return self._weaken_comparison(_TURNED[turned], left, right, deep) or self._weaken_comparison(
                turned, right, left, deep
            )
        return None

    def _weaken_logic(self, test: ir.Logic, deep: int) -> ir.Expr | None:
        if test.op == "not":
            inner = test.parts[0]
            while isinstance(inner, ir.Named):
                inner = inner.body
            if isinstance(inner, ir.Quantified) and inner.how == "some":
                return self._weaken(replace(inner, how="no"), deep)
            return None
        found = [self._weaken(part, deep) for part in test.parts]
        kept = tuple(weak for weak in found if weak is not None)
        if not kept or (test.op == "or" and len(kept) < len(found)):
            return None
        return logic(test.op, kept)

    def _weaken_comparison(self, op: Op, left: ir.Expr, right: ir.Expr, deep: int) -> ir.Expr | None:
        """The pruning condition implied by a comparison, if `left` grows or shrinks with the group."""
        left, right = self._open(left, deep), self._open(right, deep)
        if self.place in list_variables(right):
            if op is Op.EQUAL and self._counts_kinds(left) and self._is_size(right):
                return apply(Op.EQUAL, (left, right), TRUTH)
            beside = self._take_from_size(right)
            if op is Op.EQUAL and beside is not None and self._is_span(left):
                return _never(Op.GREATER, left, apply(Op.SUBTRACT, (self.most, beside), NUMBER))
            return None
        if op in _BEYOND and self._grows(left, deep):
            return _never(_BEYOND[op], left, _strip(right))
        if op in _SHORT_OF and self._is_extreme(left, Op.LOWEST):
            return _never(_SHORT_OF[op], left, _strip(right))
        return None

    # ---------------------------------------------------------------------------------------------- forms
    def _is_group(self, expr: ir.Expr) -> bool:
        return isinstance(expr, ir.Var) and expr.index == self.place

    def _is_size(self, expr: ir.Expr) -> bool:
        return applies(expr, Op.COUNT) and self._is_group(expr.args[0])

    def _of_each(self, expr: ir.Expr) -> ir.Those | None:
        """A comprehension over the cards of the group whose filter and value concern single cards."""
        if not isinstance(expr, ir.Those) or expr.orders or not self._is_group(expr.source):
            return None
        inner = [part for part in (expr.where, expr.value) if part is not None]
        return None if any(self.place in list_variables(part) for part in inner) else expr

    def _counts_kinds(self, expr: ir.Expr) -> bool:
        if not applies(expr, Op.COUNT):
            return False
        kinds = expr.args[0]
        if not applies(kinds, Op.DISTINCT):
            return False
        return self._is_group(kinds.args[0]) or self._of_each(kinds.args[0]) is not None

    def _is_extreme(self, expr: ir.Expr, op: Op) -> bool:
        return applies(expr, op) and self._of_each(expr.args[0]) is not None

    def _is_span(self, expr: ir.Expr) -> bool:
        """Whether an expression is the difference between highest and lowest."""
        if not applies(expr, Op.SUBTRACT):
            return False
        return self._is_extreme(expr.args[0], Op.HIGHEST) and self._is_extreme(expr.args[1], Op.LOWEST)

    def _take_from_size(self, expr: ir.Expr) -> ir.Expr | None:
        """What is subtracted from the size of the group: 1 in `count of group - 1`."""
        if applies(expr, Op.SUBTRACT) and self._is_size(expr.args[0]):
            return expr.args[1] if self.place not in list_variables(expr.args[1]) else None
        return None

    def _grows(self, expr: ir.Expr, deep: int) -> bool:
        """Whether a number never decreases as cards join the group, once it is not none."""
        if self._is_size(expr) or self._counts_kinds(expr) or self._is_span(expr) or self._is_extreme(expr, Op.HIGHEST):
            return True
        if applies(expr, Op.COUNT) and self._of_each(expr.args[0]) is not None:
            return True
        if applies(expr, Op.SUM):
            listed = self._of_each(expr.args[0])
            return listed is not None and listed.value is not None and self._is_positive(listed.value, deep)
        return False

    def _is_positive(self, expr: ir.Expr, deep: int) -> bool:
        """Whether a number is provably not negative."""
        if isinstance(expr, ir.Const):
            return isinstance(expr.value, int) and expr.value >= 0
        if isinstance(expr, ir.Named):
            return self._is_positive(expr.body, deep)
        if isinstance(expr, ir.Attribute):
            kind = expr.type.of if expr.type.kind == "maybe" and expr.type.of is not None else expr.type
            return kind.name in self.scales and self.scales[kind.name].low >= 0
        if isinstance(expr, ir.Call):
            body = self.bodies[expr.definition]
            return body is not None and deep < MOST_DEEP and self._is_positive(body, deep + 1)
        if isinstance(expr, ir.If):
            return self._is_positive(expr.yes, deep) and self._is_positive(expr.no, deep)
        if isinstance(expr, ir.OrElse):
            return self._is_positive(expr.first, deep) and self._is_positive(expr.second, deep)
        if applies(expr, Op.ADD, Op.MULTIPLY, Op.LIST, Op.HIGHEST, Op.LOWEST):
            return all(self._is_positive(arg, deep) for arg in expr.args)
        return False

    # ---------------------------------------------------------------------------------------------- definitions
    def _open(self, expr: ir.Expr, deep: int) -> ir.Expr:
        """Inline named expressions and definitions applied to the group."""
        while True:
            if isinstance(expr, ir.Named):
                expr = expr.body
            elif isinstance(expr, ir.Call) and self.place in list_variables(expr) and deep < MOST_DEEP:
                body = self.bodies[expr.definition]
                if body is None:
                    return expr
                expr, deep = self._write_out(body, expr.args), deep + 1
            else:
                return expr

    def _write_out(self, body: ir.Expr, args: tuple[ir.Expr, ...]) -> ir.Expr:
        """The body of a definition with its arguments substituted, in the frame of the action."""
        return _substitute(body, dict(enumerate(args)), self.frame)


def _never(op: Op, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """The negation of a comparison; undecided, and so not a failure, if an operand is none."""
    return logic("not", (apply(op, (left, right), TRUTH),))


def _strip(expr: ir.Expr) -> ir.Expr:
    """An expression without clause names: pruning conditions are neither explained nor counted in coverage."""
    while isinstance(expr, ir.Named):
        expr = expr.body
    return rebuild(expr, _strip)


def _substitute(expr: ir.Expr, known: dict[int, ir.Expr], frame: Frame) -> ir.Expr:
    if isinstance(expr, ir.Var):
        return known[expr.index]
    if isinstance(expr, ir.Named):
        return _substitute(expr.body, known, frame)
    if isinstance(expr, ir.Those | ir.Quantified):
        fresh = frame.new()
        kind = expr.source.type.of or expr.source.type
        inner = {**known, expr.var: ir.Var(type=kind, index=fresh)}
        source = _substitute(expr.source, known, frame)
        made: ir.Those | ir.Quantified = rebuild(
            expr, lambda part: source if part is expr.source else _substitute(part, inner, frame)
        )
        return replace(made, var=fresh)
    return rebuild(expr, lambda part: _substitute(part, known, frame))

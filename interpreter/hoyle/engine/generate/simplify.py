"""Expressions made simpler before code is written for them; what they mean stays the same.

In: expressions of the IR. Out: the same with names of clauses dropped, small definitions written out, everything that
is known now worked out, and tables where a value depends on one card, seat or enumerated value alone.

Evaluating is pure, so the order in which parts are evaluated does not show. A fault does: whatever can fault is kept.
"""

from __future__ import annotations

from typing import Any

from hoyle.engine.evaluate import Evaluator
from hoyle.engine.faults import Fault
from hoyle.engine.generate.bounds import leave_out_certain
from hoyle.engine.generate.facts import (
    LEAVES,
    LOOPS,
    Facts,
    binder,
    count_reads,
    free_vars,
    is_heavy,
    measure,
    substitute,
)
from hoyle.engine.generate.nodes import Bind, Lookup
from hoyle.engine.legality import Frame
from hoyle.ir import nodes as ir
from hoyle.ir.types import TRUTH, ZONE, Type, certain
from hoyle.ir.walk import list_children, rebuild, walk_expression
from hoyle.model.position import Position
from hoyle.model.runtime_values import Value
from hoyle.words import Op, applies, word_of

INLINE_COST, INLINE_HEAVY, INLINE_PICK = 30, 20, 40
UNROLL = 10
UNROLL_COST = 60
UNROLL_COST_OF_TWO = 200
LARGEST_TABLE = 4000
LARGEST_INLINE = 2000
MOST_FOLDED = 20_000  # steps
MOST_ASKED = 3  # actions that ask about one another, written out
FIRST_BINDER = 1_000_000  # above all numbers given while simplifying
Env = dict[int, ir.Expr]


class Folding(Evaluator):
    """The reference evaluator, also for the nodes of the generator: what is known now is worked out by it."""

    most = MOST_FOLDED

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self._by_node[Bind] = self._bind
        self._by_node[Lookup] = self._lookup
        self.nowhere = Position(program.players, [], [], [], [], 0, 0, 0, [], 0, False)

    def _bind(self, expr: Bind, position: Position, frame: Frame) -> Any:
        frame[expr.var] = self.value(expr.value, position, frame)
        return self.value(expr.body, position, frame)

    def _lookup(self, expr: Lookup, position: Position, frame: Frame) -> Any:
        index = self.value(expr.index, position, frame)
        return expr.missing if index is None else expr.table[index]


class Simplifier:
    """Simplifies the expressions of one program; numbers of binders are never used twice."""

    def __init__(self, program: ir.Program, facts: Facts) -> None:
        self.program = program
        self.facts = facts
        self.folding = Folding(program)
        self.made = 0
        self._asked = 0
        self._params: set[int] = set()
        self._bodies: dict[int, tuple[tuple[int, ...], ir.Expr]] = {}
        self._long: dict[int, bool] = {}
        self._costs: dict[int, int] = {}
        self._expanded: dict[int, ir.Expr] = {}
        self._tables: dict[ir.Expr, Lookup | None] = {}

    def fresh(self) -> int:
        self.made += 1
        return self.made - 1

    def simplify(self, expr: ir.Expr, env: Env | None = None) -> ir.Expr:
        """The expression made simple; `env` says what the numbers of its frame stand for."""
        return renumber(self._tabulate(self._write_out(expr, env or {})))

    def simplify_again(self, expr: ir.Expr) -> ir.Expr:
        """An expression that has been written out, with tables."""
        return renumber(self._tabulate(expr))

    def expand(self, expr: ir.Expr) -> ir.Expr:
        """An expression with every definition it calls written out."""

        def write_out(part: ir.Expr) -> ir.Expr | None:
            if not isinstance(part, ir.Call):
                return None
            params, body = self.body_of(part.definition)
            if part.definition not in self._expanded:
                self._expanded[part.definition] = self.expand(body)
            given = tuple(substitute(each, write_out) for each in part.args)
            return self._bind_all(self._expanded[part.definition], params, given)

        return renumber(self._tabulate(substitute(expr, write_out)))

    def join_all(self, tests: list[ir.Expr]) -> ir.Expr:
        """All of the tests, which are simple, as one."""
        return self._logic(ir.Logic(type=TRUTH, op="and", parts=tuple(tests)))

    # ---------------------------------------------------------------------------------------------- writing out
    def _write_out(self, expr: ir.Expr, env: Env) -> ir.Expr:
        match expr:
            case ir.Var():
                return env.get(expr.index) or ir.Const(type=expr.type, value=None)
            case ir.Named():
                return self._write_out(expr.body, env)
            case ir.ZoneRef():
                return self._zone(expr, env)
            case ir.Attribute():
                table = self.program.attributes[expr.attribute].table
                card = self._write_out(expr.card, env)
                return self._fold(Lookup(type=expr.type, table=table, index=card, missing=None))
            case ir.Call():
                return self._call(expr, env)
            case ir.Those() | ir.Quantified():
                return self._loop(expr, env)
        return self._settle(rebuild(expr, lambda child: self._write_out(child, env)))

    def _settle(self, expr: ir.Expr) -> ir.Expr:
        """An expression whose parts are simple, made simple itself."""
        match expr:
            case ir.Logic():
                return self._logic(expr)
            case ir.Quantified():
                return self._quantified(expr)
            case ir.CanDo():
                return self._write_out_action(expr) or expr
            case ir.If():
                if isinstance(expr.test, ir.Const):
                    return expr.yes if expr.test.value else expr.no
            case ir.OrElse():
                if isinstance(expr.first, ir.Const):
                    return expr.second if expr.first.value is None else expr.first
        return self._fold(expr)

    def _write_out_action(self, expr: ir.CanDo) -> ir.Expr | None:
        """Whether an action without picks can be done: its conditions. With one pick: whether some candidate meets
        them."""
        action, seat = self.program.actions[expr.action], expr.seat
        if not isinstance(seat, ir.Const | ir.Var) or self.facts.can_be_none(seat, self._params):
            return None
        tests: tuple[ir.Expr, ...] = (*action.possible, *(action.allowed if expr.how == "may" else ()))
        if self._asked == MOST_ASKED:
            return None
        self._asked += 1
        try:
            return self._write_out_tests(action, seat, tests)
        finally:
            self._asked -= 1

    def _write_out_tests(self, action: ir.Action, seat: ir.Expr, tests: tuple[ir.Expr, ...]) -> ir.Expr | None:
        if not action.picks:
            return self.join_all([self._write_out(test, {0: seat}) for test in tests])
        pick = action.picks[0]
        if len(action.picks) > 1 or pick.low is not None or pick.least is not None:
            return None
        var = self.fresh()
        inner: Env = {0: seat, 1: ir.Var(type=certain(pick.type), index=var)}
        tests = tests if pick.where is None else (pick.where, *tests)
        test = self.join_all([self._write_out(each, inner) for each in tests])
        source = self._write_out(pick.source, {0: seat})
        if measure(test) > INLINE_PICK or self.facts.can_fault(test) or self.facts.can_be_none(source, self._params):
            return None
        return self._quantified(ir.Quantified(type=TRUTH, how="some", var=var, source=source, test=test))

    def _zone(self, expr: ir.ZoneRef, env: Env) -> ir.Expr:
        zone = self.program.zones[expr.zone]
        if expr.owner is None:
            return ir.Const(type=ZONE, value=zone.base)
        owner = self._write_out(expr.owner, env)
        if certain(owner.type).kind != "seat" or zone.size != self.program.players:
            return ir.ZoneRef(type=expr.type, zone=expr.zone, owner=owner)
        table = tuple(range(zone.base, zone.base + zone.size))
        return self._fold(Lookup(type=expr.type, table=table, index=owner, missing=None))

    def body_of(self, number: int) -> tuple[tuple[int, ...], ir.Expr]:
        """The simplified body of a definition and the numbers of its parameters in it."""
        if number not in self._bodies:
            definition = self.program.definitions[number]
            params = tuple(self.fresh() for _ in definition.params)
            self._params.update(params)
            env: Env = {
                i: ir.Var(type=local.type, index=param)
                for i, (param, local) in enumerate(zip(params, definition.params, strict=True))
            }
            self._bodies[number] = params, self._write_out(definition.body, env)
        return self._bodies[number]

    def _call(self, expr: ir.Call, env: Env) -> ir.Expr:
        args = tuple(self._write_out(argument, env) for argument in expr.args)
        params, body = self.body_of(expr.definition)
        if self._is_long(expr.definition):
            return self._fold(ir.Call(type=expr.type, definition=expr.definition, args=args))
        return self._bind_all(body, params, args)

    def _is_long(self, definition: int) -> bool:
        """Whether a definition is worth a function of its own."""
        if definition not in self._long:
            written = self.body_of(definition)[1]
            if measure(written) > LARGEST_INLINE:  # written out again and again it would grow without end
                self._long[definition] = True
                return True
            body = self._tabulate(written)
            self._long[definition] = self.cost_of(body) > (INLINE_HEAVY if is_heavy(body) else INLINE_COST)
        return self._long[definition]

    def cost_of(self, body: ir.Expr) -> int:
        """What evaluating costs with the definitions that are called."""
        called = [node.definition for node in walk_expression(body) if isinstance(node, ir.Call)]
        for definition in called:
            if definition not in self._costs:
                self._costs[definition] = self.cost_of(self.body_of(definition)[1])
        return measure(body) + sum(self._costs[definition] for definition in called)

    def _bind_all(self, body: ir.Expr, params: tuple[int, ...], args: tuple[ir.Expr, ...]) -> ir.Expr:
        """A body with its parameters replaced by what they are given."""
        given: dict[int, ir.Expr] = {}
        binds: list[tuple[int, ir.Expr]] = []
        for param, argument in zip(params, args, strict=True):
            if isinstance(argument, ir.Const | ir.Var) or count_reads(body, param) <= 1:
                given[param] = argument
            else:
                var = self.fresh()
                binds.append((var, argument))
                given[param] = ir.Var(type=argument.type, index=var)
        made = self._refresh(body, given)
        for var, argument in reversed(binds):
            made = Bind(type=made.type, var=var, value=argument, body=made)
        return self._fold(made)

    def _refresh(self, expr: ir.Expr, given: dict[int, ir.Expr]) -> ir.Expr:
        """A copy with its own numbers for binders, and parameters replaced; what is then known is worked out."""
        if isinstance(expr, ir.Var):
            return given.get(expr.index, expr)
        own = binder(expr)
        if own is None:
            made = rebuild(expr, lambda child: self._refresh(child, given))
        else:
            var = self.fresh()
            inner = {**given, own: ir.Var(type=_element_type(expr), index=var)}
            made = rebuild(expr, lambda child: self._refresh(child, inner))
            made = _with_binder(made, var)
        return expr if made is expr else self._settle(made)

    # ---------------------------------------------------------------------------------------------- loops
    def _loop(self, expr: ir.Those | ir.Quantified, env: Env) -> ir.Expr:
        source = self._write_out(expr.source, env)
        var = self.fresh()
        inner = {**env, expr.var: ir.Var(type=_element_type(expr), index=var)}
        if isinstance(expr, ir.Quantified):
            test = self._write_out(expr.test, inner)
            return self._quantified(ir.Quantified(type=expr.type, how=expr.how, var=var, source=source, test=test))
        made = ir.Those(
            type=expr.type,
            var=var,
            source=source,
            where=None if expr.where is None else self._write_where(expr.where, inner, var, source),
            orders=tuple(ir.Order(best=order.best, key=self._write_out(order.key, inner)) for order in expr.orders),
            value=None if expr.value is None else self._write_out(expr.value, inner),
        )
        if isinstance(made.where, ir.Const) and made.where.value:
            made = ir.Those(
                type=made.type, var=var, source=source, where=None, orders=made.orders, value=made.value
            )  # fmt: skip
        if made.where is None and not made.orders and made.value is None and not self.facts.can_be_none(source):
            return source
        made = self._join_loops(made)
        return self._fold(self._unrolled_list(made) or made)

    def _join_loops(self, outer: ir.Those) -> ir.Those:
        """Those of those that meet a condition: those that meet both."""
        inner = outer.source
        if not isinstance(inner, ir.Those) or inner.orders or inner.value is not None or inner.where is None:
            return outer
        element: Env = {outer.var: ir.Var(type=_element_type(inner), index=inner.var)}
        tests = [inner.where] if outer.where is None else [inner.where, self._refresh(outer.where, element)]
        orders = tuple(ir.Order(best=order.best, key=self._refresh(order.key, element)) for order in outer.orders)
        value = None if outer.value is None else self._refresh(outer.value, element)
        return ir.Those(
            type=outer.type,
            var=inner.var,
            source=inner.source,
            where=self.join_all(tests),
            orders=orders,
            value=value,
        )

    def _write_where(self, where: ir.Expr, env: Env, var: int, source: ir.Expr) -> ir.Expr:
        """A condition on the elements of a list."""
        test = self._write_out(where, env)
        parts = test.parts if isinstance(test, ir.Logic) and test.op == "and" else (test,)
        left = leave_out_certain(parts, var, source)
        return test if len(left) == len(parts) else self.join_all(left)

    def _unrolled_list(self, expr: ir.Those) -> ir.Expr | None:
        """`f of each` over few known elements, as a list written out."""
        if expr.where is not None or expr.orders or expr.value is None or not isinstance(expr.source, ir.Const):
            return None
        elements = expr.source.elements
        if len(elements) > UNROLL or len(elements) * measure(expr.value) > UNROLL_COST or is_heavy(expr.value):
            return None
        values = tuple(self._with_element(expr, expr.value, element) for element in elements)
        return ir.Apply(type=expr.type, word=word_of(Op.LIST).name, args=values)

    def _with_element(self, loop: ir.Those | ir.Quantified, body: ir.Expr, element: Value) -> ir.Expr:
        return self._refresh(body, {loop.var: ir.Const(type=_element_type(loop), value=element)})

    def _quantified(self, expr: ir.Quantified) -> ir.Expr:
        """Few known elements: the tests one after the other."""
        source = expr.source
        if isinstance(source, ir.Those) and source.where is None and not source.orders and source.value is not None:
            fused = self._fuse(expr, source, source.value)
            if fused is not None:
                return fused
        if applies(source, Op.LIST) and self._is_short(expr, len(source.args)):
            given = source.args
            if count_reads(expr.test, expr.var) <= 1 and not any(self.facts.can_be_none(part) for part in given):
                return self._joined(expr, tuple(self._refresh(expr.test, {expr.var: part}) for part in given))
        if isinstance(source, ir.Const):
            elements = source.elements
            if self._is_short(expr, len(elements)) and not is_heavy(expr.test):
                return self._joined(expr, tuple(self._with_element(expr, expr.test, each) for each in elements))
        return self._fold(expr)

    def write_out_few(self, expr: ir.Quantified) -> ir.Expr | None:
        """A test of two known elements at most, one after the other, whatever it is made of."""
        elements = expr.source.elements if isinstance(expr.source, ir.Const) else ()
        if not 0 < len(elements) <= 2 or measure(expr.test) > UNROLL_COST_OF_TWO:
            return None
        return renumber(self._joined(expr, tuple(self._with_element(expr, expr.test, each) for each in elements)))

    def _fuse(self, expr: ir.Quantified, source: ir.Those, value: ir.Expr) -> ir.Expr | None:
        """A test of what is made of each element, as a test of the element."""
        if self.facts.can_be_none(value):
            return None
        if count_reads(expr.test, expr.var) <= 1:
            test = self._refresh(expr.test, {expr.var: value})
        else:
            test = Bind(type=TRUTH, var=expr.var, value=value, body=expr.test)
        return self._quantified(
            ir.Quantified(type=expr.type, how=expr.how, var=source.var, source=source.source, test=test)
        )

    def _is_short(self, expr: ir.Quantified, elements: int) -> bool:
        return elements <= UNROLL and elements * measure(expr.test) <= UNROLL_COST

    def _joined(self, expr: ir.Quantified, tests: tuple[ir.Expr, ...]) -> ir.Expr:
        made = self._logic(ir.Logic(type=TRUTH, op="and" if expr.how == "every" else "or", parts=tests))
        return self._logic(ir.Logic(type=TRUTH, op="not", parts=(made,))) if expr.how == "no" else made

    # ---------------------------------------------------------------------------------------------- known values
    def _logic(self, expr: ir.Logic) -> ir.Expr:
        """`and`, `or`, `not` with what is known left out; a known answer ends the list of parts."""
        if expr.op == "not":
            inner = expr.parts[0]
            if isinstance(inner, ir.Const):
                return ir.Const(type=TRUTH, value=not inner.value)
            return expr
        decisive = expr.op == "or"
        parts: list[ir.Expr] = []
        for part in expr.parts:
            if isinstance(part, ir.Const):
                if bool(part.value) != decisive:
                    continue
                while parts and not self.facts.can_fault(parts[-1]):
                    parts.pop()
                parts.append(ir.Const(type=TRUTH, value=decisive))
                break
            parts.extend(part.parts if isinstance(part, ir.Logic) and part.op == expr.op else (part,))
        if not parts:
            return ir.Const(type=TRUTH, value=not decisive)
        if len(parts) == 1 and (isinstance(parts[0], ir.Const) or gives_truth(parts[0])):
            return parts[0]
        return ir.Logic(type=TRUTH, op=expr.op, parts=tuple(parts))

    def _fold(self, expr: ir.Expr) -> ir.Expr:
        """What is known now, as a constant."""
        known = all(isinstance(each, ir.Const) for each in list_children(expr))
        is_open = isinstance(expr, ir.Const | ir.Var) or not known
        if is_open and (not isinstance(expr, (*LOOPS, Bind)) or free_vars(expr)):
            return expr
        if self.facts.reads_position(expr):
            return expr
        try:
            value = self.folding.evaluate(expr, self.folding.nowhere, [None] * (self.made + 1))
        except Fault:
            return expr
        return ir.Const(type=expr.type, value=value) if is_plain(value) else expr

    # ---------------------------------------------------------------------------------------------- tables
    def _tabulate(self, expr: ir.Expr) -> ir.Expr:
        """Tables for the largest parts that depend on one card, seat or enumerated value alone."""
        if isinstance(expr, LEAVES):
            return expr
        if expr not in self._tables:
            self._tables[expr] = self._make_table(expr)
        found = self._tables[expr]
        if found is not None:
            return Lookup(type=found.type, table=found.table, index=self._tabulate(found.index), missing=found.missing)
        return rebuild(expr, self._tabulate)

    def _make_table(self, expr: ir.Expr) -> Lookup | None:
        if measure(expr) < 2 or (isinstance(expr, Lookup) and isinstance(expr.index, LEAVES)):
            return None
        if applies(expr, Op.LIST):
            return None  # what is listed says more: where a card lies, for instance
        leaves = self.find_leaves(expr)
        if leaves is None or len(leaves) != 1:
            return None
        leaf = next(iter(leaves))
        domain = self.facts.domain(leaf.type)
        if domain is None or leaf == expr:
            return None
        var = self.fresh()
        over = substitute(expr, lambda part: ir.Var(type=leaf.type, index=var) if part == leaf else None)
        frame: Frame = [None] * self.made
        try:
            values = []
            for each in (*domain, None):
                frame[var] = each
                values.append(self.folding.evaluate(over, self.folding.nowhere, frame))
        except Fault:
            return None
        if not all(is_plain(value) for value in values) or sum(map(_weigh, values)) > LARGEST_TABLE:
            return None
        return Lookup(type=expr.type, table=tuple(values[:-1]), index=leaf, missing=values[-1])

    def find_leaves(self, expr: ir.Expr) -> set[ir.Expr] | None:
        """What the value depends on: variables, or parts that read the position. None if it is too much."""
        found: set[ir.Expr] = set()
        bound: set[int] = set()

        def look(part: ir.Expr) -> None:
            own = binder(part)
            if own is not None:
                bound.add(own)
            if isinstance(part, ir.Const):
                return
            if isinstance(part, ir.Var) or self.facts._reads_itself(part):
                found.add(part)
                return
            for child in list_children(part):
                look(child)

        look(expr)
        free = {leaf for leaf in found if not (isinstance(leaf, ir.Var) and leaf.index in bound)}
        if any(free_vars(leaf) & bound for leaf in free):
            return None
        return free


def renumber(expr: ir.Expr) -> ir.Expr:
    """The expression with its binders numbered by how deep what they bind is, so that what is equal looks equal."""
    return _renumber(expr, {})


def _renumber(expr: ir.Expr, given: dict[int, int]) -> ir.Expr:
    if isinstance(expr, ir.Var):
        number = given.get(expr.index)
        return expr if number is None else ir.Var(type=expr.type, index=number)
    own = binder(expr)
    if own is None:
        return rebuild(expr, lambda child: _renumber(child, given))
    number = FIRST_BINDER + _measure_depth(expr)
    inner = {**given, own: number}
    return _with_binder(rebuild(expr, lambda child: _renumber(child, inner)), number)


def _measure_depth(expr: ir.Expr) -> int:
    inner = max((_measure_depth(child) for child in list_children(expr)), default=0)
    return inner + (binder(expr) is not None)


def is_plain(value: Value) -> bool:
    """Whether a value can be written into source text: numbers, truths, none, and tuples of them."""
    if isinstance(value, tuple):
        return all(is_plain(part) for part in value)
    return value is None or type(value) in (int, bool)


def gives_truth(expr: ir.Expr) -> bool:
    """Whether the value is a truth itself, not something taken for one."""
    if isinstance(expr, Lookup):
        return all(type(value) is bool for value in (*expr.table, expr.missing))
    if isinstance(expr, Bind):
        return gives_truth(expr.body)
    return isinstance(expr, ir.Logic | ir.Quantified | ir.CanDo) or (isinstance(expr, ir.Apply) and expr.type == TRUTH)


def _weigh(value: Value) -> int:
    return 1 + sum(map(_weigh, value)) if isinstance(value, tuple) else 1


def _element_type(loop: ir.Expr) -> Type:
    if isinstance(loop, Bind):
        return loop.value.type
    assert isinstance(loop, ir.Those | ir.Quantified)
    kind = certain(loop.source.type)
    return kind.of if kind.of is not None else kind


def _with_binder(expr: ir.Expr, var: int) -> ir.Expr:
    parts = {name: getattr(expr, name) for name in expr.__dataclass_fields__}
    return type(expr)(**{**parts, "var": var})

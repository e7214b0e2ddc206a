"""Code for expressions.

In: simplified expressions. Out: Python expressions, with the statements they need written before them.

Three readings of an expression: `value` gives exactly what the reference gives; `test` only has to be true or false as
that is; `each` only has to be run through, measured and indexed, so that a list of the position need not be copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from hoyle.codegen.unsupported import Unsupported
from hoyle.engine.generate.facts import LEAVES, LOOPS, Facts, binder, free_vars, is_heavy, measure
from hoyle.engine.generate.nodes import Bind, Kept, Key, Lookup, View
from hoyle.engine.generate.simplify import Simplifier, gives_truth
from hoyle.engine.generate.writer import AND, ATOM, CHOICE, COMPARE, NOT, OR, Code, Line, Writer, atom
from hoyle.engine.generate.written import Written
from hoyle.engine.work import Work
from hoyle.ir import nodes as ir
from hoyle.ir.types import certain
from hoyle.ir.walk import list_children
from hoyle.model.runtime_values import Value
from hoyle.words import Op, applies

Emit = Callable[[ir.Expr], Code]
EMPTY = atom("()")
MOST_KEPT = 1 << 17  # results of a definition
WORTH_TRYING = 24  # the cost of what is worked out before a loop though it may turn out not to be needed


class Forms(NamedTuple):
    """What writes the expressions that have modules of their own."""

    write_list: Callable[[Values, ir.Those], Code]
    write_quantified: Callable[[Values, ir.Quantified], Code]
    write_key: Callable[[Values, Key], Code]
    join_keys: Callable[[Values, tuple[ir.Expr, ...]], Code]


class WordWriter(Protocol):
    """What writes words."""

    def value(self, values: Values, expr: ir.Apply) -> Code: ...

    def each(self, values: Values, expr: ir.Apply) -> Code: ...


class Surroundings(Protocol):
    """The module that functions are written into, as code for expressions sees it."""

    program: ir.Program
    facts: Facts
    simplifier: Simplifier
    forms: Forms
    work: Work
    origins: dict[int, ir.Expr]
    grouped: set[int]
    owners: list[int | None]
    from_start: bool

    @property
    def words(self) -> WordWriter: ...

    def simple(self, expr: ir.Expr) -> ir.Expr: ...

    def literal(self, value: Value) -> Code: ...

    def table(self, values: tuple[Value, ...], about: str = "") -> str: ...

    def divider(self, by: ir.Grouping) -> str: ...

    def definition(self, number: int, none: tuple[bool, ...]) -> Written: ...

    def can_do(self, action: int, *, allowed: bool) -> str: ...


class Values:
    """Writes expressions into one function: the recursive heart, which everything that writes a part of an expression
    comes back to."""

    def __init__(self, module: Surroundings, writer: Writer) -> None:
        self.module = module
        self.facts = module.facts
        self.forms = module.forms
        self.writer = writer
        self.names: dict[int, Code] = {}
        self.slot_names: dict[int, Code] = {}
        self.none_vars: set[int] = set()
        self.known: dict[int, list[int]] = {}  # the values a variable can have, where a table has narrowed them
        self.shared: dict[ir.Expr, Code] = {}
        self.shared_each: dict[ir.Expr, Code] = {}
        self.running: dict[ir.Expr, Code] = {}  # what is kept up to date
        self.inlines = False  # whether short definitions are written where they are called
        self.note: Callable[[ir.Expr], None] | None = None  # is told what is worked out
        self._lazy = 0  # how deep inside what is run only sometimes

    # ---------------------------------------------------------------------------------------------- readings
    def value(self, expr: ir.Expr) -> Code:
        """The value itself; what takes long is worked out once."""
        if self.shared and expr in self.shared:
            return self.shared[expr]
        if self.running and expr in self.running:
            return self.running[expr]
        if self.note is not None:
            self.note(expr)
        code = self._value(expr)
        if self._lazy or not _takes_long(expr):
            return code
        self.shared[expr] = self.name(code)
        return self.shared[expr]

    def _value(self, expr: ir.Expr) -> Code:
        match expr:
            case ir.Const():
                return self.module.literal(expr.value)
            case ir.Var():
                return self.names[expr.index]
            case ir.Slot():
                return self.slot_names.get(expr.index) or atom(f"slots[{expr.index}]")
            case ir.StateRef():
                return self._state(expr)
            case ir.Piles():
                return self._piles(expr)
            case ir.ZoneRef():
                return self._guarded_place(expr.owner, self.module.program.zones[expr.zone])
            case ir.Index():
                return self._index(expr)
            case Lookup():
                return self._lookup(expr)
            case ir.Call():
                return self._call(expr)
            case ir.Apply():
                return self.module.words.value(self, expr)
            case ir.If():
                return self._if(expr, self.value)
            case ir.OrElse():
                return self._or_else(expr)
            case ir.Logic():
                return self._logic(expr, self._truth)
            case Bind():
                return self._bind(expr, self.value)
            case View():
                return self._view(expr)
            case Kept():
                return self._kept(expr)
        return self._compound(expr)

    def _compound(self, expr: ir.Expr) -> Code:
        """What runs through lists, asks about actions, or makes keys of what is seen."""
        match expr:
            case ir.Those():
                made = self.forms.write_list(self, expr)
                return made if made.text == "()" else atom(f"tuple({made.text})")
            case ir.Division():
                return self._division(expr)
            case ir.Quantified():
                return self.forms.write_quantified(self, expr)
            case ir.CanDo():
                return self._can_do(expr)
            case Key():
                return self.forms.write_key(self, expr)
        raise Unsupported(type(expr).__name__)

    def test(self, expr: ir.Expr) -> Code:
        """Something that is true where the value is."""
        if self.shared and expr in self.shared:
            return self.shared[expr]
        match expr:
            case ir.Logic():
                return self.negated(expr.parts[0]) if expr.op == "not" else self._logic(expr, self.test)
            case ir.If():
                return self._if(expr, self.test)
            case Bind():
                return self._bind(expr, self.test)
            case Lookup() if not expr.missing and self.is_none(expr.index):
                index = self.name(self.value(expr.index))
                table = self.module.table(expr.table, expr.text)
                return Code(f"{index.text} is not None and {table}[{index.text}]", AND)
        return self.value(expr)

    def each(self, expr: ir.Expr) -> Code:
        """A sequence of the elements, () for none."""
        if self.is_none(expr):
            return Code(f"{self._sequence(expr).within(AND)} or ()", OR)
        return self._sequence(expr)

    def _sequence(self, expr: ir.Expr) -> Code:
        found = self.shared_each.get(expr) or self.shared.get(expr)
        if found is not None:
            return found
        match expr:
            case ir.Those():
                return self.forms.write_list(self, expr)
            case ir.Apply():
                return self.module.words.each(self, expr)
            case Bind():
                return self._bind(expr, self.each)
        return self.value(expr)

    def _truth(self, expr: ir.Expr) -> Code:
        return self.value(expr) if gives_truth(expr) else atom(f"bool({self.test(expr).text})")

    # ---------------------------------------------------------------------------------------------- help
    def is_none(self, expr: ir.Expr) -> bool:
        if isinstance(expr, Lookup) and isinstance(expr.index, ir.Var) and expr.index.index in self.known:
            return any(expr.table[each] is None for each in self.known[expr.index.index])
        return self.facts.can_be_none(expr, self.none_vars)

    def name(self, code: Code, prefix: str = "t") -> Code:
        """The code as something that can be read again."""
        if code.is_name:
            return code
        made = self.writer.fresh(prefix)
        self.writer.add(f"{made} = {code.text}")
        return atom(made)

    def need(self, expr: ir.Expr) -> Code:
        """A value that may not be none; the reference says so if it is."""
        code = self.value(expr)
        if not self.is_none(expr):
            return code
        code = self.name(code)
        self.writer.add(f"if {code.text} is None:")
        with self.writer.indented():
            self.writer.add("raise Stop")
        return code

    def stop_if(self, test: str) -> None:
        self.writer.add(f"if {test}:")
        with self.writer.indented():
            self.writer.add("raise Stop")

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is shared meanwhile is not shared afterwards."""
        before, before_each = self.shared, self.shared_each
        self.shared, self.shared_each = dict(before), dict(before_each)
        try:
            yield
        finally:
            self.shared, self.shared_each = before, before_each

    def _apart(self, emit: Emit, expr: ir.Expr, there: int | None = None) -> tuple[list[Line], Code]:
        """Code that is run only sometimes: its statements, and its value. `there`: a variable that is not none then."""
        self._lazy += 1
        none_vars = self.none_vars
        self.none_vars = none_vars if there is None else none_vars - {there}
        with self.scope(), self.writer.captured() as lines:
            code = emit(expr)
        self._lazy -= 1
        self.none_vars = none_vars
        return lines, code

    # ---------------------------------------------------------------------------------------------- places
    def _state(self, expr: ir.StateRef) -> Code:
        state = self.module.program.states[expr.state]
        if certain(state.type).kind == "zone":
            return self._pile_named(expr, state)
        if expr.owner is None:
            return atom(f"states[{state.base}]")
        place = self._guarded_place(expr.owner, state)
        if not self.is_none(expr.owner):
            return atom(f"states[{place.text}]")
        place = self.name(place)
        return Code(f"states[{place.text}] if {place.text} is not None else None", CHOICE)

    def _pile_named(self, expr: ir.StateRef, state: ir.State) -> Code:
        """A state that names a pile names nothing once the pile is gone."""
        place = self.name(self.place(expr.owner, state))
        if expr.owner is not None and self.is_none(expr.owner):
            held = self.name(Code(f"states[{place.text}] if {place.text} is not None else None", CHOICE))
        else:
            held = self.name(atom(f"states[{place.text}]"))
        return Code(f"{held.text} if {held.text} is not None and zones[{held.text}] else None", CHOICE)

    def _piles(self, expr: ir.Piles) -> Code:
        """The piles of a family, or the first place of it that is free."""
        family = self.module.program.zones[expr.zone]
        whose = atom("0") if expr.owner is None else self.value(expr.owner)
        function = "find_free" if expr.new else "list_piles"
        return atom(f"{function}(zones, {family.base}, {family.many}, {whose.text})")

    def place(self, owner: ir.Expr | None, declared: ir.Zone | ir.State) -> Code:
        """The place in the position of what is declared."""
        return atom(str(declared.base)) if owner is None else self._guarded_place(owner, declared)

    def _guarded_place(self, owner: ir.Expr | None, declared: ir.Zone | ir.State) -> Code:
        """Where something of an owner is kept. Seats are looked up; numbers must be tested first."""
        if owner is None:
            return atom(str(declared.base))
        if certain(owner.type).kind == "seat" and declared.size == self.module.program.players:
            table = tuple(range(declared.base, declared.base + declared.size))
            return self._lookup(Lookup(type=owner.type, table=table, index=owner, missing=None))
        code = self.name(self.value(owner))
        known = f"{code.text} is not None and " if self.is_none(owner) else ""
        self.stop_if(f"{known}not 0 <= {code.text} < {declared.size}")
        if known:
            return Code(f"{declared.base} + {code.text} if {code.text} is not None else None", CHOICE)
        return Code(f"{declared.base} + {code.text}", CHOICE)

    def _index(self, expr: ir.Index) -> Code:
        """The place in a family of several dimensions; what lies outside one of them is left to the reference."""
        place, missing = "", []
        for part, low, size in zip(expr.parts, expr.lows, expr.sizes, strict=True):
            code = self.name(self.value(part)).text
            known = f"{code} is not None and " if self.is_none(part) else ""
            if known:
                missing.append(f"{code} is None")
            self.stop_if(f"{known}not {low} <= {code} < {low + size}")
            counted = f"{code} - {low}" if low else code
            place = f"({place}) * {size} + {counted}" if place else counted
        if missing:
            return Code(f"None if {' or '.join(missing)} else {place}", CHOICE)
        return Code(place, CHOICE)

    def _lookup(self, expr: Lookup) -> Code:
        if isinstance(expr.index, ir.Const):
            held = expr.index.value
            if held is None:
                return self.module.literal(expr.missing)
            if type(held) is int and 0 <= held < len(expr.table):
                return self.module.literal(expr.table[held])
        table = self.module.table(expr.table, expr.text)
        index = self.value(expr.index)
        if not self.is_none(expr.index):
            return atom(f"{table}[{index.text}]")
        index = self.name(index)
        missing = self.module.literal(expr.missing).text
        return Code(f"{table}[{index.text}] if {index.text} is not None else {missing}", CHOICE)

    def _division(self, expr: ir.Division) -> Code:
        divide = self.module.divider(expr.by)
        if self.facts.divides_by_position(expr.by):
            divide += "(position).divide"
        return atom(f"{divide}({self.each(expr.source).text})")

    # ---------------------------------------------------------------------------------------------- branching
    def _if(self, expr: ir.If, emit: Emit) -> Code:
        test = self.test(expr.test)
        yes_lines, yes = self._apart(emit, expr.yes)
        no_lines, no = self._apart(emit, expr.no)
        if not yes_lines and not no_lines:
            return Code(f"{yes.within(OR)} if {test.within(OR)} else {no.text}", CHOICE)
        made = self.writer.fresh()
        self.writer.add(f"if {test.text}:")
        self._put_branch(yes_lines, f"{made} = {yes.text}")
        self.writer.add("else:")
        self._put_branch(no_lines, f"{made} = {no.text}")
        return atom(made)

    def _put_branch(self, lines: list[Line], last: str) -> None:
        self.writer.put(lines, deeper=1)
        with self.writer.indented():
            self.writer.add(last)

    def _or_else(self, expr: ir.OrElse) -> Code:
        if not self.is_none(expr.first):
            return self.value(expr.first)
        made = self.writer.fresh()
        self.writer.add(f"{made} = {self.value(expr.first).text}")
        lines, second = self._apart(self.value, expr.second)
        self.writer.add(f"if {made} is None:")
        self._put_branch(lines, f"{made} = {second.text}")
        return atom(made)

    def _logic(self, expr: ir.Logic, emit: Emit) -> Code:
        if expr.op == "not":
            return self._not(expr.parts[0])
        level, joint = (AND, " and ") if expr.op == "and" else (OR, " or ")
        codes = [emit(expr.parts[0])]
        there = _find_tested(expr.parts[0]) if expr.op == "and" else None  # not none in what follows
        for part in expr.parts[1:]:
            lines, code = self._apart(emit, part, there)
            if not lines:
                codes.append(code)
                continue
            made = self.writer.fresh()
            self.writer.add(f"{made} = {joint.join(each.within(level) for each in codes)}")
            self.writer.add(f"if {made}:" if expr.op == "and" else f"if not {made}:")
            self._put_branch(lines, f"{made} = {code.text}")
            codes = [atom(made)]
        if len(codes) == 1:
            return codes[0]
        return Code(joint.join(each.within(level + 1) for each in codes), level)

    def _not(self, inner: ir.Expr) -> Code:
        code = self.test(inner)
        if code.text.startswith("not ") and code.level == NOT:
            return Code(f"bool({code.text[4:]})", ATOM)
        return Code(f"not {code.within(COMPARE)}", NOT)

    def negated(self, expr: ir.Expr) -> Code:
        """A test that holds where the expression's does not."""
        code = self.test(expr)
        if code.text.startswith("not ") and code.level == NOT:
            return Code(code.text[4:], COMPARE)
        return Code(f"not {code.within(COMPARE)}", NOT)

    # ---------------------------------------------------------------------------------------------- calls
    def _call(self, expr: ir.Call) -> Code:
        none = tuple(self.is_none(argument) for argument in expr.args)
        written = self.module.definition(expr.definition, none)
        if written.seeing is not None:
            made = self.value(written.seeing.ask(expr.args, written.name, expr.type))
            return made if written.part is None else atom(f"{made.text}[{written.part}]")
        if self.inlines and written.body is not None:
            return self._write_here(written.params, written.body, expr.args)
        args = [self.value(argument).text for argument in expr.args]
        return atom(f"{written.name}({', '.join((['position'] if written.reads else []) + args)})")

    def _write_here(self, params: tuple[ir.Var, ...], body: ir.Expr, args: tuple[ir.Expr, ...]) -> Code:
        """The body of a definition in the place of a call."""
        for var, argument in zip(params, args, strict=True):
            self.names[var.index] = self.name(self.value(argument))
            self.none_vars = self.none_vars | {var.index} if self.is_none(argument) else self.none_vars - {var.index}
        with self.scope():
            return self.value(body)

    def _kept(self, expr: Kept) -> Code:
        """The result kept for what is seen, worked out the first time."""
        key = self.name(self.forms.join_keys(self, expr.keys), "key")
        made = self.writer.fresh()
        # What is kept is never the table it is kept in, though it may be none.
        self.writer.add(f"{made} = {expr.kept_in}.get({key.text}, {expr.kept_in})")
        self.writer.add(f"if {made} is {expr.kept_in}:")

        def work_out(_: ir.Expr) -> Code:
            args = ", ".join(self.value(view).text for view in expr.views)
            self.writer.add(f"if len({expr.kept_in}) >= {MOST_KEPT}:")
            with self.writer.indented():
                self.writer.add(f"make_room({expr.kept_in}, {expr.kept_once})")
            self.writer.add(f"{made} = {expr.name}({args})")
            return atom(f"{expr.kept_in}[{key.text}] = {expr.kept_once}.setdefault({made}, {made})")

        lines, code = self._apart(work_out, expr)
        self._put_branch(lines, f"{made} = {code.text}")
        return atom(made)

    def _view(self, expr: View) -> Code:
        """Cards as their classes."""
        assert expr.classes is not None
        classes = self.module.table(expr.classes, "classes of cards")
        can_be = self.is_none(expr.of)
        if certain(expr.of.type).kind != "list":
            code = self.name(self.value(expr.of)) if can_be else self.value(expr.of)
            made = f"{classes}[{code.text}]"
        else:
            code = self.name(self.value(expr.of)) if can_be else self.each(expr.of)
            made = f"tuple([{classes}[x] for x in {code.within(OR)}])"
        return Code(f"{made} if {code.text} is not None else None", CHOICE) if can_be else atom(made)

    def _can_do(self, expr: ir.CanDo) -> Code:
        name = self.module.can_do(expr.action, allowed=expr.how == "may")
        seat = self.value(expr.seat)
        if not self.is_none(expr.seat):
            return atom(f"{name}(position, {seat.text})")
        seat = self.name(seat)
        return Code(f"{seat.text} is not None and {name}(position, {seat.text})", AND)

    def _bind(self, expr: Bind, emit: Emit) -> Code:
        if self.is_none(expr.value):
            self.none_vars.add(expr.var)
        self.names[expr.var] = self.name(self.value(expr.value))
        return emit(expr.body)

    # ---------------------------------------------------------------------------------------------- sharing
    def hoist(self, exprs: Iterable[ir.Expr | None], var: int) -> None:
        """Work out before a loop what does not change in it."""
        for expr in exprs:
            if expr is not None:
                self._hoist(expr, {var}, always=True)

    def _hoist(self, expr: ir.Expr, bound: set[int], *, always: bool) -> None:
        if isinstance(expr, ir.Const | ir.Var) or expr in self.shared or expr in self.shared_each:
            return
        if not free_vars(expr) & bound:
            if always or not (measure(expr) > WORTH_TRYING or self.facts.can_fault(expr)):
                self._share(expr)
            return
        own = binder(expr)
        inner = bound if own is None else {*bound, own}
        for number, child in enumerate(list_children(expr)):
            lazy = number > 0 and isinstance(expr, (ir.Logic, ir.If, ir.OrElse, *LOOPS))
            self._hoist(child, inner, always=always and not lazy)

    def share(self, expr: ir.Expr) -> None:
        """Work out now what is used again later."""
        if expr not in self.shared and expr not in self.shared_each:
            self._share(expr)

    def share_each(self, expr: ir.Expr) -> None:
        """Work out now the elements of a list that is run through again later."""
        if expr not in self.shared and expr not in self.shared_each:
            self.shared_each[expr] = self.name(self.each(expr), "listed")

    def _share(self, expr: ir.Expr) -> None:
        if applies(expr, Op.CARDS) and not self.is_none(expr):
            self.shared_each[expr] = self.name(self.each(expr), "pile")
        elif not isinstance(expr, LEAVES) or isinstance(expr, ir.Slot):
            code = self.value(expr)
            self.shared[expr] = self.name(code)


def _find_tested(test: ir.Expr) -> int | None:
    """The variable of which a test says that it is not none."""
    if isinstance(test, ir.Logic) and test.op == "not":
        asked = test.parts[0]
        if applies(asked, Op.IS_NONE) and isinstance(asked.args[0], ir.Var):
            return asked.args[0].index
    return None


def _takes_long(expr: ir.Expr) -> bool:
    """Whether a value is worth keeping: what is called, and what is made of a loop."""
    if isinstance(expr, ir.Apply):
        return certain(expr.type).kind != "list" and any(isinstance(part, ir.Those) for part in expr.args)
    return isinstance(expr, ir.Call | ir.CanDo | Key | Kept) or (isinstance(expr, ir.OrElse) and is_heavy(expr))


def write_literal(value: Value) -> str:
    """A plain value as source text."""
    if isinstance(value, tuple):
        parts = ", ".join(write_literal(part) for part in value)
        return f"({parts},)" if len(value) == 1 else f"({parts})"
    if value is not None and type(value) not in (int, bool):
        raise Unsupported(f"a value of {type(value).__name__}")
    return repr(value)

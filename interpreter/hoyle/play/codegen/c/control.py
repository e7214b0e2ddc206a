"""Statements in C: branches, loops over lists, bit sets and combinations.

In: statements with simple values. Out: text. `ask` is left to the printer of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.c.changes import write_change
from hoyle.play.codegen.c.struct_layout import MOST_IN_LIST, Layout, element_type
from hoyle.play.codegen.c.writer import Writer
from hoyle.play.codegen.low import program as low
from hoyle.play.codegen.low.program import Ask, Do, Fault, For, Grow, Leave, Let, Once, Push, Statement, When
from hoyle.play.codegen.low.values import Value, walk

MANY_TIMES = 1 << 20  # the trip count from which iterations are charged to the work budget


@dataclass(frozen=True, slots=True)
class Fold:
    """A fold over a group: accumulator, initial value, element, step."""

    made: Value
    start: Value
    element: Value
    step: Value


class Statements(Writer):
    """Prints statements."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.in_run = False  # in `run`: long loops are charged, and a fault may be a flag tested at the next decision
        self._growing: list[tuple[str, str, str]] = []  # variables of the enclosing group loops: places, depth, size
        self._times = 1  # the product of the trip counts of the enclosing loops

    def statements(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Do():
                write_change(self, statement)
            case Let():
                self._let(statement.register, statement.value)
            case Push():
                self._push(statement)
            case When(then=(Push() as push,), otherwise=()) if self._goes_without_branch(push):
                name, value, test = map(self.expr, (push.register, push.value, statement.test))
                self.write(f"{name}[{name}n] = {value}; {name}n += {test} ? 1 : 0;")
            case When(test=Value(op="beyond", args=(number_beyond,)), then=(Fault(),)) if self.in_run:
                self.write(f"if ({self.expr(statement.test)}) {{ P->fault = 1; {self.expr(number_beyond)} = 0; }}")
            case When():
                with self.block(f"if ({self.expr(statement.test)})", "" if statement.otherwise else "}"):
                    self.statements(statement.then)
                if statement.otherwise:
                    with self.block("} else"):
                        self.statements(statement.otherwise)
            case For():
                self._for(statement)
            case Once():
                with self.block(end=f"}} L{statement.label}:;"):
                    self.statements(statement.body)
            case Leave():
                self.write(f"goto L{statement.label};")
            case Fault():
                self.write(f"goto fault; /* clause {statement.clause} */")
            case Ask():
                self.ask(statement)
            case Grow():
                self._grow(statement)

    def _goes_without_branch(self, push: Push) -> bool:
        """Whether a conditional push can be branchless, store and advance by the test: arrays have a spare element."""
        return push.value.op == "register" and push.register.fact.high <= MOST_IN_LIST

    def _let(self, register: Value, value: Value) -> None:
        name = self.expr(register)
        if register.fact.of is None:
            self.write(f"{name} = {self.as_type(value, self.type_of(register))};")
        else:
            most = min(register.fact.high, MOST_IN_LIST)
            self.fill(name, f"{name}n", element_type(register.fact.of, self.layout), value, most)

    def _push(self, statement: Push) -> None:
        register = statement.register
        name, of = self.expr(register), register.fact.of
        assert of is not None
        if register.fact.high > MOST_IN_LIST:
            self.write(f"if ({name}n >= {MOST_IN_LIST}) goto fault;")
        self.write(f"{name}[{name}n++] = ({element_type(of, self.layout)}){self.expr(statement.value)};")

    def _for(self, statement: For) -> None:
        before = self._times
        self._times = min(before * max(1, statement.source.fact.high), 1 << 62)
        kinds = {"grown": self._for_grown, "groups": self._for_groups}
        with self.block():
            kinds.get(statement.source.op, self._for_each)(statement)
        self._times = before

    def _count_work(self, before: str = "") -> None:
        """Charge an iteration of a potentially long loop: cancellation point, and a fault if the budget is spent."""
        if self.in_run and self._times >= MANY_TIMES:
            self.write(f"if (TAKES_LONG) {{ P->fault = 1; {before}break; }}")

    def _for_each(self, statement: For) -> None:
        source = statement.source
        name, element = self.expr(statement.register), ""
        if source.op == "span":
            low, high = map(self.expr, source.args)
            head = f"for ({name} = {low}; {name} <= {high}; {name}++)"
        elif source.op == "members":
            left = self.fresh("w")
            self.write(f"uint64_t {left};")
            head = f"for ({left} = {self.expr(source.args[0])}; {left}; {left} &= {left} - 1)"
            element = f"{name} = LOWEST_BIT({left});"
        else:
            i, n, elements = self.fresh("i"), self.fresh("n"), self.elements(source)
            if statement.index is not None:
                i = self.expr(statement.index)
            else:
                self.write(f"int32_t {i};")
            self.write(f"int32_t {n}; {n} = {self.length(source)};")
            head, element = f"for ({i} = 0; {i} < {n}; {i}++)", f"{name} = {elements}[{i}];"
        with self.block(head):
            if element:
                self.write(element)
            self._count_work()
            self.statements(statement.body)

    def _for_groups(self, statement: For) -> None:
        source, least, most, *twins = statement.source.args
        register = statement.register
        name = self.expr(register)
        at, k, n, q, i = map(self.fresh, ("at", "k", "n", "q", "i"))
        longest = max(1, min(register.fact.high, source.fact.high))
        folds, body = self._find_folds(statement)
        self._begin_folds(folds, longest)
        self.write(f"int32_t {at}[{longest}], {k}, {n}, {q}, {i};")
        self.write(f"{n} = {self.length(source)};")
        is_new = ""
        if twins:
            helper = self.helper("twins", self.list_type(twins[0]))
            is_new = f"{at}[{q}] = {i}; if (!{helper}({at}, {q} + 1, {self.pointer(twins[0])})) continue; "
        element = f"{is_new}{name}[{q}] = {self.pointer(source)}[{i}];{self._add_to_folds(folds, name, q)}"
        goes_on = f"{i} = ++{at}[{q}]; if ({i} > {n} - {k} + {q}) {{ {q}--; continue; }}"
        with self.block(f"for ({k} = {self.expr(least)}; {k} <= {self.expr(most)} && {k} <= {n}; {k}++)"):
            self.write(f"{q} = 0; {at}[0] = -1;")
            with self.block(f"while ({q} >= 0)"):
                if any(isinstance(each, Grow) for each in statement.body):
                    self.write(goes_on)
                    self._count_work()
                    self.write(f"{element} {name}n = {q} + 1;")
                    self._growing.append((at, q, k))
                    self.statements(body)
                    self._growing.pop()
                    return
                with self.block(f"if ({q} + 1 < {k})"):
                    self.write(goes_on)
                    self.write(element)
                    self.write(f"{at}[{q} + 1] = {i}; {q}++; continue;")
                may_be_empty = least.fact.low < 1
                end = f"({k} > 0 ? {n} : 1)" if may_be_empty else n
                with self.block(f"for ({i} = {at}[{q}] + 1; {i} < {end}; {i}++)"):
                    self._count_work(f"{q} = 0; ")
                    if may_be_empty:
                        self.write("".join(f"{self.expr(fold.made)} = p{fold.made.number}[0]; " for fold in folds))
                    self.write(f"{f'if ({k} > 0) ' if may_be_empty else ''}{{ {element} }}")
                    self.write(f"{name}n = {k};")
                    self.statements(body)
                self.write(f"{q}--;")

    def _for_grown(self, statement: For) -> None:
        """Depth-first enumeration of groups with pruning, prefixes first; the index register has the places as bits."""
        source, register, places = statement.source.args[0], statement.register, statement.index
        assert places is not None
        at, n, q, with_ = map(self.fresh, ("at", "n", "q", "with"))
        name, most, here = self.expr(register), max(1, register.fact.high) + 1, self.expr(places)
        folds, body = self._find_folds(statement)
        self._begin_folds(folds, most)
        self.write(f"int32_t {at}[{most}], {with_}[{most}], {n}, {q};")
        self.write(f"{n} = {self.length(source)}; {at}[0] = -1; {with_}[0] = 0; {q} = 0;")
        with self.block(f"while ({q} >= 0)"):
            self.write(f"if (++{at}[{q}] >= {n}) {{ {q}--; continue; }}")
            self.write(f"{here} = {with_}[{q}] | 1 << {at}[{q}];")
            self.write(f"{name}[{q}] = {self.pointer(source)}[{at}[{q}]]; {name}n = {q} + 1;")
            self.write(self._add_to_folds(folds, name, q))
            self._growing.append((at, q, ""))
            self.statements(body)
            self._growing.pop()
            self.write(f"{at}[{q} + 1] = {at}[{q}]; {with_}[{q} + 1] = {here}; {q}++;")

    def _find_folds(self, statement: For) -> tuple[list[Fold], list[Statement]]:
        """Recognise folds over the group in the body of a loop over groups; the folds, and the rest of the body."""
        group, folds, body = statement.register, [], list(statement.body)
        lets = [each for each in low.walk_statements(body) if isinstance(each, Let)]
        for loop in statement.body:
            match loop:
                case For(source=source, body=(Let() as step,), index=None) if source is group:
                    first, *others = (each for each in lets if each.register is step.register)
                    is_known = any(each is first for each in body) and first.value.constant is not None
                    read = {each for each in walk(step.value) if each.op == "register"}
                    if is_known and len(others) == 1 and read <= {step.register, loop.register}:
                        folds.append(Fold(step.register, first.value, loop.register, step.value))
                        body = [each for each in body if each is not first and each is not loop]
        return folds, body

    def _begin_folds(self, folds: Sequence[Fold], longest: int) -> None:
        """Arrays for the accumulators of all prefixes: consecutive groups share prefixes, so that a fold is a prefix
        scan updated only where the group has changed (strength reduction)."""
        for fold in folds:
            name, start = f"p{fold.made.number}", self.expr(fold.start)
            self.write(f"{self.type_of(fold.made)} {name}[{longest + 1}]; {name}[0] = {start};")

    def _add_to_folds(self, folds: Sequence[Fold], name: str, q: str) -> str:
        return "".join(
            f" {self.expr(fold.element)} = {name}[{q}]; {self.expr(fold.made)} = p{fold.made.number}[{q}];"
            f" p{fold.made.number}[{q} + 1] = {self.expr(fold.made)} = {self.expr(fold.step)};"
            for fold in folds
        )

    def _grow(self, statement: Grow) -> None:
        """Prune: on to the next prefix if `keeps` fails, else extend the prefix, unless the group is complete."""
        at, q, k = self._growing[-1]
        self.write(f"if (!({self.expr(statement.keeps)})) continue;")
        if k:  # else every prefix is a candidate, too
            self.write(f"if ({q} + 1 < {k}) {{ {at}[{q} + 1] = {at}[{q}]; {q}++; continue; }}")

    def ask(self, statement: Ask) -> None:
        """Print a question; only blocks of `run` have any."""
        raise AssertionError(statement)

"""Statements in Python: branches, loops over lists, bit sets and combinations.

In: statements with simple values. Out: text. `ask` is left to the printer of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hoyle.play.codegen.low.program import (
    Ask,
    Do,
    Fault,
    For,
    Grow,
    Leave,
    Let,
    Once,
    Push,
    Statement,
    When,
    walk_statements,
)
from hoyle.play.codegen.low.values import Value, walk
from hoyle.play.codegen.python.changes import write_change
from hoyle.play.codegen.python.writer import Writer
from hoyle.program.ir import nodes as ir

MANY_TIMES = 1 << 16  # the trip count from which iterations are charged to the work budget
SHORT = 64  # iterations of a loop that is not counted
MOST_WORK = 500_000  # iterations of long loops between two decisions; the reference accounts for more
MEMORY = frozenset({"cards", "register"})  # lists that change after they were read


class Statements(Writer):
    """Prints statements."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self._loops: list[int] = []  # the labels left by each enclosing loop: 0, or that of the `Once` that it is
        self._flagged: set[int] = set()
        self._growing: list[tuple[str, str, str]] = []  # variables of the enclosing group loops: places, depth, size
        self._began: dict[int, int] = {}  # by label of a `Once`, how many loops are around it
        self._times = 1  # the product of the trip counts of the enclosing loops

    def statements(self, statements: Sequence[Statement]) -> None:
        left = list(statements)
        while left:
            fused = self._fuse(left)
            if fused:
                del left[:fused]
            else:
                self._statement(left.pop(0))

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Do():
                write_change(self, statement)
            case Let():
                self._let(statement.register, statement.value)
            case Push():
                self.write(f"{self.expr(statement.register)}.append({self.expr(statement.value)})")
            case When(then=(Fault(),), otherwise=()):
                self.write(f"if {self.expr(statement.test)}: raise Stop")
            case When():
                with self.block(f"if {self.expr(statement.test)}:"):
                    self.statements(statement.then)
                if statement.otherwise:
                    with self.block("else:"):
                        self.statements(statement.otherwise)
            case For():
                self._for(statement)
            case Once():
                self._once(statement)
            case Leave():
                self._leave(statement.label)
            case Fault():
                self.write("raise Stop")
            case Ask():
                self.ask(statement)
            case Grow():
                self._grow(statement)

    def _let(self, register: Value, value: Value) -> None:
        name, text = self.expr(register), self.expr(value)
        source = value
        while source.op == "sure":
            source = source.args[0]
        if not register.fact.is_list or value.op in ("none", "items"):
            self.write(f"{name} = {text}")
        elif value.constants == ():
            self.write(f"{name} = []")
        elif value.fact.none:
            self.write(f"{name} = None if {text} is None else [*{text}]")
        else:
            self.write(f"{name} = {text}" if source.op in ("slice", "nth_group") else f"{name} = [*{text}]")

    # ---------------------------------------------------------------------------------------------- comprehensions
    def _fuse(self, statements: Sequence[Statement]) -> int:
        """A loop that fills a list, or adds up, as one expression; how many statements that prints."""
        match statements:
            case [Let(register=made, value=start), For(body=(step,)) as loop, *_] if start.constants == ():
                test, done = _split(step)
                if isinstance(done, Push) and done.register is made and self._is_plain(loop, made, (*test, done.value)):
                    text = f"{self.expr(done.value)} {self._spell_loop(loop, test)}"
                    self.write(f"{self.expr(made)} = [{text}]")
                    return 2
            case [For(body=(step,)) as loop, *_]:
                test, done = _split(step)
                if isinstance(done, Push) and self._is_plain(loop, done.register, (*test, done.value)):
                    text = f"{self.expr(done.value)} {self._spell_loop(loop, test)}"
                    self.write(f"{self.expr(done.register)} += [{text}]")
                    return 1
                if isinstance(done, Let) and done.value.op == "add" and done.value.args[0] is done.register:
                    made, added = done.register, done.value.args[1]
                    if self._is_plain(loop, made, (*test, added)):
                        text = f"[{self.expr(added)} {self._spell_loop(loop, test)}]"
                        self.write(f"{self.expr(made)} += {'len' if added.constant == 1 else 'sum'}({text})")
                        return 1
        return 0

    def _is_plain(self, loop: For, made: Value, used: Sequence[Value]) -> bool:
        """Whether a loop can be an expression that does not read what it makes."""
        if loop.index is not None or loop.source.op in ("groups", "grown") or self._is_long(loop):
            return False
        return not any(node is made for value in used for node in walk(value))

    def _spell_loop(self, loop: For, tests: Sequence[Value]) -> str:
        tested = "".join(f" if {self.expr(test)}" for test in tests)
        return f"for {self.expr(loop.register)} in {self.expr(loop.source)}{tested}"

    def _is_long(self, loop: For) -> bool:
        most = loop.source.fact.high
        return self._times * max(1, most) >= MANY_TIMES and most > SHORT

    # ---------------------------------------------------------------------------------------------- leaving loops
    def _once(self, statement: Once) -> None:
        """Statements that `Leave` breaks out of: a loop that runs once, unless nothing would follow the loop left."""
        label = statement.label
        self._began[label] = len(self._loops)
        ends = _ends(statement.body, label)
        if label in _list_far(statement.body, 0 if ends else 1):
            self.write(f"left_{label} = 0")
            self._flagged.add(label)
        if ends:
            self.statements(statement.body)
            return
        with self._loop("for once in ONCE:"):
            self.statements(statement.body)
        self._leave_further((statement,))

    @contextmanager
    def _loop(self, head: str) -> Iterator[None]:
        self._loops.append(0)
        with self.block(head):
            yield
        self._loops.pop()

    def _leave(self, label: int) -> None:
        through = len(self._loops) - self._began[label]
        if label in self._flagged:
            self.write(f"left_{label} = 1")
        self.write("break" if through else "pass")

    def _leave_further(self, body: Sequence[Statement]) -> None:
        """After a loop: break out of the next one, too, if the statement left is around that."""
        for label in dict.fromkeys(each.label for each in walk_statements(body) if isinstance(each, Leave)):
            if label in self._flagged and self._began.get(label, len(self._loops)) < len(self._loops):
                self.write(f"if left_{label}: break")

    # ---------------------------------------------------------------------------------------------- loops
    def _for(self, statement: For) -> None:
        before = self._times
        self._times = min(before * max(1, statement.source.fact.high), 1 << 62)
        grows = any(isinstance(each, Grow) for each in walk_statements(statement.body))
        if statement.source.op == "grown":
            self._for_grown(statement)
        elif statement.source.op == "groups" and grows:
            self._for_growing(statement)
        else:
            self._for_each(statement)
        self._times = before
        self._leave_further(statement.body)

    def _count_work(self, most: int) -> None:
        """Charge an iteration of a potentially long loop."""
        if self._times >= MANY_TIMES and most > SHORT:
            self.write("work += 1")
            self.write(f"if work > {MOST_WORK}: raise Stop")

    def _for_each(self, statement: For) -> None:
        source, name = statement.source, self.expr(statement.register)
        if source.op == "groups":
            listed = f"list_groups({', '.join(map(self.expr, source.args))})"
        else:
            listed = self.expr(source)
        if statement.index is not None:
            name, listed = f"{self.expr(statement.index)}, {name}", f"enumerate({listed})"
        with self._loop(f"for {name} in {listed}:"):
            self._count_work(source.fact.high)
            self.statements(statement.body)

    def _for_growing(self, statement: For) -> None:
        """Groups extended card by card, which `Grow` prunes."""
        source, least, most, *twins = map(self.expr, statement.source.args)
        name = self.expr(statement.register)
        at, size, many, depth, place = map(self.fresh, ("at", "k", "n", "q", "i"))
        self.write(f"{many} = len({source})")
        with self._loop(f"for {size} in range({least}, min({most}, {many}) + 1):"):
            self.write(f"{depth} = 0; {at} = [-1] * ({size} + 1); {name} = []")
            with self._loop(f"while {depth} >= 0:"):
                self.write(f"{place} = {at}[{depth}] = {at}[{depth}] + 1")
                self.write(f"if {place} > {many} - {size} + {depth}: {depth} -= 1; continue")
                self._count_work(statement.source.fact.high)
                if twins:
                    self.write(f"if not holds_twins({at}[:{depth} + 1], {twins[0]}): continue")
                self.write(f"{name}[{depth}:] = ({source}[{place}],)")
                self._growing.append((at, depth, size))
                self.statements(statement.body)
                self._growing.pop()
            self._leave_further(statement.body)

    def _for_grown(self, statement: For) -> None:
        """Depth-first enumeration of groups, prefixes first; the index register has the places as bits."""
        source, name, places = statement.source.args[0], self.expr(statement.register), statement.index
        assert places is not None
        at, many, depth, before = map(self.fresh, ("at", "n", "q", "w"))
        listed, here = self.expr(source), self.expr(places)
        self.write(f"{many} = len({listed}); {at} = [-1] * ({many} + 2); {before} = [0] * ({many} + 2)")
        self.write(f"{depth} = 0; {name} = []")
        with self._loop(f"while {depth} >= 0:"):
            self.write(f"{at}[{depth}] += 1")
            self.write(f"if {at}[{depth}] >= {many}: {depth} -= 1; continue")
            self.write(f"{here} = {before}[{depth}] | 1 << {at}[{depth}]")
            self.write(f"{name}[{depth}:] = ({listed}[{at}[{depth}]],)")
            self._growing.append((at, depth, ""))
            self.statements(statement.body)
            self._growing.pop()
            self.write(f"{at}[{depth} + 1] = {at}[{depth}]; {before}[{depth} + 1] = {here}; {depth} += 1")

    def _grow(self, statement: Grow) -> None:
        """Prune: on to the next prefix if `keeps` fails, else extend the prefix, unless the group is complete."""
        at, depth, size = self._growing[-1]
        self.write(f"if not {self.expr(statement.keeps)}: continue")
        if size:  # else every prefix is a candidate, too
            self.write(f"if {depth} + 1 < {size}: {at}[{depth} + 1] = {at}[{depth}]; {depth} += 1; continue")

    def ask(self, statement: Ask) -> None:
        """Print a question; only blocks of whole matches have any."""
        raise AssertionError(statement)


def _split(step: Statement) -> tuple[list[Value], Statement]:
    """The tests around a statement, and the statement."""
    tests = []
    while isinstance(step, When) and len(step.then) == 1 and not step.otherwise:
        tests.append(step.test)
        step = step.then[0]
    return tests, step


def _leaves(statement: Statement, label: int) -> bool:
    return any(isinstance(each, Leave) and each.label == label for each in walk_statements((statement,)))


def _ends(body: Sequence[Statement], label: int) -> bool:
    """Whether nothing follows wherever a `Once` is left by breaking out of its outermost loop."""
    for place, each in enumerate(body):
        if not _leaves(each, label):
            continue
        if place < len(body) - 1:
            return False
        match each:
            case When():
                if not (_ends(each.then, label) and _ends(each.otherwise, label)):
                    return False
            case Once():
                if not _ends(each.body, label) or not _ends(each.body, each.label):
                    return False
    return True


def _list_far(body: Sequence[Statement], depth: int) -> set[int]:
    """The labels that are perhaps left from more than one loop."""
    found: set[int] = set()
    for each in body:
        match each:
            case Leave() if depth > 1:
                found.add(each.label)
            case When():
                found |= _list_far((*each.then, *each.otherwise), depth)
            case For():
                twice = any(isinstance(inner, Grow) for inner in each.body)
                found |= _list_far(each.body, depth + 1 + twice)
            case Once():
                found |= _list_far(each.body, depth + 1)
    return found

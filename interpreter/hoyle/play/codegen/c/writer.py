"""Emission of C text: indentation, scopes, declarations of registers, copies of lists.

In: lines, values, fields. Out: text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from hoyle.base.effort import spend
from hoyle.play.codegen.c.expressions import Expressions
from hoyle.play.codegen.c.operations import SPELLED
from hoyle.play.codegen.c.struct_layout import MOST_IN_LIST, Field, Layout, ListField, element_type
from hoyle.play.codegen.low.values import Value


class Scope:
    """A C scope: the registers used directly in it, its inner scopes, and the registers of both. A register is declared
    in the innermost scope that encloses all of its uses; `declared` are these declarations."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.mentioned: set[Value] = set()
        self.inner: list[Scope] = []
        self.all: set[Value] = set()
        self.declared: list[str] = []


class Writer(Expressions):
    """Emits the text of one module."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, SPELLED)
        self.lines: list[str | Scope] = []
        self._scope = Scope(0)
        self._names = 0
        self.asking: dict[int, int] = {}  # where one goes back to for the next choice, by the block of the decision

    def write(self, line: str) -> None:
        spend()
        self.lines.append("  " * self._scope.depth + line)

    def list_lines(self) -> Iterator[str]:
        for line in self.lines:
            yield from line.declared if isinstance(line, Scope) else (line,)

    @contextmanager
    def block(self, head: str = "", end: str = "}") -> Iterator[None]:
        """A braced scope around what is emitted meanwhile."""
        self.write(f"{head} {{".lstrip())
        outer, scope = self._scope, Scope(self._scope.depth + 1)
        outer.inner.append(scope)
        self.lines.append(scope)
        self._scope, self.mentioned = scope, scope.mentioned
        yield
        scope.all = scope.mentioned.union(*(inner.all for inner in scope.inner))
        self._scope, self.mentioned = outer, outer.mentioned
        if outer.depth == 0:
            self._declare(scope, set())
        if end:
            self.write(end)

    def _declare(self, scope: Scope, before: set[Value]) -> None:
        below = Counter(register for inner in scope.inner for register in inner.all)
        own = scope.mentioned.union(register for register, times in below.items() if times > 1) - before
        for register in sorted(own, key=lambda each: each.number):
            name, fact = f"r{register.number}", register.fact
            text = f"{self.type_of(register)} {name};"
            if fact.of is not None:
                most = max(1, min(fact.high, MOST_IN_LIST))
                text = f"{element_type(fact.of, self.layout)} {name}[{most + 1}]; int32_t {name}n;"
            scope.declared.append("  " * scope.depth + text)
        for inner in scope.inner:
            self._declare(inner, before | own)

    def fresh(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"

    # ---------------------------------------------------------------------------------------------- lists
    def elements(self, value: Value) -> str:
        """A pointer to the elements of a list, for a loop; a lazily shuffled zone is put in order before the loop."""
        text = self.pointer(value)
        if "ORDERED" not in text:
            return text
        name = self.fresh("p")
        self.write(f"const {self.list_type(value)} *{name}; {name} = {text};")
        return name

    def fill(self, target: str, length: str, ctype: str, value: Value, most: int, none: str = "-1") -> None:
        """Copy a list into an array and its length; `none` is the length of none."""
        if value.op == "none":
            self.write(f"{length} = {none};")
        elif value.constants == ():
            self.write(f"{length} = 0;")
        elif value.op == "items":
            for place, item in enumerate(value.args):
                self.write(f"{target}[{place}] = ({ctype}){self.expr(item)};")
            self.write(f"{length} = {len(value.args)};")
        elif value.op == "nth_group":
            source, *numbers = value.args
            helper = self.helper("nth", self.list_type(source))
            given = ", ".join((self.listed(source), *map(self.expr, numbers), target))
            self.write(f"{length} = {helper}({given});")
        else:
            n, i, elements = self.fresh("n"), self.fresh("i"), self.elements(value)
            self.write(f"{{ int32_t {i}, {n} = {self.length(value)};")
            if value.fact.high > most:
                self.write(f"  if ({n} > {most}) goto fault;")
            self.write(f"  {length} = {f'{n} < 0 ? {none} : {n}' if value.fact.none and none != '-1' else n};")
            self.write(f"  for ({i} = 0; {i} < {n}; {i}++) {target}[{i}] = ({ctype}){elements}[{i}]; }}")

    def set_place(self, field: Field | ListField, index: str, value: Value) -> None:
        if isinstance(field, Field):
            self.write(self.store(field, index, value))
            return
        length, elements = field.length, field.elements
        none = str(length.none if length.none is not None else -1)
        self.fill(f"{elements.path}{index}", f"{length.path}{index}", elements.ctype, value, elements.dims[-1], none)

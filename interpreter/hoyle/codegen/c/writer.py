"""C text as it is written, line by line, and lists that are copied.

In: lines, values, fields. Out: text with its indentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hoyle.codegen.c.operations import SPELLED
from hoyle.codegen.c.spelling import Spelling
from hoyle.codegen.c.struct_layout import Field, Layout, ListField
from hoyle.codegen.low.values import Value


class Writer:
    """Writes the text of one module."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.spelling = Spelling(layout, SPELLED)
        self.expr = self.spelling.expr
        self.lines: list[str] = []
        self.depth = 0
        self._names = 0

    def write(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    @contextmanager
    def block(self, head: str = "", end: str = "}") -> Iterator[None]:
        """Braces around what is written meanwhile."""
        self.write(f"{head} {{".lstrip())
        self.depth += 1
        yield
        self.depth -= 1
        if end:
            self.write(end)

    def fresh(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"

    # ---------------------------------------------------------------------------------------------- lists
    def pointer(self, value: Value) -> str:
        """The elements of a list, for a loop over it: before it, a pile is put in order."""
        text = self.spelling.pointer(value)
        if "ORDERED" not in text:
            return text
        name = self.fresh("p")
        self.write(f"const {self.spelling.list_type(value)} *{name}; {name} = {text};")
        return name

    def fill(self, target: str, length: str, ctype: str, value: Value, most: int, none: str = "-1") -> None:
        """Copy a list."""
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
            helper = self.spelling.helper("nth", self.spelling.list_type(source))
            given = ", ".join((self.spelling.listed(source), *map(self.expr, numbers), target))
            self.write(f"{length} = {helper}({given});")
        else:
            n, i, elements = self.fresh("n"), self.fresh("i"), self.pointer(value)
            self.write(f"{{ int32_t {i}, {n} = {self.spelling.length(value)};")
            if value.fact.high > most:
                self.write(f"  if ({n} > {most}) goto fault;")
            self.write(f"  {length} = {f'{n} < 0 ? {none} : {n}' if value.fact.none and none != '-1' else n};")
            self.write(f"  for ({i} = 0; {i} < {n}; {i}++) {target}[{i}] = ({ctype}){elements}[{i}]; }}")

    def set_place(self, field: Field | ListField, index: str, value: Value) -> None:
        if isinstance(field, Field):
            self.write(self.spelling.store(field, index, value))
            return
        length, elements = field.length, field.elements
        none = str(length.none if length.none is not None else -1)
        self.fill(f"{elements.path}{index}", f"{length.path}{index}", elements.ctype, value, elements.dims[-1], none)

"""What stands before the functions of a printed module: constants, and functions that several values share.

In: tables, lists and values. Out: their names, and the lines that define them, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.values import Table, Value
from hoyle.codegen.passes.keep import Reads
from hoyle.codegen.passes.remember import Memory
from hoyle.codegen.unsupported import Unsupported


class Constants:
    """Tables, rows and lists of constants of one module, each written once, and functions whose results are kept."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.reads: Reads = {}
        self.tables: dict[Value, Value | None] = {}
        self._refused: dict[object, Unsupported] = {}  # functions that could not be written
        self._names: dict[object, str] = {}
        self._used: set[str] = set()
        self._memories: dict[Builder, Memory] = {}

    def memory(self, build: Builder) -> Memory:
        """What tells which values are remembered."""
        return self._memories.setdefault(build, Memory(build))

    def define(self, key: object, letter: str, write: Callable[[str], Iterable[str]], noted: str = "") -> str:
        """The name of what is written once, unless it has no form: then whoever needs it has none either. With another
        letter, if there is a constant of that name, it is `noted`."""
        if key not in self._names:
            name = self._names[key] = f"{letter}{len(self._names)}"
            try:
                with self.noting():
                    self.lines += list(write(name))
            except Unsupported as error:
                self._refused[key] = error
        if key in self._refused:
            raise self._refused[key]
        if noted:
            self._used.add(f"{noted}{self._names[key][1:]}")
        return self._names[key]

    @contextmanager
    def noting(self) -> Iterator[set[str]]:
        """Note the constants that are named meanwhile; but not those that are named in functions written meanwhile."""
        before, self._used = self._used, set()
        try:
            yield self._used
        finally:
            self._used = before

    def name(self, key: object, letter: str, text: Callable[[], str]) -> str:
        """The name of a constant."""
        return self.define(key, letter, lambda name: [f"{name} = {text()}"], noted=letter)

    def table(self, table: Table) -> str:
        return self.name(table, "T", lambda: repr(table.values))

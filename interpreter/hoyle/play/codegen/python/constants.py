"""The constant pool of a printed module: tables, lists, and helper functions, each defined once before first use.

In: keys and writers of definitions. Out: their names, and the lines that define them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.values import Table, Value
from hoyle.play.codegen.passes.hashed_memo import HashedMemos
from hoyle.play.codegen.passes.mod_ref import Reads
from hoyle.play.codegen.unsupported import Unsupported


class Constants:
    """The pool, and the analyses shared by all functions of one module."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.reads: Reads = {}
        self.tables: dict[Value, Value | None] = {}
        self._refused: dict[object, Unsupported] = {}  # definitions that failed
        self._names: dict[object, str] = {}
        self._used: set[str] = set()
        self._memos: dict[Builder, HashedMemos] = {}

    def memos(self, build: Builder) -> HashedMemos:
        """The memoisation analysis for the values of a builder."""
        return self._memos.setdefault(build, HashedMemos(build))

    def define(self, key: object, letter: str, write: Callable[[str], Iterable[str]], noted: str = "") -> str:
        """The name of a definition, printed on first request; if that is `Unsupported`, so is every request. `noted` is
        the letter of the global to record as used, if it has one (see `noting`)."""
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
        """Collect the globals that are named meanwhile, without those named inside definitions printed meanwhile."""
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

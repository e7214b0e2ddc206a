"""A module being generated: its tables, its definitions, and the functions written so far.

In: a program, and requests for functions. Out: source text, nothing of which comes from a rule file but numbers,
truths, texts written by `ascii`, and comments of plain letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hoyle.engine.generate.facts import Facts, is_heavy
from hoyle.engine.generate.simplify import Simplifier, is_plain
from hoyle.engine.generate.values import Values, write_literal
from hoyle.engine.generate.words import Words
from hoyle.engine.generate.writer import Code, Line, Writer, atom, comment
from hoyle.ir import nodes as ir
from hoyle.view.names import Names

REMEMBERED = 1 << 15  # results of a definition kept at most
PARTS_OF_POSITION = ("zones", "states", "slots", "totals", "holders")
SHORT = 8


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its head, what is said of it, and its lines."""

    name: str
    head: str
    about: str
    lines: list[Line]
    remembers: bool = False


class Module:
    """Collects what generated functions need."""

    def __init__(self, program: ir.Program, shared: tuple[Facts, Simplifier] | None = None) -> None:
        self.program = program
        self.facts, self.simplifier = shared or prepare(program)
        self.words = Words(program.players)
        self.functions: list[Function] = []
        self.can_do_writer: Callable[[Module, int, bool, str], None] | None = None
        self.owners = [owner for _, owner in Names(program).zones]
        self.origins: dict[int, ir.Expr] = {}
        self._simple: dict[int, ir.Expr] = {}
        self._tables: dict[str, str] = {}
        self._about: dict[str, str] = {}
        self._texts: list[str] = []
        self._definitions: dict[tuple[int, tuple[bool, ...]], tuple[str, bool]] = {}
        self._can_do: dict[tuple[int, bool], str] = {}

    def simple(self, expr: ir.Expr) -> ir.Expr:
        """An expression of the program, made simple once."""
        if id(expr) not in self._simple:
            self._simple[id(expr)] = self.simplifier.simplify(expr)
        return self._simple[id(expr)]

    # ---------------------------------------------------------------------------------------------- values
    def literal(self, value: Any) -> Code:
        """A constant: written out if it is short, otherwise kept in a table."""
        if isinstance(value, str):
            self._texts.append(value)
            return atom(f"TEXTS[{len(self._texts) - 1}]")
        if isinstance(value, tuple) and not is_plain(value):
            inner = ", ".join(self.literal(part).text for part in value)
            return atom(f"({inner},)" if len(value) == 1 else f"({inner})")
        if isinstance(value, tuple) and len(value) > SHORT:
            return atom(self.table(value))
        return atom(write_literal(value))

    def table(self, values: tuple[Any, ...], about: str = "") -> str:
        """The name of a table with these values."""
        text = write_literal(values)
        name = self._tables.setdefault(text, f"T{len(self._tables)}")
        if about and name not in self._about:
            self._about[name] = about
        return name

    # ---------------------------------------------------------------------------------------------- functions
    def add(self, function: Function) -> None:
        self.functions.append(function)

    def definition(self, number: int, none: tuple[bool, ...]) -> tuple[str, bool]:
        """The function of a definition for arguments that can or cannot be none, and whether it takes the position."""
        key = (number, none)
        if key not in self._definitions:
            reads = self.facts.definition_reads(number)
            name = f"d{number}" + "".join("n" if can_be else "" for can_be in none)
            if any(name == made for made, _ in self._definitions.values()):
                name += f"_{len(self._definitions)}"
            self._definitions[key] = name, reads
            self._write_definition(number, none, name, reads)
        return self._definitions[key]

    def _write_definition(self, number: int, none: tuple[bool, ...], name: str, reads: bool) -> None:
        declared = self.program.definitions[number]
        params, body = self.simplifier.body_of(number)
        body = self.simplifier.simplify_again(body)
        writer = Writer()
        values = Values(self, writer)
        names = [f"a{i}" for i in range(len(params))]
        for param, given, can_be in zip(params, names, none, strict=True):
            values.names[param] = atom(given)
            if can_be:
                values.none_vars.add(param)
        writer.add(f"return {values.value(body).text}")
        taken = ", ".join((["position"] if reads else []) + names)
        remembers = bool(params) and not reads and is_heavy(body)
        self.add(Function(name, f"{name}({taken})", f"definition {declared.name}", writer.lines, remembers))

    def can_do(self, action: int, *, allowed: bool) -> str:
        """The function that says whether a seat has a choice of an action."""
        key = (action, allowed)
        if key not in self._can_do:
            self._can_do[key] = f"{'may' if allowed else 'can'}_{action}"
            assert self.can_do_writer is not None
            self.can_do_writer(self, action, allowed, self._can_do[key])
        return self._can_do[key]

    # ---------------------------------------------------------------------------------------------- text
    def write(self, head: list[str], tail: list[str]) -> str:
        """The source of the module; `PLACES` says which line carries out which instruction."""
        lines = [*head, self._write_texts()]
        for text, name in self._tables.items():
            about = self._about.get(name, "")
            lines.append(f"{name} = {text}" + (f"  {comment(about)}" if about else ""))
        places: list[str] = []
        for function in self.functions:
            lines += ["", ""]
            if function.remembers:
                lines.append(f"@lru_cache({REMEMBERED})")
            lines += [f"def {function.head}:", f"    {comment(function.about)}"]
            used = "\n".join(line.text for line in function.lines if not line.text.startswith("#"))
            lines += [f"    {part} = position.{part}" for part in PARTS_OF_POSITION if re.search(rf"\b{part}\b", used)]
            for line in function.lines:
                lines.append("    " * line.depth + line.text)
                if line.place is not None:
                    places.append(f"{len(lines)}: {line.place}")
        lines += ["", "", f"PLACES = {{{', '.join(places)}}}", *tail]
        return "\n".join(lines) + "\n"

    def _write_texts(self) -> str:
        inner = "".join(f"{ascii(text)}, " for text in self._texts).rstrip()
        return f"TEXTS = ({inner})"


def prepare(program: ir.Program) -> tuple[Facts, Simplifier]:
    """What several modules of one program share while they are generated."""
    facts = Facts(program)
    return facts, Simplifier(program, facts)

"""A module being generated: its tables, its definitions, and the functions written so far.

In: a program, and requests for functions. Out: source text, nothing of which comes from a rule file but numbers,
truths, texts written by `ascii`, and comments of plain letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hoyle.engine.generate.facts import Facts, is_heavy, measure, substitute
from hoyle.engine.generate.nodes import View
from hoyle.engine.generate.seen import Seen, carries_cards, find_seen
from hoyle.engine.generate.simplify import Simplifier, is_plain
from hoyle.engine.generate.values import Values, write_literal
from hoyle.engine.generate.words import Words
from hoyle.engine.generate.writer import Code, Line, Writer, atom, comment
from hoyle.ir import nodes as ir
from hoyle.ir.types import certain
from hoyle.view.names import Names

REMEMBERED = 1 << 15  # results of a definition kept at most
PARTS_OF_POSITION = ("zones", "states", "slots", "totals", "holders")
WORTH_REMEMBERING, LARGEST_REMEMBERED = 40, 3000  # steps of a body whose results are kept
SHORT = 8


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its head, what is said of it, and its lines."""

    name: str
    head: str
    about: str
    lines: list[Line]
    remembers: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """The function of a definition. `leaves` are what it is given of the position besides its arguments; `shapes` say
    how each argument is seen, if results are remembered by that."""

    name: str
    reads: bool
    leaves: Sequence[ir.Expr] = ()
    shapes: tuple[tuple[tuple[int, ...] | None, bool], ...] = ()

    def arguments(self, args: tuple[ir.Expr, ...]) -> list[ir.Expr]:
        """What the function is called with."""
        given = [*args, *self.leaves]
        if not self.shapes:
            return given
        return [
            View(type=each.type, of=each, classes=classes, sorts=sorts) if classes is not None or sorts else each
            for each, (classes, sorts) in zip(given, self.shapes, strict=True)
        ]


class Module:
    """Collects what generated functions need."""

    def __init__(self, program: ir.Program, shared: tuple[Facts, Simplifier] | None = None) -> None:
        self.program = program
        self.facts, self.simplifier = shared or prepare(program)
        self.words = Words(program.players, seats_leave=self.facts.seats_leave)
        self.functions: list[Function] = []
        self.can_do_writer: Callable[[Module, int, bool, str], None] | None = None
        self.owners = [owner for _, owner in Names(program).zones]
        self.origins: dict[int, ir.Expr] = {}
        self.written: set[str] = set()
        self._simple: dict[int, ir.Expr] = {}
        self._tables: dict[str, str] = {}
        self._about: dict[str, str] = {}
        self._texts: list[str] = []
        self._definitions: dict[tuple[int, tuple[bool, ...]], Written] = {}
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

    def definition(self, number: int, none: tuple[bool, ...]) -> Written:
        """The function of a definition for arguments that can or cannot be none."""
        key = (number, none)
        if key not in self._definitions:
            name = f"d{number}" + "".join("n" if can_be else "" for can_be in none)
            if any(name == made.name for made in self._definitions.values()):
                name += f"_{len(self._definitions)}"
            self._definitions[key] = self._write_definition(number, none, name)
        return self._definitions[key]

    def _write_definition(self, number: int, none: tuple[bool, ...], name: str) -> Written:
        declared = self.program.definitions[number]
        params, body = self.simplifier.body_of(number)
        body = self.simplifier.simplify_again(body)
        given = [
            ir.Var(type=local.type, index=param) for local, param in zip(declared.params, params, strict=True)
        ]  # fmt: skip
        about = f"definition {declared.name}"
        remembered = self._remember(body, given, none)
        if remembered is not None:
            seen, extra, leaves = remembered
            none += tuple(self.facts.can_be_none(leaf) for leaf in leaves)
            self._write_function(name, about, seen.body, [*given, *extra], none, reads=False, remembers=True)
            shapes = tuple(_find_shape(seen, param) for param in (*given, *extra))
            return Written(name, False, leaves, shapes)
        reads = self.facts.reads_position(body)
        remembers = bool(params) and not reads and measure(body) > WORTH_REMEMBERING
        self._write_function(name, about, body, given, none, reads=reads, remembers=remembers)
        return Written(name, reads)

    def _write_function(
        self, name: str, about: str, body: ir.Expr, given: list[ir.Var], none: tuple[bool, ...], **how: bool
    ) -> None:
        """A function of parameters, some of which can be none."""
        writer = Writer()
        values = Values(self, writer)
        names = [f"a{place}" for place in range(len(given))]
        for var, taken, can_be in zip(given, names, none, strict=True):
            values.names[var.index] = atom(taken)
            if can_be:
                values.none_vars.add(var.index)
        writer.add(f"return {values.value(body).text}")
        head = f"{name}({', '.join((['position'] if how['reads'] else []) + names)})"
        self.add(Function(name, head, about, writer.lines, how["remembers"]))

    def _remember(
        self, body: ir.Expr, given: list[ir.Var], none: tuple[bool, ...]
    ) -> tuple[Seen, list[ir.Var], list[ir.Expr]] | None:
        """A long body as a function of what it sees: what it reads of the position becomes parameters, too."""
        if not is_heavy(body) or not WORTH_REMEMBERING < self.simplifier.cost_of(body) < LARGEST_REMEMBERED:
            return None
        body = self.simplifier.expand(body)
        leaves = [leaf for leaf in self.simplifier.find_leaves(body) or () if not isinstance(leaf, ir.Var)]
        leaves.sort(key=repr)
        if len(leaves) > 2 or not all(_is_small(leaf) for leaf in leaves):
            return None
        extra = [ir.Var(type=leaf.type, index=self.simplifier.fresh()) for leaf in leaves]
        lifted = substitute(body, dict(zip(leaves, extra, strict=True)).get)
        if self.facts.reads_position(lifted) or not (given or extra):
            return None
        seen = find_seen(self.facts, lifted, [*given, *extra])
        return None if seen is None else (seen, extra, leaves)

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
                if not line.text:
                    continue
                lines.append("    " * line.depth + line.text)
                if line.place is not None:
                    places.append(f"{len(lines)}: {line.place}")
        lines += ["", "", f"PLACES = {{{', '.join(places)}}}", *tail]
        return "\n".join(lines) + "\n"

    def _write_texts(self) -> str:
        inner = "".join(f"{text!a}, " for text in self._texts).rstrip()
        return f"TEXTS = ({inner})"


def _find_shape(seen: Seen, param: ir.Var) -> tuple[tuple[int, ...] | None, bool]:
    """How a parameter is seen: by classes of cards, sorted."""
    classes = seen.classes if carries_cards(param.type) else None
    return classes, seen.any_order and certain(param.type).kind == "list"


def _is_small(leaf: ir.Expr) -> bool:
    """Whether what is read of the position has few enough values that results can be remembered by it."""
    if isinstance(leaf, ir.StateRef):
        return leaf.owner is None and certain(leaf.type).kind in ("enum", "card", "seat", "truth")
    return isinstance(leaf, ir.Apply) and leaf.word in _SMALL and isinstance(leaf.args[0], ir.Const)


_SMALL = ("cards", "top", "bottom", "no_cards")


def prepare(program: ir.Program) -> tuple[Facts, Simplifier]:
    """What several modules of one program share while they are generated."""
    facts = Facts(program)
    return facts, Simplifier(program, facts)

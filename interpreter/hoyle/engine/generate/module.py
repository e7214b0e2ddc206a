"""A module being generated: its tables, its definitions, and the functions written so far.

In: a program, and requests for functions. Out: source text, nothing of which comes from a rule file but numbers,
truths, texts written by `ascii`, and comments of plain letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hoyle.dataclass import dataclass
from hoyle.engine.generate.dividers import find_read, list_groupings
from hoyle.engine.generate.dividing import write_divider
from hoyle.engine.generate.facts import Facts, binder, free_vars, is_heavy, measure, substitute
from hoyle.engine.generate.grouping import ALWAYS, close
from hoyle.engine.generate.loops import write_list, write_quantified
from hoyle.engine.generate.memo_keys import join_keys, write_key
from hoyle.engine.generate.seen import Seen, carries_cards, find_seen
from hoyle.engine.generate.simplify import Simplifier, is_plain
from hoyle.engine.generate.values import Forms, Values, write_literal
from hoyle.engine.generate.words import Words
from hoyle.engine.generate.writer import Code, Line, Writer, atom, comment
from hoyle.engine.generate.written import Seeing, Written
from hoyle.engine.work import USUAL, Work, is_list
from hoyle.ir import nodes as ir
from hoyle.ir.types import NUMBER, Type, certain, list_of
from hoyle.ir.walk import walk_expression
from hoyle.model.runtime_values import Value
from hoyle.view.names import Names
from hoyle.words import Op, applies, word_of

REMEMBERED = 1 << 15  # results of a definition kept at most, if they are kept by its arguments as they are
PARTS_OF_POSITION = ("zones", "states", "slots", "totals", "holders")
WORTH_REMEMBERING, LARGEST_REMEMBERED = 40, 3000  # steps of a body whose results are kept
MOST_CARDS_KEPT = 128  # of a deck whose cards stand in results that are kept
SHORT = 8
MOST_IN_TABLE = 12  # cards of which the ways of taking a few stand in a table
SHORT_BODY = 150  # steps of a body that may be written where it is called
FORMS = Forms(write_list, write_quantified, write_key, join_keys)


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its head, what is said of it, and its lines."""

    name: str
    head: str
    about: str
    lines: list[Line]
    remembers: bool = False
    kept_in: str = ""  # what holds its results, if they are kept by what it sees of its arguments


class Module:
    """Collects what generated functions need."""

    def __init__(self, program: ir.Program, shared: tuple[Facts, Simplifier] | None = None) -> None:
        self.program = program
        self.facts, self.simplifier = shared or prepare(program)
        self.forms = FORMS
        self.words = Words(program.players, seats_leave=self.facts.seats_leave)
        self.work = Work(program)
        self.functions: list[Function] = []
        self.can_do_writer: Callable[[Module, int, bool, str], None] | None = None
        self.owners = [owner for _, owner in Names(program).zones]
        self.origins: dict[int, ir.Expr] = {}
        self.grouped: set[int] = set()  # slots of picks in which no card is twice
        self.from_start = False  # whether a card in the zone of a seat was last held by that seat, whatever happened
        self.written: set[str] = set()
        self._simple: dict[int, ir.Expr] = {}
        self._tables: dict[str, str] = {}
        self._about: dict[str, str] = {}
        self._texts: list[str] = []
        self._groups: set[int] = set()
        self._groupings: list[ir.Grouping] | None = None
        self._dividers: dict[ir.Grouping, str] = {}  # the lines that make the functions of those that are generated
        self._finders: dict[tuple[tuple[ir.Expr, ...], tuple[ir.Expr, ...]], tuple[str, str]] = {}  # with their names
        self._definitions: dict[tuple[int, tuple[bool, ...]], Written] = {}
        self._can_do: dict[tuple[int, bool], str] = {}

    def simple(self, expr: ir.Expr) -> ir.Expr:
        """An expression of the program, made simple once."""
        if id(expr) not in self._simple:
            self._simple[id(expr)] = self.simplifier.simplify(expr)
        return self._simple[id(expr)]

    # ---------------------------------------------------------------------------------------------- values
    def literal(self, value: Value) -> Code:
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

    def table(self, values: tuple[Value, ...], about: str = "") -> str:
        """The name of a table with these values."""
        text = write_literal(values)
        name = self._tables.setdefault(text, f"T{len(self._tables)}")
        if about and name not in self._about:
            self._about[name] = about
        return name

    def places(self, few: int) -> str:
        """The name of a table of the ways of taking a few of not too many."""
        self._groups.add(few)
        return f"G_{few}"

    def divider(self, by: ir.Grouping) -> str:
        """The name of the function that divides cards."""
        if self._groupings is None:
            self._groupings = list_groupings(self.program)
        name = f"divide_{self._groupings.index(by)}"
        if by not in self._dividers:
            self._dividers[by] = ""  # its condition may divide cards, too
            if not find_read(self.program, by):
                self._dividers[by] = write_divider(self, by, name)
        return name

    def group_finder(self, tests: tuple[ir.Expr, ...], complete: tuple[ir.Expr, ...], var: ir.Var) -> str | None:
        """The name of the function that lists the groups that satisfy tests, those of growing groups and those of
        complete ones, as far as their cards alone tell; None where these tell nothing."""
        given = ir.Var(type=var.type, index=0)
        grows, fits = (
            tuple(part for test in each if (part := self._close(test, var, given)) != ALWAYS)
            for each in (tests, complete)
        )
        if not grows:
            return None
        if (grows, fits) not in self._finders:
            name = f"find_groups_{len(self._finders)}"
            made = ["None", "None"]
            for place, (parts, about) in enumerate(((fits, "whether cards are"), (grows, "whether cards can become"))):
                if parts:
                    own = ir.Var(type=var.type, index=self.simplifier.fresh())
                    known: dict[ir.Expr, ir.Expr] = {given: own}
                    body = self.simplifier.join_all([substitute(part, known.get) for part in parts])
                    made[place] = f"{name}_{'fits' if place == 0 else 'grows'}"
                    self.write_closed(made[place], f"{about} a group", body, own)
            self._finders[grows, fits] = (name, f"{name} = make_find_groups({', '.join(made)})")
        return self._finders[grows, fits][0]

    def _close(self, test: ir.Expr, var: ir.Var, given: ir.Var) -> ir.Expr:
        return close(self.facts, self.simplifier.expand(test), var, given)

    # ---------------------------------------------------------------------------------------------- functions
    def add(self, function: Function) -> None:
        self.functions.append(function)

    def definition(self, number: int, none: tuple[bool, ...]) -> Written:
        """The function of a definition for arguments that can or cannot be none."""
        key = (number, none)
        if key not in self._definitions:
            self._write_rows(number, none)
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
        seeing = self._write_remembered(name, about, body, given, none)
        if seeing is not None:
            return Written(name, False, seeing)
        reads = self.facts.reads_position(body)
        light = all(self._is_light(each) for each in (body.type, *(local.type for local in declared.params)))
        remembers = bool(params) and not reads and light and measure(body) > WORTH_REMEMBERING
        self._write_function(name, about, body, given, none, reads=reads, remembers=remembers)
        asks = any(isinstance(part, ir.Call | ir.CanDo) for part in walk_expression(body))
        if remembers or asks or measure(body) > SHORT_BODY:
            return Written(name, reads)
        return Written(name, reads, params=tuple(given), body=body)

    def _is_light(self, kind: Type) -> bool:
        """Whether values of a type are so small that many can be kept."""
        kind = certain(kind)
        if kind.kind != "list" or kind.of is None:
            return True
        if kind.of.kind == "card":
            return len(self.program.cards) <= MOST_CARDS_KEPT
        return kind.of.kind in ("seat", "enum")

    def _write_remembered(
        self, name: str, about: str, body: ir.Expr, given: list[ir.Var], none: tuple[bool, ...]
    ) -> Seeing | None:
        """A function whose results are kept by what it sees, if that is worth while."""
        if not all(self._is_light(each.type) for each in (body, *given)):
            return None
        remembered = self._remember(body, given)
        if remembered is None:
            return None
        seen, over, exprs = remembered
        none_vars = {var.index for var, can_be in zip(given, none, strict=True) if can_be}
        seen_none = tuple(self.facts.can_be_none(expr, none_vars) for expr in exprs)
        kept_in = f"K_{name}"
        self._write_function(name, about, seen.body, over, seen_none, reads=False, kept_in=kept_in)
        return Seeing(kept_in, tuple(given), tuple(exprs), tuple(_find_shape(seen, param) for param in over))

    def _write_rows(self, number: int, none: tuple[bool, ...]) -> None:
        """The rows of the score table a definition belongs to, as one function, where they see the same: a hand that
        is looked up for one row has been looked up for all."""
        table = next((table for table in self.program.scores for row in table.rows if row.amount == number), None)
        if table is None:
            return
        params = self.simplifier.body_of(number)[0]
        given = [
            ir.Var(type=local.type, index=param)
            for local, param in zip(self.program.definitions[number].params, params, strict=True)
        ]
        bodies: dict[int, ir.Expr] = {}
        for row in table.rows:
            own, body = self.simplifier.body_of(row.amount)
            taken = [ir.Var(type=var.type, index=index) for var, index in zip(given, own, strict=True)]
            known: dict[ir.Expr, ir.Expr] = dict(zip(taken, given, strict=True))
            body = self.simplifier.simplify_again(substitute(body, known.get))
            if self._remember(body, given) is not None and not self.facts.can_be_none(body):
                bodies[row.amount] = body
        if number not in bodies or len(bodies) < 2:
            return
        together = ir.Apply(type=list_of(NUMBER), word=word_of(Op.LIST).name, args=tuple(bodies.values()))
        name = f"d{min(bodies)}_{max(bodies)}"
        seeing = self._write_remembered(name, f"rows of {table.name}", together, given, none)
        if seeing is not None:
            for part, row_number in enumerate(bodies):
                self._definitions[row_number, none] = Written(name, False, seeing, part)

    def _write_function(
        self,
        name: str,
        about: str,
        body: ir.Expr,
        given: list[ir.Var],
        none: tuple[bool, ...],
        *,
        reads: bool,
        remembers: bool = False,
        kept_in: str = "",
    ) -> None:
        """A function of parameters, some of which can be none."""
        writer = Writer()
        values = Values(self, writer)
        names = [f"a{place}" for place in range(len(given))]
        for var, taken, can_be in zip(given, names, none, strict=True):
            values.names[var.index] = atom(taken)
            if can_be:
                values.none_vars.add(var.index)
        for var, taken in zip(given, names, strict=True):
            if is_list(var.type):
                none_too = f"{taken} is not None and " if var.index in values.none_vars else ""
                values.stop_if(f"{none_too}len({taken}) > {4 * USUAL.given}")
        writer.add(f"return {values.value(body).text}")
        head = f"{name}({', '.join((['position'] if reads else []) + names)})"
        self.add(Function(name, head, about, writer.lines, remembers, kept_in))

    def write_closed(self, name: str, about: str, body: ir.Expr, given: ir.Var) -> None:
        """A function of one thing that reads no position."""
        self._write_function(name, about, body, [given], (False,), reads=False)

    def _remember(self, body: ir.Expr, given: list[ir.Var]) -> tuple[Seen, list[ir.Var], list[ir.Expr]] | None:
        """A long body as a function of what it sees: what it reads of the position becomes parameters, too, and lists
        that are only seen joined are one. Gives the parameters, and what they stand for."""
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
        lifted, over, exprs = self._join_lists(lifted, [*given, *extra])
        seen = find_seen(self.facts, lifted, over)
        standing: dict[ir.Expr, ir.Expr] = dict(zip(extra, leaves, strict=True))
        return None if seen is None else (seen, over, [substitute(expr, standing.get) for expr in exprs])

    def _join_lists(self, body: ir.Expr, params: list[ir.Var]) -> tuple[ir.Expr, list[ir.Var], list[ir.Expr]]:
        """Parameters that occur only joined into one list: the list is the parameter."""
        for node in walk_expression(body):
            joins = applies(node, Op.JOIN)
            if joins and not any(binder(part) for part in walk_expression(node)):
                inside = free_vars(node)
                whole = ir.Var(type=node.type, index=self.simplifier.fresh())
                joined: dict[ir.Expr, ir.Expr] = {node: whole}
                other = substitute(body, joined.get)
                if inside <= {var.index for var in params} and not inside & free_vars(other):
                    kept = [var for var in params if var.index not in inside]
                    return other, [*kept, whole], [*kept, node]
        return body, params, [*params]

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
        for few in sorted(self._groups):
            lines.append(f"G_{few} = tuple([list_places(many, {few}) for many in range({MOST_IN_TABLE + 1})])")
        places: list[str] = []
        for function in self.functions:
            lines += ["", ""]
            if function.remembers:
                lines.append(f"@lru_cache({REMEMBERED})")
            if function.kept_in:
                lines += [f"{function.kept_in} = {{}}", f"S{function.kept_in[1:]} = {{}}", "", ""]
            lines += [f"def {function.head}:", f"    {comment(function.about)}"]
            used = "\n".join(line.text for line in function.lines if not line.text.startswith("#"))
            lines += [f"    {part} = position.{part}" for part in PARTS_OF_POSITION if re.search(rf"\b{part}\b", used)]
            for line in function.lines:
                if not line.text:
                    continue
                lines.append("    " * line.depth + line.text)
                if line.place is not None:
                    places.append(f"{len(lines)}: {(*line.place,)}")
        lines += ["", "", *filter(None, self._dividers.values()), *(line for _, line in self._finders.values())]
        lines += [f"PLACES = {{{', '.join(places)}}}", *tail]
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
    return applies(leaf, *_SMALL) and isinstance(leaf.args[0], ir.Const)


_SMALL = (Op.CARDS, Op.TOP, Op.BOTTOM, Op.NO_CARDS)


def prepare(program: ir.Program) -> tuple[Facts, Simplifier]:
    """What several modules of one program share while they are generated."""
    facts = Facts(program)
    return facts, Simplifier(program, facts)

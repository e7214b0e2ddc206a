"""C expressions for simple values: types and conversions, literals and none, constant tables, struct fields, lists
in memory.

In: values after `expand`, and the printers of the operations. Out: C expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hoyle.play.codegen.c.helpers import HELPERS
from hoyle.play.codegen.c.struct_layout import Field, Layout, element_type, fit, register_type
from hoyle.play.codegen.low.facts import Fact
from hoyle.play.codegen.low.values import Rows, Table, Value
from hoyle.play.codegen.unsupported import Unsupported


class Expressions:
    """Prints values of one module, and collects the constant tables and helpers they need."""

    def __init__(self, layout: Layout, spelled: Mapping[str, Callable[[Expressions, Value], str]]) -> None:
        self.layout = layout
        self.spelled = spelled
        self.tables: dict[str, str] = {}
        self.late_zone = -1  # the zone that is shuffled lazily
        self.helpers: dict[str, str] = {}
        self.lists: dict[tuple[str, tuple[int, ...]], int] = {}
        self.mentioned: set[Value] = set()  # registers used in the current scope

    # ---------------------------------------------------------------------------------------------- tables
    def constant(self, name: str, ctype: str, values: Sequence[int | str]) -> str:
        """The name of a constant array."""
        if name not in self.tables:
            listed = ", ".join(value if isinstance(value, str) else write_literal(value) for value in values) or "0"
            self.tables[name] = f"CONSTANT const {ctype} {name}[{max(1, len(values))}] = {{{listed}}};"
        return name

    def helper(self, name: str, *types: str) -> str:
        full = "_".join((name, *types))
        if full not in self.helpers:
            self.helpers[full] = HELPERS[name].format(*types)
        return full

    def table(self, table: Table) -> tuple[str, int | None]:
        """A table, and the number that encodes none in it."""
        known = [value for value in table.values if value is not None]
        fact = Fact(min(known, default=0), max(known, default=0), none=None in table.values)
        ctype, none = fit(fact)
        values = [(none or 0) if value is None else value for value in table.values]
        return self.constant(f"K{table.number}", ctype, values), none

    # ---------------------------------------------------------------------------------------------- values
    def type_of(self, value: Value) -> str:
        return register_type(value.fact)

    def expr(self, value: Value) -> str:
        """A value as a C expression of its own type."""
        if value.op not in self.spelled:
            raise Unsupported(f"the operation {value.op}")
        return self.spelled[value.op](self, value)

    def register(self, value: Value) -> str:
        """The name of a register."""
        self.mentioned.add(value)
        return f"r{value.number}"

    def as_type(self, value: Value, ctype: str) -> str:
        """A value converted to a type, with the encoding of none of that type."""
        if value.op == "none":
            return none_of(ctype)
        own = self.type_of(value)
        text = self.expr(value)
        if own == ctype or not value.fact.none:
            return text if own == ctype or ctype == "int64_t" else f"({ctype}){text}"
        assert (own, ctype) == ("int32_t", "int64_t"), (own, ctype, value)
        return f"widen({text})"

    def pair(self, a: Value, b: Value) -> tuple[str, str]:
        """The operands of a comparison in their common type."""
        types = {self.type_of(each) for each in (a, b) if each.op != "none"}
        ctype = types.pop() if len(types) == 1 else "uint64_t" if "uint64_t" in types else "int64_t"
        return self.as_type(a, ctype), self.as_type(b, ctype)

    # ---------------------------------------------------------------------------------------------- fields
    def load(self, field: Field, index: str, fact: Fact) -> str:
        """A load of a field; none is converted to the encoding of the register type."""
        text = field.at(index)
        if not fact.none or field.none is None:
            return text
        return f"({text} == {write_literal(field.none)} ? {none_of(register_type(fact))} : {text})"

    def store(self, field: Field, index: str, value: Value) -> str:
        """A store to a field; none is converted to the encoding of the field."""
        target = f"{field.path}{index}"
        if value.op == "none":
            return f"{target} = {write_literal(field.none or 0)};"
        text = self.expr(value)
        if not value.fact.none:
            return f"{target} = ({field.ctype}){text};"
        none = none_of(self.type_of(value))
        return f"{target} = {text} == {none} ? {write_literal(field.none or 0)} : ({field.ctype}){text};"

    # ---------------------------------------------------------------------------------------------- lists
    def index(self, args: Sequence[Value]) -> str:
        """Array subscripts."""
        return "".join(f"[{self.expr(arg)}]" for arg in args)

    def listed(self, value: Value) -> str:
        """A list as function arguments: pointer and length."""
        return f"{self.pointer(value)}, {self.length(value)}"

    def pile(self, zone: Value, down: str) -> str:
        """A pointer to the cards of a zone; a lazily shuffled one is first put in order from index `down` up."""
        may_be_late = zone.fact.low <= self.late_zone <= zone.fact.high
        return f"ORDERED({self.expr(zone)}, {down})" if may_be_late else f"PILE({self.expr(zone)})"

    def list_type(self, value: Value) -> str:
        return self._find(value)[0]

    def pointer(self, value: Value, down: str = "0") -> str:
        return self._find(value, down)[1]

    def length(self, value: Value) -> str:
        return self._find(value)[2]

    def _find(self, value: Value, down: str = "0") -> tuple[str, str, str]:
        """A list in memory: element type, pointer, and length, negative for none. It is read from index `down` up."""
        match value.op:
            case "sure":
                return self._find(value.args[0], down)
            case "slice":
                listed, at, many = value.args
                ctype, elements, _ = self._find(listed, self.expr(at))
                return ctype, f"({elements} + {self.expr(at)})", self.expr(many)
            case "cards":
                (zone,) = value.args
                return self.layout.card_type, self.pile(zone, down), f"TABLE(n)[{self.expr(zone)}]"
            case "row":
                return self._find_row(value.rows, self.expr(value.args[0]))
            case "slot" | "state" | "choice_pick" | "choices":
                name = f"{'v' if value.op == 'state' else 's'}{'_'.join(map(str, value.data))}"
                held, index = self.layout.find_list(name), self.index(value.args)
                length, none = f"{held.length.path}{index}", held.length.none
                if value.fact.none:
                    length = f"({length} == {none} ? -1 : {length})"
                return held.elements.ctype, f"{held.elements.path}{index}", length
        if value.op not in ("list", "register") or value.fact.of is None:
            raise Unsupported(f"a list made by {value.op}")
        ctype = element_type(value.fact.of, self.layout)
        if value.op == "register":
            return ctype, self.register(value), f"{self.register(value)}n"
        values = value.constants or ()
        number = self.lists.setdefault((ctype, values), len(self.lists))
        return ctype, self.constant(f"L{number}", ctype, values), str(len(values))

    def _find_row(self, rows: Rows, at: str) -> tuple[str, str, str]:
        """A row of a table of lists, stored as a padded matrix."""
        lengths = [len(row) for row in rows.rows]
        widest = max([1, *lengths])
        values = [value for row in rows.rows for value in (*row, *[0] * (widest - len(row)))]
        ctype = element_type(Fact(min(values), max(values)), self.layout)
        elements = f"({self.constant(f'R{rows.number}', ctype, values)} + {widest} * {at})"
        if len(set(lengths)) == 1:
            return ctype, elements, str(lengths[0])
        return ctype, elements, f"{self.constant(f'R{rows.number}_n', 'uint16_t', lengths)}[{at}]"


def none_of(ctype: str) -> str:
    return {"int32_t": "NONE32", "int64_t": "NONE64"}[ctype]


def write_literal(value: int) -> str:
    if value == -(1 << 63):
        return "NONE64"
    if value == -(1 << 31):
        return "NONE32"
    return str(value) if abs(value) < 1 << 31 else f"INT64_C({value})"

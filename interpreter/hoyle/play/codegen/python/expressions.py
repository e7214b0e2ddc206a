"""Code for each simple operation in Python, by opcode.

In: a value after `expand`. Out: a Python expression, by a line of a table or a short function (instruction selection
only). None is `None`, truths are numbers or `bool`, lists are tuples or lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hoyle.play.codegen.low.facts import LIMIT
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.dense_memo import Classes, Memo
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir

Spell = Callable[["Expressions", Value], str]
WORD = (1 << 64) - 1
SLOT, STATE, TOTAL = "s", "v", "t"  # letters of the variables that hold the position


class Expressions:
    """Prints values of one module, and collects the constants they need."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.constants: dict[str, str] = {}  # by text of the value, the name
        self.loaded: set[str] = set()  # variables of the position that the function being printed uses

    def constant(self, text: str) -> str:
        """The name of a constant of the module."""
        return self.constants.setdefault(text, f"K{len(self.constants)}")

    def expr(self, value: Value) -> str:
        """A value as a Python expression, in brackets unless it binds tightest."""
        spell = SPELLED.get(value.op)
        if spell is None:
            raise Unsupported(f"the operation {value.op}")
        return spell(self, value)

    def load(self, name: str) -> str:
        """A variable that the function loads from the position where it begins."""
        self.loaded.add(name)
        return name

    def zone(self, zone: Value) -> str:
        """The cards of a zone."""
        if zone.constant is not None:
            return self.load(f"z{zone.constant}")
        return f"{self.load('Z')}[{self.expr(zone)}]"

    def place(self, letter: str, number: int, index: Sequence[Value]) -> str:
        """A place of the position: a variable, or an element of the list that holds a family."""
        name = self.load(f"{letter}{number}")
        return f"{name}[{self.expr(index[0])}]" if index else name

    def length(self, listed: Value) -> str:
        """The length of a list; -1 for none."""
        if listed.op == "none":
            return "-1"
        if listed.constants is not None:
            return str(len(listed.constants))
        if listed.op == "slice":
            return self.expr(listed.args[2])
        text = self.expr(listed)
        return f"(-1 if {text} is None else len({text}))" if listed.fact.none else f"len({text})"

    def as_tuple(self, value: Value) -> str:
        """A value as the position holds it: lists are tuples."""
        if not value.fact.is_list or value.op == "none" or is_tuple(value):
            return self.expr(value)
        text = self.expr(value)
        return f"(None if {text} is None else (*{text},))" if value.fact.none else f"(*{text},)"


def is_tuple(value: Value) -> bool:
    """Whether a list is held as a tuple, which nothing changes."""
    while value.op in ("sure", "slice"):
        value = value.args[0]
    return value.op in ("list", "row", "slot", "state", "choice_pick", "nth_group")


def _plain(form: str) -> Spell:
    """A format string over the operands and the immediates, `data`."""
    return lambda s, value: form.format(*map(s.expr, value.args), data=value.data)


def _of_position(form: str, *names: str) -> Spell:
    """The same for an operation that reads variables of the position."""

    def spell(s: Expressions, value: Value) -> str:
        s.loaded.update(names)
        return form.format(*map(s.expr, value.args), data=value.data)

    return spell


def _logic(sign: str) -> Spell:
    return lambda s, value: f"({f' {sign} '.join(map(s.expr, value.args))})"


def _compare(sign: str) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        if value.args[0].fact.is_list and not all(map(is_tuple, value.args)):
            return f"([*{s.expr(value.args[0])}] {sign} [*{s.expr(value.args[1])}])"
        return f"({s.expr(value.args[0])} {sign} {s.expr(value.args[1])})"

    return spell


def _extreme(sign: str) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        a, b = map(s.expr, value.args)
        return f"({a} if {a} {sign} {b} else {b})"

    return spell


def _table(s: Expressions, value: Value) -> str:
    return f"{s.constant(repr(value.table.values))}[{s.expr(value.args[0])}]"


def _end_of_pile(at: int) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        pile = s.zone(value.args[0])
        return f"({pile}[{at}] if {pile} else None)" if value.fact.none else f"{pile}[{at}]"

    return spell


def _slice(s: Expressions, value: Value) -> str:
    listed, start, many = value.args
    text, at = s.expr(listed), s.expr(start)
    return f"{text}[:{s.expr(many)}]" if at == "0" else f"{text}[{at}:{at} + {s.expr(many)}]"


def _alike(s: Expressions, value: Value) -> str:
    listed, *others = value.args
    faces, zones = s.constant(repr(value.table.values)), s.load("Z")
    if value.op == "holds_alike":
        return f"(find_alike({zones}, {s.expr(listed)}, {s.length(listed)}, {s.expr(others[0])}, {faces}) != 0)"
    return f"find_alike({zones}, {s.expr(listed)}, {s.expr(others[0])}, {s.expr(others[1])}, {faces})"


def _choice(s: Expressions, value: Value) -> str:
    return f"{s.place(SLOT, value.number, ())}[{s.expr(value.args[0])}]"


def _choice_action(s: Expressions, value: Value) -> str:
    choice = _choice(s, value)
    return f"({choice}[0] if {choice} else -1)"


def _memo_place(s: Expressions, value: Value) -> str:
    classes = value.data[0]
    assert isinstance(classes, Classes)
    ones = s.constant(repr(tuple(1 << each * 4 for each in classes.of)))
    return f"count_classes({s.expr(value.args[0])}, {ones}, {classes.most})"


def spell_memo(s: Expressions, memo: Memo) -> str:
    """The table of a memoised value: a dictionary by the number of cards of each class."""
    name = f"M{memo.classes.number}_{memo.row}"
    s.constants.setdefault(f"{{}}  # {name}", name)
    return name


def _memo(s: Expressions, value: Value) -> str:
    memo = value.data[0]
    assert isinstance(memo, Memo)
    return f"{spell_memo(s, memo)}.get({s.expr(value.args[0])}, 0)"


def _read(letter: str) -> Spell:
    return lambda s, value: s.place(letter, value.number, value.args)


FORMS = {
    "is_valid": "(kept & {data[0]})", "int": "{data[0]}", "none": "None", "register": "r{data[0]}", "sure": "{}",
    "not": "(not {})", "add": "({} + {})", "subtract": "({} - {})", "multiply": "({} * {})",
    "divide": "({} // {})", "modulo": "({} % {})", "if": "({1} if {0} else {2})", "is_none": "({} is None)",
    "peeking": "False", "is_first": "(stops == LISTS)", "in_set": "({} >> {} & 1)", "bits": "{}.bit_count()",
    "highest_bit": "({}.bit_length() - 1)", "lowest_bit": "lowest_bit({})", "one_row": "is_row({})",
    "or_bits": "({} | {})", "and_bits": "({} & {})", "not_bits": f"({{}} ^ {WORD})",
    "all_if": f"({WORD} if {{}} else 0)", "set": "{data[0]}",
    "has_bits": "(({} & {}) != 0)", "bit": "(1 << {})", "members": "list_members({})",
    "combinations": "count_groups({}, {}, {})", "nth_group": "take_group({}, {}, {}, {})",
    "product_fits": f"(-{LIMIT} <= {{}} * {{}} <= {LIMIT})", "beyond": f"(not -{LIMIT} <= {{}} <= {LIMIT})",
    "element": "{}[{}]", "holds": "({1} in {0})", "declined": "(not {})",
}  # fmt: skip
OF_POSITION: dict[str, tuple[str, ...]] = {
    "zone_of": ("find_zone(Z, {})", "Z"), "place_of": ("find_place(Z, {})", "Z"),
    "rounds": ("P.rounds_played",), "retired": ("({} in P.retired)",), "holder": ("H[{}]", "H"),
    "next_seat": ("find_seat(P, {}, {data[0]})",), "line_count": ("len(P.lines)",),
    "written": ("is_written(P, {})",), "entry": ("find_line(P, {})[{data[0]}]",),
    "marked": ("((find_line(P, {})[-1] or 0) >> {data[0]} & 1)",),
}  # fmt: skip
SPELLED: dict[str, Spell] = {
    **{op: _plain(form) for op, form in FORMS.items()},
    **{op: _of_position(form, *names) for op, (form, *names) in OF_POSITION.items()},
    "greatest": _extreme(">"), "least": _extreme("<"), "equal": _compare("=="), "less": _compare("<"),
    "equal_lists": _compare("=="), "less_lists": _compare("<"), "and": _logic("and"), "or": _logic("or"),
    "table": _table, "row": lambda s, value: f"{s.constant(repr(value.rows.rows))}[{s.expr(value.args[0])}]",
    "list": lambda s, value: s.constant(repr(value.constants)),
    "items": lambda s, value: f"[{', '.join(map(s.expr, value.args))}]",
    "set_at": lambda s, value: f"{s.constant(repr(value.data[0]))}[{s.expr(value.args[0])}]",
    "slot": _read(SLOT), "state": _read(STATE), "total": _read(TOTAL), "choices": _read(SLOT),
    "cards": lambda s, value: s.zone(value.args[0]), "size": lambda s, value: f"len({s.zone(value.args[0])})",
    "in_zone": lambda s, value: f"({s.expr(value.args[0])} in {s.zone(value.args[1])})",
    "index_in": lambda s, value: f"{s.zone(value.args[1])}.index({s.expr(value.args[0])})",
    "top": _end_of_pile(-1), "bottom": _end_of_pile(0), "slice": _slice,
    "length": lambda s, value: s.length(value.args[0]), "holds_alike": _alike, "find_alike": _alike,
    "choice": _choice, "choice_action": _choice_action,
    "choice_pick": lambda s, value: f"{_choice(s, value)}[{_find_pick(value)}]",
    "memo_place": _memo_place, "memo": _memo,
    "span": lambda s, value: "range({}, {} + 1)".format(*map(s.expr, value.args)),
}  # fmt: skip


def _find_pick(value: Value) -> int:
    """The index of a pick in a stored choice, after its action."""
    place = value.data[2]
    assert isinstance(place, int)
    return place + 1

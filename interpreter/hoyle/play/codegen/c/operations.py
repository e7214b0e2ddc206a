"""Code for each simple operation in C, by opcode.

In: a value after `expand`. Out: a C expression, by a line of a table or a short function (instruction selection only).
Reducers, such as `lowest`, are loops by then (`hoyle.play.codegen.passes.reducers`).
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.play.codegen.c.expressions import Expressions, none_of, write_literal
from hoyle.play.codegen.low.facts import Fact
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.dense_memo import Classes, Memo

MOST_WORDS = 128  # in a table of single-bit words
FIELDS = {
    "slot": "s", "state": "v", "total": "t", "holder": "hold", "line_count": "nlines", "offender": "offence_seat",
}  # fmt: skip
Spell = Callable[[Expressions, Value], str]


def _plain(form: str) -> Spell:
    """A format string over the operands and the immediates, `data`."""
    return lambda s, value: form.format(*map(s.expr, value.args), data=value.data)


def _arithmetic(sign: str) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        ctype = s.type_of(value)
        a, b = (s.as_type(arg, ctype) for arg in value.args)
        is_wider = ctype not in map(s.type_of, value.args)  # than both operands: C would truncate
        return f"(({ctype}){a} {sign} {b})" if is_wider else f"({a} {sign} {b})"

    return spell


def _divide(sign: str, function: str) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        a, b = value.args
        if a.fact.low >= 0 and b.fact.low >= 0:
            return f"({s.expr(a)} {sign} {s.expr(b)})"
        return f"({s.type_of(value)}){function}({s.expr(a)}, {s.expr(b)})"

    return spell


def _extreme(name: str) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        wide = "64" if any(s.type_of(arg) == "int64_t" for arg in value.args) else "32"
        text = f"{name}{wide}({', '.join(map(s.expr, value.args))})"
        return f"({s.type_of(value)}){text}" if wide == "64" else text

    return spell


def _compare(sign: str) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        first, second = value.args
        if sign == "==" and first.op == "bits" and second.constant == 1:
            return f"ONE_BIT({s.expr(first.args[0])})"
        if sign == "<" and second.op == "bits" and first.constant == 1:
            return f"TWO_BITS({s.expr(second.args[0])})"
        a, b = s.pair(first, second)
        return f"({a} {sign} {b})"

    return spell


def _logic(sign: str) -> Spell:
    return lambda s, value: f"({f' {sign} '.join(map(s.expr, value.args))})"


def _choose(s: Expressions, value: Value) -> str:
    ctype = s.type_of(value)
    test, yes, no = value.args
    return f"({s.expr(test)} ? {s.as_type(yes, ctype)} : {s.as_type(no, ctype)})"


def _is_none(s: Expressions, value: Value) -> str:
    inner = value.args[0]
    if inner.fact.is_list:
        return f"({s.length(inner)} < 0)"
    return f"({s.expr(inner)} == {none_of(s.type_of(inner))})"


def _sure(s: Expressions, value: Value) -> str:
    inner = value.args[0]
    if inner.op in ("slot", "state"):
        return _read(s, inner, value.fact)
    text = s.expr(inner)
    return text if s.type_of(inner) == s.type_of(value) else f"({s.type_of(value)}){text}"


def _table(s: Expressions, value: Value) -> str:
    name, none = s.table(value.table)
    text = f"{name}[{s.expr(value.args[0])}]"
    if value.fact.none:
        assert none is not None
        return f"({text} == {write_literal(none)} ? {none_of(s.type_of(value))} : {text})"
    return text


def _read(s: Expressions, value: Value, fact: Fact | None = None) -> str:
    field = s.layout.by_name["".join(map(str, (FIELDS[value.op], *value.data)))]
    return s.load(field, s.index(value.args), fact or value.fact)


def _end_of_pile(place: str) -> Spell:
    def spell(s: Expressions, value: Value) -> str:
        zone = s.expr(value.args[0])
        at = place.format(zone)
        text = f"{s.pile(value.args[0], at)}[{at}]"
        return f"(TABLE(n)[{zone}] ? {text} : NONE32)" if value.fact.none else text

    return spell


def _element(s: Expressions, value: Value) -> str:
    at = s.expr(value.args[1])
    return f"{s.pointer(value.args[0], at)}[{at}]"


def _of_lists(helper: str) -> Spell:
    """A call of a helper, instantiated for the element types of its list operands."""

    def spell(s: Expressions, value: Value) -> str:
        lists = [each for each in value.args if each.fact.is_list]
        name = s.helper(helper, *map(s.list_type, lists))
        return f"{name}({', '.join(s.listed(each) if each.fact.is_list else s.expr(each) for each in value.args)})"

    return spell


def _alike(s: Expressions, value: Value) -> str:
    listed, *others = value.args
    name = s.constant(f"F{value.table.number}", "uint16_t", [face or 0 for face in value.table.values])
    if value.op == "holds_alike":
        return f"(find_alike(P, {s.listed(listed)}, {s.expr(others[0])}, {name}) != 0)"
    return f"find_alike(P, {s.pointer(listed)}, {s.expr(others[0])}, {s.expr(others[1])}, {name})"


def _choice_action(s: Expressions, value: Value) -> str:
    field = s.layout.by_name[f"s{value.data[0]}"]
    text = f"{field.path}[{s.expr(value.args[0])}]"
    return f"({text} == {field.none} ? -1 : {text})"


def _choice_pick(s: Expressions, value: Value) -> str:
    slot, action, place = value.data
    return s.load(s.layout.by_name[f"s{slot}_{action}_{place}"], s.index(value.args), value.fact)


def _memo_place(s: Expressions, value: Value) -> str:
    listed, classes = value.args[0], value.data[0]
    assert isinstance(classes, Classes)
    shifts = s.constant(f"C{classes.number}", "uint8_t", [each * 4 for each in classes.of])
    ones = spell_sets(s, tuple(1 << each * 4 for each in classes.of))
    ranks = s.constant(f"C{classes.number}_ranks", "uint32_t", classes.ranks)
    starts = s.constant(f"C{classes.number}_starts", "uint32_t", classes.starts)
    helper = s.helper("memo_place", s.list_type(listed))
    return f"{helper}({s.listed(listed)}, {shifts}, {ones}, {starts}, {ranks}, {classes.most})"


def _memo(s: Expressions, value: Value) -> str:
    memo = value.data[0]
    assert isinstance(memo, Memo)
    place = s.expr(value.args[0])
    return f"({place} < 0 ? 0 : LOAD_BYTE({spell_memo(s, memo)} + {place} * {len(memo.classes.rows)}))"


def spell_memo(s: Expressions, memo: Memo) -> str:
    """A pointer to the column of a value in its memo table, which is filled at run time."""
    classes = memo.classes
    name = f"M{classes.number}"
    s.tables[name] = f"REMEMBERED uint8_t {name}[{classes.size * len(classes.rows)}];"
    return f"{name} + {memo.row}" if memo.row else name


def _set_at(s: Expressions, value: Value) -> str:
    rows = value.data[0]
    assert isinstance(rows, tuple)
    return f"{spell_sets(s, rows)}[{s.expr(value.args[0])}]"


def spell_sets(s: Expressions, rows: tuple[int, ...]) -> str:
    """A constant table of bit sets."""
    number = s.lists.setdefault(("uint64_t", rows), len(s.lists))
    return s.constant(f"S{number}", "uint64_t", [f"UINT64_C({row})" for row in rows])


def _bit(s: Expressions, value: Value) -> str:
    """A single-bit word; a shift by a table entry (plus a constant) becomes a table of words."""
    found, more = value.args[0], 0
    if found.op == "add" and (added := found.args[1].constant) is not None:
        found, more = found.args[0], added
    if found.op != "table" or len(found.table.values) > MOST_WORDS:
        return f"(UINT64_C(1) << {s.expr(value.args[0])})"
    bits = tuple(1 << each + more if each is not None and 0 <= each + more < 64 else 0 for each in found.table.values)
    return f"{spell_sets(s, bits)}[{s.expr(found.args[0])}]"


FORMS = {
    "is_valid": "((kept & UINT64_C({data[0]})) != 0)", "turned_up": "TABLE(up)[{}]",
    "not": "!{}", "size": "TABLE(n)[{}]", "in_zone": "(ZONE_OF({}) == {})", "zone_of": "ZONE_OF({})",
    "place_of": "place_of(P, {})", "index_in": "index_in(P, {}, {})", "rounds": "(int64_t)P->rounds",
    "peeking": "(STOPPING(A) == PEEKS)", "is_first": "(fuel == MOST_STEPS)",
    "retired": "(P->t.retired >> {} & 1)", "in_set": "(int32_t)({} >> {} & 1)",
    "next_seat": "next_seat(P, {}, {data[0]})", "bits": "POPCOUNT({})", "highest_bit": "HIGHEST_BIT({})",
    "lowest_bit": "LOWEST_BIT({})", "one_row": "ONE_ROW({})", "or_bits": "({} | {})", "and_bits": "({} & {})",
    "not_bits": "(~{})", "all_if": "(0 - (uint64_t){})", "set": "UINT64_C({data[0]})",
    "has_bits": "(({} & {}) != 0)", "combinations": "combinations_of_sizes({}, {}, {})",
    "product_fits": "product_fits({}, {})", "written": "line_written(LINE({}))", "entry": "LINE({})[{data[0]}]",
    "marked": "(LINE({0})[COLUMNS] != NONE64 && (LINE({0})[COLUMNS] >> {data[0]} & 1))",
    "beyond": "((int64_t)((uint64_t){} + LIMIT + 1) < 0)",  # a single comparison; it admits -LIMIT - 1, too
}  # fmt: skip
SPELLED: dict[str, Spell] = {
    **{op: _plain(form) for op, form in FORMS.items()}, **dict.fromkeys(FIELDS, _read),
    "register": lambda s, value: s.register(value),
    "memo_place": _memo_place, "memo": _memo, "int": lambda s, value: write_literal(value.constant or 0),
    "add": _arithmetic("+"), "subtract": _arithmetic("-"), "multiply": _arithmetic("*"),
    "divide": _divide("/", "floor_divide"), "modulo": _divide("%", "floor_modulo"),
    "greatest": _extreme("max"), "least": _extreme("min"), "equal": _compare("=="), "less": _compare("<"),
    "and": _logic("&&"), "or": _logic("||"), "if": _choose, "is_none": _is_none, "sure": _sure, "table": _table,
    "top": _end_of_pile("TABLE(n)[{}] - 1"), "bottom": _end_of_pile("0"), "bit": _bit, "set_at": _set_at,
    "length": lambda s, value: s.length(value.args[0]), "element": _element, "holds": _of_lists("holds"),
    "equal_lists": _of_lists("same"), "less_lists": _of_lists("before"), "holds_alike": _alike, "find_alike": _alike,
    "choice_action": _choice_action, "choice_pick": _choice_pick,
    "declined": lambda s, value: f"({_choice_action(s, value.args[0])} < 0)",
}  # fmt: skip

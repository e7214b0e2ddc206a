"""Code for each scalar operation in Python, by opcode.

In: a value and the printer to recurse through. Out: an expression, by a line of a table or a short function.
"""

from __future__ import annotations

from hoyle.play.codegen.low.values import Value, is_checked
from hoyle.play.codegen.passes.hashed_memo import LONGEST as MOST_CARDS
from hoyle.play.codegen.passes.hashed_memo import is_short
from hoyle.play.codegen.python.code import ARITHMETIC, ATOM, CHOICE, COMPARE, NAME, Assign, Code, Line, Nest
from hoyle.play.codegen.python.constants import Constants
from hoyle.play.codegen.python.lists import LISTS, find_same, form, spell_end
from hoyle.play.codegen.python.memo import recall
from hoyle.play.codegen.python.printing import Spell, Values, name_place
from hoyle.program.ir.types import certain
from hoyle.program.words import WORDS
from hoyle.program.words.bounds import LARGEST_NUMBER


def kind_of(value: Value) -> str:
    """The `kind` of the code that a load of a value prints."""
    if value.fact.is_list:
        return "tuple"
    return "" if value.fact.low >= 0 and value.fact.high <= 1 else "int"


# ------------------------------------------------------------------------------------------------ numbers and truths
def _add(p: Values, value: Value) -> Code:
    a, b = value.args
    if b.constant is not None and b.constant < 0:
        return Code(f"{p.value(a).operand} - {-b.constant}", ARITHMETIC)
    return _plus(p, value)


_plus, _minus = form("{0.operand} + {1.atom}", ARITHMETIC), form("{0.operand} - {1.atom}", ARITHMETIC)


def _subtract(p: Values, value: Value) -> Code:
    a, b = value.args
    return Code(f"-{p.value(b).atom}", ARITHMETIC) if a.constant == 0 else _minus(p, value)


def _multiply(p: Values, value: Value) -> Code:
    return (_times_checked if is_checked(value.op, value.fact) else _times)(p, value)


_times = form("{0.atom} * {1.atom}", ARITHMETIC)
_times_checked = form(f"multiply({{0.text}}, {{1.text}}, {LARGEST_NUMBER})")


def _extreme(sign: str) -> Spell:
    def spell(p: Values, value: Value) -> Code:
        a, b = (p.name(p.value(arg)).text for arg in value.args)
        return Code(f"{a} if {a} {sign} {b} else {b}", CHOICE)

    return spell


def _compare(sign: str) -> Spell:
    def spell(p: Values, value: Value) -> Code:
        first, second = value.args
        if second.constant == 0 and first.op == "size" and sign == "==":
            return p.operations["pile"](p, first).negated
        if second.constant == 1 and first.op == "count" and sign in ("==", "!="):
            same = find_same(p, first.args[0])
            if same is not None:
                return Code(f"{same} is {'not ' if sign == '==' else ''}None", COMPARE, "bool")
        a, b = (p.value(arg).operand for arg in value.args)
        return Code(f"{a} {sign} {b}", COMPARE, "bool")

    return spell


_is_none = form("{0.operand} is None", COMPARE, "bool")
_present = form("{0.operand} is not None", COMPARE, "bool")
_CONTRARY = {"equal": _compare("!="), "less": _compare(">="), "is_none": _present}


def _not(p: Values, value: Value) -> Code:
    inner = value.args[0]
    if inner.op in _CONTRARY and p.find(inner) is None and p.uses[inner] <= 1:
        return _CONTRARY[inner.op](p, inner)
    return p.test(inner).negated


def _need(p: Values, value: Value) -> Code:
    code = p.name(p.value(value.args[0]))
    p.refuse_unless(Code(f"{code.text} is not None", COMPARE))
    return code


def _check(p: Values, value: Value) -> Code:
    p.refuse_unless(p.test(value.args[0]))
    return p.value(value.args[1])


# ------------------------------------------------------------------------------------------------ places
def _state(p: Values, value: Value) -> Code:
    state = p.program.states[value.number]
    kind = "tuple" if value.fact.is_list else "bool" if state.type.kind == "truth" else "int"
    held = None if value.args else p.find(name_place(p.build, "state", value.number))
    return held or p.places.element("states", find_state(p, value.number, value.args))._replace(kind=kind)


def find_state(p: Values, number: int, owner: tuple[Value, ...]) -> int | str:
    """The index of a state, or of a member of its family."""
    base: int = p.program.states[number].base
    if not owner:
        return base
    if owner[0].constant is not None:
        return base + owner[0].constant
    at = p.value(owner[0])
    return f"{base} + {at.operand}" if base else at.text


def _slot(p: Values, value: Value) -> Code:
    held = p.find(name_place(p.build, "slot", value.number))
    if held is not None:
        return held
    declared = certain(p.program.slots[value.number].type)
    kind = "tuple" if value.fact.is_list else "" if declared.kind == "truth" else "int"
    return p.places.element("slots", value.number)._replace(kind=kind)


def spell_pile(p: Values, zone: Value) -> Code:
    """The cards of a zone."""
    at = p.value(zone).text if zone.constant is None else zone.constant
    return p.places.element("zones", at)._replace(kind="list")


def _pile(p: Values, value: Value) -> Code:
    return spell_pile(p, value.args[0])


def _in_pile(text: str, level: int = ATOM, kind: str = "int") -> Spell:
    """A format over a card and the cards of a zone."""
    return lambda p, value: Code(text.format(p.value(value.args[0]), spell_pile(p, value.args[1])), level, kind)


def _in_zones(function: str) -> Spell:
    return lambda p, value: Code(f"{function}({p.places.whole('zones')}, {p.value(value.args[0]).text})")


def _at(part: str, kind: str = "int") -> Spell:
    """An indexed read of an array at a constant place of a part."""
    def spell(p: Values, value: Value) -> Code:
        return Code(f"{p.places.element(part, value.number).text}[{p.value(value.args[0]).text}]", ATOM, kind)

    return spell


def _line(text: str, level: int = ATOM, kind: str = "int") -> Spell:
    """A format over a line of the score sheet."""
    def spell(p: Values, value: Value) -> Code:
        line, players = p.name(p.value(value.args[0])).text, p.program.players
        found = f"position.lines[{line} // {players}][{line} % {players}]"
        return Code(text.format(found, *value.data, empty=[None] * (len(p.program.columns) + 1)), level, kind)

    return spell


# ------------------------------------------------------------------------------------------------ keys and words
def spell_step(constants: Constants, value: Value) -> str:
    """The update of a memo key by a card. A multiset key packs a counter for each class into its own bit field; a
    sequence key has a digit for each card."""
    (classes,) = value.data
    assert isinstance(classes, tuple)
    if value.op == "cards_in_order":
        table = constants.name(("digits", classes), "K", lambda: repr(tuple(each + 1 for each in classes)))
        return f"{{key}} = {{key}} * {max(classes) + 2} + {table}[{{card}}]"
    width = max(len(classes), MOST_CARDS).bit_length()
    table = constants.name(("key", classes), "K", lambda: repr(tuple(1 << width * each for each in classes)))
    return f"{{key}} += {table}[{{card}}]"


def _cards_key(p: Values, value: Value) -> Code:
    if not is_short(value.args[0]):
        p.refuse_unless(p.value(p.build.less(p.build.count(value.args[0]), p.build.number(MOST_CARDS + 1))))
    return _add_up(p, value.args[0], spell_step(p.constants, value))


def _add_up(p: Values, listed: Value, step: str) -> Code:
    """A loop that updates a number by each card of a list."""
    card, key = p.fresh("e"), p.fresh("k")
    p.out.append(Assign(key, "0"))
    for part in listed.args if listed.op == "join" else (listed,):
        if part.op == "items":
            for each in part.args:
                name = p.name(p.number(each)).text
                line = Line(step.format(key=key, card=name))
                p.out.append(Nest(f"if {name} is not None:", [line]) if each.fact.none else line)
        else:
            line = Line(step.format(key=key, card=card))
            p.out.append(Nest(f"for {card} in {p.elements(part).text}:", [line]))
    return p.given(key)


def _applied(p: Values, value: Value) -> Code:
    """A call of a word's declared implementation."""
    name, types = value.data
    assert isinstance(name, str) and isinstance(types, tuple)
    word = WORDS[name]
    given = ["position"] if word.takes_position else []
    for arg, kind in zip(value.args, types, strict=True):
        code = p.whole(arg)
        given.append(f"bool({code.text})" if certain(kind).kind == "truth" and code.kind != "bool" else code.text)
    found = "tuple" if value.fact.is_list else "bool" if certain(word.gives).kind == "truth" else "int"
    return Code(f"W_{name}({', '.join(given)})", ATOM, found)


OPERATIONS: dict[str, Spell] = {
    "int": lambda p, value: Code(str(value.number), NAME if value.number >= 0 else ARITHMETIC),
    "text": lambda p, value: Code(f"TEXTS[{value.number}]"),
    "register": lambda p, value: p.registers.get(value.number) or Code(f"r{value.number}", NAME, kind_of(value)),
    "asked": lambda p, value: p.asked,
    "none": lambda p, value: Code("None", NAME, "none"),
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": form("{0.atom} // {1.atom}", ARITHMETIC),
    "modulo": form("{0.atom} % {1.atom}", ARITHMETIC),
    "greatest": _extreme(">"),
    "least": _extreme("<"),
    "equal": _compare("=="),
    "differ": _compare("!="),
    "less": _compare("<"),
    "not": _not,
    "and": lambda p, value: p.logic(value, p.value),
    "or": lambda p, value: p.logic(value, p.value),
    "if": lambda p, value: p.choose(value),
    "is_none": _is_none,
    "present": _present,
    "sure": lambda p, value: p.value(value.args[0]),
    "need": _need,
    "check": _check,
    "equal_lists": form("{0.operand} == {1.operand}", COMPARE, "bool", Values.listed),
    "less_lists": form("{0.operand} < {1.operand}", COMPARE, "bool", Values.listed),
    "table": lambda p, value: Code(f"{p.constants.table(value.table)}[{p.value(value.args[0]).text}]"),
    "state": _state,
    "slot": _slot,
    "pile": lambda p, value: _pile(p, value) if p.find(value) is None else p.value(value),
    "cards": _pile,
    "size": lambda p, value: Code(f"len({(pile := _pile(p, value)).text})", quick=pile.quick),
    "top": lambda p, value: spell_end(p, value, _pile(p, value), -1, "pile"),
    "bottom": lambda p, value: spell_end(p, value, _pile(p, value), 0, "pile"),
    "in_zone": _in_pile("{0.operand} in {1.text}", COMPARE, "bool"),
    "zone_of": _in_zones("find_zone"),
    "place_of": _in_zones("find_place"),
    "index_in": _in_pile("{1.text}.index({0.text})"),
    "holder": lambda p, value: p.places.element("holders", p.value(value.args[0]).text),
    "turned_up": form("position.turned[{0.text}]", ATOM, "bool"),
    "total": _at("totals"),
    "rounds": form("position.rounds_played"),
    "line_count": form("len(position.lines)"),
    "written": _line("{0} != {empty}", COMPARE, "bool"),
    "entry": _line("{0}[{1}]"),
    "marked": _line("({0}[-1] or 0) >> {1} & 1 != 0", COMPARE, "bool"),
    "offender": form("None if position.offence is None else position.offence[0]", CHOICE),
    "retired": form("{0.operand} in position.retired", COMPARE, "bool"),
    "next_seat": lambda p, value: Code(f"find_seat(position, {p.value(value.args[0]).text}, {value.data[0]})"),
    "element": form("{0.atom}[{1.text}]"),
    "applied": _applied,
    "cards_key": _cards_key,
    "cards_in_order": _cards_key,
    "recall": recall,
    "choice": _at("slots", "tuple"),
    "choices": lambda p, value: p.places.element("slots", value.number)._replace(kind="tuple"),
    "declined": lambda p, value: p.value(value.args[0]).negated,
    **LISTS,
}

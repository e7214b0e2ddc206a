"""How each operation on single values is written in Python.

In: a value and what prints its parts. Out: an expression. Each operation is a line of a table or a short function.
"""

from __future__ import annotations

from hoyle.codegen.low.values import Value, is_checked
from hoyle.codegen.passes.remember import LONGEST as MOST_CARDS
from hoyle.codegen.passes.remember import is_short
from hoyle.codegen.python.code import ARITHMETIC, ATOM, CHOICE, COMPARE, NAME, Assign, Code, Line, Nest
from hoyle.codegen.python.constants import Constants
from hoyle.codegen.python.lists import LISTS, find_same
from hoyle.codegen.python.printing import Spell, Values, name_place
from hoyle.codegen.python.recalling import recall
from hoyle.ir.types import certain
from hoyle.words import WORDS
from hoyle.words.bounds import LARGEST_NUMBER


def kind_of(value: Value) -> str:
    """What is known of what a place of a value gives."""
    if value.fact.is_list:
        return "tuple"
    return "" if value.fact.low >= 0 and value.fact.high <= 1 else "int"


def _int(p: Values, value: Value) -> Code:
    number = value.constant or 0
    return Code(str(number), NAME if number >= 0 else ARITHMETIC)


def _binary(sign: str) -> Spell:
    def spell(p: Values, value: Value) -> Code:
        a, b = map(p.value, value.args)
        left = a.within(ARITHMETIC) if sign in "+-" else a.within(ATOM)
        return Code(f"{left} {sign} {b.within(ATOM)}", ARITHMETIC)

    return spell


def _add(p: Values, value: Value) -> Code:
    a, b = value.args
    if b.constant is not None and b.constant < 0:
        return Code(f"{p.value(a).within(ARITHMETIC)} - {-b.constant}", ARITHMETIC)
    return _plus(p, value)


_plus, _times = _binary("+"), _binary("*")


def _subtract(p: Values, value: Value) -> Code:
    a, b = value.args
    if a.constant == 0:
        return Code(f"-{p.value(b).within(ATOM)}", ARITHMETIC)
    return _minus(p, value)


_minus = _binary("-")


def _multiply(p: Values, value: Value) -> Code:
    if not is_checked(value.op, value.fact):
        return _times(p, value)
    a, b = map(p.value, value.args)
    return Code(f"multiply({a.text}, {b.text}, {LARGEST_NUMBER})")


def _extreme(name: str, sign: str) -> Spell:
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
        a, b = (p.value(arg).within(ARITHMETIC) for arg in value.args)
        return Code(f"{a} {sign} {b}", COMPARE, "bool")

    return spell


def _not(p: Values, value: Value) -> Code:
    inner = value.args[0]
    if inner.op == "equal" and p.find(inner) is None and p.uses[inner] <= 1:
        return _compare("!=")(p, inner)
    if inner.op == "less" and p.find(inner) is None and p.uses[inner] <= 1:
        return _compare(">=")(p, inner)
    if inner.op == "is_none" and p.find(inner) is None and p.uses[inner] <= 1:
        return Code(f"{p.value(inner.args[0]).within(ARITHMETIC)} is not None", COMPARE, "bool")
    return p.test(inner).negated


def _is_none(p: Values, value: Value) -> Code:
    return Code(f"{p.value(value.args[0]).within(ARITHMETIC)} is None", COMPARE, "bool")


def _present(p: Values, value: Value) -> Code:
    return Code(f"{p.value(value.args[0]).within(ARITHMETIC)} is not None", COMPARE, "bool")


def _need(p: Values, value: Value) -> Code:
    code = p.name(p.value(value.args[0]))
    p.refuse_unless(Code(f"{code.text} is not None", COMPARE))
    return code


def _check(p: Values, value: Value) -> Code:
    p.refuse_unless(p.test(value.args[0]))
    return p.value(value.args[1])


def _lists(sign: str) -> Spell:
    def spell(p: Values, value: Value) -> Code:
        a, b = (p.listed(arg).within(ARITHMETIC) for arg in value.args)
        return Code(f"{a} {sign} {b}", COMPARE, "bool")

    return spell


def _table(p: Values, value: Value) -> Code:
    return Code(f"{p.constants.table(value.table)}[{p.value(value.args[0]).text}]")


def _state(p: Values, value: Value) -> Code:
    state = p.program.states[value.number]
    kind = "tuple" if value.fact.is_list else "bool" if state.type.kind == "truth" else "int"
    held = None if value.args else p.find(name_place(p.build, "state", value.number))
    return held or p.places.element("states", find_state(p, value.number, value.args))._replace(kind=kind)


def find_state(p: Values, number: int, owner: tuple[Value, ...]) -> int | str:
    """The place of a state, perhaps of one of its owners."""
    base: int = p.program.states[number].base
    if not owner:
        return base
    if owner[0].constant is not None:
        return base + owner[0].constant
    at = p.value(owner[0])
    return f"{base} + {at.within(ARITHMETIC)}" if base else at.text


def _slot(p: Values, value: Value) -> Code:
    held = p.find(name_place(p.build, "slot", value.number))
    if held is not None:
        return held
    declared = certain(p.program.slots[value.number].type)
    kind = "tuple" if value.fact.is_list else "" if declared.kind == "truth" else "int"
    return p.places.element("slots", value.number)._replace(kind=kind)


def _plain(form: str, kind: str = "int", level: int = ATOM) -> Spell:
    """Arguments stand where any expression may."""
    return lambda p, value: Code(form.format(*(p.value(arg).text for arg in value.args)), level, kind)


def spell_pile(p: Values, zone: Value) -> Code:
    """The cards of a zone."""
    at = p.value(zone).text if zone.constant is None else zone.constant
    return p.places.element("zones", at)._replace(kind="list")


def _pile(p: Values, value: Value) -> Code:
    return spell_pile(p, value.args[0])


def _index_in(p: Values, value: Value) -> Code:
    card, zone = value.args
    return Code(f"{spell_pile(p, zone).text}.index({p.value(card).text})")


def _in_zones(function: str) -> Spell:
    return lambda p, value: Code(f"{function}({p.places.whole('zones')}, {p.value(value.args[0]).text})")


def _holder(p: Values, value: Value) -> Code:
    return p.places.element("holders", p.value(value.args[0]).text)


def _end(place: int) -> Spell:
    def spell(p: Values, value: Value) -> Code:
        pile = _pile(p, value)
        if not value.fact.none:
            return Code(f"{pile.text}[{place}]")
        name = p.name(pile, "pile").text
        return Code(f"{name}[{place}] if {name} else None", CHOICE)

    return spell


def _in_zone(p: Values, value: Value) -> Code:
    card, zone = value.args
    return Code(f"{p.value(card).within(ARITHMETIC)} in {spell_pile(p, zone).text}", COMPARE, "bool")


def _total(p: Values, value: Value) -> Code:
    return Code(f"{p.places.element('totals', value.number).text}[{p.value(value.args[0]).text}]")


def _line(p: Values, value: Value) -> str:
    line, players = p.name(p.value(value.args[0])).text, p.program.players
    return f"position.lines[{line} // {players}][{line} % {players}]"


def _written(p: Values, value: Value) -> Code:
    return Code(f"{_line(p, value)} != {[None] * (len(p.program.columns) + 1)}", COMPARE, "bool")


def _entry(p: Values, value: Value) -> Code:
    return Code(f"{_line(p, value)}[{value.number}]")


def _marked(p: Values, value: Value) -> Code:
    return Code(f"({_line(p, value)}[-1] or 0) >> {value.number} & 1 != 0", COMPARE, "bool")


def _retired(p: Values, value: Value) -> Code:
    return Code(f"{p.value(value.args[0]).within(ARITHMETIC)} in position.retired", COMPARE, "bool")


def _offender(p: Values, value: Value) -> Code:
    return Code("None if position.offence is None else position.offence[0]", CHOICE)


def _element(p: Values, value: Value) -> Code:
    listed, at = value.args
    kind = "tuple" if value.fact.is_list else "int"
    return Code(f"{p.value(listed).within(ATOM)}[{p.value(at).text}]", ATOM, kind)


def _choice(p: Values, value: Value) -> Code:
    return Code(f"{p.places.element('slots', value.number).text}[{p.value(value.args[0]).text}]", ATOM, "tuple")


def spell_step(constants: Constants, value: Value) -> str:
    """How a card changes the key of the cards before it: how many there are of each class, where each class has digits
    of its own, or the classes in their order, where each card is a digit."""
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
    """A number to which each card of a list adds something."""
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
    """A word that is run as it is declared."""
    name, types = value.data
    assert isinstance(name, str) and isinstance(types, tuple)
    word = WORDS[name]
    given = ["position"] if word.takes_position else []
    for arg, kind in zip(value.args, types, strict=True):
        code = p.whole(arg)
        given.append(f"bool({code.text})" if certain(kind).kind == "truth" and code.kind != "bool" else code.text)
    found = "tuple" if value.fact.is_list else "bool" if certain(word.gives).kind == "truth" else "int"
    return Code(f"W_{name}({', '.join(given)})", ATOM, found)


def _sure(p: Values, value: Value) -> Code:
    return p.value(value.args[0])


OPERATIONS: dict[str, Spell] = {
    "int": _int,
    "text": lambda p, value: Code(f"TEXTS[{value.number}]"),
    "register": lambda p, value: p.registers.get(value.number) or Code(f"r{value.number}", NAME, kind_of(value)),
    "asked": lambda p, value: p.asked,
    "none": lambda p, value: Code("None", NAME, "none"),
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _binary("//"),
    "modulo": _binary("%"),
    "greatest": _extreme("max", ">"),
    "least": _extreme("min", "<"),
    "equal": _compare("=="),
    "differ": _compare("!="),
    "less": _compare("<"),
    "not": _not,
    "and": lambda p, value: p.logic(value, p.value),
    "or": lambda p, value: p.logic(value, p.value),
    "if": lambda p, value: p.choose(value),
    "is_none": _is_none,
    "present": _present,
    "sure": _sure,
    "need": _need,
    "check": _check,
    "equal_lists": _lists("=="),
    "less_lists": _lists("<"),
    "table": _table,
    "state": _state,
    "slot": _slot,
    "pile": _pile,
    "cards": _pile,
    "size": lambda p, value: Code(f"len({(pile := _pile(p, value)).text})", quick=pile.quick),
    "top": _end(-1),
    "bottom": _end(0),
    "in_zone": _in_zone,
    "zone_of": _in_zones("find_zone"),
    "place_of": _in_zones("find_place"),
    "index_in": _index_in,
    "holder": _holder,
    "turned_up": _plain("position.turned[{}]", "bool"),
    "total": _total,
    "rounds": _plain("position.rounds_played"),
    "line_count": _plain("len(position.lines)"),
    "written": _written,
    "entry": _entry,
    "marked": _marked,
    "offender": _offender,
    "retired": _retired,
    "next_seat": lambda p, value: Code(f"find_seat(position, {p.value(value.args[0]).text}, {value.data[0]})"),
    "element": _element,
    "applied": _applied,
    "cards_key": _cards_key,
    "cards_in_order": _cards_key,
    "recall": recall,
    "choice": _choice,
    "choices": lambda p, value: p.places.element("slots", value.number)._replace(kind="tuple"),
    "declined": lambda p, value: p.value(value.args[0]).negated,
    **LISTS,
}

"""Words in generated code: filled in where a word declares how it is written, called where it does not.

In: a word and the code of its arguments. Out: code. `{0}` stands for an argument, `{0:each}` for one that is only run
through, so that a list in the position can be used as it is; `{players}` for how many play.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache

from hoyle.dataclass import dataclass
from hoyle.engine.generate.facts import OF_SEATS
from hoyle.engine.generate.loops import write_one_kind, write_one_of, write_total
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import AND, ARITHMETIC, ATOM, CHOICE, COMPARE, NOT, OR, Code, atom
from hoyle.ir import nodes as ir
from hoyle.ir.types import certain
from hoyle.words import WORDS, Op, Word, applies, op_of
from hoyle.words.bounds import LARGEST_NUMBER, LONGEST_LIST, MOST_FOR_SUBSETS

_HOLE = re.compile(r"\{(\d+)(:each)?\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A template taken apart: text, holes with how tightly what fills them must bind, and what it binds itself."""

    parts: tuple[str | tuple[int, int], ...]
    level: int
    each: frozenset[int]
    repeated: frozenset[int]

    def fill(self, arguments: list[Code]) -> Code:
        filled = [
            part if isinstance(part, str) else arguments[part[0]].within(part[1]) for part in self.parts
        ]  # fmt: skip
        return Code("".join(filled), self.level)


@cache
def read_template(text: str, players: int) -> Template:
    """A template as a word declares it."""
    text = text.replace("{players}", str(players))
    parts: list[str | tuple[int, int]] = []
    counts: dict[int, int] = {}
    each: set[int] = set()
    end = 0
    for hole in _HOLE.finditer(text):
        parts.append(text[end : hole.start()])
        number = int(hole[1])
        alone = text[: hole.start()].rstrip()[-1:] in ("(", "[", ",") and text[hole.end() :].lstrip()[:1] in (
            ")", "]", ",",
        )  # fmt: skip
        parts.append((number, CHOICE if alone else ATOM))
        counts[number] = counts.get(number, 0) + 1
        if hole[2]:
            each.add(number)
        end = hole.end()
    parts.append(text[end:])
    repeated = frozenset(number for number, count in counts.items() if count > 1)
    return Template(tuple(part for part in parts if part != ""), _read_level(text), frozenset(each), repeated)


def _read_level(text: str) -> int:
    """How tightly a template binds, as Python reads it."""
    tree = ast.parse(_HOLE.sub("x", text), mode="eval").body
    match tree:
        case ast.IfExp() | ast.Lambda():
            return CHOICE
        case ast.BoolOp(op=ast.Or()):
            return OR
        case ast.BoolOp():
            return AND
        case ast.UnaryOp(op=ast.Not()):
            return NOT
        case ast.Compare():
            return COMPARE
        case ast.BinOp() | ast.UnaryOp():
            return ARITHMETIC
    return ATOM


LOOSE = (Op.JOIN, Op.SPAN, Op.SUBSETS, Op.TAILS)  # written as something other than a tuple


class Words:
    """Writes applications of words. Most follow their templates; the few below are written more tightly."""

    def __init__(self, players: int, *, seats_leave: bool) -> None:
        self.players = players
        self.seats_leave = seats_leave
        self._special = {
            Op.EQUAL: self._equal,
            Op.DIFFER: self._differ,
            Op.IS_NONE: self._is_none,
            Op.IS_IN: self._is_in,
            Op.LIST: self._list,
            Op.SUM: self._total,
            Op.COUNT: self._total,
            Op.HIGHEST: self._one_of,
            Op.LOWEST: self._one_of,
            Op.LAST: self._one_of,
            Op.TOP: self._end,
            Op.BOTTOM: self._end,
        }

    def _find_special(self, expr: ir.Apply) -> Callable[[Values, ir.Apply], Code] | None:
        op = op_of(expr)
        return None if op is None else self._special.get(op)

    def value(self, values: Values, expr: ir.Apply) -> Code:
        """The value of the word."""
        special = self._find_special(expr)
        if special is not None:
            return special(values, expr)
        if expr in values.shared_each:
            return atom(f"tuple({values.shared_each[expr].text})")
        code = self._apply(values, expr)
        word = WORDS[expr.word]
        loose = word.inline and read_template(word.inline, self.players).each
        if word.gives.kind == "list" and (loose or word.op in LOOSE):
            if values.is_none(expr):
                code = values.name(code)
                return Code(f"tuple({code.text}) if {code.text} is not None else None", CHOICE)
            return atom(f"tuple({code.text})")
        return code

    def each(self, values: Values, expr: ir.Apply) -> Code:
        """The elements of a word that gives a list."""
        if applies(expr, Op.CARDS) and not values.is_none(expr):
            return atom(f"zones[{values.value(expr.args[0]).text}]")
        special = self._find_special(expr)
        return special(values, expr) if special is not None else self._apply(values, expr)

    def _apply(self, values: Values, expr: ir.Apply) -> Code:
        """A word by its template or by a call, with what none does to it."""
        word = WORDS[expr.word]
        none = [not word.takes_none and values.is_none(argument) for argument in expr.args]
        if not any(none) and word.fits is not None:
            guarded = self._guarded(values, expr)
            if guarded is not None:
                return guarded
        few = self._few(values, expr) if not any(none) else None
        if few is not None:
            return few
        if not word.inline or word.fits is not None or (self.seats_leave and expr.word in OF_SEATS):
            args = [values.value(argument) for argument in expr.args]
            args = [values.name(code) if maybe else code for code, maybe in zip(args, none, strict=True)]
            given = ", ".join((["position"] if word.takes_position else []) + [code.text for code in args])
            return self._unless_none(word, args, none, atom(f"W_{expr.word}({given})"))
        template = read_template(word.inline, self.players)
        args = []
        for number, argument in enumerate(expr.args):
            code = values.each(argument) if number in template.each and not none[number] else values.value(argument)
            again = none[number] or number in template.repeated or " for " in word.inline or "lambda" in word.inline
            args.append(values.name(code) if again else code)
        return self._unless_none(word, args, none, template.fill(args))

    def _unless_none(self, word: Word, args: list[Code], none: list[bool], code: Code) -> Code:
        known = " and ".join(f"{arg.text} is not None" for arg, maybe in zip(args, none, strict=True) if maybe)
        if not known:
            return code
        if word.gives.kind == "truth":
            return Code(f"{known} and {code.within(NOT)}", AND)
        return Code(f"{code.within(OR)} if {known} else None", CHOICE)

    # ---------------------------------------------------------------------------------------------- bounds
    def _guarded(self, values: Values, expr: ir.Apply) -> Code | None:
        """Words that could grow beyond bounds: what they make is measured, and the reference says what is wrong."""
        if applies(expr, Op.MULTIPLY):
            a, b = (values.value(part).within(ATOM) for part in expr.args)
            made = values.name(Code(f"{a} * {b}", ARITHMETIC))
            values.stop_if(f"not -{LARGEST_NUMBER} < {made.text} < {LARGEST_NUMBER}")
            return made
        if applies(expr, Op.JOIN):
            a, b = (values.each(part).within(ATOM) for part in expr.args)
            made = values.name(atom(f"[*{a}, *{b}]"))
            if not values.module.facts.is_short(expr):
                values.stop_if(f"len({made.text}) > {LONGEST_LIST}")
            return made
        safe = _SAFE.get(WORDS[expr.word].op)
        if safe is not None:
            listed = values.name(values.each(expr.args[0]))
            values.stop_if(f"len({listed.text}) > {safe[0]}")
            return atom(safe[1].format(listed.text))
        if applies(expr, Op.WITHOUT):
            single = _find_single(values, expr.args[1])
            if single is not None and values.module.facts.is_short(expr.args[0]):
                kept, taken = values.each(expr.args[0]).within(OR), values.name(values.value(single)).text
                return atom(f"[x for x in {kept} if x != {taken}]")
            kept, taken = (values.name(values.each(part)).text for part in expr.args)
            values.stop_if(f"len({kept}) * len({taken}) > {LONGEST_LIST}")
            return atom(f"[x for x in {kept} if x not in {taken}]")
        if applies(expr, Op.SPAN):
            a, b = (values.name(values.value(part)).text for part in expr.args)
            values.stop_if(f"{b} - {a} >= {LONGEST_LIST}")
            return atom(f"range({a}, {b} + 1)")
        return None

    def _few(self, values: Values, expr: ir.Apply) -> Code | None:
        """The beginning or end of a list by a known number."""
        shape = WORDS[expr.word].stretch
        number = expr.args[0].value if shape and isinstance(expr.args[0], ir.Const) else None
        if not isinstance(number, int) or number <= 0:
            return None
        return atom(values.each(expr.args[1]).within(ATOM) + shape.format(number))

    # ---------------------------------------------------------------------------------------------- tightly
    def _total(self, values: Values, expr: ir.Apply) -> Code:
        """How many elements of a list there are, or their sum, without making the list."""
        listed = expr.args[0]
        known = listed in values.shared or listed in values.shared_each
        if isinstance(listed, ir.Those) and not known:
            made = write_total(values, listed, counts=applies(expr, Op.COUNT))
            if made is not None:
                return made
        kinds = _counted_kinds(expr)
        if kinds is not None and not known and not values.is_none(kinds):
            return atom(f"len({write_set(values.each(kinds))})")
        return self._apply(values, expr)

    def _one_of(self, values: Values, expr: ir.Apply) -> Code:
        """The highest, lowest or last of a list, without making the list."""
        listed = expr.args[0]
        known = listed in values.shared or listed in values.shared_each
        plain = applies(expr, Op.LAST) or certain(expr.type).kind == "number"
        if plain and isinstance(listed, ir.Those) and not known:
            made = write_one_of(values, listed, op_of(expr))
            if made is not None:
                return made
        return self._apply(values, expr)

    def _equal(self, values: Values, expr: ir.Apply) -> Code:
        count, one = expr.args
        listed = _counted_kinds(count) if isinstance(one, ir.Const) and one.value == 1 else None
        if listed is not None and count not in values.shared and not values.is_none(listed):
            made = write_one_kind(values, listed)
            if made is not None:
                return made
        a, b = (values.value(part) for part in expr.args)
        if not all(values.is_none(part) for part in expr.args):
            return Code(f"{a.within(ARITHMETIC)} == {b.within(ARITHMETIC)}", COMPARE)
        if not b.is_name:
            a = values.name(a)
        known = b if b.is_name else a
        return Code(f"{known.text} is not None and {a.within(ARITHMETIC)} == {b.within(ARITHMETIC)}", AND)

    def _differ(self, values: Values, expr: ir.Apply) -> Code:
        a, b = (values.value(part) for part in expr.args)
        if not all(values.is_none(part) for part in expr.args):
            return Code(f"{a.within(ARITHMETIC)} != {b.within(ARITHMETIC)}", COMPARE)
        if not b.is_name:
            a = values.name(a)
        known = b if b.is_name else a
        return Code(f"{known.text} is None or {a.within(ARITHMETIC)} != {b.within(ARITHMETIC)}", OR)

    def _is_none(self, values: Values, expr: ir.Apply) -> Code:
        if not values.is_none(expr.args[0]):
            return atom("False")
        return Code(f"{values.value(expr.args[0]).within(ARITHMETIC)} is None", COMPARE)

    def _is_in(self, values: Values, expr: ir.Apply) -> Code:
        """None is in no list, so that only the list need be tested for none."""
        element, listed = expr.args
        code = values.value(element).within(ARITHMETIC)
        known = listed.elements if isinstance(listed, ir.Const) else ()
        if len(known) > 3 and all(type(part) is int for part in known):
            return Code(f"{code} in {{{', '.join(map(str, known))}}}", COMPARE)
        return Code(f"{code} in {values.each(listed).within(ARITHMETIC)}", COMPARE)

    def _list(self, values: Values, expr: ir.Apply) -> Code:
        codes = [values.value(part) for part in expr.args]
        none = [values.is_none(part) for part in expr.args]
        if not any(none):
            inner = ", ".join(code.text for code in codes)
            return atom(f"({inner},)" if len(codes) == 1 else f"({inner})")
        if len(codes) == 1:
            only = values.name(codes[0])
            return Code(f"({only.text},) if {only.text} is not None else ()", CHOICE)
        inner = ", ".join(code.text for code in codes)
        return atom(f"tuple([x for x in ({inner}) if x is not None])")

    def _end(self, values: Values, expr: ir.Apply) -> Code:
        """The card at the top or at the bottom."""
        zone = values.value(expr.args[0])
        place = -1 if applies(expr, Op.TOP) else 0
        if values.is_none(expr.args[0]):
            zone = values.name(zone)
            pile = values.name(Code(f"zones[{zone.text}] if {zone.text} is not None else None", CHOICE), "pile")
        else:
            pile = values.name(atom(f"zones[{zone.text}]"), "pile")
        return Code(f"{pile.text}[{place}] if {pile.text} else None", CHOICE)


def _counted_kinds(count: ir.Expr) -> ir.Expr | None:
    """The list of which the distinct elements are counted."""
    if applies(count, Op.COUNT):
        distinct = count.args[0]
        if applies(distinct, Op.DISTINCT):
            return distinct.args[0]
    return None


def write_set(listed: Code) -> str:
    """What is in a list as a set, which is quicker to make than a list in order."""
    tree = ast.parse(listed.text, mode="eval").body
    return f"{{{listed.text[1:-1]}}}" if isinstance(tree, ast.ListComp) else f"{{*{listed.within(ATOM)}}}"


# Words that make many lists of one: how long it may be before the reference is asked, and how they are written.
_SAFE: dict[Op | None, tuple[int, str]] = {
    Op.SUBSETS: (MOST_FOR_SUBSETS, "list_subsets({0})"),
    Op.PAIRS: (400, "[*combinations({0}, 2)]"),
    Op.TAILS: (400, "tails({0})"),
}


def _find_single(values: Values, listed: ir.Expr) -> ir.Expr | None:
    """The only element of a list that is written out, if it cannot be none."""
    if applies(listed, Op.LIST) and len(listed.args) == 1 and not values.is_none(listed.args[0]):
        return listed.args[0]
    return None

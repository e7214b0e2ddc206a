"""Code for lists and reducers in Python: loops as statements, since comprehensions are calls in CPython 3.11.

In: a value and the printer to recurse through. Out: an expression for a list or tuple, or for a reduction of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.values import Value, faults_late, walk
from hoyle.play.codegen.passes.mod_ref import find_read
from hoyle.play.codegen.passes.patterns import find_filter
from hoyle.play.codegen.python.code import ATOM, CHOICE, COMPARE, NAME, OR, Assign, Code, Line, Nest, Statement
from hoyle.play.codegen.python.printing import LAZY, Spell, Values, find_classes
from hoyle.play.codegen.python.tails import EXTREMES, TailLoop, find_tail_loop

SIGNS = {"highest": ">", "lowest": "<"}
UNROLLED, UNROLLED_WEIGHT = range(2, 9), 40  # trip counts and sizes of tests that are unrolled


def form(text: str, level: int = ATOM, kind: str = "int", spell: Spell = Values.value) -> Spell:
    """A printer by format string over the operands as `Code`; an element that is itself a list is a tuple."""
    def write(p: Values, value: Value) -> Code:
        found = "tuple" if value.fact.is_list and kind == "int" else kind
        return Code(text.format(*(spell(p, arg) for arg in value.args)), level, found)

    return write


@dataclass(slots=True)
class Loop:
    """A loop under construction: its variable, the projection of the element, and the prologue `begin`. `drops`:
    elements whose projection is none are dropped."""

    variable: str
    made: Code
    drops: bool
    begin: list[Statement] = field(default_factory=list)

    @property
    def number(self) -> str:
        """The projection as an element of a list: a truth converted to a number."""
        return self.made.text if self.made.kind in ("int", "tuple") or self.drops else f"int({self.made.text})"


@contextmanager
def _looping(
    p: Values, number: int, source: Value, where: Value, made: Value | None = None, listed: Code | None = None
) -> Iterator[Loop]:
    """Emit a loop over the elements that meet `where`, with the consumer printed inside. `made` is the projection, None
    if it is dead; `listed` is the code of the source, if it is already printed."""
    where = _unroll(p, where, number)
    bodies = (where, made) if made is not None else (where,)
    p.hoist(bodies, number)
    variable, of = p.fresh("e"), source.fact.of
    tails = find_tail_loop(p, source, where, made, number, variable) if listed is None else None
    run = listed or (tails.source if tails is not None else p.elements(source))
    assert of is not None
    loop = Loop(variable, Code(variable, NAME, "tuple" if of.is_list else "int"), made is not None and made.fact.none)
    with p.scope(number, loop.made) as body, p.counting(number, bodies):
        if tails is not None:
            where = _grow(p, tails)
        with p.under(where):
            loop.made = p.whole(made) if made is not None else loop.made
            if loop.drops:
                loop.made = p.name(loop.made)
                with p.collecting() as inner:
                    yield loop
                p.nest(f"if {loop.made.text} is not None:", *inner)
            else:
                yield loop
    p.out += [*loop.begin, *(tails.start if tails is not None else ())]
    p.nest(f"for {variable} in {run.text}:", *body)


def _grow(p: Values, tails: TailLoop) -> Value:
    """Update the accumulators, leave the loop if the monotone test fails; the rest of the test."""
    p.out += tails.take
    for reducer, code in tails.read.items():
        p.record(reducer, code)
    p.nest(f"if {p.value(p.expect(p.build.negate(tails.monotone))).text}:", Line("break"))
    return tails.rest


def _unroll(p: Values, test: Value, number: int) -> Value:
    """The test of a loop with inner loops over few constants unrolled, if that exposes invariant `in_zone` tests."""
    if not test.loops or test.weight > UNROLLED_WEIGHT:
        return test
    build = p.build

    def visit(node: Value) -> Value:
        if number not in node.free:
            return node
        each = node.args[0] if node.args else node
        if node.op == "any" and each.op == "each" and len(each.args[0].constants or ()) in UNROLLED:
            source, where, made = each.args
            own = build.make("var", (), each.data, made.fact if made.op == "var" else source.fact.of or made.fact)
            if made is own and _has_other_part(where, own.number, number):
                return build.either(*(build.replace(where, own, build.number(at)) for at in source.constants or ()))
        return build.make(node.op, [visit(arg) for arg in node.args], node.data, node.fact)

    unrolled = visit(test)
    return test if unrolled is test else p.expect(unrolled)


def _has_other_part(where: Value, own: int, number: int) -> bool:
    return any(own in node.free and number not in node.free and node.op == "in_zone" for node in walk(where))


def _open(p: Values, value: Value, *, counts: bool = False) -> AbstractContextManager[Loop]:
    """The loop of an `each`; `counts`: the projection is dead unless it can be none or fault."""
    source, where, made = value.args
    matters = not counts or made.fact.none or made.faults
    return _looping(p, value.number, source, where, made if matters else None)


def _fold(
    p: Values, source: Value, start: str, step: str, kind: str = "int", *, counts: bool = False, leaves: bool = False
) -> Code:
    """An accumulator loop: in `step`, `{0}` is the accumulator, `{1}` the projection of an element, `{2}` the same as a
    list element. `leaves`: break after the first hit."""
    with _open(p, source, counts=counts) as loop:
        name = p.fresh()
        loop.begin.append(Assign(name, start))
        p.write(step.format(name, loop.made.text, loop.number))
        if leaves:
            p.write("break")
    return p.given(name, kind)


def _each(p: Values, value: Value) -> Code:
    return _fold(p, value, "[]", "{0}.append({2})", "list")


# ------------------------------------------------------------------------------------------------ reducers
def _find_wanted(p: Values, value: Value) -> tuple[Value, Value] | None:
    """The pattern of a linear search (`any element equals an invariant`): the list, and what is searched."""
    source, test = find_filter(value)
    if source is None:
        return None
    made = value.args[2]
    if made.fact.is_truth and (test is made or (test.op == "not" and test.args[0] is made)):
        return source, p.build.truth(test is made)
    for one, other in (test.args, test.args[::-1]) if test.op == "equal" else ():
        if one is made and value.number not in other.free:
            return source, other
    return None


def _find_listed(p: Values, value: Value) -> tuple[Code, Code] | None:
    """The pattern of `find_classes`, if the list of table entries has been materialised: the list, and the entry."""
    found = find_classes(p.build, value)
    listed = None if found is None else p.find(found[0])
    return None if found is None or listed is None else (listed, p.value(found[1]))


def _any(p: Values, value: Value) -> Code:
    source = value.args[0]
    of_class = _find_listed(p, value)
    if of_class is not None:
        return Code(f"{of_class[1].operand} in {of_class[0].text}", COMPARE, "bool")
    wanted = _find_wanted(p, source)
    if wanted is not None and p.find(source) is None:
        listed = p.elements(wanted[0])
        return Code(f"{p.value(wanted[1]).operand} in {listed.operand}", COMPARE, "bool")
    if _is_known(p, source):
        return Code(f"bool({p.value(source).text})", ATOM, "bool")
    return _fold(p, source, "False", "{0} = True", "bool", counts=True, leaves=True)


def _test_any(p: Values, value: Value) -> Code:
    return _any(p, value) if value.args[0].op == "each" else p.value(value.args[0])


def _is_listed(p: Values, source: Value) -> bool:
    """Whether a list is materialised, or is going to be, because it has other uses."""
    return p.find(source) is not None or p.uses[source] > 1


def _is_known(p: Values, source: Value) -> bool:
    """Whether a list is a Python object, rather than a loop to fuse with."""
    return source.op != "each" or _is_listed(p, source)


def _count(p: Values, value: Value) -> Code:
    source = value.args[0]
    of_class = _find_listed(p, value)
    if of_class is not None:
        return Code(f"{of_class[0].text}.count({of_class[1].text})")
    if source.op == "distinct" and not _is_listed(p, source):
        return Code(f"len({_set(p, source.args[0])})")
    if _is_known(p, source):
        return Code(f"len({p.elements(source).text})")
    return _fold(p, source, "0", "{0} += 1", counts=True)


def _set(p: Values, source: Value) -> str:
    """The set of the elements of a list."""
    if _is_known(p, source):
        return f"{{*{p.elements(source).within(OR)}}}"
    return _fold(p, source, "set()", "{0}.add({1})").text


def find_same(p: Values, source: Value) -> str | None:
    """`distinct count = 1` without a set: a variable with the value that all elements have, None if they differ or
    there are none; no code (None) if the list is needed for something else."""
    listed = source.args[0] if source.op == "distinct" else source
    if listed is source or _is_listed(p, source) or _is_known(p, listed) or listed.args[2].fact.none or listed.faults:
        return None
    with _open(p, listed) as loop:
        same, made = p.fresh(), p.name(loop.made).text
        loop.begin.append(Assign(same, "None"))
        again = Nest(f"if {same} is not None:", [Assign(same, "None"), Line("break")])
        p.nest(f"if {made} != {same}:", again, Assign(same, made))
    return same


def _sum(p: Values, value: Value) -> Code:
    source = value.args[0]
    if _is_known(p, source):
        return Code(f"sum({p.elements(source).text})")
    return _fold(p, source, "0", "{0} += {1}")


def _extreme(p: Values, value: Value) -> Code:
    source, kind = value.args[0], "tuple" if value.fact.is_list else "int"
    if _is_known(p, source):
        default = ", default=None" if value.fact.none else ""
        return Code(f"{EXTREMES[value.op]}({p.elements(source).text}{default})", ATOM, kind)
    with _open(p, source) as loop:
        best = _take_better(p, loop, SIGNS[value.op])
    if not value.fact.none:
        p.refuse_unless(Code(f"{best} is not None"))
    return p.given(best, kind)


def _take_better(p: Values, loop: Loop, sign: str, *alone: Statement) -> str:
    """Update a running extreme, with further statements on improvement; its variable."""
    best, made = p.fresh("b"), p.name(loop.made).text
    loop.begin.append(Assign(best, "None"))
    p.nest(f"if {best} is None or {made} {sign} {best}:", Assign(best, made), *alone)
    return best


def _first(p: Values, value: Value) -> Code:
    source = value.args[0]
    if not _is_known(p, source) and not (value.op == "first" and faults_late(source)):
        kind = "tuple" if value.fact.is_list else "int"
        return _fold(p, source, "None", "{0} = {1}", kind, leaves=value.op == "first")
    return spell_end(p, value, p.elements(source), 0 if value.op == "first" else -1)


def spell_end(p: Values, value: Value, listed: Code, place: int, letter: str = "x") -> Code:
    """The first or last element of a list, or none."""
    kind = "tuple" if value.fact.is_list else "int"
    if not value.fact.none:
        return Code(f"{listed.atom}[{place}]", ATOM, kind)
    name = p.name(listed, letter).text
    return Code(f"{name}[{place}] if {name} else None", CHOICE, kind)


# ------------------------------------------------------------------------------------------------ lists
def _known(p: Values, value: Value) -> Code:
    values = value.constants or ()
    if len(values) > 2 and values == tuple(range(values[0], values[0] + len(values))):
        start = f"{values[0]}, " if values[0] else ""
        return Code(p.constants.name(("range", values), "L", lambda: f"range({start}{values[-1] + 1})"), NAME, "list")
    return Code(p.constants.name(("list", values), "L", lambda: repr(values)), NAME, "tuple")


def _items(p: Values, value: Value) -> Code:
    if not value.args:
        return Code("()", NAME, "tuple")
    codes = [p.number(arg) for arg in value.args]
    inner = ", ".join(code.within(CHOICE) for code in codes)
    if not any(arg.fact.none for arg in value.args):
        return Code(f"({inner},)" if len(codes) == 1 else f"({inner})", ATOM, "tuple")
    if len(codes) == 1:
        name = p.name(codes[0]).text
        return Code(f"({name},) if {name} is not None else ()", CHOICE, "tuple")
    each = p.fresh("e")
    return Code(f"[{each} for {each} in ({inner}) if {each} is not None]", ATOM, "list")


def _join(p: Values, value: Value) -> Code:
    parts = []
    for part in value.args:
        if part.op == "items" and not part.fact.none and not any(arg.fact.none for arg in part.args):
            parts += [p.number(arg).within(CHOICE) for arg in part.args]
        else:
            parts.append(f"*{p.elements(part).operand}")
    return Code(f"({', '.join(parts)},)" if len(parts) == 1 else f"({', '.join(parts)})", ATOM, "tuple")


def _span(p: Values, value: Value) -> Code:
    low, high = value.args
    end = str(high.constant + 1) if high.constant is not None else f"{p.value(high).operand} + 1"
    if high.op == "add" and (more := high.args[1].constant) is not None and p.uses[high] <= 1:
        end = p.value(p.build.add(high.args[0], p.build.number(more + 1))).text
    start = "" if low.constant == 0 else f"{p.value(low).text}, "
    return Code(f"range({start}{end})", ATOM, "list")


def _row(p: Values, value: Value) -> Code:
    rows = value.rows
    name = p.constants.name(rows, "R", lambda: repr(rows.rows))
    return Code(f"{name}[{p.value(value.args[0]).text}]", ATOM, "tuple")


def _best(p: Values, value: Value) -> Code:
    source, key = value.args
    listed = p.name(p.elements(source), "l")
    if source.fact.high == 1 and not key.fact.none and not key.faults:
        return listed
    with _looping(p, value.number, source, p.build.true, key, listed) as loop:
        found, loop.made = p.fresh(), p.name(loop.made)
        best = _take_better(p, loop, SIGNS[str(value.data[1])], Assign(found, f"[{loop.variable}]"))
        loop.begin.append(Assign(found, "[]"))
        p.nest(f"elif {loop.made.text} == {best}:", Line(f"{found}.append({loop.variable})"))
    return p.given(found, "list")


def _flat(p: Values, value: Value) -> Code:
    source, inner = value.args
    name = p.fresh()
    p.hoist((inner,), value.number)
    with _looping(p, value.number, source, p.build.true) as loop, p.counting(value.number, (inner,)):
        loop.begin.append(Assign(name, "[]"))
        p.write(f"{name} += {p.elements(inner).text}")
    return p.given(name, "list")


def _distinct(p: Values, value: Value) -> Code:
    return Code(f"[*dict.fromkeys({p.elements(value.args[0]).text})]", ATOM, "list")


def _rotate(p: Values, source: Value, first: Value) -> Value | None:
    """Seats in turn order as a filter of a rotated constant list, instead of a sort."""
    seats = tuple(range(p.program.players))
    listed, where = find_filter(source)
    if listed is None or listed.constants != seats or source.faults or _is_known(p, source):
        return None
    if first.fact.none or not 0 <= first.fact.low <= first.fact.high < len(seats):
        return None
    rows = p.build.rows_of(seats[at:] + seats[:at] for at in seats)
    row = p.build.read("row", listed.fact, first, data=(rows,))
    return p.build.make("each", (row, where, source.args[2]), source.data, source.fact)


def _around(p: Values, value: Value) -> Code:
    rotated = _rotate(p, *value.args)
    if rotated is not None:
        return p.value(p.expect(rotated))
    listed, start = p.elements(value.args[0]), p.name(p.value(value.args[1]))
    turn = f"lambda seat: (seat - {start.text}) % {p.program.players}"
    return Code(f"sorted({listed.text}, key={turn})", ATOM, "list")


def _slice(p: Values, value: Value) -> Code:
    listed, number = value.args
    source, few = p.value(listed), p.value(number)
    known = number.constant is not None or number.fact.low >= 0
    many = few.text if known else f"max(0, {few.text})"
    match value.op:
        case "first_few":
            text = f"[:{many}]"
        case "all_but_first":
            text = f"[{many}:]"
        case _ if number.constant is not None and number.constant > 0:
            text = f"[-{many}:]" if value.op == "last_few" else f"[:-{many}]"
        case _:
            source = p.name(source)
            end = f"max(0, len({source.text}) - {many if known and few.level <= ATOM else f'({many})'})"
            text = f"[{end}:]" if value.op == "last_few" else f"[:{end}]"
    return Code(f"{source.atom}{text}", ATOM, source.kind)


def _division(p: Values, value: Value) -> Code:
    """A partition, by closures for its predicates. If these are static, the divider is a global with its caches."""
    listed, parts = p.elements(value.args[0]), value.args[1:]
    if any(part.free - {value.number} or find_read(part, p.constants.reads) != frozenset() for part in parts):
        return Code(f"{_make_divide(p, value)}({listed.text})", ATOM, "tuple")

    def write(name: str) -> Iterator[str]:
        printer = p.begin(*parts)
        yield from printer.define(f"make_{name}()", Code(_make_divide(printer, value)))
        yield f"{name} = make_{name}()"

    divide = p.constants.define(("divider", *parts), "D", write, noted="D")
    return Code(f"{divide}({listed.text})", ATOM, "tuple")


def _make_divide(p: Values, value: Value) -> str:
    _, where, keeps, weights = value.args
    p.hoist((where, keeps), value.number)
    tests = [_write_function(p, value.number, test) if test is not p.build.true else "None" for test in (where, keeps)]
    return f"make_divide({', '.join(tests)}, {p.listed(weights).text})"


def _write_function(p: Values, number: int, test: Value) -> str:
    """A closure for a predicate on groups; its name. It may force lazy values of the enclosing function."""
    name, group = p.fresh("f"), p.fresh("g")
    found = (p.find(node) for node in walk(test))
    lazy = dict.fromkeys(code.text for code in found if code is not None and code.kind == LAZY)
    with p.scope(number, Code(group, NAME, "tuple")) as out:
        code = p.test(test)
    outer = [Line(f"nonlocal {', '.join(lazy)}")] if lazy else []
    p.out.append(Nest(f"def {name}({group}):", [*outer, *out, Line(f"return {code.text}")]))
    return name


LISTS: dict[str, Spell] = {
    "each": _each,
    "any": _any,
    "test_any": _test_any,
    "count": _count,
    "sum": _sum,
    "highest": _extreme,
    "lowest": _extreme,
    "first": _first,
    "last": _first,
    "list": _known,
    "items": _items,
    "join": _join,
    "span": _span,
    "row": _row,
    "best": _best,
    "flat": _flat,
    "distinct": _distinct,
    "descending": form("sorted({0.text}, reverse=True)", ATOM, "list"),
    "around": _around,
    "first_few": _slice,
    "last_few": _slice,
    "all_but_first": _slice,
    "all_but_last": _slice,
    "subsets": form("list_subsets({0.text})", ATOM, "list"),
    "pairs": form("[*combinations({0.text}, 2)]", ATOM, "list"),
    "tails": form("list_tails({0.text})", ATOM, "list"),
    "groups": form("list_groups({0.text}, {1.text}, {2.text})", ATOM, "list"),
    "division": _division,
}

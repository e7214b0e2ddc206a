"""Lowering of words, the built-in operators of the language.

In: a word applied to expressions. Out: its value. Words are strict in none: given none, one gives none, or false if it
is a test, unless it is declared to take none; that is done here for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import COUNTED, MOST_LINES, NUMBER, TRUTH, Fact, between, list_of
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.lowering import Env, Lowering
from hoyle.play.codegen.lower.partition import join_groups, take_group
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir
from hoyle.program.words import WORDS, Op, op_of
from hoyle.program.words.bounds import LONGEST_LIST, MOST_FOR_SUBSETS

Lower = Callable[["Lowering", list[Value]], Value]


def lower_word(low: Lowering, expr: ir.Apply, env: Env) -> Value:
    """Lower the application of a word."""
    special = _SPECIAL.get(op_of(expr))
    if special is not None:
        return special(low, expr, env)
    lower = _WORDS.get(op_of(expr))
    if lower is None:
        raise Unsupported(f"the word {expr.word}")
    args = [low.lower(argument, env) for argument in expr.args]
    word = WORDS[expr.word]
    if word.takes_none:
        return lower(low, args)
    otherwise = low.build.false if word.gives.kind == "truth" else low.build.none
    return low.build.unless_none(args, otherwise, lambda sure: lower(low, sure))


# ------------------------------------------------------------------------------------------------ signs
def _by_nonzero(make: Callable[..., Value]) -> Lower:
    """Division or modulo with a check that the divisor is not 0."""

    def lower(low: Lowering, args: list[Value]) -> Value:
        build, (number, by) = low.build, args
        return make(build, number, build.check(build.negate(build.equal(by, build.false)), by, low.clause))

    return lower


def _span(low: Lowering, args: list[Value]) -> Value:
    first, last = args
    if last.fact.high - first.fact.low >= LONGEST_LIST:
        length = low.build.subtract(last, first)
        last = low.build.check(low.build.less(length, low.build.number(LONGEST_LIST)), last, low.clause)
    return low.build.span(first, last)


def _join(low: Lowering, args: list[Value]) -> Value:
    return _guard(low, low.build.join_lists(args), sum(arg.fact.high for arg in args) <= LONGEST_LIST)


def _guard(low: Lowering, value: Value, fits: bool) -> Value:
    """A list with a run-time check of its length, unless it is known to fit."""
    if fits:
        return value
    return low.build.check(low.build.less(low.build.count(value), low.build.number(LONGEST_LIST)), value, low.clause)


def _without(low: Lowering, args: list[Value]) -> Value:
    build, (listed, left_out) = low.build, args
    most = LONGEST_LIST * 10  # comparisons, as the word says
    if listed.fact.high * left_out.fact.high > most:
        work = build.multiply(build.count(listed), build.count(left_out))
        left_out = build.check(build.less(work, build.number(most + 1)), left_out, low.clause)

    def stays(each: Value) -> Value:
        return build.negate(build.any(build.each(left_out, lambda other: build.equal(other, each))))

    return build.after([left_out], build.each(listed, stays))


def _list(low: Lowering, expr: ir.Apply, env: Env) -> Value:
    of = expr.type.of
    return low.build.items([low.lower(each, env) for each in expr.args], low.fact_of(of) if of else NUMBER)


def _key(low: Lowering, args: list[Value]) -> Value:
    """A lexicographic sort key: its parts as one flat list of numbers."""
    return low.build.join_lists([arg if arg.fact.is_list else low.build.items([arg], arg.fact) for arg in args])


def _element(low: Lowering, expr: ir.Apply, env: Env) -> Value:
    """Indexing from 0, bounds-checked; into constants a table lookup."""
    build = low.build
    listed, place = expr.args
    index = low.lower(place, env)

    def take(source: Value, make: Callable[[Value], Value]) -> Value:
        def at(args: list[Value]) -> Value:
            checked = args[0]
            if checked.fact.low < 0 or checked.fact.high >= source.fact.low:
                inside = build.both(
                    build.negate(build.less(checked, build.false)), build.less(checked, build.count(source))
                )
                checked = build.check(inside, checked, low.clause)
                checked = build.refine(
                    checked, max(0, checked.fact.low), min(checked.fact.high, max(0, source.fact.high - 1))
                )
            return make(checked)

        return build.unless_none([index], build.none, at)

    if isinstance(listed, ir.Const):
        values: tuple[Any, ...] = listed.elements
        known = build.read("list", list_of(NUMBER, len(values), shortest=len(values)), data=(values,))
        if any(isinstance(value, tuple) for value in values):
            rows = build.rows_of(values)
            return take(known, lambda at: build.row(rows, at))
        return take(known, lambda at: build.table(values, at))
    source = low.lower(listed, env)
    if source.op == "choices":
        fact = between(0, len(low.program.actions))
        return take(source, lambda at: build.read("choice", fact, at, data=source.data))
    if source in low.codes:
        return take(source, lambda at: take_group(low, build.sure(low.codes[source]), at))
    of = source.element
    if of.is_list:
        raise Unsupported("an element of a list of lists")
    return take(source, lambda at: build.read("element", of, source, at))


def _is_empty(low: Lowering, args: list[Value]) -> Value:
    if args[0].op == "choice":  # a stored choice is empty if the seat declined
        return low.build.read("declined", TRUTH, *args)
    return low.build.negate(low.build.any_of_all(args[0]))


# ------------------------------------------------------------------------------------------------ lists
def _descending(low: Lowering, args: list[Value]) -> Value:
    source = args[0]
    if source.constants is not None:
        return low.build.known_list(sorted(source.constants, reverse=True), source.fact.of)
    return low.build.read("descending", source.fact, source)


def _build(make: Callable[..., Value]) -> Lower:
    return lambda low, args: make(low.build, *args)


def _slice(how: str) -> Lower:
    return lambda low, args: low.build.slice(args[1], args[0], how)


def _groups(how: str) -> Lower:
    """All non-empty subsets, all pairs, or all non-empty suffixes of a list, with a check of its length."""

    def lower(low: Lowering, args: list[Value]) -> Value:
        build, source = low.build, args[0]
        most = {"subsets": MOST_FOR_SUBSETS, "pairs": 447, "tails": 446}[how]
        if source.fact.high > most:
            fits = build.less(build.count(source), build.number(most + 1))
            source = build.check(fits, source, low.clause)
        size = min(source.fact.high, most)
        longest = {"subsets": (1 << size) - 1, "pairs": size * (size - 1) // 2, "tails": size}[how]
        bounds = (2, 2) if how == "pairs" else (1, size)
        group = list_of(source.element, bounds[1], shortest=bounds[0], unique=source.fact.unique)
        return build.read(how, Fact(0, max(0, longest), of=group, unique=source.fact.unique), source)

    return lower


def _place_in(low: Lowering, args: list[Value]) -> Value:
    build, (wanted, source) = low.build, args
    of = source.element
    if of.is_list:
        raise Unsupported("the place of a list in a list of lists")
    places = build.span(build.false, build.subtract(build.count(source), build.true))
    found = build.each(
        places,
        lambda at: build.equal(build.read("element", of, source, at), wanted),
        lambda at: build.add(at, build.true),
    )
    return build.after([wanted], build.first(found))


def _joined(low: Lowering, args: list[Value]) -> Value:
    """Flattening of a list of lists; of an `each` that makes lists, as a flat-map."""
    build, source = low.build, args[0]
    if source in low.codes:
        return join_groups(low, low.codes[source])
    if source.constants == ():
        return build.known_list((), source.element.of)
    if source.op != "each" or source.args[2].fact.none:
        return _guard(low, build.flat(source, lambda each: each), fits=False)
    inner, variable, (where, made) = build.open_binder(source)
    kept = build.bind_each(inner, variable, where, variable)
    return _guard(low, build.flat(kept, lambda each: build.replace(made, variable, each)), fits=False)


def _concatenate(low: Lowering, expr: ir.Apply, env: Env) -> Value:
    build, (table, places) = low.build, expr.args
    if not isinstance(table, ir.Const):
        raise Unsupported("a table of lists that is worked out")
    lists: tuple[Any, ...] = table.elements
    rows = build.rows_of(lists)

    def row(at: Value) -> Value:
        return build.row(rows, low.within_range(at, 0, len(rows.rows) - 1, low.clause))

    return build.unless_none([low.lower(places, env)], build.none, lambda args: build.flat(args[0], row))


# ------------------------------------------------------------------------------------------------ the table
def _seats(low: Lowering, args: list[Value]) -> Value:
    everybody = low.build.known_list(range(low.program.players))
    if not low.seats_leave:
        return everybody
    build = low.build
    return build.each(everybody, lambda seat: build.negate(build.read("retired", TRUTH, seat)))


def _next_seat(step: int) -> Lower:
    def lower(low: Lowering, args: list[Value]) -> Value:
        players = low.program.players
        if low.seats_leave:
            return low.build.read("next_seat", between(0, players - 1), args[0], data=(step,))
        return low.build.table([(seat + step) % players for seat in range(players)], args[0])

    return lower


def _around(low: Lowering, args: list[Value]) -> Value:
    listed, start = args
    players = low.program.players
    if listed.constants is None:
        return low.build.read("around", listed.fact, listed, start)
    turned = [sorted(listed.constants, key=lambda seat: (seat - start) % players) for start in range(players)]
    return low.build.row(low.build.rows_of(turned), start)


def _total(low: Lowering, seat: Value, column: int) -> Value:
    known = low.find(("total", column)) or NUMBER
    return low.build.read("total", known, seat, data=(column,))


def _number(value: Value) -> int:
    if value.constant is None:
        raise Unsupported("a column or mark that is not known")
    return value.constant


def _holder(low: Lowering, args: list[Value]) -> Value:
    seat = between(0, low.program.players - 1)
    return low.build.read("holder", seat.or_none(), args[0])


def _place(low: Lowering, args: list[Value]) -> Value:
    build, card = low.build, args[0]
    zone = low.find_origin(card)
    if zone is None:
        return build.read("place_of", between(1, len(low.program.cards)), card)
    pile = low.read_cards(zone)
    below = build.read("index_in", between(0, max(0, pile.fact.high - 1)), card, zone)
    return build.refine(build.subtract(build.count(pile), below), 1, max(1, pile.fact.high))


def _face_up(low: Lowering, args: list[Value]) -> Value:
    return low.build.each(low.read_cards(args[0]), lambda card: low.build.read("turned_up", TRUTH, card))


def _zone(low: Lowering, args: list[Value]) -> Value:
    return low.find_origin(args[0]) or low.build.read("zone_of", between(0, low.zones - 1), args[0])


def _lines(low: Lowering, args: list[Value]) -> Value:
    build, players = low.build, low.build.number(low.program.players)
    written = build.read("line_count", between(0, MOST_LINES))

    def line(number: Value) -> Value:
        return build.add(build.multiply(number, players), args[0])

    rounds = build.span(build.false, build.subtract(written, build.true))
    return build.each(rounds, lambda number: build.read("written", TRUTH, line(number)), line)


def _offender(low: Lowering, args: list[Value]) -> Value:
    if not low.program.called:
        return low.build.none
    return low.build.read("offender", between(0, low.program.players - 1).or_none())


def _players(low: Lowering) -> Value:
    return low.build.number(low.program.players)


# Words that are operations of the builder.
_BUILT: dict[Op, Callable[..., Value]] = {
    Op.ADD: Builder.add, Op.SUBTRACT: Builder.subtract, Op.MULTIPLY: Builder.multiply, Op.NEGATE: Builder.negative,
    Op.EQUAL: Builder.equal, Op.LESS: Builder.less, Op.COUNT: Builder.count, Op.SUM: Builder.sum,
    Op.HIGHEST: Builder.highest, Op.FIRST: Builder.first, Op.DISTINCT: Builder.distinct,
}  # fmt: skip
_WORDS: dict[Op | None, Lower] = {
    **{op: _build(make) for op, make in _BUILT.items()},
    **{Op[how.upper()]: _slice(how) for how in ("first_few", "last_few", "all_but_first", "all_but_last")},
    **{Op[how.upper()]: _groups(how) for how in ("subsets", "pairs", "tails")},
    Op.DIVIDE: _by_nonzero(Builder.divide),
    Op.MODULO: _by_nonzero(Builder.modulo),
    Op.SPAN: _span,
    Op.JOIN: _join,
    Op.WITHOUT: _without,
    Op.KEY: _key,
    Op.DIFFER: lambda low, args: low.build.negate(low.build.equal(*args)),
    Op.GREATER: lambda low, args: low.build.less(args[1], args[0]),
    Op.AT_MOST: lambda low, args: low.build.negate(low.build.less(args[1], args[0])),
    Op.AT_LEAST: lambda low, args: low.build.negate(low.build.less(*args)),
    Op.IS_IN: lambda low, args: low.build.contains(args[1], args[0]),
    Op.IS_NONE: lambda low, args: low.build.negate(low.build.present(args[0])),
    Op.IS_EMPTY: _is_empty,
    Op.LOWEST: lambda low, args: low.build.highest(*args, lowest=True),
    Op.DESCENDING: _descending,
    Op.LAST: lambda low, args: low.build.first(*args, last=True),
    Op.PLACE_IN: _place_in,
    Op.JOINED: _joined,
    Op.SEATS: _seats,
    Op.LEFT: _next_seat(1),
    Op.RIGHT: _next_seat(-1),
    Op.AROUND: _around,
    Op.SCORE: lambda low, args: _total(low, args[0], 0),
    Op.COLUMN: lambda low, args: _total(low, args[0], _number(args[1])),
    Op.ROUNDS_PLAYED: lambda low, args: low.build.read("rounds", between(0, COUNTED)),
    Op.CARDS: lambda low, args: low.read_cards(args[0]),
    Op.SIZE: lambda low, args: low.build.count(low.read_cards(args[0])),
    Op.NO_CARDS: lambda low, args: low.build.negate(low.build.any(low.read_cards(args[0]))),
    Op.TOP: lambda low, args: low.build.first(low.read_cards(args[0]), last=True),
    Op.BOTTOM: lambda low, args: low.build.first(low.read_cards(args[0])),
    Op.FACE_UP: _face_up,
    Op.LAID_OPEN: lambda low, args: args[0],
    Op.LAST_HOLDER: _holder,
    Op.PLACE: _place,
    Op.ZONE: _zone,
    Op.LINES: _lines,
    Op.ROUND: lambda low, args: low.build.add(low.build.divide(args[0], _players(low)), low.build.true),
    Op.OWNER: lambda low, args: low.build.modulo(args[0], _players(low)),
    Op.ENTRY: lambda low, args: low.build.read("entry", NUMBER.or_none(), args[0], data=(_number(args[1]),)),
    Op.MARKED: lambda low, args: low.build.read("marked", TRUTH, args[0], data=(_number(args[1]),)),
    Op.OFFENDER: _offender,
}

_SPECIAL: dict[Op | None, Callable[[Lowering, ir.Apply, Env], Value]] = {
    Op.LIST: _list,
    Op.CONCATENATE: _concatenate,
    Op.ELEMENT: _element,
}

"""How much work the reference executor would have with an expression or a decision, as a value of the low form.

In: an expression or a menu. Out: an upper bound of the steps that `Evaluator` counts, in the position that is at hand.

Generated code does not count steps. Where facts alone do not show that an expression stays within the limit, it works
out this bound from the lengths of the lists there are, unless zones are short enough. Beyond the limit it bails out:
the reference counts, and says whether it is too much. So all executors stop at the same work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb

from hoyle.play.codegen.low.facts import between, list_of
from hoyle.play.codegen.low.values import IN_PLACE, Value
from hoyle.play.codegen.lower.lowering import EMPTY, Env, Lowering
from hoyle.play.codegen.lower.menus import MOST_COMBINED, Level, Menu, Offer, lower_offer
from hoyle.play.codegen.passes.patterns import find_filter
from hoyle.play.engine.limits import MOST_EVALUATED, MOST_LISTING
from hoyle.play.engine.work import is_list
from hoyle.program.effects import effects_of
from hoyle.program.ir import nodes as ir
from hoyle.program.model.surveys import MOST_GROWN, MOST_SURVEYED
from hoyle.program.words import WORDS, Cost
from hoyle.program.words.bounds import MOST_FOR_SUBSETS

PARTS = ("each", "best", "first_few", "last_few", "all_but_first", "all_but_last")  # lists of no more than their source
GROWING = ("add", "multiply", "greatest", "least")  # with each operand
GROWING_WITH_FIRST = ("divide", "combinations")  # if the second is constant
MOST_ZONES = 64  # whose sizes are compared
MOST_SIZES = 4096  # of one list, tried for the largest that is allowed
LONG = 26  # cards in a zone, beyond which lengths are looked at
MUCH = 1 << 40  # beyond all limits: sums of such numbers stay in range


class Reckoning:
    """Reckons in one position. `exactly`: from the lengths that lists have there, else from facts alone, or as if no
    zone had more than `longest` cards; `zones` are those for which that matters."""

    def __init__(self, low: Lowering, *, exactly: bool = False, longest: int | None = None) -> None:
        self.low, self.build, self.exactly, self.longest = low, low.build, exactly, longest
        self.zones: set[int] = set()
        self._surveys: dict[object, Value] = {}  # of divisions: made once, however often what they divide varies

    def total_of(self, steps: Callable[[Reckoning], Value]) -> Value:
        """All steps, with those of surveys."""
        found = steps(self)
        return self.sum(found, *self._surveys.values())

    # ---------------------------------------------------------------------------------------------- numbers
    def sum(self, *parts: Value | int) -> Value:
        total, build = self.build.false, self.build
        for part in parts:
            value = build.number(part) if isinstance(part, int) else part
            total = build.add(total, value)
            if total.fact.high > MUCH:
                return build.number(MUCH)
        return total

    def times(self, many: Value, each: Value) -> Value:
        if many.fact.high * each.fact.high > MUCH:
            return self.build.number(MUCH)
        return self.build.multiply(many, each)

    def length(self, listed: Value) -> Value:
        """At most how many elements a list has."""
        build, fact = self.build, listed.fact
        most = build.number(max(0, fact.high) if fact.of is not None else 0)
        if listed.op == "flat" and _takes_each_once(listed):
            most = self.shorter(most, build.number(len(self.low.program.cards)))
        if fact.high <= 1 or fact.of is None or not (self.exactly or self.longest):
            return most
        if self.exactly and self._is_settled(listed) and (find_filter(listed)[0] or listed).op in IN_PLACE:
            return build.count(listed)
        match listed.op:
            case "cards":
                found = self._count_largest(listed.args[0])
            case "tails" | "each" | "best" | "distinct" | "descending" | "first_few" | "last_few" | "all_but_first":
                found = self.length(listed.args[0])
            case "check":
                found = self.length(listed.args[1])
            case "sure":
                found = (self.exactly and self._count_unless_none(listed.args[0])) or most
            case "join":
                found = self.sum(*map(self.length, listed.args))
            case "if":
                found = build.extreme(*map(self.length, listed.args[1:]), highest=True)
            case "subsets":
                found = self.combine(self.length(listed.args[0]), build.true, build.number(MOST_FOR_SUBSETS))
            case "groups":
                found = self.combine(self.length(listed.args[0]), *listed.args[1:])
            case "pairs":
                inside = self.length(listed.args[0])
                found = self.times(inside, inside)
            case _:
                return most
        return self.shorter(found, most)

    def _count_largest(self, zone: Value) -> Value:
        """The cards of the largest of the zones that may be meant."""
        build, low = self.build, self.low
        first, last = max(0, zone.fact.low), min(zone.fact.high, low.zones - 1)
        if last - first > MOST_ZONES:
            return build.number(len(low.program.cards))
        if self.longest is not None:
            self.zones.update(range(first, last + 1))
            return build.number(self.longest)
        zones = build.known_list(range(first, last + 1))
        return build.highest(build.each(zones, value=lambda place: build.count(low.read_cards(place))))

    def shorter(self, one: Value, other: Value) -> Value:
        return self.build.extreme(one, other, highest=False)

    def combine(self, many: Value, least: Value, most: Value) -> Value:
        """How many groups can be formed of so many elements."""
        if not (self._is_settled(least) and self._is_settled(most)):
            least, most = self.build.number(max(0, least.fact.low)), self.build.number(max(0, most.fact.high))
        if many.constant is not None and least.constant is not None and most.constant is not None:
            sizes = range(max(0, least.constant), min(many.constant, most.constant) + 1)
            return self.build.number(min(MUCH, sum(comb(many.constant, size) for size in sizes)))
        return self.build.read("combinations", between(0, MOST_COMBINED), many, least, most)

    def _is_settled(self, value: Value) -> bool:
        """Whether a value can be worked out in advance."""
        return not (value.faults or value.guarded or value.free or value.fact.none)

    def _count_unless_none(self, listed: Value) -> Value | None:
        """The length of what a slot or a state holds, 0 if it is none."""
        if listed.op not in ("slot", "state") or listed.free or listed.faults or listed.guarded:
            return None
        return self.build.unless_none([listed], self.build.false, lambda args: self.build.count(args[0]))

    # ---------------------------------------------------------------------------------------------- expressions
    def steps(self, expr: ir.Expr | None, env: Env = EMPTY) -> Value:
        """The steps of working out an expression, with the values of its variables."""
        low = self.low
        match expr:
            case None:
                return self.build.false
            case ir.Const() | ir.Var() | ir.Slot():
                return self.build.true
            case ir.StateRef() | ir.ZoneRef() | ir.Piles():
                return self.sum(1, self.steps(expr.owner, env))
            case ir.Index() | ir.Logic():
                return self.sum(1, *(self.steps(part, env) for part in expr.parts))
            case ir.Attribute():
                return self.sum(1, self.steps(expr.card, env))
            case ir.Named():
                with low.within(expr.clause):
                    return self.sum(1, self.steps(expr.body, env))
            case ir.OrElse():
                return self.sum(1, self.steps(expr.first, env), self.steps(expr.second, env))
            case ir.If():
                return self._steps_of_if(expr, env)
            case ir.Call():
                return self._steps_of_call(expr, env)
            case ir.Apply():
                return self._steps_of_word(expr, env)
            case ir.Those():
                source, inner = self._bind(expr.source, expr.var, env)
                parts = (expr.where, *(order.key for order in expr.orders), expr.value)
                each = self.sum(1, *(self.steps(part, inner) for part in parts))
                return self.sum(1, self.steps(expr.source, env), self.times(self.length(source), each))
            case ir.Quantified():
                source, inner = self._bind(expr.source, expr.var, env)
                each = self.sum(1, self.steps(expr.test, inner))
                return self.sum(1, self.steps(expr.source, env), self.times(self.length(source), each))
            case ir.Division():
                return self._steps_of_division(expr, env)
            case ir.CanDo():
                return self._steps_of_action(expr, env)
        return self.build.number(MUCH)

    def _bind(self, source: ir.Expr, variable: int, env: Env) -> tuple[Value, Env]:
        """A list, and an environment in which a variable is one of its elements."""
        listed = self.low.lower(source, env)
        if listed.fact.of is None:
            return listed, {**env, variable: self.build.none}
        fact = listed.element
        if listed.op == "subsets":
            fact = replace(fact, high=max(1, find_usual(fact.high)))
        element = self.build.open_variable(fact)
        self.low.bind(listed, element)
        return listed, {**env, variable: element}

    def _steps_of_if(self, expr: ir.If, env: Env) -> Value:
        low, steps = self.low, self.steps(expr.test, env)
        test = low.test(expr.test, env)
        if test.constant is not None:
            return self.sum(1, steps, self.steps(expr.yes if test.constant else expr.no, env))
        with low.assuming(test):
            yes = self.steps(expr.yes, env)
        with low.assuming(test, holds=False):
            no = self.steps(expr.no, env)
        return self.sum(1, steps, self.build.extreme(yes, no, highest=True))

    def _steps_of_call(self, expr: ir.Call, env: Env) -> Value:
        low, definition = self.low, self.low.program.definitions[expr.definition]
        args = [low.lower(argument, env) for argument in expr.args]

        def work_out() -> tuple[Value, Reckoning]:
            apart = Reckoning(low, exactly=self.exactly, longest=self.longest)
            with low.within(definition.clause):
                return apart.steps(definition.body, dict(enumerate(args)) or EMPTY), apart

        key = ("steps", self.exactly, self.longest, expr.definition, low.sure, *map(id, args))
        steps, apart = low.recall(key, work_out)
        self._surveys |= apart._surveys
        self.zones |= apart.zones
        return self.sum(1, *(self.steps(argument, env) for argument in expr.args), steps)

    def _steps_of_word(self, expr: ir.Apply, env: Env) -> Value:
        steps = self.sum(1, *(self.steps(argument, env) for argument in expr.args))
        if WORDS[expr.word].cost is not Cost.CONSTANT:
            listed = (self.length(self.low.lower(each, env)) for each in expr.args if is_list(each.type))
            steps = self.sum(steps, *(self.build.divide(each, self.build.number(8)) for each in listed))
        if is_list(expr.type):
            made = self.length(self.low.lower(expr, env))
            steps = self.sum(steps, self.build.divide(made, self.build.number(2)))
        return steps

    def _steps_of_division(self, expr: ir.Division, env: Env) -> Value:
        source, by = self.low.lower(expr.source, env), expr.by
        given = {var: self.low.lower(part, env) for var, part in zip(by.given, expr.given, strict=True)}
        steps = self.sum(1, self.steps(expr.source, env), *(self.steps(part, env) for part in expr.given))
        if source.fact.of is None:
            return steps
        longest = min(source.fact.high, MOST_SURVEYED)
        group = self.build.open_variable(list_of(source.element, find_usual(longest), shortest=1, unique=True))
        card = self.build.open_variable(source.element)
        each = self.sum(self.steps(by.where, {**given, 0: group}), self.steps(by.keeps, {**given, 0: group}))
        weigh = self.times(self.build.number(longest), self.steps(by.weigh, {**given, by.card: card}))
        tested = self.sum(weigh, self.times(self.build.number(MOST_GROWN), each))
        base = find_filter(source)[0] or source
        zones = base.args[0].fact if base.op == "cards" else None
        if given or effects_of(self.low.program).read_by_grouping(by) or (base.free and zones is None):
            return self.sum(steps, tested)
        many, key = (1, (id(by), base)) if zones is None else (zones.high - zones.low + 1, (id(by), zones))
        self._surveys[key] = self.times(self.build.number(many), tested)
        return steps

    # ---------------------------------------------------------------------------------------------- choices
    def _steps_of_action(self, expr: ir.CanDo, env: Env) -> Value:
        seat = self.low.lower(expr.seat, env)
        steps = self.sum(1, self.steps(expr.seat, env))
        if seat.op == "none":
            return steps
        offer = lower_offer(self.low, expr.action, self.build.sure(seat), allowed=expr.how == "may")
        return self.sum(steps, self.list_choices(offer, self.build.sure(seat)))

    def list_choices(self, offer: Offer, seat: Value) -> Value:
        """The steps of listing all choices of an offer: for each pick of testing it, and of listing the next."""
        env: dict[int, Value] = {0: seat}
        ways, total = self.build.true, self._test_and_list(offer.tests, offer.levels[:1], 1, env)
        for depth, level in enumerate(offer.levels, start=1):
            env[depth] = level.begun if level.begun is not None else level.variable
            keeps = (level.pick.keeps, level.pick.keeps_allowed)
            growing = [self.steps(test, env) for test in keeps if test is not None]
            env[depth] = level.variable
            tried = self._test_and_list(level.tests, offer.levels[depth : depth + 1], depth + 1, env)
            ways = self.times(ways, self.build.true if level.numbers else self.length(level.domain))
            total = self.sum(total, self.times(ways, self.sum(tried, *growing)))
        return total

    def _test_and_list(self, tests: Sequence[ir.Expr], level: Sequence[Level], depth: int, env: Env) -> Value:
        steps = self.sum(1, *(self.steps(test, env) for test in tests))
        for pick in (each.pick for each in level):
            ends = [self.steps(end, env) for end in (pick.least, pick.most, pick.low, pick.high)]
            steps = self.sum(steps, *ends)
            if pick.least is None:
                source, inner = self._bind(pick.source, depth, env)
                each = self.sum(1, self.steps(pick.where, inner))
                steps = self.sum(steps, self.steps(pick.source, env), self.times(self.length(source), each))
        return steps


def _takes_each_once(listed: Value) -> bool:
    """Whether the elements are cards of different zones."""
    zones, part = listed.args
    while part.op in PARTS:
        part = part.args[0]
    return zones.fact.unique and part.op == "cards" and part.args[0].op == "var" and part.args[0].data == listed.data


def find_usual(longest: int) -> int:
    """The size by which the work for all subsets of a list is reckoned, or for those that pass a test that their own
    subsets pass, too: on average they are half as long, and what takes the square of that is allowed for."""
    return (2 * longest + 2) // 3


def limit_expression(low: Lowering, expr: ir.Expr | None, value: Value, env: Env = EMPTY) -> Value:
    """The value of an expression, a fault where it may be more work than is allowed."""
    def find() -> Value:
        return find_excess(low, lambda reckoning: reckoning.steps(expr, env), MOST_EVALUATED)

    beyond = low.recall(("beyond", id(expr)), find) if env is EMPTY else find()
    return value if beyond is low.build.false else low.build.check(low.build.negate(beyond), value, low.clause)


def limit_menu(low: Lowering, menu: Menu, seat: Value) -> Menu:
    """The menu with when listing its choices may be more work than is allowed. Where it may be for short zones,
    too, that is left to what is charged for each element that is tried."""
    def list_all(reckoning: Reckoning) -> Value:
        offers = (offer for tier in menu.tiers for offer in tier.offers)
        listing = (reckoning.list_choices(offer, seat) for offer in offers)
        return reckoning.sum(*(reckoning.steps(tier.opens, {0: seat}) for tier in menu.tiers), *listing)

    if Reckoning(low, longest=LONG).total_of(list_all).fact.high > MOST_LISTING:
        return menu
    beyond = find_excess(low, list_all, MOST_LISTING)
    return menu if beyond is low.build.false else replace(menu, beyond=beyond)


def find_excess(low: Lowering, steps: Callable[[Reckoning], Value], most: int) -> Value:
    """Whether something may be more work than is allowed: false where facts rule it out, else from the lengths that
    lists have, unless zones are short enough."""
    build, short = low.build, Reckoning(low, longest=LONG)
    if Reckoning(low).total_of(steps).fact.high <= most:
        return build.false
    beyond = is_beyond(low, Reckoning(low, exactly=True).total_of(steps), most)
    if short.total_of(steps).fact.high > most:
        return beyond
    counts = (build.count(low.read_cards(build.number(zone))) for zone in sorted(short.zones))
    return build.both(build.either(*(build.less(build.number(LONG), count) for count in counts)), beyond)


def is_beyond(low: Lowering, total: Value, most: int) -> Value:
    """Whether a total exceeds a limit. It grows with every length it is made of: if that is one only, the length itself
    is compared, with the largest one that is allowed."""
    build, lengths = low.build, list_lengths(total)
    (length,) = lengths if len(lengths) == 1 else (total,)
    sizes = range(length.fact.low, length.fact.high + 1)
    if length is total or length.fact.none or len(sizes) > MOST_SIZES:
        return build.less(build.number(most), total)
    for size in sizes:
        if work_out(total, {length: size}) > most:
            return build.less(build.number(size - 1), length)
    return build.false


def list_lengths(total: Value) -> set[Value]:
    """What a total is made of."""
    seen, left = {total}, [total]
    lengths = set[Value]()
    while left:
        part = left.pop()
        if _grows(part):
            left += [arg for arg in part.args if arg not in seen]
            seen.update(part.args)
        elif part.constant is None:
            lengths.add(part)
    return lengths


def _grows(total: Value) -> bool:
    return total.op in GROWING or (total.op in GROWING_WITH_FIRST and total.args[1].constant is not None)


def work_out(total: Value, known: dict[Value, int]) -> int:
    """A total, with the lengths that it is made of; what is worked out for it is kept with them."""
    if total.constant is not None:
        return total.constant
    if total not in known:
        args = [work_out(arg, known) for arg in total.args]
        match total.op:
            case "add":
                found = sum(args)
            case "multiply":
                found = args[0] * args[1]
            case "divide":
                found = args[0] // args[1]
            case "greatest":
                found = max(args)
            case "least":
                found = min(args)
            case _:
                many, least, most = args
                sizes = range(max(0, least), min(many, most) + 1)
                found = min(MUCH, sum(comb(many, size) for size in sizes))
        known[total] = found
    return known[total]

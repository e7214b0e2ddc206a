"""Static cost model: upper estimates of the work of evaluating expressions.

In: a program. Out: `Work`: estimates of the steps the reference evaluator takes, and the cost charged for each block.

A step is one evaluated node; words that traverse lists take more, see `count_word`. The reference counts actual steps
and is authoritative. Generated code does not count: it charges these estimates, and falls back to the reference near a
limit. The estimates derive from sizes: there are at most as many seats as players, and literal ranges have their
length; the cards of a zone, and lists without a static bound, get an assumed size.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from math import comb
from typing import NamedTuple

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.limits import FEW, MOST_EVALUATED, MOST_UNITS, STEPS_IN_UNIT
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import touches_zones
from hoyle.program.ir.types import Type, certain
from hoyle.program.ir.walk import list_children, walk
from hoyle.program.model.divisions import MOST_DIVIDED
from hoyle.program.words import WORDS, Cost, Op, applies, op_of
from hoyle.program.words.bounds import LONGEST_LIST

ENDLESS = 1 << 62  # infinity, for costs
MOST_LIKELY = 2_000_000_000  # the largest estimate with which code is generated


class Shape(NamedTuple):
    """Abstract value: an upper bound on the length of a list, with the shape of its elements; or on the magnitude of a
    number."""

    size: int = 0
    of: Shape | None = None


PLAIN = Shape()


@dataclass(frozen=True, slots=True)
class Sizes:
    """Assumed sizes: `kept` for lists in states and local names, unless their elements are cards, seats or the like;
    `grouped` for lists of which all groups are formed; `given` for list arguments of definitions; a zone is assumed to
    hold the part 1/`share` of the deck."""

    kept: int
    grouped: int
    given: int
    share: int


USUAL = Sizes(kept=128, grouped=8, given=16, share=6)
LEAST = Sizes(kept=1, grouped=1, given=1, share=1 << 20)
WHOLE = Sizes(kept=128, grouped=8, given=16, share=1)  # all cards in one zone


class Work:
    """Cost estimates for one program."""

    def __init__(self, program: ir.Program, sizes: Sizes = USUAL) -> None:
        self.program = program
        self.sizes = sizes
        self.deck = max(1, len(program.cards))
        self.zone = min(self.deck, max(sizes.given, self.deck // sizes.share))
        self._calls: dict[tuple[int, tuple[Shape, ...]], tuple[int, Shape]] = {}
        self._actions: dict[tuple[int, bool], int] = {}
        self._units: dict[int, int] = {}  # by block
        self._steps_of: dict[int, int] = {}  # by identity of the node
        self._enums = {enum.name: len(enum.values) for enum in program.enums}

    # ---------------------------------------------------------------------------------------------- blocks
    @cached_property
    def units(self) -> tuple[int, ...]:
        """The cost of each block against `MOST_STEPS`."""
        return tuple(map(self.units_of, range(len(self.program.blocks))))

    def units_of(self, block: int) -> int:
        """The cost of one block: one for each instruction and for the terminator, more for expensive ones. Computed on
        demand, because short matches reach few blocks."""
        found = self._units.get(block)
        if found is None:
            nodes = (*self.program.blocks[block].instructions, self.program.blocks[block].end)
            found = self._units[block] = sum(1 + count_units(self.steps_of(each)) for each in nodes)
        return found

    @cached_property
    def guesses(self) -> bool:
        """Whether any block is charged more than its number of instructions."""
        blocks = zip(self.program.blocks, self.units, strict=True)
        return any(units > len(block.instructions) + 1 for block, units in blocks)

    def steps_of(self, node: ir.Instruction | ir.Terminator) -> int:
        """Estimated evaluation steps of an instruction or terminator."""
        found = self._steps_of.get(id(node))
        if found is None:
            found = sum(self.bound(expr, {})[0] for expr in list_children(node))
            if isinstance(node, ir.Instruction):
                found += count_handling(node, self.deck)
            self._steps_of[id(node)] = found
        return found

    @cached_property
    def largest(self) -> int:
        """The largest estimate of any expression in the program; for conditions, of testing one choice."""
        program = self.program
        carried_out = [each for block in program.blocks for each in (*block.instructions, block.end)]
        exprs = [expr for each in carried_out for expr in list_children(each)]
        exprs += [program.winners, *program.column_totals]
        exprs += [expr for expr in (program.struck, program.standing, program.hints) if expr is not None]
        exprs += [program.utility.value] if program.utility is not None else []
        exprs += [tier.when for each in program.decisions for tier in each.tiers if tier.when is not None]
        tests = [(item.where, item.action) for each in program.decisions for tier in each.tiers for item in tier.items]
        bounds = [self.bound(expr, {0: PLAIN})[0] for expr in exprs]
        bounds += [self.bound(test, self._bind_picks(action))[0] for test, action in tests if test is not None]
        for number, action in enumerate(program.actions):
            env = self._bind_picks(number)
            parts = [part for pick in action.picks for part in (pick.source, pick.where, pick.low, pick.high)]
            parts += [part for pick in action.picks for part in (pick.least, pick.most)]
            parts += [*action.possible, *action.allowed]
            bounds += [self.bound(part, env)[0] for part in parts if part is not None]
        return max(bounds)

    def _bind_picks(self, number: int) -> dict[int, Shape]:
        """The shapes of the seat and of the picks of an action, by variable."""
        env = {0: PLAIN}
        for index, pick in enumerate(self.program.actions[number].picks):
            if pick.least is not None:
                continue
            shape = self.bound(pick.source, env)[1]
            env[index + 1] = (shape.of or PLAIN) if pick.low is None else Shape(shape.size, shape.of)
        return env

    # ---------------------------------------------------------------------------------------------- expressions
    def bound(self, expr: ir.Expr, env: dict[int, Shape]) -> tuple[int, Shape]:
        """The estimated steps of an expression, and the shape of its value; `env` has the shapes of variables."""
        steps, shape = self._bound(expr, env)
        return min(steps, ENDLESS), shape

    def _bound(self, expr: ir.Expr, env: dict[int, Shape]) -> tuple[int, Shape]:
        match expr:
            case ir.Const():
                return 1, shape_of_value(expr.value)
            case ir.Var():
                return 1, env.get(expr.index) or self.assume(expr.type)
            case ir.Slot():
                return 1, self.assume(expr.type)
            case ir.StateRef():
                return 1 + self._steps(expr.owner, env), self._shape_of_state(expr)
            case ir.ZoneRef():
                return 1 + self._steps(expr.owner, env), PLAIN
            case ir.Index():
                return 1 + sum(self.bound(part, env)[0] for part in expr.parts), PLAIN
            case ir.Piles():
                size = self.program.zones[expr.zone].size
                return 1 + self._steps(expr.owner, env) + size, PLAIN if expr.new else Shape(size)
            case ir.Attribute():
                values = [abs(value) for value in self.program.attributes[expr.attribute].table if value is not None]
                return 1 + self._steps(expr.card, env), Shape(max(values, default=0))
            case ir.Call():
                return self._bound_call(expr, env)
            case ir.Apply():
                return self._bound_word(expr, env)
            case ir.If():
                parts = [self.bound(part, env) for part in (expr.test, expr.yes, expr.no)]
                return 1 + parts[0][0] + max(parts[1][0], parts[2][0]), join(parts[1][1], parts[2][1])
            case ir.OrElse():
                first, second = self.bound(expr.first, env), self.bound(expr.second, env)
                return 1 + first[0] + second[0], join(first[1], second[1])
            case ir.Logic():
                return 1 + sum(self.bound(part, env)[0] for part in expr.parts), PLAIN
            case ir.Named():
                steps, shape = self.bound(expr.body, env)
                return 1 + steps, shape
            case ir.Those():
                return self._bound_those(expr, env)
            case ir.Division():
                steps, listed = self.bound(expr.source, env)
                size = min(listed.size, MOST_DIVIDED)
                given = [self.bound(part, env) for part in expr.given]
                shapes = dict(zip(expr.by.given, (shape for _, shape in given), strict=True))
                inner = shapes | {0: Shape(size), expr.by.card: PLAIN}
                each = 1 + self._steps(expr.by.where, inner) + self._steps(expr.by.weigh, inner)
                steps += sum(more for more, _ in given)
                return 1 + steps + size * size * each, Shape(size, Shape(size))
            case ir.Quantified():
                steps, listed = self.bound(expr.source, env)
                inner = {**env, expr.var: listed.of or PLAIN}
                return 1 + steps + listed.size * (1 + self.bound(expr.test, inner)[0]), PLAIN
            case ir.CanDo():
                return 1 + self._steps(expr.seat, env) + self.bound_action(expr.action, expr.how == "may"), PLAIN
        return 1, self.assume(expr.type)

    def _steps(self, expr: ir.Expr | None, env: dict[int, Shape]) -> int:
        return 0 if expr is None else self.bound(expr, env)[0]

    def _bound_those(self, expr: ir.Those, env: dict[int, Shape]) -> tuple[int, Shape]:
        steps, listed = self.bound(expr.source, env)
        inner = {**env, expr.var: listed.of or PLAIN}
        each = 1 + self._steps(expr.where, inner) + sum(self._steps(order.key, inner) for order in expr.orders)
        of = listed.of
        if expr.value is not None:
            more, of = self.bound(expr.value, inner)
            each += more
        return 1 + steps + listed.size * each, Shape(listed.size, of)

    def _bound_call(self, expr: ir.Call, env: dict[int, Shape]) -> tuple[int, Shape]:
        given = [self.bound(arg, env) for arg in expr.args]
        shapes = [
            Shape(min(shape.size, self.sizes.given) if is_list(param.type) else round_up(shape.size), shape.of)
            for (_, shape), param in zip(given, self.program.definitions[expr.definition].params, strict=True)
        ]
        key = (expr.definition, tuple(shapes))
        if key not in self._calls:
            body = self.program.definitions[expr.definition].body
            self._calls[key] = self.bound(body, dict(enumerate(key[1])))
        steps, shape = self._calls[key]
        return 1 + sum(steps for steps, _ in given) + steps, shape

    def _bound_word(self, expr: ir.Apply, env: dict[int, Shape]) -> tuple[int, Shape]:
        given = [self.bound(arg, env) for arg in expr.args]
        shapes = [shape for _, shape in given]
        made = self._shape_of_word(expr, shapes)
        lists = 0
        if WORDS[expr.word].cost is not Cost.CONSTANT:
            lists = sum(shape.size for shape, arg in zip(shapes, expr.args, strict=True) if is_list(arg.type))
        through = count_word(lists, made.size if is_list(expr.type) else 0)
        return 1 + sum(steps for steps, _ in given) + through, made

    def _shape_of_word(self, expr: ir.Apply, shapes: list[Shape]) -> Shape:
        match op_of(expr):
            case Op.CARDS:
                return Shape(self.zone)
            case Op.SEATS | Op.AROUND:
                return Shape(self.program.players)
            case Op.SPAN:
                sizes = [arg.value for arg in expr.args if isinstance(arg, ir.Const) and isinstance(arg.value, int)]
                size = sizes[1] - sizes[0] + 1 if len(sizes) == 2 else shapes[0].size + shapes[1].size + 1
                return Shape(max(0, min(size, LONGEST_LIST)), Shape(max(shape.size for shape in shapes)))
            case Op.JOIN:
                return Shape(min(shapes[0].size + shapes[1].size, LONGEST_LIST), join(*shapes).of)
            case Op.LIST:
                return Shape(len(shapes), joined(shapes) if shapes else None)
            case Op.SUBSETS:
                size = min(shapes[0].size, self.sizes.grouped)
                return Shape((1 << size) - 1, Shape(size, shapes[0].of))
            case Op.PAIRS:
                size = shapes[0].size * max(0, shapes[0].size - 1) // 2
                return Shape(min(size, LONGEST_LIST), Shape(2, shapes[0].of))
            case Op.TAILS:
                return Shape(shapes[0].size, shapes[0])
            case Op.COUNT | Op.SIZE | Op.PLACE:
                return Shape(shapes[0].size if applies(expr, Op.COUNT) else self.deck)
            case Op.SUM:
                each = (shapes[0].of or PLAIN).size
                return Shape(min(shapes[0].size * (each or LONGEST_LIST), LONGEST_LIST))
            case Op.ADD | Op.SUBTRACT:
                return Shape(min(shapes[0].size + shapes[1].size, LONGEST_LIST))
            case Op.DIVIDE | Op.MODULO:
                return shapes[0]
            case Op.HIGHEST | Op.LOWEST | Op.FIRST | Op.LAST | Op.ELEMENT:
                return shapes[0].of or self.assume(expr.type)
        if is_list(expr.type):
            listed = [shape for shape, arg in zip(shapes, expr.args, strict=True) if is_list(arg.type)]
            return listed[0] if listed else self.assume(expr.type)
        return self.assume(expr.type)

    def _shape_of_state(self, expr: ir.StateRef) -> Shape:
        state = self.program.states[expr.state]
        if certain(state.type).kind == "number" and state.low is not None and state.high is not None:
            return Shape(max(abs(state.low), abs(state.high)))
        assumed = self.assume(expr.type)
        return assumed if state.most is None else Shape(state.most, assumed.of)

    def assume(self, kind: Type) -> Shape:
        """The shape of a value of which only the type is known."""
        kind = certain(kind)
        if kind.kind == "list" and kind.of is not None:
            element = certain(kind.of)
            sizes = {"card": self.zone, "seat": self.program.players, "enum": self._enums.get(element.name, 1)}
            return Shape(sizes.get(element.kind, self.sizes.kept), self.assume(element) if is_list(element) else None)
        return Shape(LONGEST_LIST) if kind.kind == "number" else PLAIN

    # ---------------------------------------------------------------------------------------------- choices
    def bound_action(self, number: int, allowed: bool) -> int:
        """The estimated steps of listing the choices of an action."""
        if (number, allowed) not in self._actions:
            self._actions[number, allowed] = ENDLESS  # guards the recursion; the checker rejects cyclic actions
            self._actions[number, allowed] = self._bound_action(self.program.actions[number], allowed)
        return self._actions[number, allowed]

    def _bound_action(self, action: ir.Action, allowed: bool) -> int:
        env, ways, steps = self._bind_picks(self.program.actions.index(action)), 1, 1
        for pick in action.picks:
            if pick.least is not None:
                steps += ways * sum(self._steps(part, env) for part in (pick.least, pick.most))
                continue
            listed, shape = self.bound(pick.source, env)
            few = sum(self._steps(part, env) for part in (pick.low, pick.high))
            steps += ways * (listed + few + shape.size * (1 + self._steps(pick.where, env)))
            picked = max(1, shape.size) if pick.low is None else count_groups(shape.size, pick.high)
            ways = min(ways * picked, ENDLESS)
        tests = (*action.possible, *action.allowed) if allowed else action.possible
        return min(steps + ways * sum(self.bound(test, env)[0] for test in tests), ENDLESS)


    def charge_group(self, tests: Iterable[ir.Expr], place: int) -> tuple[int, int]:
        """The steps charged for testing an element, which is the variable at `place`: and more for each of a group."""
        none, one = (sum(self._steps(test, {place: Shape(size)}) for test in tests) for size in (0, 1))
        return min(none, MOST_LIKELY), min(one - none, MOST_LIKELY)


def is_too_much(program: ir.Program) -> bool:
    """Whether an expression probably exceeds the evaluation limit, so that the reference has to count its steps.
    Programs with long literal ranges are estimated with whole-deck zones: iterating a range for each of many cards
    exceeds the limit quickly."""
    if Work(program).largest > MOST_LIKELY or Work(program, LEAST).largest > MOST_EVALUATED:
        return True
    return has_long_range(program) and Work(program, WHOLE).largest > MOST_EVALUATED


def has_long_range(program: ir.Program) -> bool:
    """Whether the rules contain a very long literal range."""
    spans = (node for node in walk(program) if isinstance(node, ir.Apply) and applies(node, Op.SPAN))
    written = ([arg.value for arg in span.args if isinstance(arg, ir.Const)] for span in spans)
    return any(
        isinstance(low, int) and isinstance(high, int) and high - low > FEW
        for low, high in (ends for ends in written if len(ends) == 2)
    )


def count_groups(size: int, high: ir.Expr | None) -> int:
    """How many groups can be picked from a list: all, or those of at most so many."""
    most = high.value if isinstance(high, ir.Const) and isinstance(high.value, int) else size
    return 1 << min(size, 62) if most >= size or size > FEW else sum(comb(size, picked) for picked in range(most + 1))


def count_units(steps: int) -> int:
    """Evaluation steps converted to units of `MOST_STEPS`."""
    return min(steps // STEPS_IN_UNIT, MOST_UNITS)


def count_word(through: int, made: int) -> int:
    """Extra steps charged for a word that traverses and produces so many list elements."""
    return through // 8 + made // 2


def count_handling(instruction: ir.Instruction, deck: int) -> int:
    """Extra steps charged for an instruction that moves cards; zero for decks of up to 64 cards."""
    if not touches_zones(instruction):
        return 0
    return max(0, deck - 64) * (2 if isinstance(instruction, ir.Shuffle) else 1)


def round_up(size: int) -> int:
    """The size rounded up to a power of two: calls with similar sizes share one cached estimate."""
    return 1 << (size - 1).bit_length() if size > 1 else size


def is_list(kind: Type) -> bool:
    return certain(kind).kind == "list"


@lru_cache(maxsize=1 << 12)  # the same constant lists of cards occur in many expressions
def shape_of_value(value: object) -> Shape:
    if isinstance(value, tuple):
        return Shape(len(value), joined([shape_of_value(part) for part in value]) if value else None)
    return Shape(min(abs(value), LONGEST_LIST)) if isinstance(value, int) else PLAIN


def join(first: Shape, second: Shape) -> Shape:
    """The join of two shapes: an upper bound of both."""
    if first == second or second == PLAIN:
        return first
    of = first.of if second.of is None else second.of if first.of is None else join(first.of, second.of)
    return Shape(max(first.size, second.size), of)


def joined(shapes: list[Shape]) -> Shape:
    found = shapes[0]
    for shape in shapes[1:]:
        found = join(found, shape)
    return found

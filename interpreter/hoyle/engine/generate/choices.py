"""Code for what a seat may choose: loops over the picks of every action offered.

In: decisions and actions. Out: functions that list the same choices in the same order as the reference, or say whether
there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from hoyle.engine.generate.module import Function, Module
from hoyle.engine.generate.nodes import Lookup
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import COMPARE, Code, Writer, atom, comment
from hoyle.engine.legality import Tests, sort_by_depth
from hoyle.engine.limits import MOST_CHOICES
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT, TRUTH, Type, certain, list_of
from hoyle.ir.walk import list_variables, walk_expression

Sink = Callable[[str], None]


class Choices:
    """Writes the choices of actions into one function."""

    def __init__(self, module: Module, values: Values, seat: Code) -> None:
        self.module = module
        self.values = values
        self.writer = values.writer
        self.seat = seat
        self.seat_var = module.simplifier.fresh()
        values.names[self.seat_var] = seat
        self._envs: list[dict[int, ir.Expr]] = []  # kept, so that no other takes the place of one
        self._simple: dict[tuple[int, int], ir.Expr] = {}
        self.copies = len({card.face for card in module.program.cards}) < len(module.program.cards)

    # ---------------------------------------------------------------------------------------------- actions
    def list_action(self, number: int, *, allowed: bool, where: ir.Expr | None, sink: Sink) -> None:
        """Loops over the picks; `sink` is given the code of each choice."""
        action = self.module.program.actions[number]
        env = self.seat_env()
        for depth, pick in enumerate(action.picks):
            var = self.module.simplifier.fresh()
            env[depth + 1] = ir.Var(type=element_type(pick), index=var)
        tests = (*action.possible, *(action.allowed if allowed else ()))
        self._bind(number, 0, sort_by_depth(tests, len(action.picks)), where, env, sink)

    def _simplify(self, expr: ir.Expr, env: dict[int, ir.Expr]) -> ir.Expr:
        """The expression made simple, once, so that what is shared of it is found again."""
        key = (id(expr), id(env))
        if key not in self._simple:
            self._simple[key] = self.module.simplifier.simplify(expr, env)
        return self._simple[key]

    def seat_env(self) -> dict[int, ir.Expr]:
        """A frame with nothing but the seat."""
        env: dict[int, ir.Expr] = {0: ir.Var(type=SEAT, index=self.seat_var)}
        self._envs.append(env)
        return env

    def know_possible(self, number: int, code: str) -> None:
        """An action has been listed: whether the seat may do it need not be found out again."""
        seat = ir.Var(type=SEAT, index=self.seat_var)
        asked = ir.CanDo(type=TRUTH, action=number, seat=seat, how="may")
        self.values.shared[asked] = self.values.name(Code(code, COMPARE), "may")

    def _bind(
        self, number: int, depth: int, tests: Tests, where: ir.Expr | None, env: dict[int, ir.Expr], sink: Sink
    ) -> None:
        """The picks from `depth` on, those before it being bound."""
        picks = self.module.program.actions[number].picks
        last = depth == len(picks)
        with self.only_if(tests[depth], env), self.only_if((where,) if last and where is not None else (), env):
            if last:
                inner = ", ".join([str(number), *(self.values.value(env[i + 1]).text for i in range(depth))])
                sink(f"({inner},)" if depth == 0 else f"({inner})")
                return
            later = [test for level in tests[depth + 1 :] for test in level]
            self._pick(picks[depth], depth, later, env, lambda: self._bind(number, depth + 1, tests, where, env, sink))

    @contextmanager
    def only_if(self, tests: tuple[ir.Expr, ...], env: dict[int, ir.Expr]) -> Iterator[None]:
        """What is written meanwhile is done only if all tests hold."""
        test = self.module.simplifier.join_all([self._simplify(test, env) for test in tests])
        if isinstance(test, ir.Const) and test.value:
            yield
            return
        self.writer.add(f"if {self.values.test(test).text}:")
        with self.values.scope(), self.writer.indented():
            yield

    # ---------------------------------------------------------------------------------------------- picks
    def _pick(
        self, pick: ir.Pick, depth: int, later: list[ir.Expr], env: dict[int, ir.Expr], inner: Callable[[], None]
    ) -> None:
        var = env[depth + 1]
        assert isinstance(var, ir.Var)
        if pick.least is not None:
            self._pick_number(pick, var, env, inner)
            return
        source = self._simplify(pick.source, env)
        where = None if pick.where is None else self._simplify(pick.where, env)
        if pick.low is not None:
            self._pick_group(pick, source, where, var, env, inner)
            return
        if isinstance(source, ir.Apply) and source.word == "cards":
            self.values.share(source)
        sequence = self.values.each(source)
        early = [self._simplify(test, env) for test in later if self._is_ready(test, env, depth)]
        self.values.hoist((where, *early), var.index)
        unique = is_unique(source)
        key = self._key(pick, source)
        passing = self._list_passing(where, var)
        if passing is not None:
            self.values.known[var.index] = passing
        cards = self.module.program.cards
        faces = None if key is None or passing is None else [cards[card].face for card in passing]
        if faces is not None and len(set(faces)) == len(faces):
            key = None  # no two of the candidates can be alike
        only_one = key is not None and unique and faces is not None and len(set(faces)) == 1
        seen = ""
        if not only_one and (key is not None or not unique):
            seen = self.writer.fresh("seen")
            self.writer.add(f"{seen} = set()")
        with self.values.loop(var.index, sequence, source, where, *early) as element:
            if where is not None:
                self.writer.add(f"if {self.values.test(where).text}:")
                self.writer.depth += 1
            if seen:
                code = element if key is None else key(element)
                found = self.values.name(Code(code, 0)) if key is not None else atom(element)
                self.writer.add(f"if {found.text} not in {seen}:")
                self.writer.depth += 1
                self.writer.add(f"{seen}.add({found.text})")
            inner()
            if only_one:
                self.writer.add("break")
            self.writer.depth -= (where is not None) + bool(seen)

    def _is_ready(self, test: ir.Expr, env: dict[int, ir.Expr], depth: int) -> bool:
        """Whether a test of a later level reads only what is bound now or in this loop."""
        picks = len(env) - 1
        return all(i <= depth + 1 or i > picks for i in list_variables(test))

    def _key(self, pick: ir.Pick, source: ir.Expr) -> Callable[[str], str] | None:
        """What makes cards the same choice; None where each is its own."""
        kind = certain(pick.type)
        if not self.copies or kind.kind not in ("card", "list") or (kind.kind == "list" and pick.low is None):
            return None
        faces = self.module.table(tuple(card.face for card in self.module.program.cards), "faces of the cards")
        if lies_in_one_zone(source):
            return lambda card: f"{faces}[{card}]"
        return lambda card: f"(find_zone(zones, {card}), {faces}[{card}])"

    def _list_passing(self, where: ir.Expr | None, var: ir.Var) -> list[int] | None:
        """The values that can be candidates, where a table says so."""
        negated = isinstance(where, ir.Logic) and where.op == "not"
        test = where.parts[0] if negated and isinstance(where, ir.Logic) else where
        if not isinstance(test, Lookup) or test.index != var:
            return None
        return [value for value, holds in enumerate(test.table) if bool(holds) != negated]

    def _pick_number(self, pick: ir.Pick, var: ir.Var, env: dict[int, ir.Expr], inner: Callable[[], None]) -> None:
        """A number parameter is offered as the range it may be taken from."""
        assert pick.least is not None and pick.most is not None
        least = self.values.need(self._simplify(pick.least, env))
        most = self.values.need(self._simplify(pick.most, env))
        numbers = self.writer.fresh("numbers")
        self.writer.add(f"{numbers} = range({least.text}, {most.text} + 1)")
        self.values.names[var.index] = atom(numbers)
        self.writer.add(f"if {numbers}:")
        with self.values.scope(), self.writer.indented():
            inner()

    def _pick_group(
        self,
        pick: ir.Pick,
        source: ir.Expr,
        where: ir.Expr | None,
        var: ir.Var,
        env: dict[int, ir.Expr],
        inner: Callable[[], None],
    ) -> None:
        assert pick.low is not None
        sequence = self.values.each(source)
        if where is not None:
            kept = self.writer.fresh("kept")
            self.values.hoist((where,), var.index)
            self.writer.add(f"{kept} = []")
            with self.values.loop(var.index, sequence) as element:
                self.writer.add(f"if {self.values.test(where).text}:")
                with self.writer.indented():
                    self.writer.add(f"{kept}.append({element})")
            sequence = atom(kept)
        if not is_unique(source):
            sequence = atom(f"[*dict.fromkeys({sequence.text})]")
        sequence = self.values.name(sequence, "kept")
        low = self.values.name(self.values.need(self._simplify(pick.low, env)))
        high = low if pick.high is None else self.values.name(self.values.need(self._simplify(pick.high, env)))
        key = self._key(pick, source)
        size = self.writer.fresh("size")
        groups = f"combinations({sequence.text}, {size})"
        if key is not None:
            keys = self.writer.fresh("keys")
            self.writer.add(f"{keys} = [{key('x')} for x in {sequence.text}]")
            groups = f"group_cards({sequence.text}, {keys}, {size})"
        first = low.text if low.text.isdecimal() else f"max({low.text}, 0)"
        self.writer.add(f"for {size} in range({first}, min({high.text}, len({sequence.text})) + 1):")
        with self.writer.indented(), self.values.loop(var.index, atom(groups)):
            inner()


def element_type(pick: ir.Pick) -> Type:
    """The type of what is picked: a list where several are picked together."""
    kind = certain(pick.type)
    return list_of(kind) if pick.low is not None and kind.kind != "list" else kind


def is_unique(source: ir.Expr) -> bool:
    """Whether a list holds nothing twice."""
    if isinstance(source, ir.Const):
        return source.value is None or len(set(source.value)) == len(source.value)
    if isinstance(source, ir.Those):
        return source.value is None and is_unique(source.source)
    if isinstance(source, ir.Apply):
        if source.word in ("last_few", "first_few", "all_but_last", "all_but_first"):
            return is_unique(source.args[1])
        if source.word in ("without", "descending", "around"):
            return is_unique(source.args[0])
        return source.word in ("cards", "distinct", "seats", "span")
    return False


def lies_in_one_zone(source: ir.Expr) -> bool:
    """Whether the cards of a list all lie in one zone."""
    if isinstance(source, ir.Those):
        return source.value is None and lies_in_one_zone(source.source)
    if isinstance(source, ir.Apply):
        if source.word in ("last_few", "first_few", "all_but_last", "all_but_first"):
            return lies_in_one_zone(source.args[1])
        if source.word in ("without", "descending"):
            return lies_in_one_zone(source.args[0])
        return source.word == "cards"
    return False


def write_can_do(module: Module, action: int, allowed: bool, name: str) -> None:
    """A function that says whether a seat has a choice of an action."""
    writer = Writer()
    choices = Choices(module, Values(module, writer), atom("seat"))

    def answer(choice: str) -> None:
        writer.add("return True")

    choices.list_action(action, allowed=allowed, where=None, sink=answer)
    writer.add("return False")
    how = "allowed" if allowed else "possible"
    about = f"whether {module.program.actions[action].name} is {how}"
    module.add(Function(name, f"{name}(position, seat)", about, writer.lines))


def write_decision(module: Module, block: int, decide: ir.Decide) -> str:
    """A function that lists the legal choices at a block that stops to decide."""
    decision = module.program.decisions[decide.decision]
    writer = Writer()
    values = Values(module, writer)
    seat = values.name(values.value(module.simplifier.simplify(decide.seat)), "seat")
    values.stop_if(f"not 0 <= {seat.text} < {module.program.players}")
    choices = Choices(module, values, seat)
    if module.program.called:
        _write_possible(module, choices, decision)
    else:
        for tier in decision.tiers:
            _write_tier(module, choices, decision, tier)
    writer.add("return [()]" if decision.optional else "raise Stop")
    name = f"legal_{block}"
    module.add(Function(name, f"{name}(position)", f"what may be chosen at {decision.name}", writer.lines))
    return name


def _write_possible(module: Module, choices: Choices, decision: ir.Decision) -> None:
    """Everything possible, allowed or not: where errors are called, nothing else is asked."""
    writer = choices.writer
    found = writer.fresh("legal")
    writer.add(f"{found} = []")
    for number in dict.fromkeys(item.action for tier in decision.tiers for item in tier.items):
        action = module.program.actions[number]
        writer.add(comment(action.name))
        sink = _make_sink(choices.values, found, again=False, many=can_be_many(action, len(module.program.cards)))
        choices.list_action(number, allowed=False, where=None, sink=sink)
    writer.add(f"if {found}:")
    with writer.indented():
        if decision.optional:
            writer.add(f"{found}.append(())")
        writer.add(f"return {found}")


def _write_tier(module: Module, choices: Choices, decision: ir.Decision, tier: ir.Tier) -> None:
    """The choices of a tier; if there are any they are what is legal."""
    writer = choices.writer
    writer.add(comment(f"tier {tier.name}"))
    env = choices.seat_env()
    with choices.only_if((tier.when,) if tier.when is not None else (), env):
        found = writer.fresh("legal")
        writer.add(f"{found} = []")
        actions = [item.action for item in tier.items]
        for item in tier.items:
            action = module.program.actions[item.action]
            writer.add(comment(action.name))
            many = can_be_many(action, len(module.program.cards))
            sink = _make_sink(choices.values, found, again=actions.count(item.action) > 1, many=many)
            before = writer.fresh("before") if item is not tier.items[0] else ""
            asked = item.where is None and _asks_again(module.program, decision, item.action)
            if asked and before:
                writer.add(f"{before} = len({found})")
            choices.list_action(item.action, allowed=True, where=item.where, sink=sink)
            if asked:
                choices.know_possible(item.action, f"len({found}) > {before}" if before else f"{found} != []")
        writer.add(f"if {found}:")
        with writer.indented():
            if decision.optional:
                writer.add(f"{found}.append(())")
            writer.add(f"return {found}")


def _asks_again(program: ir.Program, decision: ir.Decision, action: int) -> bool:
    """Whether a condition of what is offered asks if the action may be done."""
    offered = {item.action for tier in decision.tiers for item in tier.items}
    tests = [test for each in offered for test in (*program.actions[each].possible, *program.actions[each].allowed)]
    return any(
        isinstance(node, ir.CanDo) and node.action == action and node.how == "may"
        for test in tests
        for node in walk_expression(test)
    )


@contextmanager
def only_new(writer: Writer, choice: str, found: str) -> Iterator[None]:
    writer.add(f"if {choice} not in {found}:")
    with writer.indented():
        yield


def _make_sink(values: Values, found: str, *, again: bool, many: bool) -> Sink:
    """How a choice joins the list: `again` if the action is offered twice, `many` if there may be too many."""

    def add(choice: str) -> None:
        writer = values.writer
        with only_new(writer, choice, found) if again else nullcontext():
            writer.add(f"{found}.append({choice})")
            if many:
                values.stop_if(f"len({found}) > {MOST_CHOICES}")

    return add


def can_be_many(action: ir.Action, cards: int) -> bool:
    """Whether the choices of an action could be more than are offered at most."""
    bound = 1
    for pick in action.picks:
        if pick.low is not None:
            return True
        if pick.least is not None:
            continue
        known = isinstance(pick.source, ir.Const)
        bound *= len(pick.source.value or ()) if known and isinstance(pick.source, ir.Const) else max(cards, 100)
    loose = [pick for pick in action.picks if pick.least is None]
    return bound > MOST_CHOICES or any(certain(pick.type).kind in ("number", "list") for pick in loose)

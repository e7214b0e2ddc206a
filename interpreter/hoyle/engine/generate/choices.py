"""Code for what a seat may choose: loops over the picks of every action offered.

In: actions. Out: loops that come upon the same choices in the same order as the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from hoyle.engine.generate.facts import free_vars
from hoyle.engine.generate.grouping import grow_groups_in_place
from hoyle.engine.generate.loops import loop
from hoyle.engine.generate.module import Module
from hoyle.engine.generate.nodes import Lookup
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import COMPARE, Code, atom
from hoyle.engine.legality import Tests, sort_by_depth
from hoyle.engine.limits import MOST_CHOICES, MOST_EVALUATED, MOST_NUMBERS
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT, TRUTH, Type, certain, list_of
from hoyle.ir.walk import list_variables
from hoyle.words import WORDS, Op, Unique, applies


class Sink(Protocol):
    """Where choices go."""

    def add(self, choice: str) -> None:
        """Write what is done with a choice."""

    def add_picks(self, number: int, picks: list[str]) -> None:
        """Write what is done with a choice of an action and these picks."""

    def add_groups(self, number: int, picks: list[str], groups: str) -> None:
        """Write what is done with all choices of an action, these picks and one of several groups."""

    def check(self) -> None:
        """Write what is done when the last picks have been run through."""


def write_choice(number: int, picks: list[str]) -> str:
    """A choice, spelt out."""
    return f"({', '.join([str(number), *picks])})" if picks else f"({number},)"


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
        self._tried = ""  # the name of what counts candidates, where there can be very many
        self._late: dict[ir.Expr, str] = {}  # lists worked out when they are needed, by names
        self._allowed = True  # whether what is listed must be allowed, too
        self.copies = len({card.face for card in module.program.cards}) < len(module.program.cards)

    # ---------------------------------------------------------------------------------------------- actions
    def list_action(self, number: int, *, allowed: bool, where: ir.Expr | None, sink: Sink) -> None:
        """Loops over the picks; the sink is given the code of each choice."""
        action = self.module.program.actions[number]
        env = self.seat_env()
        for depth, pick in enumerate(action.picks):
            var = self.module.simplifier.fresh()
            env[depth + 1] = ir.Var(type=element_type(pick), index=var)
        tests = (*action.possible, *(action.allowed if allowed else ()))
        self._allowed = allowed
        self._share_sources(action, env)
        self._tried = ""
        if self.module.work.bound_action(number, allowed) > MOST_EVALUATED:
            self._tried = self.writer.fresh("tried")
            self.writer.add(f"{self._tried} = 0")
        self._bind(number, 0, sort_by_depth(tests, len(action.picks)), where, env, sink)

    def _share_sources(self, action: ir.Action, env: dict[int, ir.Expr]) -> None:
        """Work out once what the later picks are taken from, where the earlier do not matter: cards of a zone before
        the first loop, and what takes longer as soon as it is needed, which it often never is."""
        self._late = {}
        picks = {var.index for place, var in env.items() if place and isinstance(var, ir.Var)}
        for pick in action.picks[1:]:
            if pick.least is None:
                source = self._simplify(pick.source, env)
                if isinstance(source, ir.Const) or free_vars(source) & picks or source in self.values.shared_each:
                    continue
                if applies(source, Op.CARDS):
                    self.values.share_each(source)
                else:
                    self._late[source] = self.writer.fresh("listed")
                    self.writer.add(f"{self._late[source]} = None")

    def _list_source(self, source: ir.Expr) -> Code:
        """What a pick is taken from, worked out once if need be."""
        late = self._late.get(source)
        if late is not None and source not in self.values.shared_each:
            self.writer.add(f"if {late} is None:")
            with self.values.scope(), self.writer.indented():
                self.writer.add(f"{late} = {self.values.each(source).text}")
            self.values.shared_each[source] = atom(late)
        return self.values.each(source)

    def filter_choices(self, number: int, choice: str, where: ir.Expr, sink: Sink) -> None:
        """A choice made before, if it meets a condition."""
        env = self.seat_env()
        for depth, pick in enumerate(self.module.program.actions[number].picks):
            var = self.module.simplifier.fresh()
            env[depth + 1] = ir.Var(type=element_type(pick), index=var)
            self.values.names[var] = atom(f"{choice}[{depth + 1}]")
        with self.only_if((where,), env):
            sink.add(choice)

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
        asked = ir.CanDo(type=TRUTH, action=number, seat=ir.Var(type=SEAT, index=0), how="may")
        known = self.values.name(Code(code, COMPARE), "may")
        self.values.shared[self.module.simplifier.simplify(asked, self.seat_env())] = known

    def _bind(
        self, number: int, depth: int, tests: Tests, where: ir.Expr | None, env: dict[int, ir.Expr], sink: Sink
    ) -> None:
        """The picks from `depth` on, those before it being bound."""
        picks = self.module.program.actions[number].picks
        last = depth == len(picks)
        with self.only_if(tests[depth], env), self.only_if((where,) if last and where is not None else (), env):
            # Whatever is picked last is a choice: then there are too many where there are too many candidates.
            free = where is None and not tests[-1]
            if last:
                sink.add_picks(number, [self.values.value(env[i + 1]).text for i in range(depth)])
                if picks and picks[-1].low is not None and not free:
                    sink.check()
                return
            pick, is_last = picks[depth], depth + 1 == len(picks)
            go_on = partial(self._bind, number, depth + 1, tests, where, env, sink)
            if pick.low is not None:
                bundle: Callable[[str], None] | None = None
                if free and is_last:
                    picked = [self.values.value(env[i + 1]).text for i in range(depth)]
                    bundle = partial(sink.add_groups, number, picked)
                self._pick_group(pick, env, env[depth + 1], tests[depth + 1], go_on, bundle)
            else:
                later = [test for level in tests[depth + 1 :] for test in level]
                self._pick(pick, depth, later, env, go_on)
            if is_last:
                sink.check()

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
        if applies(source, Op.CARDS):
            self.values.share(source)
        sequence = self._list_source(source)
        early = [self._simplify(test, env) for test in later if self._is_ready(test, env, depth)]
        self.values.hoist((where, *early), var.index)
        unique = is_unique(source)
        key = None if unique and not self.copies else self._key(pick, source)
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
            by_face = key is not None and not lies_in_one_zone(source)
            self.writer.add(f"{seen} = {{}}" if by_face else f"{seen} = set()")
        with loop(self.values, var.index, sequence, source, where, *early) as element:
            if where is not None:
                self.writer.add(f"if {self.values.test(where).text}:")
                self.writer.depth += 1
            if seen:
                self.writer.add(self._is_new(seen, element, key, lies_in_one_zone(source)))
                self.writer.depth += 1
            self._count_tried()
            inner()
            if only_one:
                self.writer.add("break")
            self.writer.depth -= (where is not None) + bool(seen)

    def _is_ready(self, test: ir.Expr, env: dict[int, ir.Expr], depth: int) -> bool:
        """Whether a test of a later level reads only what is bound now or in this loop."""
        picks = len(env) - 1
        return all(i <= depth + 1 or i > picks for i in list_variables(test))

    def _is_new(self, seen: str, element: str, key: Callable[[str], str] | None, one_zone: bool) -> str:
        """The test that a candidate is none that has been before; it is one then."""
        if key is None:
            return f"if {element} not in {seen} and not {seen}.add({element}):"
        if one_zone:
            return f"if is_new({seen}, {key(element)}):"
        return f"if is_new_there(zones, {seen}, {self._faces()}[{element}], {element}):"

    def _faces(self) -> str:
        return self.module.table(tuple(card.face for card in self.module.program.cards), "faces of the cards")

    def _key(self, pick: ir.Pick, source: ir.Expr) -> Callable[[str], str] | None:
        """What makes cards the same choice; None where each is its own."""
        kind = certain(pick.type)
        if not self.copies or kind.kind not in ("card", "list") or (kind.kind == "list" and pick.low is None):
            return None
        faces = self._faces()
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
        self.values.stop_if(f"{most.text} - {least.text} >= {MOST_NUMBERS}")
        self.writer.add(f"{numbers} = range({least.text}, {most.text} + 1)")
        self.values.names[var.index] = atom(numbers)
        self.writer.add(f"if {numbers}:")
        with self.values.scope(), self.writer.indented():
            inner()

    def _pick_group(
        self,
        pick: ir.Pick,
        env: dict[int, ir.Expr],
        var: ir.Expr,
        tests: tuple[ir.Expr, ...],
        inner: Callable[[], None],
        bundle: Callable[[str], None] | None,
    ) -> None:
        """Several cards together; `tests`: what is asked of them then; `bundle`: what is done with all groups as one,
        where nothing is asked of them."""
        assert pick.low is not None and isinstance(var, ir.Var)
        source = self._simplify(pick.source, env)
        where = None if pick.where is None else self._simplify(pick.where, env)
        sequence = self._list_source(source)
        if where is not None:
            kept = self.writer.fresh("kept")
            self.values.hoist((where,), var.index)
            self.writer.add(f"{kept} = []")
            with loop(self.values, var.index, sequence) as element:
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
        keys = "None"
        if key is not None:
            keys = self.writer.fresh("keys")
            self.writer.add(f"{keys} = [{key('x')} for x in {sequence.text}]")
        keeps = [test for test in (pick.keeps, pick.keeps_allowed if self._allowed else None) if test is not None]
        if keeps:
            growing = tuple(self._simplify(test, env) for test in keeps)
            complete = tuple(self._simplify(test, env) for test in tests)
            finder = None
            if key is None and low.text.isdecimal() and int(low.text) >= LEAST_FOUND:
                finder = self.module.group_finder(growing, complete, var)
            if finder is None:
                grow_groups_in_place(self.values, var, sequence.text, keys, (low.text, high.text), growing, inner)
                return
            with loop(self.values, var.index, atom(f"{finder}({sequence.text}, {low.text}, {high.text})")):
                inner()
            return
        one_size = key is None and low.text == high.text and low.text.isdecimal()
        if bundle is not None and not one_size:
            bundle(f"Groups({sequence.text}, {keys}, {low.text}, {high.text})")
            return
        size = low.text if one_size else self.writer.fresh("size")
        groups = f"combinations({sequence.text}, {size})"
        if key is not None:
            groups = f"group_cards({sequence.text}, {keys}, {size})"
        if bundle is not None:
            groups = f"islice({groups}, {MOST_CHOICES + 1})"
        if not one_size:
            first = low.text if low.text.isdecimal() else f"max({low.text}, 0)"
            self.writer.add(f"for {size} in range({first}, min({high.text}, len({sequence.text})) + 1):")
            self.writer.depth += 1
        with loop(self.values, var.index, atom(groups)):
            self._count_tried()
            inner()
        self.writer.depth -= not one_size

    def _count_tried(self) -> None:
        """Of very many candidates, the reference says whether they are too much work."""
        if self._tried:
            self.writer.add(f"{self._tried} += 1")
            self.values.stop_if(f"{self._tried} > {MOST_TRIED}")


MOST_TRIED = 40_000
LEAST_FOUND = 3  # cards of groups that are found by a survey; smaller ones are put together as quickly


def element_type(pick: ir.Pick) -> Type:
    """The type of what is picked: a list where several are picked together."""
    kind = certain(pick.type)
    return list_of(kind) if pick.low is not None and kind.kind != "list" else kind


def is_unique(source: ir.Expr) -> bool:
    """Whether a list holds nothing twice."""
    if isinstance(source, ir.Const):
        return len(set(source.elements)) == len(source.elements)
    if isinstance(source, ir.Those):
        return source.value is None and is_unique(source.source)
    if isinstance(source, ir.Piles):
        return source.owner is None or source.owner.type.kind == "seat"
    if isinstance(source, ir.Apply):
        word = WORDS[source.word]
        if word.unique is Unique.IF_GIVEN:
            return all(is_unique(arg) for number, arg in enumerate(source.args) if word.keeps_argument(number))
        return word.unique is Unique.ALWAYS or (applies(source, Op.JOIN) and _are_piles_and_a_new_one(*source.args))
    if isinstance(source, Lookup):
        return all(len(set(row)) == len(row) for row in source.table if isinstance(row, tuple))
    return False


def _are_piles_and_a_new_one(first: ir.Expr, second: ir.Expr) -> bool:
    """Whether a list is the piles of a family and the place of a new one, which is none of them."""
    if not applies(second, Op.LIST) or len(second.args) != 1:
        return False
    new = second.args[0]
    if not isinstance(first, ir.Piles) or not isinstance(new, ir.Piles):
        return False
    return is_unique(first) and not first.new and new.new and (first.zone, first.owner) == (new.zone, new.owner)


def lies_in_one_zone(source: ir.Expr) -> bool:
    """Whether the cards of a list all lie in one zone."""
    if isinstance(source, ir.Those):
        return source.value is None and lies_in_one_zone(source.source)
    if isinstance(source, ir.Apply):
        kept = find_kept_list(source)
        return applies(source, Op.CARDS) or (kept is not None and lies_in_one_zone(kept))
    return False


def find_kept_list(expr: ir.Apply) -> ir.Expr | None:
    """The one list whose elements are all that is in the list a word gives."""
    word = WORDS[expr.word]
    kept = [number for number in range(len(expr.args)) if word.keeps_argument(number)]
    if word.gives.kind != "list" or len(kept) != 1 or kept[0] >= len(word.takes):
        return None  # a word that takes any number of arguments keeps no one list
    if word.takes[kept[0]] != word.gives:
        return None
    return expr.args[kept[0]]


def can_be_many(action: ir.Action, cards: int) -> bool:
    """Whether the choices of an action could be more than are offered at most."""
    bound = 1
    for pick in action.picks:
        if pick.low is not None:
            return True
        if pick.least is not None:
            continue
        bound *= len(pick.source.elements) if isinstance(pick.source, ir.Const) else max(cards, 100)
    loose = [pick for pick in action.picks if pick.least is None]
    return bound > MOST_CHOICES or any(certain(pick.type).kind in ("number", "list") for pick in loose)

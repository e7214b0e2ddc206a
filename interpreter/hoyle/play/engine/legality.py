"""Legality: the choices of a seat at a decision.

In: a decision or an action, a seat, a position. Out: choices `(action, pick, …)` in a stable order; `()` declines. A
number parameter, always the last pick, appears as the `range` of its values.

Domains are evaluated in order with earlier picks bound. Each condition is tested as soon as the picks it reads are
bound; this prunes the search without changing the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from hoyle.play.engine.faults import Fault
from hoyle.play.engine.limits import MOST_CHOICES, MOST_NUMBERS, MOST_OFFERED
from hoyle.play.engine.offering import Offered, is_bundle, settle, size_of
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import certain
from hoyle.program.ir.walk import list_variables
from hoyle.program.model.groups import Groups, find_twins
from hoyle.program.model.position import Position

MOST_WAYS = 10**15  # ways to choose an action, as far as they are counted
Choice = tuple[Any, ...]
Frame = list[Any]  # values of variables, by index
Tests = tuple[tuple[ir.Named, ...], ...]
DECLINED: Choice = ()


def sort_by_depth(tests: Sequence[ir.Named], picks: int) -> Tests:
    """The tests, grouped by the number of picks that must be bound to evaluate them."""
    levels: list[list[ir.Named]] = [[] for _ in range(picks + 1)]
    for test in tests:
        levels[max((i for i in list_variables(test) if i <= picks), default=0)].append(test)
    return tuple(tuple(level) for level in levels)


class Evaluating(Protocol):
    """What evaluates conditions and domains."""

    def holds(self, test: ir.Expr | None, position: Position, frame: Frame) -> bool: ...

    def value(self, expr: ir.Expr, position: Position, frame: Frame) -> Any: ...

    def elements(self, source: ir.Expr, position: Position, frame: Frame) -> tuple[Any, ...]: ...


class Legality:
    """Enumerates choices, of decisions with tiers and of single actions."""

    def __init__(self, program: ir.Program, evaluator: Evaluating) -> None:
        self.program = program
        self.evaluator = evaluator
        self._possible = [sort_by_depth(action.possible, len(action.picks)) for action in program.actions]
        self._allowed = [
            sort_by_depth((*action.possible, *action.allowed), len(action.picks)) for action in program.actions
        ]
        self._has_copies = len({card.face for card in program.cards}) < len(program.cards)

    def can_do(self, action: int, seat: int, position: Position, *, allowed: bool) -> bool:
        """Whether the seat has any choice of the action that is possible (and allowed)."""
        return any(True for _ in self.list_choices(action, seat, position, allowed=allowed))

    def list_legal(self, decision: ir.Decision, seat: int, position: Position) -> Sequence[Choice]:
        """All offered choices: those of the first tier that has any, and declining if the decision is optional. In
        games with callable offences, everything possible."""
        if self.program.called:
            legal = list_bounded(self.list_possible(decision, seat, position), decision)
        else:
            _, legal = self.find_binding(decision, seat, position)
        if decision.optional:
            legal.append(DECLINED)
        if not legal:
            raise Fault("no-choice", f"seat {seat} must choose, but nothing is legal", decision.clause)
        return settle(legal)

    def find_first(self, decision: ir.Decision, seat: int, position: Position) -> Choice | None:
        """The first offered choice, without enumerating the rest; None if there is none."""
        if self.program.called:
            first = next(self.list_possible(decision, seat, position), None)
        else:
            opened = (tier for tier in decision.tiers if self.is_open(decision, tier, seat, position))
            listed = (self.list_tier(tier, seat, position, bundled=True) for tier in opened)
            first = next((choice for choices in listed for choice in choices), None)
        if first is not None:
            return settle([first])[0]
        return DECLINED if decision.optional else None

    def find_binding(
        self, decision: ir.Decision, seat: int, position: Position
    ) -> tuple[ir.Tier | None, list[Choice]]:
        """The first tier with legal choices, and these choices; unrestricted groups stay bundled."""
        for tier in decision.tiers:
            if self.is_open(decision, tier, seat, position):
                legal = list_bounded(self.list_tier(tier, seat, position, bundled=True), decision)
                if legal:
                    return tier, legal
        return None, []

    def list_possible(self, decision: ir.Decision, seat: int, position: Position) -> Iterator[Choice]:
        """All possible choices of the actions of all tiers, allowed or not, without duplicates."""
        for action in dict.fromkeys(item.action for tier in decision.tiers for item in tier.items):
            yield from self.list_choices(action, seat, position, allowed=False)

    def find_breach(self, decision: ir.Decision, seat: int, position: Position, choice: Choice) -> int | None:
        """The clause that a choice breaks: a condition of the action, or the tier that takes precedence; None if there
        is none."""
        if choice == DECLINED:
            return None
        action = self.program.actions[choice[0]]
        frame = make_frame(action, seat)
        frame[1 : len(choice)] = choice[1:]
        broken = next((each for each in action.allowed if not self.evaluator.value(each, position, frame)), None)
        if broken is not None:
            return broken.clause
        for tier in decision.tiers:
            if self.is_open(decision, tier, seat, position):
                mine = [item for item in tier.items if item.action == choice[0]]
                if any(self.evaluator.holds(item.where, position, frame) for item in mine):
                    return None
                if any(True for _ in self.list_tier(tier, seat, position)):
                    return tier.clause
        return decision.clause

    def is_open(self, decision: ir.Decision, tier: ir.Tier, seat: int, position: Position) -> bool:
        """Whether the condition of the tier holds, so that it is considered."""
        if tier.when is None:
            return True
        frame: Frame = [None] * max(decision.frame, 1)
        frame[0] = seat
        return self.evaluator.holds(tier.when, position, frame)

    def list_tier(
        self, tier: ir.Tier, seat: int, position: Position, *, bundled: bool = False
    ) -> Iterator[Choice]:
        """The legal choices of a tier, without duplicates; `bundled`: the groups of a last pick as one entry, where no
        test has to look at each."""
        seen: set[Choice] = set()
        actions = [item.action for item in tier.items]
        for item in tier.items:
            alone = bundled and actions.count(item.action) == 1
            for choice in self.list_choices(item.action, seat, position, where=item.where, bundled=alone):
                if alone:
                    yield choice
                elif choice not in seen:
                    seen.add(choice)
                    yield choice

    def list_choices(
        self,
        action: int,
        seat: int,
        position: Position,
        *,
        allowed: bool = True,
        where: ir.Expr | None = None,
        bundled: bool = False,
    ) -> Iterator[Choice]:
        """The possible choices of one action that satisfy `where`; only those allowed too, unless `allowed` is
        false."""
        declared = self.program.actions[action]
        tests = (self._allowed if allowed else self._possible)[action]
        frame = make_frame(declared, seat)
        bundled = bundled and where is None and not tests[-1] and bool(declared.picks)
        for picks in self._bind(declared, 0, tests, position, frame, allowed=allowed, bundled=bundled):
            if self.evaluator.holds(where, position, frame):
                yield (action, *picks)

    def _bind(
        self,
        action: ir.Action,
        depth: int,
        tests: Tests,
        position: Position,
        frame: Frame,
        *,
        allowed: bool,
        bundled: bool,
    ) -> Iterator[tuple[Any, ...]]:
        """All assignments of the picks from `depth` on, given those before it in the frame."""
        if not all(self.evaluator.value(test, position, frame) for test in tests[depth]):
            return
        if depth == len(action.picks):
            yield ()
            return
        pick = action.picks[depth]
        if bundled and depth + 1 == len(action.picks) and pick.low is not None:
            groups = self.list_free_groups(pick, depth, position, frame)
            if groups.total:
                yield (groups,)
            return
        for value in self.list_picks(pick, depth, position, frame, allowed=allowed):
            frame[depth + 1] = value
            for rest in self._bind(action, depth + 1, tests, position, frame, allowed=allowed, bundled=bundled):
                yield (value, *rest)

    def list_picks(
        self, pick: ir.Pick, depth: int, position: Position, frame: Frame, *, allowed: bool = True
    ) -> Iterator[Any]:
        """The domain of a pick: single values, or groups of elements of each permitted size."""
        if pick.least is not None:
            numbers = self.find_range(pick, position, frame)
            if numbers:
                yield numbers
            return
        if pick.low is not None:
            keeps = [test for test in (pick.keeps, pick.keeps_allowed if allowed else None) if test is not None]
            groups = self.list_free_groups(pick, depth, position, frame)
            yield from self._grow(groups, keeps, depth, position, frame) if keeps else groups
            return
        candidates = self.list_candidates(pick, depth, position, frame)
        yield from first_of_each(candidates, self.list_keys(pick, candidates, position))

    def count_ways(self, action: int, seat: int, position: Position) -> int:
        """In about how many ways an action could be chosen if nothing were tested but the domains of its picks: each
        is counted with the first values of those before it, and counting ends at `MOST_WAYS`."""
        declared, ways = self.program.actions[action], 1
        frame = make_frame(declared, seat)
        for depth, pick in enumerate(declared.picks):
            if pick.least is not None:
                break
            if pick.low is not None:
                groups = self.list_free_groups(pick, depth, position, frame)
                ways *= groups.total
                frame[depth + 1] = next(iter(groups), ())
            else:
                candidates = self.list_candidates(pick, depth, position, frame)
                ways *= len(candidates)
                frame[depth + 1] = next(iter(candidates), None)
            if ways > MOST_WAYS:
                return MOST_WAYS
        return ways

    def list_free_groups(self, pick: ir.Pick, depth: int, position: Position, frame: Frame) -> Groups:
        """All groups of the permitted sizes, before any tests on groups."""
        candidates = self.list_candidates(pick, depth, position, frame)
        keys = self.list_keys(pick, candidates, position)
        low, high = self.count_range(pick, len(candidates), position, frame)
        return Groups(candidates, None if keys is candidates else keys, low, high)

    def _grow(
        self, groups: Groups, keeps: list[ir.Expr], depth: int, position: Position, frame: Frame
    ) -> Iterator[tuple[Any, ...]]:
        """The groups that can be built element by element without failing a `keeps` test on the way, in the order of
        `list_free_groups`."""
        if not groups.low:
            yield ()
        elements, twins = groups.elements, find_twins(groups.keys)
        level: list[tuple[int, ...]] = [()]
        for size in range(1, groups.high + 1):
            larger = []
            for places in level:
                for place in range(places[-1] + 1 if places else 0, len(elements)):
                    if twins[place] is not None and twins[place] not in places:
                        continue
                    frame[depth + 1] = tuple(elements[each] for each in (*places, place))
                    if all(self.evaluator.value(test, position, frame) for test in keeps):
                        larger.append((*places, place))
            if len(larger) > MOST_CHOICES:
                raise Fault("too-many-choices", f"more than {MOST_CHOICES} groups would have to be looked at", None)
            level = larger
            if size >= groups.low:
                for places in level:
                    yield tuple(elements[each] for each in places)

    def count_range(self, pick: ir.Pick, available: int, position: Position, frame: Frame) -> tuple[int, int]:
        """The least and the greatest size of a group; an empty interval if there are too few candidates."""
        assert pick.low is not None
        low = self.evaluator.value(pick.low, position, frame)
        high = low if pick.high is None else self.evaluator.value(pick.high, position, frame)
        if low is None or high is None:
            raise Fault("no-value", f"how many to pick for `{pick.name}` is none", pick.clause)
        return max(low, 0), min(high, available)

    def find_range(self, pick: ir.Pick, position: Position, frame: Frame) -> range:
        """The values of a number parameter."""
        assert pick.least is not None and pick.most is not None
        least = self.evaluator.value(pick.least, position, frame)
        most = self.evaluator.value(pick.most, position, frame)
        if least is None or most is None:
            raise Fault("no-value", f"a bound of `{pick.name}` is none", pick.clause)
        if most - least >= MOST_NUMBERS:
            raise Fault("too-many-choices", f"more than {MOST_NUMBERS} numbers are offered", pick.clause)
        return range(least, most + 1)

    def list_candidates(self, pick: ir.Pick, depth: int, position: Position, frame: Frame) -> list[Any]:
        """The elements of the pick's source that satisfy its condition, copies of a card included."""
        candidates = []
        for element in self.evaluator.elements(pick.source, position, frame):
            frame[depth + 1] = element
            if self.evaluator.holds(pick.where, position, frame):
                candidates.append(element)
        return list(dict.fromkeys(candidates))

    def list_keys(self, pick: ir.Pick, candidates: list[Any], position: Position) -> list[Any]:
        """Keys by which candidates count as the same choice: zone and face for cards, else the value itself."""
        if not self._has_copies or certain(pick.type).kind not in ("card", "list"):
            return candidates
        if certain(pick.type).kind == "list" and pick.low is None:
            return candidates
        places = zip(candidates, position.find_all(candidates), strict=True)
        return [(zone, self.program.cards[card].face) for card, (zone, _) in places]


def list_bounded(choices: Iterator[Choice], decision: ir.Decision) -> list[Choice]:
    """The choices as a list; a fault as soon as there are too many, so that the rest is never looked at."""
    legal: list[Choice] = []
    in_bundles = 0
    for choice in choices:
        legal.append(choice)
        if is_bundle(choice):
            in_bundles += size_of(choice)
        if len(legal) > MOST_CHOICES or in_bundles > MOST_OFFERED - MOST_CHOICES:
            most = MOST_CHOICES if len(legal) > MOST_CHOICES else MOST_OFFERED
            raise Fault("too-many-choices", f"more than {most} choices are offered", decision.clause)
    return legal


def make_frame(action: ir.Action, seat: int) -> Frame:
    """A new frame for an action, with the seat bound."""
    frame: Frame = [None] * max(action.frame, len(action.picks) + 1)
    frame[0] = seat
    return frame


def is_permitted(choice: Choice, legal: Sequence[Choice]) -> bool:
    """Whether a choice with its number given is among the legal ones."""
    if isinstance(legal, Offered):
        return choice in legal
    return choice in legal or any(
        isinstance(each[-1], range) and each[:-1] == choice[:-1] and choice[-1] in each[-1] for each in legal if each
    )


def take_least(choice: Choice) -> Choice:
    """A choice with an open number set to its least value; other choices unchanged."""
    return (*choice[:-1], choice[-1][0]) if choice and isinstance(choice[-1], range) else choice


def first_of_each(candidates: list[Any], keys: list[Any]) -> list[Any]:
    """The first candidate for each key, in order."""
    first: dict[Any, Any] = {}
    for key, candidate in zip(keys, candidates, strict=True):
        first.setdefault(key, candidate)
    return list(first.values())

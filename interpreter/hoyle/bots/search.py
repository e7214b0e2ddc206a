"""A bot that searches: Monte Carlo tree search over what each seat knows.

In: a decision and a standpoint, and how long to think. Out: the choice tried most often.

Every iteration draws a position the seat cannot tell from the real one and plays it: down the tree as long as it knows
the way, then on at random to the end of the round. There is one node for all positions that look the same to the seat
that is to choose, whoever it is, so nobody chooses by what only others see, and choices made in secret at the same time
are independent of each other. A choice is weighed by how often it was offered, for samples offer different ones. Where
there are many choices, or numbers, they are tried few at first and more as a node is visited.

At the decision itself all choices are tried in the same positions, and the worse half of them is left aside, again and
again (sequential halving): the last two have been compared most often. Where there are too many choices for that, they
are selected as everywhere else in the tree.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from hoyle.bots.advising import Weighed
from hoyle.bots.budget import Budget, Halving
from hoyle.bots.greedy import find_action
from hoyle.bots.looks import Looks
from hoyle.bots.native_rollout import NativeRollout
from hoyle.bots.native_tree import MOST_CHILDREN, MOST_NODES, GivenUp, Growing, NativeTree
from hoyle.bots.reached import Reached
from hoyle.bots.registry import bot
from hoyle.bots.rollout import Rollout, spell_out
from hoyle.bots.worth import Scale, Worth
from hoyle.engine.faults import Fault
from hoyle.engine.offering import thin_out
from hoyle.model.chance import derive_seed, draw

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.legality import Choice
    from hoyle.engine.playable import Playable
    from hoyle.engine.standpoint import Standpoint
    from hoyle.model.position import Position

ITERATIONS = 400
EXPLORATION = 1.0
FEW = 12  # choices that are all tried, however many visits
FEW_NUMBERS = 3  # where numbers are said
WIDENING = 2.0
MOST_DEPTH = 60
MOST_INSIDE = 64  # choices at a decision below the root; where there are more, play goes on at random
MOST_TIMES = 8  # iterations from one sample
OFTEN_ENOUGH = 250  # samples that there are to be before one is used again
MOST_OPTIONS = 400  # of more choices so many are looked at, drawn anew each time
LEAST_SPREAD = 0.05
OFTEN = 0.9  # of the most often: as good as that
BIAS = 2.0  # how much hints count at first, in spreads; less with every visit


class Child:
    """What has come of a choice: how often it was tried, what it brought in all, how often it could have been tried,
    and how well its seat stood after it by the hints of the file, added up."""

    __slots__ = ("hinted", "offered", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.offered = 0
        self.hinted = 0.0


Node = dict["Choice", Child]


@bot("search", "searches the positions it could be in, for a number of iterations or a time", thinks=True)
class SearchBot:
    """Searches so many iterations, or so many seconds, whichever ends first."""

    thinks = True

    def __init__(self, seed: int, iterations: int | None = ITERATIONS, seconds: float | None = None) -> None:
        self._chance = random.Random(seed)
        self._iterations = iterations
        self._seconds = seconds
        self._hurried: float | None = None
        self._tables: tuple[Playable, Tables] | None = None

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action:
        if decision.count == 1:
            return decision.choice(0)
        return find_action(decision, self._search(decision, look()).find_best())

    def hurry(self, seconds: float | None) -> None:
        """Think at most so many seconds a move from now on, whatever it was told before; None: as it was told."""
        self._hurried = seconds

    def weigh(self, decision: Decision, look: Callable[[], Standpoint]) -> list[Weighed]:
        """What the search has found out about each choice it tried, the one it would take first."""
        found = self._search(decision, look()).list_tried()
        return [Weighed(find_action(decision, choice), visits, value) for choice, visits, value in found]

    def _search(self, decision: Decision, standpoint: Standpoint) -> Search:
        if self._tables is None or self._tables[0] is not standpoint.game:
            self._tables = standpoint.game, Tables(standpoint.game.executor)
        search = Search(standpoint, decision, self._chance, self._tables[1])
        limits = [each for each in (self._seconds, self._hurried) if each is not None]
        search.think(self._iterations, min(limits, default=None))
        return search


class Tables:
    """What does not change from search to search of one game."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        self.looks = Looks(executor)
        self.worth = Worth(executor)
        self.numbered = {
            number
            for number, action in enumerate(executor.program.actions)
            if action.picks and action.picks[-1].least is not None
        }
        self.native = NativeRollout.find(executor)
        self.rollout = Rollout(executor, whole=not self.worth.is_told_early, native=self.native)
        self._tree: NativeTree | None = None
        self._is_asked = False

    @property
    def tree(self) -> NativeTree | None:
        """What grows trees by native code, if there is some by now and it can."""
        library = self.native.native.library if self.native is not None else None
        if library is not None and not self._is_asked:
            self._is_asked = True
            self._tree = NativeTree.find(library, self.looks, self.worth)
        return self._tree


class Search:
    """One search, at one decision."""

    def __init__(self, standpoint: Standpoint, decision: Decision, chance: random.Random, tables: Tables) -> None:
        self.standpoint = standpoint
        self.executor = standpoint.game.executor
        self.chance = chance
        self.tables = tables
        self.looks, self.worth, self.rollout = tables.looks, tables.worth, tables.rollout
        self.sides = [self.worth.sides.index(team) for team in standpoint.game.program.teams]
        self.choices = thin_out(decision.choices, MOST_OPTIONS, chance)
        self._growing: Growing | None = None
        self._begin()

    def _begin(self) -> None:
        self.tree: dict[Hashable, Node] = {}
        self.root: Node = {}
        self._numbers: dict[int, int] = {}
        self._grown = 0
        self._seen, self._sum, self._squares = 0, 0.0, 0.0
        self.scale = Scale(self.worth, self.standpoint.position)

    def think(self, iterations: int | None, seconds: float | None) -> None:
        """Search until there have been so many iterations, or so much time has passed."""
        budget = Budget(iterations, seconds)
        before = self.chance.getstate()
        try:
            self._growing = self._plant()
            self._think(budget)
        except GivenUp:
            self.chance.setstate(before)
            budget.done = 0
            self._growing = None
            self._begin()
            self._think(budget)
        if self.tables.native is not None:
            self.tables.native.note_thought(budget.spent)

    def _plant(self) -> Growing | None:
        """The same tree in native code, where that can be."""
        made = self.tables.tree
        if made is None:
            return None
        growing = Growing(made, self.standpoint.seat, self.sides, self.scale.begin, whole=self.rollout.whole,
                          exploration=EXPLORATION)  # fmt: skip
        return growing if growing.plant(self.choices, self.rollout.list_options(self.standpoint.position)) else None

    def _think(self, budget: Budget) -> None:
        options = self._spell(self.root, self.choices)
        halving = Halving(len(options), budget)
        if halving.is_worth_while:
            arms = self._list_arms(options)
            while arms and not budget.is_spent:
                arms = self._try_all(arms, halving, budget)
        while not budget.is_spent:
            times = budget.limit(self._count_times(budget))
            self._try([], times)
            budget.done += times
        self._learn()

    def _count_times(self, budget: Budget) -> int:
        """How many iterations are made from one sample: more if there are many, for samples take time too."""
        return int(max(1, min(MOST_TIMES, budget.guess() / OFTEN_ENOUGH)))

    def _try(self, arms: list[tuple[Choice, Child]], times: int) -> None:
        """Try all these choices so often in a position that could be, so that luck is the same for all; or, if none are
        given, those that are selected."""
        sampled, state = None, 0
        with suppress(Fault):  # a position that cannot be: nothing is learnt from it
            sampled, state = self.standpoint.sample(self.chance.getrandbits(63)), self.chance.getrandbits(64)
        if sampled is None:
            return
        if self._growing is not None:
            self._growing.grow(sampled, [self._numbers[id(child)] for _, child in arms], times, state)
            return
        with suppress(Fault):
            for number in range(times):
                seed = derive_seed(state, number)
                for choice, child in arms:
                    child.offered += 1
                    self._iterate(sampled.copy(), seed, (choice, child))
                if not arms:
                    self._iterate(sampled.copy(), seed)

    def _learn(self) -> None:
        """Take over what native code has found out about the choices at the root."""
        if self._growing is None:
            return
        for choice, (visits, total, offered) in zip(self.choices, self._growing.tell(), strict=True):
            if offered:
                child = self.root.setdefault(self.looks.name_choice(choice), Child())
                child.visits, child.total, child.offered = visits, total, offered

    def _list_arms(self, options: Sequence[Choice]) -> list[tuple[Choice, Child]]:
        """The choices at the root, each with its child; of those that look alike one."""
        arms: list[tuple[Choice, Child]] = []
        for number, choice in enumerate(options):
            name = self.looks.name_choice(choice)
            if name not in self.root:
                child = self.root[name] = Child()
                self._numbers[id(child)] = number
                arms.append((choice, child))
        self._grown += len(arms)
        return arms

    def _try_all(
        self, arms: list[tuple[Choice, Child]], halving: Halving, budget: Budget
    ) -> list[tuple[Choice, Child]]:
        """Try all these choices in the same positions, so that luck is the same for all; the better half of them, the
        best first. None if one is left."""
        tried = 0
        while tried < (wanted := halving.count_samples(len(arms))) and not budget.is_spent:
            times = min(wanted - tried, max(1, self._count_times(budget) // len(arms)))
            self._try(arms, times)
            tried += times
            budget.done += times * len(arms)
        if len(arms) < 3:
            return []
        self._learn()
        children = [child for _, child in arms]
        spread = self._find_spread()
        biases = self._find_biases(children) if self.worth.has_hints else [0.0] * len(arms)
        worth = [
            (child.total + spread * bias) / max(child.visits, 1) for child, bias in zip(children, biases, strict=True)
        ]
        order = sorted(range(len(arms)), key=worth.__getitem__, reverse=True)
        return [arms[place] for place in order[: (len(arms) + 1) // 2]]

    def find_best(self) -> Choice:
        """The choice tried most often; of those about equal in it the one that brought most, or else stood best by the
        hints."""
        tried = self.list_tried()
        return tried[0][0] if tried else spell_out(self.choices)[0]

    def list_tried(self) -> list[tuple[Choice, int, float]]:
        """The choices that were tried, most often first: how often, and what each brought on average, from 0 to 1."""
        names: dict[Choice, Choice] = {}
        for choice in self._spell(self.root, self.choices):
            names.setdefault(self.looks.name_choice(choice), choice)
        known = ((choice, self.root.get(name)) for name, choice in names.items())
        found = [(choice, child) for choice, child in known if child is not None and child.visits]
        often = OFTEN * max((child.visits for _, child in found), default=0)

        def rank(each: tuple[Choice, Child]) -> tuple[float, float, float]:
            child = each[1]
            return min(child.visits, often), child.total / child.visits, child.hinted / child.visits

        found.sort(key=rank, reverse=True)
        return [(choice, child.visits, child.total / child.visits) for choice, child in found]

    def _iterate(self, position: Position, state: int, first: tuple[Choice, Child] | None = None) -> None:
        """Play a position down the tree and on, by chance from a state; `first` is the choice at the root, if it is not
        to be selected. `iterate` in `codegen/c/tree.c` does the same."""
        executor, tree = self.executor, self.tree
        begun, whole = position.rounds_played, self.rollout.whole
        path: list[tuple[Child, int]] = []
        node, choices, seat = self.root, self.choices, self.standpoint.seat
        for _ in range(MOST_DEPTH):
            is_new = first is None and not node
            state, selected = (state, first) if first is not None else self._select(node, choices, state)
            if selected is None:
                break
            choice, child = selected
            first = None
            path.append((child, seat))
            executor.advance(position, choice)
            if self.worth.has_hints and position.rounds_played == begun:
                child.hinted += self.worth.hint(position, seat)
            offered = None if is_new else self._go_on(position, begun, whole)
            if offered is None or len(offered) > MOST_INSIDE:
                break
            seat, choices = executor.find_seat(position), offered
            key = self.looks.key(position, seat, self.standpoint.seat)
            if key not in tree and len(tree) >= MOST_NODES - 1:  # one is the root
                break
            node = tree.setdefault(key, {})
        if not position.over and (whole or position.rounds_played == begun):
            state, seed = draw(state)
            values = self.scale.value(self.rollout.find_out(position, seed))
        else:
            values = self.scale.value(Reached(executor, position))
        for child, mover in path:
            child.visits += 1
            child.total += values[self.sides[mover]]
        mine = values[self.sides[self.standpoint.seat]]
        self._seen, self._sum, self._squares = self._seen + 1, self._sum + mine, self._squares + mine * mine

    def _go_on(self, position: Position, begun: int, whole: bool) -> Sequence[Choice] | None:
        """Pass decisions at which there is no choice; what is offered at the next with one, if the round is not over
        before."""
        executor = self.executor
        while not position.over and (whole or position.rounds_played == begun):
            choices = self.rollout.list_options(position)
            if len(choices) > 1 or (choices[0] and isinstance(choices[0][-1], range)):
                return choices
            executor.advance(position, choices[0])
        return None

    def _spell(self, node: Node, choices: Sequence[Choice]) -> Sequence[Choice]:
        """The choices with their numbers said: rungs of a ladder, and numbers between those that did best."""
        if not self.tables.numbered or not any(choice and isinstance(choice[-1], range) for choice in choices):
            return choices
        spelt = spell_out(choices)
        tried = sorted((child.total / child.visits, name) for name, child in node.items() if child.visits > 3)
        for _, name in tried[-2:]:
            for numbers in (choice for choice in choices if choice and isinstance(choice[-1], range)):
                if name[:-1] == numbers[:-1] and isinstance(name[-1], int):
                    near = sorted({each[-1] for each in spelt if each[:-1] == numbers[:-1]} | {name[-1]})
                    at = near.index(name[-1])
                    spelt += [
                        (*name[:-1], (name[-1] + near[beside]) // 2)
                        for beside in (at - 1, at + 1)
                        if 0 <= beside < len(near) and abs(name[-1] - near[beside]) > 1
                    ]
        known = [name for name in node if name not in spelt and any(_fits(name, choice) for choice in choices)]
        return list(dict.fromkeys([*spelt, *known]))

    def _select(
        self, node: Node, choices: Sequence[Choice], state: int
    ) -> tuple[int, tuple[Choice, Child] | None]:
        """The choice to try, and what is kept of it: one never tried, while there may be more; else by upper
        confidence bounds. None if there is no room for it. And what is left of chance."""
        options = self._spell(node, choices)
        names = list(map(self.looks.name_choice, options)) if self.looks.are_renamed else options
        tried: list[tuple[Child, Choice]] = []
        untried: list[tuple[Choice, Choice]] = []
        for name, choice in zip(names, options, strict=True):
            child = node.get(name)
            if child is None:
                untried.append((name, choice))
            else:
                child.offered += 1
                tried.append((child, choice))
        state, option = self._pick_untried(tried, untried, state, numbered=options is not choices)
        if option is not None:
            child = node[option[0]] = Child()
            child.offered = 1
            self._grown += 1
            return state, (option[1], child)
        if not tried:
            return state, None
        spread = EXPLORATION * self._find_spread()
        biases = self._find_biases([child for child, _ in tried]) if self.worth.has_hints else None
        best, found, sqrt = -math.inf, tried[0], math.sqrt
        for place, (child, choice) in enumerate(tried):
            visits = child.visits
            if not visits:  # an iteration that broke off
                return state, (choice, child)
            bound = child.total / visits + spread * sqrt(roughly_log(child.offered + 1) / visits)
            if biases is not None:
                bound += spread * biases[place] / visits
            if bound > best:
                best, found = bound, (child, choice)
        return state, (found[1], found[0])

    def _pick_untried(
        self, tried: list[tuple[Child, Choice]], untried: list[tuple[Choice, Choice]], state: int, *, numbered: bool
    ) -> tuple[int, tuple[Choice, Choice] | None]:
        """A choice that was never tried, with its name, if there is one and there may be more. Of numbers small ones
        come first: large ones can do great harm, and a few tries do not tell. And what is left of chance."""
        if not untried or self._grown >= MOST_CHILDREN:
            return state, None
        if numbered:
            may = self._may_widen(tried, FEW_NUMBERS, 1.0)
            return state, min(untried, key=self._find_number) if may else None
        if len(tried) + len(untried) > FEW and not self._may_widen(tried, FEW, WIDENING):
            return state, None
        state, bits = draw(state)
        return state, untried[(bits >> 32) * len(untried) >> 32]

    def _find_number(self, option: tuple[Choice, Choice]) -> int:
        """The number that is said with a choice; -1 if none is."""
        choice = option[1]
        if not choice or choice[0] not in self.tables.numbered:
            return -1
        number: int = choice[-1]
        return number

    def _may_widen(self, tried: list[tuple[Child, Choice]], few: int, widening: float) -> bool:
        """Whether more may be tried of many choices, by how often those that were have been."""
        return len(tried) < few + widening * math.sqrt(sum(child.visits for child, _ in tried))

    def _find_biases(self, children: list[Child]) -> list[float]:
        """What hints add to each choice: nothing to the worst by them, most to the best (progressive bias)."""
        hints = [child.hinted / max(child.visits, 1) for child in children]
        least, most = min(hints), max(hints)
        return [BIAS * (hint - least) / (most - least) if most > least else 0.0 for hint in hints]

    def _find_spread(self) -> float:
        """How widely what iterations bring is spread."""
        if self._seen < 2:
            return 0.5
        mean = self._sum / self._seen
        return max(LEAST_SPREAD, math.sqrt(max(0.0, self._squares / self._seen - mean * mean)))


def roughly_log(number: int) -> float:
    """The logarithm, straight between powers of two: sums and products come out the same on all machines.

    >>> [round(roughly_log(number), 3) for number in (1, 2, 3, 4, 1000)]
    [0.0, 0.693, 1.04, 1.386, 6.901]
    """
    digits = number.bit_length() - 1
    return (digits + (number / (1 << digits) - 1.0)) * 0.6931471805599453


def _fits(name: Choice, offered: Choice) -> bool:
    """Whether a choice with its number said is among those offered."""
    return (
        bool(offered) and isinstance(offered[-1], range) and name[:-1] == offered[:-1] and name[-1] in offered[-1]
    )

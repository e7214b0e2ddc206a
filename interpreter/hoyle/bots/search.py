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
from hoyle.bots.reached import Reached
from hoyle.bots.registry import bot
from hoyle.bots.rollout import Rollout, spell_out
from hoyle.bots.worth import Scale, Worth
from hoyle.engine.faults import Fault
from hoyle.engine.offering import thin_out

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


class Search:
    """One search, at one decision."""

    def __init__(self, standpoint: Standpoint, decision: Decision, chance: random.Random, tables: Tables) -> None:
        self.standpoint = standpoint
        self.executor = standpoint.game.executor
        self.chance = chance
        self.tables = tables
        self.looks, self.worth, self.rollout = tables.looks, tables.worth, tables.rollout
        self.scale = Scale(self.worth, standpoint.position)
        self.sides = [self.worth.sides.index(team) for team in standpoint.game.program.teams]
        self.choices = thin_out(decision.choices, MOST_OPTIONS, chance)
        self.tree: dict[Hashable, Node] = {}
        self.root: Node = {}
        self._seen, self._sum, self._squares = 0, 0.0, 0.0

    def think(self, iterations: int | None, seconds: float | None) -> None:
        """Search until there have been so many iterations, or so much time has passed."""
        budget = Budget(iterations, seconds)
        options = self._spell(self.root, self.choices)
        halving = Halving(len(options), budget)
        if halving.is_worth_while:
            arms = self._list_arms(options)
            while arms and not budget.is_spent:
                arms = self._try_all(arms, halving, budget)
        while not budget.is_spent:
            with suppress(Fault):  # a position that cannot be: nothing is learnt from it
                self._iterate(self.standpoint.sample(self.chance.getrandbits(63)))
            budget.done += 1
        if self.tables.native is not None:
            self.tables.native.note_thought(budget.spent)

    def _list_arms(self, options: Sequence[Choice]) -> list[tuple[Choice, Child]]:
        """The choices at the root, each with its child; of those that look alike one."""
        arms: list[tuple[Choice, Child]] = []
        for choice in options:
            name = self.looks.name_choice(choice)
            if name not in self.root:
                self.root[name] = Child()
                arms.append((choice, self.root[name]))
        return arms

    def _try_all(
        self, arms: list[tuple[Choice, Child]], halving: Halving, budget: Budget
    ) -> list[tuple[Choice, Child]]:
        """Try all these choices in the same positions, so that luck is the same for all; the better half of them, the
        best first. None if one is left."""
        samples = 0
        while samples < halving.count_samples(len(arms)) and not budget.is_spent:
            samples += 1
            with suppress(Fault):
                sampled, seed = self.standpoint.sample(self.chance.getrandbits(63)), self.chance.getrandbits(64)
                for choice, child in arms:
                    child.offered += 1
                    self._iterate(sampled.copy(), (choice, child), seed)
            budget.done += len(arms)
        if len(arms) < 3:
            return []
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
        found = [(names[name], child) for name, child in self.root.items() if child.visits and name in names]
        often = OFTEN * max((child.visits for _, child in found), default=0)

        def rank(each: tuple[Choice, Child]) -> tuple[float, float, float]:
            child = each[1]
            return min(child.visits, often), child.total / child.visits, child.hinted / child.visits

        found.sort(key=rank, reverse=True)
        return [(choice, child.visits, child.total / child.visits) for choice, child in found]

    def _iterate(
        self, position: Position, first: tuple[Choice, Child] | None = None, seed: int | None = None
    ) -> None:
        """Play a position down the tree and on; `first` is the choice at the root, if it is not to be selected."""
        executor, tree = self.executor, self.tree
        begun, whole = position.rounds_played, self.rollout.whole
        path: list[tuple[Child, int]] = []
        node, choices, seat = self.root, self.choices, self.standpoint.seat
        for _ in range(MOST_DEPTH):
            is_new = first is None and not node
            choice, child = first or self._select(node, choices)
            first = None
            path.append((child, seat))
            executor.advance(position, choice)
            if self.worth.has_hints and position.rounds_played == begun:
                child.hinted += self.worth.hint(position, seat)
            offered = None if is_new else self._go_on(position, begun, whole)
            if offered is None:
                break
            seat = executor.find_seat(position)
            choices = thin_out(offered, MOST_OPTIONS, self.chance)
            node = tree.setdefault(self.looks.key(position, seat), {})
        if not position.over and (whole or position.rounds_played == begun):
            seed = self.chance.getrandbits(64) if seed is None else seed
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

    def _select(self, node: Node, choices: Sequence[Choice]) -> tuple[Choice, Child]:
        """The choice to try, and what is kept of it: one never tried, while there may be more; else by upper
        confidence bounds."""
        options = self._spell(node, choices)
        names = list(map(self.looks.name_choice, options)) if self.looks.has_copies else options
        tried: list[tuple[Child, Choice]] = []
        untried: list[tuple[Choice, Choice]] = []
        for name, choice in zip(names, options, strict=True):
            child = node.get(name)
            if child is None:
                untried.append((name, choice))
            else:
                child.offered += 1
                tried.append((child, choice))
        option = self._pick_untried(tried, untried, numbered=options is not choices)
        if option is not None:
            child = node[option[0]] = Child()
            child.offered = 1
            return option[1], child
        spread = EXPLORATION * self._find_spread()
        biases = self._find_biases([child for child, _ in tried]) if self.worth.has_hints else None
        best, found, log, sqrt = -math.inf, tried[0], math.log, math.sqrt
        for place, (child, choice) in enumerate(tried):
            visits = child.visits
            if not visits:  # an iteration that broke off
                return choice, child
            bound = child.total / visits + spread * sqrt(log(child.offered + 1) / visits)
            if biases is not None:
                bound += spread * biases[place] / visits
            if bound > best:
                best, found = bound, (child, choice)
        return found[1], found[0]

    def _pick_untried(
        self, tried: list[tuple[Child, Choice]], untried: list[tuple[Choice, Choice]], *, numbered: bool
    ) -> tuple[Choice, Choice] | None:
        """A choice that was never tried, with its name, if there is one and there may be more. Of numbers small ones
        come first: large ones can do great harm, and a few tries do not tell."""
        if not untried:
            return None
        if numbered:
            return min(untried, key=self._find_number) if self._may_widen(tried, FEW_NUMBERS, 1.0) else None
        if len(tried) + len(untried) > FEW and not self._may_widen(tried, FEW, WIDENING):
            return None
        return untried[int(self.chance.random() * len(untried))]

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


def _fits(name: Choice, offered: Choice) -> bool:
    """Whether a choice with its number said is among those offered."""
    return (
        bool(offered) and isinstance(offered[-1], range) and name[:-1] == offered[:-1] and name[-1] in offered[-1]
    )

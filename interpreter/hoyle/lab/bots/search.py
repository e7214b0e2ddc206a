"""A search bot: information-set Monte Carlo tree search (ISMCTS).

In: a decision and a standpoint, and a budget. Out: the choice with the most visits.

Every iteration samples a determinization, a position that the seat cannot tell from the real one, and plays it: down
the tree by selection and expansion, then by a random rollout to the end of the round, or shorter if the round is long.
Positions share a node if they look the same to both the deciding and the searching seat. So no seat chooses by what
only others see, simultaneous secret choices stay independent, and statistics about another seat's choices are shared
among all hands it may hold. Selection uses upper confidence bounds that count how often a choice was available, since
determinizations offer different ones. Where there are many choices, or numbers, progressive widening limits them.

At the root, all choices are tried in the same determinizations (common random numbers), and sequential halving drops
the worse half again and again, so that the best two are compared most. If the budget is too small for the number of
choices, the root uses selection like any other node.

Native code runs the iterations if it can (`native_tree.py`). Its results are bit-identical, so that at a fixed number
of iterations a move does not depend on it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hoyle.lab.bots.advising import Weighed
from hoyle.lab.bots.budget import Budget, GivenUp, Halving
from hoyle.lab.bots.greedy import find_action
from hoyle.lab.bots.registry import bot
from hoyle.lab.bots.rollout import spell_out
from hoyle.lab.bots.search_tree import EXPLORATION, Child, Tables, Tree, find_tables
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.offering import thin_out

if TYPE_CHECKING:
    from hoyle.lab.bots.native_deals import NativeDeals
    from hoyle.lab.bots.native_tree import Growing
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.legality import Choice
    from hoyle.play.engine.standpoint import Standpoint

ITERATIONS = 400
MOST_TIMES = 8  # iterations per determinization
OFTEN_ENOUGH = 128  # a determinization is reused only if the budget allows this many of them
MOST_OPTIONS = 400  # at decisions with more choices, each search considers a random subset of this size
OFTEN = 0.9  # choices with at least this share of the highest visit count rank equal in visits


@bot("search", "searches the positions it could be in, for a number of iterations or a time", thinks=True)
class SearchBot:
    """Searches for a number of iterations or seconds, whichever limit is reached first."""

    thinks = True

    def __init__(self, seed: int, iterations: int | None = ITERATIONS, seconds: float | None = None) -> None:
        self._chance = random.Random(seed)
        self._iterations = iterations
        self._seconds = seconds
        self._hurried: float | None = None

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action:
        if decision.count == 1:
            return decision.choice(0)
        return find_action(decision, self._search(decision, look()).find_best())

    def hurry(self, seconds: float | None) -> None:
        """Cap the time per move, in addition to the bot's own limits; None removes the cap."""
        self._hurried = seconds

    def weigh(self, decision: Decision, look: Callable[[], Standpoint]) -> list[Weighed]:
        """Search, and return the statistics of each choice tried, best first."""
        found = self._search(decision, look()).list_tried()
        return [Weighed(find_action(decision, choice), visits, value) for choice, visits, value in found]

    def _search(self, decision: Decision, standpoint: Standpoint) -> Search:
        search = Search(standpoint, decision, self._chance, find_tables(standpoint.game.executor))
        limits = [each for each in (self._seconds, self._hurried) if each is not None]
        search.think(self._iterations, min(limits, default=None))
        return search


class Search:
    """One search at one decision."""

    def __init__(self, standpoint: Standpoint, decision: Decision, chance: random.Random, tables: Tables) -> None:
        self.standpoint = standpoint
        self.chance = chance
        self.tables = tables
        self.choices = thin_out(decision.choices, MOST_OPTIONS, chance)
        self.tree = Tree(standpoint, self.choices, tables)
        self._growing: Growing | None = None
        self._deals: NativeDeals | None = None

    def think(self, iterations: int | None, seconds: float | None) -> None:
        """Search until either limit is reached. If native code gives up, start again in Python, with the random state
        from before, so that the result is the same as without native code."""
        budget = Budget(iterations, seconds)
        before = self.chance.getstate()
        try:
            self._growing = self._plant()
            if self._growing is not None:
                self._deals = self._growing.made.find_deals(self.standpoint)
            self._think(budget)
        except GivenUp:
            self.chance.setstate(before)
            budget.done = 0
            self.tables.given_up += 1
            self._growing = None
            self.tree = Tree(self.standpoint, self.choices, self.tables)
            self._think(budget)
        if self.tables.native is not None:
            self.tables.native.note_thought(budget.spent)

    @property
    def is_native(self) -> bool:
        """Whether native code grew the tree."""
        return self._growing is not None

    def _plant(self) -> Growing | None:
        """Create the root in native code; None if native code cannot run this search."""
        made = self.tables.tree
        if made is None:
            return None
        from hoyle.lab.bots.native_tree import Growing

        rollout, tree = self.tables.rollout, self.tree
        growing = Growing(made, self.standpoint.seat, tree.sides, tree.scale.begin, whole=rollout.whole,
                          exploration=EXPLORATION, is_hinted=tree.is_hinted, judged=tree.judged)  # fmt: skip
        return growing if growing.plant(self.choices, rollout.list_options(self.standpoint.position)) else None

    def _think(self, budget: Budget) -> None:
        options = self.tree.spell(self.tree.root, self.choices)
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
        """Return how many iterations to run per determinization: more with large budgets, since sampling is costly."""
        return int(max(1, min(MOST_TIMES, budget.guess() / OFTEN_ENOUGH)))

    def _try(self, arms: list[tuple[Choice, Child]], times: int) -> None:
        """Sample a determinization and run `times` iterations from it for each of the given root choices, or with
        selection if there are none."""
        seed = self.chance.getrandbits(63)
        if self._growing is not None and self._deals is not None:
            state = self.chance.getrandbits(64)
            self._growing.grow_dealt(self._deals, seed, [choice for choice, _ in arms], times, state)
            return
        try:
            sampled, state = self.standpoint.sample(seed), self.chance.getrandbits(64)
        except Fault:  # the determinization is impossible: skip it
            return
        if self._growing is None:
            self.tree.grow(sampled, arms, times, state)
        else:
            self._growing.grow(sampled, [choice for choice, _ in arms], times, state)

    def _learn(self) -> None:
        """Copy the statistics of the root choices from native code."""
        if self._growing is None:
            return
        for name, told in self._growing.tell():
            child = self.tree.root.setdefault(name, Child())
            child.visits, child.total, child.offered = told.visits, told.total, told.offered
            child.hinted = told.hinted
        self.tree.seen = self._growing.seen

    def _list_arms(self, options: Sequence[Choice]) -> list[tuple[Choice, Child]]:
        """List the choices at the root with their new child nodes; one of each set of equivalent choices."""
        arms: list[tuple[Choice, Child]] = []
        for choice in options:
            name = self.tables.looks.name_choice(choice)
            if name not in self.tree.root:
                arms.append((choice, self.tree.add(name)))
        return arms

    def _try_all(
        self, arms: list[tuple[Choice, Child]], halving: Halving, budget: Budget
    ) -> list[tuple[Choice, Child]]:
        """Run one round of sequential halving: try all these choices in the same determinizations, and return the
        better half, best first; empty after the last round."""
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
        spread = self.tree.find_spread()
        biases = self.tree.find_biases(children) if self.tree.is_hinted else [0.0] * len(arms)
        worth = [
            (child.total + spread * bias) / max(child.visits, 1) for child, bias in zip(children, biases, strict=True)
        ]
        order = sorted(range(len(arms)), key=worth.__getitem__, reverse=True)
        return [arms[place] for place in order[: (len(arms) + 1) // 2]]

    def find_best(self) -> Choice:
        """Return the choice with the most visits; among about equal counts, the one with the highest mean value, then
        hint."""
        tried = self.list_tried()
        return tried[0][0] if tried else spell_out(self.choices)[0]

    def list_tried(self) -> list[tuple[Choice, int, float]]:
        """List the choices tried with their visit counts and mean values, ranked as for `find_best`."""
        names: dict[Choice, Choice] = {}
        for choice in self.tree.spell(self.tree.root, self.choices):
            names.setdefault(self.tables.looks.name_choice(choice), choice)
        known = ((choice, self.tree.root.get(name)) for name, choice in names.items())
        found = [(choice, child) for choice, child in known if child is not None and child.visits]
        often = OFTEN * max((child.visits for _, child in found), default=0)

        def rank(each: tuple[Choice, Child]) -> tuple[float, float, float]:
            child = each[1]
            return min(child.visits, often), child.total / child.visits, child.hinted / child.visits

        found.sort(key=rank, reverse=True)
        return [(choice, child.visits, child.total / child.visits) for choice, child in found]

"""The search tree, in Python.

In: tables of a game (`Tables`), the standpoint of a seat, its choices, and determinizations. Out: `Tree`, with the
statistics of each choice.

An iteration plays a position down the tree (selection, expansion), then by a random rollout to the end of the round,
and backpropagates the value to all choices on its path. `codegen/c/tree_search.c` is the same in C.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from hoyle.lab.bots.budget import MOST_CHILDREN, MOST_NODES
from hoyle.lab.bots.evaluation import Scale, Worth
from hoyle.lab.bots.looks import Looks
from hoyle.lab.bots.reached import Reached
from hoyle.lab.bots.rollout import HORIZON, MOST_PLAYED, Rollout, find_native_rollout, spell_out
from hoyle.play.engine.faults import Fault
from hoyle.program.model.chance import derive_seed, draw

if TYPE_CHECKING:
    from hoyle.lab.bots.native_tree import NativeTree
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.play.engine.legality import Choice
    from hoyle.play.engine.native.library import Library
    from hoyle.play.engine.standpoint import Standpoint
    from hoyle.program.model.position import Position

EXPLORATION = 1.0
MOST_KEPT = 64  # games
FEW = 12  # progressive widening: choices that a node tries regardless of its visits
FEW_NUMBERS = 3  # the same at decisions that ask for a number
WIDENING = 2.0  # further choices per square root of the visits
SELDOM = 3  # visits up to which the mean of a number is too uncertain to refine around it
MOST_DEPTH = 60
MOST_INSIDE = 64  # choices below the root; at decisions with more, the rollout begins
LEAST_SPREAD = 0.05
OFTEN_GIVEN_UP = 4  # searches that native code gave up, after which it is no longer used
BIAS = 2.0  # initial weight of the hints (progressive bias), in standard deviations; it decays with visits


class Child:
    """Statistics of a choice: visits, total value, number of times it was available to select, and sum of the hints of
    the file for its seat after it."""

    __slots__ = ("hinted", "offered", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.offered = 0
        self.hinted = 0.0


Node = dict["Choice", Child]


class Tables:
    """Tables shared by all searches of one game."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        self.looks = Looks(executor)
        self.worth = Worth(executor)
        self.numbered = {
            number
            for number, action in enumerate(executor.program.actions)
            if action.picks and action.picks[-1].least is not None
        }
        self.native = find_native_rollout(executor)
        self.rollout = Rollout(executor, whole=not self.worth.is_told_early, native=self.native)
        self.grows_natively = True  # if possible; tests and benchmarks switch it off
        self.given_up = 0
        self._tree: NativeTree | None = None
        self._made_of: Library | None = None

    @property
    def tree(self) -> NativeTree | None:
        """The native tree, if native code is loaded by now, supports it and has not given up too often."""
        library = self.native.native.library if self.native is not None else None
        if library is not None and library is not self._made_of:
            from hoyle.lab.bots.native_tree import NativeTree

            self._made_of = library
            self._tree = NativeTree.find(library, self.looks, self.worth)
        return self._tree if self.grows_natively and self.given_up < OFTEN_GIVEN_UP else None


_known: OrderedDict[int, Tables] = OrderedDict()  # by the identity of their executor, which they hold


def find_tables(executor: ReferenceExecutor) -> Tables:
    """The tables of an executor, shared by all bots that play by it."""
    found = _known.get(id(executor))
    if found is None:
        found = _known[id(executor)] = Tables(executor)
        if len(_known) > MOST_KEPT:
            _known.popitem(last=False)
    return found


class Tree:
    """The tree of one search."""

    def __init__(self, standpoint: Standpoint, choices: Sequence[Choice], tables: Tables) -> None:
        self.standpoint = standpoint
        self.choices = choices
        self.tables = tables
        self.executor = standpoint.game.executor
        self.looks, self.worth, self.rollout = tables.looks, tables.worth, tables.rollout
        self.sides = [self.worth.sides.index(team) for team in standpoint.game.program.teams]
        self.scale = Scale(self.worth, standpoint.position)
        self.is_hinted = self.worth.has_hints(standpoint.position)
        self.judged = self.worth.judged if self.is_hinted else set[int]()  # leaf evaluation by hints, no rollout
        self.root: Node = {}
        self._nodes: dict[Hashable, Node] = {}
        self._grown = 0  # number of children in the tree
        self.seen = (0, 0.0, 0.0)  # iterations, sum of their values for the searching seat, sum of the squares

    def add(self, name: Choice) -> Child:
        """Add a choice to the root."""
        self._grown += 1
        child = self.root[name] = Child()
        return child

    def grow(self, position: Position, arms: Sequence[tuple[Choice, Child]], times: int, state: int) -> None:
        """Run `times` iterations from a position for each of the given root choices, with common random numbers, or
        with selection if there are none. A fault ends them: the determinization is impossible."""
        with suppress(Fault):
            for number in range(times):
                seed = derive_seed(state, number)
                for choice, child in arms:
                    child.offered += 1
                    self._iterate(position.copy(), seed, (choice, child))
                if not arms:
                    self._iterate(position.copy(), seed)

    def _iterate(self, position: Position, state: int, first: tuple[Choice, Child] | None = None) -> None:
        """Run one iteration: selection, expansion, rollout, backpropagation. `state` seeds it; `first` fixes the choice
        at the root instead of selecting one."""
        executor, nodes = self.executor, self._nodes
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
            if self.is_hinted and position.rounds_played == begun:
                child.hinted += self.worth.hint(position, seat)
            offered = None if is_new else self._go_on(position, begun, whole)
            if offered is None or len(offered) > MOST_INSIDE or (self.judged and position.block not in self.judged):
                break
            seat, choices = executor.find_seat(position), offered
            key = self.looks.key(position, seat, self.standpoint.seat)
            if key not in nodes and len(nodes) >= MOST_NODES - 1:  # the root is not among them
                break
            node = nodes.setdefault(key, {})
        if not self.judged and not position.over and (whole or position.rounds_played == begun):
            values = self.scale.value(self.play_on(position, state))
        else:
            values = self.scale.value(Reached(executor, position))
        for child, mover in path:
            child.visits += 1
            child.total += values[self.sides[mover]]
        mine = values[self.sides[self.standpoint.seat]]
        many, total, squares = self.seen
        self.seen = many + 1, total + mine, squares + mine * mine

    def play_on(self, position: Position, state: int) -> Reached:
        """Run the rollout: to the end of the round, or up to a horizon at which the standings have changed, since later
        play depends less and less on the choices compared. If only the end of the match tells standings, to that."""
        begun, whole = position.rounds_played, self.rollout.whole
        step = MOST_PLAYED if whole else HORIZON
        for left in range(MOST_PLAYED, 0, -step):
            state, seed = draw(state)
            reached = self.rollout.find_out(position, seed, step)
            is_ended = reached.over or (not whole and reached.rounds_played != begun)
            if is_ended or left == step or self.scale.has_moved(reached):
                break
            position = reached.position
        return reached

    def _go_on(self, position: Position, begun: int, whole: bool) -> Sequence[Choice] | None:
        """Skip forced decisions; return the choices of the next real one, or None if the round ends before it."""
        executor = self.executor
        while not position.over and (whole or position.rounds_played == begun):
            choices = self.rollout.list_options(position)
            if len(choices) > 1 or (choices[0] and isinstance(choices[0][-1], range)):
                return choices
            executor.advance(position, choices[0])
        return None

    def spell(self, node: Node, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Expand the choices that ask for a number: into rungs of a coarse ladder, midpoints beside the two numbers
        with the best means, and all numbers tried so far."""
        asking = [choice for choice in choices if choice and isinstance(choice[-1], range)]
        if not asking:
            return choices
        found = dict.fromkeys(spell_out(choices))
        stems = [(self.looks.name_choice(choice)[:-1], choice[:-1], choice[-1]) for choice in asking]
        means = {name: child.total / child.visits for name, child in node.items() if child.visits > SELDOM}
        for name in sorted(means, key=means.__getitem__, reverse=True)[:2]:
            for stem, said, numbers in stems:
                if name[:-1] == stem and name[-1] in numbers:
                    near = sorted({each[-1] for each in found if each[:-1] == said} | {name[-1]})
                    at = near.index(name[-1])
                    for beside in (at - 1, at + 1):
                        if 0 <= beside < len(near) and abs(name[-1] - near[beside]) > 1:
                            found[*said, (name[-1] + near[beside]) // 2] = None
        for name in node:
            for stem, said, numbers in stems:
                if name[:-1] == stem and name[-1] in numbers:
                    found[*said, name[-1]] = None
        return list(found)

    def _select(
        self, node: Node, choices: Sequence[Choice], state: int
    ) -> tuple[int, tuple[Choice, Child] | None]:
        """Select a choice: expand an untried one while progressive widening permits, else the one with the highest
        upper confidence bound. None if the tree is full. Also return the new random state."""
        options = self.spell(node, choices)
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
        spread = EXPLORATION * self.find_spread()
        biases = self.find_biases([child for child, _ in tried]) if self.is_hinted else None
        best, found, sqrt = -math.inf, tried[0], math.sqrt
        for place, (child, choice) in enumerate(tried):
            visits = child.visits
            if not visits:  # its iteration was aborted by a fault
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
        """Pick an untried choice, with its name, if progressive widening permits one. Numbers are tried in ascending
        order, since large ones can do great harm that few samples do not reveal. Also return the new random state."""
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
        """Return the number in a choice, -1 if it has none."""
        choice = option[1]
        if not choice or choice[0] not in self.tables.numbered:
            return -1
        number: int = choice[-1]
        return number

    def _may_widen(self, tried: list[tuple[Child, Choice]], few: int, widening: float) -> bool:
        """Whether progressive widening permits another choice at the current visits."""
        return len(tried) < few + widening * math.sqrt(sum(child.visits for child, _ in tried))

    def find_biases(self, children: list[Child]) -> list[float]:
        """Scale the mean hints of the choices to biases from 0 for the worst to `BIAS` for the best."""
        hints = [child.hinted / max(child.visits, 1) for child in children]
        least, most = min(hints), max(hints)
        return [BIAS * (hint - least) / (most - least) if most > least else 0.0 for hint in hints]

    def find_spread(self) -> float:
        """Return the standard deviation of the values of iterations, with a lower bound."""
        many, total, squares = self.seen
        if many < 2:
            return 0.5
        mean = total / many
        return max(LEAST_SPREAD, math.sqrt(max(0.0, squares / many - mean * mean)))


def roughly_log(number: int) -> float:
    """Approximate the natural logarithm, linearly between powers of two: bit-identical on all machines, unlike `log`.

    >>> [round(roughly_log(number), 3) for number in (1, 2, 3, 4, 1000)]
    [0.0, 0.693, 1.04, 1.386, 6.899]
    """
    digits = number.bit_length() - 1
    return (digits + (number / (1 << digits) - 1.0)) * 0.6931471805599453


"""Exact solutions: regret minimisation and best responses on the whole tree of a small game.

In: a game. Out: a `Solution`: the strategy of every information set, what the match is worth to each seat, and how much
a best response could win of it (exploitability, as OpenSpiel counts it). A `SolveError` says why a game is too large.

CFR+ (Tammelin 2014): regrets below zero are forgotten, seats are improved in turn, and later strategies weigh more in
the average.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.unfolding import unfold

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game
    from hoyle.play.engine.unfolding import Node

MOST_NODES = 100_000
CHANCE, END = -1, -2
Progress = Callable[[int], None]
Strategy = list[list[float]]


class SolveError(HoyleError):
    """A game cannot be solved; the text says why."""


@dataclass(slots=True)
class Tree:
    """The nodes of a game in the order of a walk, so that every node comes after its parent. `kinds` is the seat that
    chooses, `CHANCE` or `END`; `sets` the number of the information set; `children` and `chances` those of each node;
    `worth` the utilities at its end."""

    players: int
    kinds: list[int] = field(default_factory=list)
    sets: list[int] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    chances: list[list[float]] = field(default_factory=list)
    worth: list[list[float]] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)  # of each information set
    names: list[str] = field(default_factory=list)
    menus: list[list[str]] = field(default_factory=list)  # the texts of the choices of each information set
    members: list[list[int]] = field(default_factory=list)  # the nodes of each information set


@dataclass(frozen=True, slots=True)
class Solution:
    """A strategy for all information sets of a game, by the names of `name_state`."""

    values: tuple[float, ...]
    exploitability: float
    iterations: int
    nodes: int
    strategy: dict[str, dict[str, float]]


def name_state(information_state: str) -> str:
    """A short name of an information state."""
    return hashlib.sha256(information_state.encode()).hexdigest()[:20]


# ------------------------------------------------------------------------------------------------ the tree
def grow_tree(game: Game, most: int = MOST_NODES, tell: Progress | None = None) -> Tree:
    """Visit every node of a game."""
    tree, known = Tree(game.players), dict[tuple[int, str], int]()
    try:
        waiting: list[tuple[Node, int]] = [(unfold(game), -1)]
    except ValueError as error:
        raise SolveError(str(error)) from None
    while waiting:
        node, parent = waiting.pop()
        number = len(tree.kinds)
        if number >= most:
            raise SolveError(f"{game.name} has more than {most:,} positions: it is too large to be solved")
        if tell is not None and number % 500 == 0:
            tell(number)
        if parent >= 0:
            tree.children[parent].append(number)
        try:
            waiting += [(child, number) for child in _add_node(tree, node, known)]
        except Fault as fault:
            raise SolveError(f"{game.name} stops with a fault: {fault}") from None
    for line in tree.children:
        line.reverse()
    return tree


def _add_node(tree: Tree, node: Node, known: dict[tuple[int, str], int]) -> list[Node]:
    """Add a node; its children, in order. They are visited from the last."""
    match, information = node.match, -1
    tree.children.append([])
    tree.chances.append([float(outcome.probability) for outcome in node.outcomes])
    tree.worth.append(list(match.utilities) if match is not None and match.is_over else [])
    if match is None:
        tree.kinds.append(CHANCE)
        children = [node.take(place) for place in range(len(node.outcomes))]
    elif match.is_over:
        tree.kinds.append(END)
        children = []
    else:
        decision = match.decision
        assert decision is not None
        menu = [action.text for action in decision.actions]
        if any(action.number is not None for action in decision.actions):
            raise SolveError("a number is said in it: it is too large to be solved")
        key = (decision.seat, match.information_state(decision.seat))
        information = known.setdefault(key, len(known))
        if information == len(tree.owners):
            tree.owners.append(decision.seat)
            tree.names.append(name_state(key[1]))
            tree.menus.append(menu)
            tree.members.append([])
        tree.members[information].append(len(tree.kinds))
        tree.kinds.append(decision.seat)
        children = [node.take(place) for place in range(decision.count)]
    tree.sets.append(information)
    return children


# ------------------------------------------------------------------------------------------------ strategies
def solve(game: Game, iterations: int = 400, tell: Progress | None = None, most: int = MOST_NODES) -> Solution:
    """Find an equilibrium of a game of two sides by CFR+; of others a strategy that regrets little."""
    tree = grow_tree(game, most, tell)
    regrets = [[0.0] * len(menu) for menu in tree.menus]
    sums = [[0.0] * len(menu) for menu in tree.menus]
    for iteration in range(1, iterations + 1):
        for seat in range(tree.players):
            _improve(tree, seat, regrets, sums, iteration)
    strategy = [_share(row) for row in sums]
    told = {
        name: {text: round(share, 6) for text, share in zip(menu, row, strict=True)}
        for name, menu, row in zip(tree.names, tree.menus, strategy, strict=True)
    }
    return Solution(
        tuple(find_values(tree, strategy)), find_exploitability(tree, strategy), iterations, len(tree.kinds), told
    )


def _share(row: Sequence[float]) -> list[float]:
    """The parts of a whole, even if there is none."""
    whole = sum(row)
    return [each / whole for each in row] if whole > 0 else [1 / len(row)] * len(row)


def _reach(tree: Tree, strategy: Strategy, seat: int) -> tuple[list[float], list[float]]:
    """For each node how likely a seat itself plays there, and how likely chance and all others do."""
    mine, others = [1.0] * len(tree.kinds), [1.0] * len(tree.kinds)
    for node, kind in enumerate(tree.kinds):
        if kind == END:
            continue
        shares = tree.chances[node] if kind == CHANCE else strategy[tree.sets[node]]
        here, there = mine[node], others[node]
        for child, share in zip(tree.children[node], shares, strict=True):
            mine[child] = here * share if kind == seat else here
            others[child] = there if kind == seat else there * share
    return mine, others


def _improve(tree: Tree, seat: int, regrets: Strategy, sums: Strategy, iteration: int) -> None:
    """One step of CFR+ for one seat."""
    strategy = [_share(row) for row in regrets]
    mine, others = _reach(tree, strategy, seat)
    values = [0.0] * len(tree.kinds)
    gains = [[0.0] * len(menu) for menu in tree.menus]
    for node in range(len(tree.kinds) - 1, -1, -1):
        kind = tree.kinds[node]
        if kind == END:
            values[node] = tree.worth[node][seat]
            continue
        shares = tree.chances[node] if kind == CHANCE else strategy[tree.sets[node]]
        below = [values[child] for child in tree.children[node]]
        value = values[node] = sum([share * worth for share, worth in zip(shares, below, strict=True)])
        if kind == seat:
            row, weight = gains[tree.sets[node]], others[node]
            for place, worth in enumerate(below):
                row[place] += weight * (worth - value)
    for number, owner in enumerate(tree.owners):
        if owner == seat:
            regrets[number] = [max(0.0, old + new) for old, new in zip(regrets[number], gains[number], strict=True)]
            reach = mine[tree.members[number][0]] * iteration
            sums[number] = [
                old + reach * share for old, share in zip(sums[number], strategy[number], strict=True)
            ]


def find_values(tree: Tree, strategy: Strategy) -> list[float]:
    """What the match is worth to each seat if all play so."""
    values = [[0.0] * tree.players for _ in tree.kinds]
    for node in range(len(tree.kinds) - 1, -1, -1):
        kind = tree.kinds[node]
        if kind == END:
            values[node] = tree.worth[node]
            continue
        shares = tree.chances[node] if kind == CHANCE else strategy[tree.sets[node]]
        for seat in range(tree.players):
            values[node][seat] = sum(
                share * values[child][seat] for share, child in zip(shares, tree.children[node], strict=True)
            )
    return values[0]


def find_best_value(tree: Tree, strategy: Strategy, seat: int) -> float:
    """What the match is worth to a seat that knows the strategies of the others and answers them best."""
    _, others = _reach(tree, strategy, seat)
    values: dict[int, float] = {}
    taken: dict[int, int] = {}

    def value(node: int) -> float:
        if node not in values:
            kind, children = tree.kinds[node], tree.children[node]
            if kind == END:
                values[node] = tree.worth[node][seat]
            elif kind == seat:
                values[node] = value(children[answer(tree.sets[node])])
            else:
                shares = tree.chances[node] if kind == CHANCE else strategy[tree.sets[node]]
                values[node] = sum(share * value(child) for share, child in zip(shares, children, strict=True) if share)
        return values[node]

    def answer(information: int) -> int:
        if information not in taken:
            places, members = range(len(tree.menus[information])), tree.members[information]
            worth = [
                sum(others[node] * value(tree.children[node][place]) for node in members if others[node])
                for place in places
            ]
            taken[information] = max(places, key=worth.__getitem__)
        return taken[information]

    return value(0)


def find_exploitability(tree: Tree, strategy: Strategy) -> float:
    """What best responses win over playing along, on average of the seats."""
    values = find_values(tree, strategy)
    gains = [find_best_value(tree, strategy, seat) - values[seat] for seat in range(tree.players)]
    return sum(gains) / tree.players

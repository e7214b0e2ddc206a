"""What small pokers are worth to who plays best, worked out through the API: Kuhn's -1/18, and Leduc's.

The tree is made by copying matches and applying every action, from every deal; what a seat cannot tell apart is what
`information_state` says. The strategies that regret matching (CFR+) arrives at are then answered as well as can be: the
value of the game lies between the two answers.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import pytest

import hoyle

pytestmark = pytest.mark.slow


@dataclass
class Node:
    """A position: whose decision it is, which of his sets of information it belongs to, and what each choice leads to;
    at the end, what the first player has won."""

    seat: int = -1
    key: str = ""
    after: list[Node] = field(default_factory=list)
    won: float = 0.0


@dataclass
class Belief:
    """What is learnt about one set of information."""

    regrets: list[float]
    played: list[float]

    def strategy(self) -> list[float]:
        total = sum(self.regrets)
        return [each / total for each in self.regrets] if total else [1 / len(self.regrets)] * len(self.regrets)

    def average(self) -> list[float]:
        total = sum(self.played)
        return [each / total for each in self.played] if total else [1 / len(self.played)] * len(self.played)


def grow(match: hoyle.Match) -> Node:
    decision = match.decision
    if decision is None:
        return Node(won=float(match.scores[0]))
    node = Node(decision.seat, match.information_state(decision.seat))
    for action in decision.actions:
        further = match.copy()
        further.apply(action)
        node.after.append(grow(further))
    return node


def grow_all(name: str, dealt: int) -> list[Node]:
    """A tree for every order in which the first cards can come; all are equally likely."""
    game = hoyle.load(name, players=2)
    orders = itertools.permutations(range(len(game.program.cards)), dealt)
    return [grow(game.new(0, [list(reversed(order))])) for order in orders]


def learn(roots: list[Node], rounds: int) -> dict[str, Belief]:
    beliefs: dict[str, Belief] = {}

    def walk(node: Node, learner: int, others: float, weight: float) -> float:
        """What the position is worth to the learner."""
        if node.seat < 0:
            return node.won if learner == 0 else -node.won
        belief = beliefs.setdefault(node.key, Belief([0.0] * len(node.after), [0.0] * len(node.after)))
        strategy = belief.strategy()
        if node.seat != learner:
            for place, share in enumerate(strategy):
                belief.played[place] += weight * others * share
            return sum(
                share * walk(further, learner, others * share, weight)
                for share, further in zip(strategy, node.after, strict=True)
                if share
            )
        values = [walk(further, learner, others, weight) for further in node.after]
        mean = sum(share * value for share, value in zip(strategy, values, strict=True))
        pending.setdefault(node.key, [0.0] * len(values))
        for place, value in enumerate(values):
            pending[node.key][place] += others * (value - mean)
        return mean

    for number in range(1, rounds + 1):
        for learner in (0, 1):
            pending: dict[str, list[float]] = {}
            for root in roots:
                walk(root, learner, 1.0, number)
            for key, regrets in pending.items():
                old = beliefs[key].regrets
                beliefs[key].regrets = [max(0.0, a + b) for a, b in zip(old, regrets, strict=True)]
    return beliefs


def answer(roots: list[Node], beliefs: dict[str, Belief], answering: int) -> float:
    """What the first player wins on average if one seat answers the other's strategy as well as it can be answered."""
    sign = 1 if answering == 0 else -1
    members: dict[str, list[tuple[Node, float]]] = {}

    def collect(node: Node, reach: float) -> None:
        if node.seat == answering:
            members.setdefault(node.key, []).append((node, reach))
        shares = beliefs[node.key].average() if node.seat == 1 - answering else [1.0] * len(node.after)
        for share, further in zip(shares, node.after, strict=True):
            collect(further, reach * share)

    chosen: dict[str, int] = {}

    def worth(node: Node) -> float:
        if node.seat < 0:
            return sign * node.won
        if node.seat == answering:
            return worth(node.after[best(node.key)])
        shares = beliefs[node.key].average()
        return sum(share * worth(further) for share, further in zip(shares, node.after, strict=True) if share)

    def best(key: str) -> int:
        if key not in chosen:
            group = members[key]
            sums = [sum(reach * worth(node.after[at]) for node, reach in group if reach)
                    for at in range(len(group[0][0].after))]  # fmt: skip
            chosen[key] = max(range(len(sums)), key=sums.__getitem__)
        return chosen[key]

    for root in roots:
        collect(root, 1.0)
    return sign * sum(worth(root) for root in roots) / len(roots)


def enclose(name: str, dealt: int, rounds: int) -> tuple[float, float]:
    roots = grow_all(name, dealt)
    beliefs = learn(roots, rounds)
    return answer(roots, beliefs, 1), answer(roots, beliefs, 0)


def test_kuhn_poker_costs_the_first_player_an_eighteenth_of_a_chip() -> None:
    low, high = enclose("kuhn-poker", 2, 3_000)
    assert low <= -1 / 18 + 1e-9 and high >= -1 / 18 - 1e-9
    assert high - low < 0.001


def test_leduc_poker_costs_the_first_player_what_is_known() -> None:
    low, high = enclose("leduc-poker", 3, 60)
    assert low <= -0.0856064 + 1e-6 and high >= -0.0856065 - 1e-6
    assert high - low < 0.1

"""Evaluation of positions: by the result of the match, or by the standings before it.

In: a position. Out: for every team its margin over the others, in the unit that decides the match, or a value from 0 to
1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hoyle.lab.bots.reached import Reached
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.utility import find_best, find_order, find_told
from hoyle.program.ir.nodes import Block, Decide, Expr, Program, StateRef
from hoyle.program.ir.walk import walk_into
from hoyle.program.model.runtime_values import Value

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.program.model.position import Position

WON = 0.8  # weight of winning in the value of a finished match; the rest is for the margin
LEAST_SPREAD = 1e-9


def ease(gain: float) -> float:
    """Squash a number to the interval from 0 to 1. It uses a square root, which IEEE 754 rounds the same on all
    machines, unlike exponentials.

    >>> ease(0.0), round(ease(1.0), 3), round(ease(-3.0), 3)
    (0.5, 0.854, 0.026)
    """
    return 0.5 + 0.5 * (gain / math.sqrt(1.0 + gain * gain))


class Worth:
    """Evaluates positions of one program. It derives from the rule for winners which quantity they have most or least
    of, so that standings are known before the end of the match."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        program = executor.program
        self.executor = executor
        self.players = program.players
        self.teams = program.teams
        self.sides = sorted(set(program.teams))
        self.is_told_by_file = program.utility is not None  # the file defines the utility of a result
        self.by_score = not self.is_told_by_file and bool(find_best(program))
        self._told = find_told(program)
        order = find_order(program)
        lowest = not self.is_told_by_file and order is not None and order.best == "lowest"
        self.sign = -1 if lowest else 1
        self.is_staked = self.by_score and program.standing is not None and _reads_pots(program, program.standing)
        self._hints = program.hints
        self.judged = {number for number, block in enumerate(program.blocks) if _is_judged(program, block)}

    @property
    def is_told_early(self) -> bool:
        """Whether standings are known before the match is over."""
        return self.by_score or self._told is not None

    def has_hints(self, position: Position) -> bool:
        """Whether the file gives hints, beyond scores, that apply to the decision of a position."""
        return self._hints is not None and (not self.judged or position.block in self.judged)

    def hint(self, position: Position, seat: int) -> float:
        """Evaluate the hints of the file for a seat; 0 if that faults."""
        if self._hints is None or position.over:
            return 0.0
        try:
            return float(self.executor.value_of(self._hints, seat, position))
        except Fault:
            return 0.0

    def stand(self, reached: Reached, *, hinted: bool = False) -> list[float] | None:
        """Return the standing of each team, higher being better; None if only the end of the match tells it. `hinted`
        adds the hints of the file."""
        values = self._read(reached)
        position = reached.position if hinted else None
        if values is None:
            if not hinted:
                return None
            values = [0.0] * self.players
        totals = dict.fromkeys(self.sides, 0.0)
        for seat, (team, value) in enumerate(zip(self.teams, values, strict=True)):
            totals[team] += self.sign * value + (self.hint(position, seat) if position else 0.0)
        return [totals[side] for side in self.sides]

    def _read(self, reached: Reached) -> list[float] | None:
        if self.by_score:
            return [float(score) for score in reached.scores]
        if self._told is None:
            return None
        expr, place = self._told
        position = reached.position
        frame: list[Value] = [None] * (self.executor.program.frame + place + 1)
        values = []
        try:
            for seat in range(self.players):
                frame[place] = seat
                value = self.executor.evaluator.evaluate(expr, position, frame)
                if value is None or isinstance(value, tuple):
                    return None
                values.append(float(value))
        except (Fault, IndexError, TypeError):
            return None
        return values

    def find_margins(self, reached: Reached, *, hinted: bool = False) -> list[float] | None:
        """Return the margin of each team over the others: over the average of their best and their mean standing. If
        the file defines a utility, return that instead, regardless of the others."""
        standing = self.stand(reached, hinted=hinted)
        if standing is None or len(standing) < 2 or self.is_told_by_file:
            return standing
        margins = []
        for side, value in enumerate(standing):
            others = standing[:side] + standing[side + 1 :]
            margins.append(value - (max(others) + sum(others) / len(others)) / 2)
        return margins


def _reads_pots(program: Program, expr: Expr) -> bool:
    """Whether an expression depends on the contents of pots, such as purses."""
    return any(isinstance(part, StateRef) and program.states[part.state].pot for part in walk_into(program, expr))


def _is_judged(program: Program, block: Block) -> bool:
    """Whether the file's hints judge the decision at the end of a block."""
    if not isinstance(block.end, Decide):
        return False
    tiers = program.decisions[block.end.decision].tiers
    return any(item.action in program.judged for tier in tiers for item in tier.items)


class Scale:
    """Normalizes margins to values from 0 to 1, by the spread of those seen so far.

    One half stands for the margin at the start of the search. Where the score lies in pots, that baseline misleads:
    stakes count for nobody until they are paid out, so that folding would seem to lose the opponent's stake as well.
    There the running mean of the margins is the baseline."""

    def __init__(self, worth: Worth, begin: Position) -> None:
        self.worth = worth
        self.begin = worth.find_margins(Reached(worth.executor, begin)) or [0.0] * len(worth.sides)
        self._round = begin.rounds_played
        self._is_hinted = worth.has_hints(begin)
        # Hints estimate margins, not winners: where they judge, a finished match is valued by its margin as well.
        self._by_gain = worth.is_told_by_file or (worth.is_told_early and begin.block in worth.judged)
        self._seen = 1 if worth.is_staked else 0
        self._sums = list(self.begin)
        self._squares = LEAST_SPREAD

    def has_moved(self, reached: Reached) -> bool:
        """Whether the margins differ from those at the start of the search."""
        margins = self.worth.find_margins(reached)
        return margins is not None and margins != self.begin

    def value(self, reached: Reached) -> list[float]:
        """Return the value of a result for each team, and update the spread."""
        worth = self.worth
        hinted = self._is_hinted and not reached.over and reached.rounds_played == self._round
        margins = worth.find_margins(reached, hinted=hinted)
        eased = [0.5] * len(worth.sides)
        if margins is not None:
            self._seen += 1
            usual = self.begin
            if worth.is_staked:
                self._sums = [total + margin for total, margin in zip(self._sums, margins, strict=True)]
                usual = [total / self._seen for total in self._sums]
            gained = [margin - each for margin, each in zip(margins, usual, strict=True)]
            self._squares += max(gain * gain for gain in gained)
            spread = math.sqrt(self._squares / self._seen) or 1.0
            eased = [ease(gain / (1.5 * spread)) for gain in gained]
        if not reached.over or self._by_gain:
            return eased
        won = {worth.teams[seat] for seat in reached.winners}
        if not won:
            return eased
        share = 1 / len(won)
        return [
            WON * (share if side in won else 0.0) + (1 - WON) * value
            for side, value in zip(worth.sides, eased, strict=True)
        ]

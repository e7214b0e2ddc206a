"""What a position is worth to each seat: what the end of the match is, or how the seats stand before it.

In: a position. Out: for every side a margin over the others, in the unit that decides the match, or its value from 0
to 1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hoyle.engine.faults import Fault
from hoyle.engine.utility import find_best, find_those

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.model.position import Position

WON = 0.8  # of what the end of a match is worth, the part that winning is; the rest is by how much
LEAST_SPREAD = 1e-9


class Worth:
    """Values positions of one program. What the winners have most or least of is read off the rule for winners, so that
    it is known before the end who stands how."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        program = executor.program
        self.executor = executor
        self.players = program.players
        self.teams = program.teams
        self.sides = sorted(set(program.teams))
        best = find_best(program)
        those = find_those(program)
        self._by_score = bool(best)
        self._key = None if best or those is None else those
        order = those.orders[0].best if those is not None else ""
        self._sign = -1 if "lowest" in (best, "" if best else order) else 1

    @property
    def is_told_early(self) -> bool:
        """Whether standings can be read before the match is over."""
        return self._by_score or self._key is not None

    def stand(self, position: Position) -> list[float] | None:
        """How each side stands, more being better; None if that shows only at the end."""
        values = self._read(position)
        if values is None:
            return None
        totals = dict.fromkeys(self.sides, 0.0)
        for team, value in zip(self.teams, values, strict=True):
            totals[team] += self._sign * value
        return [totals[side] for side in self.sides]

    def _read(self, position: Position) -> list[float] | None:
        if self._by_score:
            return [float(score) for score in self.executor.list_scores(position)]
        if self._key is None:
            return None
        frame: list[Any] = [None] * (self.executor.program.frame + self._key.var + 1)
        values = []
        try:
            for seat in range(self.players):
                frame[self._key.var] = seat
                value = self.executor.evaluator.value(self._key.orders[0].key, position, frame)
                if value is None or isinstance(value, tuple):
                    return None
                values.append(float(value))
        except (Fault, IndexError, TypeError):
            return None
        return values

    def find_margins(self, position: Position) -> list[float] | None:
        """How far each side is ahead of the others: of the other, or of the mean of the best and all others."""
        standing = self.stand(position)
        if standing is None or len(standing) < 2:
            return standing
        margins = []
        for side, value in enumerate(standing):
            others = standing[:side] + standing[side + 1 :]
            margins.append(value - (max(others) + sum(others) / len(others)) / 2)
        return margins


class Scale:
    """Turns margins into values from 0 to 1, by how widely those seen so far are spread."""

    def __init__(self, worth: Worth, begin: Position) -> None:
        self.worth = worth
        self._begin = worth.find_margins(begin)
        self._seen = 0
        self._squares = LEAST_SPREAD

    def value(self, position: Position) -> list[float]:
        """What a position is worth to each side."""
        worth = self.worth
        margins = worth.find_margins(position)
        eased = [0.5] * len(worth.sides)
        if margins is not None and self._begin is not None:
            gained = [margin - before for margin, before in zip(margins, self._begin, strict=True)]
            self._seen += 1
            self._squares += max(gain * gain for gain in gained)
            spread = math.sqrt(self._squares / self._seen) or 1.0
            eased = [0.5 + 0.5 * math.tanh(gain / (1.5 * spread)) for gain in gained]
        if not position.over:
            return eased
        winners = worth.executor.list_winners(position)
        won = {worth.teams[seat] for seat in winners}
        if not won:
            return eased
        share = 1 / len(won)
        return [
            WON * (share if side in won else 0.0) + (1 - WON) * ease
            for side, ease in zip(worth.sides, eased, strict=True)
        ]

"""Event counts over many games: how often each action was offered and chosen, each end was reached, each cap was hit.

In: a game. Out: the game with an instrumented reference executor that counts into `Counted`; counts can be merged.

An action is offered at a decision if any choice of it is legal there. Response windows are counted separately. A cap is
a `repeat at most`; it is hit when the loop is left because of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.game import Game
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.offering import list_entries
from hoyle.program.ir import nodes as ir
from hoyle.program.model.position import Position
from hoyle.program.words import Op, applies

DECLINED = "decline"
CAP = "at most"  # name of the slot that counts the iterations of a capped loop


@dataclass(slots=True)
class Asked:
    """Counts of decisions of one kind, in turns or in windows: their number, actions offered, actions chosen."""

    decisions: int = 0
    offered: Counter[str] = field(default_factory=Counter)
    chosen: Counter[str] = field(default_factory=Counter)

    def merge(self, other: Asked) -> None:
        self.decisions += other.decisions
        self.offered.update(other.offered)
        self.chosen.update(other.chosen)


@dataclass(slots=True)
class Counted:
    """The counts. Everything that can happen is present from the beginning, with 0. While `paused`, nothing is counted,
    so that the rollouts of bots do not count."""

    turns: Asked = field(default_factory=Asked)
    windows: Asked = field(default_factory=Asked)
    ends: Counter[str] = field(default_factory=Counter)
    caps: Counter[str] = field(default_factory=Counter)
    paused: bool = field(default=False, compare=False)

    def merge(self, other: Counted) -> None:
        self.turns.merge(other.turns)
        self.windows.merge(other.windows)
        self.ends.update(other.ends)
        self.caps.update(other.caps)

    def take(self) -> Counted:
        """Return the counts so far and reset them."""
        taken = Counted()
        taken.merge(self)
        for counts in list_counts(self):
            for name in counts:
                counts[name] = 0
        self.turns.decisions = self.windows.decisions = 0
        return taken


def list_counts(counted: Counted) -> tuple[Counter[str], ...]:
    turns, windows = counted.turns, counted.windows
    return turns.offered, turns.chosen, windows.offered, windows.chosen, counted.ends, counted.caps


class CountingExecutor(ReferenceExecutor):
    """A reference executor that counts; `count_games` derives a class from it for every program."""

    counted: Counted
    ends: dict[int, str]
    caps: dict[int, str]
    _listed: tuple[Position, int, Sequence[Choice]] | None = None

    def list_legal(self, position: Position) -> Sequence[Choice]:
        """Cache the last list for `apply`, which asks for it again at the same decision."""
        listed = self._listed
        if listed is None or listed[0] is not position or listed[1] != position.decisions:
            self._listed = listed = (position, position.decisions, super().list_legal(position))
        return listed[2]

    def _pass_over(self, decide: ir.Decide, position: Position) -> bool:
        self._listed = None  # skipping a seat does not change `decisions`, the key of the cache
        return super()._pass_over(decide, position)

    def apply(self, position: Position, choice: Choice, legal: Sequence[Choice] | None = None) -> None:
        if not self.counted.paused:
            asked = self.counted.windows if self.in_window(position) else self.counted.turns
            asked.decisions += 1
            asked.offered.update({self._name(each) for each in list_entries(self.list_legal(position))})
            asked.chosen[self._name(choice)] += 1
        super().apply(position, choice, legal)

    def _name(self, choice: Choice) -> str:
        return self.program.actions[choice[0]].name if choice else DECLINED

    def _go_on(self, end: ir.Terminator, position: Position) -> None:
        super()._go_on(end, position)
        if isinstance(end, ir.Branch) and not self.counted.paused:
            if position.block == end.yes and end.clause in self.ends:
                self.counted.ends[self.ends[end.clause]] += 1
            elif position.block == end.no and end.clause in self.caps and is_cap(end):
                self.counted.caps[self.caps[end.clause]] += 1


def count_games(game: Game) -> tuple[Game, Counted]:
    """Return the game with a counting executor, and the counts that it fills."""
    program = game.program
    branches = [block.end for block in program.blocks if isinstance(block.end, ir.Branch)]
    ends = {end.clause: program.clauses[end.clause].path for end in branches}
    ends = {clause: path for clause, path in ends.items() if path.startswith("ends.")}
    caps = {end.clause: _name_cap(program.clauses[end.clause]) for end in branches if is_cap(end)}
    counted = Counted(ends=Counter(dict.fromkeys(ends.values(), 0)), caps=Counter(dict.fromkeys(caps.values(), 0)))
    for decision in program.decisions:
        asked = counted.windows if decision.window else counted.turns
        names = [program.actions[item.action].name for tier in decision.tiers for item in tier.items]
        for name in [*names, *([DECLINED] if decision.optional else [])]:
            asked.offered[name] = asked.chosen[name] = 0
    parts: dict[str, Any] = {"counted": counted, "ends": ends, "caps": caps}
    counting = type("CountingExecutor", (CountingExecutor,), parts)
    return Game(program, game.info, executor_class=counting, most_decisions=game.most_decisions), counted


def is_cap(end: ir.Branch) -> bool:
    """Whether a branch tests the counter of a capped loop."""
    test = end.test
    if not applies(test, Op.LESS) or test.text:
        return False
    return isinstance(test.args[0], ir.Slot) and test.args[0].name == CAP


def _name_cap(clause: ir.Clause) -> str:
    return f"{clause.path}, line {clause.line}"

"""Positions in which a numbered rule decides, found by playing at random.

In: a game. Out: for each numbered rule that its clauses cite, a `Lesson`: a position, and what the rule decides there:
it forbids cards or an action of the seat on turn, or it is carried out by what follows a choice.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.lab.bots.asking import let_choose
from hoyle.lab.bots.registry import make_bots
from hoyle.play.engine.actions import Action
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game, Match
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.transitions import Record
from hoyle.play.table import Host, Reason
from hoyle.program.ir import nodes as ir
from hoyle.program.model.chance import derive_seed
from hoyle.program.model.position import Position

MOST_DECISIONS = 1_000  # of one match played for lessons
FURTHER = 2  # matches that are played for a better lesson than one at hand
LONGEST_REST = 60  # decisions without a look at what is forbidden
ERRORS = 0.1  # how often somebody does what others can call, in games that have that


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position, by the seed and the choices that lead to it, at a choice of `seat`. The rule forbids the cards
    `barred`, or the action with the name `action`; without either, it is carried out by what follows the choice `made`,
    or by what comes before the first choice, if that is empty."""

    rule: str
    seed: int
    choices: tuple[str, ...]
    seat: int
    made: str = ""
    barred: tuple[str, ...] = ()
    action: str = ""


class Teacher:
    """Finds lessons of one game, and keeps those that it comes upon for who asks next."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._seen: set[int] = set()
        watched = type("Watched", (_Watched,), {"seen": self._seen})
        self.plain = Game(game.program, game.info)  # for the thread of whoever teaches
        self.game = Game(game.program, game.info, executor_class=watched)
        self.seed = seed
        self.found: dict[str, Lesson] = {}
        self._near: dict[str, Lesson] = {}  # where only something around the clause that cites the rule is carried out
        self.matches = 0
        self._host = Host(self.game)
        self._fruitless = self._rest = 0
        self._citing = _list_citing(game.program)
        self._declared = _list_declared(game.program)
        self._playing = self._play()

    @property
    def rules(self) -> frozenset[str]:
        """The numbered rules that clauses of this game cite."""
        return frozenset(rule for cited in self._citing for rule in cited)

    def find(self, rule: str, seconds: float) -> Lesson | None:
        """The lesson of a rule; None if no position for it has come up in time."""
        until, begun = time.monotonic() + seconds, self.matches
        while rule in self.rules and rule not in self.found and time.monotonic() < until:
            if rule in self._near and self.matches > begun + FURTHER:
                break
            next(self._playing)
        return self.found.get(rule) or self._near.get(rule)

    # ---------------------------------------------------------------------------------------------- playing
    def _play(self) -> Iterator[None]:
        while True:
            self.matches += 1
            try:
                yield from self._play_match(derive_seed(self.seed, self.matches) >> 11)  # as a page can say it
            except Fault:
                yield

    def _play_match(self, seed: int) -> Iterator[None]:
        self._seen.clear()
        match, habits = self.game.new(seed), Habits(ERRORS, seed)
        bots, empty = make_bots("random", seed, self.game.players), self.game.executor.start(seed)
        self._seen.update(self._declared["settled"])
        self._note_done(match, empty, (), 0, 0, "")
        while (decision := match.decision) is not None and match.position.decisions < MOST_DECISIONS:
            if len(decision.actions) > 1:
                self._look_for_forbidden(match)
            before, told, seat = tuple(match.history), len(match.events), decision.seat
            made, stood = match.find_action(let_choose(habits, match, decision, bots[seat])), match.position
            self._seen.clear()
            self._note_choice(match, made)
            match.apply(made)
            self._note_done(match, stood, before, told, seat, made.text)
            yield
        yield

    def _look_for_forbidden(self, match: Match) -> None:
        """Look for what rules forbid here: the more seldom, the longer that has told nothing new, since it is slow."""
        self._rest -= 1
        if self._rest >= 0:
            return
        known = len(self.found)
        lacking = sum(map(self._lacks, self.found))
        self._note_forbidden(match)
        is_new = len(self.found) > known or sum(map(self._lacks, self.found)) < lacking
        self._fruitless = 0 if is_new else self._fruitless + 1
        self._rest = min(self._fruitless, LONGEST_REST)

    def _note_forbidden(self, match: Match) -> None:
        """Take note of rules that keep the seat on turn from something, unless a lesson of them does already."""
        seat, seed, choices = match.find_seat(), match.seed, tuple(match.history)
        for reason, cards in self._host.guide(match):
            for rule in _list_cited(reason):
                if self._lacks(rule):
                    self.found[rule] = Lesson(rule, seed, choices, seat, barred=cards)
        for action in self._list_others(match):
            for rule in _list_cited(self._host.explain(match, action)):
                if self._lacks(rule):
                    self.found[rule] = Lesson(rule, seed, choices, seat, action=action)

    def _lacks(self, rule: str) -> bool:
        """Whether no lesson of a rule has been found in which it forbids something."""
        known = self.found.get(rule)
        return known is None or not (known.barred or known.action)

    def _list_others(self, match: Match) -> list[str]:
        """The actions that this decision is about and of which none can be taken now."""
        decide, decision = match.executor.find_decide(match.position), match.decision
        assert decide is not None and decision is not None
        program = self.game.program
        offered = {item.action for tier in program.decisions[decide.decision].tiers for item in tier.items}
        possible = {action.choice[0] for action in decision.actions if action.choice}
        return [program.actions[each].name for each in sorted(offered - possible)]

    def _note_choice(self, match: Match, made: Action) -> None:
        """Take note of what a choice is one of: an action, and the tier of the decision that leaves it."""
        decide, program = match.executor.find_decide(match.position), self.game.program
        if decide is None or not made.choice:
            return
        action, decision = program.actions[made.choice[0]], program.decisions[decide.decision]
        self._seen.update((action.clause, *(pick.clause for pick in action.picks)))
        if len(decision.tiers) > 1:
            tier, _ = match.executor.evaluator.legality.find_binding(decision, match.find_seat(), match.position)
            self._seen.update(() if tier is None else (tier.clause,))

    def _note_done(
        self, match: Match, stood: Position, before: tuple[str, ...], told: int, seat: int, made: str
    ) -> None:
        """Take note of the rules that were carried out since a choice, and of those about what it has changed."""
        if len(match.events) == told:
            return
        for zone, old, new in zip(self.game.names.zones, stood.zones, match.position.zones, strict=True):
            if old != new:
                self._seen.update(self._declared[f"zones.{zone[0].name}"])
        for state, was, now in zip(self.game.names.states, stood.states, match.position.states, strict=True):
            if was != now:
                self._seen.update(self._declared[f"state.{state[0].name}"])
        for clause in self._seen:
            own = self.game.program.clauses[clause].cite if made else ()
            for rule in self._citing[clause]:
                into = self.found if rule in own else self._near
                if rule not in self.found:
                    into.setdefault(rule, Lesson(rule, match.seed, before, seat, made))


def _list_cited(reason: Reason) -> tuple[str, ...]:
    """The rules by which something is forbidden, and those that would have allowed it."""
    return (*reason.cite, *(rule for way in reason.otherwise for rule in way.cite))


def _list_declared(program: ir.Program) -> dict[str, list[int]]:
    """The clauses of zones, states and pots by their path; those of definitions that are settled before the match."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, clause in enumerate(program.clauses):
        found[clause.path.replace("pots.", "state.")].append(number)
    found["settled"] = [each.clause for each in program.definitions if isinstance(each.body, ir.Const)]
    return found


def _list_citing(program: ir.Program) -> list[tuple[str, ...]]:
    """For each clause the numbered rules that it cites, or one that it is part of."""
    parents: dict[str, int] = {}
    for number, clause in enumerate(program.clauses):
        parents.setdefault(clause.path, number)  # the first of a path is the whole, the others its statements
    found = []
    for clause in program.clauses:
        parts = clause.path.split(".")
        above = [parents[path] for many in range(1, len(parts) + 1) if (path := ".".join(parts[:many])) in parents]
        cited = (*clause.cite, *(rule for number in above for rule in program.clauses[number].cite))
        found.append(tuple(dict.fromkeys(rule for rule in cited if rule in program.rules)))
    return found


class _Watched(ReferenceExecutor):
    """Notes the clauses of the statements that it carries out, and of the conditions and definitions that hold."""

    seen: set[int]

    def __init__(
        self,
        program: ir.Program,
        record: Record | None = None,
        *,
        like: ReferenceExecutor | None = None,
        **others: Any,
    ) -> None:
        super().__init__(program, record, trace=self._note, visit=self.seen.add, like=like, **others)

    def _note(self, expr: ir.Expr, value: object) -> None:
        if value in (None, False, 0, ()):
            return
        if type(expr) is ir.Named:
            self.seen.add(expr.clause)
        elif type(expr) is ir.Call:
            self.seen.add(self.program.definitions[expr.definition].clause)

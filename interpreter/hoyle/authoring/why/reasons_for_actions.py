"""Explains why an action is allowed or not.

In: a match at a decision, and an action as text. Out: an `Answer`: the verdict, the deciding clauses, what would have
to differ, the alternatives, and a full trace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.authoring.why.reasoning import Reasoned, Reasoning
from hoyle.base.dataclass import dataclass
from hoyle.play.engine.actions import list_readings, spell_actions
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import Choice, is_permitted, make_frame
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.express import say_condition

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match

MOST_READINGS = 50
MOST_INSTEAD = 12


@dataclass(frozen=True, slots=True)
class Step:
    """One check of an action: a clause and its result. `passed`: it does not forbid the action; `says` is the message
    of the clause for players; `speaks`: it is a rule for or against the action, as opposed to a pick or a tier that
    does not apply."""

    clause: ir.Clause
    says: str
    passed: bool
    reasons: tuple[Reasoned, ...] = ()
    speaks: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """The explanation of an action: `decided` is the clause that forbids it, or those that allow it; `steps` are all
    checks in order; `needs` is what would have to differ; `instead` are the alternatives; `rules` the rules cited. An
    action that is possible, but an error that others can call, is an `offence` and not `allowed`."""

    action: str
    seat: int
    allowed: bool
    offence: bool
    sentence: str
    decided: tuple[Step, ...]
    needs: tuple[str, ...]
    instead: tuple[str, ...]
    steps: tuple[Step, ...]
    rules: tuple[ir.Rule, ...]


def explain_action(match: Match, text: str, seat: int | None = None) -> Answer:
    """Explain an action at the current decision of a match, with what `seat` can see (None: everything). For a seat,
    everything offered counts as allowed, even errors, because whether it is one may depend on hidden cards. A text that
    is no action of the game raises `IllegalAction`."""
    executor, program, position = match.executor, match.game.program, match.position
    decide = executor.find_decide(position)
    found = match.decision
    if decide is None or found is None:
        from hoyle.play.engine.game import IllegalAction

        raise IllegalAction(match.explain(text))
    sight = executor.effects.sight
    reasoning = Reasoning(executor.evaluator, sight, position, seat)
    inquiry = _Inquiry(reasoning, program.decisions[decide.decision], found.seat)
    legal = [action.choice for action in found.actions]
    lawful = legal if seat is not None else [action.choice for action in match.list_lawful()]
    best: Answer | None = None
    for number, choice in enumerate(list_readings(program, sight, position, found.seat, text)):
        answer = inquiry.ask(match, choice, is_permitted(choice, legal), is_permitted(choice, lawful))
        if best is None or _weigh(answer) > _weigh(best):
            best = answer
        if answer.allowed or number == MOST_READINGS:
            break
    if best is None:
        from hoyle.play.engine.game import IllegalAction

        raise IllegalAction(match.explain(text))
    return best


def _weigh(answer: Answer) -> int:
    """Rank an answer by how near the action came to being legal: a card code can stand for several cards, and the
    explanation is for the nearest one."""
    return (answer.allowed and 1000) + sum(step.passed for step in answer.steps)


class _Inquiry:
    """Runs all checks of an action at one decision."""

    def __init__(self, reasoning: Reasoning, decision: ir.Decision, seat: int) -> None:
        self.reasoning = reasoning
        self.program = reasoning.program
        self.decision = decision
        self.seat = seat
        self.needs: list[str] = []

    def ask(self, match: Match, choice: Choice, offered: bool, allowed: bool) -> Answer:
        self.needs = []
        action = self.program.actions[choice[0]] if choice else None
        steps = self._ask_all(action, choice) if action is not None else self._ask_declining()
        blocking = next((step for step in steps if not step.passed), None)
        shown = spell_actions(self.program, match.game.names, match.position, [choice])[0].text
        if allowed:
            told = [step for step in steps if step.reasons or step.clause.cite]
            decided = tuple([step for step in told if step.speaks] or told)
            sentence = f"{shown} is allowed"
        else:
            decided = (blocking,) if blocking is not None else ()
            sentence = f"{shown} " + ("can be done, but is an error" if offered else "is not allowed")
            sentence += f": {blocking.says}" if blocking and blocking.says else ""
        cited = dict.fromkeys(rule for step in decided for rule in step.clause.cite)
        return Answer(
            shown,
            self.seat,
            allowed,
            offered and not allowed,
            sentence,
            decided,
            tuple(dict.fromkeys(self.needs)) if not allowed else (),
            _list_instead(match) if not allowed else (),
            tuple(steps),
            tuple(self.program.rules[rule] for rule in cited if rule in self.program.rules),
        )

    def _clause(self, number: int) -> ir.Clause:
        return self.program.clauses[number]

    def _ask_declining(self) -> list[Step]:
        clause = self._clause(self.decision.clause)
        if not self.decision.optional:
            self.needs.append("declining would have to be offered: `… may choose …`")
        return [Step(clause, "" if self.decision.optional else "declining is not offered here", self.decision.optional)]

    def _ask_all(self, action: ir.Action, choice: Choice) -> list[Step]:
        """Run the checks of picks, conditions and tiers in evaluation order, up to the first that forbids."""
        frame = make_frame(action, self.seat)
        steps: list[Step] = []
        offered = [self.program.actions[item.action] for tier in self.decision.tiers for item in tier.items]
        if not any(each is action for each in offered):
            names = dict.fromkeys(each.name for each in offered)
            self.needs.append(f"what is offered here is {', '.join(names)}")
            return [Step(self._clause(self.decision.clause), f"`{action.name}` is not offered here", False)]
        for depth, pick in enumerate(action.picks):
            step = self._ask_pick(pick, depth, choice[depth + 1], frame)
            steps.append(step)
            if not step.passed:
                return steps
            frame[depth + 1] = choice[depth + 1]
        for lacks, conditions in (("possible", action.possible), ("allowed", action.allowed)):
            for condition in conditions:
                tree = self.reasoning.explain(condition, frame)
                clause = self._clause(condition.clause)
                says = clause.text
                if not tree.truth:
                    says = say_condition(condition, self.program) or f"`{action.name}` is not {lacks}"
                steps.append(Step(clause, says, bool(tree.truth), (tree,)))
                if not tree.truth:
                    self.needs += self.reasoning.require(condition, frame)
                    return steps
        return [*steps, *self._ask_tiers(action, frame)]

    def _ask_pick(self, pick: ir.Pick, depth: int, value: object, frame: list[object]) -> Step:
        reasoning, legality = self.reasoning, self.reasoning.evaluator.legality
        clause = self._clause(pick.clause)
        if pick.least is not None:
            numbers = legality.find_range(pick, reasoning.position, frame)
            inside = isinstance(value, int) and value in numbers
            bounds = f"{numbers[0]} to {numbers[-1]}" if numbers else "nothing"
            if not inside:
                self.needs.append(f"`{pick.name}` would have to be {bounds}")
            says = "" if inside else f"`{pick.name}` must be {bounds}"
            return Step(clause, says, inside, (Reasoned(reasoning.say(pick.source), bounds, None),), not inside)
        source = reasoning.evaluator.elements(pick.source, reasoning.position, frame)
        parts = value if pick.low is not None and isinstance(value, tuple) else (value,)
        tree = Reasoned(reasoning.say(pick.source), reasoning.name(pick.source.type, source), None)
        kind = pick.type.of if pick.low is not None and pick.type.of is not None else pick.type
        for part in parts:
            name = reasoning.name_asked(kind, part)
            if part not in source:
                self.needs.append(f"{name} would have to be in `{reasoning.say(pick.source)}`")
                return Step(clause, f"{name} is not in `{reasoning.say(pick.source)}`", False, (tree,))
            frame[depth + 1] = part
            if pick.where is not None and not reasoning.evaluator.holds(pick.where, reasoning.position, frame):
                self.needs += reasoning.require(pick.where, frame)
                where = reasoning.explain(pick.where, frame)
                return Step(clause, f"{name} cannot be chosen: `{where.text}` is not so", False, (where,))
        if pick.low is not None:
            low, high = legality.count_range(pick, len(source), reasoning.position, frame)
            if not low <= len(parts) <= high:
                wanted = str(low) if low == high else f"{low} to {high}"
                self.needs.append(f"`{pick.name}` would have to be {wanted}, not {len(parts)}")
                return Step(clause, f"`{pick.name}` must be {wanted}, not {len(parts)}", False, (tree,))
        return Step(clause, "", True, (tree,), False)

    def _ask_tiers(self, action: ir.Action, frame: list[object]) -> list[Step]:
        """Check which tier is binding, and whether it offers the action."""
        reasoning, legality = self.reasoning, self.reasoning.evaluator.legality
        steps: list[Step] = []
        closed: list[str] = []  # conditions of inactive tiers that offer the action
        for tier in self.decision.tiers:
            clause = self._clause(tier.clause)
            mine = [item for item in tier.items if self.program.actions[item.action] is action]
            if tier.when is not None:
                opening: list[object] = [self.seat, *[None] * self.decision.frame]
                when = reasoning.explain(tier.when, opening)
                if not when.truth:
                    closed += reasoning.require(tier.when, opening) if mine else []
                    last = mine and tier is self.decision.tiers[-1]
                    steps.append(Step(clause, "passed over", not last, (when,), bool(last)))
                    continue
            tests = [reasoning.explain(item.where, frame) for item in mine if item.where is not None]
            if mine and (len(tests) < len(mine) or any(test.truth for test in tests)):
                return [*steps, Step(clause, "", True, tuple(tests))]
            binding = next((choice for choice in legality.list_tier(tier, self.seat, reasoning.position)), None)
            if binding is not None:
                for item in mine:
                    if item.where is not None:
                        self.needs += reasoning.require(item.where, frame)
                if not mine:
                    blocking = "what stands in the way would have to be impossible or not allowed"
                    self.needs.append(f"either {' and '.join(closed)}, or {blocking}" if closed else blocking)
                first = f"`{self.program.actions[binding[0]].name}`" if binding else "something else"
                says = clause.text or f"{first} comes first, and can be done"
                return [*steps, Step(clause, says, False, tuple(tests))]
            steps.append(Step(clause, "nothing of it can be done", True, tuple(tests), False))
        self.needs += closed
        return [*steps, Step(self._clause(self.decision.clause), "not offered here", False)]


def _list_instead(match: Match) -> tuple[str, ...]:
    try:
        decision = match.decision
    except Fault:
        return ()
    found = [action.text for action in decision.actions] if decision is not None else []
    more = len(found) - MOST_INSTEAD
    return (*found[:MOST_INSTEAD], *([f"and {more} more"] if more > 0 else []))

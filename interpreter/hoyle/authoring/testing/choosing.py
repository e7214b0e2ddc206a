"""Makes the choices of an example: those listed, and those of a policy for all seats.

In: `do`, `policy` and `until` of an example. Out: the match, played on; the choices in the log of the scene.
"""

from __future__ import annotations

import re
from collections import abc
from collections.abc import Iterator

from hoyle.authoring.testing.action_texts import check_text, list_choices, tell_where_offered
from hoyle.authoring.testing.scenes import LoggedChoice, Scene
from hoyle.authoring.testing.vocabulary import Word
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report, did_you_mean
from hoyle.base.effort import spend
from hoyle.language.document.nodes import Mapping, Scalar, Sequence
from hoyle.language.queries import read_menu
from hoyle.play.engine.actions import spell_choice
from hoyle.play.engine.executor import EVALUATED_IN_STEP
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import IllegalAction
from hoyle.play.engine.legality import DECLINED, Choice, take_least
from hoyle.play.view.names import holds_cards
from hoyle.program.ir import nodes as ir

MOST_CHOICES = 20_000
_DONE = re.compile(r"(?:seat +)?(?P<seat>\S+)\s+(?P<action>\S.*)", re.DOTALL)
_COUNTED = re.compile(r"(\d{1,5}) choices?")


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop: after a number of rounds (0: no limit), when a step begins or, if `to_end`, ends, after a number of
    choices (-1: no limit)."""

    rounds: int = 0
    step: str | None = None
    to_end: bool = False
    most: int = -1


def make_choices(scene: Scene, stage: Mapping) -> None:
    """Make the choices under `do`, then those of the policy."""
    done, policy, until = stage.get("do"), stage.get("policy"), stage.get("until")
    nodes = [node for node in done if isinstance(node, Scalar)] if isinstance(done, Sequence) else []
    limit: Limit | None = None
    if not isinstance(policy, Scalar) and isinstance(until, Scalar) and nodes:
        limit = _read_until(scene, until)
        if limit is None:
            return
    for node in nodes:
        last = limit is not None and node is nodes[-1]
        if not _make_choice(scene, node, limit if last else None):
            return
    if limit is not None and limit.step is not None and isinstance(until, Scalar) and not scene.stopped:
        how = "end" if limit.to_end else "begin"
        scene.fail("step-not-reached", f"the step `{limit.step}` does not {how} after these choices", until.span)
    if isinstance(policy, Scalar):
        _follow_policy(scene, policy, until)


def _close_window(scene: Scene, node: Scalar) -> bool:
    """Execute `all decline`: every seat that is asked declines, until the response window closes."""
    try:
        scene.match.run()
        while (decision := scene.match.decision) is not None and decision.window:
            _apply(scene, DECLINED)
    except Fault as fault:
        scene.fail_by_fault(fault, node.span)
        return False
    return True


def _make_choice(scene: Scene, node: Scalar, limit: Limit | None = None) -> bool:
    if " ".join(node.text.split()) == "all decline":
        return _close_window(scene, node)
    found = _DONE.fullmatch(node.text.strip())
    if found is None or not found.group("seat").isdecimal():
        scene.fail("bad-choice", f"`{node.text}` does not say who chooses what", node.span,
                   hint=("write the seat and the action: `1 play C7`",))  # fmt: skip
        return False
    seat = scene.words.read_seat(Word(found.group("seat"), node.span))
    text = " ".join(found.group("action").split())
    if seat is None or not check_text(scene.words, text, node.span):
        return False
    try:
        scene.match.run()
        decision = scene.match.decision
        if decision is None:
            scene.fail("wrong-seat", "the match is over; nobody is to choose", node.span)
            return False
        if decision.seat != seat:
            offered = list_choices(decision.actions)
            scene.fail("wrong-seat", f"seat {decision.seat} is to choose, not seat {seat}", node.span, detail=offered)
            return False
        chosen = scene.match.find_action(text)
        scene.stopped = _apply(scene, chosen.choice, limit)
    except IllegalAction as illegal:
        decision = scene.match.decision
        offered = list_choices(decision.actions) if decision else ""
        scene.fail("choice-refused", f"seat {seat} may not `{text}`", node.span,
                   detail=f"{illegal.refusal}\n{offered}", hint=tell_where_offered(scene, text))  # fmt: skip
        return False
    except Fault as fault:
        scene.fail_by_fault(fault, node.span)
        return False
    return True


def _apply(scene: Scene, choice: Choice, limit: Limit | None = None, legal: abc.Sequence[Choice] | None = None) -> bool:
    """Make a choice and run to the next decision, or to the step of `limit`; return whether that step was reached."""
    match = scene.match
    seat, heard = match.find_seat(), len(match.events)
    text = spell_choice(scene.game.program, scene.game.names, choice, match.position)
    match.executor.apply(match.position, choice, legal)
    stop = match.executor.run(match.position, limit.step, to_end=limit.to_end) if limit else match.executor.run(
        match.position
    )
    match.history.append(text)
    scene.log.append(LoggedChoice(seat, text, tuple(_list_got(scene, seat, heard))))
    return stop == "step"


def _list_got(scene: Scene, seat: int, heard: int) -> Iterator[str]:
    """Yield the cards that came into zones of the seat, up to the end of the round (a new deal does not count)."""
    names = scene.game.names
    for event in scene.match.events[heard:]:
        if event.name == "round_ended":
            return
        if event.name == "moved" and names.zones[event.data["zone"]][1] == seat:
            for card, source in zip(event.data["cards"], event.data["source"], strict=True):
                if names.zones[source][1] != seat:
                    yield names.name_card(card)


# ------------------------------------------------------------------------------------------------ policies
def _follow_policy(scene: Scene, node: Scalar, until: object) -> None:
    policy = _read_policy(scene, node)
    limit = _read_until(scene, until if isinstance(until, Scalar) else None)
    if policy is None or limit is None:
        return
    match = scene.match
    began = match.rounds
    try:
        match.run()
        for number in range(MOST_CHOICES):
            if match.is_over or (limit.rounds and match.rounds - began >= limit.rounds) or number == limit.most:
                return
            legal = match.executor.list_legal(match.position)
            choice = _choose(scene, policy, legal)
            if choice is None:
                decision = match.decision
                scene.fail("policy-stuck", f"the policy names nothing that seat {match.find_seat()} may do", node.span,
                           detail=list_choices(decision.actions) if decision else "")  # fmt: skip
                return
            if _apply(scene, choice, limit, legal):
                return
        scene.fail("policy-stuck", f"after {MOST_CHOICES} choices there is no end", node.span)
    except Fault as fault:
        scene.fail_by_fault(fault, node.span)


def _read_policy(scene: Scene, node: Scalar) -> ir.Decision | None:
    if node.escaped:
        scene.fail("escaped-text", "rule texts may not hold backslash escapes", node.span,
                   hint=("write the text plainly, in single quotes or as a `>` block",))  # fmt: skip
        return None
    report = Report()
    policy = read_menu(scene.table.rules, node.body, report)
    scene.merge(report)
    return policy


def _read_until(scene: Scene, node: Scalar | None) -> Limit | None:
    text = " ".join(node.text.split()) if node is not None else "round over"
    counted = _COUNTED.fullmatch(text)
    if counted:
        return Limit(most=int(counted.group(1)))
    if text in ("round over", "match over"):
        return Limit(rounds=int(text == "round over"))
    steps = [step.name for step in scene.game.program.steps]
    name = text.removeprefix("end of ")
    if name in steps:
        return Limit(step=name, to_end=name != text)
    assert node is not None
    known = ["round over", "match over", *steps, *(f"end of {step}" for step in steps)]
    scene.fail("bad-until", f"`{text}` is no end of a play-out", node.span,
               hint=did_you_mean(text, known)
               or ("`round over`, `match over`, `5 choices`, the name of a step, or `end of` one",))  # fmt: skip
    return None


def _choose(scene: Scene, policy: ir.Decision, legal: abc.Sequence[Choice]) -> Choice | None:
    """Choose by the policy: from its first tier with a legal choice, the one whose first card lies lowest; otherwise
    decline if possible, else None."""
    match = scene.match
    seat = match.find_seat()
    legality = match.executor.evaluator.legality
    for tier in policy.tiers:
        match.executor.evaluator.begin()
        if not legality.is_open(policy, tier, seat, match.position):
            continue
        fitting = [choice for choice in legal if any(_fits(scene, item, seat, choice) for item in tier.items)]
        if fitting:
            return take_least(min(fitting, key=lambda choice: _lowest(scene, choice)))
    return DECLINED if DECLINED in legal else None


def _fits(scene: Scene, item: ir.Item, seat: int, choice: Choice) -> bool:
    if not choice or choice[0] != item.action:
        return False
    action = scene.game.program.actions[item.action]
    # A condition of the policy may need a larger frame than the conditions of the game do.
    size = max(action.frame, scene.table.rules.menus.parts[action.name].frame.size)
    frame = [seat, *choice[1:], *[None] * size]
    evaluator = scene.match.executor.evaluator
    evaluator.begin()
    try:
        return evaluator.holds(item.where, scene.match.position, frame)
    finally:
        spend(1 + evaluator.spent // EVALUATED_IN_STEP)


def _lowest(scene: Scene, choice: Choice) -> int:
    """Sort key: the place in its zone of the first card chosen; choices without a card come last."""
    picks = scene.game.program.actions[choice[0]].picks
    for pick, value in zip(picks, choice[1:], strict=True):
        if holds_cards(pick.type) and value not in (None, ()):
            return scene.match.position.find(value[0] if isinstance(value, tuple) else value)[1]
    return len(scene.game.program.cards)

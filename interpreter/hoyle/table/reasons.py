"""Why something is not allowed, in the language of the table.

In: a refusal of the engine; or a card of the seat that is to choose. Out: a `Reason`. In another language than the
file's, only sentences that have a translation are shown: nothing is mixed. """

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from hoyle.engine.actions import Action, type_of_pick
from hoyle.engine.legality import Choice, make_frame
from hoyle.engine.refusals import Refusal
from hoyle.ir import nodes as ir
from hoyle.table.model import CitedRule, Otherwise, Reason, Value
from hoyle.table.speaking import Speaker

if TYPE_CHECKING:
    from hoyle.engine.game import Match

MOST_TRIED = 500


def make_reason(refusal: Refusal, speaker: Speaker) -> Reason:
    """A refusal in words for a seat."""
    locale = speaker.locale
    own = locale.language == locale.program.language
    rules = locale.program.rules
    return Reason(
        speaker.begin(_say(refusal, speaker)),
        refusal.path,
        refusal.cite,
        tuple(tell_rule(rules[cited], speaker) for cited in refusal.cite if cited in rules),
        tuple(Value(text, speaker.value(value)) for text, value in refusal.values) if own else (),
        tuple(
            Otherwise(
                way.path,
                way.text,
                way.cite,
                tuple(Value(text, speaker.value(value)) for text, value in way.values),
            )
            for way in refusal.alternatives
        )
        if own
        else (),
    )


def tell_rule(rule: ir.Rule, speaker: Speaker) -> CitedRule:
    """A numbered rule; its text is empty where it has none in the language."""
    locale = speaker.locale
    return CitedRule(rule.id, locale.translate(rule.text), rule.place, rule.status)


def _say(refusal: Refusal, speaker: Speaker) -> str:
    if not refusal.phrase:
        return speaker.locale.translate(refusal.text) or speaker.say("refused")
    parts = {
        name: speaker.locale.action(part) if name == "action" else speaker.value(part) if name == "value" else part
        for name, part in refusal.parts
    }
    return speaker.fill(speaker.locale.get_phrase(refusal.phrase), None, **parts)


# ------------------------------------------------------------------------------------------------ one card
def explain_card(match: Match, card: int) -> Refusal | None:
    """Why the seat that is to choose can do nothing with a card; None if it can. Of the actions offered here it speaks
    of the one that came nearest to being legal."""
    decide = match.executor.find_decide(match.position)
    decision = match.decision
    if decide is None or decision is None:
        return None
    if any(_holds(action.choice, card, match.game.program) for action in decision.actions):
        return None
    program = match.game.program
    offered = dict.fromkeys(item.action for tier in program.decisions[decide.decision].tiers for item in tier.items)
    best: tuple[int, Refusal] | None = None
    for number in offered:
        for choice in islice(_list_with(match, number, card), MOST_TRIED):
            refusal = match.explain(Action(program.actions[number].name, {}, "", choice))
            weight = _weigh(refusal)
            if best is None or weight > best[0]:
                best = weight, refusal
    return best[1] if best is not None else None


def _weigh(refusal: Refusal) -> int:
    """How near a choice came to being legal: a pick that is not there is farthest, a condition nearest."""
    if ".choose." in f".{refusal.path}.":
        return 1 if refusal.values else 0
    return 3 if refusal.cite or not refusal.phrase else 2


def _holds(choice: Choice, card: int, program: ir.Program) -> bool:
    """Whether a choice names the card, or one that looks the same."""
    face = program.cards[card].face
    picks = program.actions[choice[0]].picks if choice else ()
    for pick, value in zip(picks, choice[1:], strict=True):
        kind = type_of_pick(pick)
        cards = (value,) if kind.kind == "card" else value if kind.of is not None and kind.of.kind == "card" else ()
        if any(program.cards[each].face == face for each in cards):
            return True
    return False


def _list_with(match: Match, action: int, card: int) -> Iterator[Choice]:
    """Choices of an action that name the card in one pick, with everything the other picks could be."""
    program, position = match.game.program, match.position
    declared = program.actions[action]
    legality = match.executor.evaluator.legality
    frame = make_frame(declared, match.find_seat())
    domains: list[list[Any]] = []
    for depth, pick in enumerate(declared.picks):
        kind = type_of_pick(pick)
        if pick.least is not None:
            domains.append([0])
        elif kind.kind == "card":
            domains.append([card])
        elif kind.kind == "list" and kind.of is not None and kind.of.kind == "card":
            domains.append([(card,)])
        elif kind.kind == "list":
            return
        else:
            domains.append(list(legality.list_candidates(pick, depth, position, frame)))
        if domains[-1]:
            frame[depth + 1] = domains[-1][0]
    if any([card] == domain or [(card,)] == domain for domain in domains):
        for picks in product(*domains):
            yield (action, *picks)

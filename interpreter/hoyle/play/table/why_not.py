"""Explains why something is not allowed, in the language of the table.

In: a refusal of the engine; or a card or action of the deciding seat. Out: a `Reason`. In a language other than the
file's, only translated sentences appear, so that languages never mix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from hoyle.play.engine.actions import Action, type_of_pick
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import Choice, make_frame
from hoyle.play.engine.offering import list_entries, list_members
from hoyle.play.engine.refusals import Refusal
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import CitedRule, Otherwise, Reason, Value
from hoyle.play.view.names import holds_cards
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match

# Refusals that name an expression of the rule file, and how they are said at a table.
_PLAIN = {"refused_from": "refused_pick", "refused_where": "refused_pick", "refused_only": "refused_here"}
MOST_TRIED, TIPPED = 500, 12  # choices; TIPPED are tried of each card where nobody has asked about it


def make_reason(refusal: Refusal, speaker: Speaker) -> Reason:
    """Format a refusal for a seat."""
    locale = speaker.locale
    own = locale.language == locale.program.language
    rules = locale.program.rules
    cited = [*refusal.cite, *(each for way in refusal.alternatives for each in way.cite)]
    return Reason(
        speaker.begin(_say(refusal, speaker)),
        refusal.path,
        refusal.cite,
        tuple(tell_rule(rules[each], speaker) for each in dict.fromkeys(cited) if each in rules),
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
        refusal.cards,
        locale.translate(refusal.sentence) if refusal.sentence != refusal.text else "",
    )


def tell_rule(rule: ir.Rule, speaker: Speaker) -> CitedRule:
    """Localize a numbered rule; its text is empty without a translation."""
    locale = speaker.locale
    return CitedRule(rule.id, locale.translate(rule.text), rule.place, rule.status)


def _say(refusal: Refusal, speaker: Speaker) -> str:
    """Say a refusal; one that names an expression of the rule file, by the sentence of its clause."""
    locale = speaker.locale
    if not refusal.phrase:
        return locale.translate(refusal.text) or speaker.say("refused")
    parts = {
        name: locale.action(part) if name == "action" else speaker.value(part) if name == "value" else part
        for name, part in refusal.parts
    }
    said = speaker.fill(locale.get_phrase(_PLAIN.get(refusal.phrase, refusal.phrase)), None, **parts)
    if refusal.phrase not in _PLAIN or ".choose." not in refusal.path:
        return said
    texts = (clause.text for clause in locale.program.clauses if clause.path == refusal.path)
    sentence = locale.translate(next(texts, ""))
    return speaker.say("called", text=said, called=sentence) if sentence else said


# ------------------------------------------------------------------------------------------------ cards and actions
def explain_card(match: Match, card: int, most: int = MOST_TRIED) -> Refusal | None:
    """Explain why the deciding seat cannot use a card; None if it can. The refusal is that of the choice, among the
    actions of this decision, that came nearest to being legal."""
    decide = match.executor.find_decide(match.position)
    decision = match.decision
    if decide is None or decision is None:
        return None
    program = match.game.program
    offered = dict.fromkeys(item.action for tier in program.decisions[decide.decision].tiers for item in tier.items)
    by_rank = not any(holds_cards(pick.type) for action in offered for pick in program.actions[action].picks)
    if any(_holds(choice, card, program, by_rank=by_rank) for choice in list_entries(decision.choices)):
        return None
    choices = (choice for action in offered for choice in _list_choices(match, action, card))
    return _find_nearest(match, choices, most)


def list_tips(match: Match, cards: Sequence[int]) -> list[tuple[Refusal, list[int]]]:
    """The sentences of the file that keep the deciding seat from something now, each with those of these cards that it
    is about: what somebody who learns the game is to be told before trying it."""
    found: dict[str, tuple[Refusal, list[int]]] = {}
    for card in cards:
        refusal = explain_card(match, card, TIPPED)
        if refusal is not None and refusal.text and not refusal.phrase:
            found.setdefault(refusal.text, (refusal, []))[1].append(card)
    return list(found.values())


def explain_action(match: Match, name: str) -> Refusal | None:
    """Explain why the deciding seat cannot take an action in any form; None if it can."""
    decision = match.decision
    if decision is None or any(
        choice and match.game.program.actions[choice[0]].name == name for choice in list_entries(decision.choices)
    ):
        return None
    number = next(at for at, action in enumerate(match.game.program.actions) if action.name == name)
    return _find_nearest(match, _list_choices(match, number, None), MOST_TRIED)


def _find_nearest(match: Match, choices: Iterator[Choice], most: int) -> Refusal | None:
    """Return the refusal of the choice that came nearest to being legal, among the first `most`."""
    refusals = (match.explain(Action("", {}, "", choice)) for choice in islice(choices, most))
    return max(refusals, key=_weigh, default=None)


def _weigh(refusal: Refusal) -> int:
    """Rank a refusal by how near its choice came to being legal: a pick that is not available is farthest, a failed
    condition nearest."""
    if ".choose." in f".{refusal.path}.":
        return 1 if refusal.values else 0
    return 3 if refusal.cite or not refusal.phrase else 2


def find_ranking(kind: Type, program: ir.Program) -> ir.CardAttribute | None:
    """Return the attribute that a pick of this type names, if it is numeric, a rank. Suits do not count: naming a rank
    refers to cards held, naming a suit (as trumps) need not."""
    return next((each for each in program.attributes if kind.kind == "number" and each.type == kind), None)


def _find_rank(kind: Type, card: int, program: ir.Program) -> int | None:
    """Return the rank of a card, if picks of this type name ranks."""
    ranking = find_ranking(kind, program)
    return ranking.table[card] if ranking is not None else None


def _holds(choice: Choice, card: int, program: ir.Program, *, by_rank: bool) -> bool:
    """Whether a choice picks the card or one with the same face, or, with `by_rank`, names its rank."""
    face = program.cards[card].face
    picks = program.actions[choice[0]].picks if choice else ()
    for pick, value in zip(picks, choice[1:], strict=True):
        kind = type_of_pick(pick)
        if by_rank and value == _find_rank(kind, card, program):
            return True
        of_cards = kind.kind == "card" or (kind.of is not None and kind.of.kind == "card")
        cards = list_members(value) if of_cards else ()
        if any(program.cards[each].face == face for each in cards):
            return True
    return False


def _list_choices(match: Match, action: int, card: int | None) -> Iterator[Choice]:
    """Enumerate candidate choices of an action, legal or not. With a card, every card pick is this card, available or
    not; an action without card picks names its rank instead, or yields nothing."""
    program, position = match.game.program, match.position
    declared = program.actions[action]
    named = any(holds_cards(pick.type) for pick in declared.picks)
    ranked = False
    ranks = [_find_rank(type_of_pick(pick), card, program) for pick in declared.picks] if card is not None else []
    if card is not None and not named and set(ranks) <= {None}:
        return
    evaluator = match.executor.evaluator
    frame = make_frame(declared, match.find_seat())
    domains: list[list[Any]] = []
    for depth, pick in enumerate(declared.picks):
        kind = type_of_pick(pick)
        of_cards = kind.kind == "card" or (kind.of is not None and kind.of.kind == "card")
        try:
            values = [card] if card is not None and of_cards else list(evaluator.elements(pick.source, position, frame))
        except Fault:
            return  # more numbers than can be listed
        if pick.least is not None:
            values = [0]
        rank = _find_rank(kind, card, program) if card is not None and not named and not ranked else None
        if rank is not None:
            values, ranked = [rank], True
        domains.append([(value,) for value in values] if kind.kind == "list" else values)
        if domains[-1]:
            frame[depth + 1] = domains[-1][0]
    for picks in product(*domains):
        yield (action, *picks)

"""Numbered rules as questions that a page asks at a small table.

In: a game, and the number of a rule. Out: the position of its lesson as a seat sees it, the question, and the answers,
which are the engine's. Everything here runs in a thread of its own, with a game of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.front.web.answers import cite_rules, spell_news
from hoyle.lab.bots.teaching import Lesson, Teacher
from hoyle.play.engine.game import Game, Match
from hoyle.play.table import Host, find_way

LOOKING = 12.0  # seconds for which positions are played


def find_lesson(teacher: Teacher, rule: str) -> Lesson | None:
    return teacher.find(rule, LOOKING)


def tell_lesson(game: Game, lesson: Lesson, language: str, names: Sequence[str]) -> dict[str, object]:
    """A lesson as plain data. A card that the rule forbids, or an action, is asked about; or else what follows."""
    match, host = game.new(lesson.seed), Host(game, language, names)
    for choice in lesson.choices:
        match.apply(choice)
    said: dict[str, object] = {"rule": lesson.rule, "seat": lesson.seat, "answers": [], "reason": None, "news": []}
    said["view"] = host.see(match, lesson.seat, len(match.events)).to_json()
    if lesson.barred:
        return {**said, "asks": "cards", "answers": list(list_answers(match, host))}
    if lesson.action:
        reason = cite_rules(host.explain(match, lesson.action), host).to_json()
        return {**said, "asks": "action", "what": host.locale.action(lesson.action), "reason": reason}
    told = len(match.events) if lesson.made else 0
    if lesson.made:
        said["what"] = _spell(match, host, lesson)
        match.apply(lesson.made)
    news = [spell_news(each) for each in host.tell(match, lesson.seat, told)]
    later = host.see(match, lesson.seat, len(match.events)).to_json()
    return {**said, "asks": "follows" if lesson.made else "begins", "news": news, "later": later}


def _spell(match: Match, host: Host, lesson: Lesson) -> str:
    """The choice of a lesson in the words of the table."""
    decision, menu = match.decision, host.see(match, lesson.seat, len(match.events)).menu
    assert decision is not None and menu is not None
    way = find_way(menu, decision.place(match.find_action(lesson.made).choice))
    return way[1].text if way is not None else ""  # to decline has no words of its own


def list_answers(match: Match, host: Host) -> Iterator[dict[str, object]]:
    """For each card that the seat on turn holds and sees: whether something can be done with it, or why not."""
    seat = match.find_seat()
    table = host.see(match, seat, len(match.events))
    usable = {(item.zone, place) for item in (table.menu.items if table.menu is not None else ()) if item.kind == "card"
              for place in item.places}  # fmt: skip
    for zone in table.zones:
        for place, card in enumerate(zone.cards if zone.owner == seat else ()):
            if (zone.id, place) in usable:
                yield {"zone": zone.id, "place": place, "reason": None}
            elif card is not None and (reason := host.explain_card(match, zone.id, place)) is not None:
                yield {"zone": zone.id, "place": place, "reason": cite_rules(reason, host).to_json()}

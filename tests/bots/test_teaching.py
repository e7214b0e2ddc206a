"""Numbered rules as questions: positions in which they decide, and answers that are the engine's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import hoyle
from hoyle.base.shipped import find_game
from hoyle.front.web.lessons import list_answers, tell_lesson
from hoyle.lab.bots.teaching import Lesson, Teacher
from hoyle.language.library import describe
from hoyle.play.engine.game import Game, Match
from hoyle.play.engine.legality import Choice
from hoyle.play.table import Host
from hoyle.play.view.names import holds_cards

BOOKLETS = ["bonus-20", "bunco", "cribbage", "bi-jinx", "bonanza"]


def stand_at(game: Game, lesson: Lesson) -> Match:
    match = game.new(lesson.seed)
    for choice in lesson.choices:
        match.apply(choice)
    return match


def ask(game: Game, lesson: Lesson) -> int:
    """Ask about every card of a position; the number of questions. Its answers are those of the legal choices."""
    match = stand_at(game, lesson)
    decision, host, asked = match.decision, Host(game), 0
    assert decision is not None and decision.seat == lesson.seat
    # Of cards with equal faces one is offered.
    usable = {game.names.name_card(card) for each in decision.actions for card in _list_cards(game, each.choice)}
    numbers = {game.names.spell_zone(number): number for number in range(len(game.names.zones))}
    for answer in list_answers(match, host):
        pile = match.position.zones[numbers[str(answer["zone"])]]
        if len(pile) == len(host.see(match, lesson.seat).find_zone(str(answer["zone"])).cards):
            card = game.names.name_card(pile[int(str(answer["place"]))])
            assert (answer["reason"] is None) == (card in usable), (lesson, answer)
            asked += 1
    return asked


def _list_cards(game: Game, choice: Choice) -> Iterator[int]:
    for pick, part in zip(game.program.actions[choice[0]].picks if choice else (), choice[1:], strict=True):
        if holds_cards(pick.type):
            yield from part if isinstance(part, tuple) else (part,)


def test_a_rule_is_shown_where_it_forbids_something_or_is_carried_out() -> None:
    game = hoyle.load("bonus-20")
    teacher = Teacher(game)
    assert teacher.find("BONUS-15", 60.0) is not None
    assert any(lesson.barred or lesson.action for lesson in teacher.found.values())
    for lesson in teacher.found.values():
        told = tell_lesson(game, lesson, "en", ["Ash", "Bay", "Cole", "Dee"])
        if lesson.barred:
            cited = {rule for each in told["answers"] if each["reason"]  # type: ignore[attr-defined]
                     for way in (each["reason"], *each["reason"]["otherwise"]) for rule in way["cite"]}  # fmt: skip
            assert lesson.rule in cited and ask(game, lesson) > 0
        elif not lesson.action:
            assert told["news"], lesson
    assert teacher.find("no such rule", 60.0) is None


@pytest.mark.slow
def test_nearly_every_cited_rule_of_the_booklets_has_a_lesson() -> None:
    cited, lacking = 0, list[str]()
    for name in BOOKLETS:
        path = find_game(name)
        info = describe(path)[0] if path is not None else None
        assert info is not None
        low, high = info.usual
        teachers = [Teacher(hoyle.load(name, players=players)) for players in sorted({low, min(4, high)})]
        rules = frozenset[str]().union(*(teacher.rules for teacher in teachers))
        cited += len(rules)
        lacking += [rule for rule in sorted(rules) if not any(teacher.find(rule, 20.0) for teacher in teachers)]
    print(f"lessons for {cited - len(lacking)} of {cited} rules; none for", *lacking)
    assert len(lacking) <= 0.05 * cited, lacking


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKLETS)
def test_two_thousand_questions_are_answered_as_the_engine_does(name: str) -> None:
    game, asked = hoyle.load(name), 0
    for seed in range(200):
        match, begun = game.new(seed), asked
        while match.decision is not None and asked < begun + 60:
            if len(match.decision.actions) > 1:
                asked += ask(game, Lesson("", seed, tuple(match.history), match.find_seat()))
            match.apply(match.decision.choice(seed * 7 % match.decision.count))
        if asked >= 2_000:
            return
    raise AssertionError(f"only {asked} questions came up")

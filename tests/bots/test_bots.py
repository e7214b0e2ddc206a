"""Bots that think: they play every game, see nothing hidden, replay by their seed, and win."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import hoyle
from every_game import SAMPLES, choose, each_game, list_players, load
from hoyle.front.cli.app import run
from hoyle.lab.bots import BotError, find_bot, let_choose, make_bots
from hoyle.lab.bots.rollout import list_rungs
from hoyle.lab.bots.search import SearchBot
from hoyle.play.engine.habits import Habits

THINKING = ("greedy", "search:6")


def play(game: hoyle.Game, names: str, seed: int, most: int = 10_000) -> hoyle.Match:
    match, bots, habits = game.new(seed), make_bots(names, seed, game.players), Habits(0.0, seed)
    for _ in range(most):
        decision = match.decision
        if decision is None:
            break
        match.apply(let_choose(habits, match, decision, bots[decision.seat]))
    return match


def count_wins(game: hoyle.Game, one: str, other: str, deals: int) -> float:
    """The share of matches that one bot wins from another, each deal played from both sides."""
    won = 0.0
    for deal in range(deals):
        for names in (f"{one},{other}", f"{other},{one}"):
            match = play(game, names, deal)
            seat = names.split(",").index(one)
            won += (seat in match.winners) / len(match.winners)
    return won / (2 * deals)


@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_bots_that_think_play_every_sample_whatever_is_hidden(path: Path) -> None:
    check_bots(path)


@pytest.mark.slow
@each_game
def test_bots_that_think_play_every_game_whatever_is_hidden(path: Path) -> None:
    check_bots(path, most=200)


def check_bots(path: Path, most: int = 9) -> None:
    """Wherever a match has got to, they choose something that is offered, and the same when what they cannot know is
    different."""
    game = load(path, list_players(path)[0])
    chance = random.Random(3)
    match = game.new(seed=3)
    for number in range(most):
        decision = match.decision
        if decision is None:
            break
        if number % 4 == 0:
            other = match.sample(decision.seat, seed=number)
            for name in THINKING:
                chosen, again = (
                    make_bots(name, 1, game.players)[0].choose(decision, partial(each.standpoint, decision.seat))
                    for each in (match, other)
                )
                assert 0 <= decision.index(chosen) < decision.count
                if other.position.slots == match.position.slots and other.position.states == match.position.states:
                    assert chosen == again
        match.apply(choose(decision, chance))


def test_a_search_replays_by_its_seed_at_a_number_of_iterations() -> None:
    game = hoyle.load("cribbage-61")
    first, again, other = (play(game, "search:8", seed, most=12) for seed in (1, 1, 2))
    assert first.history == again.history
    assert first.history != other.history


def test_a_search_says_what_it_tried_and_can_be_hurried() -> None:
    match = hoyle.load("kuhn-poker").new(3)
    decision = match.decision
    assert decision is not None
    bot = SearchBot(1, iterations=300)
    weighed = bot.weigh(decision, partial(match.standpoint, decision.seat))
    assert sum(each.visits for each in weighed) == 300
    assert {each.action.text for each in weighed} == {action.text for action in decision.actions}
    assert all(0 <= each.value <= 1 for each in weighed)
    again = SearchBot(1, iterations=300).choose(decision, partial(match.standpoint, decision.seat))
    assert again == weighed[0].action
    slow = SearchBot(1, iterations=10**7)
    slow.hurry(0.01)
    assert sum(each.visits for each in slow.weigh(decision, partial(match.standpoint, decision.seat))) < 10**7


def test_a_bot_that_searches_wins_from_one_that_does_not() -> None:
    assert count_wins(hoyle.load("cribbage-61"), "search:25", "random", deals=4) >= 0.75


@pytest.mark.slow
def test_longer_thought_wins_more() -> None:
    game = hoyle.load("cribbage-61")
    assert count_wins(game, "medium", "random", deals=20) >= 0.85
    assert count_wins(game, "search:800", "search:30", deals=20) > 0.5


def test_numbers_are_tried_in_proportion() -> None:
    assert list_rungs(range(10_000))[:8] == [0, 1, 2, 5, 10, 20, 50, 100]
    assert list_rungs(range(7, 8)) == [7]
    named = list_named("greedy")
    assert not named or sorted(named)[len(named) // 2] < 500
    assert max(list_named("easy"), default=0) < 1000  # few iterations do not tell what great numbers cost


def list_named(bot: str) -> list[int]:
    """The numbers a bot says at Bi-Jinx, where they have no bound."""
    match = play(hoyle.load("bi-jinx"), bot, 1, most=40)
    return [int(text.rsplit(" ", 1)[1]) for text in match.history if text.rsplit(" ", 1)[-1].isdigit()]


# ------------------------------------------------------------------------------------------------ by name
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("wizard", "no bot named `wizard`"),
        ("haard", "did you mean `hard`?"),
        ("random:3", "`random` does not think"),
        ("search:0", "at least one iteration"),
        ("hard:0s", "more than 0"),
        ("search:soon", "is not how long to think"),
        ("nowhere:Bot", "no bot and no module named `nowhere`"),
        ("json:Bot", "has no `Bot`"),
    ],
)
def test_a_bot_that_cannot_be_is_refused_in_a_sentence(
    name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BotError, match=told.replace("?", r"\?")):
        find_bot(name)
    assert run(["sim", "cribbage-61", "--games", "1", "--bot", name]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--think", "0"], 1),
        (["--think", "-1", "--bot", "hard"], 1),
        (["--think", "1"], 1),
        (["--bot", "random", "--bot", "first", "--bot", "first"], 1),
        (["--seed", "1", "--seed", "2"], 2),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sim", "cribbage-61", "--games", "1", *arguments]) == code
    assert "Traceback" not in capsys.readouterr().err


def test_a_bot_for_each_seat_is_named_by_repeating_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sim", "cribbage-61", "--games", "2", "--bot", "first", "--bot", "random"]) == 0
    assert "first,random" in capsys.readouterr().out


OWN = """
class Sly:
    def __init__(self, seed): pass
    def choose(self, decision, look): return {answer}
"""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("decision.choice(0)", ""),
        ("1 / 0", "broke down: ZeroDivisionError"),
        ("exit(3)", "broke down: SystemExit: 3"),
        ("99999", "answered `99999`, which is not offered"),
        ("'play'", "which is not offered"),
    ],
)
def test_a_bot_of_ones_own_plays_or_is_named_when_it_fails(
    answer: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"sly_{abs(hash(answer))}"
    (tmp_path / f"{name}.py").write_text(OWN.format(answer=answer))
    monkeypatch.syspath_prepend(tmp_path)
    code = run(["sim", "cribbage-61", "--games", "1", "--bot", f"{name}:Sly"])
    out = capsys.readouterr().out
    assert code == (1 if told else 0)
    assert told in out and ("Sly at seat" in out or not told)


def test_a_standpoint_cannot_reach_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in a standpoint refers to the match or to its position."""
    match = hoyle.load("cribbage-61").new(seed=1)
    assert match.decision is not None
    standpoint = match.standpoint(match.decision.seat)
    seen: set[int] = set()
    waiting: list[Any] = [value for name, value in vars(standpoint).items() if name != "game"]
    while waiting:
        value = waiting.pop()
        assert value is not match and value is not match.position and value is not match.events
        if id(value) in seen or isinstance(value, int | str | float | None.__class__):
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list | tuple):
            waiting.extend(value)

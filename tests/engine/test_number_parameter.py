"""Numbers chosen from long ranges: offered as a range, said when the choice is made."""

from __future__ import annotations

import io
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.lab.bots import make_bots
from hoyle.language.compile import compile_game
from hoyle.play.engine.game import Game
from hoyle.play.transcript import record, replay

FILE = Path(__file__).parents[1] / "language" / "valid" / "numbers.game.yaml"
each_executor = pytest.mark.parametrize("executor", ["reference", "generated"])


@cache
def load(executor: Literal["reference", "generated"] = "generated") -> Game:
    program, report = compile_game(FILE, 2)
    assert program is not None, report.diagnostics
    return Game(program, executor=executor)


def begin(executor: Literal["reference", "generated"] = "generated") -> hoyle.Match:
    return load(executor).new(seed=3, checked=True)


def list_texts(match: hoyle.Match) -> list[str]:
    assert match.decision is not None
    return [action.text for action in match.decision.actions]


def find(match: hoyle.Match, text: str) -> hoyle.Action:
    assert match.decision is not None
    return next(action for action in match.decision.actions if action.text == text)


@each_executor
def test_a_number_is_offered_as_the_range_it_may_be_taken_from(executor: Literal["reference", "generated"]) -> None:
    match = begin(executor)
    assert list_texts(match) == ["bid clubs 1..60", "bid hearts 1..60", "leave"]
    assert find(match, "bid clubs 1..60").number == range(1, 61)
    assert find(match, "bid clubs 1..60").picks == {"called": "clubs", "amount": "1..60"}
    assert find(match, "leave").number is None


@each_executor
def test_the_bounds_follow_the_position(executor: Literal["reference", "generated"]) -> None:
    match = begin(executor)
    match.apply("bid hearts 59")
    assert list_texts(match) == ["bid clubs 60", "bid hearts 60", "leave"]
    assert find(match, "bid clubs 60").number == range(60, 61)
    match.apply("bid clubs 60")
    assert match.history == ["bid hearts 59", "bid clubs 60"]
    assert match.view(None).states[1].value == "60"


@each_executor
def test_an_empty_range_is_not_offered(executor: Literal["reference", "generated"]) -> None:
    match = load(executor).new(seed=3)
    match.apply("bid clubs 60")
    assert list_texts(match) == ["leave"]


@each_executor
def test_a_bound_that_is_none_is_no_bound(executor: Literal["reference", "generated"], tmp_path: Path) -> None:
    file = tmp_path / FILE.name
    text = FILE.read_text(encoding="utf-8").replace("high: {type: 0..500", "cap: 0..500 or none\n  high: {type: number")
    text = text.replace("high + 1..60", "high + 1..cap").replace("set high to", "set cap to 90\n      set high to")
    file.write_text(text.replace("coins: 0..3", "coins: 0..none"), encoding="utf-8")
    program, report = compile_game(file, 2)
    assert program is not None, report.diagnostics
    match = Game(program, executor=executor).new(seed=3, checked=True)
    assert list_texts(match) == ["bid clubs 1..999999", "bid hearts 1..999999", "leave"]
    match.apply("bid clubs 7")
    assert list_texts(match) == ["bid clubs 8..90", "bid hearts 8..90", "leave"]
    for text in ("leave", "stake 5", "stake 700"):
        match.apply(text)
    assert list_texts(match) == ["tip 0..999999"]


def test_a_short_range_is_offered_number_by_number() -> None:
    match = begin()
    for text in ("leave", "leave", "stake 5", "stake 700"):
        match.apply(text)
    assert list_texts(match) == ["tip 0", "tip 1", "tip 2", "tip 3"]


def test_the_number_may_be_said_in_the_text_or_with_the_action() -> None:
    said, given = begin(), begin()
    said.apply("BID hearts 30")
    chosen = find(given, "bid hearts 1..60").with_number(30)
    assert (chosen.text, chosen.number, chosen.picks) == ("bid hearts 30", None, {"called": "hearts", "amount": "30"})
    given.apply(chosen)
    assert said == given


@pytest.mark.parametrize("number", [0, 61, -5])
def test_an_action_takes_no_number_outside_its_range(number: int) -> None:
    with pytest.raises(ValueError, match="cannot be the number"):
        find(begin(), "bid hearts 1..60").with_number(number)


@pytest.mark.parametrize("text", ["bid hearts 61", "bid hearts 0", "bid hearts -3"])
def test_a_number_outside_the_range_is_refused_with_the_bounds(text: str) -> None:
    match = begin()
    before = match.position.copy()
    with pytest.raises(hoyle.IllegalAction, match="it must be from 1 to 60") as refused:
        match.apply(text)
    assert refused.value.refusal.path == "actions.bid.choose.amount"
    assert match.position == before


@pytest.mark.parametrize("action", ["bid hearts", 1, "bid hearts any"])
def test_an_action_without_its_number_is_refused_with_the_bounds(action: str | int) -> None:
    match = begin()
    with pytest.raises(hoyle.IllegalAction, match="a number from 1 to 60: `bid hearts 1`"):
        match.apply(action)
    with pytest.raises(hoyle.IllegalAction):
        match.apply(find(match, "bid hearts 1..60"))
    assert match.history == []


@each_executor
def test_the_engine_takes_a_number_and_no_range(executor: Literal["reference", "generated"]) -> None:
    match = begin(executor)
    legal = match.executor.list_legal(match.position)
    assert legal == [(0, 0, range(1, 61)), (0, 1, range(1, 61)), (1,)]
    with pytest.raises(ValueError, match="a number must be chosen"):
        match.executor.apply(match.position, legal[0])
    with pytest.raises(ValueError, match="not a legal choice"):
        match.executor.apply(match.position, (0, 0, 61))
    match.executor.apply(match.position, (0, 0, 60))


def test_a_secret_number_is_told_to_nobody_else() -> None:
    match = begin()
    for text in ("leave", "leave", "stake 777"):
        match.apply(text)
    told = [str(match.events_for(seat)) for seat in (0, 1, None)]
    assert ["777" in each for each in told] == [True, False, False]


def test_a_match_with_numbers_is_saved_and_replayed() -> None:
    match = begin()
    bots = make_bots("random", 5, 2)
    while (decision := match.decision) is not None:
        match.apply(bots[decision.seat].choose(decision, lambda: None))
    assert hoyle.Match.from_json(match.game, match.to_json()) == match
    assert replay(match.game, record(match)).position == match.position


def test_the_first_bot_says_the_least_number_and_the_random_one_any() -> None:
    match = begin()
    assert match.decision is not None
    (first,) = make_bots("first", 1, 1)
    chosen = first.choose(match.decision, lambda: None)
    assert isinstance(chosen, hoyle.Action)
    assert chosen.text == "bid clubs 1"
    (random,) = make_bots("random", 1, 1)
    bids = [random.choose(match.decision, lambda: None) for _ in range(6000)]
    numbers = Counter(int(bid.picks["amount"]) for bid in bids if isinstance(bid, hoyle.Action))
    assert sorted(numbers) == list(range(1, 61))
    assert max(numbers.values()) < 2 * min(numbers.values()) + 20
    assert {bid for bid in bids if isinstance(bid, int)} == {2}


def test_the_score_of_a_seat_is_what_the_ledger_says() -> None:
    match = begin()
    for text in ("bid clubs 10", "leave", "stake 500", "stake 0", "tip 0", "tip 3"):
        match.apply(text)
    worth, paid = match.position.totals
    assert paid == [5, 13]
    assert match.scores == [worth[seat] - paid[seat] for seat in range(2)]


def play(lines: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    assert run(["play", str(FILE), "--players", "2", "--seed", "3", "--seat", "1", "--bot", "first"]) == 0
    return capsys.readouterr().out


def test_a_player_types_the_number_with_the_action(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = play("bid hearts 30\nq\n", monkeypatch, capsys)
    assert "bid hearts 1..60" in out
    assert "You bid hearts 30" in out


def test_a_player_who_takes_an_action_by_its_place_is_asked_for_the_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = play(".2\n99\nlots\n\n.2\n12\nq\n", monkeypatch, capsys)
    assert "99 is not from 1 to 60" in out
    assert "lots is not from 1 to 60" in out
    assert "You bid hearts 12" in out


def test_two_signs_make_no_number(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    out = play("--5\nbid hearts --5\n.2\n--5\nq\n", monkeypatch, capsys)
    assert out.count("`--5` is no card, action or command here") == 2
    assert "--5 is not from 1 to 60" in out


def test_a_player_who_is_asked_for_the_number_may_leave(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(".2\nq\n", monkeypatch, capsys).endswith("the match is left; --seed 3 deals it again\n")

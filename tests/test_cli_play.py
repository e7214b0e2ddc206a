"""`hoyle play` and `hoyle sim` through lines typed and output read."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from hoyle.cli import run
from hoyle.cli.table import arrange


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Play = Callable[..., Answer]
SHORT = ("--set", "match_length=some_deals", "--set", "match_deals=1")


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    def call(lines: str, *arguments: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        code = run(list(arguments))
        return Answer(code, *capsys.readouterr())

    return call


def listed_actions(out: str) -> list[str]:
    """The texts of the first list of actions on the screen."""
    block = re.search(r"(?:^ +\d+  .*\n)+", out, re.MULTILINE)
    assert block
    found = re.findall(r"(?:^|  ) *(\d+)  (.+?)(?=\s{3,}\d+  |$)", block[0], re.MULTILINE)
    return [text.strip() for _, text in sorted(found, key=lambda pair: int(pair[0]))]


def test_bots_play_a_whole_match_that_repeats_from_its_seed(typed: Play) -> None:
    first = typed("", "play", "bonus-20", "--auto", "--seed", "7", "--players", "3")
    again = typed("", "play", "bonus-20", "--auto", "--seed", "7", "--players", "3")
    other = typed("", "play", "bonus-20", "--auto", "--seed", "8", "--players", "3")
    assert first.code == 0
    assert first == again
    assert first.out != other.out
    assert re.search(r"wins?( together)?\n$", first.out)


def test_the_seed_is_shown_when_none_was_given_and_repeats_the_match(typed: Play) -> None:
    first = typed("", "play", "bonus-20", "--auto")
    seed = re.search(r"seed (\d+)", first.out)
    assert seed
    assert typed("", "play", "bonus-20", "--auto", "--seed", seed[1]).out == first.out


def test_numbers_take_the_listed_actions_to_the_end_of_the_match(typed: Play) -> None:
    answer = typed("1\n" * 5000, "play", "bonus-20", "--seed", "1")
    assert answer.code == 0
    assert "seat 0 (you)" in answer.out
    assert re.search(r"wins?( together)?\n$", answer.out)


def test_the_text_of_an_action_does_what_its_number_does(typed: Play) -> None:
    shown = typed("", "play", "bonus-20", "--seed", "1")
    action = listed_actions(shown.out)[0]
    assert typed(f"{action}\n", "play", "bonus-20", "--seed", "1").out == typed(
        "1\n", "play", "bonus-20", "--seed", "1"
    ).out


def test_text_that_is_no_legal_action_is_refused_and_asked_again(typed: Play) -> None:
    usual = typed("1\n", "play", "bonus-20", "--seed", "1")
    answer = typed("fly to the moon\n1\n", "play", "bonus-20", "--seed", "1")
    assert answer.code == 0
    extra = [line for line in answer.out.splitlines() if line not in usual.out.splitlines()]
    assert extra
    assert any("fly" in line for line in extra)
    assert answer.out.splitlines()[-3:] == usual.out.splitlines()[-3:]


@pytest.mark.parametrize("line", ["0", "99999", "9" * 5000, "-1", "٣", "²", "\x00", "play " * 2000])
def test_odd_input_is_refused_without_a_fault(typed: Play, line: str) -> None:
    answer = typed(f"{line}\n", "play", "bonus-20", "--seed", "1")
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.endswith("the game is left; --seed 1 deals it again\n")


def test_help_scores_view_and_list_can_be_asked_for(typed: Play) -> None:
    plain = typed("", "play", "bonus-20", "--seed", "1").out
    helped = typed("?\n", "play", "bonus-20", "--seed", "1").out
    assert "list the actions again" in helped
    assert "  seat 0 (you)  0\n" in typed("s\n", "play", "bonus-20", "--seed", "1").out
    action = re.escape(listed_actions(plain)[0])
    assert len(re.findall(action, typed("\n", "play", "bonus-20", "--seed", "1").out)) > len(re.findall(action, plain))
    assert len(typed("v\n", "play", "bonus-20", "--seed", "1").out) > len(plain)


@pytest.mark.parametrize("end", ["q\n", ""])
def test_leaving_says_how_to_come_back(typed: Play, end: str) -> None:
    answer = typed(end, "play", "bonus-20", "--seed", "5")
    assert answer.code == 0
    assert answer.out.endswith("the game is left; --seed 5 deals it again\n")


def test_no_prompt_is_written_when_input_is_no_terminal(typed: Play) -> None:
    assert "? for help" not in typed("1\n", "play", "bonus-20", "--seed", "5").out


def test_a_seat_that_is_not_at_the_table_is_refused(typed: Play) -> None:
    answer = typed("", "play", "bonus-20", "--players", "2", "--seat", "2")
    assert answer.code == 1
    assert answer.err == "hoyle: no seat 2: with 2 players the seats are 0 to 1\n"


def test_every_seat_can_be_taken(typed: Play) -> None:
    answer = typed("1\n" * 5000, "play", "bonus-20", "--players", "3", "--seat", "2", "--seed", "1")
    assert answer.code == 0
    assert "seat 2 (you)" in answer.out


def test_columns_of_actions_fit_the_width_and_keep_all() -> None:
    texts = [f"take {number}" for number in range(1, 40)]
    for width in (10, 40, 80, 200):
        lines = arrange(texts, width)
        assert len(lines) == 39 or max(map(len, lines)) <= width
        assert sorted(re.findall(r"take \d+", "\n".join(lines))) == sorted(texts)


def test_sim_tells_wins_scores_and_lengths(typed: Play) -> None:
    answer = typed("", "sim", "bonus-20", "--games", "5", "--players", "3", "--seed", "2", *SHORT)
    assert answer.code == 0
    assert answer.err == ""
    for word in ("5 games", "games a second", "95% interval", "decisions", "branching", "rounds"):
        assert word in answer.out


def test_sim_as_json_is_the_same_in_one_process_and_in_two(typed: Play) -> None:
    found = []
    for jobs in ("1", "2"):
        answer = typed("", "sim", "bonus-20", "--games", "7", "--seed", "2", "--json", "--jobs", jobs, *SHORT)
        assert answer.code == 0
        data = json.loads(answer.out)
        del data["seconds"]
        found.append(data)
    assert found[0] == found[1]
    assert found[0]["games"] == 7
    assert sum(seat["wins"] for seat in found[0]["seats"]) + found[0]["without_winner"] == pytest.approx(7)


def test_sim_shares_its_games_with_play(typed: Play) -> None:
    from hoyle.model.chance import derive_seed

    data = json.loads(typed("", "sim", "bonus-20", "--games", "1", "--seed", "2", "--json", *SHORT).out)
    seed = str(derive_seed(2, 0))
    out = typed("", "play", "bonus-20", "--auto", "--seed", seed, *SHORT).out
    scores = re.findall(r"^  seat \d  +(-?\d+)$", out[out.index("the scores:") :], re.MULTILINE)
    assert [int(score) for score in scores] == [seat["score"]["max"] for seat in data["seats"]]


@pytest.mark.parametrize("arguments", [("--games", "0"), ("--jobs", "-1"), ("--seed", "x")])
def test_sim_used_wrongly_says_so(typed: Play, arguments: tuple[str, str]) -> None:
    assert typed("", "sim", "bonus-20", *arguments).code == 2

"""`hoyle eval`: expressions in a game's words, mostly those of Cribbage."""

from __future__ import annotations

import pytest

from hoyle.front.cli import run


def evaluate(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["eval", *arguments])
    caught = capsys.readouterr()
    return code, caught.out, caught.err


def test_a_hand_is_called_with_its_cards_and_shown_row_by_row(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = evaluate(capsys, "cribbage", "show(5H 5S 5D JC, 5C)")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, "29")
    assert [line.split()[:2] for line in lines if line.startswith(("  fifteen  ", "  pair "))] == [
        ["fifteen", "16"], ["pair", "12"],
    ]  # fmt: skip
    assert "his nob    1  [CRIB-24]" in out
    assert "5H JC, 5S JC, 5D JC" in out and "[CRIB-19]" in out
    assert out.rstrip().endswith("one for his nob is twenty-nine")


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["show(KS JH 5C 5D, none)"], "10"),
        (["show(KS JH 5C 5D)"], "10"),
        (["show of ((KS, JH, 5C, 5D), none)"], "10"),
        (["pips(KS) + pips(5H)"], "15"),
        (["show.run(6S 7H 7C 8D, none)"], "6"),
        (["running_count", "--given", "row: 7S 8H AC"], "16"),
        (["peg", "--given", "row: 4S 5H 6C"], "5"),
        (["show(crib, top of start)", "--given", "crib: 2H 6H 8H QH; start: KS"], "0"),
        (["show(hand, top of start)", "--given", "hand of 1: 2H 6H 8H QH; start: KS", "--seat", "1"], "4"),
        (["hand", "--given", "hand of 0: 2H 6H", "--seat", "0"], "2H 6H"),
        (["(card in row where rank of card > 5)", "--given", "row: 7S 5H 8C"], "7S 8C"),
        (["row is empty"], "true"),
        (["target", "--set", "target=61"], "61"),
    ],
)
def test_any_expression_is_worked_out(arguments: list[str], value: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = evaluate(capsys, "cribbage", *arguments)
    assert (code, out.splitlines()[0], err) == (0, value, "")


def test_the_number_of_players_matters(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(capsys, "bonus-20", "count of seats", "--players", "5")[1] == "5\n"


@pytest.mark.parametrize(
    ("arguments", "code", "pointed"),
    [
        (["sho of 5H"], "unknown", "^^^"),
        (["pips of"], "unfinished", "^"),
        (["pips(5H, 6H)"], "said-of-one", "^"),
        (["hand"], "whose", "^^^^"),
        (["peg", "--given", "rwo: 5H"], "unknown-place", "^^^"),
        (["peg", "--given", "row: 5X"], "unknown-card", "^^"),
    ],
)
def test_mistakes_are_pointed_at(
    arguments: list[str], code: str, pointed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = evaluate(capsys, "cribbage", *arguments)
    assert (status, out) == (1, "")
    assert f"error[{code}" in err
    assert any(line.split("|")[-1].strip().startswith(pointed) for line in err.splitlines() if "|" in line)


@pytest.mark.parametrize(
    "arguments", [["peg", "--players", "9"], ["hand", "--seat", "2"], ["peg", "--set", "targte=3"]]
)
def test_a_table_there_cannot_be_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = evaluate(capsys, "cribbage", *arguments)
    assert (status, out) == (1, "")
    assert err


def test_who_had_a_card_last_is_known_whether_or_not_a_rule_asks(capsys: pytest.CaptureFixture[str]) -> None:
    dealt = evaluate(capsys, "bonus-20", "hand of dealer")[1].split()
    code, out, _ = evaluate(capsys, "bonus-20", f"last_holder of {dealt[0]} = dealer")
    assert (code, out.strip()) == (0, "true")
    code, out, _ = evaluate(capsys, "bonus-20", "some card in pack satisfies (last_holder of card is not none)")
    assert (code, out.strip()) == (0, "false")

"""`hoyle diff`: what differs between two games, in words and in play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle.front.cli import run
from hoyle.front.cli.group import commands
from hoyle.language.variants.differences import CHAPTERS

ROOT = Path(__file__).parents[2]
MERCY = str(ROOT / "docs" / "examples" / "rolling-stone" / "rolling-stone-mercy.game.yaml")
SECTIONS = json.loads((ROOT / "schema" / "game.schema.json").read_text(encoding="utf-8"))["properties"]
HEAD = {"hoyle", "game", "module", "title", "family", "also", "language", "text", "rulebook", "extends", "labels"}
EDITING = {"remove", "keep", "own"}


def diff(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(commands, ["diff", *arguments])
    return done.exit_code, done.output


def test_every_section_of_a_rule_file_has_its_chapter() -> None:
    told = [section for parts in CHAPTERS.values() for section in parts]
    assert set(told) == set(SECTIONS) - HEAD - EDITING
    assert len(told) == len(set(told))


def test_differences_are_told_chapter_by_chapter_and_then_as_they_are_measured() -> None:
    code, said = diff(MERCY, "--games", "6", "--seed", "1")
    lines = said.splitlines()
    assert code == 0
    assert lines[0] == "rolling-stone-mercy against rolling-stone: 4 differences"
    at = lines.index("Options")
    assert lines[at + 1 : at + 3] == ["~ options.deals: 3 → 1", "    How many times the cards are dealt."]
    assert lines.index("What a player may do") > at
    text = lines.index("~ actions.take.text")
    assert [line[:10] for line in lines[text + 1 : text + 3]] == ["    - Take", "    + Take"], "long texts in full"
    assert "…" not in said
    assert any(line.startswith("rounds ") and "3.00" in line and "1.00" in line for line in lines)
    assert "Beside rolling-stone, rolling-stone-mercy has" in said
    compared = CliRunner().invoke(
        commands, ["compare", MERCY.replace("-mercy", ""), MERCY, "--games", "6", "--seed", "1"]
    )
    assert said.endswith(compared.output)  # measured as `hoyle compare` does

    code, written = diff(MERCY, "--games", "6", "--seed", "1", "--json")
    data = json.loads(written)["rolling-stone"]
    assert code == 0 and data["related"] and data["measured"]["games"] == 6
    assert {each["chapter"] for each in data["differences"]} == {"Options", "What a player may do"}
    assert json.loads(diff(MERCY, "--json")[1])["rolling-stone"]["measured"] is None


def test_of_two_games_the_second_is_told_against_the_first_as_by_other_commands() -> None:
    parent = MERCY.replace("-mercy", "")
    assert diff(parent, MERCY) == diff(MERCY)
    lines = diff(MERCY, parent)[1].splitlines()
    assert lines[0] == "rolling-stone against rolling-stone-mercy: 4 differences"
    assert "~ options.deals: 1 → 3" in lines


def test_games_that_have_nothing_to_do_with_each_other_are_told_to_be_so() -> None:
    code, said = diff("whist", "kuhn-poker")
    assert code == 0
    assert said.splitlines()[0].endswith("differences; neither is a variant of the other")
    assert "neither" not in diff("cribbage-61", "cribbage-three")[1]  # two variants of one game


def test_what_cannot_be_compared_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.game.yaml"
    wrong.write_text("game: wrong\nextends: whist\noptions: {target: many\n", encoding="utf-8")
    for arguments, code, said in (
        (["whist"], 1, "`whist` extends no game; name the one to compare it with"),
        ([str(wrong)], 1, "wrong.game.yaml:"),
        (["whist", "no-such-game"], 1, "no-such-game"),
        ([MERCY, "--games", "0"], 2, "'-n' / '--games'"),
    ):
        assert run(["diff", *arguments]) == code
        assert said in capsys.readouterr().err


def test_a_change_that_cannot_be_read_is_not_left_out_in_silence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "loud.game.yaml"
    change = "steps: {match: [{before: shufle pack, do: cut pack}]}"
    path.write_text(f"game: loud\ntitle: Loud\nextends: whist\n{change}\n", encoding="utf-8")
    assert run(["diff", str(path)]) == 0
    assert "`loud` has errors, and what is wrong may be missing here: hoyle check " in capsys.readouterr().err

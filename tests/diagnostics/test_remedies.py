"""Which mendings are shown: those that mend their place and are to blame for nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.cli.app import run

GAME = """\
game: slip
title: A slip
players: 2
deck:
  attributes: {suit: {red: R, blue: B}, rank: 1..9}
  cards:
    - {suit: [red, blue], rank: 1..9}
zones:
  pack: {shows: nothing}
  pile: {shows: top_card}
  hand: {of: seat, shows: owner}
definitions:
  next_rank: rank of top of pack
actions:
  play: {text: Play a card., choose: {card: hand}, allowed: rank of card != next_rank, do: move card to pile}
steps:
  match: |
    deal 3 cards from pack to each hand, starting left of dealer
    repeat until every hand is empty:
      for each seat: seat chooses play
winners: seats
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("deal 3 cards from pack", "deal 3 cards from pakc"),
        ("deal 3 cards from pack", "deal 3 cards from the pack"),
        ("for each seat: seat chooses play", "for each seat: seat chooses paly"),
        ("move card to pile", "move card to plie"),
    ],
)
def test_what_is_wrong_elsewhere_and_shows_only_in_a_whole_file_does_not_speak_against_a_mending(
    right: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    file.write_text(GAME.replace(right, wrong))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "= fix: " in out and right in out.partition("= fix: ")[2]
    assert "error[leak]" not in out
    assert run(["check", "--fix", str(file)]) == 1
    assert file.read_text() == GAME
    assert "error[leak]" in capsys.readouterr().out


def test_a_mending_by_which_a_rule_tells_a_secret_is_not_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slip.game.yaml"
    file.write_text(GAME.replace("rank of top of pack", "rank of top of pakc"))
    assert run(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "unknown" in out and "= fix: " not in out and "= write: " not in out

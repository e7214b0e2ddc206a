"""`docs/adding-a-game.md` followed: the folder it describes, its rules, its commands and its playthrough."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hoyle.authoring.testing.playthroughs import read_header, write_playthrough
from hoyle.front.cli import run

GUIDE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def test_the_guide_leads_to_a_game_that_is_checked_tested_played_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = dict(re.findall(r"^```(yaml rules|text)\n(game: my-game.*?|MYGAME.*?)^```", GUIDE, re.M | re.S))
    folder = tmp_path / "games" / "my-game"
    folder.mkdir(parents=True)
    game = folder / "my-game.game.yaml"
    (folder / "rules.yaml").write_text(blocks["yaml rules"], encoding="utf-8")
    assert run(["new", str(folder / "my-game"), "--like", "shedding"]) == 0
    text = game.read_text(encoding="utf-8")
    cited = text.replace("starting left of dealer", "starting left of dealer   [MYGAME-1]")
    cited = cited.replace("shows: nothing}", "shows: nothing, cite: MYGAME-2}")
    assert cited.count("MYGAME") == 2
    game.write_text(cited, encoding="utf-8")

    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^hoyle (check|test|sim) ([^\n]*)$", GUIDE, re.M)
    assert [name for name, _ in commands] == ["check", "test", "sim"]
    for name, rest in commands:  # the guide's folder is that of the shipped games, which this is not
        given = re.sub(r"(?<![\w/])my-game\b", "games/my-game", rest).replace("--games 1000", "--games 20").split()
        assert run([name, *given]) == 0, capsys.readouterr().out

    header = read_header(blocks["text"])
    played = write_playthrough(header, game)
    assert set(blocks["text"].split("\n")) <= set(played.split("\n\n")[0].split("\n")) | {""}
    assert "round 1 ended" in played

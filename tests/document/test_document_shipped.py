"""Finding the shipped games, and games elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.base import shipped
from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.report import Report
from hoyle.language.document.merging import resolve


def test_every_shipped_game_is_found_by_its_name() -> None:
    games = shipped.all_games()
    assert games
    for path in games:
        assert shipped.find_game(shipped.game_name(path)) == path
        assert path.is_relative_to(shipped.games_folder())


def test_every_shipped_game_is_put_together_without_a_report() -> None:
    for path in shipped.all_games():
        report = Report()
        document = resolve(path, report)
        assert document is not None, render_text(report.ordered())
        assert report.diagnostics == []
        game = document.root.get("game")
        assert getattr(game, "text", None) == shipped.game_name(path)


def test_a_file_and_a_folder_with_one_game_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    other = folder / "other.game.yaml"
    other.write_text("game: other\n")
    assert shipped.find_game(other) == other
    assert shipped.find_game(str(folder)) == other
    (folder / "third.game.yaml").write_text("game: third\n")
    assert shipped.find_game(folder) is None
    own = folder / "tiny.game.yaml"
    own.write_text("game: tiny\n")
    assert shipped.find_game(folder) == own
    assert shipped.games_under(tmp_path) == [other, folder / "third.game.yaml", own]
    assert shipped.games_under(own) == [own]


@pytest.mark.parametrize("name", ["", "no-such", "../..", "a\0b", "x" * 5000, "/"])
def test_what_is_no_game_is_not_found(name: str) -> None:
    assert shipped.find_game(name) is None


def test_the_schemas_are_found() -> None:
    assert '"$schema"' in shipped.schema_text("game")
    assert '"$schema"' in shipped.schema_text("rules")

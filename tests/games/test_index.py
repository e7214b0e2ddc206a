"""`games/index.json`, what the shipped games say of themselves: written anew with `pytest --update`.

A game that is new or has changed since is no mistake: it is read, which takes longer."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoyle.base import shipped
from hoyle.base.shipped import all_games, games_folder
from hoyle.base.stamp import stamp_package
from hoyle.language import game_index
from hoyle.language.compile import describe_game
from hoyle.language.library import describe
from hoyle.play.view.locale import LANGUAGES
from hoyle.program.info import GameInfo

INDEX = games_folder() / game_index.INDEX


def read(path: Path, language: str | None) -> tuple[GameInfo, dict[str, str]]:
    info, report = describe_game(path, language)
    assert info is not None and not report.diagnostics
    return info, report.files


def is_translated(path: Path, language: str) -> bool:
    """Whether the index says something of its own in a language."""
    return game_index.find_described(path, language) != game_index.find_described(path, None)


@pytest.fixture(scope="module")
def index(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        INDEX.write_text(game_index.write_index(all_games(), LANGUAGES, read), encoding="utf-8", newline="\n")
        game_index._read_index.cache_clear()


@pytest.mark.share
@pytest.mark.parametrize("path", all_games(), ids=shipped.game_name)
def test_the_index_of_the_games_says_what_the_files_say(path: Path, index: None) -> None:
    for language in (None, *(other for other in LANGUAGES if is_translated(path, other))):
        said = game_index.find_described(path, language)
        assert said is None or said == describe_game(path, language)[0]


@pytest.fixture
def own_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Shipped games of this test's own: Whist, with the index of all."""
    folder = tmp_path / "games"
    shutil.copytree(games_folder() / "whist", folder / "whist")
    shutil.copy(INDEX, folder)
    shutil.copytree(shipped.schema_folder(), tmp_path / "schema")
    monkeypatch.setattr(shipped, "shipped_folder", lambda: tmp_path)
    for known in (game_index._read_index, stamp_package):
        known.cache_clear()
    yield folder
    for known in (game_index._read_index, stamp_package):
        known.cache_clear()


def refuse_to_read(path: Path, language: str | None) -> tuple[None, None]:
    raise AssertionError(f"{path} is read")


@pytest.mark.parametrize("language", [None, "en", "fr"])
def test_a_shipped_game_is_described_without_reading_it(
    own_games: Path, language: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = own_games / "whist" / "whist.game.yaml"
    expected, _ = describe_game(path, language)
    monkeypatch.setattr("hoyle.language.compile.describe_game", refuse_to_read)
    assert describe(path, language)[0] == expected


def test_one_that_was_changed_is_read(own_games: Path) -> None:
    path = own_games / "whist" / "whist.game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("title: Whist", "title: Wist"), encoding="utf-8")
    found, _ = describe(path)
    assert found is not None and found.title == "Wist"
    path.write_text("game: whist\n", encoding="utf-8")
    assert describe(path)[0] is None


def test_a_file_that_would_be_taken_instead_of_one_of_the_language_counts(own_games: Path) -> None:
    assert game_index.find_described(own_games / "whist" / "whist.game.yaml", None) is not None
    (own_games / "whist" / "tricks.module.yaml").write_text("module: tricks\n", encoding="utf-8")
    assert game_index.find_described(own_games / "whist" / "whist.game.yaml", None) is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"games": {"games/whist/whist.game.yaml": {}}}', '{"games": 3}'])
def test_a_damaged_index_is_as_none(own_games: Path, text: str) -> None:
    (own_games / game_index.INDEX).write_text(text, encoding="utf-8")
    game_index._read_index.cache_clear()
    found, _ = describe(own_games / "whist" / "whist.game.yaml")
    assert found is not None and found.title == "Whist"


def test_games_of_ones_own_are_not_in_it(tmp_path: Path) -> None:
    shutil.copytree(games_folder() / "whist", tmp_path / "whist")
    assert game_index.find_described(tmp_path / "whist" / "whist.game.yaml", None) is None

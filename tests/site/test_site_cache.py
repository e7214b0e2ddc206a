"""What a build of the site keeps in the cache, without a browser."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from hoyle.base.locking import lock
from hoyle.front.site import build


@pytest.fixture
def baked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[tuple[str, int]]]:
    """The lists of games that are baked, in place of which a file is written."""
    lists: list[Sequence[tuple[str, int]]] = []

    def bake(pyodide: Path, staged: Path, out: Path, games: Sequence[tuple[str, int]]) -> None:
        lists.append(games)
        (out / "baked" / "made").write_text(repr(games))

    monkeypatch.setattr(build, "bake", bake)
    monkeypatch.setattr(build, "stage", lambda folder: folder.mkdir())
    return lists


def test_games_that_are_baked_stay_so_while_other_lists_are(
    baked: list[Sequence[tuple[str, int]]], tmp_path: Path
) -> None:
    lists = [[(f"game-{number}", 2)] for number in range(build.MOST_BAKED)]
    for number, games in enumerate((*lists, *lists)):
        made = tmp_path / str(number)
        made.mkdir()
        build._bake(made, tmp_path / "pyodide", games, tmp_path)
        assert (made / "baked" / "made").read_text() == repr(games)
    assert baked == lists
    build._bake(tmp_path / "0", tmp_path / "pyodide", [("another", 2)], tmp_path)
    assert len(list(tmp_path.glob("baked-*"))) == build.MOST_BAKED


def test_two_builds_do_not_use_the_cache_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "LOOK_AGAIN", 0.001)
    waits, came = threading.Event(), threading.Event()

    def come() -> None:
        with build._alone(tmp_path, lambda said: waits.set()):
            came.set()

    other = threading.Thread(target=come, daemon=True)
    with (tmp_path / "lock").open("w") as file:
        assert lock(file)
        other.start()
        assert waits.wait(60) and not came.is_set()
    assert came.wait(60)
    other.join()

"""Programs kept for the next time: made once, made anew when anything they were made from has changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

import hoyle
import hoyle.language.compile
from hoyle.base.cache import cache_folder, keep_at_most, read_sealed, seal, write_sealed
from hoyle.language import baked_programs, game_index
from hoyle.language.library import bake, describe, find_program
from hoyle.language.syntax import grammar as syntax_grammar
from hoyle.language.syntax.grammar import build_grammar
from hoyle.language.syntax.indentation import Layout
from hoyle.play.engine import printed

GAMES = Path(__file__).parents[2] / "games"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game, its variant and its rules, and a cache of its own; an installed checkout's tables of the
    grammar are not seen. What earlier tests have compiled in the background would else come to lie in the cache."""
    for thread in threading.enumerate():
        if thread.name == "hoyle-build":
            thread.join()
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(syntax_grammar, "shipped_folder", lambda: tmp_path)
    shutil.copytree(GAMES / "bonus-20", tmp_path / "games")
    return tmp_path / "games"


def forbid_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("hoyle.language.compile.compile_game", refuse)
    monkeypatch.setattr("hoyle.language.compile.describe_game", refuse)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_what_was_compiled_is_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "bonus-20-strict.game.yaml"
    program, info = find_program(file, 3), describe(file)
    forbid_compiling(monkeypatch)
    assert find_program(file, 3)[0] == program[0] is not None
    assert describe(file)[0] == info[0] is not None
    assert hoyle.load(file, 3).playout(1).winners


@pytest.mark.parametrize("other", [{"players": 4}, {"players": 3, "options": {"match_deals": "2"}}])
def test_another_number_of_players_or_option_is_another_program(
    folder: Path, other: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    find_program(folder / "bonus-20.game.yaml", 3)
    forbid_compiling(monkeypatch)
    with pytest.raises(AssertionError, match="compiled again"):
        find_program(folder / "bonus-20.game.yaml", **other)  # type: ignore[arg-type]


def test_a_changed_parent_is_noticed(folder: Path) -> None:
    variant = folder / "bonus-20-strict.game.yaml"
    assert describe(variant)[0] == describe(variant)[0]
    before = describe(variant)[0]
    assert before is not None and before.allowed == (2, 9)
    change(folder / "bonus-20.game.yaml", "allowed: 2..9", "allowed: 2..8")
    after = describe(variant)[0]
    assert after is not None and after.allowed == (2, 8)


def test_a_parent_that_comes_to_lie_beside_a_variant_is_noticed(folder: Path) -> None:
    variant = folder / "mine.game.yaml"
    variant.write_text("game: mine\ntitle: Mine\nextends: cribbage-61\n")
    titles = [list_defaults(variant)]
    (folder / "cribbage-61.game.yaml").write_text(
        "game: cribbage-61\ntitle: X\nextends: cribbage\noptions: {target: 31}\n"
    )
    titles.append(list_defaults(variant))
    assert [each["target"] for each in titles] == ["61", "31"]


def test_a_link_that_points_elsewhere_is_noticed(folder: Path) -> None:
    for target in (31, 41):
        text = f"game: a\ntitle: A\nextends: cribbage\noptions: {{target: {target}}}\n"
        (folder / f"a{target}").write_text(text)
    variant, link = folder / "mine.game.yaml", folder / "a.game.yaml"
    variant.write_text("game: mine\ntitle: Mine\nextends: a\n")
    link.symlink_to(folder / "a31")
    before = list_defaults(variant)
    link.unlink()
    link.symlink_to(folder / "a41")
    assert (before["target"], list_defaults(variant)["target"]) == ("31", "41")


def test_a_file_that_changes_while_it_is_compiled_is_compiled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = folder / "bonus-20.game.yaml"
    compiled = hoyle.language.compile.compile_game

    def compile_slowly(*arguments: Any) -> Any:
        found = compiled(*arguments)
        change(game, "title: Bonus 20", "title: Another title")
        return found

    monkeypatch.setattr("hoyle.language.compile.compile_game", compile_slowly)
    find_program(game)
    monkeypatch.undo()
    monkeypatch.setenv("HOYLE_CACHE", str(folder.parent / "cache"))
    program = find_program(game)[0]
    assert program is not None and program.title == "Another title"


def list_defaults(file: Path) -> dict[str, str]:
    info = describe(file)[0]
    assert info is not None
    return {option.name: option.default for option in info.options}


@pytest.mark.parametrize("name", ["HOME", "XDG_CACHE_HOME", "HOYLE_CACHE"])
def test_there_need_be_no_home_and_no_cache(name: str, tmp_path: Path) -> None:
    nowhere = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME", "HOYLE_CACHE")}
    given = {name: b"\xff"} if name != "HOME" else {}
    ran = subprocess.run(
        [sys.executable, "-m", "hoyle.front.cli", "list", "bonus-20"],
        env={**nowhere, "PYTHONPATH": str(GAMES.parent / "interpreter"), **given},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def test_generated_code_that_is_damaged_is_written_anew(folder: Path) -> None:
    results = []
    for _ in range(2):
        printed._made.clear()
        results.append(hoyle.load("cribbage", executor="python").playout(1))
        kept = list((folder.parent / "cache").glob("generated-*"))
        assert kept
        for file in kept:
            file.write_text("x = (")
    assert results[0] == results[1]


def test_rules_that_come_or_go_are_noticed(folder: Path) -> None:
    game, rules = folder / "bonus-20.game.yaml", folder / "rules.yaml"
    assert find_program(game)[0] is not None
    text = rules.read_text()
    rules.write_text("BONUS-1: {text: The only rule., place: p. 1, status: stated}\n")
    assert find_program(game)[1].failed
    rules.write_text(text)
    assert not find_program(game)[1].failed


def test_what_is_found_in_a_file_is_told_every_time(folder: Path) -> None:
    game = folder / "bonus-20.game.yaml"
    change(game, "set player to left of player ", "set player to left of playre ")
    for _ in range(2):
        program, report = find_program(game)
        assert program is None
        assert [found.code for found in report.diagnostics] == ["unknown-name"]


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x80\x04K\x01."])
def test_what_is_damaged_is_made_anew(folder: Path, content: bytes) -> None:
    game = folder / "bonus-20.game.yaml"
    before = find_program(game)[0]
    kept = list((folder.parent / "cache").glob("made-*"))
    assert len(kept) == 1
    kept[0].write_bytes(content)
    assert find_program(game)[0] == before is not None


def test_what_another_may_have_written_is_not_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, cache = folder / "bonus-20.game.yaml", folder.parent / "cache"
    find_program(game)
    (kept,) = cache.glob("made-*")
    forbid_compiling(monkeypatch)
    assert find_program(game)[0] is not None
    kept.chmod(0o666)
    with pytest.raises(AssertionError, match="compiled again"):
        find_program(game)
    kept.chmod(0o600)
    cache.chmod(0o777)
    assert cache_folder() is None
    with pytest.raises(AssertionError, match="compiled again"):
        find_program(game)


def test_a_relative_cache_home_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOYLE_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "elsewhere")
    monkeypatch.chdir(tmp_path)
    assert cache_folder() == tmp_path / "home" / ".cache" / "hoyle"
    assert not (tmp_path / "elsewhere").exists()


def test_what_is_kept_is_data_and_what_was_left_half_written_goes(folder: Path) -> None:
    cache = folder.parent / "cache"
    cache.mkdir(mode=0o700)
    for name in (".passing-old", ".passing-new"):
        (cache / name).write_bytes(b"half")
    os.utime(cache / ".passing-old", (0, 0))
    find_program(folder / "bonus-20.game.yaml")
    (kept,) = cache.glob("made-*")
    head, _, content = kept.read_bytes().partition(b"\n")
    assert head.startswith(b"hoyle ") and isinstance(json.loads(content), list)
    assert [path.name for path in cache.glob(".passing-*")] == [".passing-new"]


def test_nothing_is_kept_that_could_do_anything_when_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a pickle could do anything")

    monkeypatch.setattr("pickle.load", refuse)
    monkeypatch.setattr("pickle.loads", refuse)
    cache = folder.parent / "cache"
    for _ in range(2):  # what was kept is read the second time
        build_grammar(Layout())
        hoyle.load(folder / "bonus-20.game.yaml", 2).playout(1)
    for path in cache.iterdir():
        assert read_sealed(path) and not path.stat().st_mode & 0o077
    assert {path.name.partition("-")[0] for path in cache.iterdir()} == {"grammar", "made", "generated"}


@pytest.mark.parametrize("content", [b"", b"nonsense", b"[{}, {}]", b"[[], []]", b'[{"options": {}}, {"0": {}}]'])
def test_tables_of_the_grammar_that_are_damaged_are_made_anew(
    content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = folder.parent / "cache"
    cache.mkdir(mode=0o700)
    monkeypatch.setattr(syntax_grammar, "_build", lambda place, layout: place)
    place = build_grammar(Layout())
    assert isinstance(place, Path)
    place.write_bytes(content)
    assert build_grammar(Layout()) == place
    write_sealed(place, content)
    assert build_grammar(Layout()) == place


def test_no_word_of_the_grammar_can_be_mistaken_for_another() -> None:
    Lark(syntax_grammar.GRAMMAR, postlex=Layout(), strict=True, **syntax_grammar.OPTIONS)  # raises what collides


def test_writers_at_the_same_time_do_not_meet(tmp_path: Path) -> None:
    contents = [bytes([65 + number]) * 100_000 for number in range(8)]
    place = tmp_path / "made-a"
    write_sealed(place, contents[0])

    def write_and_read(content: bytes) -> bool:
        for _ in range(10):
            write_sealed(place, content)
            if read_sealed(place) not in contents:
                return False
        return True

    with ThreadPoolExecutor(len(contents)) as writers:
        assert all(writers.map(write_and_read, contents))
    assert [path.name for path in tmp_path.iterdir()] == ["made-a"]


def test_nothing_is_kept_where_there_is_no_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOYLE_CACHE", "")
    assert find_program(folder / "bonus-20.game.yaml")[0] is not None
    assert not (folder.parent / "cache").exists()


def test_paths_are_shown_from_the_folder_one_stands_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    inside = find_program("bonus-20.game.yaml")[0]
    monkeypatch.chdir(folder.parent)
    outside = find_program("games/bonus-20.game.yaml")[0]
    assert inside is not None and outside is not None
    places = [{clause.file for clause in program.clauses} - {""} for program in (inside, outside)]
    assert "bonus-20.game.yaml" in places[0] - places[1]
    assert "games/bonus-20.game.yaml" in places[1] - places[0]


@pytest.fixture
def baked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of baked programs, with that of a variant; nothing else is kept anywhere."""
    monkeypatch.setenv("HOYLE_CACHE", "")
    place = tmp_path / "build" / baked_programs.FOLDER
    place.mkdir(parents=True)
    bake(GAMES / "bonus-20" / "bonus-20-strict.game.yaml", place)
    return place


def bring_along(baked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baked_programs, "shipped_folder", lambda: baked.parent)


def test_what_a_build_brings_along_is_what_would_be_compiled(
    baked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for here in (tmp_path, GAMES.parent):
        monkeypatch.chdir(here)
        compiled = find_program("bonus-20-strict")[0]
        assert compiled is not None
        with monkeypatch.context() as only:
            bring_along(baked, only)
            forbid_compiling(only)
            for players, options in ((None, {}), (compiled.players, {}), (compiled.players, dict(compiled.options))):
                found = find_program("bonus-20-strict", players, options)[0]
                assert found is not None
                assert (found, repr(found), found.untold) == (compiled, repr(compiled), compiled.untold)


def test_other_tables_than_the_one_brought_along_are_compiled(baked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring_along(baked, monkeypatch)
    other = find_program("bonus-20-strict", 4, {"match_deals": "2"})[0]
    assert other is not None and (other.players, other.options["match_deals"]) == (4, 2)


def test_what_a_build_brought_along_is_not_taken_where_a_file_has_changed(
    baked: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_along(baked, monkeypatch)
    monkeypatch.setattr("hoyle.base.shipped.games_folder", lambda: folder.parent / "shipped")
    monkeypatch.setitem(game_index._FOLDERS, "games", lambda: folder.parent / "shipped")
    shutil.copytree(folder, folder.parent / "shipped" / "bonus-20")
    forbid_compiling(monkeypatch)
    for name in ("bonus-20.game.yaml", "bonus-20-strict.game.yaml"):
        assert find_program("bonus-20-strict")[0] is not None
        file = folder.parent / "shipped" / "bonus-20" / name
        text = file.read_text()
        file.write_text(text + "# changed\n")
        with pytest.raises(AssertionError, match="compiled again"):
            find_program("bonus-20-strict")
        file.write_text(text)


@pytest.mark.parametrize("content", [b"", b"nonsense", seal(b""), seal(zlib.compress(b"[[]]"))])
def test_what_a_build_brought_along_and_is_damaged_is_compiled(
    content: bytes, baked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place,) = baked.iterdir()
    place.write_bytes(content)
    bring_along(baked, monkeypatch)
    assert find_program("bonus-20-strict")[0] is not None


def test_what_was_used_last_stays_when_there_is_no_more_room(tmp_path: Path) -> None:
    for name in ("made-a", "made-b"):
        write_sealed(tmp_path / name, b"kept")
        os.utime(tmp_path / name, (1, 1))
    read_sealed(tmp_path / "made-a")
    keep_at_most(1, tmp_path, "made-*")
    assert [path.name for path in tmp_path.iterdir()] == ["made-a"]


def test_a_description_is_kept_for_its_language_alone(folder: Path) -> None:
    shutil.copytree(GAMES / "bonanza", folder / "bonanza")
    file = folder / "bonanza" / "mine.game.yaml"
    shutil.copy(folder / "bonanza" / "bonanza.game.yaml", file)
    titles = []
    for language in ("en", "fr", "en"):
        info = describe(file, language)[0]
        assert info is not None
        titles.append(str(info))
    assert titles[0] == titles[2] != titles[1]

"""`hoyle new`: every file it makes checks, passes its examples and can be played; nothing is overwritten."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

from hoyle.authoring.skeletons import list_families
from hoyle.base import shipped
from hoyle.front.cli import run
from terminals import ROOT, interrupt


def hoyle(*arguments: str | Path) -> int:
    return run([str(argument) for argument in arguments])


def prove(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was made: no problem and no warning, its examples hold, bots play it to the end."""
    capsys.readouterr()
    assert hoyle("check", path, "--strict", "--no-trial") == 0, capsys.readouterr().out
    assert capsys.readouterr().out == "1 file, no problems\n"
    assert hoyle("test", path) == 0, capsys.readouterr().out
    assert ", 0 failed" in capsys.readouterr().out
    assert hoyle("sim", path, "--games", "2") == 0, capsys.readouterr().out
    assert hoyle("fmt", "--check", path, path.with_name(path.name.replace(".game.", ".test."))) == 0


@pytest.mark.parametrize(
    "family",
    [pytest.param(name, marks=[] if name == "tricks" else [pytest.mark.slow]) for name in list_families()],
)
def test_a_game_of_every_family_checks_passes_and_can_be_played(
    family: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hoyle("new", tmp_path / "my-game", "--like", family, "--title", "Ours: the game") == 0
    path = tmp_path / "my-game.game.yaml"
    assert path.read_text(encoding="utf-8").startswith("game: my-game\ntitle: 'Ours: the game'\n")
    prove(path, capsys)


def test_the_families_named_by_the_manual_are_there() -> None:
    assert set(list_families()) >= {"blank", "tricks", "shedding", "rummy", "betting", "patience"}
    assert all(list_families().values())


def prove_variant(game: str, folder: Path, capsys: pytest.CaptureFixture[str], *settings: str) -> str:
    assert hoyle("new", folder / "my-variant", "--from", game, *settings) == 0
    path = folder / "my-variant.game.yaml"
    prove(path, capsys)
    return path.read_text(encoding="utf-8")


def test_a_variant_with_options_of_every_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("-s", "target=61", "-s", "muggins=yes", "-s", "deal_order=packets", "-s", "skunk=false")
    text = prove_variant("cribbage", tmp_path, capsys, *settings)
    assert "options: {target: 61, muggins: true, deal_order: packets}\n" in text
    assert "#   skunk: false\n" in text  # as it was: told among the others


@pytest.mark.slow
@pytest.mark.parametrize("game", [shipped.game_name(path) for path in shipped.all_games()])
def test_a_variant_of_every_shipped_game(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prove_variant(game, tmp_path, capsys)


def test_a_variant_of_a_game_in_the_same_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hoyle("new", tmp_path / "mother") == 0
    assert hoyle("new", tmp_path / "daughter", "--from", tmp_path / "mother.game.yaml", "--set", "deals=1") == 0
    prove(tmp_path / "daughter.game.yaml", capsys)
    other = tmp_path / "elsewhere"
    other.mkdir()
    assert hoyle("new", other / "son", "--from", tmp_path / "mother.game.yaml") == 1
    assert "a variant lies in the folder of its parent" in capsys.readouterr().err
    assert not list(other.iterdir())


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.game.yaml").write_text("mine", encoding="utf-8")
    (tmp_path / "two.test.yaml").write_text("mine", encoding="utf-8")
    (tmp_path / "three.game.yaml").symlink_to(tmp_path / "nowhere")
    for name in ("one", "two", "three"):
        assert hoyle("new", tmp_path / name) == 1
        assert "is there already; nothing was changed" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"one.game.yaml", "two.test.yaml", "three.game.yaml"}
    assert (tmp_path / "one.game.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["My Game"], 1, "as in `my-game`"),
        (["7up"], 1, "cannot be the name of a game"),
        (["spiel-für-zwei"], 1, "small letters, digits and hyphens"),
        (["cribbage"], 1, "there is a shipped game named `cribbage`"),
        (["nowhere/mine"], 1, "no folder nowhere"),
        (["mine", "--from", "cribage"], 1, "did you mean `cribbage`?"),
        (["mine", "--from", "cribbage", "--set", "traget=61"], 1, "did you mean `target`?"),
        (["mine", "--from", "cribbage", "--set", "target=7"], 1, "a number from 31 to 999"),
        (["mine", "--from", "cribbage", "--set", "muggins=maybe"], 1, "true or false"),
        (["mine", "--from", "cribbage", "--set", "deal_order=packet"], 1, "did you mean `packets`?"),
        (["mine", "--from", "cribbage", "--like", "rummy"], 2, "give one of them"),
        (["mine", "--set", "target=61"], 2, "say which with --from"),
        (["mine", "--like", "bridge"], 2, "'bridge' is not one of"),
        (["mine", "--title", " "], 1, "the title must be text"),
        (["mine", "--from", "broken.game.yaml"], 1, "error["),
        ([], 2, "say what the game is called"),
    ],
)
def test_what_cannot_be_made_is_told_and_leaves_nothing(
    arguments: list[str], code: int, told: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    broken = tmp_path / "broken.game.yaml"
    broken.write_text("game: broken\ntitel: Broken\n", encoding="utf-8")
    assert hoyle("new", *arguments) == code
    answer = capsys.readouterr()
    assert told in " ".join(answer.err.split())
    assert list(tmp_path.iterdir()) == [broken]


def test_on_a_terminal_what_was_not_said_is_asked(tmp_path: Path) -> None:
    plain = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "NO_COLOR": "1"}
    asked = pexpect.spawn(
        sys.executable, ["-m", "hoyle.front.cli", "new"], cwd=tmp_path, env=plain, encoding="utf-8", timeout=60
    )
    asked.expect("What is it called")
    asked.sendline("My Evening!")
    asked.expect("cannot be the name of a game.* as in `my-evening`")
    asked.expect("What is it called")  # and not begun from the beginning
    asked.sendline("evening")
    asked.expect("What is it like")
    asked.expect("shedding")
    asked.expect("Choose")
    asked.sendline("99")  # no such line
    asked.expect("Choose")
    asked.sendline(str(list(list_families()).index("shedding") + 1))
    asked.expect("made evening.game.yaml and evening.test.yaml")
    asked.expect(pexpect.EOF)
    assert (tmp_path / "evening.game.yaml").read_text(encoding="utf-8").startswith("game: evening\ntitle: Evening\n")
    asked = pexpect.spawn(
        sys.executable, ["-m", "hoyle.front.cli", "new", "night"], cwd=tmp_path, env=plain, encoding="utf-8", timeout=60
    )
    asked.expect("Choose")
    asked.sendline(str(len(list_families()) + 1))
    asked.expect("Of which game")
    asked.sendline("cribage")
    asked.expect("did you mean `cribbage`")
    asked.expect("Of which game")
    interrupt(asked, "stopped")
    asked.expect(pexpect.EOF)
    assert not (tmp_path / "night.game.yaml").exists(), "nothing is made of half a dialogue"

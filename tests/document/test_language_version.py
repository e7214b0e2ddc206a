"""A file says which version of the language it is written in; a later one is refused by name and nothing else is said.
Schemas have names that `hoyle schema` resolves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli import run

ODD = Path(__file__).parents[2] / "games/go-fish/go-fish.game.yaml"
VARIANT = "hoyle: 1\ngame: my-fish\ntitle: My Fish\nextends: go-fish\n"
TESTS = "hoyle: 1\ntests: go-fish\nexamples:\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_file_may_say_its_language_and_means_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = write(tmp_path, "go-fish.game.yaml", f"hoyle: 1\n{ODD.read_text()}")
    assert run(["fmt", "--check", str(said)]) == 0 and "hoyle: 1" in said.read_text()
    game, plain = hoyle.load(said, players=3), hoyle.load("go-fish", players=3)
    assert game.program.digests == plain.program.digests
    variant = write(tmp_path, "my-fish.game.yaml", VARIANT)
    assert hoyle.load(variant, players=3).program.blocks == game.program.blocks
    assert run(["check", str(variant)]) == 0, capsys.readouterr()


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("later.game.yaml", "hoyle: 2\ngame: later\nwonders: 3\n", "check"),
        ("later.game.yaml", "game: later\nhoyle: 99\n", "check"),
        ("my-fish.game.yaml", VARIANT.replace("hoyle: 1", "hoyle: 7"), "check"),
        ("go-fish.test.yaml", TESTS.replace("hoyle: 1", "hoyle: 3"), "test"),
    ],
)
def test_a_file_of_a_later_language_is_refused_by_name_and_nothing_else_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, command: str
) -> None:
    assert run([command, str(write(tmp_path, name, text))]) == 1
    told = "".join(capsys.readouterr())
    assert told.count("error[") == 1 and "error[newer-language]: this file is written in version" in told


def test_a_parent_and_a_module_of_a_later_language_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "mine.module.yaml", "hoyle: 2\nmodule: mine\n")
    file = write(tmp_path, "go-fish-2.game.yaml", "game: go-fish-2\ntitle: Two\nextends: go-fish\nuse: [mine]\n")
    assert run(["check", str(file)]) == 1
    assert "newer-language" in "".join(capsys.readouterr())


@pytest.mark.parametrize("value", ["one", "0", "-1", "1.5", "[1]", "true"])
def test_what_is_no_version_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str) -> None:
    file = write(tmp_path, "odd.game.yaml", f"hoyle: {value}\ngame: odd\n")
    assert run(["check", str(file)]) == 1
    assert "`hoyle`" in "".join(capsys.readouterr())


def test_every_schema_is_printed_by_its_name_and_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if "urn:" in line]
    assert {row[0] for row in rows} >= {"game", "test", "format", "rules", "ir"}
    for name, identity, *_ in rows:
        printed = []
        for wanted in (name, identity):
            assert run(["schema", wanted]) == 0
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1] and json.loads(printed[0])["$id"] == identity == f"urn:hoyle:schema:{name}:1"
    assert run(["schema", "urn:hoyle:schema:gaem:1"]) == 1
    assert "did you mean `urn:hoyle:schema:game:1`?" in capsys.readouterr().err

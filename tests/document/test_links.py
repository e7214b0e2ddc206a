"""A rule file reaches nothing outside its folder: neither by `..` nor by a link, and no line of a foreign file is
shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.front.cli import run

SECRET = "root:x:0:0:hunter2"
GAME = """game: mine
title: Mine
players: 2
{more}
deck: {{starts_in: pack, attributes: {{rank: 1..9}}, cards: [{{rank: 1..9}}]}}
zones: {{pack: {{shows: nothing}}}}
steps:
  match: |
    shuffle pack    {cite}
winners: seats
"""
WAYS = {
    "extends by a link": ({"mine.game.yaml": "game: mine\ntitle: Mine\nextends: link\n"}, "link.game.yaml"),
    "extends by a path": ({"mine.game.yaml": "game: mine\ntitle: Mine\nextends: ../out/secret\n"}, ""),
    "use by a link": ({"mine.game.yaml": GAME.format(more="use: [link]", cite="")}, "link.module.yaml"),
    "use by a path": ({"mine.game.yaml": GAME.format(more="use: [../out/secret]", cite="")}, ""),
    "rules by a link": ({"mine.game.yaml": GAME.format(more="", cite="[A-1]")}, "rules.yaml"),
    "tests by a link": (
        {"mine.game.yaml": GAME.format(more="", cite=""), "mine.test.yaml": "tests: link\nexamples: []\n"},
        "link.game.yaml",
    ),
    "tests by a path": (
        {"mine.game.yaml": GAME.format(more="", cite=""), "mine.test.yaml": "tests: ../out/secret\nexamples: []\n"},
        "",
    ),
    "a test file that is a link": ({"mine.game.yaml": GAME.format(more="", cite="")}, "mine.test.yaml"),
    "a game that is a link": ({}, "link.game.yaml"),
    "a format that is a link": ({"mine.game.yaml": GAME.format(more="", cite="")}, "mine.format.yaml"),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_line_of_a_file_outside_is_shown(way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files, link = WAYS[way]
    outside, folder = tmp_path / "out", tmp_path / "game"
    outside.mkdir()
    folder.mkdir()
    for name in ("secret.game.yaml", "secret.module.yaml"):
        (outside / name).write_text(f"{SECRET}\n" * 3)
    for name, text in files.items():
        (folder / name).write_text(text)
    if link:
        (folder / link).symlink_to(outside / "secret.game.yaml")
    lines = [["check", folder], ["test", folder], ["list", folder], ["fmt", "--check", folder], ["play", folder]]
    if files:
        mine = folder / "mine.game.yaml"
        lines += [["check", mine], ["test", mine], ["play", mine, "--auto"], ["show", mine], ["coverage", mine],
                  ["tournament", mine]]  # fmt: skip
    for line in lines:
        code = run([str(word) for word in line])
        said = "".join(capsys.readouterr())
        assert code in (0, 1, 2), (line, said)
        assert "hunter2" not in said, (line, said)


def test_a_link_that_is_named_is_followed_and_so_is_one_inside_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside, folder = tmp_path / "out", tmp_path / "game"
    outside.mkdir()
    folder.mkdir()
    (outside / "mine.game.yaml").write_text(GAME.format(more="", cite=""))
    (folder / "mine.game.yaml").symlink_to(outside / "mine.game.yaml")
    assert run(["check", str(folder / "mine.game.yaml")]) == 0
    (folder / "own.game.yaml").write_text(GAME.format(more="", cite="").replace("game: mine", "game: own"))
    (folder / "other.game.yaml").symlink_to("own.game.yaml")
    (folder / "variant.game.yaml").write_text("game: variant\ntitle: A variant\nextends: other\n")
    assert run(["check", str(folder / "variant.game.yaml")]) == 0
    capsys.readouterr()

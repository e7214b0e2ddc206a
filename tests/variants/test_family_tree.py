"""Families of games: `hoyle list --tree`, `hoyle list FOLDER`, and what checking a parent says of its variants."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hoyle.front.cli import run

STONE = Path(__file__).parents[2] / "docs" / "examples" / "rolling-stone"


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """A game with a variant, a variant of that, and one that extends both."""
    for name in ("rolling-stone.game.yaml", "rolling-stone-mercy.game.yaml", "rules.yaml"):
        shutil.copy(STONE / name, tmp_path)
    for name, parents in (("stone-long", "rolling-stone"), ("stone-both", "[rolling-stone-mercy, stone-long]")):
        text = f"game: {name}\ntitle: {name.title()}\nextends: {parents}\noptions: {{turn_cap: 900}}\n"
        (tmp_path / f"{name}.game.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_folder_is_listed_as_a_tree(family: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", str(family)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0].rstrip() for line in lines] == [
        "rolling-stone", "├─ rolling-stone-mercy", "│", "└─ stone-long",
    ]  # fmt: skip
    assert lines[2].startswith("│  └─ stone-both") and lines[2].endswith("and stone-long")


def test_the_tree_of_a_game_is_its_family(family: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", "--tree", str(family / "stone-long.game.yaml")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("rolling-stone ") and "stone-both" in out and "cribbage" not in out


def test_games_that_extend_one_another_are_listed_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, other in (("hen", "egg"), ("egg", "hen")):
        (tmp_path / f"{name}.game.yaml").write_text(f"game: {name}\ntitle: X\nextends: {other}\n", encoding="utf-8")
    assert run(["list", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("has errors") == 2


def test_checking_a_parent_names_the_variants_beside_it_that_break(
    family: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parent = family / "rolling-stone.game.yaml"
    assert run(["check", "--no-trial", str(parent)]) == 0
    assert "warning" not in capsys.readouterr().out
    text = parent.read_text(encoding="utf-8")
    parent.write_text(text.replace("  take:", "  take_up:").replace("offer: take\n", "offer: take_up\n"), "utf-8")
    assert run(["check", "--no-trial", str(parent)]) == 0
    out = capsys.readouterr().out
    assert "1 file, no problems" in out
    assert out.count("extends it and has") == 2  # the variant, and the one that extends that
    assert run(["check", "--no-trial", "--strict", str(parent)]) == 1
    capsys.readouterr()
    for style, told in (("json", '"code": "variant-breaks"'), ("sarif", '"ruleId": "variant-breaks"')):
        assert run(["check", "--no-trial", "--format", style, str(parent)]) == 0
        out = capsys.readouterr().out
        assert out.count(told) == 2 and "rolling-stone-mercy.game.yaml" in out
    assert run(["check", "--no-trial", "--strict", "--format", "junit", str(parent)]) == 1
    assert 'tests="3" failures="2"' in capsys.readouterr().out

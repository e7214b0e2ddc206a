"""Every command of the workbench on every shipped game: it answers, and says something."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.base.shipped import all_games, game_name
from hoyle.front.cli import run

COMMANDS = (
    ["list"], ["list", "--tree"], ["flatten"], ["words"], ["diff", "whist"], ["why"], ["why", "--full"],
    ["why", "score"], ["rules"], ["rules", "--format", "markdown"], ["rules", "--format", "html"],
    ["rules", "--lang", "fr"], ["graph"], ["graph", "--format", "mermaid"], ["graph", "--format", "dot"],
    ["coverage", "--games", "1"], ["watch", "--once", "--games", "1"],
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("path", all_games(), ids=game_name)
def test_every_command_answers_for_every_game(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = game_name(path)
    variant = tmp_path / f"my-{name}.game.yaml"
    asked = [[command[0], name, *command[1:]] for command in COMMANDS]
    asked += [["new", str(variant), "--from", name], ["check", "--no-trial", str(variant)], ["test", str(variant)]]
    asked += [["diff", str(variant)], ["fmt", "--check", str(path)], ["fmt", "--check", str(variant)]]
    for arguments in asked:
        code = run(arguments)
        shown = capsys.readouterr()
        assert (code, bool(shown.out.strip())) == (0, True), f"{arguments}: {shown.err}"

"""What a shell offers when a word is half typed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hoyle.front.cli import run
from hoyle.front.cli.group import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
TRY = """
eval "$(hoyle completion bash)"
while IFS= read -r line; do
    COMP_LINE="$line"; COMP_POINT=${#line}; _hoyle_completion 2>/dev/null; echo "${COMPREPLY[*]}"
done
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_commands_games_options_and_values(tmp_path: Path) -> None:
    program = tmp_path / "hoyle"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hoyle.front.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "mine.game.yaml").touch()
    asked = {
        "hoyle ch": "check",
        "hoyle play mine": "mine.game.yaml",
        "hoyle play cribbage --set mugg": "muggins=",
        "hoyle sim cribbage --set first_dealer=l": "low_cut",
        "hoyle sim 'open --set first": "",
    }
    done = subprocess.run(
        ["bash", "-c", TRY],
        input="\n".join(asked) + "\n",
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "interpreter")},
        cwd=tmp_path,
        text=True,
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert dict(zip(asked, done.stdout.split("\n"), strict=False)) == asked, done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_HOYLE_COMPLETE" in capsys.readouterr().out


def test_every_command_that_takes_a_game_completes_it() -> None:
    from importlib import import_module

    for name in COMMANDS:
        for parameter in import_module(f"hoyle.front.cli.{name}").command.params:
            if parameter.name in ("game", "first", "second"):
                assert parameter._custom_shell_complete is not None, name

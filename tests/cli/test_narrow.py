"""Tables fit the terminal they are shown on, and nothing of them is lost; what goes into a file is one row a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle.front.cli.group import commands
from terminals import open_terminal

NARROW = 40
SIM = ("sim", "cribbage", "-n", "5", "--executor", "python", "--count", "--plot")
# Which draw the same tables as others.
COSTLY = ("list", "arena", "compare", "tournament", "sim in French", "sim of teams", "words")
COMMANDS = {
    "list": ("list",),
    "list by players": ("list", "--by", "players"),
    "tree": ("list", "--tree"),
    "coverage": ("coverage", "kuhn-poker", "--games", "1", "--all"),
    "sim": SIM,
    "sim of teams": ("sim", "euchre", "-n", "3", "--executor", "python"),
    "sim in French": ("sim", "bonanza", "-n", "2", "--executor", "python", "--lang", "fr"),
    "compare": ("compare", "cribbage", "cribbage-61", "-n", "5"),
    "arena": ("arena", "cribbage", "--bot", "first", "--bot", "random", "--games", "4"),
    "tournament": ("tournament", "bunco"),
    "explain": ("explain",),
    "words": ("words",),
}


def show(width: int, folder: Path, *arguments: str) -> list[str]:
    """What a command leaves on a terminal, line by line, whatever drew itself anew left out."""
    with open_terminal(*arguments, matches=folder, size=(width, 24)) as terminal:
        assert terminal.finish() == 0
        text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", terminal.raw.decode("utf-8"))
    return [line.split("\r")[-1].rstrip() for line in text.replace("\r\n", "\n").split("\n")]


@pytest.mark.parametrize(
    "arguments",
    [pytest.param(each, id=name, marks=pytest.mark.slow if name in COSTLY else ()) for name, each in COMMANDS.items()],
)
def test_no_line_is_longer_than_the_terminal_is_wide(arguments: tuple[str, ...], tmp_path: Path) -> None:
    lines = show(NARROW, tmp_path, *arguments)
    assert len(lines) > 5
    assert [line for line in lines if len(line) > NARROW] == []


@pytest.mark.parametrize("name", ["list by players", "coverage", "explain"])
def test_a_list_tells_the_same_on_any_terminal(name: str, tmp_path: Path) -> None:
    narrow, wide = (show(width, tmp_path, *COMMANDS[name]) for width in (NARROW, 300))
    told = [re.sub(r"[\s\u2800-\u28ff]", "", "".join(lines)) for lines in (narrow, wide)]  # but for what turns
    assert told[0] == told[1]


def test_the_columns_of_a_table_that_is_too_wide_come_below_one_another(tmp_path: Path) -> None:
    arguments = ("sim", "cribbage", "-n", "5", "--executor", "python")
    wide, narrow = (show(width, tmp_path, *arguments) for width in (120, NARROW))
    table = next(number for number, line in enumerate(wide) if line.startswith("seat"))
    head, first, second = (re.split(r" {2,}", line.strip()) for line in wide[table : table + 3])
    at = [number for number, line in enumerate(narrow) if line.startswith("seat")]
    assert len(at) > 1
    for row, want in enumerate((head, first, second)):
        found = [re.split(r" {2,}", narrow[number + row].strip()) for number in at]
        assert [cell for part in found for cell in part[1:]] == want[1:]
        assert {part[0] for part in found} == {want[0]}


def test_what_is_piped_is_a_row_a_line_however_narrow_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(NARROW))
    shown = CliRunner().invoke(commands, ["list"]).output
    assert re.search(r"^ +cribbage-muggins +Cribbage with Muggins +2 players +10 options$", shown, re.MULTILINE)

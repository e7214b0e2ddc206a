"""Names and texts that come from outside cannot deceive whoever reads them: whatever a command writes, it holds no
escape sequences, no signs that turn the direction of writing, and none that cannot be seen."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hostile_text import EVIL, find_hidden
from hoyle.base.diagnostics.signs import spell_out
from hoyle.front.cli import run

NAME = EVIL.replace("/", "")
GAME = """game: {name}
title: {title}
players: 2..3
deck: {{starts_in: pack, attributes: {{rank: 1..9}}, cards: [{{rank: 1..9}}]}}
zones: {{pack: {{shows: nothing}}, hand: {{of: seat, shows: owner}}}}
actions: {{play: {{choose: {{card: hand}}, do: move card to pack}}}}
steps:
  match: |
    shuffle pack
    deal 3 cards from pack to each hand, starting dealer
    dealer chooses play
    {more}
winners: seats
"""
TESTS = "tests:\n  a deal:\n    when: [{do: deal}]\n    then: {count of hand: 9}\n"
FORMAT = "format: evil\ntitle: Evil\ngame: nothing\ntables: 2\n"


class Written(io.StringIO):
    """What is written, to a terminal or not."""

    encoding = "utf-8"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games in a folder and in files with a hostile name: one that is right, one that fails in play, one that is
    wrong, one that says hostile things."""
    place = tmp_path / NAME
    place.mkdir()
    files = {
        f"good{NAME}": GAME.format(name="good", title="Good", more="shuffle pack"),
        f"faulty{NAME}": GAME.format(name="faulty", title="Faulty", more="score 1 div (count of pack - 9) to dealer"),
        f"wrong{NAME}": GAME.format(name="wrong", title="Wrong", more="shufle pak"),
        f"said{NAME}": GAME.format(name="said", title=f'"{EVIL}"'.encode("unicode_escape").decode(), more="do x"),
        f"variant{NAME}": f"game: variant\\ntitle: V\\nextends: nowhere{NAME}\\n",
    }
    for name, text in files.items():
        (place / f"{name}.game.yaml").write_text(text, encoding="utf-8")
    (place / f"good{NAME}.test.yaml").write_text(TESTS, encoding="utf-8")
    (place / f"good{NAME}.format.yaml").write_text(FORMAT, encoding="utf-8")
    (place / f"good{NAME}.playthrough.txt").write_text("nothing\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return place


COMMANDS = (
    "check FOLDER", "check --format json FOLDER", "check --format sarif FOLDER", "check --format junit FOLDER",
    "check --diff FOLDER", "fmt --check FOLDER", "list FOLDER", "list GOOD", "list WRONG", "test FOLDER", "test GOOD",
    "test --format json GOOD", "play GOOD --auto", "play FAULTY --auto", "play WRONG --auto", "sim GOOD --games 2",
    "sim FAULTY --games 2", "sim FAULTY --games 2 --format json", "tournament GOOD", "tournament GOOD --format nothing",
    "show GOOD", "graph GOOD", "ir GOOD", "coverage GOOD", "why GOOD", "eval GOOD 1", "diff GOOD WRONG",
    "compare GOOD FAULTY", "replay GOOD", "play NOWHERE", "check NOWHERE", "resume NOWHERE", "arena FAULTY --games 1",
    "explain EVIL", "EVIL", "play GOOD --set EVIL=1", "play GOOD --bot EVIL", "play GOOD --lang EVIL",
)  # fmt: skip


@pytest.mark.parametrize("terminal", [False, True], ids=["to a file", "to a terminal"])
def test_nothing_a_command_writes_can_deceive_a_reader(
    terminal: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {
        "FOLDER": str(folder),
        "NOWHERE": str(folder / f"nowhere{NAME}.game.yaml"),
        "EVIL": EVIL,
        **{name.upper(): str(folder / f"{name}{NAME}.game.yaml") for name in ("good", "faulty", "wrong")},
    }
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    bad = {}
    for line in COMMANDS:
        arguments = [known.get(word, word.replace("EVIL", EVIL)) for word in line.split()]
        output = Written()
        output.isatty = lambda: terminal  # type: ignore[method-assign]
        monkeypatch.setattr("sys.stdout", output)
        monkeypatch.setattr("sys.stderr", output)
        code = run(arguments)
        said = output.getvalue()
        assert code in (0, 1, 2), (line, code, said)
        assert "Traceback" not in said
        if hidden := find_hidden(said):
            bad[line] = (hidden, said)
    assert not {line: sorted(hidden) for line, (hidden, _) in bad.items()}


def test_what_cannot_be_seen_is_spelt_out_as_json_does() -> None:
    assert json.loads(f'"{spell_out(EVIL)}"') == EVIL
    assert spell_out("Séquence, cœur ♥ 例") == "Séquence, cœur ♥ 例"

"""Results of simulations in files: a row for each game, the same however the work is divided, complete when stopped."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from test_sim import load_counting, load_faulty

import hoyle
from hoyle.base import shipped
from hoyle.lab.bots import BOTS, BotKind
from hoyle.lab.sim import Plan, Row, Setting, StorageError, open_store, simulate
from hoyle.lab.sim.report import summary_data

SETTING = Setting("counting", 3, {"long": True}, 4, "random", "1")
needs_arrow = pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")


def read(path: Path) -> list[dict[str, Any]]:
    """All rows of a file, as they lie in it."""
    if path.suffix == ".parquet":
        import pyarrow.parquet

        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
        return rows
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    found = [dict(row) for row in connection.execute("SELECT * FROM results")]
    connection.close()
    for row in found:
        row["seed"] = int(row["seed"])
        row |= {key: row[key] and json.loads(row[key]) for key in ("scores", "winners")}
    return found


def run(path: Path, plan: Plan, load: Any = load_counting) -> Any:
    store = open_store(path, SETTING)
    summary = simulate(load, plan, keep=store.add)
    store.close()
    return summary


@pytest.mark.parametrize("ending", ["sqlite", pytest.param("parquet", marks=needs_arrow)])
def test_every_game_has_a_row_and_the_rows_add_up_to_the_summary(tmp_path: Path, ending: str) -> None:
    summary = run(tmp_path / f"games.{ending}", Plan(40, seed=4))
    rows = read(tmp_path / f"games.{ending}")
    assert [row["number"] for row in rows] == list(range(40))
    assert len({row["seed"] for row in rows}) == 40
    assert sum(row["decisions"] for row in rows) == summary.decisions.total
    assert [sum(row["scores"][seat] for row in rows) for seat in range(3)] == [each.total for each in summary.scores]
    assert {(row["game"], row["players"], row["bot"], row["options"]) for row in rows} == {
        ("counting", 3, "random", '{"long": true}')
    }


@pytest.mark.parametrize("ending", ["sqlite", pytest.param("parquet", marks=needs_arrow)])
def test_the_rows_are_the_same_in_one_process_and_in_three(tmp_path: Path, ending: str) -> None:
    alone, together = tmp_path / f"alone.{ending}", tmp_path / f"together.{ending}"
    run(alone, Plan(60, seed=4))
    run(together, Plan(60, seed=4, jobs=3))
    assert read(alone) == read(together)


@pytest.mark.parametrize("ending", ["sqlite", pytest.param("parquet", marks=needs_arrow)])
def test_a_game_stopped_by_a_fault_has_a_row_that_says_so(tmp_path: Path, ending: str) -> None:
    summary = run(tmp_path / f"games.{ending}", Plan(40, seed=1), load_faulty)
    faults = [row for row in read(tmp_path / f"games.{ending}") if row["fault"]]
    assert len(faults) == summary.faults > 0
    assert {row["fault"] for row in faults} == {"the rules go round in a circle"}
    assert all(row["scores"] is None for row in faults)


def test_seeds_of_all_64_bits_are_kept(tmp_path: Path) -> None:
    store = open_store(tmp_path / "games.sqlite", SETTING)
    store.add([Row(0, 2**64 - 1, 1, 1, (1,), (0,))])
    store.close()
    assert read(tmp_path / "games.sqlite")[0]["seed"] == 2**64 - 1


def test_a_second_simulation_is_added_to_a_database(tmp_path: Path) -> None:
    for _ in range(2):
        run(tmp_path / "games.sqlite", Plan(5))
    assert [(row["run"], row["number"]) for row in read(tmp_path / "games.sqlite")] == [
        (run, number) for run in (1, 2) for number in range(5)
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopping_keeps_a_row_for_every_game_in_the_summary(tmp_path: Path, jobs: int) -> None:
    played = 0

    def progress(games: int, decisions: int) -> None:
        nonlocal played
        played += games

    store = open_store(tmp_path / "games.sqlite", SETTING)
    summary = simulate(load_counting, Plan(10_000_000, jobs=jobs), lambda: played >= 30, progress, store.add)
    store.close()
    rows = read(tmp_path / "games.sqlite")
    assert len(rows) == summary.played == played >= 30
    assert sum(row["decisions"] for row in rows) == summary.decisions.total


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_games(tmp_path: Path) -> None:
    peaks = []
    for games in (1500, 6000):
        tracemalloc.start()
        run(tmp_path / f"{games}.sqlite", Plan(games))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.2


@pytest.mark.parametrize(
    ("name", "words"),
    [("games.txt", "*.sqlite"), ("nowhere/games.sqlite", "no folder"), ("folder.sqlite", "is a folder")],
)
def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "folder.sqlite").mkdir()
    with pytest.raises(StorageError, match=words.replace("*", r"\*")):
        open_store(tmp_path / name, SETTING)


def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("dear diary, " * 1000)
    with pytest.raises(StorageError, match="not a database"):
        open_store(path, SETTING)
    assert path.read_text().startswith("dear diary")


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(StorageError, match=r"pip install 'hoyle\[parquet\]'"):
        open_store(tmp_path / "games.parquet", SETTING)
    assert not (tmp_path / "games.parquet").exists()


@needs_arrow
def test_a_parquet_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    run(tmp_path / "games.parquet", Plan(3))
    with pytest.raises(StorageError, match="there already"):
        open_store(tmp_path / "games.parquet", SETTING)
    assert len(read(tmp_path / "games.parquet")) == 3


# ------------------------------------------------------------------------------------------------ bots that do not look
@pytest.mark.share
@pytest.mark.parametrize("bot", ["random", pytest.param("first", marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", shipped.all_games(), ids=shipped.game_name)
def test_bots_that_do_not_look_play_the_games_they_would_play_looking(
    path: Path, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hoyle.load(path)
    plan = Plan(2, seed=3, bot=bot)
    blindly = simulate(lambda: game, plan)
    kind = BOTS[bot]
    assert kind.blind is not None
    monkeypatch.setitem(BOTS, bot, BotKind(kind.name, kind.text, kind.make))
    assert summary_data(blindly) == summary_data(simulate(lambda: game, plan))
    assert blindly.first_fault is None


# ------------------------------------------------------------------------------------------------ the command
def hoyle_sim(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "hoyle.front.cli", "sim", "bonus-20", "--set", "turn_cap=20", *arguments]


def test_the_command_writes_the_rows_of_the_games_it_sums_up(tmp_path: Path) -> None:
    out = tmp_path / "games.sqlite"
    answer = subprocess.run(
        hoyle_sim("--games", "12", "--json", "--out", str(out)), capture_output=True, text=True, check=True, env=ENV
    )
    rows, data = read(out), json.loads(answer.stdout)
    assert len(rows) == data["games"] == 12
    assert max(row["scores"][0] for row in rows) == data["seats"][0]["score"]["max"]
    assert json.loads(rows[0]["options"])["turn_cap"] == 20


@pytest.mark.parametrize("name", ["games.txt", "nowhere/games.sqlite"])
def test_the_command_says_in_a_line_why_it_cannot_write(tmp_path: Path, name: str) -> None:
    answer = subprocess.run(hoyle_sim("--out", str(tmp_path / name)), capture_output=True, text=True, env=ENV)
    assert answer.returncode == 1
    assert answer.stderr.startswith("hoyle: ")
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_the_command_keeps_what_is_done(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "games.sqlite"
    arguments = hoyle_sim("--games", "100000000", "--jobs", jobs, "--json", "--out", str(out))
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENV)
    try:
        deadline = time.monotonic() + 240
        while not (out.exists() and count_rows(out)) and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        printed, told = process.communicate(timeout=240)
    finally:
        process.kill()
    data = json.loads(printed)
    assert process.returncode == 130
    assert "stopped after" in told
    assert count_rows(out) == data["games"] > 0


def count_rows(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


ENV = os.environ | {"PYTHONPATH": str(Path(hoyle.__file__).parent.parent)}


def test_loading_for_workers_can_be_sent_to_them() -> None:
    load = functools.partial(hoyle.load, "bonus-20", players=3, options={"turn_cap": "20"})
    plan = Plan(6, seed=2)
    assert summary_data(simulate(load, plan)) == summary_data(simulate(load, Plan(6, seed=2, jobs=2)))

"""Simulations that get nowhere say so: a match that goes on and on is stopped, counted and told, by every executor."""

from __future__ import annotations

from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.front.cli.progress import progress_bar
from hoyle.lab.sim.report import summary_data
from hoyle.lab.sim.run import Plan, SimExecutor, simulate
from hoyle.play.engine.limits import LONGEST_PLAYED

RULES = """
game: waiting
title: Waiting
players: 2
deck: {{starts_in: pack, attributes: {{rank: 1..4}}, cards: [{{rank: 1..4}}]}}
zones: {{pack: {{shows: all}}}}
actions:
  wait: {{do: 'score {points} to seat for "wait"'}}
  rest: {{}}
ends: {{match: rank of top of pack = 1}}
steps:
  match: |
    shuffle pack
    repeat:
      dealer chooses wait or rest
      set dealer to left of dealer
winners: (seat in seats with highest score of seat)
"""


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    file = tmp_path / "waiting.game.yaml"
    file.write_text(RULES.format(points="0 - 1"))
    return file


def test_a_match_that_does_not_end_is_stopped_and_told(waiting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sim", str(waiting), "--games", "2", "--seed", "2"]) == 1
    shown = capsys.readouterr().out
    assert "of 2 games did not end within 20,000 decisions; scores fell; the first with seed " in shown
    assert "fault" not in shown


def test_every_executor_stops_the_same_matches(waiting: Path) -> None:
    game = hoyle.load(waiting, players=2)
    by: tuple[SimExecutor, ...] = ("python", "native")
    plans = [Plan(2, 3, executor=executor) for executor in by] + [Plan(2, 3, jobs=2)]
    found = [summary_data(simulate(game, plan)) for plan in plans]
    assert found[0] == found[1] == found[2]
    assert found[0]["unended"] and found[0]["games"] and not found[0]["faults"]


def test_rows_are_kept_of_matches_that_did_not_end(waiting: Path, tmp_path: Path) -> None:
    assert run(["sim", str(waiting), "--games", "2", "--seed", "2", "--out", str(tmp_path / "a.csv")]) == 1
    rows = (tmp_path / "a.csv").read_text().splitlines()
    assert len(rows) == 3 and any("does not end within 20,000 decisions" in row for row in rows)


@pytest.mark.parametrize("points, said", [("1", "rose"), ("0", "did not change")])
def test_what_the_scores_did_is_told(
    points: str, said: str, waiting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    waiting.write_text(RULES.format(points=points))
    assert run(["sim", str(waiting), "--games", "1", "--seed", "2"]) == 1
    assert f"; scores {said};" in capsys.readouterr().out


def test_a_long_match_can_be_stopped_while_it_goes_on_and_what_ended_is_kept(waiting: Path) -> None:
    made = 0

    def progress(games: int, decisions: int) -> None:
        nonlocal made
        made += decisions

    whole = simulate(hoyle.load(waiting, players=2), Plan(50, 2, executor="reference"), lambda: made > 30_000, progress)
    assert 0 < whole.played < 50 and made < 30_000 + LONGEST_PLAYED


@pytest.mark.parametrize("executor", ["python", "native"])
def test_decisions_of_a_long_match_are_told_while_it_goes_on(executor: SimExecutor, waiting: Path) -> None:
    told: list[tuple[int, int]] = []
    game = hoyle.load(waiting, players=2)
    summary = simulate(game, Plan(2, 2, executor=executor), progress=lambda *made: told.append(made))
    while_going_on = sum(decisions for played, decisions in told if not played)
    assert while_going_on >= LONGEST_PLAYED - 1
    assert sum(played for played, _ in told) == summary.played == 2
    assert sum(decisions for _, decisions in told) == summary.decided


def test_decisions_are_shown_before_the_first_match_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    screen = StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("hoyle.front.cli.progress.REDRAWN", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress_bar(50) as advance:
        advance(0, 12_345)
    assert "0/50" in screen.getvalue() and "12,345 decisions" in screen.getvalue()

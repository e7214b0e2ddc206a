"""The benchmark as it is run: one table, nobody left out silently, growth."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner

import hoyle
from benchmarks import growth, peers
from benchmarks.__main__ import main
from benchmarks.compiling import measure_compiling, write_compiling
from benchmarks.measure import Contestant, Measurement, Missing, Sample, take_sample
from benchmarks.race import Pace, find_ratios, run_race
from benchmarks.table import write_measured, write_race
from hoyle.front.cli import run
from hoyle.play.engine.native.compiler import find_compiler

RULES = Path(__file__).parents[2] / "benchmarks" / "rules"
QUICK = ("--seconds", "0.02", "--rounds", "2", "--warm-up", "0")


def measured(who: str, game: str, games: float, decisions: float) -> Measurement:
    return Measurement(who, game, 2, [Sample(int(games), int(decisions), 1.0)] * 3)


def test_one_run_measures_ours_and_names_every_peer() -> None:
    answer = CliRunner().invoke(main, [*QUICK, "--game", "cribbage-61", "--json"])
    assert answer.exit_code == 0, answer.output
    data = json.loads(answer.stdout)
    found = {(each["who"], each["game"]): each for each in data["measurements"]}
    for peer in peers.list_peers():
        each = found[peer.who, peer.game]
        assert each.get("missing") or each["decisions_per_second"] > 0
    for who in ("Hoyle", "Hoyle, reference"):
        assert found[who, "cribbage-61"]["games_per_second"] > 0
    against = ["cribbage-61, the slowest, decisions/s", "cribbage-61 against Hoyle, reference, decisions/s"]
    if find_compiler() is not None:
        against.append("cribbage-61, native, against Hoyle, decisions/s")
    assert [ratio["name"] for ratio in data["ratios"]] == against
    assert data["machine"]["versions"]["hoyle"] == hoyle.__version__


def test_a_missing_peer_is_shown_with_the_reason() -> None:
    def fail() -> None:
        raise Missing("no module named dealer")

    race = run_race([Contestant("somebody", "whist", 4, fail)], Pace(0.01, 1, 0), lambda what: None)  # type: ignore[arg-type]
    text = "\n".join(write_measured(race))
    assert "somebody" in text
    assert "missing" in text
    assert "no module named dealer" in text


def test_without_a_compiler_the_c_program_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    limit = next(each for each in peers.list_peers() if each.who == peers.LIMIT)
    with pytest.raises(Missing, match="no C compiler"):
        limit.make()


def test_ratios_say_what_is_met_and_what_is_missed() -> None:
    race = [
        measured("Hoyle", "cribbage", 300, 30_000),
        measured("Hoyle, reference", "cribbage", 20, 2000),
        measured(peers.SPIEL, "cribbage", 100, 9000),
        measured(peers.TIGHT, "cribbage", 1000, 100_000),
        measured("Hoyle", "bonus-20", 100, 100_000),
        measured("Hoyle", "skat", 10, 4_000),
    ]
    found = {ratio.name: (ratio.value, ratio.verdict) for ratio in find_ratios(race)}
    assert found == {
        "cribbage against OpenSpiel, from Python, games/s": (3.0, "met"),
        "cribbage against OpenSpiel, from Python, shortcut, games/s": (None, "not measured"),
        "cribbage against tight Python, games/s": (0.3, "missed"),
        "bonus-20 against RLCard's uno, decisions/s": (None, "not measured"),
        "skat, the slowest, decisions/s": (4_000.0, "missed"),
        "cribbage against Hoyle, reference, decisions/s": (15.0, "met"),
    }
    machine = {"date": "1954-01-01", "processor": "P", "cores": 2, "system": "S", "load": 0.1}
    machine["versions"] = {"hoyle": "1"}
    assert "missed" in write_race(machine, race, find_ratios(race))


def test_a_sample_counts_what_was_played() -> None:
    numbers = []

    def play(number: int) -> int:
        numbers.append(number)
        return 7

    sample = take_sample(play, 0.01, first=100)
    assert numbers == list(range(100, 100 + sample.games))
    assert sample.decisions == 7 * sample.games


def test_the_spread_is_that_of_the_samples() -> None:
    found = Measurement("x", "y", 2, [Sample(1, 90, 1.0), Sample(1, 100, 1.0), Sample(1, 120, 1.0)])
    assert found.decisions_per_second == 100
    assert found.spread == pytest.approx(0.3)


@pytest.mark.slow
def test_it_is_measured_how_long_a_game_takes_to_be_ready() -> None:
    found = measure_compiling(["bonus-20"], lambda _: None, ["random"])
    assert [(each.game, each.use) for each in found] == [("bonus-20", "random")]
    assert all(each.read > 0 and each.made > 0 and each.read_again > 0 for each in found)
    assert "bonus-20" in write_compiling(found)


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler: native code is NOT MEASURED")
def test_native_code_is_measured_against_python() -> None:
    answer = CliRunner().invoke(main, ["native", "--game", "bonus-20", "--seconds", "0.02"])
    assert answer.exit_code == 0, answer.output
    row = answer.stdout.splitlines()[-1]
    assert row.startswith("| bonus-20 ") and row.count("|") == 9
    assert "0 B" not in row.split("|")[5].split()


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler: choosing is NOT MEASURED")
def test_choosing_in_python_is_measured_one_by_one_and_in_batches() -> None:
    pytest.importorskip("numpy")
    answer = CliRunner().invoke(main, ["choosing", "--seconds", "0.01", "--game", "kuhn-poker"])
    assert answer.exit_code == 0, answer.output
    row = next(line for line in answer.output.splitlines() if line.startswith("| kuhn-poker"))
    _, _, alone, batch, _ = (cell.strip().replace(",", "") for cell in row.split("|"))
    assert int(alone) > 0 and int(batch) > 0


@pytest.mark.slow
@pytest.mark.slow
def test_growth_is_tabled_and_drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few = [growth.Plan(plan.name, plan.sizes[:2], plan.table) for plan in growth.PLANS]
    monkeypatch.setattr(growth, "PLANS", few)
    drawing = tmp_path / "growth.svg"
    answer = CliRunner().invoke(main, ["growth", "--seconds", "0.01", "--plot", str(drawing)])
    assert answer.exit_code == 0, answer.output
    assert all(plan.name in answer.output for plan in few)
    lines = ElementTree.parse(drawing).getroot().findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == len(few)


def test_the_power_of_a_curve_is_that_of_its_growth() -> None:
    points = tuple(growth.Point(size, 3.0 * size**2, 1.0) for size in (2, 4, 8))
    assert growth.Curve("squares", points).exponents == pytest.approx([2.0, 2.0])


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(RULES.glob("*.game.yaml")), ids=lambda path: path.stem)
def test_games_that_are_only_measured_keep_their_rules(path: Path) -> None:
    assert run(["test", str(path)]) == 0

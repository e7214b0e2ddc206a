"""Games on a cluster: the same as in one process, also when a machine of it is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli.app import run
from hoyle.lab.sim.cluster import ClusterError, RayCrew, check_address
from hoyle.lab.sim.run import Batch, Plan, play_batch, simulate
from hoyle.lab.sim.storage import Row
from hoyle.play.engine.game import Game

SAMPLE = str(Path(__file__).parents[1] / "language" / "valid" / "worth.game.yaml")


class Forgetful:
    """A crew in one process that loses batches, plays them again, and brings them back in another order."""

    def __init__(self, game: Game, plan: Plan, keeping: bool) -> None:
        self.size = 3
        self._play = partial(play_batch, game, plan, keeping=keeping)
        self._handed: list[tuple[int, int]] = []
        self._lost = 0

    @property
    def running(self) -> int:
        return len(self._handed)

    def hand_out(self, start: int, end: int) -> None:
        self._handed.append((start, end))

    def collect(self) -> list[Batch]:
        self._lost += 1
        start, end = self._handed.pop()
        if self._lost % 3 == 0:
            self._play(start=start, end=end)
            self._handed.insert(0, (start, end))
            return []
        return [self._play(start=start, end=end)]

    def end(self) -> None:
        self._handed.clear()


def test_batches_that_are_lost_and_come_late_come_to_the_same() -> None:
    load, plan = partial(hoyle.load, SAMPLE), Plan(40, seed=3)
    rows: list[Row] = []
    again: list[Row] = []
    assert simulate(load, plan, keep=rows.extend) == simulate(load, plan, keep=again.extend, hire=Forgetful)
    assert rows == again and [row.number for row in rows] == list(range(40))


@pytest.mark.parametrize(
    ("address", "message"),
    (
        ("127.0.0.1:1", "no Ray cluster can be reached at 127.0.0.1:1"),
        ("ftp://here:1", "is no address of a cluster"),
        (":6379", "is no address of a cluster"),
        ("127.0.0.1:many", "is no address of a cluster"),
        ("127.0.0.1:99999", "no Ray cluster can be reached at 127.0.0.1:99999"),
    ),
)
def test_a_cluster_that_cannot_be_reached_is_told_in_a_sentence(address: str, message: str) -> None:
    with pytest.raises(ClusterError, match=message):
        check_address(address)


@pytest.mark.parametrize(
    ("arguments", "message"),
    (
        (["--address", "auto"], "--address says where a cluster is: say --on ray, too"),
        (["--on", "ray", "--executor", "native"], "--on ray plays by Python: leave out --executor native"),
    ),
)
def test_what_does_not_go_together_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sim", SAMPLE, "--games", "2", *arguments]) == 1
    assert capsys.readouterr().err == f"hoyle: {message}\n"


def test_without_ray_it_is_said_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    assert run(["sim", SAMPLE, "--games", "2", "--on", "ray"]) == 1
    assert capsys.readouterr().err == "hoyle: Ray is not installed: pip install 'hoyle[ray]'\n"


@pytest.mark.slow
def test_a_cluster_plays_the_same_games_though_a_machine_is_lost() -> None:
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    load, plan = partial(hoyle.load, "cribbage"), Plan(400, seed=3)
    rows: list[Row] = []
    again: list[Row] = []
    expected = simulate(load, plan, keep=rows.extend)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        second = cluster.add_node(num_cpus=2)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        found = simulate(load, plan, progress=lose_once(lambda: cluster.remove_node(second)), keep=again.extend,
                         hire=RayCrew)  # fmt: skip
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert found == expected and again == rows


def lose_once(lose: Callable[[], object]) -> Callable[[int], None]:
    """Progress that loses a machine when the first games have come back."""
    lost = threading.Event()

    def progress(_played: int, _decisions: int) -> None:
        if not lost.is_set():
            lost.set()
            lose()

    return progress

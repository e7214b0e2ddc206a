"""Simulation on a Ray cluster (`pip install 'hoyle[ray]'`).

In: a game, a plan, the address of a cluster. Out: a crew for `hoyle.lab.sim.run.simulate`. If a worker is lost, its
batch is retried elsewhere, with the same result.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any

from hoyle.base.errors import HoyleError
from hoyle.lab.sim.run import Batch, Plan, play_batch
from hoyle.play.engine.game import Game

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 5.0  # connection timeout in seconds
PORTS = {"ray": 10001, "": 6379}


class ClusterError(HoyleError):
    """No cluster can be used; the message is a sentence."""


def check_address(address: str) -> None:
    """Raise `ClusterError` unless the address, `auto`, `host:port` or `ray://host:port`, is valid and accepts
    connections."""
    if address in ("auto", "local"):
        return
    scheme, _, rest = address.rpartition("://")
    host, _, port = rest.partition(":")
    if scheme not in PORTS or not host or not (port or str(PORTS[scheme])).isdigit():
        raise ClusterError(f"`{address}` is no address of a cluster; it is `auto`, `host:port` or `ray://host:port`")
    try:
        socket.create_connection((host, int(port or PORTS[scheme])), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"no Ray cluster can be reached at {address}: {error}") from None


class RayCrew:
    """Workers of the cluster at an address, or of one started on this machine."""

    def __init__(self, game: Game, plan: Plan, keeping: bool, address: str | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise ClusterError("Ray is not installed: pip install 'hoyle[ray]'") from None
        self._ray: Any = ray
        self._owns = not ray.is_initialized()
        if self._owns:
            self._connect(address)
        self._plan, self._keeping = plan, keeping
        self._game = ray.put(game)
        # Unlimited retries are safe: a batch is deterministic, whichever worker plays it.
        self._play = ray.remote(max_retries=-1, num_cpus=1)(play_there)
        self._running: list[Any] = []

    def _connect(self, address: str | None) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if address is None:
                self._ray.init(address="local", include_dashboard=False, **quiet)
            else:
                check_address(address)
                self._ray.init(address=address, **quiet)
        except ClusterError:
            raise
        except Exception as error:  # Ray raises plain exceptions, too, as when a node does not start in time
            said = str(error).strip().splitlines()
            raise ClusterError(f"no Ray cluster can be reached: {said[0] if said else type(error).__name__}") from None

    @property
    def size(self) -> int:
        """Number of CPUs of the cluster now; it can change over time."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    @property
    def running(self) -> int:
        return len(self._running)

    def hand_out(self, start: int, end: int) -> None:
        self._running.append(self._play.remote([self._game], self._plan, start, end, self._keeping))

    def collect(self) -> list[Batch]:
        done, self._running = self._ray.wait(self._running, timeout=0.1)
        return self._get(done)

    def _get(self, done: Sequence[Any]) -> list[Batch]:
        try:
            found: list[Batch] = self._ray.get(list(done))
        except self._ray.exceptions.RayError as error:
            last = str(error).strip().splitlines()[-1]
            raise ClusterError(f"the cluster could not play on: {last}") from None
        return found

    def end(self) -> None:
        for task in self._running:
            self._ray.cancel(task, force=True)
        if self._owns:
            self._ray.shutdown()


_known: dict[str, Game] = {}  # cache of a worker process: its deserialized game


def play_there(held: list[Any], plan: Plan, start: int, end: int, keeping: bool) -> Batch:
    """Play a batch on a worker."""
    import ray

    reference = held[0]
    key = reference.hex()
    if key not in _known:
        _known.clear()
        _known[key] = ray.get(reference)
    return play_batch(_known[key], plan, start, end, keeping)

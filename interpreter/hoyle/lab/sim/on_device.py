"""Simulation on a GPU.

In: a game. Out: `DeviceTable`, which plays the games from a given index on, with the same sums as other executors.
Games that the GPU cannot complete are played by the game's own executor.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from hoyle.lab.sim.native import WAITED, NativeTable, Stop, read_totals
from hoyle.lab.sim.summary import Summary
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.game import Game
from hoyle.play.engine.native.device import DeviceCode, DeviceError
from hoyle.play.engine.work import is_too_much
from hoyle.program.model.chance import derive_seed

LAUNCH_SECONDS = 0.5  # target duration of a kernel launch, for a live progress bar and a prompt Ctrl-C
FIRST_LAUNCH = 1 << 14  # games of the first kernel launch


class DeviceTable(NativeTable):
    """Plays the games of a plan on the GPU, if possible; `problem` says why not."""

    def __init__(self, game: Game, bot: str, errors: float = 0.0) -> None:
        super().__init__(game, bot, errors)
        self.code: DeviceCode | None = None
        self._problem = "a GPU does not play where errors are called" if game.program.called else ""

    @property
    def problem(self) -> str:
        return self._problem if self.policy is not None else super().problem

    @property
    def is_ready(self) -> bool:
        return self.code is not None

    def consider(self, played: int, games: int) -> bool:
        """False: GPU code is built before the first game or not at all."""
        return False

    def build(self, stop: Stop) -> bool:
        """Compile now, wait for the result, and return whether the code is ready."""
        if self.policy is None or self._problem:
            return False
        building = threading.Thread(target=self._make, name="hoyle-device", daemon=True)
        building.start()
        while building.is_alive() and not stop():
            time.sleep(WAITED)
        return self.is_ready

    def _make(self) -> None:
        try:
            if is_too_much(self.game.program):
                self._problem = "an expression may be more work than is allowed: it has to be counted"
            else:
                self.code = DeviceCode(self.native)
        except DeviceError as missing:
            self._problem = str(missing)
        except Unsupported as missing:
            self._problem = f"no native code is written for {missing}"

    def sum_up(self, first: int, games: int, seed: int, stop: Stop, summed: Callable[[Summary], None]) -> None:
        """Play the games from number `first` up to `games`; `summed` receives partial sums."""
        assert self.code is not None and self.policy is not None
        size = FIRST_LAUNCH
        while first < games and not stop():
            many = min(size, games - first, self.code.most)
            began = time.monotonic()
            blocks, left_out = self.code.sum_up(seed, first, many, self.policy)
            seconds = time.monotonic() - began
            summary = Summary(self.game.players)
            for totals in blocks:
                if totals.games:
                    summary.merge(read_totals(totals, self.game.players))
            for index in left_out:
                result = self._play_otherwise(index, derive_seed(seed, index), stop)
                if result is not None:
                    summary.add(result)
            summed(summary)
            self.played += many
            first += many
            size = max(FIRST_LAUNCH, int(many * min(8.0, LAUNCH_SECONDS / max(seconds, 1e-6))))

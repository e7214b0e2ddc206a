"""The binding of a compiled program.

In: a shared library and the layout of its positions. Out: playouts, one or many at a time, and the functions of a
`Board`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hoyle.play.codegen.c.struct_layout import Layout
from hoyle.play.engine.drawing import RANDOM
from hoyle.play.engine.habits import find_chances
from hoyle.play.engine.native.builtin import make_builtins
from hoyle.play.engine.native.memory import Mirror

ASKED, OVER, FAULT = 1, 2, 3
STOPS, ROLLS = 1, 3  # return at every decision, or after a rollout
MASK = (1 << 64) - 1
MOST_SUMMED = 65536
mapped: set[Path] = set()  # the libraries of this process: they stay, because Python functions point into them


class Library:
    """The functions of one program. Through ctypes they release the interpreter lock; they share only memo tables."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self.path = path
        self.layout = layout
        self.mirror = Mirror(layout)
        self.program = layout.program
        pointer, i32, i64, u64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
        lib = ctypes.CDLL(str(path))
        mapped.add(path)
        for name, result, arguments in (
            ("start", i32, (pointer, pointer, u64)),
            ("play_on", i32, (pointer, pointer)),
            ("choose", i64, (pointer, i32, i64)),
            ("peek", i32, (pointer, pointer, pointer, i32)),
            ("results", i32, (pointer, pointer, pointer)),
            ("start_all", None, (pointer, pointer, pointer, pointer, i64)),
            ("apply_all", None, (pointer, pointer, pointer, pointer, pointer, pointer, i64)),
            ("peek_all", None, (pointer, pointer, pointer, pointer, pointer, pointer, pointer, i64)),
            ("show_all", None, (pointer, pointer, pointer, i64)),
            ("play_matches", i64, (pointer, pointer, i64, i32, u64, pointer, pointer)),
            ("sum_matches", i64, (u64, i64, i64, i32, u64, pointer, pointer, pointer, pointer)),
            ("grow", i32, (pointer, pointer, pointer, u64, pointer, pointer, i32, i32, u64)),
        ):
            function: Any = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
        self.functions = lib
        *sizes, self.tree_size = (i64 * 5).in_dll(lib, "sizes")
        mirrored = (self.mirror.position, self.mirror.ask, self.mirror.board, self.mirror.totals)
        if sizes != [ctypes.sizeof(each) for each in mirrored]:
            raise OSError("the library is of another layout")
        self._builtins = make_builtins(lib, "choose_for_python")

    def bind_choose(self, board: Any) -> Callable[[int, int], int]:
        """The function that applies a choice and a number to a board in memory and returns the packed outcome."""
        return self._builtins(board) if self._builtins else partial(self.functions.choose, ctypes.addressof(board))

    def sum_up(
        self, seed: int, first: int, games: int, policy: int, stop: Any, errors: float = 0.0
    ) -> tuple[int, Any, list[int]]:
        """Sum playouts numbered from `first`, at most `MOST_SUMMED`: how many were played before `stop` (a c_int32)
        became true, their totals, and the numbers of matches that faulted, for other executors to play."""
        games = min(games, MOST_SUMMED)
        totals, left_out, left = self.mirror.totals(), (ctypes.c_int64 * games)(), ctypes.c_int64(0)
        played = self.functions.sum_matches(
            seed & MASK, first, games, policy, find_chances(errors), ctypes.byref(totals), left_out, ctypes.byref(left),
            ctypes.byref(stop),
        )  # fmt: skip
        return played, totals, left_out[: left.value]

    def play(
        self, seeds: Sequence[int], policy: int = RANDOM, stop: Any = None, errors: float = 0.0, start: Any = None
    ) -> Any:
        """Results of playouts, from the start or from a position in memory; as many as were played before `stop` (a
        c_int32) became true. A match that faulted is flagged."""
        games = len(seeds)
        results = (self.mirror.result * games)()
        numbers = (ctypes.c_uint64 * games)(*(seed & MASK for seed in seeds))
        stop = ctypes.c_int32(0) if stop is None else stop
        chances = find_chances(errors)
        start = None if start is None else ctypes.byref(start)
        played = self.functions.play_matches(start, numbers, games, policy, chances, results, ctypes.byref(stop))
        return results[:played] if played < games else results

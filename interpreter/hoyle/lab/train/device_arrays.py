"""Many matches of one game as arrays on a GPU: positions stay there, and so do the arrays.

In: a game, and a row of a menu for each match, as an array on the device. Out: `DeviceArray`s that PyTorch, JAX and
CuPy take without a copy (DLPack). The text that runs is that of `hoyle.lab.train.environment`.
"""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any

from hoyle.lab.bots.evaluation import Worth
from hoyle.lab.bots.tables import POINTERS, Environment, Rows, Tables
from hoyle.lab.learning.features import Features
from hoyle.lab.train.environment import MOST_CHOICES, MOST_STEPS, SAID_WORDS, Arrays
from hoyle.play.engine.native.device import Driver, Pointer, find_cubin
from hoyle.play.engine.native.memory import Mirror
from hoyle.play.engine.native.program import find_native
from hoyle.program.model.given import read_count, read_whole

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game

MOST_SHARED = 48 << 10  # bytes that every thread block may have
CUDA = 2  # the kind of device, as DLPack numbers them
INT, UINT, FLOAT = 0, 1, 2


# ------------------------------------------------------------------------------------------------ DLPack
class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("release", _Release)]


_lent: dict[int, tuple[Any, ...]] = {}  # what must live as long as a tensor made of it, by the tensor's address


def _let_go(at: int) -> None:
    _lent.pop(at, None)


_release = _Release(_let_go)


class DeviceArray:
    """An array in the memory of the device, row by row. It keeps the memory, and so does every tensor made of it."""

    def __init__(self, driver: Driver, shape: tuple[int, ...], kind: tuple[int, int]) -> None:
        self.shape = shape
        self._kind = kind
        self._driver = driver
        self.bytes = math.prod(shape) * kind[1] // 8
        self.at: Pointer = driver.take(self.bytes)
        driver.clear(self.at, self.bytes)

    def __del__(self) -> None:
        if hasattr(self, "at"):
            self._driver.give_back(self.at)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0

    def __dlpack__(self, **_how: object) -> Any:
        """A capsule with the array, for `torch.from_dlpack`, `jax.dlpack.from_dlpack` and `cupy.from_dlpack`."""
        self._driver.wait()
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        tensor = _Tensor(self.at.value, CUDA, 0, len(self.shape), *self._kind, 1, ctypes.addressof(shape), None, 0)
        managed = _Managed(tensor, None, _release)
        address = ctypes.addressof(managed)
        _lent[address] = (managed, shape, self)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(address, b"dltensor", None)


# ------------------------------------------------------------------------------------------------ the environment
class DeviceEnvironment:
    """`count` matches on the first GPU. `step` takes the device address of 32-bit row numbers; the arrays are
    overwritten in place."""

    def __init__(
        self, game: Game, count: int, *, seed: int = 0, choices: int = MOST_CHOICES, most_steps: int = MOST_STEPS,
        skips_forced: bool = True,
    ) -> None:  # fmt: skip
        self.game = game
        self.count = read_count(count, "the number of matches")
        self.features = Features(game.program)
        native, self._driver = find_native(game.program), Driver()
        mirror = Mirror(native.environment_layout)
        self.tables = Tables(self.features, mirror, Worth(game.executor))
        digest = f"{native.digest} environment"
        self._module = self._driver.load(find_cubin(digest, self._driver.target, lambda: native.environment_text))
        self._plan = Environment.from_buffer_copy(self.tables.environment)
        self._plan.choices, self._plan.most_steps, self._plan.skips_forced = choices, most_steps, skips_forced
        self._plan.seed = read_whole(seed, "a seed") & (1 << 64) - 1
        self._tables: list[Any] = []
        for name in POINTERS:
            held = self.tables.arrays[name]
            array = self._make((max(1, ctypes.sizeof(held)),), (UINT, 8))
            self._driver.put(array.at, held)
            setattr(self._plan, name, array.at.value)
            self._tables.append(array)
        size, self._threads, taken = self._measure_match()
        staged = 4 * self._threads * self.features.size
        self._staged = staged if staged + taken <= MOST_SHARED else 0
        self._matches = self._make((count, size), (UINT, 8))
        players, tokens = game.players, self.features.tokens
        self.arrays = Arrays(
            self._make((count, self.features.size), (FLOAT, 32)), self._make((count, choices, tokens), (INT, 16)),
            self._make((count,), (INT, 32)), self._make((count,), (INT, 32)), self._make((count, players), (FLOAT, 32)),
            self._make((count, players), (FLOAT, 32)), self._make((count,), (UINT, 8)),
        )  # fmt: skip
        self._places, self._numbers = (self._make((count, choices), (INT, bits)) for bits in (32, 64))
        self._said = self._make((count, self.features.recent_many, SAID_WORDS), (INT, 16))
        self._rows = Rows(*(each.at.value for each in (*self.arrays, self._places, self._numbers, self._said)))
        self.step(0)

    def _make(self, shape: tuple[int, ...], kind: tuple[int, int]) -> DeviceArray:
        return DeviceArray(self._driver, shape, kind)

    def _measure_match(self) -> tuple[int, int, int]:
        """How many bytes a match takes, how many of them a thread block advances, and its shared memory."""
        sizes = (ctypes.c_int64 * 3)()
        with self._driver.room(sizes) as (at,):
            self._driver.launch(self._module, b"measure_match", 1, 1, at)
            self._driver.fetch(sizes, at)
        return sizes[0], sizes[1], sizes[2]

    def step(self, chosen: int, *, wait: bool = True) -> Arrays:
        """Take a row of the menu of each match, from an array at this device address, 0 to begin anew. Without `wait`
        what follows must be launched on the default stream."""
        if not self._staged:
            self._driver.clear(self.arrays.observations.at, self.arrays.observations.bytes)
        self._driver.launch(
            self._module, b"step_rows", -(-self.count // self._threads), self._threads, self._plan, self._matches.at,
            ctypes.c_uint64(chosen), self._rows, ctypes.c_int64(self.count), ctypes.c_int32(bool(self._staged)),
            wait=wait, shared=self._staged,
        )  # fmt: skip
        return self.arrays

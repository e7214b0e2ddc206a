"""GPU execution: the printed program compiled by NVRTC, cached as a cubin, launched through the driver API.

In: a program. Out: `DeviceCode`, which sums playouts like a `Library`, with one sum per thread block. It needs the
driver and NVIDIA's run-time compiler, nothing else.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import os
import site
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hoyle.base.cache import cache_folder, keep_at_most, read_sealed, write_sealed
from hoyle.base.errors import HoyleError
from hoyle.play.codegen.c.struct_layout import Layout
from hoyle.play.engine.native.library import MASK, MOST_SUMMED
from hoyle.play.engine.native.memory import Mirror
from hoyle.play.engine.native.program import Native

THREADS = 128  # per block
BLOCKS_PER_PROCESSOR = 32  # twice as many as are resident
MOST_KEPT = 50
MAJOR, MINOR, PROCESSORS = 75, 76, 16  # attributes of a device, as the driver numbers them

Pointer = ctypes.c_uint64  # to device memory


class DeviceError(HoyleError):
    """There is no GPU to play on, or it cannot be used."""


class DeviceCode:
    """One program on the first GPU."""

    def __init__(self, native: Native) -> None:
        self.mirror = Mirror(Layout(native.program, native.known))
        self._driver = Driver()
        self._module = self._driver.load(find_cubin(native.digest, self._driver.target, lambda: native.text))
        self.blocks = self._driver.processors * BLOCKS_PER_PROCESSOR

    @property
    def most(self) -> int:
        """How many matches a launch sums exactly: half of what a block may have, since work is not split evenly."""
        return self.blocks * (MOST_SUMMED // 2)

    def sum_up(self, seed: int, first: int, games: int, policy: int) -> tuple[Sequence[Any], list[int]]:
        """Sums of playouts numbered from `first`, at most `most`, one for each block, and the numbers of matches that
        are in none."""
        assert games <= self.most
        driver = self._driver
        blocks = min(self.blocks, -(-games // THREADS))
        totals, left_out, left = (self.mirror.totals * blocks)(), (ctypes.c_int64 * games)(), ctypes.c_uint64(0)
        with driver.room(totals, left_out, left) as (at_totals, at_left_out, at_left):
            driver.launch(self._module, b"begin_blocks", blocks, 1, at_totals, at_left)
            driver.launch(
                self._module, b"sum_blocks", blocks, THREADS, ctypes.c_uint64(seed & MASK), ctypes.c_int64(first),
                ctypes.c_int64(games), ctypes.c_int32(policy), at_totals, at_left_out, ctypes.c_int64(games), at_left,
            )  # fmt: skip
            driver.fetch(totals, at_totals)
            driver.fetch(left, at_left)
            if left.value:
                driver.fetch(left_out, at_left_out)
        return totals, sorted(left_out[: left.value])


# ------------------------------------------------------------------------------------------------ compiling
def find_cubin(digest: str, target: str, print_text: Callable[[], str]) -> bytes:
    """The machine code of a text, known by its digest, for an architecture: cached, or compiled now."""
    return _find_cached(digest, target) or _compile(print_text(), digest, target)


def _compile(text: str, digest: str, target: str) -> bytes:
    """A cubin for an architecture, compiled by NVRTC and cached."""
    compiler = _open("nvrtc", "NVIDIA's run-time compiler (install `hoyle[cuda]`)")
    program, size = ctypes.c_void_p(), ctypes.c_size_t()

    def call(name: str, *arguments: object) -> None:
        if (status := getattr(compiler, name)(*arguments)) != 0:
            raise DeviceError(f"the program cannot be compiled for the GPU ({name} gives {status}){_read_log()}")

    def _read_log() -> str:
        if not program or compiler.nvrtcGetProgramLogSize(program, ctypes.byref(size)) != 0:
            return ""
        log = ctypes.create_string_buffer(size.value)
        compiler.nvrtcGetProgramLog(program, log)
        return f": {log.value.decode(errors='replace')[:500]}" if log.value else ""

    call("nvrtcCreateProgram", ctypes.byref(program), text.encode("ascii"), b"program.cu", 0, None, None)
    try:
        options = (ctypes.c_char_p * 2)(f"--gpu-architecture={target}".encode(), b"-w")
        call("nvrtcCompileProgram", program, len(options), options)
        call("nvrtcGetCUBINSize", program, ctypes.byref(size))
        cubin = ctypes.create_string_buffer(size.value)
        call("nvrtcGetCUBIN", program, cubin)
    finally:
        compiler.nvrtcDestroyProgram(ctypes.byref(program))
    place = _place(digest, target)
    if place is not None:
        write_sealed(place, cubin.raw)
        keep_at_most(MOST_KEPT, place.parent, "cuda-*.cubin")
    return cubin.raw


def _place(digest: str, target: str) -> Path | None:
    folder = cache_folder()
    return folder / f"cuda-{hashlib.sha256(f'{digest} {target}'.encode()).hexdigest()}.cubin" if folder else None


def _find_cached(digest: str, target: str) -> bytes | None:
    place = _place(digest, target)
    try:
        return read_sealed(place) if place is not None else None
    except (OSError, ValueError):
        return None


def _open(name: str, what: str) -> ctypes.CDLL:
    """Load a library of NVIDIA's: from the system, the toolkit, or a Python package."""
    for path in _list_libraries(name):
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    raise DeviceError(f"there is no {what}")


def _list_libraries(name: str) -> Iterator[str]:
    found = ctypes.util.find_library(name)
    if found is not None:
        yield found
    yield f"lib{name}.so.1" if name == "cuda" else f"lib{name}.so"
    toolkit = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    folders = [Path(toolkit) / "lib64", *(Path(one) for one in (*site.getsitepackages(), *sys.path) if one)]
    for folder in folders:
        patterns = (f"lib{name}.so*", f"nvidia/*/lib/lib{name}.so*", f"nvidia/*/lib/lib{name}-*.so*")
        yield from (str(path) for pattern in patterns for path in sorted(folder.glob(pattern)))


# ------------------------------------------------------------------------------------------------ driver API
class Driver:
    """The first GPU, through the driver API."""

    def __init__(self) -> None:
        self._library = _open("cuda", "NVIDIA driver here")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuInit", ctypes.c_uint(0))
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._call("cuCtxSetCurrent", context)
        self._context = context

        def ask(attribute: int) -> int:
            number = ctypes.c_int()
            self._call("cuDeviceGetAttribute", ctypes.byref(number), attribute, device)
            return number.value

        self.target = f"sm_{ask(MAJOR)}{ask(MINOR)}"
        self.processors = ask(PROCESSORS)

    def _call(self, name: str, *arguments: object) -> None:
        if (status := getattr(self._library, name)(*arguments)) != 0:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(status, ctypes.byref(text))
            said = text.value.decode(errors="replace") if text.value else str(status)
            raise DeviceError(f"the GPU cannot be used ({name}: {said})")

    def load(self, cubin: bytes) -> ctypes.c_void_p:
        module = ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), cubin)
        return module

    def room(self, *like: Any) -> _Room:
        return _Room(self, [ctypes.sizeof(one) for one in like])

    def launch(
        self, module: ctypes.c_void_p, name: bytes, blocks: int, threads: int, *arguments: Any, wait: bool = True,
        shared: int = 0,
    ) -> None:  # fmt: skip
        """Launch a kernel on the default stream, and wait for it."""
        function = ctypes.c_void_p()
        self._call("cuCtxSetCurrent", self._context)  # contexts are per thread
        self._call("cuModuleGetFunction", ctypes.byref(function), module, name)
        given = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(one) for one in arguments))
        self._call("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, shared, None, given, None)
        if wait:
            self.wait()

    def wait(self) -> None:
        """Wait for all that was launched."""
        self._call("cuCtxSynchronize")

    def clear(self, at: Pointer, size: int) -> None:
        """Set bytes to 0, in the order of launches."""
        self._call("cuMemsetD8Async", at, ctypes.c_uint8(0), ctypes.c_size_t(size), None)

    def put(self, at: Pointer, held: Any) -> None:
        """Copy a ctypes object to the device."""
        self._call("cuMemcpyHtoD_v2", at, ctypes.byref(held), ctypes.c_size_t(ctypes.sizeof(held)))

    def fetch(self, to: Any, at: Pointer) -> None:
        self._call("cuMemcpyDtoH_v2", ctypes.byref(to), at, ctypes.c_size_t(ctypes.sizeof(to)))

    def take(self, size: int) -> Pointer:
        at = Pointer()
        self._call("cuCtxSetCurrent", self._context)
        self._call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(size))
        return at

    def give_back(self, at: Pointer) -> None:
        self._library.cuMemFree_v2(at)


class _Room:
    """Device memory, freed on exit."""

    def __init__(self, driver: Driver, sizes: list[int]) -> None:
        self._driver, self._sizes = driver, sizes
        self._taken: list[Pointer] = []

    def __enter__(self) -> list[Pointer]:
        for size in self._sizes:
            self._taken.append(self._driver.take(size))
        return self._taken

    def __exit__(self, *_: object) -> None:
        for at in self._taken:
            self._driver.give_back(at)

"""The C compiler driver, and the on-disk cache of shared libraries.

In: C text. Out: the path of a shared library, from the user's cache folder if it is there. Libraries are keyed by the
hash of all that they are made from: program, generator, compiler, flags. A library is code: one that another user could
have written, or whose content hash does not match, is never loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from hoyle.base.cache import LONG_AGO, cache_folder, keep_at_most, read_sealed, write_sealed
from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError

MOST_KEPT = 200
LONGEST_BUILD = 300  # seconds
# What a compiler may take, so that no rule file makes it hold up the machine; beyond that, the next executor plays.
MOST_MEMORY = 1_500_000  # kilobytes
MOST_WORKED = 150  # seconds of processor time
NICENESS = 10
QUICK, OPTIMISED = ("-O0",), ("-O2",)
# No contraction to fused multiply-add: floating-point results are the same on all machines.
# Zig's compiler enables its undefined-behaviour sanitizer in unoptimised builds, unless told not to.
FLAGS = ("-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-fno-sanitize=all", "-w")
LINKED = ("-lm",)
# Bit manipulation extensions of x86, by their names in /proc/cpuinfo, and the compiler flags that enable them.
ON_BITS = {"popcnt": "-mpopcnt", "abm": "-mlzcnt", "bmi1": "-mbmi", "bmi2": "-mbmi2"}
PROCESSOR = Path("/proc/cpuinfo")
SUFFIX = sysconfig.get_config_var("SHLIB_SUFFIX") or ".so"
NOTED = ".json"
BUILDING = "building-"
NO_COMPILER = "there is no C compiler"
HOW_TO_HAVE_ONE = "install cc, clang or gcc, or `pip install 'hoyle[native]'`, to play faster"


@dataclass(frozen=True, slots=True)
class Compiler:
    """The command line of a C compiler, and its version string."""

    command: tuple[str, ...]
    version: str


# What a page has: nothing that compiles, and libraries that were built for it beforehand.
BROWSER = Compiler((), "ziglang, for the browser")


class BuildError(HoyleError):
    """A library could not be built."""


@cache
def find_compiler() -> Compiler | None:
    """The first C compiler that works: `$CC`, cc, clang, gcc, then that of the `ziglang` package."""
    if sys.platform == "emscripten":
        return BROWSER
    for command in _list_commands():
        version = _ask_version(command)
        if version:
            return Compiler(command, version)
    return None


def _list_commands() -> list[tuple[str, ...]]:
    chosen = os.environ.get("CC", "").strip()
    found = [tuple(shlex.split(chosen))] if chosen else []
    found += [(path,) for name in ("cc", "clang", "gcc") if (path := shutil.which(name))]
    return [*found, (sys.executable, "-m", "ziglang", "cc")]


def _ask_version(command: tuple[str, ...]) -> str:
    try:
        answer = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    return answer.stdout.splitlines()[0] if answer.returncode == 0 and answer.stdout else ""


@cache
def list_processor_flags() -> tuple[str, ...]:
    """Compiler flags for the extensions of this processor. They are part of the cache key: several machines may share a
    cache folder."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ()
    try:
        said = PROCESSOR.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ()
    found = next((line.split(":")[-1].split() for line in said.splitlines() if line.startswith("flags")), [])
    return tuple(flag for name, flag in ON_BITS.items() if name in found)


def build_library(
    text: str, level: tuple[str, ...], compiler: Compiler, name: str, stop: threading.Event | None = None
) -> Path:
    """Compile C text to a shared library, stored under a name in the cache folder, or in a temporary one. Setting
    `stop` cancels the compiler."""
    folder = library_folder()
    path = folder / name
    with tempfile.TemporaryDirectory(dir=folder, prefix=BUILDING) as passing:
        source, made = Path(passing) / "program.c", Path(passing) / f"program{SUFFIX}"
        source.write_text(text, encoding="ascii")
        command = [*compiler.command, *FLAGS, *list_processor_flags(), *level, "-o", str(made), str(source), *LINKED]
        complaint = Path(passing) / "complaint"
        try:
            with complaint.open("wb") as errors:
                status = _run(command, errors, Path(passing), stop or threading.Event())
        except (OSError, subprocess.SubprocessError) as error:
            raise BuildError(f"{compiler.command[0]} could not be run: {error}") from None
        if status != 0 or not made.exists():
            said = complaint.read_bytes()[:500].decode(errors="replace").strip()
            raise BuildError(f"{compiler.command[0]} failed: {said or 'it took more than it may'}")
        made.chmod(0o700)
        made.replace(path)
    for kind in (SUFFIX, NOTED):
        keep_at_most(MOST_KEPT, folder, f"native-*{kind}")
    _remove_leftovers(folder)
    return path


def _remove_leftovers(folder: Path) -> None:
    """Remove old build folders of processes that were killed."""
    for place in folder.glob(f"{BUILDING}*"):
        with suppress(OSError):  # removed concurrently
            if place.stat().st_mtime < time.time() - LONG_AGO:
                shutil.rmtree(place, ignore_errors=True)


def _limit(command: list[str]) -> list[str]:
    """The command, with limits of memory and time, and behind other processes. A shell sets them: setting them between
    fork and exec is not safe in a process of many threads, and later is too late for what a driver has started."""
    shell = shutil.which("sh")
    if os.name != "posix" or shell is None:
        return command
    limits = f"ulimit -d {MOST_MEMORY} 2>&-; ulimit -t {MOST_WORKED} 2>&-"
    return [shell, "-c", f'{limits}; renice -n {NICENESS} $$ >&- 2>&-; exec "$@"', shell, *command]


def _run(command: list[str], errors: IO[bytes], passing: Path, stop: threading.Event) -> int:
    """Run a compiler with limits, in a session of its own, so that Ctrl-C reaches the caller alone, and with a folder
    for its temporary files, which it leaves behind when it is killed."""
    process = subprocess.Popen(
        _limit(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        env={**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(passing))},
        start_new_session=True,
    )
    ends = time.monotonic() + LONGEST_BUILD
    try:
        while True:
            try:
                return process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                if stop.is_set() or time.monotonic() > ends:
                    raise BuildError("compiling was stopped" if stop.is_set() else "compiling took too long") from None
    finally:
        if process.poll() is None:
            _end_group(process)
            process.wait()


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a compiler and its child processes."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):
        process.kill()


def name_library(digest: str, level: tuple[str, ...], compiler: Compiler) -> str:
    """The file name of a library: its cache key."""
    flags = (*FLAGS, *list_processor_flags())
    key = repr((digest, level, flags, LINKED, compiler.command, compiler.version, sys.platform))
    return f"native-{hashlib.sha256(key.encode()).hexdigest()}{SUFFIX}"


def note_library(path: Path, known: object) -> None:
    """Store with a library its content hash, and metadata."""
    write_sealed(path.with_suffix(NOTED), json.dumps([_hash_file(path), known]).encode())


def find_cached(name: str) -> tuple[Path, Any] | None:
    """A cached library and its metadata, if only the user can have written it and its content hash matches: a damaged
    one could do anything."""
    path = library_folder() / name
    try:
        if not is_trusted(path):
            return None
        made, known = json.loads(read_sealed(path.with_suffix(NOTED)))
        return (path, known) if made == _hash_file(path) else None
    except (OSError, ValueError):
        return None


def _hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _own_folder() -> Path:
    """A temporary folder in place of a cache folder, removed when the process ends."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="hoyle-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def library_folder() -> Path:
    """Where libraries are stored: in the cache folder, if nobody else can write there."""
    folder = cache_folder()
    return folder if folder is not None and _is_private(folder) else _own_folder()


def _is_private(folder: Path) -> bool:
    """Whether only the user can create files in a folder."""
    if not hasattr(os, "getuid"):
        return True
    try:
        known = folder.stat()
    except OSError:
        return False
    return known.st_uid == os.getuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def is_trusted(path: Path) -> bool:
    """Whether a file is a regular file that only the user can have written."""
    try:
        known = path.lstat()
    except OSError:
        return False
    if not stat.S_ISREG(known.st_mode):
        return False
    return not hasattr(os, "getuid") or (
        known.st_uid == os.getuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and _is_private(path.parent)
    )

"""The disk cache, for results that can always be recomputed.

In: the environment. Out: the user's cache folder, or None if it is not writable; files in it, written atomically.

Files are trusted only if nobody but the user can have written them: folder and file must belong to the user and must
not be writable by others. A sealed file begins with a hash of its contents.
"""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import os
import stat
import tempfile
import time
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PASSING = ".passing-"
LONG_AGO = 3600.0  # seconds after which a temporary file is considered abandoned
HEAD = b"hoyle "


def cache_folder() -> Path | None:
    """`$HOYLE_CACHE`, or `hoyle` in the user's cache folder, created if necessary; an empty `$HOYLE_CACHE` disables the
    cache. A relative `$XDG_CACHE_HOME` is ignored: it would depend on the current folder, which may belong to somebody
    else."""
    chosen = os.environ.get("HOYLE_CACHE")
    if chosen == "":
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
        folder = Path(chosen) if chosen else home / "hoyle"
        str(folder).encode()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_private(folder.stat()) or not os.access(folder, os.W_OK):
            return None
    except (OSError, RuntimeError, ValueError):  # no home folder, no space, or an invalid name
        return None
    return folder


def _is_private(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user, and nobody else can write to it."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE)


def read_sealed(path: Path) -> bytes:
    """The contents written by `write_sealed`; raises `ValueError` if the file is corrupt, or somebody else can have
    written it."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_private(status):
            raise ValueError(f"{path} is not the user's own")
        content = file.read()
        os.utime(file.fileno() if os.utime in os.supports_fd else path)  # for eviction by last use
    return unseal(content)


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file atomically, with a hash by which corruption is detected."""
    write_whole(path, seal(content))


def seal(content: bytes) -> bytes:
    return HEAD + hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def unseal(content: bytes) -> bytes:
    """What was sealed; raises `ValueError` if it is damaged."""
    head, _, kept = content.partition(b"\n")
    if head != HEAD + hashlib.sha256(kept).hexdigest().encode():
        raise ValueError("it is damaged")
    return kept


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically, by way of a temporary file; failure to write is ignored."""
    passing = None
    try:
        number, passing = tempfile.mkstemp(prefix=PASSING, dir=path.parent)
        with os.fdopen(number, "wb") as file:
            file.write(content)
        Path(passing).replace(path)
    except OSError:
        if passing is not None:
            Path(passing).unlink(missing_ok=True)


def keep_at_most(number: int, folder: Path, pattern: str) -> None:
    """Evict the least recently used files, and abandoned temporary files."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return
    kept = [folder / name for name in fnmatch.filter(names, pattern)]
    passing = [folder / name for name in names if name.startswith(PASSING)]
    before = time.time() - LONG_AGO
    left = [path for path in passing if (written := _time_of(path)) is not None and written < before]
    # Usually the limit is not reached, and no file needs to be inspected.
    if len(kept) > number:
        dated = sorted((written, path) for path in kept if (written := _time_of(path)) is not None)
        left += [path for _, path in dated[:-number]]
    for path in left:
        with contextlib.suppress(OSError):  # removed by another process
            path.unlink()


def _time_of(path: Path) -> float | None:
    """When a file was last written or used; None if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return None

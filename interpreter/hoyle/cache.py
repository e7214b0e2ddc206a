"""Where things are kept that can always be made again.

In: the environment. Out: a folder of the user's, or None if there is none to write to; files in it, whole or not at
all.

What is found there is believed only if nobody but the user can have written it: folder and file belong to the user, and
no one else may write to them. What is sealed begins with the hash of all that follows.
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
LONG_AGO = 3600.0  # seconds after which what is being written never will be
HEAD = b"hoyle "


def cache_folder() -> Path | None:
    """`$HOYLE_CACHE`, or `hoyle` in the user's cache folder, made if need be; an empty `$HOYLE_CACHE` means none. A
    relative `$XDG_CACHE_HOME` is ignored: it would be another folder wherever one stands, and may be another's."""
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
    except (OSError, RuntimeError, ValueError):  # there is no home, no room, or no such name
        return None
    return folder


def _is_private(status: os.stat_result) -> bool:
    """Whether a file or folder is the user's, and nobody else can write to it."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE)


def read_sealed(path: Path) -> bytes:
    """What `write_sealed` has written; `ValueError` if it is damaged, or another can have written it."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_private(status):
            raise ValueError(f"{path} is not the user's own")
        content = file.read()
        os.utime(file.fileno() if os.utime in os.supports_fd else path)  # what is used stays
    head, _, kept = content.partition(b"\n")
    if head != HEAD + hashlib.sha256(kept).hexdigest().encode():
        raise ValueError(f"{path} is damaged")
    return kept


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file so that it is known to be damaged if it is; whole or not at all."""
    write_whole(path, HEAD + hashlib.sha256(content).hexdigest().encode() + b"\n" + content)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; if it cannot be written, it is not kept. Each writer writes to a file of its
    own, which takes the place of the other in the end."""
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
    """Let the files that were not used for longest make room, and take away what others have left half written."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return
    kept = [folder / name for name in fnmatch.filter(names, pattern)]
    passing = [folder / name for name in names if name.startswith(PASSING)]
    before = time.time() - LONG_AGO
    left = [path for path in passing if (written := _time_of(path)) is not None and written < before]
    # Most of the time there is room, and nothing need be asked of each file.
    if len(kept) > number:
        dated = sorted((written, path) for path in kept if (written := _time_of(path)) is not None)
        left += [path for _, path in dated[:-number]]
    for path in left:
        with contextlib.suppress(OSError):  # another was quicker
            path.unlink()


def _time_of(path: Path) -> float | None:
    """When a file was written or used last; None if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return None

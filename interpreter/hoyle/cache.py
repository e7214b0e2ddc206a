"""Where things are kept that can always be made again.

In: the environment. Out: a folder of the user's, or None if there is none to write to; files in it, whole or not at
all.
"""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """`$HOYLE_CACHE`, or `hoyle` in the user's cache folder, made if need be; an empty `$HOYLE_CACHE` means none."""
    chosen = os.environ.get("HOYLE_CACHE")
    if chosen == "":
        return None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(chosen) if chosen else (Path(base) if base else Path.home() / ".cache") / "hoyle"
        str(folder).encode()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError, ValueError):  # there is no home, no room, or no such name
        return None
    return folder if os.access(folder, os.W_OK) and _is_own(folder) else None


def _is_own(folder: Path) -> bool:
    """Whether a folder belongs to the user: what others keep is not trusted."""
    try:
        return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    except OSError:
        return False


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; if it cannot be written, it is not kept."""
    passing = path.with_suffix(f".{os.getpid()}")
    try:
        passing.write_bytes(content)
        passing.replace(path)
    except OSError:
        passing.unlink(missing_ok=True)


def keep_at_most(number: int, folder: Path, pattern: str) -> None:
    """Let the oldest files make room."""
    try:
        kept = sorted(folder.glob(pattern), key=lambda each: each.stat().st_mtime)
        for old in kept[:-number]:
            old.unlink()
    except OSError:
        pass

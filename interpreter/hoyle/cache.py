"""Where things are kept that can always be made again.

In: the environment. Out: a folder of the user's, or None if there is none to write to.
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
    folder = Path(chosen) if chosen else (Path(base) if base else Path.home() / ".cache") / "hoyle"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK) else None

"""Disk cache of generated source, valid while program and generator are unchanged.

In: a program. Out: its source, from the user's cache folder if it is there. Entries are text, keyed by a
hash of everything they derive from; an entry that cannot be read is regenerated.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

from hoyle.base.cache import cache_folder, keep_at_most, read_sealed, write_sealed
from hoyle.base.stamp import stamp_package
from hoyle.program.ir import nodes as ir

WORTH_KEEPING = 0.05  # seconds
MOST_KEPT = 600


def digest_program(program: ir.Program) -> str:
    """A hash of the whole program."""
    return hashlib.sha256(repr(program).encode()).hexdigest()


def find_source(digest: str, write: Callable[[], str], *, anew: bool = False) -> str:
    """The source of a program; generated if it is not cached, or if `anew`."""
    path = _find_path(digest)
    try:
        if path is not None and not anew:
            return read_sealed(path).decode("ascii")
    except (OSError, ValueError):
        pass
    began = time.perf_counter()
    source = write()
    if path is not None and (anew or time.perf_counter() - began > WORTH_KEEPING):
        write_sealed(path, source.encode("ascii"))
        keep_at_most(MOST_KEPT, path.parent, "generated-*.py.txt")
    return source


def _find_path(digest: str) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    key = hashlib.sha256(f"{digest} {stamp_package()}".encode()).hexdigest()
    return folder / f"generated-{key}.py.txt"

"""Generated source kept for the next time: it need not be written again while program and generator are the same.

In: a program and a part. Out: its source, from the user's cache folder if it is there. What is kept is text, found by
the hash of all that it was made from; if it cannot be read or written, it is made anew.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hoyle.cache import cache_folder, keep_at_most, read_sealed, write_sealed
from hoyle.ir import nodes as ir

WORTH_KEEPING = 0.05  # seconds
MOST_KEPT = 600


def digest_program(program: ir.Program) -> str:
    """A hash of all that a program says."""
    return hashlib.sha256(repr(program).encode()).hexdigest()


@cache
def _digest_generator() -> str:
    """A hash of all that writes source: the generator, the words, and the nodes."""
    package = Path(__file__).resolve().parents[1]
    found = hashlib.sha256()
    for folder in ("codegen", "engine", "words", "ir"):
        for path in sorted((package / folder).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def find_source(digest: str, part: str, write: Callable[[], str], *, anew: bool = False) -> str:
    """The source of a part, written anew if it is not kept, or if that is asked for."""
    path = _find_path(digest, part)
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


def _find_path(digest: str, part: str) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    key = hashlib.sha256(f"{digest} {part} {_digest_generator()}".encode()).hexdigest()
    return folder / f"generated-{key}.py.txt"

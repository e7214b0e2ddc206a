"""What identifies this installation in the keys of all caches, so that none outlives the code that wrote it.

In: the files of the package. Out: a stamp. A build (a wheel, a site) says its own, since its files do not change; else
it comes from the names, sizes and times of the files, and from the list with their hashes that an installer left.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from hoyle.base.shipped import schema_folder, shipped_folder

SEALED = "stamp.txt"
SOURCES = (".py", ".lark", ".yaml", ".json", ".c", ".cu", ".h")


@cache
def sealed_stamp() -> str | None:
    """The stamp that was written into this build; None in a checkout."""
    try:
        return (shipped_folder() / SEALED).read_text(encoding="ascii") or None
    except (OSError, ValueError):
        return None


def digest_sources(tops: Iterable[Path]) -> str:
    """The stamp of a build: a hash of its sources."""
    total = hashlib.sha256()
    for top in tops:
        for path in sorted(each for each in top.rglob("*") if each.suffix in SOURCES):
            total.update(f"{path.relative_to(top).as_posix()}\n".encode() + path.read_bytes())
    return total.hexdigest()


@cache
def stamp_package() -> str:
    """The stamp of this build, or of the files of the package and of the schemas as they are now."""
    sealed = sealed_stamp()
    if sealed is not None:
        return sealed
    package = Path(__file__).resolve().parents[1]
    records = [path.read_bytes() for path in sorted(package.parent.glob("hoyle-*.dist-info/RECORD"))]
    known = sorted(each for top in (package, schema_folder()) for each in _list_sources(top))
    return hashlib.sha256(repr((records, known)).encode()).hexdigest()


def _list_sources(folder: str | Path) -> Iterator[tuple[str, int, int]]:
    """The sources in and below a folder, with their sizes and times."""
    for entry in os.scandir(folder):  # an eighth of the time that paths take
        if entry.is_dir(follow_symlinks=False):
            yield from _list_sources(entry.path)
        elif entry.name.endswith(SOURCES):
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns

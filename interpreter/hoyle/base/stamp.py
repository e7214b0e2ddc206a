"""What identifies this installation in the keys of all caches, so that none outlives the code that wrote it.

In: the files of the package. Out: a stamp. A build (a wheel, a site) says its own, since its files do not change; else
it comes from the names, sizes and times of the files, and from the list with their hashes that an installer left.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
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
    known: list[object] = [path.read_bytes() for path in sorted(package.parent.glob("hoyle-*.dist-info/RECORD"))]
    for top in (Path(__file__).resolve().parents[1], schema_folder()):
        for folder, _, names in os.walk(top):
            for name in names:
                if name.endswith(SOURCES):
                    path = Path(folder) / name
                    status = path.stat()
                    known.append((str(path), status.st_size, status.st_mtime_ns))
    return hashlib.sha256(repr(sorted(known, key=repr)).encode()).hexdigest()

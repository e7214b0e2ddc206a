"""Cache of clean checks: the settings of a rule file (players and options) for which no diagnostic was found.

In: the declarations of a file, and the hashes of the files they were read from. Out: the same declarations, with the
settings checked before filled in, as long as no file has changed. Authors mostly change examples, not rules; repeating
clean checks would then take two fifths of the compile time of a table.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from hoyle.cache import cache_folder, keep_at_most, read_sealed, write_sealed
from hoyle.declare.declarations import Declarations
from hoyle.programs import stamp_package

MOST_KEPT = 50  # cached rule files
MOST_SETTINGS = 1_000  # cached settings per rule file


class Examined:
    """The cache entry of one rule file."""

    def __init__(self, declared: Declarations, files: Mapping[str, str]) -> None:
        self._declared = declared
        folder = cache_folder()
        named = sorted((Path(name).name, digest) for name, digest in files.items())
        digest = hashlib.sha256(repr((named, stamp_package())).encode(errors="surrogateescape")).hexdigest()
        self._place = folder / f"examined-{digest}.json" if folder is not None else None
        if self._place is not None:
            try:
                kept = json.loads(read_sealed(self._place))
                for players, options, steps in kept:
                    declared.examined[players, tuple((name, value) for name, value in options)] = steps
            except (OSError, ValueError, TypeError):
                pass  # no entry, or a damaged one: check again
        self._known = len(declared.examined)

    def keep(self) -> None:
        """Write the settings checked by now to the cache, if there are new ones."""
        examined = self._declared.examined
        if self._place is None or not self._known < len(examined) <= MOST_SETTINGS:
            return
        kept = [[*settings, steps] for settings, steps in examined.items()]
        write_sealed(self._place, json.dumps(kept).encode())
        keep_at_most(MOST_KEPT, self._place.parent, "examined-*.json")
        self._known = len(examined)

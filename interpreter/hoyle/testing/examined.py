"""Players and options with which nothing was found wrong with a rule file, kept for the next time.

In: what a file declares, and the hashes of the files it was read from. Out: the same declarations, which know with what
they were examined before, as long as no file has changed. Most of the time an author changes examples and not rules;
then two fifths of compiling a table are spent on finding again that there is nothing to be found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from hoyle.cache import cache_folder, keep_at_most, read_sealed, write_sealed
from hoyle.declare.declarations import Declarations
from hoyle.programs import stamp_package

MOST_KEPT = 50  # files
MOST_SETTINGS = 1_000  # of one file


class Examined:
    """What is kept of one rule file."""

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
                pass  # nothing was kept, or it is damaged: it is found again
        self._known = len(declared.examined)

    def keep(self) -> None:
        """Keep what has been examined by now, if that is more than there was."""
        examined = self._declared.examined
        if self._place is None or not self._known < len(examined) <= MOST_SETTINGS:
            return
        kept = [[*settings, steps] for settings, steps in examined.items()]
        write_sealed(self._place, json.dumps(kept).encode())
        keep_at_most(MOST_KEPT, self._place.parent, "examined-*.json")
        self._known = len(examined)

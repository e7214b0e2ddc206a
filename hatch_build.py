"""Bakes into a wheel what else every first start would work out: the stamp of its files, the parser's tables, and the
programs of all games. Into a checkout that is installed, the tables alone."""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent


def bake_checkout() -> None:
    """A checkout gets the tables of its grammar, which are known by it; the rest changes too often."""
    from hoyle.language.syntax.grammar import KEPT, bake_tables

    for old in ROOT.glob(f"{KEPT}-*.json"):
        old.unlink()
    bake_tables(ROOT)


class Bake(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        sys.path.insert(0, str(ROOT / "interpreter"))
        if version == "editable":
            bake_checkout()
            return
        from hoyle.base.shipped import all_games
        from hoyle.base.stamp import SEALED, digest_sources
        from hoyle.language.baked_programs import FOLDER
        from hoyle.language.library import bake
        from hoyle.language.syntax.grammar import bake_tables

        self.folder = tempfile.TemporaryDirectory()
        folder = Path(self.folder.name)
        tables = bake_tables(folder)
        stamp = folder / SEALED
        stamp.write_text(digest_sources([ROOT / name for name in ("interpreter/hoyle", "games", "schema")]), "ascii")
        programs = folder / FOLDER
        programs.mkdir()
        with ProcessPoolExecutor() as pool:
            baked = list(pool.map(partial(bake, folder=programs), all_games()))
        for path in (tables, stamp, *baked):
            build_data["force_include"][str(path)] = f"hoyle/_shipped/{path.relative_to(folder).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

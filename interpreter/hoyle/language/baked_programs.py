"""The programs of shipped games that a wheel brings along, so that the first start of a game compiles nothing.

In: a shipped game. Out: its program at the usual table, as long as its files are those that it was compiled from. A
checkout has none: what it compiles is kept in the user's cache folder alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hoyle.base.cache import seal, unseal
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.shipped import shipped_folder
from hoyle.language.game_index import digest_file, find_file, name_file
from hoyle.program.cache_format import read_plain, write_plain
from hoyle.program.ir.nodes import Program

FOLDER = "programs"


def find_baked(path: Path, players: int | None, options: Mapping[str, object]) -> Program | None:
    """The program of a shipped game for a number of players, if it is baked for these settings."""
    try:
        content = (shipped_folder() / FOLDER / _name_baked(path)).read_bytes()
        digests, program = read_plain(zlib.decompress(unseal(content)))
        files = {name: find_file(name) for name in digests}
        if any(digest_file(files[name]) != digest for name, digest in digests.items()):
            return None
        if players not in (None, program.players) or not options.items() <= program.options.items():
            return None
        shown = {"": "", **{name: shown_path(file) for name, file in files.items()}}
        clauses = tuple(replace(clause, file=shown[clause.file]) for clause in program.clauses)
    except (OSError, ValueError, TypeError, LookupError, zlib.error):
        return None  # not shipped, not baked, or damaged
    found: Program = replace(program, clauses=clauses)
    return found


def bake_program(path: Path, program: Program, digests: Mapping[str, str], folder: Path) -> Path:
    """Write the program of a shipped game for a build, in a folder; `digests` are the hashes of its files. Neither
    knows where the build took place."""
    names = {file: name_file(Path(file)) for file in digests}
    shown = {"": "", **{shown_path(Path(file)): name for file, name in names.items()}}
    clauses = tuple(replace(clause, file=shown[clause.file]) for clause in program.clauses)
    plain = write_plain(({names[file]: digest for file, digest in digests.items()}, replace(program, clauses=clauses)))
    place = folder / _name_baked(path)
    place.write_bytes(seal(zlib.compress(plain, 9)))
    return place


def _name_baked(path: Path) -> str:
    return name_file(path).removeprefix("games/").replace("/", "-") + ".z"

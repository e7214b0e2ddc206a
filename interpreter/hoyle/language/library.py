"""Cached compilation of game files.

In: a file or the name of a shipped game. Out: its program, or its metadata: from the user's cache folder or the shipped
index if no source file has changed, otherwise compiled. Unreadable cache entries are recomputed. A file with
diagnostics is never cached, so that they are shown every time. The compiler is imported only if it is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from hoyle.base.cache import cache_folder, keep_at_most, read_sealed, write_sealed
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import find_game
from hoyle.base.stamp import stamp_package
from hoyle.language.baked_programs import bake_program, find_baked
from hoyle.language.game_index import digest_file, find_described
from hoyle.program.cache_format import read_plain, write_plain
from hoyle.program.info import GameInfo
from hoyle.program.ir.nodes import Program
from hoyle.program.model.given import read_named, read_whole

Found = TypeVar("Found")
MOST_KEPT = 600


def find_program(
    path: Path | str, players: int | None = None, options: dict[str, Any] | None = None
) -> tuple[Program | None, Report]:
    """The program of a game for a number of players (by default the fewest usual one) and options (by default
    theirs)."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"a game is its name or the path of a file, not {path!r}")
    players = None if players is None else read_whole(players, "the number of players")
    options = read_named(options, "options are values by name, such as {'deals': 2}")
    game = find_game(path)
    baked = find_baked(game, players, options) if game is not None else None
    if baked is not None:
        return baked, Report()

    def make() -> tuple[Program | None, Report]:
        return _compile(path, players, options)

    return _recall(("program", players, sorted(options.items())), path, make)


def _compile(path: Path | str, players: int | None, options: dict[str, Any]) -> tuple[Program | None, Report]:
    from hoyle.language.analyse.leaks import find_untold
    from hoyle.language.compile import compile_game

    program, report = compile_game(path, players, options)
    if program is not None:  # every table asks for them
        program = replace(program, untold=find_untold(program))
    return program, report


def bake(game: Path, folder: Path) -> Path:
    """Write the program of a shipped game, for its usual table, for a build."""
    program, report = _compile(game, None, {})
    if program is None or report.diagnostics:
        raise ValueError(f"{game} cannot be baked: {report.diagnostics}")
    return bake_program(game, program, report.files, folder)


def find_errors(path: Path | str) -> Report:
    """The diagnostics of a game for which it has no program; none, read off a small entry, if it has one."""

    def make() -> tuple[bool | None, Report]:
        from hoyle.language.compile import compile_game

        program, report = compile_game(path)
        return True if program is not None else None, report

    sound, report = _recall(("sound",), path, make)
    return Report() if sound else report


def describe(path: Path | str, language: str | None = None) -> tuple[GameInfo | None, Report]:
    """The metadata of a game file, in a language for which it has labels, else in its own."""
    game = find_game(path)
    written = find_described(game, language) if game is not None else None
    if written is not None:
        return replace(written, path=Path(path)), Report()

    def make() -> tuple[GameInfo | None, Report]:
        from hoyle.language.compile import describe_game

        return describe_game(path, language)

    return _recall(("info", language), path, make)


def _recall(
    wanted: tuple[object, ...], path: Path | str, make: Callable[[], tuple[Found | None, Report]]
) -> tuple[Found | None, Report]:
    """The cached result for a file and a query, or a new one."""
    place = find_place(wanted, path)
    kept = read_kept(place)
    if kept is not None:
        return kept, Report()
    found, report = make()
    if found is not None and not report.diagnostics:
        keep(place, report.files, found)
    return found, report


def read_kept(place: Path | None) -> Any:
    """What was kept at a place, if all files that it was made of are as they were; else None."""
    try:
        if place is not None:
            files, kept = read_plain(read_sealed(place))
            if all(digest_file(Path(name)) == digest for name, digest in files.items()):
                return kept
    except (OSError, ValueError, TypeError, LookupError):
        pass  # missing, written by another version, or corrupt
    return None


def keep(place: Path | None, files: dict[str, str], found: object) -> None:
    """Keep what was made of files, given with their hashes; what is nested too deeply for the cache is not kept."""
    if place is None:
        return
    with contextlib.suppress(RecursionError):
        write_sealed(place, write_plain((files, found)))
        keep_at_most(MOST_KEPT, place.parent, "made-*.json")


def find_place(wanted: tuple[object, ...], path: Path | str) -> Path | None:
    """Where the answer to a query about a file is kept; None without a cache."""
    folder, game = cache_folder(), find_game(path)
    if folder is None or game is None:
        return None
    try:
        here = str(Path.cwd())  # displayed paths are relative to the current folder
    except OSError:
        return None
    key = repr((wanted, str(game), str(game.absolute()), here, stamp_package()))
    return folder / f"made-{hashlib.sha256(key.encode(errors='surrogateescape')).hexdigest()}.json"

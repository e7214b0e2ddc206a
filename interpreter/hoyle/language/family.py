"""The inheritance of games: parents and variants.

In: rule files. Out: the parents they name, and their variants. Files are parsed, but not checked.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import GAME_SUFFIX, all_games, game_name, is_there, list_beside
from hoyle.language.document.file_limits import MAX_FILES
from hoyle.language.document.nodes import Mapping, Scalar, Sequence
from hoyle.language.document.reading import read_nodes, read_source


def find_parents(path: Path) -> tuple[Path, ...]:
    """The files a variant extends, beside it or else shipped; empty for a game that extends nothing."""
    try:
        return _find_parents(path.resolve(), path.stat().st_mtime_ns)
    except OSError:
        return ()


@lru_cache(maxsize=512)
def _find_parents(path: Path, changed: int) -> tuple[Path, ...]:
    report = Report()
    source = read_source(path, report)
    root = read_nodes(source, report) if source is not None and "extends" in source.text else None
    named = root.get("extends") if isinstance(root, Mapping) else None
    names = named.items if isinstance(named, Sequence) else (named,) if named is not None else ()
    games = {game_name(game): game for game in reversed(all_games())} if names else {}
    # A file with more parents than can be merged is rejected by the checker, so the rest can be ignored.
    found = (_find_named(path, name.text, games) for name in names[:MAX_FILES] if isinstance(name, Scalar))
    return tuple(parent for parent in found if parent is not None and parent.resolve() != path)


def _find_named(path: Path, name: str, games: dict[str, Path]) -> Path | None:
    beside = path.parent / (name if name.endswith(".yaml") else name + GAME_SUFFIX)
    if is_there(beside) and beside.resolve() != path.resolve():
        return beside
    return games.get(name)


def list_variants(path: Path) -> list[Path]:
    """The games in the same folder that extend a game, directly or indirectly."""
    found: dict[Path, None] = {}
    waiting = [path.resolve()]
    beside = list_beside(path, GAME_SUFFIX)
    while waiting:
        parent = waiting.pop()
        for each in beside:
            if each.resolve() not in found and parent in [one.resolve() for one in find_parents(each)]:
                found[each.resolve()] = None
                waiting.append(each.resolve())
    found.pop(path.resolve(), None)
    return [each for each in beside if each.resolve() in found]

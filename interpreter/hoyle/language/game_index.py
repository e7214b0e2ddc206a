"""The index of shipped games: their metadata, precomputed so that listing them is fast.

In: `games/index.json`, and a game file. Out: its `GameInfo`, if all source files have the hashes recorded in the index;
otherwise None, and the file has to be read. `pytest --update` writes the index.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from hoyle.base.shipped import games_folder, module_folder
from hoyle.program.info import GameInfo, OptionInfo

INDEX = "index.json"
Read = Callable[[Path, "str | None"], "tuple[GameInfo, dict[str, str]]"]  # with the source files and their hashes


def find_described(path: Path, language: str | None) -> GameInfo | None:
    """The metadata of a game in a language, or in its own, from the index; None if the index is outdated for these
    files."""
    index = _read_index()
    try:
        known = index["games"][name_file(path)]
        if language is not None and language not in index["languages"]:
            return None
        if any(digest_file(find_file(name)) != index["files"][name] for name in known["made_of"]):
            return None
        return _from_data(known["in"].get(language, known["says"]), path)
    except (LookupError, TypeError, AttributeError, OSError):
        return None  # written by another version, or corrupt


def list_indexed() -> list[Path]:
    """The files of all games in the index, whether they are there or not."""
    return [find_file(name) for name in _read_index()["games"]]


def list_sources(path: Path) -> list[str]:
    """The files of which a shipped game is made, and those only looked for: `games/hearts/hearts.game.yaml`."""
    return list(_read_index()["games"][name_file(path)]["made_of"])


@cache
def _read_index() -> dict[str, Any]:
    try:
        found = json.loads((games_folder() / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def digest_file(path: Path) -> str:
    """A hash of a file; empty if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def write_index(paths: Iterable[Path], languages: Iterable[str], read: Read) -> str:
    """The text of the index. Hashes are in a section of their own, so that a change of a rule changes only one line."""
    files: dict[str, str] = {}
    games: dict[str, object] = {}
    for path in paths:
        info, made_of = read(path, None)
        others = {language: read(path, language)[0] for language in languages}
        names = {name_file(Path(file)): digest for file, digest in made_of.items()}
        files |= names
        games[name_file(path)] = {
            "made_of": sorted(names),
            "says": _to_data(info),
            "in": {language: _to_data(other) for language, other in others.items() if other != info},
        }
    parts = [f'"languages": {json.dumps(sorted(languages))}']
    for name, part in (("files", files), ("games", games)):
        lines = [f"  {json.dumps(key)}: {json.dumps(part[key], ensure_ascii=False)}" for key in sorted(part)]
        parts.append(f'"{name}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _to_data(info: GameInfo) -> dict[str, object]:
    return {name: value for name, value in asdict(info).items() if name != "path"}


def _from_data(data: dict[str, Any], path: Path) -> GameInfo:
    """The inverse of `_to_data` after JSON, which turns tuples into lists."""
    known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    options = [{**option, "values": tuple(map(tuple, option["values"]))} for option in known.pop("options")]
    return GameInfo(**known, path=path, options=tuple(OptionInfo(**option) for option in options))


def name_file(path: Path) -> str:
    """The name of a file in the index, the same in a checkout and in an installed wheel; `LookupError` for other
    files."""
    for name, folder in _FOLDERS.items():
        if path.absolute().is_relative_to(folder()):
            return f"{name}/{path.absolute().relative_to(folder()).as_posix()}"
    raise LookupError(str(path))


def find_file(name: str) -> Path:
    """The file of a name in the index."""
    folder, _, inner = name.partition("/")
    return _FOLDERS[folder]() / inner


_FOLDERS = {"games": games_folder, "prelude": module_folder}

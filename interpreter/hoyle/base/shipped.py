"""Locations of the shipped games and schemas, in a checkout and in an installed wheel alike.

In: names and paths. Out: the files of games, the text of schemas.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

GAME_SUFFIX = ".game.yaml"
MODULE_SUFFIX = ".module.yaml"
_EXTENDS = re.compile(rb"^extends:", re.M)
_ALSO = re.compile(r"^also:[ ]*\[([^\[\]]*)\]", re.M)
_TITLE = re.compile(r"^title:([^#\n]*)", re.M)
LARGEST = 1_000_000  # bytes read to determine the kind of a file
_PACKAGE = Path(__file__).resolve().parents[1]


@lru_cache(maxsize=1)
def shipped_folder() -> Path:
    """The folder that contains `games/` and `schema/`: inside the package if installed, else the root of the
    checkout."""
    installed = _PACKAGE / "_shipped"
    return installed if installed.is_dir() else _PACKAGE.parent.parent


def games_folder() -> Path:
    """The folder of the shipped games, with a folder for each."""
    return shipped_folder() / "games"


def schema_folder() -> Path:
    """The folder of the schemas."""
    return shipped_folder() / "schema"


def documentation_folder() -> Path:
    """The folder of the documentation."""
    return shipped_folder() / "docs"


def module_folder() -> Path:
    """The folder of the shipped modules."""
    return _PACKAGE / "language" / "prelude"


@lru_cache(maxsize=8)
def list_schemas() -> list[str]:
    """The names of the schemas."""
    ends = ".schema.json"
    return sorted(path.name.removesuffix(ends) for path in (shipped_folder() / "schema").glob(f"*{ends}"))


def schema_text(name: str) -> str:
    """The text of a schema: `game`, `rules`."""
    return (schema_folder() / f"{name}.schema.json").read_text(encoding="utf-8")


def all_games() -> list[Path]:
    """All shipped games and variants, ordered by folder and name."""
    top = games_folder()
    return list(_list_games(top, (top.stat().st_mtime_ns, *(each.stat().st_mtime_ns for each in os.scandir(top)))))


@lru_cache(maxsize=2)
def _list_games(top: Path, _changed: tuple[int, ...]) -> tuple[Path, ...]:
    """The games below a folder, walked through again when it or a folder in it has changed."""
    return tuple(games_under(top))


def stays_inside(path: Path, folder: Path) -> bool:
    """Whether a file lies in or below a folder after resolving links. Links to the outside are not followed unless they
    are named explicitly, since the author of the folder need not have access to their target."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def is_there(path: Path) -> bool:
    """Whether a file exists; false for names that no file can have."""
    try:
        return path.is_file()
    except OSError:
        return False


def list_files(folder: Path, suffix: str) -> list[Path]:
    """All files in or below a folder with a suffix, except links to the outside, and not in hidden folders, such as a
    virtual environment."""
    found: list[Path] = []
    for top, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if not name.startswith(".")]
        found += (Path(top) / name for name in names if name.endswith(suffix))
    return sorted(path for path in found if path.is_file() and (not path.is_symlink() or stays_inside(path, folder)))


def list_in(folder: Path, suffix: str) -> list[Path]:
    """The files in a folder with a suffix, except links to the outside."""
    return sorted(found for found in folder.glob("*" + suffix) if found.is_file() and stays_inside(found, folder))


def list_beside(path: Path, suffix: str) -> list[Path]:
    """The files in the folder of a file with a suffix."""
    return list_in(path.parent, suffix)


def games_under(path: Path) -> list[Path]:
    """All games in or below a folder; for a file, the file itself."""
    return [path] if path.is_file() else list_files(path, GAME_SUFFIX)


def house_rules_under(path: Path) -> list[Path]:
    """All modules in or below a folder that contain house rules for a game, which can be checked by themselves."""
    found = list_files(path, MODULE_SUFFIX) if path.is_dir() else []
    return [each for each in found if _EXTENDS.search(_read_beginning(each))]


def _read_beginning(path: Path) -> bytes:
    """The beginning of a file, from which its kind is determined."""
    with path.open("rb") as file:
        return file.read(LARGEST)


def game_name(path: Path) -> str:
    """The name of a game, or of a module beside games, by its file name."""
    return path.name.removesuffix(GAME_SUFFIX).removesuffix(MODULE_SUFFIX)


def other_names(path: Path) -> list[str]:
    """The title of a game and its names under `also:`, extracted without parsing the file."""
    text = path.read_text(encoding="utf-8", errors="replace")
    title, also = _TITLE.search(text), _ALSO.search(text)
    names = [*([title[1]] if title else []), *(also[1].split(",") if also else [])]
    return [plain for name in names if (plain := name.strip(" \n\"'"))]


def spell_plainly(name: str) -> str:
    """A name normalised for comparison: lower case, hyphens between words.

    >>> spell_plainly("Beggar Thy Neighbour's")
    'beggar-thy-neighbours'
    """
    return re.sub(r"[\s_-]+", "-", name.lower().replace("'", "")).strip("-")


def find_game(name_or_path: str | Path) -> Path | None:
    """The file of a game: a path, a folder that contains one game of its name or only one, or a shipped name."""
    given = str(name_or_path)
    path = Path(name_or_path)
    try:
        if path.is_file():
            return path
        own = _only_game(path) if given and path.is_dir() else None
        if own is not None:
            return own
        shipped = _find_in_own_folder(given) or next((each for each in all_games() if game_name(each) == given), None)
        return shipped if shipped is not None or path.is_dir() else _find_by_other_name(given)
    except (OSError, ValueError):
        return None


def _find_in_own_folder(name: str) -> Path | None:
    """The shipped game in the folder of its name, where most are: not all folders need to be read for it."""
    folder = games_folder() / name
    own = folder / f"{name}{GAME_SUFFIX}"
    return own if folder in games_folder().iterdir() and own in folder.iterdir() else None


def _find_by_other_name(name: str) -> Path | None:
    """The shipped game with this title or alternative name, ignoring case and hyphens."""
    plain = spell_plainly(name)
    return next(
        (path for path in all_games() if plain in map(spell_plainly, (game_name(path), *other_names(path)))), None
    )


def _only_game(folder: Path) -> Path | None:
    own = folder / (folder.resolve().name + GAME_SUFFIX)
    if own.is_file() and stays_inside(own, folder):
        return own
    games = sorted(each for each in folder.glob("*" + GAME_SUFFIX) if stays_inside(each, folder))
    return games[0] if len(games) == 1 else None

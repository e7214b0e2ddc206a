"""Where the shipped games and schemas lie, in a checkout and in an installed wheel alike.

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
_ALSO = re.compile(r"^also:[ ]*\[([^\]]*)\]", re.M)
_TITLE = re.compile(r"^title:[ ]*(.*?)[ ]*(?:#.*)?$", re.M)
LARGEST = 1_000_000  # bytes of a file that is only looked into
_PACKAGE = Path(__file__).resolve().parent


@lru_cache(maxsize=1)
def shipped_folder() -> Path:
    """The folder that holds `games/` and `schema/`: inside the package if installed, else the top of the checkout."""
    installed = _PACKAGE / "_shipped"
    return installed if installed.is_dir() else _PACKAGE.parent.parent


def games_folder() -> Path:
    """The folder of the shipped games, one folder for each."""
    return shipped_folder() / "games"


def module_folder() -> Path:
    """The folder of the modules that `use:` names."""
    return _PACKAGE / "prelude"


@lru_cache(maxsize=8)
def schema_text(name: str) -> str:
    """The text of a schema: `game`, `rules`."""
    return (shipped_folder() / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")


def all_games() -> list[Path]:
    """Every shipped game and variant, ordered by folder and name."""
    return games_under(games_folder())


def stays_inside(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder or below, also if it is a link: one that leads elsewhere is not followed unless
    it is named itself, since whoever made the folder need not be allowed to read what lies there."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is such a file; of a name that no file can have there is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def list_files(folder: Path, suffix: str) -> list[Path]:
    """Every file in a folder and below whose name ends so; links that lead outside are left out."""
    found = (Path(top) / name for top, _, names in os.walk(folder) for name in names if name.endswith(suffix))
    return sorted(path for path in found if path.is_file() and (not path.is_symlink() or stays_inside(path, folder)))


def list_in(folder: Path, suffix: str) -> list[Path]:
    """The files in a folder whose names end so; links that lead outside are left out."""
    return sorted(found for found in folder.glob("*" + suffix) if found.is_file() and stays_inside(found, folder))


def list_beside(path: Path, suffix: str) -> list[Path]:
    """The files in the folder of a file whose names end so."""
    return list_in(path.parent, suffix)


def games_under(path: Path) -> list[Path]:
    """Every game in a folder and below; of a file, the file itself."""
    return [path] if path.is_file() else list_files(path, GAME_SUFFIX)


def house_rules_under(path: Path) -> list[Path]:
    """Every module in a folder and below that holds house rules for a game, and so can be checked by itself."""
    found = list_files(path, MODULE_SUFFIX) if path.is_dir() else []
    return [each for each in found if _EXTENDS.search(_read_beginning(each))]


def _read_beginning(path: Path) -> bytes:
    """What is read of a file to know of what kind it is."""
    with path.open("rb") as file:
        return file.read(LARGEST)


def game_name(path: Path) -> str:
    """The name a game file, or a module beside games, bears by its file name."""
    return path.name.removesuffix(GAME_SUFFIX).removesuffix(MODULE_SUFFIX)


def other_names(path: Path) -> list[str]:
    """The title of a game and what its file says under `also:`, without reading the file as a whole."""
    text = path.read_text(encoding="utf-8", errors="replace")
    title, also = _TITLE.search(text), _ALSO.search(text)
    names = [*([title[1]] if title else []), *(also[1].split(",") if also else [])]
    return [plain for name in names if (plain := name.strip(" \n\"'"))]


def spell_plainly(name: str) -> str:
    """A name as it is compared: letters and digits, with hyphens for what stands between them.

    >>> spell_plainly("Beggar Thy Neighbour's")
    'beggar-thy-neighbours'
    """
    return re.sub(r"[\s_-]+", "-", name.lower().replace("'", "")).strip("-")


def find_game(name_or_path: str | Path) -> Path | None:
    """The file of a game: a shipped name, the path of a file, or a folder that holds one game of its name or only one.

    A path that exists goes before a shipped name only if it is a file or is written as a path.
    """
    given = str(name_or_path)
    path = Path(name_or_path)
    try:
        if path.is_file():
            return path
        shipped = next((found for found in all_games() if game_name(found) == given), None)
        if shipped is not None:
            return shipped
        return _only_game(path) if path.is_dir() else _find_by_other_name(given)
    except (OSError, ValueError):
        return None


def _find_by_other_name(name: str) -> Path | None:
    """The shipped game that has such a title, or says that it is called so, too; hyphens and capitals do not matter."""
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

"""Hoyle and the packages it needs, as the page loads them: compiled by Pyodide's own Python, with what is worked out
beforehand for each game.

In: Pyodide's files, games. Out: packs of modules, and for each game a file with its compiled program and the name under
which its native code is found.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import hoyle
from hoyle.base.shipped import games_folder, schema_folder
from hoyle.base.stamp import SEALED, digest_sources
from hoyle.front.site.pyodide import PATIENCE, NotBuilt, find_tool

PACKAGE = Path(hoyle.__file__).parent
# What no page needs, so that it is not downloaded.
LEFT_OUT = (
    "front/cli", "front/terminal", "front/site", "front/command.py", "front/web/app.py", "front/web/crew.py",
    "front/web/files.py", "front/web/static", "lab/arena", "lab/adapters", "lab/tournament", "authoring/skeletons",
)  # fmt: skip
COPIED = ("lark", "pyyaml")
USELESS = (".pyi", ".pyc", ".so", ".pyd", ".typed")


def stage(folder: Path) -> None:
    """Lay out the Python files of the page."""
    left_out = [PACKAGE / name for name in (*LEFT_OUT, "_shipped")]

    def skip(place: str, names: list[str]) -> list[str]:
        return [name for name in names if name == "__pycache__" or Path(place) / name in left_out]

    shutil.copytree(PACKAGE, folder / "hoyle", ignore=skip)
    shipped = folder / "hoyle" / "_shipped"
    shutil.copytree(games_folder(), shipped / "games", ignore=shutil.ignore_patterns("playthroughs"))
    shutil.copytree(schema_folder(), shipped / "schema")
    (shipped / SEALED).write_text(digest_sources([folder / "hoyle"]), encoding="ascii")
    for name in COPIED:
        for file in metadata.files(name) or ():
            if ".." not in file.parts and ".dist-info" not in str(file) and "__pyinstaller" not in str(file):
                _copy_pure(Path(str(file.locate())), folder / file)


def _copy_pure(place: Path, target: Path) -> None:
    if place.is_dir():
        for path in place.rglob("*"):
            if path.is_file() and "tests" not in path.relative_to(place).parts:
                _copy_pure(path, target / path.relative_to(place))
    elif place.suffix not in USELESS:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place, target)


def bake(pyodide: Path, staged: Path, out: Path, games: Sequence[tuple[str, int]]) -> None:
    """Compile everything with Pyodide's Python: the modules, the parser's tables, the programs of the games."""
    node = find_tool("node")
    script = Path(__file__).parent / "bake.mjs"
    command = [node, str(script), str(pyodide), str(staged), str(out), json.dumps(list(games))]
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=PATIENCE * 3, check=False)
    if run.returncode:
        raise NotBuilt(f"Pyodide could not compile Hoyle: {run.stderr.strip()[-2000:]}")

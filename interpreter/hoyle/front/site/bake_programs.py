"""Run by Pyodide while a site is built: compiles the modules, the parser's tables and the programs of games.

In: modules in `/staged`, games with their numbers of players. Out: compiled modules, and a file
for each game, in `/out`.
"""

from __future__ import annotations

import base64
import compileall
import json
import os
import shutil
import sys
from pathlib import Path
from py_compile import PycInvalidationMode

HOME = Path("/home/hoyle/python")  # as in the page: what is kept is known by its place
KEPT = Path("/home/hoyle/cache")
LEARNT = ("*.policy", "*.strategy.json")  # what bots have learnt comes with its game
MOST_CHOICES = 200  # by which a match has asked for most of what is generated


def main(games: str) -> None:
    shutil.copytree("/staged", HOME, dirs_exist_ok=True)
    sys.path.insert(0, str(HOME))
    from hoyle.language.syntax.grammar import bake_tables

    bake_tables(HOME / "hoyle" / "_shipped")
    unchecked = PycInvalidationMode.UNCHECKED_HASH
    assert compileall.compile_dir(HOME, quiet=1, legacy=True, optimize=2, invalidation_mode=unchecked)
    shutil.copytree(HOME, "/out/compiled", ignore=shutil.ignore_patterns("*.py", "__pycache__", *LEARNT))
    os.chdir("/home/hoyle")
    for name, players in json.loads(games):
        written = json.dumps(bake(name, players), separators=(",", ":"))
        Path(f"/out/baked/{name}.json").write_text(written, encoding="utf-8")
        print(f"compiled {name}", flush=True)


def bake(name: str, players: int) -> dict[str, object]:
    """What the cache holds once a game has been loaded and played."""
    import hoyle
    from hoyle.base.shipped import find_game, games_folder
    from hoyle.language.game_index import list_sources
    from hoyle.play.engine.native.compiler import BROWSER, OPTIMISED, name_library
    from hoyle.play.engine.native.program import find_native

    shutil.rmtree(KEPT, ignore_errors=True)
    game = hoyle.load(name, players=players)
    hoyle.load(name, players=players, options=game.options)  # as a match that is resumed names them
    match = game.new(seed=1)
    for _ in range(MOST_CHOICES):
        if match.decision is None:
            break
        first = match.decision.actions[0]
        match.apply(first if first.number is None else first.with_number(first.number[0]))
    files = {place.name: place.read_text() for place in sorted(KEPT.iterdir()) if place.suffix in (".json", ".txt")}
    library = name_library(find_native(game.program).digest, OPTIMISED, BROWSER)
    shipped, folder = games_folder().parent, games_folder() / game.program.game
    found = [place for pattern in LEARNT for place in sorted(folder.glob(pattern))]
    learnt = {str(place.relative_to(shipped)): base64.b64encode(place.read_bytes()).decode() for place in found}
    path = find_game(name)
    assert path is not None
    sources = [file for file in list_sources(path) if file.startswith("games/") and (shipped / file).is_file()]
    rules = {file: (shipped / file).read_text() for file in sources}
    return {"players": players, "files": files, "rules": rules, "learnt": learnt, "library": library}

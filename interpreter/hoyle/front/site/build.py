"""Builds a static site: its files, and which of them are kept offline.

In: a folder, games. Out: the pages, Pyodide, Hoyle and what was worked out beforehand, in that folder. Nothing in it
names the host it will be on, so that it can be put anywhere, also below another site.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hoyle.base.cache import cache_folder
from hoyle.base.locking import lock
from hoyle.base.shipped import all_games, find_game, game_name
from hoyle.front.site.documentation import write_documentation
from hoyle.front.site.licences import write_licences
from hoyle.front.site.native_modules import build_module, has_ziglang
from hoyle.front.site.pyodide import FILES, LOCK, NotBuilt, fetch_pyodide
from hoyle.front.site.python_bundle import bake, stage
from hoyle.front.web.backroom import tell_levels
from hoyle.front.web.lobby import Lobby, Rules
from hoyle.front.web.store import Store
from hoyle.language.library import describe
from hoyle.play.view.locale import LANGUAGES

PAGES = Path(__file__).parent / "pages"
STATIC = Path(__file__).parents[1] / "web" / "static"
INNER = {"index.html": "lobby.html", "table.html": "table.html", "edit.html": "edit.html"}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types hoyle"
)
MANIFEST = {"name": "Hoyle", "short_name": "Hoyle", "start_url": "./", "scope": "./", "display": "standalone",
            "icons": [{"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml"}]}  # fmt: skip
MOST_BAKED = 4  # lists of games that stay baked, so that one does not undo another
LOOK_AGAIN = 0.2  # seconds between looks whether another build is done
Say = Callable[[str], None]


def build_site(folder: Path, names: Sequence[str], say: Say) -> None:
    """Build the site in a folder, which is replaced as a whole once everything has been made."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "sizes.json").is_file():
        raise NotBuilt(f"{folder} holds something else; name a new folder, or an empty one")
    games = [(name, _count_players(name)) for name in names]
    cache = _find_cache()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".site-") as passing:
        made = Path(passing) / "site"
        (made / "baked").mkdir(parents=True)
        with _alone(cache, say):
            say("Pyodide")
            pyodide = fetch_pyodide(cache)
            shutil.copytree(pyodide, made / "pyodide")
            say("pages")
            _write_pages(made)
            say("Hoyle and its packages")
            _bake(made, pyodide, games, cache)
            native = _build_native(made, games, cache, say)
        _write_lists(made, [name for name, _ in games], native)
        write_licences(made)
        write_documentation(made, POLICY)
        _write_worker(made)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
        folder.chmod(0o755)


def _count_players(name: str) -> int:
    path = find_game(name)
    info = describe(path)[0] if path is not None else None
    if info is None:
        raise NotBuilt(f"there is no shipped game `{name}`")
    return info.usual[0]


def _find_cache() -> Path:
    base = cache_folder()
    if base is None:
        raise NotBuilt("building a site needs a cache folder: unset HOYLE_CACHE, or let it name one")
    cache = base / "site"
    cache.mkdir(exist_ok=True)
    return cache


@contextmanager
def _alone(cache: Path, say: Say) -> Iterator[None]:
    """Wait until no other build fetches, bakes or clears away in the cache."""
    with (cache / "lock").open("w") as file:
        if not lock(file):
            say("waiting for another site that is built")
            while not lock(file):
                time.sleep(LOOK_AGAIN)
        yield


# ------------------------------------------------------------------------------------------------ pages
def _write_pages(made: Path) -> None:
    """The pages of the server, whose module `net.js` is another one, in a frame."""
    shutil.copytree(STATIC, made / "static", ignore=shutil.ignore_patterns("*.html"))
    shutil.copytree(PAGES, made, dirs_exist_ok=True)
    for name, target in INNER.items():
        text = (STATIC / name).read_text(encoding="utf-8").replace('"/static/', '"static/')
        head = '<meta charset="utf-8">\n'
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        text = text.replace("@@LANGUAGES@@", " ".join(LANGUAGES))
        (made / target).write_text(text.replace(head, head + policy, 1), encoding="utf-8")
    index = made / "index.html"
    index.write_text(index.read_text(encoding="utf-8").replace("@@POLICY@@", POLICY), encoding="utf-8")
    (made / "manifest.webmanifest").write_text(json.dumps(MANIFEST), encoding="utf-8")
    # For hosts that read it: the policy as a header, too.
    (made / "_headers").write_text(
        f"/*\n  Content-Security-Policy: {POLICY}; frame-ancestors 'self'\n", encoding="utf-8"
    )


def _write_lists(made: Path, names: Sequence[str], native: Sequence[str]) -> None:
    """What the lobby shows at once, and what the worker finds here."""

    async def list_games(language: str) -> dict[str, Any]:
        lobby = Lobby(Store(":memory:"), Rules(upload=True), [])
        try:
            games = [game for game in await lobby.list_games(language) if game["name"] in names]
            return {"games": games, "levels": tell_levels(), "upload": True}
        finally:
            lobby.close()

    for language in LANGUAGES:
        listed = asyncio.run(list_games(language))
        options = {game["name"]: game.pop("options") for game in listed["games"]}
        for name, data in (("games", listed), ("options", options)):
            written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
            (made / f"{name}.{language}.json").write_text(written, encoding="utf-8")
    # Pyodide's list of packages is long, and none of them is needed.
    lock = json.loads((made / "pyodide" / LOCK).read_text(encoding="utf-8"))
    first = sum((made / "pyodide" / name).stat().st_size for name in FILES if name not in ("pyodide.mjs", LOCK))
    sizes = {"first": first + (made / "first.pack").stat().st_size, "games": list(names), "native": list(native),
             "lock": {"info": lock["info"], "packages": {}}}  # fmt: skip
    (made / "sizes.json").write_text(json.dumps(sizes), encoding="utf-8")


def _write_worker(made: Path) -> None:
    """The service worker, with a list of all files and a version that tells this build from others."""
    names = sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())
    left_out = ("sw.js", "_headers", f"pyodide/{LOCK}")
    kept = [name for name in names if name not in left_out and not name.startswith(("baked/", "docs/"))]
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + hashlib.sha256((made / name).read_bytes()).digest())
    text = (made / "sw.js").read_text(encoding="utf-8")
    for mark, value in (("@@VERSION@@", f"hoyle-{digest.hexdigest()[:16]}"), ("@@POLICY@@", POLICY)):
        text = text.replace(mark, value)
    listed = json.dumps(["./", *[name for name in kept if name != "index.html"]])
    (made / "sw.js").write_text(text.replace("@@FILES@@", listed), encoding="utf-8")


# ------------------------------------------------------------------------------------------------ Python and C
def _bake(made: Path, pyodide: Path, games: Sequence[tuple[str, int]], cache: Path) -> None:
    """Compile Hoyle and the games, or take what was compiled from the same sources."""
    with tempfile.TemporaryDirectory(dir=cache) as passing:
        staged = Path(passing) / "staged"
        stage(staged)
        digest = hashlib.sha256(repr((pyodide.name, list(games))).encode())
        for path in sorted([*staged.rglob("*"), *Path(__file__).parent.glob("bake*")]):
            if path.is_file():
                digest.update(path.name.encode() + path.read_bytes())
        kept = cache / f"baked-{digest.hexdigest()}"
        if not kept.is_dir():
            out = Path(passing) / "out"
            (out / "baked").mkdir(parents=True)
            bake(pyodide, staged, out, games)
            out.rename(kept)
        os.utime(kept)
        for old in sorted(cache.glob("baked-*"), key=lambda each: each.stat().st_mtime)[:-MOST_BAKED]:
            shutil.rmtree(old)
        shutil.copytree(kept, made, dirs_exist_ok=True)


def _build_native(made: Path, games: Sequence[tuple[str, int]], cache: Path, say: Say) -> list[str]:
    """Write the native code of the games; which have some."""
    if not has_ziglang():
        say("no native code: pip install 'hoyle[native]' makes simulations and strong bots fast in the page")
        return []
    built = []
    for name, players in games:
        say(f"native code of {name}")
        module = build_module(name, players, cache)
        if module is None:
            continue
        (made / "baked" / f"{name}.wasm").write_bytes(module[0])
        place = made / "baked" / f"{name}.json"
        data = json.loads(place.read_text(encoding="utf-8"))
        data["known"] = module[1]
        place.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
        built.append(name)
    return built


def list_main_games() -> list[str]:
    """All shipped games and variants."""
    return [game_name(path) for path in all_games()]


def measure(folder: Path) -> tuple[int, int]:
    """Compressed bytes: what a first game needs at most, and what comes before the lobby is drawn."""
    drawn = [folder / name for name in list_drawn(folder)]
    table = [path for path in (folder / "static").glob("*.js") if path.name not in ("edit.js", "ink.js")]
    python = [folder / "pyodide" / name for name in FILES if name != LOCK]
    first = [*python, folder / "first.pack", folder / "worker.js", *table]
    size = {path: _compressed(path) for path in (*drawn, *first)}
    names = json.loads((folder / "sizes.json").read_text(encoding="utf-8"))["games"]
    largest = max(sum(map(_compressed, (folder / "baked").glob(f"{name}.*"))) for name in names)
    return sum(size.values()) + largest, sum(size[path] for path in drawn)


def _compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def list_drawn(folder: Path) -> list[str]:
    """The files that come before the lobby is drawn: its pages, and what they name."""
    named = re.findall(r'(?:href|src)="(static/[\w.]+)"', (folder / "lobby.html").read_text(encoding="utf-8"))
    return ["index.html", "shell.css", "shell.js", "links.js", "lobby.html", *named, "games.en.json"]

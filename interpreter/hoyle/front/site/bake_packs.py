"""Run by Pyodide while a site is built: plays a baked game as the page does, and packs apart what that has needed.

In: compiled modules in `/staged`, baked games in `/out`. Out: `first.pack` and `rest.pack` there.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import os
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any

HOME = Path("/home/hoyle/python")  # as in the page: what is kept is known by its place


async def main(games: str) -> None:
    shutil.copytree("/staged", HOME, dirs_exist_ok=True)
    sys.path.insert(0, str(HOME))
    os.chdir("/home/hoyle")
    files = [place for place in sorted(HOME.rglob("*")) if place.is_file() and "__pycache__" not in place.parts]
    opened = set[str]()
    sys.addaudithook(lambda event, known: opened.add(str(known[0])) if event == "open" else None)
    await play(json.loads(games)[0][0])
    assert not [name for name in sys.modules if name.startswith("hoyle.language.irgen")], "a game was compiled anew"
    used = {Path(file) for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}
    used |= set(map(Path, opened))  # such as the sentences of each language, which a module lists and reads
    first = [place for place in files if place in used or is_known_by(place)]
    write_pack("first.pack", first)
    write_pack("rest.pack", [place for place in files if place not in set(first)])
    shutil.rmtree("/out/compiled")


def is_known_by(place: Path) -> bool:
    """Whether a file is one by whose contents every compiled program is known, or the list of games; what else those
    of a game are known by comes with it. Of bots all is needed: some play by native code, which is not here."""
    return place.parent.name in ("prelude", "bots") or place.name in ("stamp.txt", "index.json")


async def play(game: str) -> None:
    """Play a few turns with two levels of bots, take one back and ask for a hint."""
    from hoyle.front.web.local import Local

    sent: list[dict[str, Any]] = []

    async def bring(name: str) -> str:
        return Path(f"/out/baked/{name}.json").read_text()

    local = Local(lambda text: sent.append(json.loads(text)), bring)
    local.start("{}")
    for level, wishes in (("easy", ("hint", "choose", "undo")), ("hard", ("choose", "choose"))):
        players = json.loads(await bring(game))["players"]
        body = {"game": game, "players": players, "options": {}, "seats": ["me", *[level] * (players - 1)], "name": "",
                "seed": 1, "language": "en"}  # fmt: skip
        status, answer = await local.ask("/api/tables", json.dumps(body))
        assert status == 200, answer
        assert isinstance(answer, dict)
        local.hear(json.dumps({"line": 1, "sit": answer["key"], "lang": "en"}))
        local.hear(json.dumps({"line": 1, "text": json.dumps({"do": "pace", "wait": 0})}))
        for wish in wishes:
            sent.clear()
            turn, menu = 0, None
            for _ in range(400):
                await asyncio.sleep(0.02)
                tables = [json.loads(each["text"]) for each in sent if each.get("line") == 1 and "text" in each]
                menu = next((each["view"]["menu"] for each in reversed(tables) if each["is"] == "table"), menu)
                if menu is not None:
                    break
            if menu is not None:
                turn = menu["turn"]
                message = {"do": "choose", "turn": turn, "choice": 0} if wish == "choose" else {"do": wish}
                local.hear(json.dumps({"line": 1, "text": json.dumps(message)}))
                await asyncio.sleep(0.05)
        local.hear(json.dumps({"line": 1, "text": None}))


def write_pack(name: str, files: list[Path]) -> None:
    """A compressed tar without times: the same files make the same pack."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in files:
            entry = tarfile.TarInfo(str(file.relative_to(HOME)))
            entry.size = file.stat().st_size
            archive.addfile(entry, io.BytesIO(file.read_bytes()))
    Path("/out", name).write_bytes(gzip.compress(whole.getvalue(), 9, mtime=0))

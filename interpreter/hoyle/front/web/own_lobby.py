"""The lobby of one visitor, in a page without a server.

In: what the browser brings: rule files of the visitor's own, games compiled beforehand. Out: what it is to keep.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from hoyle.base.cache import cache_folder, write_whole
from hoyle.base.shipped import GAME_SUFFIX, games_folder
from hoyle.front.web.kept_tables import KeptTables
from hoyle.front.web.lobby import LARGEST_FILE, Lobby, Refused, Rules
from hoyle.language.game_index import list_indexed
from hoyle.play.engine.game import Game

MOST_KEPT = 200  # tables and files, each
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
GAME = re.compile(rf"^game:[ ]*({NAME.pattern})[ ]*$", re.M)

Bring = Callable[[str], Awaitable[str]]


class OwnLobby(Lobby):
    """A lobby whose rule files are those of one visitor, by name, and kept by the browser."""

    def __init__(self, store: KeptTables, files: Path, send: Callable[[dict[str, Any]], None], bring: Bring) -> None:
        super().__init__(store, Rules(upload=True, patience=1000.0), [], files, list_indexed())
        self.place, self.send, self.bring = files, send, bring

    async def load(self, name: str, players: int | None, options: dict[str, object]) -> Game:
        await self.prepare(name)
        return await super().load(name, players, options)

    async def prepare(self, name: str) -> None:
        """Bring what was compiled beforehand for a shipped game."""
        if name not in self.library or name in self.own:
            return
        brought, folder = json.loads(await self.bring(name)), cache_folder()
        if folder is None or not brought:
            return
        for file, text in brought["files"].items():
            write_whole(folder / file, text.encode())
        beside = {file: base64.b64decode(packed) for file, packed in brought["learnt"].items()}
        for file, content in (beside | {file: text.encode() for file, text in brought["rules"].items()}).items():
            (games_folder().parent / file).parent.mkdir(parents=True, exist_ok=True)
            write_whole(games_folder().parent / file, content)
        if (folder / brought["library"]).is_file() and "known" in brought:
            from hoyle.play.engine.native.compiler import note_library

            note_library(folder / brought["library"], brought["known"])

    def add_file(self, text: bytes) -> str:
        """Keep a rule file under the name of its game, in place of one that has it already."""
        read = text.decode("utf-8", "replace")
        return self.keep_file(find_name(read), find_name(read), read)

    def keep_file(self, folder: str, name: str, text: str) -> str:
        path = self.restore_file(folder, name, text)
        self.send({"keep_file": f"{folder}/{name}", "text": text})
        return path

    def restore_file(self, folder: str, name: str, text: str) -> str:
        if len(text) > LARGEST_FILE:
            raise Refused("too_large")
        path = self.place / folder / f"{name}{GAME_SUFFIX}"
        if not path.is_file() and len(self.own) >= MOST_KEPT:
            raise Refused("too_many_files")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return self.name_file(path)

    def is_sent(self, reference: str) -> bool:
        return False  # they are the visitor's own

    def lasts(self, reference: str) -> bool:
        """Whether the game of a table will be there again: that of the playground goes with its text."""
        return reference not in self.held

    def list_files(self) -> dict[str, str]:
        """The texts of the visitor's own rule files, each by folder and name."""
        paths = [self.library[name] for name in self.own]
        named = {f"{path.parent.name}/{path.name.removesuffix(GAME_SUFFIX)}": path for path in paths}
        return {name: path.read_text(encoding="utf-8") for name, path in named.items()}


def find_name(text: str) -> str:
    """The name of the game that a rule file says, as far as one can be a file's."""
    named = GAME.search(text)
    return named[1] if named is not None else "game"

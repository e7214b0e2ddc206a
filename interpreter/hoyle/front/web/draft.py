"""The rule file that is written in a page without a server: the playground's, kept by the browser.

In: the lobby of one visitor. Out: endpoints.
"""

from __future__ import annotations

from hoyle.base.shipped import GAME_SUFFIX
from hoyle.front.web.desk import Call, Endpoint
from hoyle.front.web.lobby import LARGEST_FILE, Refused
from hoyle.front.web.messages import BadMessage, read_json
from hoyle.front.web.own_lobby import OwnLobby, find_name
from hoyle.front.web.playground import Deal, Playground, list_editing


def list_drafting(lobby: OwnLobby) -> list[Endpoint]:
    draft = Draft(lobby, lobby.place / f"game{GAME_SUFFIX}", Deal(None, {}, "easy", 7))
    return [
        Endpoint("/api/edit/choose", draft.choose),
        Endpoint("/api/edit/begin", draft.begin, LARGEST_FILE * 2),
        *list_editing(draft),
    ]


class Draft(Playground):
    """The rule file that is written in the page: a copy of a game's, or a text of the visitor's own."""

    lobby: OwnLobby

    async def choose(self, call: Call) -> object:
        """Begin with the file of a game, by name."""
        name = call.query.get("game", "")
        path = self.lobby.library.get(name)
        if path is None:
            raise Refused("no_such_game")
        await self.lobby.prepare(name)  # with its native code, which plays thousands of matches for a chart
        self.path, self.index = path, None
        return self.open()

    async def begin(self, call: Call) -> object:
        """Begin with a text, as from a link; `beside` is the shipped game whose folder it belongs to, if any."""
        given = read_json(call.body)
        text, beside = given.get("text"), given.get("beside")
        if not isinstance(text, str) or not (beside is None or isinstance(beside, str)):
            raise BadMessage("it must hold a text")
        folder = self.lobby.library[beside].parent if beside in self.lobby.library else self.lobby.place
        self.path, self.index = folder / f"{find_name(text)}{GAME_SUFFIX}", None
        return {"name": self.path.name, "place": self.path.name, "text": text, "saved": ""}

    def save(self, body: bytes) -> dict[str, object]:
        """Keep the text in the browser."""
        text = str(read_json(body).get("text", ""))
        return {"saved": "", "game": self.lobby.add_file(text.encode())}

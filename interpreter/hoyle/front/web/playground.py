"""The playground, a rule file edited beside its table: `hoyle serve --edit FILE`.

In: a file, and its text as edited in the page. Out: diagnostics and highlighting, by the analysis of the language
server; a table of the current game, dealt from the same seed after every change. The file is written only when the
author saves, and not if it has changed on disk since.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any

from hoyle.authoring.lsp.highlighting import Piece, color_page
from hoyle.authoring.lsp.index import Index
from hoyle.authoring.lsp.looking import Look, Looker
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.base.source import Source
from hoyle.front.web.desk import Call, Endpoint
from hoyle.front.web.inquiries import inquire, try_line
from hoyle.front.web.lobby import ME, Lobby, Refused
from hoyle.front.web.messages import BadMessage, NewTable, read_json
from hoyle.language.compile import compile_game
from hoyle.language.document.incremental import keeping
from hoyle.play.engine.game import Game

LARGEST_TEXT = 400_000  # bytes of a request body with a rule file


@dataclass(frozen=True, slots=True)
class Deal:
    """The settings of the table: number of players (None: the file's default), options, bot and seed."""

    players: int | None
    options: dict[str, str]
    bot: str
    seed: int


@dataclass(slots=True)
class Playground:
    """One file, its text as edited, and its table."""

    lobby: Lobby
    path: Path
    deal: Deal
    looker: Looker = field(default_factory=Looker)
    index: Index | None = None
    tables: int = 0

    # ---------------------------------------------------------------------------------------------- requests
    def open(self) -> dict[str, object]:
        """Return the file as it is on disk."""
        try:
            raw = self.path.read_bytes()
            text = raw.decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as failure:
            raise Refused("bad_rules", f"{self.path.name}: {failure}") from None
        return {
            "name": self.path.name,
            "place": shown_path(self.path),
            "text": text.replace("\r\n", "\n"),
            "saved": _digest(raw),
        }

    async def look(self, body: bytes) -> dict[str, object]:
        """Analyse a text; create a table for it if there are no errors."""
        text = _read_text(body)["text"]
        seen, pieces, game = await self.lobby.loading.do(self._look, text)
        self.index = seen.index
        units = _count_units(text)
        source = seen.index.source
        return {
            "problems": [_describe(found, source, units) for found in seen.found],
            "pieces": [[units(each.start), units(each.end), each.kind] for each in pieces],
            "table": await self._set_table(game, source.text) if game is not None else None,
        }

    def explain(self, body: bytes) -> dict[str, object]:
        """Explain the word at an offset, and the types of the expressions around it."""
        known = _read_text(body, at=int)
        index = self.index
        if index is None or index.source.text != known["text"]:
            return {"word": "", "means": "", "types": []}
        units = _count_units(known["text"])
        at = next((place for place in range(len(known["text"]) + 1) if units(place) >= known["at"]), 0)
        word = index.word_at(at)
        return {
            "word": word.text if word is not None else "",
            "means": index.explain(word.text) if word is not None else "",
            "types": index.describe_types(at),
        }

    async def inquire(self, body: bytes) -> dict[str, object]:
        """Answer a question about a text: its tests, a simulation, its rulebook, its graph."""
        known = _read_text(body, what=str, games=int)
        return await self.lobby.loading.do(inquire, self.path, known["text"], known["what"], known["games"])

    async def try_line(self, body: bytes) -> dict[str, object]:
        """Work out an expression of the rule language where the table stands that the text was dealt at."""
        known = _read_text(body, line=str, table=str)
        key = self.lobby.find_key(known["table"])
        room = await self.lobby.open(key.table)
        moves = [*room.setup.begun, *(choice.text for choice in room.choices)]
        setup = (self.path, known["text"], self.deal.options, room.game.players)
        return await self.lobby.loading.do(try_line, setup, known["line"], room.setup.seed, moves, key.seat or 0)

    def save(self, body: bytes) -> dict[str, object]:
        """Write the file, unless it has changed on disk since the page read it."""
        known = _read_text(body, saved=str)
        try:
            before = self.path.read_bytes()
        except OSError:
            before = b""
        if _digest(before) != known["saved"]:
            raise Refused("changed_on_disk", self.path.name)
        ends = "\r\n" if b"\r\n" in before else "\n"
        raw = known["text"].replace("\n", ends).encode("utf-8")
        try:
            _replace(self.path, raw)
        except OSError as failure:
            raise Refused("not_saved", f"{self.path.name}: {failure.strerror or failure}") from None
        return {"saved": _digest(raw)}

    # ---------------------------------------------------------------------------------------------- analysis
    def _look(self, text: str) -> tuple[Look, list[Piece], Game | None]:
        seen = self.looker.look(self.path, text, self.index)
        with keeping(self.looker.kept):  # what has been read is not read again
            pieces = color_page(seen.index)
            if any(found.severity == "error" for found in seen.found):
                return seen, pieces, None
            program = seen.program
            if program is None or self.deal.options or self.deal.players not in (None, program.players):
                program, report = compile_game(self.path, self.deal.players, dict(self.deal.options), Report(), text)
                known = {(each.code, each.message) for each in seen.found}
                seen.found.extend(each for each in report.ordered() if (each.code, each.message) not in known)
        return seen, pieces, Game(program) if program is not None else None

    async def _set_table(self, game: Game, text: str) -> str:
        self.tables += 1
        name = f"{game.name}, text {self.tables}"
        self.lobby.hold(name, game, self.path, text)
        seats = (ME, *[self.deal.bot] * (game.players - 1))
        return await self.lobby.set_table(NewTable(name, game.players, dict(game.options), seats, "", self.deal.seed))


def list_editing(playground: Playground) -> list[Endpoint]:
    """The endpoints of the page that edits a rule file beside its table."""

    async def open_file(call: Call) -> object:
        return playground.open()

    async def look(call: Call) -> object:
        return await playground.look(call.body)

    async def explain(call: Call) -> object:
        return playground.explain(call.body)

    async def inquire_of(call: Call) -> object:
        return await playground.inquire(call.body)

    async def try_out(call: Call) -> object:
        return await playground.try_line(call.body)

    async def save(call: Call) -> object:
        return playground.save(call.body)

    return [
        Endpoint("/api/edit", open_file),
        Endpoint("/api/edit/look", look, LARGEST_TEXT),
        Endpoint("/api/edit/explain", explain, LARGEST_TEXT),
        Endpoint("/api/edit/inquire", inquire_of, LARGEST_TEXT),
        Endpoint("/api/edit/try", try_out, LARGEST_TEXT),
        Endpoint("/api/edit/save", save, LARGEST_TEXT),
    ]


def _read_text(body: bytes, **more: type) -> dict[str, Any]:
    """Parse a request with a text and the given further fields."""
    known = read_json(body.decode("utf-8", "replace"))
    wanted = {"text": str, **more}
    if not isinstance(known, dict) or set(known) != set(wanted):
        raise BadMessage(f"it must hold {', '.join(wanted)}")
    for name, kind in wanted.items():
        if type(known[name]) is not kind:
            raise BadMessage(f"`{name}` is not of the right kind")
    return known


def _describe(found: Diagnostic, source: Source, units: Callable[[int], int]) -> dict[str, object]:
    """Convert a diagnostic for the page; one in another file is located at the first line."""
    span = found.primary.span if found.primary is not None else None
    here = span is not None and span.source.text == source.text
    fix = found.fix if found.fix is not None and found.fix.span.source.text == source.text else None
    said = found.message + (f": {found.primary.text}" if found.primary is not None and found.primary.text else "")
    elsewhere = f"{span.source.name}:{span.line}: " if span is not None and not here else ""
    return {
        "code": found.code,
        "severity": found.severity,
        "message": elsewhere + said,
        "hints": list(found.hints),
        "line": span.line if span is not None and here else 1,
        "start": units(span.start) if span is not None and here else 0,
        "end": units(span.end) if span is not None and here else 0,
        "fix": {"start": units(fix.span.start), "end": units(fix.span.end), "text": fix.text} if fix else None,
    }


def _count_units(text: str) -> Callable[[int], int]:
    """Return a function from character offsets to UTF-16 code units, in which browsers count."""
    if max(text, default="") <= "\uffff":
        return lambda offset: offset
    sums = [0]
    for sign in text:
        sums.append(sums[-1] + (2 if ord(sign) > 0xFFFF else 1))
    return lambda offset: sums[min(offset, len(text))]


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _replace(path: Path, raw: bytes) -> None:
    """Write a file atomically."""
    place = path.resolve()
    number, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    made = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(raw)
        made.chmod(place.stat().st_mode if place.exists() else 0o644)
        made.replace(place)
    except BaseException:
        made.unlink(missing_ok=True)
        raise

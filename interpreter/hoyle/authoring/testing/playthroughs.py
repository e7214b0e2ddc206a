"""Playthroughs: golden transcripts of matches between bots, for people to read and for tests to compare.

In: the header of a playthrough, which gives the parameters. Out: the whole text: the header and the transcript.

    game: my-game
    players: 4
    seed: 7
    options: {}
    bot: random
    rounds: 1

`rounds` ends the playthrough early; without it the match is played to its end. `errors` is the share of decisions at
which bots err, in games where errors can be made and called.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import render_text
from hoyle.base.errors import HoyleError
from hoyle.lab.bots import Bot, BotError, find_bot, let_choose, make_bots
from hoyle.language.compile import compile_game
from hoyle.play.engine.game import Game
from hoyle.play.engine.habits import Habits
from hoyle.play.view.seeing import UNKNOWN_CARD, filter_event
from hoyle.play.view.text import render_event
from hoyle.program.model.events import Event

TOLD = "  "


class BadPlaythrough(HoyleError):  # noqa: N818 - a finding about a golden file, told by the test that reads it
    """A playthrough that cannot be played."""


@dataclass(frozen=True, slots=True)
class Header:
    """The parameters of a playthrough."""

    game: str
    players: int
    seed: int
    options: dict[str, str]
    bot: str
    rounds: int | None
    errors: float = 0.0

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.options.items()) or "none"
        lines = [f"game: {self.game}", f"players: {self.players}", f"seed: {self.seed}", f"options: {options}",
                 f"bot: {self.bot}"]  # fmt: skip
        lines += [f"errors: {self.errors}"] if self.errors else []
        return "\n".join(lines if self.rounds is None else [*lines, f"rounds: {self.rounds}"])


def read_header(text: str) -> Header:
    """Parse the lines `name: value` at the beginning of a playthrough."""
    said: dict[str, str] = {}
    for line in text.splitlines():
        name, sign, value = line.partition(":")
        if not sign:
            break
        said[name.strip()] = value.strip()
    missing = [name for name in ("game", "players", "seed", "bot") if name not in said]
    if missing:
        raise BadPlaythrough(f"the header has no {', '.join(missing)}")
    try:
        find_bot(said["bot"])
    except BotError as error:
        raise BadPlaythrough(str(error)) from None
    settings = [part.split("=") for part in said.get("options", "none").split(",") if "=" in part]
    try:
        return Header(
            said["game"],
            int(said["players"]),
            int(said["seed"]),
            {name.strip(): value.strip() for name, value in settings},
            said["bot"],
            int(said["rounds"]) if "rounds" in said else None,
            float(said.get("errors", 0)),
        )
    except ValueError as problem:
        raise BadPlaythrough(f"the header cannot be read: {problem}") from None


def write_playthrough(header: Header, path: Path) -> str:
    """Play a rule file by the parameters of a header and return the playthrough."""
    program, report = compile_game(path, header.players, dict(header.options))
    if program is None:
        raise BadPlaythrough(render_text(report.ordered()))
    game = Game(program)
    bots = make_bots(header.bot, header.seed, header.players)
    return f"{header}\n\n" + "\n".join(tell_match(game, header, bots)) + "\n"


def tell_match(game: Game, header: Header, bots: list[Bot]) -> Iterator[str]:
    """Yield the transcript of a match line by line: choices flush left, events indented below them."""
    match = game.new(header.seed, checked=True)
    habits = Habits(header.errors, header.seed)
    heard = 0
    while True:
        for event in match.events[heard:]:
            yield from tell_event(game, event)
            if event.name == "round_ended" and event.data["round"] == header.rounds:
                yield f"scores: {', '.join(map(str, match.scores))}"
                return
        heard = len(match.events)
        decision = match.decision
        if decision is None:
            break
        chosen = match.find_action(let_choose(habits, match, decision, bots[decision.seat]))
        yield f"{decision.seat} {chosen.text}    [1 of {len(decision.actions)}]"
        match.apply(chosen)
    yield f"scores: {', '.join(map(str, match.scores))}"


def tell_event(game: Game, event: Event) -> Iterator[str]:
    """Render an event as spectators are told it, with the cards hidden from them in brackets, and each hand of a
    deal."""
    if event.name == "chose":
        return  # the line of the choice precedes its events
    told = filter_event(game.program, event, None, game.names)
    if told is None:
        yield f"{TOLD}({event.name}, not told to spectators)"
        return
    text = render_event(game, told)
    if not text:
        return
    line = TOLD + text
    cards = [game.names.name_card(card) for card in event.data.get("cards", ())]
    if event.name == "dealt":
        yield line
        for zone in dict.fromkeys(event.data["to"]):
            dealt = [card for card, to in zip(cards, event.data["to"], strict=True) if to == zone]
            yield f"{TOLD}{TOLD}{game.names.name_zone(zone)}: {' '.join(dealt)}"
    elif UNKNOWN_CARD in told.get("cards", ()):
        yield f"{line} ({' '.join(cards)})"
    else:
        yield line

"""Code shared by the commands that play, resume and replay a match.

In: a record of a match. Out: the match, played on; and a hint on how to resume it when a user leaves.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click

import hoyle
from hoyle.base import shipped
from hoyle.base.dataclass import dataclass
from hoyle.base.errors import NotStored
from hoyle.front.cli.common import check_names, settle_bots
from hoyle.front.cli.failures import Problem
from hoyle.front.terminal.saving import (
    BadRecord,
    InUse,
    Record,
    Setup,
    choose_path,
    data_folder,
    list_unfinished,
    read_record,
    take_up,
)
from hoyle.front.terminal.starting import Manner, Outcome, is_interactive, play, rename_players, replay
from hoyle.front.terminal.surface import Left, is_yes, read_line
from hoyle.lab.bots import BotFailed, drop_think, list_outside
from hoyle.play.engine.origin import OtherRules, check_rules
from hoyle.play.view.locale import find_language, say_in


def draw_seed() -> int:
    """Draw a random seed for a match without a given one."""
    return secrets.randbelow(1_000_000_000)


def begin_record(setup: Setup) -> Record:
    """Create the record of a new match, saved to a file if users play it at a terminal."""
    try:
        record = Record(setup, choose_path(setup) if is_interactive() and setup.people else None)
        record.begin()
    except NotStored as failure:
        raise Problem(f"the match could not be kept: {failure}; set HOYLE_MATCHES to another folder, "
                      "or to nothing to play without keeping it") from None  # fmt: skip
    return record


def seat_bots(bot: str, think: float | None, players: int, people: tuple[int, ...]) -> str:
    """Resolve the bots of all seats. If exactly the seats without users are named, fill in any bot for the users'."""
    names = bot.split(",")
    if people and len(names) == players - len(people):
        for seat in sorted(people):
            names.insert(seat, names[0])
    return settle_bots(",".join(names), think, players)


@dataclass(frozen=True, slots=True)
class Anew:
    """Changed settings of a resumed match; unset ones keep their values."""

    bot: str = ""
    think: float | None = None
    names: tuple[str, ...] = ()
    errors: float | None = None
    language: str | None = None


def change_table(record: Record, game: hoyle.Game, anew: Anew) -> list[str]:
    """Apply changed settings, such as bots, names or language, to a resumed match; return notes for the user."""
    setup = record.setup
    check_names(anew.names, setup.people, "as many sit down as when the match began")
    bot = setup.bot
    if not anew.bot:
        check_bots(record)
    if anew.bot or anew.think is not None:
        named = anew.bot or ",".join(drop_think(setup.bot.split(",")))
        bot = seat_bots(named, anew.think, setup.players, setup.people)
    shown, told = find_language(game.program, anew.language) if anew.language else (setup.language, "")
    names = rename_players(setup, anew.names, shown)
    errors = setup.errors if anew.errors is None else anew.errors
    try:
        record.change(replace(setup, bot=bot, names=names, errors=errors, language=shown))
    except NotStored as failure:
        raise Problem(f"the table could not be changed: {failure}") from None
    return [told] if told else []


def check_bots(record: Record) -> None:
    """Raise a `Problem` if resuming would run a custom bot named only in the match file. Files outside the user's own
    match folder are untrusted."""
    try:
        folder = data_folder()
    except NotStored:
        folder = None
    own = record.path is not None and folder is not None and record.path.resolve().parent == folder.resolve()
    outside = list_outside(record.setup.bot)
    if outside and not own:
        raise Problem(f"the match was played against `{outside[0]}`, which is code outside Hoyle; "
                      "if it is yours, name it with --bot, or else another")  # fmt: skip


def play_matches(
    game: hoyle.Game, record: Record, manner: Manner, heading: Sequence[str] = (), watched: int | None = None
) -> None:
    """Play a match, and then further ones at the same table as long as the users want."""
    while (outcome := play_record(game, record, manner, heading, watched)) is not Outcome.LEFT:
        setup = record.setup
        if outcome is Outcome.OVER:
            if not (is_interactive() and setup.people):
                return
            if not ask(say_in(setup.language, "again"), setup.language, default=False):
                return
        rules, version = dict(game.program.digests), hoyle.__version__
        record = begin_record(replace(setup, seed=draw_seed(), began=time.time(), rules=rules, hoyle=version))


def play_record(
    game: hoyle.Game, record: Record, manner: Manner, heading: Sequence[str] = (), watched: int | None = None
) -> Outcome:
    """Play a match until it is over or a user leaves; then say how to resume it."""
    setup = record.setup
    phrase = "heading" if setup.players > 1 else "heading_alone"
    title = say_in(setup.language, phrase, title=setup.title, players=setup.players, seed=setup.seed)
    try:
        outcome = play(game, record, manner, [title, *heading], watched)
    except BadRecord as bad:
        raise Problem(f"the match cannot be gone on with: {bad}") from None
    except KeyboardInterrupt:
        click.echo()
        tell_left(record)
        raise
    except BotFailed:  # the match so far is saved
        if is_kept(record):
            tell_left(record)
        raise
    finally:
        record.release()
    if outcome is Outcome.LEFT:
        tell_left(record)
    return outcome


def is_kept(record: Record) -> bool:
    """Whether the match is saved and has choices to resume from."""
    return record.path is not None and bool(record.choices)


def tell_left(record: Record) -> None:
    """Print how to resume a match."""
    phrase = "left_kept" if is_kept(record) else "left_seed"
    click.echo(say_in(record.setup.language, phrase, seed=record.setup.seed))


def load_record(path: Path) -> tuple[Record, hoyle.Game]:
    """Read a record and load its game."""
    return _load(path, read_record)


def take_up_record(path: Path, *, adopt: bool = False) -> tuple[Record, hoyle.Game]:
    """Read a record to go on with it, hold its file, and load its game. `adopt`: under the rules as they are now, if
    its choices are still legal under them."""
    record, game = _load(path, take_up, adopt=adopt)
    if adopt:
        try:
            replay(game, record)
        except BadRecord as bad:
            raise Problem(f"the match cannot go on under the rules as they are now: {bad}") from None
        rules, version = dict(game.program.digests), hoyle.__version__
        record.change(replace(record.setup, rules=rules, hoyle=version))
    return record, game


def _load(path: Path, read: Callable[[Path], Record], *, adopt: bool = False) -> tuple[Record, hoyle.Game]:
    try:
        record = read(path)
    except BadRecord as bad:
        raise Problem(f"{path} holds no match: {bad}") from None
    except InUse as used:
        raise Problem(f"{path}: {used}") from None
    game = load_game(record.setup)
    if not adopt:
        remedy = f"`hoyle resume --new-rules {path}` goes on under the rules as they are now, if all choices fit them"
        try:
            check_rules(game.program, asdict(record.setup), str(path), "" if record.over else remedy)
        except OtherRules as other:
            raise Problem(str(other)) from None
    return record, game


def load_game(setup: Setup) -> hoyle.Game:
    """Load the game of a match."""
    if shipped.find_game(setup.game) is None:
        raise Problem(f"the match is of a game that is not here: {setup.game}")
    return hoyle.load(setup.game, players=setup.players, options=setup.options)


def offer_to_go_on(game: str | None, manner: Manner, anew: Anew) -> bool:
    """Offer to resume the latest unfinished match, optionally of one game, with changed settings; return whether the
    user accepted."""
    wanted = None
    if game is not None:
        found = shipped.find_game(game)
        wanted = {game, str(found.resolve())} if found is not None else {game}
    record = next((each for each in list_unfinished() if wanted is None or each.setup.game in wanted), None)
    if record is None:
        return False
    setup = record.setup
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(setup.began))
    language = anew.language or setup.language
    question = say_in(language, "go_on", title=setup.title, when=when, choices=len(record.choices))
    if not ask(question, language, default=True):
        return False
    assert record.path is not None
    record, loaded = take_up_record(record.path)
    play_matches(loaded, record, manner, change_table(record, loaded, anew))
    return True


def ask(question: str, language: str | None, *, default: bool) -> bool:
    """Ask a yes/no question; an empty line means the default."""
    try:
        return is_yes(read_line(question), say_in(language, "yes"), default=default)
    except Left:
        raise click.Abort from None

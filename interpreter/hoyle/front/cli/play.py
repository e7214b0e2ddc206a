"""`hoyle play`: plays a game in the terminal.

In: a game and its settings. Out: a match between users and bots, or between bots alone, saved as it is played.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

import hoyle
from hoyle.base import shipped
from hoyle.front.cli.common import (
    RealRange,
    bots_option,
    check_names,
    errors_option,
    find_game_file,
    language_option,
    names_option,
    players_option,
    settings_option,
    think_option,
)
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem
from hoyle.front.cli.matches import Anew, ask, begin_record, draw_seed, offer_to_go_on, play_matches, seat_bots
from hoyle.front.terminal.saving import Setup
from hoyle.front.terminal.starting import Manner, is_interactive, name_players
from hoyle.lab.bots import choose_level
from hoyle.language.library import describe
from hoyle.play.view.locale import find_language, say_in

MOST_UNHURRIED = 4  # with more bots, all of them share one second per round of moves


@click.command("play", epilog="Example: hoyle play my-game.game.yaml --players 4 --seed 7")
@click.argument("game", required=False, shell_complete=complete_game)
@players_option
@click.option("--seat", "seats", type=click.IntRange(min=0), multiple=True, metavar="K",
              help="The seat you take, counted from 0; several for several people at this terminal.  [default: 0]")
@names_option("What you are called")
@click.option("--seed", type=int, metavar="S", help="What all chance comes from; a new one when not given.")
@settings_option
@bots_option("Who plays the rest", "medium at a terminal, otherwise random")
@think_option
@click.option("--auto", is_flag=True, help="Bots take every seat; you see all hands, or watch from --seat.")
@click.option("--ask", "asks", is_flag=True, help="Be asked also where there is only one thing to do.")
@click.option("--plain", is_flag=True, help="One fact a line, for screen readers.")
@click.option("--new", is_flag=True, help="Begin anew, whatever has been left unfinished.")
@click.option("--delay", type=RealRange(min=0, max=3600), default=0.0, metavar="SECONDS",
              help="Wait after every action of a bot.")
@errors_option("0, or as until now")
@language_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str | None,
    players: int | None,
    seats: tuple[int, ...],
    names: tuple[str, ...],
    seed: int | None,
    settings: dict[str, str],
    bot: str,
    think: float | None,
    auto: bool,
    asks: bool,
    plain: bool,
    new: bool,
    delay: float,
    errors: float | None,
    language: str | None,
) -> None:
    """Play GAME in the terminal, with bots in the empty seats.

    Without GAME, or where a match of it has been left unfinished, you are asked whether to go on with that. What is
    said of the table, such as --players, --seat or --set, asks for a new one. Several people share a terminal with
    `--seat 0 --seat 1`: a curtain is drawn between their turns. """
    for seat in seats:
        if seats.count(seat) > 1:
            ctx.fail(f"seat {seat} is taken twice")
    if auto and len(seats) > 1:
        ctx.fail("with --auto name one --seat, from which you watch")
    manner = Manner(plain, asks, delay)
    untouched = seed is None and not settings and not seats and not auto and players is None
    anew = Anew(bot, think, names, errors, language)
    if is_interactive() and not new and untouched and offer_to_go_on(game, manner, anew):
        return
    if game is None:
        known = ", ".join(sorted(shipped.game_name(path) for path in shipped.all_games()))
        raise Problem(f"which game? There are {known}; or name a rule file")
    path = find_game_file(game)
    path, loaded = load_for(path, players, settings, language)
    people = () if auto else seats or (0,)
    for seat in seats:
        if seat >= loaded.players:
            raise Problem(f"no seat {seat}: with {loaded.players} players the seats are 0 to {loaded.players - 1}")
    check_names(names, people, "take a --seat for each")
    shown, told = find_language(loaded.program, language)
    setup = Setup(
        game=name_game(path),
        title=loaded.title,
        players=loaded.players,
        options=loaded.options,
        seed=draw_seed() if seed is None else seed,
        people=tuple(sorted(people)),
        names=name_players(loaded.players, tuple(sorted(people)), names, shown),
        bot=seat_bots(bot or choose_bot(loaded.players - len(people), people, think), think, loaded.players, people),
        errors=errors or 0.0,
        language=shown,
        began=time.time(),
        rules=dict(loaded.program.digests),
    )
    watched = seats[0] if auto and seats else None
    play_matches(loaded, begin_record(setup), manner, [told] if told else [], watched)


def choose_bot(bots: int, people: tuple[int, ...], think: float | None) -> str:
    """Choose the default bot: a searching one for people at a terminal, with thinking times that add up to about a
    second; `random` for piped output, which must be reproducible from its seed and so cannot use time limits."""
    if think is None and (not people or not is_interactive()):
        return "random"
    return choose_level() if think is not None or bots <= MOST_UNHURRIED else f"{choose_level()}:{1 / bots:.2g}s"


def load_for(
    path: Path, players: int | None, settings: dict[str, Any], language: str | None
) -> tuple[Path, hoyle.Game]:
    """Load a game for a number of players; if it does not allow that number, offer a variant that does."""
    try:
        return path, hoyle.load(path, players=players, options=settings)
    except hoyle.RuleFileError as wrong:
        codes = [found.code for found in wrong.report.diagnostics]
        variant = find_variant(path, players) if players is not None and codes == ["player-count"] else None
        if variant is None:
            raise
    info, _ = describe(path, language)
    name = shipped.game_name(variant)
    if not is_interactive():
        raise Problem(f"`{shipped.game_name(path)}` is not for {players} players; `hoyle play {name_game(variant)}` is")
    title = info.title if info is not None else shipped.game_name(path)
    if not ask(say_in(language, "variant_for", title=title, players=players, variant=name), language, default=True):
        raise click.exceptions.Exit(0)
    return variant, hoyle.load(variant, players=players, options=settings)


def find_variant(path: Path, players: int) -> Path | None:
    """Find a variant in the same folder that allows this number of players."""
    name = shipped.game_name(path)
    for beside in sorted(path.resolve().parent.glob(f"*{shipped.GAME_SUFFIX}")):
        info, _ = describe(beside)
        if info is not None and name in info.parents and info.allowed[0] <= players <= info.allowed[1]:
            return beside
    return None


def name_game(path: Path) -> str:
    """Return a stable reference to a game: its name if it is shipped, otherwise its path."""
    name = shipped.game_name(path)
    return name if shipped.find_game(name) == path and not Path(name).exists() else str(path.resolve())

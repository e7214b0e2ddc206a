"""`hoyle play`: a game in the terminal.

In: a game and how it is set up. Out: a match between the user and bots, or between bots alone.
"""

from __future__ import annotations

import secrets

import click

import hoyle
from hoyle.bots import make_bots
from hoyle.cli.common import (
    RealRange,
    bots_option,
    errors_option,
    find_game_file,
    game_argument,
    language_option,
    players_option,
    settings_option,
    settle_bots,
    think_option,
)
from hoyle.cli.failures import Problem
from hoyle.cli.table import Table
from hoyle.engine.habits import Habits
from hoyle.view.locale import Locale


@click.command("play", epilog="Example: hoyle play my-game.game.yaml --players 4 --seed 7")
@game_argument
@players_option
@click.option("--seat", type=click.IntRange(min=0), default=0, show_default=True, metavar="K",
              help="The seat you take, counted from 0.")  # fmt: skip
@click.option("--seed", type=int, metavar="S", help="What all chance comes from; a new one when not given.")
@settings_option
@bots_option("Who plays the rest")
@think_option
@click.option("--auto", is_flag=True, help="Bots take every seat; you watch from yours.")
@click.option("--delay", type=RealRange(min=0, max=3600), default=0.0, metavar="SECONDS",
              help="Wait after every action of a bot.")  # fmt: skip
@errors_option
@language_option
def command(
    game: str,
    players: int | None,
    seat: int,
    seed: int | None,
    settings: dict[str, str],
    bot: str,
    think: float | None,
    auto: bool,
    delay: float,
    errors: float,
    language: str | None,
) -> None:
    """Play GAME in the terminal, in one seat, with bots in the others."""
    loaded = hoyle.load(find_game_file(game), players=players, options=settings)
    if seat >= loaded.players:
        raise Problem(f"no seat {seat}: with {loaded.players} players the seats are 0 to {loaded.players - 1}")
    if seed is None:
        seed = secrets.randbelow(1_000_000_000)
    locale = Locale(loaded.program, language)
    click.echo(locale.say("heading", title=locale.title, players=loaded.players, seed=seed))
    bots = make_bots(_seat_bots(bot, think, loaded.players, None if auto else seat), seed, loaded.players)
    table = Table(loaded, loaded.new(seed), bots, seat, auto, delay, locale, Habits(errors, seed))
    if table.play():
        table.show_result()
    else:
        click.echo(locale.say("left", seed=seed))


def _seat_bots(bot: str, think: float | None, players: int, seat: int | None) -> str:
    """The bots of all seats; where one is named for each of the others, anybody keeps the seat of the user."""
    names = bot.split(",")
    if seat is not None and len(names) == players - 1:
        names.insert(seat, names[0])
    return settle_bots(",".join(names), think, players)

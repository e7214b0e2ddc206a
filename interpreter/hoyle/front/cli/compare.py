"""`hoyle compare`: compares two variants, settings, bots or numbers of players, on common seeds.

In: two games with their settings. Out: differences with confidence intervals, and a summary sentence; exit 1 when a
game failed.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

import hoyle
from hoyle.base.columns import in_columns, wrap_line
from hoyle.front.cli.common import find_game_file, json_option, screen_width
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import INTERRUPTED, Problem
from hoyle.front.cli.progress import interruptible, progress_bar, tell_how_to_play_faster
from hoyle.lab.bots import list_kinds
from hoyle.lab.sim.charts import write_page
from hoyle.lab.sim.comparing import Comparison, Side, compare, comparison_data, list_charts, list_rows, say_comparison


def _refuse_setting(ctx: click.Context, _parameter: click.Parameter, written: str | None) -> None:
    if written is not None:
        raise click.UsageError('what is set goes with each game, in its quotes: "my-game players=3 bot=easy"', ctx)


@click.command("compare", epilog='Example: hoyle compare my-game "my-game deals=5 players=4 bot=easy" --games 500')
@click.argument("first", metavar="A", shell_complete=complete_game)
@click.argument("second", metavar="B", shell_complete=complete_game)
@click.option("-n", "--games", type=click.IntRange(min=1), default=500, show_default=True, metavar="N",
              help="How many games of each to play.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@click.option("--count", is_flag=True,
              help="Compare what happens, too: how often each action is offered and chosen, each end comes about and "
                   "each cap is reached. The reference plays then, which takes longer.")  # fmt: skip
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write a page with charts, too.")  # fmt: skip
@json_option
@click.option("-p", "--players", "--bot", "--set", hidden=True, expose_value=False, callback=_refuse_setting)
@click.pass_context
def command(
    ctx: click.Context, first: str, second: str, games: int, seed: int, count: bool, page: Path | None, as_json: bool
) -> None:
    """Play A and B with the same seeds and tell what differs.

    Each is a game, and after it, in the same quotes, what is set: `players=4`, `bot=easy`, and options of the game.
    """
    sides = (read_side(first), read_side(second))
    if sides[0].name == sides[1].name:
        raise Problem(f"A and B are the same: {sides[0].name}")
    if page is not None and not page.parent.is_dir():
        raise Problem(f"{page}: there is no folder {page.parent}")
    began = time.monotonic()
    interrupted = ctx.with_resource(interruptible())
    with progress_bar(games) as progress, interrupted.breaking_off():
        found = compare(sides, games, seed, interrupted, progress, count=count)
    if not count:
        tell_how_to_play_faster(time.monotonic() - began)
    if page is not None:
        page.write_text(_write_page(found, seed), encoding="utf-8")
    if as_json:
        click.echo(json.dumps({"seed": seed, **comparison_data(found)}, indent=2))
    else:
        click.echo("\n".join(write_comparison(found, screen_width())))
    if found.failures:
        ctx.exit(1)
    if interrupted():
        click.echo(f"stopped after {found.games} of {games} games", err=True)
        ctx.exit(INTERRUPTED)


def write_comparison(found: Comparison, width: int | None = None) -> list[str]:
    """Format a comparison: the table, the summary sentence, and the first failed game, if any."""
    lines = [*in_columns(list_rows(found), width), "", "* more than chance would make", ""] if found.games else []
    lines += wrap_line(say_comparison(found), width)
    for name, failure in found.failures[:1]:
        stopped = "1 game was" if len(found.failures) == 1 else f"{len(found.failures)} games were"
        lines += ["", f"{stopped} stopped; {name}, seed {failure.seed}: {failure.message}"]
    return lines


def read_side(written: str) -> Side:
    """Parse a game and its settings: `whist players=3 bot=easy`."""
    name, *settings = written.split() or [""]
    options: dict[str, Any] = {}
    for setting in settings:
        option, sign, value = setting.partition("=")
        if not sign or not option or not value:
            raise Problem(f"`{setting}` is not of the form option=value, as in \"{name} players=3\"")
        if option in options:
            raise Problem(f"`{option}` is set twice in `{written}`")
        options[option] = value
    players, bot = options.pop("players", None), options.pop("bot", "random")
    if players is not None and not players.isdecimal():
        raise Problem(f"players={players}: that is not a number of players")
    game = hoyle.load(find_game_file(name), players=None if players is None else int(players), options=options)
    list_kinds(bot, game.players)
    return Side(" ".join([game.name, *settings]), game, bot)


def _write_page(found: Comparison, seed: int) -> str:
    one, other = (side.name for side in found.sides)
    texts = [say_comparison(found), f"{found.games:,} games of each with the same seeds, from seed {seed}."]
    return write_page(f"{one} and {other}", texts, [list_rows(found)], list_charts(found))

"""`hoyle resume`: resumes an unfinished match.

In: a match file, or nothing for the latest. Out: the match, played on.
"""

from __future__ import annotations

import time
from pathlib import Path

import click

from hoyle.cli.common import (
    RealRange,
    bots_option,
    errors_option,
    make_language_option,
    names_option,
    screen_width,
    think_option,
)
from hoyle.cli.failures import Problem
from hoyle.cli.matches import Anew, change_table, load_game, load_record, play_matches
from hoyle.columns import in_columns
from hoyle.terminal.saving import list_unfinished
from hoyle.terminal.starting import Manner


@click.command("resume", epilog="Example: hoyle resume my-game.match.jsonl")
@click.argument("match", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--list", "lists", is_flag=True, help="List the matches that can be gone on with.")
@bots_option("Who plays the rest from now on", "who did until now")
@think_option
@names_option("What you are called from now on")
@click.option("--ask", "asks", is_flag=True, help="Be asked also where there is only one thing to do.")
@click.option("--plain", is_flag=True, help="One fact a line, for screen readers.")
@click.option("--delay", type=RealRange(min=0, max=3600), default=0.0, metavar="SECONDS",
              help="Wait after every action of a bot.")
@errors_option("as until now")
@make_language_option("that it was left in")
def command(
    match: Path | None,
    lists: bool,
    bot: str,
    think: float | None,
    names: tuple[str, ...],
    asks: bool,
    plain: bool,
    delay: float,
    errors: float | None,
    language: str | None,
) -> None:
    """Go on with the match in the file MATCH, or with the one that was left last."""
    unfinished = list(list_unfinished()) if match is None else []
    if lists:
        rows = [
            (record.setup.title, time.strftime("%Y-%m-%d %H:%M", time.localtime(record.setup.began)),
             f"{len(record.choices)} choices", str(record.path))
            for record in unfinished
        ]  # fmt: skip
        click.echo("\n".join(in_columns(rows, screen_width())) if rows else "no match has been left unfinished")
        return
    if match is not None:
        record, game = load_record(match)
        if record.over:
            raise Problem(f"that match is over; `hoyle replay {match}` shows it again")
    elif unfinished:
        record = unfinished[0]
        game = load_game(record)
    else:
        raise Problem("no match has been left unfinished")
    told = change_table(record, game, Anew(bot, think, names, errors, language))
    play_matches(game, record, Manner(plain, asks, delay), told)

"""`hoyle resume`: resumes an unfinished match.

In: a match file, or nothing for the latest. Out: the match, played on.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from hoyle.base.columns import in_columns
from hoyle.base.errors import NotStored
from hoyle.front.cli.common import (
    ExistingFile,
    RealRange,
    bots_option,
    errors_option,
    make_language_option,
    names_option,
    screen_width,
    think_option,
)
from hoyle.front.cli.failures import Problem
from hoyle.front.cli.matches import Anew, change_table, play_matches, take_up_record
from hoyle.front.terminal.saving import data_folder, list_unfinished
from hoyle.front.terminal.saving import tidy as tidy_folder
from hoyle.front.terminal.starting import Manner


@click.command("resume", epilog="Example: hoyle resume my-game.match.jsonl")
@click.argument("match", required=False, type=ExistingFile())
@click.option("--list", "lists", is_flag=True, help="List the matches that can be gone on with.")
@click.option("--json", "as_json", is_flag=True, help="With --list: as JSON, for programs.")
@bots_option("Who plays the rest from now on", "who did until now")
@think_option
@names_option("What you are called from now on")
@click.option("--ask", "asks", is_flag=True, help="Be asked also where there is only one thing to do.")
@click.option("--plain", is_flag=True, help="One fact a line, for screen readers.")
@click.option("--delay", type=RealRange(min=0, max=3600), default=0.0, metavar="SECONDS",
              help="Wait after every action of a bot.")
@click.option("--new-rules", "adopt", is_flag=True,
              help="Go on under the rules as they are now, though the match began under others.")
@click.option("--tidy", type=click.IntRange(min=0), metavar="DAYS",
              help="Delete the matches that ended more than DAYS days ago. Unfinished ones stay.")
@errors_option("as until now")
@make_language_option("that it was left in")
def command(
    match: Path | None,
    lists: bool,
    as_json: bool,
    bot: str,
    think: float | None,
    names: tuple[str, ...],
    asks: bool,
    plain: bool,
    delay: float,
    adopt: bool,
    tidy: int | None,
    errors: float | None,
    language: str | None,
) -> None:
    """Go on with the match in the file MATCH, or with the one that was left last."""
    if tidy is not None:
        tell_tidied(tidy)
        return
    if as_json and not lists:
        raise click.UsageError("--json goes with --list")
    unfinished = list(list_unfinished()) if match is None else []
    if as_json:
        known = [{"file": str(record.path), "game": record.setup.game, "title": record.setup.title,
                  "began": record.setup.began, "choices": len(record.choices)} for record in unfinished]  # fmt: skip
        click.echo(json.dumps(known, indent=2, ensure_ascii=False))
        return
    if lists:
        rows = [
            (record.setup.title, time.strftime("%Y-%m-%d %H:%M", time.localtime(record.setup.began)),
             f"{len(record.choices)} choices", str(record.path))
            for record in unfinished
        ]  # fmt: skip
        click.echo("\n".join(in_columns(rows, screen_width())) if rows else "no match has been left unfinished")
        return
    if match is None and not unfinished:
        raise Problem("no match has been left unfinished")
    record, game = take_up_record(match or unfinished[0].path or Path(), adopt=adopt)
    if record.over:
        raise Problem(f"that match is over; `hoyle replay {match}` shows it again")
    told = change_table(record, game, Anew(bot, think, names, errors, language))
    play_matches(game, record, Manner(plain, asks, delay), told)


def tell_tidied(days: int) -> None:
    """Delete the finished matches that are old enough, and say how many."""
    try:
        folder = data_folder()
        gone = tidy_folder(folder, days) if folder is not None else []
    except (NotStored, OSError) as failure:
        raise Problem(str(failure)) from None
    more = f"more than {days} day{'s' * (days != 1)} ago"
    click.echo(f"{len(gone)} match{'es' * (len(gone) != 1)} that ended {more} deleted")

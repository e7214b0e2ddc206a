"""`hoyle replay`: replays a saved match, choice by choice.

In: a match file. Out: its tables, stepped forward and back, from any seat; or the whole event log as lines. """

from __future__ import annotations

from pathlib import Path

import click

from hoyle.front.cli.failures import Problem
from hoyle.front.cli.matches import load_record
from hoyle.front.terminal.replaying import replay_match
from hoyle.front.terminal.saving import BadRecord


@click.command("replay", epilog="Example: hoyle replay my-game.match.jsonl --seat 1")
@click.argument("match", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seat", type=click.IntRange(min=0), metavar="K", help="The seat it is seen from; else yours.")
@click.option("--all", "everything", is_flag=True, help="See the cards of every seat.")
@click.option("--plain", is_flag=True, help="All that happened, one line after another.")
def command(match: Path, seat: int | None, everything: bool, plain: bool) -> None:
    """See the match in the file MATCH again.

    Enter goes on, `b` goes back, a number goes to that choice, `s 1` takes another seat, `s all` every seat, `q`
    leaves. """
    record, game = load_record(match)
    if seat is None and record.setup.people:
        seat = record.setup.people[0]
    try:
        replay_match(game, record, seat, everything=everything, plain=plain)
    except BadRecord as bad:
        raise Problem(f"the match cannot be seen again: {bad}") from None

"""`hoyle replay`: replays a saved match, choice by choice.

In: a match file. Out: its tables, stepped forward and back, from any seat; or the whole event log. """

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from hoyle.front.cli.common import ExistingFile, json_option
from hoyle.front.cli.failures import Problem
from hoyle.front.cli.matches import load_record
from hoyle.front.terminal.replaying import read_log, replay_match
from hoyle.front.terminal.saving import BadRecord


@click.command("replay", epilog="Example: hoyle replay my-game.match.jsonl --seat 1")
@click.argument("match", type=ExistingFile())
@click.option("--seat", type=click.IntRange(min=0), metavar="K", help="The seat it is seen from; else yours.")
@click.option("--all", "everything", is_flag=True, help="See the cards of every seat.")
@click.option("--plain", is_flag=True, help="All that happened, one line after another.")
@json_option
def command(match: Path, seat: int | None, everything: bool, plain: bool, as_json: bool) -> None:
    """See the match in the file MATCH again.

    Enter goes on, `b` goes back, a number goes to that choice, `s 1` takes another seat, `s all` every seat, `q`
    leaves. """
    record, game = load_record(match)
    if seat is None and record.setup.people:
        seat = record.setup.people[0]
    try:
        if as_json:
            log = [news.text for news in read_log(game, record, seat, everything=everything)]
            known = {**asdict(record.setup), "choices": record.choices, "over": record.over, "log": log}
            click.echo(json.dumps(known, indent=2, ensure_ascii=False))
        else:
            replay_match(game, record, seat, everything=everything, plain=plain)
    except BadRecord as bad:
        raise Problem(f"the match cannot be seen again: {bad}") from None

"""`hoyle env`: plays a match with another program, in words over standard input and output.

In: a line with a choice for each record that is written. Out: records, as lines of JSON or as text; or, with `--mcp`,
the answers of a server of the Model Context Protocol.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import click

import hoyle
from hoyle.front.cli.common import find_game_file, game_argument, players_option, settings_option
from hoyle.front.cli.failures import Problem
from hoyle.lab.adapters.mcp import MOST_READ, serve
from hoyle.lab.adapters.textual import LONGEST, Skin, TextMatch, write_text

MOST_REFUSED = 1000  # in a row


@click.command("env", epilog="Example: hoyle env hearts --seat 0 --bot medium --text")
@game_argument
@players_option
@settings_option
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The match that S deals.")
@click.option("--seat", "seats", type=click.IntRange(min=0), multiple=True, metavar="SEAT",
              help="A seat that is asked; by default all are.")  # fmt: skip
@click.option("--bot", default="random", show_default=True, metavar="BOT", help="Who plays the other seats.")
@click.option("--mcp", "as_server", is_flag=True, help="Speak the Model Context Protocol, for language models.")
@click.option("--text", "as_text", is_flag=True, help="Write text, not JSON.")
@click.option("--skin", type=int, metavar="N", help="Give everything other names, drawn by N: the game is the same.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the transcript of the match when it is over.")  # fmt: skip
def command(
    game: str, players: int | None, settings: dict[str, str], seed: int, seats: tuple[int, ...], bot: str,
    as_server: bool, as_text: bool, skin: int | None, out: Path | None,
) -> None:  # fmt: skip
    """Play a match of GAME with a program: it reads what a seat knows and its choices, and writes a choice on a line.

    A text that is no choice is refused with the rules that forbid it, and the same is asked again."""
    loaded = hoyle.load(find_game_file(game), players=players, options=settings)
    if any(seat >= loaded.players for seat in seats):
        raise Problem(f"{loaded.title} has the seats 0 to {loaded.players - 1} here")
    played = TextMatch(loaded, seed, None if skin is None else Skin(loaded.program, skin))
    bots = hoyle.make_bots(bot, seed, loaded.players)
    habits, refused = hoyle.Habits(0.0, seed), 0

    def advance() -> None:
        while (decision := played.match.decision) is not None and seats and decision.seat not in seats:
            played.match.apply(hoyle.let_choose(habits, played.match, decision, bots[decision.seat]))

    if as_server:
        for answer in serve(iter(partial(sys.stdin.readline, MOST_READ + 1), ""), played, advance):
            click.echo(answer)
            sys.stdout.flush()
    while not as_server:
        advance()
        if played.match.decision is None:
            _tell(played.ask(), as_text)
            break
        if not refused:
            _tell(played.ask(), as_text)
        line = sys.stdin.readline(2 * LONGEST)
        if not line:
            raise Problem("the input ended before the match")
        found = played.answer(line)
        refused = 0 if found is None else refused + 1
        if found is not None:
            _tell(found, as_text)
        if refused > MOST_REFUSED:
            raise Problem(f"{MOST_REFUSED} texts in a row were no choices")
    if out is not None:
        out.write_text(json.dumps(hoyle.record(played.match)) + "\n", encoding="utf-8")


def _tell(record: dict[str, object], as_text: bool) -> None:
    click.echo(write_text(record) + "\n" if as_text else json.dumps(record, default=str))
    sys.stdout.flush()

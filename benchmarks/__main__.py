"""The command `python -m benchmarks`: by default the race; also `growth`, `compile`, `device`,
`positions`, `choosing`, `vector`, `serve`, `ismcts`, `exploit`, `learnt`: see `--help`.

In: arguments. Out: tables.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path

import click

import hoyle
from benchmarks.compiling import measure_compiling, write_compiling
from benchmarks.device import prepare_device
from benchmarks.growth import measure_growth, write_growth, write_plot
from benchmarks.learnt import run as run_learnt
from benchmarks.machine import describe_machine
from benchmarks.measure import Contestant
from benchmarks.native import measure_native, write_native
from benchmarks.ours import list_ours
from benchmarks.peers import list_peers
from benchmarks.positions import measure_positions, write_positions
from benchmarks.race import Pace, find_ratios, run_race
from benchmarks.table import race_data, write_race

as_json_if_asked = click.option("--json", "as_json", is_flag=True, help="As JSON.")
of_games = click.option(
    "--game", "games", multiple=True, type=click.Choice(hoyle.games()), help="These games of Hoyle's only."
)


@click.group(invoke_without_command=True)
@click.option("--seconds", type=click.FloatRange(min=0.01), default=0.5, show_default=True, help="Length of a sample.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="Samples of each.")
@click.option("--warm-up", type=click.FloatRange(min=0), default=5.0, show_default=True, metavar="SECONDS",
              help="What each may play before it is measured.")  # fmt: skip
@of_games
@as_json_if_asked
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write JSON to a file, too.")
@click.pass_context
def main(
    ctx: click.Context,
    seconds: float,
    rounds: int,
    warm_up: float,
    games: tuple[str, ...],
    as_json: bool,
    out: Path | None,
) -> None:
    """Measure Hoyle and its peers on this machine, and print one table."""
    if ctx.invoked_subcommand is not None:
        return
    machine = describe_machine()
    measured = run_race(_list_contestants(list(games)), Pace(seconds, rounds, warm_up), _tell)
    ratios = find_ratios(measured)
    data = race_data(machine, measured, ratios)
    click.echo(json.dumps(data, indent=2) if as_json else write_race(machine, measured, ratios))
    if out is not None:
        out.write_text(json.dumps(data, indent=2) + "\n")


def _list_contestants(games: list[str]) -> list[Contestant]:
    return [*list_peers(), *list_ours(games)]


def _tell(what: str) -> None:
    click.echo(what, err=True)


@main.command("compile")
@of_games
@as_json_if_asked
def compile_command(games: tuple[str, ...], as_json: bool) -> None:
    """How long a game takes to be ready, the first time and from the cache."""
    found = measure_compiling(games or hoyle.games(), _tell)
    click.echo(json.dumps([asdict(each) for each in found], indent=2) if as_json else write_compiling(found))


@main.command("positions")
@click.option("--seconds", type=click.FloatRange(min=0.01), default=0.5, show_default=True, help="For each number.")
@of_games
@as_json_if_asked
def positions_command(seconds: float, games: tuple[str, ...], as_json: bool) -> None:
    """What searching costs: clones, samples, steps, playouts."""
    found = measure_positions(games or hoyle.games(), seconds, _tell)
    click.echo(json.dumps([asdict(each) for each in found], indent=2) if as_json else write_positions(found))


@main.command("vector")
@click.option("--seconds", type=click.FloatRange(min=0.01), default=1.0, show_default=True, help="For each number.")
@click.option("--count", type=click.IntRange(min=1), default=1000, show_default=True, help="Matches at once.")
@click.option("--device", "choices", type=click.IntRange(min=1), metavar="ROWS",
              help="On a GPU, with menus of so many rows.")  # fmt: skip
@of_games
def vector_command(seconds: float, count: int, choices: int | None, games: tuple[str, ...]) -> None:
    """How fast many matches are played as arrays."""
    from benchmarks.vector import measure_vector, write_vector  # needs numpy

    click.echo(write_vector(measure_vector(games or hoyle.games(), count, seconds, _tell, choices)))


@main.command("choosing")
@click.option("--seconds", type=click.FloatRange(min=0.01), default=0.2, show_default=True, help="For each sample.")
@of_games
def choosing_command(seconds: float, games: tuple[str, ...]) -> None:
    """How fast choices made in Python are played natively, one by one and in batches."""
    from benchmarks.choosing import measure_choosing, write_choosing  # needs numpy

    click.echo(write_choosing(measure_choosing(games or hoyle.games(), seconds, _tell)))


@main.command("ismcts")
@click.option("--game", type=click.Choice(["hearts", "euchre"]), default="hearts", show_default=True)
@click.option("--deals", type=click.IntRange(min=1), default=200, show_default=True, help="Each is played twice.")
@click.option("--seconds", type=click.FloatRange(min=0.001), help="What both think a move.")
@click.option("--iterations", type=click.IntRange(min=1), help="What ours thinks a move.")
@click.option("--simulations", type=click.IntRange(min=1), default=10_000_000, help="What OpenSpiel's thinks a move.")
@click.option("--seed", type=int, default=1, show_default=True)
def ismcts_command(
    game: str, deals: int, seconds: float | None, iterations: int | None, simulations: int, seed: int
) -> None:
    """Bots against OpenSpiel's information-set search, deal by deal."""
    from benchmarks.ismcts import Deal, Thought, play_deals, write_deals  # needs OpenSpiel

    if seconds is None and iterations is None:
        raise click.UsageError("--seconds or --iterations is needed")
    found: list[Deal] = []
    for deal in play_deals(game, deals, seed, Thought(seconds, iterations, simulations)):
        found.append(deal)
        _tell(write_deals(found))
    click.echo(write_deals(found))


@main.command("exploit")
@click.option("--iterations", type=click.IntRange(min=1), default=400, show_default=True)
@click.option("--times", type=click.IntRange(min=1), default=20, show_default=True, help="How often each is asked.")
def exploit_command(iterations: int, times: int) -> None:
    """How much can be won from a bot at Kuhn's and at Leduc poker, by OpenSpiel's best answers."""
    from benchmarks.exploiting import GAMES, measure_exploiting, write_exploiting  # needs OpenSpiel

    click.echo(write_exploiting([measure_exploiting(name, iterations, times, _tell) for name in GAMES]))


@main.command("learnt")
@click.argument("game", type=click.Choice(["bridge", "hanabi", "hearts", "holdem", "skat", "spades"]))
@click.option("--matches", type=click.IntRange(min=1), default=25, show_default=True)
@click.option("--bot", default="hard", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--players", type=int)
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=1, show_default=True)
def learnt_command(game: str, matches: int, bot: str, seed: int, players: int | None, jobs: int) -> None:
    """Whether a bot bids, bluffs, hints and helps its partner as one who knows the game."""
    run_learnt(game, bot, matches, seed, players, jobs)


@main.command("growth")
@click.option("--seconds", type=click.FloatRange(min=0.01), default=0.5, show_default=True, help="For each point.")
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw the curves into an SVG file.")
@as_json_if_asked
def growth_command(seconds: float, plot: Path | None, as_json: bool) -> None:
    """How the time of a decision grows with hand, seats and deck."""
    curves = measure_growth(seconds, _tell)
    click.echo(json.dumps([curve.data() for curve in curves], indent=2) if as_json else write_growth(curves))
    if plot is not None:
        plot.write_text(write_plot(curves))


@main.command("native")
@click.option("--seconds", type=click.FloatRange(min=0.01), default=1.0, show_default=True, help="For each number.")
@of_games
@as_json_if_asked
def native_command(seconds: float, games: tuple[str, ...], as_json: bool) -> None:
    """Native code against generated Python, positions, threads, and how long it takes to be ready."""
    found = measure_native(games or hoyle.games(), seconds, _tell)
    click.echo(json.dumps([asdict(each) for each in found], indent=2) if as_json else write_native(found))


@main.command("serve")
@click.option("--tables", type=click.IntRange(min=1, max=400), default=200, show_default=True)
@click.option("--watchers", type=click.IntRange(min=1, max=16), default=4, show_default=True, help="At each table.")
@click.option("--seconds", type=click.FloatRange(min=1), default=60.0, show_default=True, help="How long all play.")
@click.option("--pause", type=click.FloatRange(min=0.01), default=5.0, show_default=True, metavar="SECONDS",
              help="How long a player takes to answer, on average.")  # fmt: skip
@as_json_if_asked
def serve_command(tables: int, watchers: int, seconds: float, pause: float, as_json: bool) -> None:
    """A server with many tables: a player, spectators and bots at each."""
    from benchmarks.serving import measure_serving, write_serving

    found = asyncio.run(measure_serving(tables, watchers, seconds, pause, _tell))
    click.echo(json.dumps(asdict(found), indent=2) if as_json else write_serving(found, tables, watchers, pause))


@main.command("device")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@of_games
def device_command(folder: Path, games: tuple[str, ...]) -> None:
    """Write what a machine with a GPU is given: there, `sh FOLDER/run.sh` builds, compares and measures."""
    click.echo("\n".join(prepare_device(games or hoyle.games(), folder)))


if __name__ == "__main__":
    main()

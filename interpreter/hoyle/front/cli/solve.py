"""`hoyle solve`: solves a small game exactly.

In: a game. Out: what it is worth to each seat, and how much a best response could win of the strategy found; for a game
for one, its best line of play from a deal.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

import hoyle
from hoyle.front.cli.common import find_game_file, game_argument, json_option, players_option, settings_option
from hoyle.front.cli.failures import Problem
from hoyle.lab.learning.patience import MOST_OPENED, Line, solve_alone
from hoyle.lab.learning.solving import MOST_NODES, SolveError, solve
from hoyle.lab.learning.strategies import write_strategy
from hoyle.play.engine.game import Game

MOST_ALONE = 20_000


@click.command("solve", epilog="Example: hoyle solve kuhn-poker --iterations 1000")
@game_argument
@players_option
@settings_option
@click.option("--iterations", type=click.IntRange(min=1), default=400, show_default=True, metavar="N",
              help="How often every regret is improved.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The deal of a game for one.")
@click.option("--deals", type=click.IntRange(min=1, max=1000), metavar="N",
              help="Grade N deals of a game for one, from that seed on.")  # fmt: skip
@click.option("--most", type=click.IntRange(min=1), metavar="N",
              help=f"The most positions to visit; by default {MOST_NODES:,}, and {MOST_ALONE:,} of a game for "
                   "one.")  # fmt: skip
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the strategy to a file, too; bots play by GAME-PLAYERS.strategy.json.")  # fmt: skip
@json_option
def command(
    game: str, players: int | None, settings: dict[str, str], iterations: int, seed: int, deals: int | None,
    most: int | None, out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Solve GAME, if it is small: the equilibrium of a game of two sides, and how exploitable the solution still is.

    Of a game for one the best line of play from one deal is looked for, all cards of which are known: it tells
    whether the deal can be won. With --deals it grades deals by how much had to be looked at."""
    if out is not None and not out.parent.is_dir():
        raise Problem(f"{out}: there is no folder {out.parent}")
    loaded = hoyle.load(find_game_file(game), players=players, options=settings)
    try:
        if loaded.players == 1:
            if out is not None:
                raise Problem("--out keeps strategies, and a game for one has a line of play: leave it out")
            if deals is None:
                lines = _solve_alone(loaded, seed, most or MOST_ALONE, as_json=as_json)
            else:
                lines = _grade(loaded, range(seed, seed + deals), most or MOST_OPENED, as_json=as_json)
        elif deals is not None:
            raise Problem("--deals grades deals of a game for one: leave it out")
        else:
            lines = _solve_tree(loaded, iterations, most or MOST_NODES, out, as_json=as_json)
    except SolveError as error:
        raise Problem(str(error)) from None
    click.echo("\n".join(lines))


def _solve_tree(loaded: Game, iterations: int, most: int, out: Path | None, *, as_json: bool) -> list[str]:
    found = solve(loaded, iterations, most=most)
    if out is not None:
        write_strategy(out, loaded.program, found)
    if as_json:
        data = {"game": loaded.name, "players": loaded.players, "options": dict(loaded.options)}
        data |= {"iterations": found.iterations, "positions": found.nodes, "information_sets": len(found.strategy)}
        return [json.dumps({**data, "values": found.values, "exploitability": found.exploitability}, indent=2)]
    worth = ", ".join(f"{value:+.4f}" for value in found.values)
    size = f"{found.nodes:,} positions, {len(found.strategy):,} information sets"
    return [
        f"{loaded.title}, {loaded.players} players: {size}",
        f"worth to each seat  {worth}",
        f"exploitability      {found.exploitability:.6f} after {found.iterations} iterations",
    ]


def _solve_alone(loaded: Game, seed: int, most: int, *, as_json: bool) -> list[str]:
    found = solve_alone(loaded, seed, most)
    if as_json:
        return [json.dumps({"game": loaded.name, **_to_json(seed, found), "moves": list(found.moves)}, indent=2)]
    return [f"{loaded.title}, seed {seed}: {_judge(found)}, {found.positions:,} positions opened", *found.moves]


def _grade(loaded: Game, seeds: range, most: int, *, as_json: bool) -> list[str]:
    """Each deal, and how hard those are that can be won: by thirds of them."""
    found = {seed: solve_alone(loaded, seed, most) for seed in seeds}
    efforts = sorted(line.effort for line in found.values() if line.is_won)
    if as_json:
        return [json.dumps({"game": loaded.name, "deals": [_to_json(*each) for each in found.items()]}, indent=2)]
    rows = [f"seed {seed:<6} {_judge(line):<24} {_say_grade(line, efforts)}".rstrip() for seed, line in found.items()]
    return [f"{loaded.title}: a win was found for {len(efforts)} of {len(found)} deals", *rows]


def _to_json(seed: int, found: Line) -> dict[str, object]:
    """What a deal comes to; `effort` is the number of positions opened for each choice of its line."""
    data = {"seed": seed, "value": found.value, "won": found.is_won, "proven": found.is_proven}
    return {**data, "positions": found.positions, "effort": round(found.effort, 2) if found.is_won else None}


def _judge(found: Line) -> str:
    if found.is_won:
        return f"can be won in {len(found.moves)} moves"
    return "cannot be won" if found.is_proven else f"no win found, worth {found.value:g}"


def _say_grade(line: Line, efforts: list[float]) -> str:
    if not line.is_won:
        return ""
    grade = ("easy", "middling", "hard")[3 * efforts.index(line.effort) // len(efforts)]
    return f"{grade} ({line.effort:.1f} positions a move)"

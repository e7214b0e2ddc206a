"""`hoyle list`: the games there are.

In: nothing, folders, or a game. Out: games and variants with their players and options; or the options of one game in
sentences.
"""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

import click

import hoyle
from hoyle import shipped
from hoyle.cli.common import find_game_file, find_game_files, in_columns, language_option, names_shipped
from hoyle.cli.completing import complete_game
from hoyle.info import GameInfo, OptionInfo
from hoyle.programs import describe
from hoyle.view.locale import say_in


@click.command("list", epilog="Example: hoyle list my-game.game.yaml")
@click.argument("game", required=False, shell_complete=complete_game)
@language_option
def command(game: str | None, language: str | None) -> None:
    """Show the shipped games, those in a folder, or the options of one game.

    GAME is a rule file, a folder of them, or the name of a shipped game.
    """
    if game is None:
        click.echo(list_games(shipped.all_games(), language))
    elif Path(game).is_dir() and not names_shipped(game):
        click.echo(list_games(find_game_files((game,)), language))
    else:
        info, report = describe(find_game_file(game), language)
        if info is None:
            raise hoyle.RuleFileError(report)
        width = min(100, shutil.get_terminal_size((80, 24)).columns)
        click.echo(describe_options(info, width, language))


def list_games(paths: list[Path], language: str | None = None) -> str:
    """A line for each game, variants indented below the game whose folder they share."""
    rows = []
    # The game a folder is named after goes before its variants.
    for path in sorted(paths, key=lambda path: (path.parent, shipped.game_name(path) != path.parent.name, path)):
        name = shipped.game_name(path)
        info, _ = describe(path, language)
        has_parent = name != path.parent.name and path.with_name(path.parent.name + shipped.GAME_SUFFIX) in paths
        shown = f"  {name}" if has_parent else name
        if info is None:
            rows.append((shown, "has errors; hoyle check tells which", "", ""))
        else:
            number = len(info.options)
            options = say_in(language, "option" if number == 1 else "options", number=number)
            rows.append((shown, info.title, _players(info.usual, language), options))
    return "\n".join(in_columns(rows))


def _players(bounds: tuple[int, int], language: str | None) -> str:
    low, high = bounds
    phrase = "players" if low != high else "player_of" if low == 1 else "players_of"
    return say_in(language, phrase, low=low, high=high)


def describe_options(info: GameInfo, width: int, language: str | None = None) -> str:
    """The game's players and every option with its sentence, its values and its default."""
    players = _players(info.usual, language)
    if info.allowed != info.usual:
        players += say_in(language, "allowed", low=info.allowed[0], high=info.allowed[1])
    lines = [f"{info.title}, {players}"]
    for option in info.options:
        lines += ["", f"{option.name} = {option.default}{_bounds(option, language)}"]
        lines += textwrap.wrap(option.text, width, initial_indent="  ", subsequent_indent="  ")
        indent = " " * (4 + max((len(value) for value, _ in option.values), default=0) + 2)
        for value, sentence in option.values:
            lead = f"    {value}".ljust(len(indent))
            lines += textwrap.wrap(sentence, width, initial_indent=lead, subsequent_indent=indent) or [lead.rstrip()]
    return "\n".join(lines)


def _bounds(option: OptionInfo, language: str | None) -> str:
    if option.kind == "truth":
        return say_in(language, "yes_or_no")
    if option.kind == "number":
        phrase = "bounds_or_none" if option.or_none else "bounds"
        return say_in(language, phrase, low=option.low, high=option.high)
    return ""

"""`hoyle list`: the games there are.

In: nothing, folders, or a game. Out: games and variants in groups, with their players and options; or the options of
one game in sentences.
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


@click.command("list", epilog="Example: hoyle list --players 3")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--by", type=click.Choice(("family", "players", "kind")), default="family", show_default=True,
              help="How the games are grouped.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="Only games that so many can play.")
@language_option
def command(game: str | None, by: str, players: int | None, language: str | None) -> None:
    """Show the shipped games, those in a folder, or the options of one game.

    GAME is a rule file, a folder of them, or the name of a shipped game. Other names of a game will do as well.
    """
    if game is None:
        click.echo(list_games(shipped.all_games(), language, by, players))
    elif Path(game).is_dir() and not names_shipped(game):
        click.echo(list_games(find_game_files((game,)), language, by, players))
    else:
        info, report = describe(find_game_file(game), language)
        if info is None:
            raise hoyle.RuleFileError(report)
        width = min(100, shutil.get_terminal_size((80, 24)).columns)
        click.echo(describe_options(info, width, language))


def list_games(paths: list[Path], language: str | None = None, by: str = "family", players: int | None = None) -> str:
    """A line for each game, below a heading for each group; variants indented below their parent."""
    groups: dict[tuple[int, ...] | str, list[tuple[Path, GameInfo | None]]] = {}
    # The game a folder is named after goes before its variants.
    for path in sorted(paths, key=lambda path: (path.parent, shipped.game_name(path) != path.parent.name, path)):
        info, _ = describe(path, language)
        if players is None or (info is not None and info.allowed[0] <= players <= info.allowed[1]):
            groups.setdefault(_find_group(info, by), []).append((path, info))
    sections = []
    rows = [_describe_row(path, info, group, language) for group in groups.values() for path, info in group]
    lines = iter(in_columns(rows))
    found = {key: [next(lines) for _ in group] for key, group in groups.items()}
    for key in sorted(groups, key=lambda key: (key == "", key)):
        heading = _name_group(key, by, language)
        sections.append("\n".join([heading, *(f"  {line}" for line in found[key])] if len(groups) > 1 else found[key]))
    return "\n\n".join(sections)


def _find_group(info: GameInfo | None, by: str) -> tuple[int, ...] | str:
    """What the games of a group have in common; groups are ordered by it."""
    if info is None:
        return () if by == "players" else ""
    if by == "players":
        return info.usual
    return info.family if by == "family" else info.kinds[0] if info.kinds else "points"


def _name_group(key: tuple[int, ...] | str, by: str, language: str | None) -> str:
    if isinstance(key, tuple) and key:
        return _players((key[0], key[1]), language)
    if not key:
        return say_in(language, "other_games")
    return say_in(language, f"kind_{key}") if by == "kind" else str(key)


def _describe_row(
    path: Path, info: GameInfo | None, group: list[tuple[Path, GameInfo | None]], language: str | None
) -> tuple[str, ...]:
    name = shipped.game_name(path)
    parent = path.with_name(path.parent.name + shipped.GAME_SUFFIX)
    has_parent = name != path.parent.name and any(other == parent for other, _ in group)
    shown = f"  {name}" if has_parent else name
    if info is None:
        return shown, "has errors; hoyle check tells which", "", ""
    number = len(info.options)
    options = say_in(language, "option" if number == 1 else "options", number=number)
    return shown, info.title, _players(info.usual, language), options


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
    if info.also:
        lines.append(say_in(language, "also_called", names=", ".join(info.also)))
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

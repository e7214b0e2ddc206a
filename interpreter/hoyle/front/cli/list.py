"""`hoyle list`: lists games.

In: nothing, folders, or a game. Out: games and variants in groups, with their players and options; or the described
options of one game.
"""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import asdict
from pathlib import Path

import click

import hoyle
from hoyle.base import shipped
from hoyle.base.columns import each_in_columns, in_columns
from hoyle.base.diagnostics.signs import spell_out
from hoyle.front.cli.common import (
    find_game_file,
    find_game_files,
    json_option,
    language_option,
    means_folder,
    screen_width,
)
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem
from hoyle.language.family import find_parents
from hoyle.language.library import describe
from hoyle.play.view.locale import say_in
from hoyle.program.info import GameInfo, OptionInfo

_MARGIN = "  "  # indentation of the games of a group


@click.command("list", epilog="Example: hoyle list --players 3")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--by", type=click.Choice(("family", "players", "kind")), help="How the games are grouped.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="Only games that so many can play.")
@click.option("--tree", "as_tree", is_flag=True,
              help="Show which game is a variant of which; of a GAME, the family it belongs to.")  # fmt: skip
@language_option
@json_option
def command(
    game: str | None, by: str | None, players: int | None, as_tree: bool, language: str | None, as_json: bool
) -> None:  # fmt: skip
    """Show the shipped games by family, those in a folder as a tree, or the options of one game.

    GAME is a rule file, a folder of them, or the name of a shipped game. Other names of a game will do as well.
    """
    in_folder = game is not None and means_folder(game)
    grouped = by is not None or players is not None
    if as_tree and grouped:
        raise Problem("a tree is not grouped: leave out --tree, or --by and --players")
    if grouped and game is not None and not in_folder:
        raise Problem("--by and --players are for a list of games: leave them out, or GAME")
    if as_json:
        click.echo(_write_json(game, in_folder, players, language))
    elif game is None or in_folder:
        paths = find_game_files((game,)) if game is not None else shipped.all_games()
        plain = grouped or not (as_tree or in_folder)
        click.echo(list_games(paths, language, by or "family", players) if plain else list_tree(paths, language))
    elif as_tree:
        file = find_game_file(game)
        beside = [*shipped.all_games(), *sorted(file.parent.glob("*" + shipped.GAME_SUFFIX))]
        click.echo(list_tree(find_family(file, beside), language))
    else:
        info, report = describe(find_game_file(game), language)
        if info is None:
            raise hoyle.RuleFileError(report)
        width = min(100, shutil.get_terminal_size((80, 24)).columns)
        click.echo(describe_options(info, width, language))


def _write_json(game: str | None, in_folder: bool, players: int | None, language: str | None) -> str:
    """One game as an object; else a list of all that so many can play."""
    if game is not None and not in_folder:
        info, report = describe(find_game_file(game), language)
        if info is None:
            raise hoyle.RuleFileError(report)
        return json.dumps(asdict(info), default=str, ensure_ascii=False, indent=2)
    paths = find_game_files((game,)) if game is not None else shipped.all_games()
    infos = [info for path in paths if (info := describe(path, language)[0]) is not None]
    fitting = [info for info in infos if players is None or info.allowed[0] <= players <= info.allowed[1]]
    return json.dumps([asdict(info) for info in fitting], default=str, ensure_ascii=False, indent=2)


def list_games(paths: list[Path], language: str | None = None, by: str = "family", players: int | None = None) -> str:
    """Format a line for each game, with a heading for each group; variants are indented below their parent."""
    groups: dict[tuple[int, ...] | str, list[tuple[Path, GameInfo | None]]] = {}
    # The game named like its folder precedes its variants.
    for path in sorted(paths, key=lambda path: (path.parent, shipped.game_name(path) != path.parent.name, path)):
        info, _ = describe(path, language)
        if players is None or (info is not None and info.allowed[0] <= players <= info.allowed[1]):
            groups.setdefault(_find_group(info, by), []).append((path, info))
    if players is not None and not groups:
        raise Problem(f"no game here is for {players} player{'' if players == 1 else 's'}")
    sections = []
    rows = [_list_row(path, info, group, language) for group in groups.values() for path, info in group]
    width = screen_width()
    lines = iter(each_in_columns(rows, None if width is None else width - len(_MARGIN)))
    found = {key: [line for _ in group for line in next(lines)] for key, group in groups.items()}
    for key in sorted(groups, key=lambda key: (key == "", key)):
        below = [_name_group(key, by, language), *(_MARGIN + line for line in found[key])]
        sections.append("\n".join(below if len(groups) > 1 else found[key]))
    return "\n\n".join(sections)


def _find_group(info: GameInfo | None, by: str) -> tuple[int, ...] | str:
    """Return the key by which a game is grouped, and groups are sorted."""
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


def _list_row(
    path: Path, info: GameInfo | None, group: list[tuple[Path, GameInfo | None]], language: str | None
) -> tuple[str, ...]:
    name = shipped.game_name(path)
    parent = path.with_name(path.parent.name + shipped.GAME_SUFFIX)
    has_parent = name != path.parent.name and any(other == parent for other, _ in group)
    shown = f"  {spell_out(name)}" if has_parent else spell_out(name)
    return shown, *_describe_info(info, language)


def list_tree(paths: list[Path], language: str | None = None) -> str:
    """Format a tree of games: variants below their parent, or below the first of several."""
    places = {path.resolve(): path for path in paths}
    below: dict[Path | None, list[Path]] = {}
    for path in places.values():
        parents = [parent.resolve() for parent in find_parents(path)]
        first = next((parent for parent in parents if parent in places), None)
        below.setdefault(first, []).append(path)
    rows: list[tuple[str, ...]] = []

    def add(path: Path, lead: str, branch: str, above: tuple[Path, ...]) -> None:
        children = [] if path in above else below.get(path.resolve(), [])
        name = spell_out(shipped.game_name(path))
        rows.append((f"{lead}{branch}{name}", *_describe_row(path, language), _also(path, places)))
        inner = lead + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for number, child in enumerate(children):
            add(child, inner, "└─ " if number == len(children) - 1 else "├─ ", (*above, path))

    for path in below.get(None, []):
        add(path, "", "", ())
    seen = len(rows)
    if seen < len(places):  # files in a cycle of `extends` are reachable from no root
        shown = {row[0].lstrip("│├└─ ") for row in rows}
        rows += [
            (spell_out(shipped.game_name(path)), *_describe_row(path, language), "")
            for path in places.values()
            if spell_out(shipped.game_name(path)) not in shown
        ]
    return "\n".join(in_columns(rows, screen_width()))


def _also(path: Path, places: dict[Path, Path]) -> str:
    """Describe further parents of a game: those after the first, or one that is not listed."""
    parents = find_parents(path)
    listed = [parent for parent in parents if parent.resolve() in places]
    others = [spell_out(shipped.game_name(parent)) for parent in parents if parent not in listed[:1]]
    return f"extends {', '.join(others)}" if others and not listed else f"and {', '.join(others)}" if others else ""


def find_family(path: Path, among: list[Path]) -> list[Path]:
    """Return a game with all its ancestors and descendants, ancestors first."""
    up: dict[Path, Path] = {}
    waiting = [path]
    while waiting:
        one = waiting.pop()
        if one.resolve() not in up:
            up[one.resolve()] = one
            waiting += find_parents(one)
    found = dict(up)
    grown = True
    while grown:
        grown = False
        for one in among:
            if one.resolve() not in found and any(parent.resolve() in found for parent in find_parents(one)):
                found[one.resolve()] = one
                grown = True
    return list(found.values())


def _describe_row(path: Path, language: str | None) -> tuple[str, str, str]:
    return _describe_info(describe(path, language)[0], language)


def _describe_info(info: GameInfo | None, language: str | None) -> tuple[str, str, str]:
    if info is None:
        return "has errors; hoyle check tells which", "", ""
    number = len(info.options)
    options = say_in(language, "option" if number == 1 else "options", number=number)
    return info.title, _players(info.usual, language), options


def _players(bounds: tuple[int, int], language: str | None) -> str:
    low, high = bounds
    phrase = "players" if low != high else "player_of" if low == 1 else "players_of"
    return say_in(language, phrase, low=low, high=high)


def describe_options(info: GameInfo, width: int, language: str | None = None) -> str:
    """Format the game's players and all options with descriptions, values and defaults."""
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

"""Shell completion of games, options of a game and their values.

In: the incomplete word and the arguments before it. Out: items for the shell. Completion must never fail: a file that
cannot be read yields no items.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from hoyle.base import shipped
from hoyle.language.library import describe
from hoyle.program.info import OptionInfo


def complete_game(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of shipped games, rule files and game folders of the working directory, and any path."""
    if "/" in incomplete or incomplete.startswith((".", "~")):
        return [CompletionItem(incomplete, type="file")]
    names = [shipped.game_name(path) for path in shipped.all_games()]
    here = sorted(path.name for path in Path().glob("*" + shipped.GAME_SUFFIX))
    folders = sorted(f"{path.parent.name}/" for path in Path().glob("*/*" + shipped.GAME_SUFFIX))
    found = dict.fromkeys(name for name in (*here, *folders, *names) if name.startswith(incomplete))
    return [CompletionItem(name) for name in found]


def complete_bot(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of bots, with descriptions."""
    from hoyle.lab.bots import BOTS

    return [CompletionItem(kind.name, help=kind.text) for kind in BOTS.values() if kind.name.startswith(incomplete)]


def complete_setting(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the options of the game named before, and after an equals sign their values."""
    game = find_typed_game(ctx)
    info = describe(game)[0] if game is not None else None
    if info is None:
        return []
    name, sign, begun = incomplete.partition("=")
    if not sign:
        return [CompletionItem(f"{each.name}=", help=each.text) for each in info.options if each.name.startswith(name)]
    option = next((each for each in info.options if each.name == name), None)
    if option is None:
        return []
    return [
        CompletionItem(f"{name}={value}", help=text)
        for value, text in list_values(option)
        if value.startswith(begun)
    ]


def find_typed_game(ctx: click.Context) -> Path | None:
    """Find the game on the command line. While completing the value of an option, click has not parsed it, so read the
    words themselves."""
    named = ctx.params.get("game")
    try:
        words = [str(named)] if named else shlex.split(os.environ.get("COMP_WORDS", ""))[2:]
    except ValueError:  # unclosed quote
        return None
    found = (shipped.find_game(word) for word in words if not word.startswith("-"))
    return next((game for game in found if game is not None), None)


def list_values(option: OptionInfo) -> list[tuple[str, str]]:
    """List values of an option with descriptions; of a number, its default and bounds."""
    if option.kind == "truth":
        return [("true", ""), ("false", "")]
    if option.kind == "number":
        bounds = [(str(option.low), "the least"), (str(option.high), "the most")]
        return [(option.default, "when not set"), *bounds, *([("none", "")] if option.or_none else [])]
    return list(option.values)

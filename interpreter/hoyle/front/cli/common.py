"""Code shared by several commands: arguments that name games, and options of a table.

In: arguments of the user. Out: paths, settings and loaded games, or a `Problem`.

The bots are imported lazily: they import the code generators, which most commands do not need.
"""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

from hoyle.base import shipped
from hoyle.front.cli.completing import complete_bot, complete_game, complete_setting
from hoyle.front.cli.failures import Problem
from hoyle.play.view.locale import LANGUAGES

Function = TypeVar("Function", bound=Callable[..., object])
_MOST_NEAR = 3  # suggestions for an unknown name
_VERY_NEAR = 0.8  # required similarity of short names, which resemble unrelated ones by chance
_SHORTEST_LIKE = 4  # length from which names rarely resemble others by chance
_HARDLY_NEAR = 0.45  # similarity of names worth suggesting even if none can be a typo


class RealRange(click.FloatRange):
    """A float range that rejects NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


def _read_settings(_ctx: click.Context, _parameter: click.Parameter, written: tuple[str, ...]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for setting in written:
        name, sign, value = setting.partition("=")
        if not sign or not name.strip():
            raise click.BadParameter(f"`{setting}` is not of the form option=value, as in --set players_cut=yes")
        if name.strip() in settings:
            raise click.BadParameter(f"`{name.strip()}` is set twice")
        settings[name.strip()] = value.strip()
    return settings


class ExistingFile(click.Path):
    """The path of a file; that there is none is a problem of the input, not a call that is not understood."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        if path.is_dir():
            raise Problem(f"{path} is a folder, not a file")
        if not path.exists():
            raise Problem(f"no file {path}")
        return path


game_argument = click.argument("game", shell_complete=complete_game)
paths_argument = click.argument("paths", nargs=-1, required=True, metavar="PATH…", shell_complete=complete_game)

json_option = click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
players_option = click.option(
    "-p", "--players", type=click.IntRange(min=1), metavar="N",
    help="Number of players; when not given, the fewest the game is usual for.",
)  # fmt: skip
settings_option = click.option(
    "-s", "--set", "settings", multiple=True, callback=_read_settings, metavar="OPTION=VALUE",
    shell_complete=complete_setting,
    help="Set an option of the game; may be repeated. `hoyle list GAME` shows them.",
)  # fmt: skip


def make_language_option(otherwise: str) -> Callable[[Function], Function]:
    """Make the option `--lang`; `otherwise` describes the default."""
    return click.option(
        "--lang", "language", type=click.Choice(sorted(LANGUAGES)), metavar="LANGUAGE",
        help=f"The language to show the game in ({', '.join(sorted(LANGUAGES))}); {otherwise} when not given.",
    )  # fmt: skip


language_option = make_language_option("that of its rule file")


def read_bots(_ctx: click.Context, _parameter: click.Parameter, written: tuple[str, ...]) -> str:
    """Join the names of bots, from repeated options or separated by commas, to one text; each bot must exist."""
    from hoyle.lab.bots import find_bot

    names = [name.strip() for each in written for name in each.split(",")]
    for name in names:
        find_bot(name)
    return ",".join(names)


def bots_option(text: str = "Who plays", otherwise: str = "") -> Callable[[Function], Function]:
    """Make the option `--bot`: one for all seats, or one for each. The default is `random`, or empty if the command
    decides, as `otherwise` describes."""
    from hoyle.lab.bots import BOTS

    return click.option(
        "--bot", "bot", multiple=True, default=() if otherwise else ("random",), show_default=otherwise or "random",
        metavar="NAME", callback=read_bots, shell_complete=complete_bot,
        help=f"{text}: {', '.join(BOTS)}, search:500 (iterations), hard:2s (seconds), or module:Class; for different "
        "ones repeat it, once for each seat.",
    )  # fmt: skip


think_option = click.option(
    "--think", type=float, metavar="SECONDS", help="How long bots that think may do so at each move.",
)  # fmt: skip


def settle_bots(names: str, think: float | None, players: int) -> str:
    """Add the thinking time to the names of bots; `BotError` if their number does not fit the seats."""
    from hoyle.lab.bots import list_kinds, tell_think

    told = names if think is None else ",".join(tell_think(names.split(","), think))
    list_kinds(told, players)
    return told


def errors_option(otherwise: str = "") -> Callable[[Function], Function]:
    """Make the option `--errors`. The default is 0, or None if the command decides, as `otherwise` describes."""
    return click.option(
        "--errors", type=RealRange(min=0, max=1), default=None if otherwise else 0.0, show_default=otherwise or "0",
        metavar="RATE", help="How often bots do what is not allowed, in games that let errors be made and called.",
    )  # fmt: skip


def names_option(text: str) -> Callable[[Function], Function]:
    """Make the option `--name`, one for each user."""
    return click.option("--name", "names", multiple=True, metavar="NAME", help=f"{text}; one for each of you.")


def check_names(names: tuple[str, ...], people: tuple[int, ...], remedy: str) -> None:
    """Raise a `Problem` if there are more names than users."""
    if len(names) > len(people):
        raise Problem(f"{len(names)} names for {len(people)} of you: {remedy}")


def find_game_file(name: str) -> Path:
    """Find the rule file of a shipped game or at a path; a `Problem` with suggestions if there is none."""
    found = shipped.find_game(name)
    if found is None:
        raise Problem(_say_unknown(name))
    if means_folder(name) and names_shipped(name) and not shipped.stays_inside(found, Path(name)):
        raise Problem(f"`{name}` is a folder here, with no game of its name: name one of its files")
    return found


def find_game_files(names: tuple[str, ...]) -> list[Path]:
    """Resolve files, folders and names of shipped games to rule files, without duplicates and in order."""
    found: dict[Path, None] = {}
    for name in names:
        if means_folder(name):
            under = list(shipped.games_under(Path(name)))
            if not under:
                raise Problem(f"no rule files (*.game.yaml) under {name}")
            found.update(dict.fromkeys(under))
        else:
            found[find_game_file(name)] = None
    return list(found)


def means_folder(name: str) -> bool:
    """Whether a word means a folder: no shipped game hides one that holds rule files."""
    path = Path(name)
    if not name or not path.is_dir():
        return False
    ends = (shipped.GAME_SUFFIX, ".test.yaml")
    return not names_shipped(name) or any(shipped.list_files(path, suffix) for suffix in ends)


def names_shipped(name: str) -> bool:
    """Whether a word is the name of a shipped game."""
    return name in map(shipped.game_name, shipped.all_games())


def _say_unknown(name: str) -> str:
    if name and Path(name).is_dir():
        several = any(shipped.games_under(Path(name)))
        holds = "several games: name one of its files" if several else "no rule file (*.game.yaml)"
        return f"{name} is a folder with {holds}"
    if "/" in name or name.endswith((".yaml", ".yml")):
        return f"no file {name}"
    plain, known = shipped.spell_plainly(name), _list_names()
    like = [each for each in known if plain in each.split("-")] or get_close_matches(plain, known, 1, _VERY_NEAR)
    if like:
        return f"no game named `{name}`; did you mean {' or '.join(_tell_games(like, known))}?"
    near = get_close_matches(plain, known, _MOST_NEAR, _HARDLY_NEAR) if len(plain) >= _SHORTEST_LIKE else []
    nearest = _tell_games(near, known)
    some = f"the nearest are {', '.join(nearest)}; " if len(nearest) > 1 else ""
    return f"no game named `{name}`; {some}`hoyle list` shows those there are"


def _list_names() -> dict[str, tuple[str, str]]:
    """Map every normalized name of a shipped game to the game and, for alternative names, the name's spelling."""
    paths = shipped.all_games()
    known = {shipped.game_name(path): (shipped.game_name(path), "") for path in paths}
    for path in paths:
        for other in shipped.other_names(path):
            known.setdefault(shipped.spell_plainly(other), (shipped.game_name(path), other))
    return known


def _tell_games(names: Sequence[str], known: dict[str, tuple[str, str]]) -> list[str]:
    """Format suggestions: each game once, with the alternative name that matched, if any."""
    found: dict[str, str] = {}
    for name in names:
        game, other = known[name]
        found.setdefault(game, f"`{game}` ({other})" if other else f"`{game}`")
    return list(found.values())[:_MOST_NEAR]


def count(number: int, noun: str) -> str:
    """Format a number with its noun.

    >>> count(1, "file"), count(3, "error")
    ('1 file', '3 errors')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def screen_width() -> int | None:
    """Return the width of the terminal; None if the output goes to a file or a pipe."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size((80, 24)).columns

"""`hoyle site`: builds a static site.

In: a folder, games. Out: the site.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from hoyle.base.shipped import find_game, game_name
from hoyle.front.cli.common import json_option
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem


@click.command("site", epilog="Example: hoyle site public")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=complete_game)
@json_option
def command(folder: Path, games: tuple[str, ...], as_json: bool) -> None:
    """Build a site in FOLDER that any host serves: every game against bots, and the playground, without a server.

    It holds the shipped games, or only each GAME. Python for the browser comes from npm, once; those who visit the site
    need no other host. """
    from hoyle.front.site.build import build_site, list_main_games, measure
    from hoyle.front.site.pyodide import NotBuilt

    names = []
    for name in games:
        path = find_game(name)
        if path is None:
            raise Problem(f"there is no shipped game `{name}`; `hoyle list` shows all")
        names.append(game_name(path))
    try:
        build_site(folder, names or list_main_games(), lambda said: click.echo(f"… {said}", err=True))
    except NotBuilt as failure:
        raise Problem(str(failure)) from None
    first, drawn = measure(folder)
    if as_json:
        click.echo(json.dumps({"folder": str(folder), "bytes_for_a_game": first, "bytes_before_drawn": drawn}))
        return
    click.echo(f"The site is in {folder}. Compressed, {first / 1e6:.1f} MB come before the first game, "
               f"{drawn / 1e3:.0f} kB before the page is drawn.")  # fmt: skip
    click.echo(f"To look at it: python -m http.server --directory {folder} --bind 127.0.0.1")

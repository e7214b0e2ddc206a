"""`hoyle serve`: runs the web server.

In: optionally a game to open a table for, and the address. Out: a server, until it is stopped.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import sqlite3
import sys
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hoyle
from hoyle.base.errors import NotStored
from hoyle.base.shipped import find_game, game_name
from hoyle.front.cli.common import Function, RealRange, find_game_file, players_option, settings_option
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem
from hoyle.lab.bots import choose_level

if TYPE_CHECKING:
    from hoyle.front.web.lobby import Lobby
    from hoyle.front.web.playground import Playground

PORT = 8750
WAITING = 2048  # backlog of connections not accepted yet
LOCAL = ("127.0.0.1", "::1", "localhost")


def server_options(command: Function) -> Function:
    """Add the options of a server: where it is reached, where it keeps its tables, how fast its bots play."""
    for option in (
        click.option("--open/--no-open", "opens", default=True, help="Open the table in a browser."),
        click.option("--pace", type=RealRange(min=0, max=5), default=0.7, show_default=True, metavar="SECONDS",
                     help="How long a bot waits before it plays."),
        click.option("--data", type=click.Path(dir_okay=False), metavar="FILE",
                     help="Where matches are kept; `:memory:` keeps none.  [default: in the user's data folder]"),
        click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, metavar="N",
                     help="The port; 0 takes any that is free."),
        click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
                     help="The address to be reached at; 0.0.0.0 lets everybody on the network in."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command("serve", epilog="Example: hoyle serve my-game.game.yaml --players 4")
@click.argument("game", required=False, shell_complete=complete_game)
@players_option
@settings_option
@click.option("--bot", metavar="NAME", help="Who plays the other seats of GAME.")
@click.option("--seed", type=int, metavar="S", help="What all chance of GAME comes from; a new one when not given.")
@server_options
@click.option("--tidy", type=click.IntRange(min=0), metavar="DAYS",
              help="First delete the tables whose match ended and that nobody has used for DAYS days.")
@click.option("--per-address", type=click.IntRange(min=8), metavar="N",
              help="How many connections one address may hold; behind a proxy all come from one.  [default: 256]")
@click.option("--upload", is_flag=True, help="Let everybody who can reach the server play their own rule files.")
@click.option("--edit", is_flag=True, help="Write GAME, a rule file of your own, beside its table: it is checked and "
              "dealt anew after every change, and written only when you save. Only from this machine.")  # fmt: skip
def command(
    game: str | None,
    players: int | None,
    settings: dict[str, str],
    bot: str | None,
    seed: int | None,
    host: str,
    port: int,
    data: str | None,
    tidy: int | None,
    pace: float,
    per_address: int | None,
    upload: bool,
    edit: bool,
    opens: bool,
) -> None:
    """Play in the browser: set tables, with bots or people in the other seats, until you press Ctrl-C.

    With GAME, a shipped game or a rule file of your own, a table of it is set at once. """
    path = find_game_file(game) if game is not None else None
    if edit:
        check_editing(path, host)
    where = data or (":memory:" if edit else find_data_file())
    lobby = open_lobby(where, path, pace=pace, upload=upload, tidy=tidy)
    playground = None
    if edit and path is not None:
        from hoyle.front.web.playground import Deal, Playground

        deal = Deal(players, settings, find_bot(bot), seed if seed is not None else secrets.randbelow(1_000_000))
        playground = Playground(lobby, path, deal)
    key = set_table(lobby, path, players, settings, bot, seed) if path is not None and not edit else None
    page = f"t/{key}" if key is not None else "edit" if playground is not None else ""
    run_server(lobby, host, port, page, playground=playground, per_address=per_address, opens=opens,
               keeps=where != ":memory:")  # fmt: skip


def open_lobby(
    where: str, path: Path | None, *, pace: float = 0.7, upload: bool = False, tidy: int | None = None
) -> Lobby:
    """The tables kept in a file, and the game that is offered besides the shipped ones."""
    try:
        from hoyle.front.web.crew import Crew
        from hoyle.front.web.lobby import Lobby, Rules
        from hoyle.front.web.store import Store
    except ModuleNotFoundError as missing:
        raise Problem(f"{missing.name} is missing, which the server needs: pip install 'hoyle[web]'") from None
    try:
        store = Store(where)
        if tidy is not None:
            gone = store.tidy(tidy)
            click.echo(f"{gone} table{'s' * (gone != 1)} whose match ended more than {tidy} days ago deleted")
    except (sqlite3.Error, OSError, NotStored) as failure:
        raise Problem(f"{where}: {failure}") from None
    own = [path] if path is not None and find_game(game_name(path)) != path else []
    files = Path(where).parent / "sent" if where != ":memory:" else None
    return Lobby(store, Rules(pace=pace, upload=upload), own, files, thinking=Crew())


def run_server(
    lobby: Lobby,
    host: str,
    port: int,
    page: str,
    *,
    playground: Playground | None = None,
    per_address: int | None = None,
    opens: bool = True,
    keeps: bool = True,
) -> None:
    """Serve the tables of a lobby until it is stopped; tell and open the address of a page."""
    try:
        from hoyle.front.web.app import make_app
        from hoyle.front.web.door import MOST_OF_ADDRESS, Door, make_server
    except ModuleNotFoundError as missing:
        raise Problem(f"{missing.name} is missing, which the server needs: pip install 'hoyle[web]'") from None
    listening = listen(host, port)
    port = listening.getsockname()[1]
    shown = "localhost" if host in LOCAL else find_own_address() if host in ("0.0.0.0", "::") else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    click.echo(f"Hoyle is at {address}{page}")
    if host not in LOCAL:
        click.echo("Everybody on the network can set tables here; seats are open only to those who have their links.")
    click.echo("Ctrl-C stops it; matches are kept." if keeps else "Ctrl-C stops it; nothing is kept.")
    if opens and not os.environ.get("HOYLE_NO_BROWSER"):
        webbrowser.open(address + page)
    sys.setswitchinterval(0.001)  # limits how long a bot's thread holds up the event loop
    names = {"localhost", shown, host, socket.gethostname().lower()}
    server = make_server(make_app(lobby, names, playground), Door(of_address=per_address or MOST_OF_ADDRESS))
    server.handle_exit = partial(_leave_quietly, server.handle_exit)  # type: ignore[method-assign]  # there is no hook
    server.run(sockets=[listening])


def _leave_quietly(leave: Callable[[int, Any], None], sign: int, frame: Any) -> None:
    """Shut down, without logging errors of connections cut off by it."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    leave(sign, frame)


def set_table(
    lobby: Lobby,
    path: Path,
    players: int | None,
    settings: dict[str, str],
    bot: str | None,
    seed: int | None,
) -> str:
    """Create the table to open at startup; return its key."""
    import asyncio

    from hoyle.front.web.lobby import ME
    from hoyle.front.web.messages import NewTable

    level = find_bot(bot)
    loaded = hoyle.load(path, players=players, options=settings)  # reports errors in the file
    seats = (ME, *[level] * (loaded.players - 1))
    name = name_game(lobby, path)
    return asyncio.run(lobby.set_table(NewTable(name, loaded.players, dict(settings), seats, "", seed)))


def name_game(lobby: Lobby, path: Path) -> str:
    """What clients call the game in a file."""
    return game_name(path) if find_game(game_name(path)) == path else lobby.name_file(path)


def check_editing(path: Path | None, host: str) -> None:
    """Check that the file to edit is not a shipped one, and that the server is reachable from this machine only."""
    if path is None:
        raise Problem("--edit needs the file that is to be written: hoyle serve --edit my-game.game.yaml")
    if host not in LOCAL:
        raise Problem("--edit writes a file, so that it can only be reached from this machine: leave out --host")
    if find_game(game_name(path)) == path:
        raise Problem(f"`{game_name(path)}` is shipped; make a variant of it first: "
                      f"hoyle new my-{game_name(path)} --from {game_name(path)}")  # fmt: skip


def find_bot(name: str | None) -> str:
    """Validate the name of a bot; return it or the default."""
    from hoyle.front.web.backroom import find_level, list_levels

    if name is not None and find_level(name) is None:
        raise Problem(f"no bot `{name}`; there are {', '.join(kind.name for kind in list_levels())}")
    return name or choose_level()


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket, so that an invalid address is reported before anything else starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(WAITING)  # early connections of the browser wait in the backlog
    except OSError as failure:
        hint = "; --port 0 takes any that is free" if port and failure.errno in (13, 98, 48) else ""
        why = (failure.strerror or str(failure)).lower()
        raise Problem(f"cannot listen at {host}, port {port}: {why}{hint}") from None
    except OverflowError:
        raise Problem(f"no port {port}") from None
    return made


def find_own_address() -> str:
    """Find the address of this machine on the local network."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: just selects the outgoing interface
            return str(probe.getsockname()[0])
    except OSError:
        return "localhost"


def find_data_file() -> str:
    """Return `$HOYLE_TABLES`, or `hoyle/tables.sqlite` in the user's data folder."""
    chosen = os.environ.get("HOYLE_TABLES")
    if chosen:
        return chosen
    base = os.environ.get("XDG_DATA_HOME")
    try:
        home = Path(base) if base else Path.home() / ".local" / "share"
    except RuntimeError:
        return ":memory:"
    return str(home / "hoyle" / "tables.sqlite")

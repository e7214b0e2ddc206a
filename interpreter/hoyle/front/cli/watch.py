"""`hoyle watch`: checks a rule file after every save.

In: a rule file. Out: on one screen, whenever it or a file it depends on changes: diagnostics, failing examples, and the
results of a few games of bots. Incomplete files are reported like any others; Ctrl-C ends it.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import click

from hoyle.authoring import testing
from hoyle.authoring.testing.running import forget_tables
from hoyle.base import shipped
from hoyle.base.diagnostics.render import render_text, shown_path
from hoyle.front.cli.check import find_all, sum_up
from hoyle.front.cli.common import count, find_game_file, game_argument
from hoyle.front.cli.failures import wants_color
from hoyle.lab.sim.one_game import play_game
from hoyle.lab.sim.summary import Failure
from hoyle.language.compile import Checked
from hoyle.play.engine.game import Game

USUAL_GAMES = 5
SUMMING_UP = 3  # summary lines at the end: check, examples, games
LONGEST = 3.0  # time limit of the games in seconds
Signature = tuple[tuple[str, int, int], ...]


@click.command("watch", epilog="Example: hoyle watch my-game.game.yaml")
@game_argument
@click.option("--games", type=click.IntRange(min=0, max=1000), default=USUAL_GAMES, show_default=True, metavar="N",
              help="Let bots play at most N games each time.")  # fmt: skip
@click.option("--every", type=click.FloatRange(min=0.05, max=60), default=0.4, show_default=True, metavar="SECONDS",
              help="How often to look whether a file has changed.")  # fmt: skip
@click.option("--once", is_flag=True, help="Look once, and exit with 1 if anything is wrong.")
@click.pass_context
def command(ctx: click.Context, game: str, games: int, every: float, once: bool) -> None:
    """Check GAME, run its examples and play a few games, again after every save, until Ctrl-C.

    The files of its folder are watched, with those of the games it extends and of the modules it uses.
    """
    path = find_game_file(game)
    if once:
        lines, well = look(path, games)
        click.echo("\n".join(lines))
        ctx.exit(0 if well else 1)
    try:
        _go_on(path, games, every)
    except KeyboardInterrupt:
        click.echo("\nno longer watching")


def _go_on(path: Path, games: int, every: float) -> None:
    watched: list[Path] = []
    seen: Signature | None = None
    drawn: os.terminal_size | None = None
    lines: list[str] = []
    while True:
        size = shutil.get_terminal_size((80, 24))
        if sign([*_beside(path), *watched]) != seen:
            before = sign(_beside(path))
            found, _ = look(path, games, watched)
            lines = [f"{shown_path(path)}  {datetime.now():%H:%M:%S}  (Ctrl-C ends)", *found]
            # If a file was saved during the check, check again.
            seen = sign([*_beside(path), *watched]) if sign(_beside(path)) == before else None
            _show(lines, size)
        elif size != drawn and wants_color():
            _show(lines, size)
        drawn = size
        time.sleep(every)


def _beside(path: Path) -> list[Path]:
    """List the YAML files of the folder: the game, its variants, modules, examples and numbered rules."""
    try:
        return sorted(path.parent.glob("*.yaml"))
    except OSError:
        return []


def sign(paths: list[Path]) -> Signature:
    """Return a signature of the current state of some files."""
    signed = []
    for path in dict.fromkeys(paths):
        try:
            known = path.stat()
            signed.append((str(path), known.st_mtime_ns, known.st_size))
        except OSError:
            signed.append((str(path), 0, -1))  # deleted, or being replaced
    return tuple(signed)


def _show(lines: list[str], size: os.terminal_size) -> None:
    """Show the lines on one screen; a line counts those that do not fit."""
    if not wants_color():
        click.echo("\n".join([*lines, ""]))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(width=size.columns, height=size.lines, highlight=False)
    head = Text(lines[0], style="dim")
    head.truncate(size.columns, overflow="ellipsis")
    said = [Text.from_ansi(line) for line in "\n".join(lines[1:]).split("\n")]
    flat = [part for line in said for part in line.wrap(console, size.columns)]
    room = max(SUMMING_UP + 2, size.lines - 2)
    if len(flat) > room:
        # The summary is at the end and always shown.
        hidden = len(flat) - room + 1
        flat = [*flat[: room - SUMMING_UP - 1], Text(f"… {count(hidden, 'more line')}"), *flat[-SUMMING_UP:]]
    click.clear()
    for line in (head, *flat):
        console.print(line, no_wrap=True, overflow="crop")


def look(path: Path, games: int, watched: list[Path] | None = None) -> tuple[list[str], bool]:
    """Check a file; return the report and whether all is well. `watched` is replaced by the files it depends on."""
    if not path.is_file():
        return [f"{shown_path(path)} is not there"], False
    found, checked = find_all(path, trial=False)
    if watched is not None:
        watched[:] = [Path(name) for name in checked.report.files]
    lines = [render_text(found, color=wants_color()).rstrip("\n")] if found else []
    lines.append(f"check   {sum_up(found, 1)}")
    if any(one.severity == "error" for one in found):
        return lines, False
    told, failed = _run_examples(path)
    lines[-1:-1] = told
    lines += _sum_up_examples(path, failed)
    played = list(_play(checked, games))
    lines += [line for line, _ in played]
    return lines, not found and not failed and all(well for _, well in played)


def _run_examples(path: Path) -> tuple[list[str], int]:
    forget_tables()  # a parent or module may have changed
    lines: list[str] = []
    failed = 0
    for outcome in testing.run_files([path]):
        if not outcome.passed:
            failed += 1
            lines.append(f"fails {outcome.name}\n  --> {outcome.file}:{outcome.line}")
            lines += [f"  {line}".rstrip() for line in outcome.message.splitlines()]
    return lines, failed


def _sum_up_examples(path: Path, failed: int) -> list[str]:
    total = sum(len(tests.examples) for tests in testing.find_tests([path]))
    if not total:
        beside = shown_path(path.with_name(shipped.game_name(path) + testing.TEST_SUFFIX))
        return [f"test    no examples; they stand in {beside}"]
    return [f"test    {total - failed} passed, {failed} failed" if failed <= total else f"test    {failed} failed"]


def _play(checked: Checked, games: int) -> Iterator[tuple[str, bool]]:
    """Play a few games of random bots, cycling through the numbers of players; yield a summary line and whether all
    games ended."""
    if not games or not checked.programs:
        return
    deadline = time.monotonic() + LONGEST
    tables = [Game(program) for program in checked.programs]
    played = decisions = 0
    for number in range(games):
        table = tables[number % len(tables)]
        result = play_game(table, "random", number, number, lambda: time.monotonic() > deadline)
        if result is None:
            break
        if isinstance(result, Failure):
            yield f"play    a game of {table.players} stops, seed {result.seed}: {result.message}", False
            return
        played += 1
        decisions += result.decisions
    if played:
        mean = decisions / played
        yield f"play    {count(played, 'game')} to the end, {mean:.0f} decisions each", True
    else:
        yield f"play    no game came to its end in {LONGEST:.0f} seconds", True

"""`hoyle test`: the examples written beside the rules.

In: files, folders or names of shipped games. Out: the examples that do not hold, and how many there were.
"""

from __future__ import annotations

from pathlib import Path

import click

from hoyle.cli.common import count, find_game_file
from hoyle.cli.failures import wants_color


@click.command("test", epilog="Example: hoyle test my-game.game.yaml")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("-v", "--verbose", is_flag=True, help="Show the examples that hold too.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], verbose: bool) -> None:
    """Run the examples in *.test.yaml files.

    PATH is such a file, a folder, or the name of a shipped game.
    """
    places = [Path(path) if Path(path).exists() else find_game_file(path).parent for path in paths]
    from hoyle import testing  # loaded when examples are run, not for `--help`

    passed = failed = 0
    for outcome in testing.run_files(places):
        if outcome.passed:
            passed += 1
            if verbose:
                click.echo(f"{_mark('ok', 'green')}    {outcome.name}")
        else:
            failed += 1
            click.echo(f"{_mark('fails', 'red')} {outcome.name}\n  --> {outcome.file}:{outcome.line}")
            click.echo("".join(f"  {line}\n" for line in outcome.message.splitlines()))
    if not passed and not failed:
        click.echo("no examples found; they stand in files named *.test.yaml")
    elif failed:
        click.echo(f"{failed} of {count(passed + failed, 'example')} failed")
        ctx.exit(1)
    else:
        click.echo(f"{count(passed, 'example')}, all hold")


def _mark(text: str, color: str) -> str:
    return click.style(text, fg=color) if wants_color() else text

"""`hoyle check`: diagnostics of rule files.

In: files, folders or names of shipped games. Out: what is wrong in them and a closing line; exit 1 for
errors.
"""

from __future__ import annotations

import click

from hoyle.cli.common import count, find_game_files
from hoyle.cli.failures import wants_color
from hoyle.compile import check_file
from hoyle.diagnostics.render import render_json, render_text
from hoyle.diagnostics.report import Diagnostic, identity


@click.command("check", epilog="Example: hoyle check my-game.game.yaml games/")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text",
              help="How to show what is found.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], style: str) -> None:
    """Check rule files and show everything that is wrong in them.

    PATH is a rule file, a folder of them, or the name of a shipped game.
    """
    files = find_game_files(paths)
    told: dict[object, Diagnostic] = {}  # what is wrong with a parent is told once, not for each of its variants
    for file in files:
        for diagnostic in check_file(file).ordered():
            told.setdefault(identity(diagnostic), diagnostic)
    found = list(told.values())
    if style == "json":
        click.echo(render_json(found))
    else:
        if found:
            click.echo(render_text(found, color=wants_color()))
        click.echo(sum_up(found, len(files)))
    if any(diagnostic.severity == "error" for diagnostic in found):
        ctx.exit(1)


def sum_up(found: list[Diagnostic], files: int) -> str:
    """The closing line: `3 errors, 1 warning in 2 files`, `2 files, no problems`."""
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    warnings = len(found) - errors
    if not found:
        return f"{count(files, 'file')}, no problems"
    parts = [count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    return f"{', '.join(parts)} in {count(files, 'file')}"

"""`hoyle check`: diagnostics of rule files.

In: files, folders or names of shipped games. Out: what is wrong in them and a closing line; exit 1 for
errors.
"""

from __future__ import annotations

from pathlib import Path

import click

import hoyle
from hoyle.cli.common import count, find_game_files, names_shipped, paths_argument
from hoyle.cli.failures import wants_color
from hoyle.cli.junit import Case, render_junit
from hoyle.compile import check_game
from hoyle.diagnostics.render import render_json, render_text
from hoyle.diagnostics.report import Diagnostic, identity
from hoyle.diagnostics.sarif import render_sarif
from hoyle.document.reading import shown_path
from hoyle.shipped import house_rules_under
from hoyle.trial import try_out
from hoyle.variants.lints import check_file_name


@click.command("check", epilog="Example: hoyle check my-game.game.yaml games/")
@paths_argument
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--format", "style", type=click.Choice(["text", "json", "sarif", "junit"]), default="text",
              help="How to show what is found.")  # fmt: skip
@click.option("--trial/--no-trial", default=True, show_default=True,
              help="Whether to play a few random matches of every number of players.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], strict: bool, style: str, trial: bool) -> None:
    """Check rule files and show everything that is wrong in them.

    PATH is a rule file, a folder of them, or the name of a shipped game.
    """
    files = find_game_files(paths)
    files += [module for path in paths for module in house_rules_under(Path(path)) if not names_shipped(path)]
    by_file: dict[Path, list[Diagnostic]] = {}
    told: set[object] = set()  # what is wrong with a parent is told once, not for each of its variants
    for file in files:
        by_file[file] = []
        checked = check_game(file)
        if checked.file is not None:
            check_file_name(checked.file, checked.report)
        if trial:
            try_out(checked)
        for diagnostic in checked.report.ordered():
            if identity(diagnostic) not in told:
                told.add(identity(diagnostic))
                by_file[file].append(diagnostic)
    found = [diagnostic for each in by_file.values() for diagnostic in each]
    if style == "json":
        click.echo(render_json(found))
    elif style == "sarif":
        click.echo(render_sarif(found, hoyle.__version__))
    elif style == "junit":
        click.echo(render_junit([("hoyle check", [_judge(file, by_file[file], strict) for file in files])]))
    else:
        if found:
            click.echo(render_text(found, color=wants_color()))
        click.echo(sum_up(found, len(files)))
    if any(counts(diagnostic, strict) for diagnostic in found):
        ctx.exit(1)


def counts(found: Diagnostic, strict: bool) -> bool:
    """Whether a finding makes the check fail."""
    return strict or found.severity == "error"


def _judge(file: Path, found: list[Diagnostic], strict: bool) -> Case:
    """A file as a case: it fails by what counts."""
    name = shown_path(file)
    return Case(name, name, render_text(each for each in found if counts(each, strict)))


def sum_up(found: list[Diagnostic], files: int) -> str:
    """The closing line: `3 errors, 1 warning in 2 files`, `2 files, no problems`."""
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    warnings = len(found) - errors
    if not found:
        return f"{count(files, 'file')}, no problems"
    parts = [count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    return f"{', '.join(parts)} in {count(files, 'file')}"

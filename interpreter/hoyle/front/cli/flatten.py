"""`hoyle flatten`: prints a variant as a self-contained rule file.

In: a game. Out: a rule file that extends nothing, compiles by itself and plays the same.
"""

from __future__ import annotations

from pathlib import Path

import click

import hoyle
from hoyle.authoring.formatting import format_source
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Source
from hoyle.front.cli.common import find_game_file, game_argument
from hoyle.front.cli.failures import Problem
from hoyle.language.document.merging import resolve
from hoyle.language.variants.flattening import flatten


@click.command("flatten", epilog="Example: hoyle flatten my-variant.game.yaml -o alone/my-variant.game.yaml")
@game_argument
@click.option("-o", "--out", "--output", "output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write it there; a file that is there already is not overwritten.")  # fmt: skip
def command(game: str, output: Path | None) -> None:
    """Print the rule file that GAME amounts to when all it extends has been put together.

    It extends nothing, checks by itself and plays the same. Modules of the language are still named under `use:`;
    comments stay in the files they stand in.
    """
    report = Report()
    document = resolve(find_game_file(game), report)
    if document is None or report.failed:
        raise hoyle.RuleFileError(report)
    text = flatten(document)
    laid_out = format_source(Source("flattened", text), report)
    text = laid_out.text if laid_out is not None else text
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with output.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise Problem(f"{shown_path(output)} is there already; nothing was changed") from None
    click.echo(f"wrote {shown_path(output)}")

"""`hoyle rules`: generates the rulebook of a game.

In: a game. Out: its rules as text, Markdown or printable HTML.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import click

import hoyle
from hoyle.authoring.rulebook import Book, render_html, render_markdown, render_text, write_book
from hoyle.base.diagnostics.report import Report
from hoyle.front.cli.common import find_game_file, game_argument, language_option


@click.command("rules", epilog="Example: hoyle rules my-game.game.yaml --format html -o my-game.html")
@game_argument
@click.option("--format", "style", type=click.Choice(["text", "markdown", "html"]), default="text",
              help="How to write it; html is one page that needs no network and can be printed.")  # fmt: skip
@click.option("-o", "--out", "--output", "output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write it there.")  # fmt: skip
@click.option("--exact", is_flag=True, help="Put after each sentence the rule of the file that it is about.")
@language_option
def command(game: str, style: str, output: Path | None, exact: bool, language: str | None) -> None:
    """Print the rulebook of GAME: object, cards, deal, play, scoring with examples, end, options, rulings.

    It is written from the rule file. The sentences are those of its clauses; a clause without one is said from its
    rule. Of a variant it says first what differs from its parent.
    """
    report = Report()
    book = write_book(find_game_file(game), report, language, exact=exact)
    if book is None:
        raise hoyle.RuleFileError(report)
    if book.told:
        click.echo(book.told, err=True)
    text = _render(book, style)
    if output is not None:
        output.write_text(text + ("" if text.endswith("\n") else "\n"), encoding="utf-8")
        click.echo(f"wrote {output}")
    else:
        click.echo(text)


def _render(book: Book, style: str) -> str:
    if style == "html":
        return render_html(book)
    if style == "markdown":
        return render_markdown(book)
    return render_text(book, min(100, shutil.get_terminal_size((88, 24)).columns))

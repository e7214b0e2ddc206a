"""`hoyle graph`: draws the control flow of a game as a diagram.

In: a game. Out: SVG, text for Mermaid or Graphviz, or JSON, on standard output or in a file.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

import hoyle
from hoyle.authoring.graph import Graph, build_graph, write_dot, write_mermaid, write_svg
from hoyle.base.diagnostics.report import Report
from hoyle.front.cli.common import find_game_file, game_argument
from hoyle.front.cli.failures import Problem
from hoyle.language.compile import read_game


def _write_json(graph: Graph) -> str:
    return json.dumps(asdict(graph), indent=2, ensure_ascii=False) + "\n"


WRITERS = {"svg": write_svg, "mermaid": write_mermaid, "dot": write_dot, "json": _write_json}
SUFFIXES = {".json": "json", ".svg": "svg", ".mmd": "mermaid", ".mermaid": "mermaid", ".dot": "dot", ".gv": "dot"}


@click.command("graph", epilog="Example: hoyle graph my-game.game.yaml -o my-game.svg")
@game_argument
@click.option("--format", "style", type=click.Choice(sorted(WRITERS)),
              help="What is written; by the name of the file when not given, else svg.")  # fmt: skip
@click.option("--json", "style", flag_value="json", help="As --format json.")
@click.option("-o", "--out", "--output", "out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="The file to write; standard output when not given.")  # fmt: skip
def command(game: str, style: str | None, out: Path | None) -> None:
    """Draw the course of GAME: its steps, what is decided in them, what may be done, and what ends them."""
    report = Report()
    declared = read_game(find_game_file(game), report)
    if declared is None:
        raise hoyle.RuleFileError(report)
    if "match" not in declared.steps:
        raise Problem(f"`{declared.name}` has no step `match`, so nothing leads anywhere; hoyle check tells more")
    style = style or (SUFFIXES.get(out.suffix) if out is not None else "svg")
    if style is None:
        raise Problem(f"{out}: say what to write with --format, or name the file *.svg, *.mmd, *.dot or *.json")
    text = WRITERS[style](build_graph(declared))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"wrote {out}")

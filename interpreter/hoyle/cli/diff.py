"""`hoyle diff`: what differs between a variant and its parent, or between any two games.

In: a game, and another unless its parent is meant. Out: one line for each path, old and new; exit 0.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import click

import hoyle
from hoyle.cli.common import find_game_file
from hoyle.cli.completing import complete_game
from hoyle.cli.failures import Problem, wants_color
from hoyle.diagnostics.report import Report
from hoyle.document.merging import Document, resolve
from hoyle.variants.comparing import Difference, compare

SIGNS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow"), "moved": ("~", "yellow")}
LONGEST = 60


@click.command("diff", epilog="Example: hoyle diff my-variant.game.yaml")
@click.argument("child", shell_complete=complete_game)
@click.argument("parent", required=False, shell_complete=complete_game)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(child: str, parent: str | None, as_json: bool) -> None:
    """Show what differs between CHILD and PARENT, path by path.

    When PARENT is not given, it is the game that CHILD extends.
    """
    new = _read(child)
    olds = [_read(parent)] if parent is not None else [_read(str(file.path)) for file in new.files[-1].parents]
    if not olds:
        raise Problem(f"`{new.files[-1].name}` extends no game; name the one to compare it with")
    found = {old.files[-1].name: compare(old, new) for old in olds}
    if as_json:
        data = {name: [{**asdict(one), "path": one.name} for one in each] for name, each in found.items()}
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    for name, each in found.items():
        number = f"{len(each)} difference{'' if len(each) == 1 else 's'}"
        click.echo(f"{new.files[-1].name} against {name}: {number if each else 'no difference'}")
        click.echo("".join(f"{line}\n" for one in each for line in write_difference(one)), nl=False)


def _read(game: str) -> Document:
    report = Report()
    document = resolve(find_game_file(game), report)
    if document is None:
        raise hoyle.RuleFileError(report)
    return document


def write_difference(found: Difference) -> list[str]:
    """A difference as lines: one, and below it the statements that differ."""
    sign, color = SIGNS[found.kind]
    if found.kind == "changed" and not found.lines:
        said = f"{_cut(found.old)} → {_cut(found.new)}"
    elif found.kind == "moved":
        said = f"now in the order {_cut(found.new)}"
    else:
        said = _cut(found.new or found.old)
    kept = f"   (keeps its {' and '.join(found.keeps)})" if found.keeps else ""
    mark = click.style(sign, fg=color) if wants_color() else sign
    first = f"{mark} {found.name}" + (f": {said}" if said else "") + kept
    return [first, *(f"    {_paint(line)}" for line in found.lines)]


def _paint(line: str) -> str:
    return click.style(line, fg="green" if line[0] == "+" else "red") if wants_color() else line


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

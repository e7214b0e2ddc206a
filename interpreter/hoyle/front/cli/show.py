"""`hoyle show`: prints a game with everything merged that it extends and uses.

In: a game, optionally a path in it. Out: the merged file, each line with the file it comes from; for a path, also how a
variant can change it.
"""

from __future__ import annotations

import json

import click

import hoyle
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.common import find_game_file
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem, wants_color
from hoyle.language.document.clauses import Path, clause_at, declared_name, is_named
from hoyle.language.document.merging import Document, resolve
from hoyle.language.document.nodes import Mapping
from hoyle.language.document.paths import entry_at, find_path, shown
from hoyle.language.variants.differences import short_path
from hoyle.language.variants.merged_lines import Row, list_rows, write_key

INDENT = "  "
WIDEST = 84  # columns of text; the file of origin is to the right of them


@click.command("show", epilog="Example: hoyle show my-variant.game.yaml actions.play")
@click.argument("game", shell_complete=complete_game)
@click.argument("path", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON: for every line its path, its text and its history.")
def command(game: str, path: str | None, as_json: bool) -> None:
    """Show GAME as it is when its parents and modules have been put together, and where every line comes from.

    PATH is the part to show, as refusals and `remove:` write it: options.target, actions.play.allowed.
    """
    report = Report()
    document = resolve(find_game_file(game), report)
    if document is None:
        raise hoyle.RuleFileError(report)
    wanted = _find(document, path) if path else ()
    rows = list_rows(document, wanted)
    if as_json:
        click.echo(json.dumps([_data(row) for row in rows], indent=2, ensure_ascii=False))
        return
    for line in write_rows(rows):
        click.echo(line)
    if wanted:
        click.echo("\n" + "\n".join(tell_changes(document, wanted)))


def _find(document: Document, path: str) -> Path:
    found = find_path(document.root, path)
    if found is None:
        raise Problem(f"there is no `{path}` in `{document.files[-1].name}`{_near(document, path)}")
    return found


def _near(document: Document, path: str) -> str:
    """Suggest a name similar to the first step of the path that does not exist."""
    node, rest = document.root, path
    while (step := next((one for one in node if rest.startswith(one.name + ".")), None)) is not None:
        if not isinstance(step.value, Mapping):
            break
        node, rest = step.value, rest[len(step.name) + 1 :]
    head = path[: len(path) - len(rest)]
    names = [declared_name(entry.name) for entry in node]
    near = nearest(rest.split(".")[0], names)
    return f"; did you mean `{head}{near}`?" if near else f"; there are {', '.join(head + name for name in names[:12])}"


def write_rows(rows: list[Row]) -> list[str]:
    """Format rows as text, with the files of origin in a column of their own."""
    lines = [INDENT * row.depth + row.text for row in rows]
    width = min(WIDEST, max((len(line) for line, row in zip(lines, rows, strict=True) if row.origin), default=0))
    return [
        f"{line.ljust(width)}  {_faint(f'# {row.origin}')}" if row.origin else line
        for line, row in zip(lines, rows, strict=True)
    ]


def _faint(text: str) -> str:
    return click.style(text, dim=True) if wants_color() else text


def tell_changes(document: Document, path: Path) -> list[str]:
    """Describe how a variant can change the value at a path."""
    head = short_path(path)
    lines = [f"to change it in a variant:   {_nested(head, '…')}"]
    if is_named(head) or clause_at(head) is not None:
        lines.append(f"to put another in its place: {_nested((*head[:-1], f'replace {head[-1]}'), '…')}")
    lines.append(f"to take it out:              remove: [{shown(head)}]")
    entry = entry_at(document.root, head)
    if entry is not None and isinstance(entry.value, Mapping) and is_named((*head, "x")):
        lines.append(f"to add to it:                {_nested((*head, 'new NAME'), '…')}")
    return lines


def _nested(path: Path, value: str) -> str:
    """Format the line of a variant that sets a value at a path."""
    text = f"{write_key(path[-1])}: {value}"
    for step in reversed(path[:-1]):
        text = f"{write_key(step)}: {{{text}}}"
    return text


def _data(row: Row) -> dict[str, object]:
    return {
        "path": ".".join(row.path),
        "text": row.text.strip(),
        "from": [
            {"verb": touch.verb, "by": touch.by, "file": touch.span.source.name, "line": touch.span.line}
            for touch in row.touches
        ],
    }

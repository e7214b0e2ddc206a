"""`hoyle diff`: shows the differences between a variant and its parent, or between any two games.

In: a game, and another one unless its parent is meant. Out: the changed paths by chapters of the rulebook, with old and
new text; with `--games` also the differences in simulated play; exit 1 when a game failed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

import click

import hoyle
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.front.cli.common import find_game_file, json_option
from hoyle.front.cli.compare import read_side, write_comparison
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import INTERRUPTED, Problem, wants_color
from hoyle.front.cli.progress import interruptible, progress_bar
from hoyle.lab.sim.comparing import Comparison, Side, comparison_data
from hoyle.lab.sim.comparing import compare as play_both
from hoyle.language.compile import declare
from hoyle.language.document.merging import Document, resolve
from hoyle.language.variants.differences import Difference, compare, group

SIGNS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow"), "moved": ("~", "yellow")}
LONGEST = 60


@click.command("diff", epilog="Example: hoyle diff my-variant.game.yaml --games 200")
@click.argument("first", metavar="A", shell_complete=complete_game)
@click.argument("second", metavar="[B]", required=False, shell_complete=complete_game)
@click.option("-n", "--games", type=click.IntRange(min=1), metavar="N",
              help="Also play N games of each with the same seeds, and tell what differs in play.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, first: str, second: str | None, games: int | None, seed: int, as_json: bool
) -> None:
    """Show what is other in B than in A in the words of the rules, chapter by chapter.

    When B is not given, it is shown what is other in A than in the game that it extends. Paths are those of the rule
    file.
    """
    new = _read(first if second is None else second)
    olds = [_read(first)] if second is not None else [_read(str(file.path)) for file in new.files[-1].parents]
    if not olds:
        raise Problem(f"`{new.files[-1].name}` extends no game; name the one to compare it with")
    played = [_find_sides(old, new) if games is not None else None for old in olds]
    interrupted = ctx.with_resource(interruptible())
    with interrupted.breaking_off():
        told = [
            _tell(old, new, sides, games or 0, seed, interrupted) for old, sides in zip(olds, played, strict=True)
        ]
    if as_json:
        click.echo(json.dumps({each.name: _data(each) for each in told}, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(line for each in told for line in _write(each, new)))
    for document in (*olds, new):
        _warn_if_wrong(document)
    if any(each.measured is not None and each.measured.failures for each in told):
        ctx.exit(1)
    if interrupted():
        click.echo("stopped before all games were played", err=True)
        ctx.exit(INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Told:
    """The differences from one game: in the rules, and in play if measured."""

    name: str
    related: bool
    differences: list[Difference]
    measured: Comparison | None


def _find_sides(old: Document, new: Document) -> tuple[Side, Side]:
    """Compile both games; done before the simulation, while Ctrl-C still aborts immediately."""
    return read_side(str(old.files[-1].path)), read_side(str(new.files[-1].path))


def _tell(
    old: Document,
    new: Document,
    sides: tuple[Side, Side] | None,
    games: int,
    seed: int,
    interrupted: Callable[[], bool],
) -> Told:
    lines = [{file.source.name for file in document.files} for document in (old, new)]
    measured = None
    if sides is not None:
        with progress_bar(games) as progress:
            measured = play_both(sides, games, seed, interrupted, progress)
    return Told(old.files[-1].name, not lines[0].isdisjoint(lines[1]), compare(old, new), measured)


def _data(told: Told) -> dict[str, object]:
    differences = [
        {**asdict(one), "path": one.name, "chapter": chapter}
        for chapter, each in group(told.differences).items()
        for one in each
    ]
    measured = comparison_data(told.measured) if told.measured is not None else None
    return {"related": told.related, "differences": differences, "measured": measured}


def _write(told: Told, new: Document) -> Iterator[str]:
    number = len(told.differences)
    said = f"{number} difference{'' if number == 1 else 's'}" if number else "no difference"
    beside = "" if told.related else "; neither is a variant of the other"
    yield f"{new.files[-1].name} against {told.name}: {said}{beside}"
    for chapter, each in group(told.differences).items():
        yield ""
        yield click.style(chapter, bold=True) if wants_color() else chapter
        for one in each:
            yield from write_difference(one)
    if told.measured is not None:
        yield ""
        yield from write_comparison(told.measured)


def _read(game: str) -> Document:
    report = Report()
    document = resolve(find_game_file(game), report)
    if document is None:
        raise hoyle.RuleFileError(report)
    return document


def _warn_if_wrong(document: Document) -> None:
    """Warn if a file has errors: changes that cannot be parsed are missing from the output."""
    file, report = document.files[-1], Report()
    declare(file, report)
    if report.failed:
        path = shown_path(file.path)
        click.echo(f"`{file.name}` has errors, and what is wrong may be missing here: hoyle check {path}", err=True)


def write_difference(found: Difference) -> list[str]:
    """Format a difference as one line, followed by the changed statements, or by texts too long for one line."""
    sign, color = SIGNS[found.kind]
    below = found.lines
    if found.kind == "changed" and not found.lines:
        is_short = max(len(found.old), len(found.new)) <= LONGEST
        said = f"{found.old} → {found.new}" if is_short else ""
        below = () if is_short else (f"- {found.old}", f"+ {found.new}")
    elif found.kind == "moved":
        said = f"now in the order {_cut(found.new)}"
    else:
        said = _cut(found.new or found.old)
    kept = f"   (keeps its {' and '.join(found.keeps)})" if found.keeps else ""
    mark = click.style(sign, fg=color) if wants_color() else sign
    first = f"{mark} {found.name}" + (f": {said}" if said else "") + kept
    about = [f"    {found.about}"] if found.about else []
    return [first, *about, *(f"    {_paint(line)}" for line in below)]


def _paint(line: str) -> str:
    return click.style(line, fg="green" if line[0] == "+" else "red") if wants_color() else line


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

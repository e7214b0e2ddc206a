"""`hoyle test`: runs the examples written beside the rules.

In: files, folders or names of shipped games. Out: the failing examples, and a summary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from hoyle.authoring import testing
from hoyle.authoring.testing.example_files import list_test_files, read_tests
from hoyle.authoring.testing.kept_outcomes import recall_outcomes, run_and_keep
from hoyle.base.shipped import game_name
from hoyle.front.cli.common import find_game_file, find_game_files, means_folder
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import wants_color
from hoyle.front.cli.junit import Case, render_junit


@click.command("test", epilog="Example: hoyle test my-game.game.yaml -k lead")
@click.argument("paths", nargs=-1, metavar="[PATH…]", shell_complete=complete_game)
@click.option("-k", "matching", default="", metavar="TEXT", help="Run only the examples whose name holds TEXT.")
@click.option("-v", "--verbose", is_flag=True, help="Show the examples that hold too.")
@click.option("--parent", "inherited", is_flag=True,
              help="Run the examples of its parents against a variant: which of them no longer hold?")  # fmt: skip
@click.option("--format", "style", type=click.Choice(["text", "json", "junit"]), default="text",
              help="How to show the outcome.")  # fmt: skip
@click.option("--json", "style", flag_value="json", help="As --format json.")
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[str, ...], matching: str, verbose: bool, inherited: bool, style: str
) -> None:
    """Run the examples in *.test.yaml files.

    PATH is such a file, a rule file with one beside it, a folder, or the name of a shipped game; when not given, what
    lies in and below this folder is tested.
    """
    if inherited:
        if style == "junit":
            raise click.UsageError("--parent tells its list as text or JSON")
        found = {game: testing.compare_with_parents(game, matching) for game in find_game_files(paths or (".",))}
        if style == "json":
            click.echo(json.dumps([_list_inherited(*one) for one in found.items()], indent=2, ensure_ascii=False))
        else:
            for game, one in found.items():
                _compare(game, one, verbose)
        ctx.exit(0 if all(one.agrees for one in found.values()) else 1)
    places = [_find_place(path) for path in paths] or [Path()]
    if style != "text":
        outcomes = list(_run(places, matching))
        click.echo(_render_json(outcomes) if style == "json" else _render_junit(outcomes))
        ctx.exit(0 if outcomes and all(outcome.passed for outcome in outcomes) else 1)
    passed = failed = 0
    for outcome in _run(places, matching, shows_progress=wants_color()):
        if outcome.passed:
            passed += 1
            if verbose:
                click.echo(f"{_mark('ok', 'green')}    {outcome.name}")
        else:
            failed += 1
            click.echo(f"{_mark('fails', 'red')} {outcome.name}\n  --> {outcome.file}:{outcome.line}")
            click.echo("".join(f"  {line}".rstrip() + "\n" for line in outcome.message.splitlines()))
    if not passed and not failed:
        where = "; they stand in files named *.test.yaml, and `hoyle test GAME` runs those of a shipped game"
        named = f" whose name holds `{matching}`" if matching else where
        click.echo(f"no examples found{named}", err=True)
    else:
        click.echo(f"{passed} passed, {failed} failed")
    if failed or not passed:
        ctx.exit(1)


def _render_json(outcomes: list[testing.Outcome]) -> str:
    return json.dumps([asdict(outcome) for outcome in outcomes], indent=2, ensure_ascii=False)


def _render_junit(outcomes: list[testing.Outcome]) -> str:
    suites: dict[str, list[Case]] = {}
    for outcome in outcomes:
        message = "" if outcome.passed else outcome.message or "does not hold"
        suites.setdefault(outcome.file, []).append(Case(outcome.name, outcome.file, message, outcome.line))
    return render_junit(suites.items())


def _list_inherited(game: Path, found: testing.Comparison) -> dict[str, object]:
    examples = [
        {"name": one.outcome.name, "file": one.outcome.file, "line": one.outcome.line, "verdict": one.verdict,
         "named": one.named, "message": one.outcome.message} for one in found.examples
    ]  # fmt: skip
    return {"game": game_name(game), "problem": found.problem.message if found.problem is not None else None,
            "examples": examples, "complaints": list(map(asdict, found.complaints))}  # fmt: skip


def _compare(game: Path, found: testing.Comparison, verbose: bool) -> None:
    """Tell how the examples of the parents did in a variant."""
    if found.problem is not None:
        click.echo(found.problem.message.rstrip("\n"), err=True)
    if not found.examples:
        return
    click.echo(f"{game_name(game)}:")
    differing = [one for one in found.examples if one.verdict == "differs"]
    for one in found.examples:
        outcome = one.outcome
        unexpected = one.verdict == "differs" and not one.named
        if unexpected or verbose:
            click.echo(f"{_mark(one.verdict.ljust(8), 'red' if unexpected else 'green')} {outcome.name}")
            if one.verdict == "differs":
                click.echo(f"  --> {outcome.file}:{outcome.line}")
            if verbose and outcome.message:
                click.echo("".join(f"  {line}".rstrip() + "\n" for line in outcome.message.splitlines()))
    for wrong in found.complaints:
        click.echo(f"{_mark('fails', 'red')} {wrong.name}: {wrong.message}\n  --> {wrong.file}:{wrong.line}")
    holding = sum(one.verdict == "holds" for one in found.examples)
    absent = len(found.examples) - holding - len(differing)
    named = sum(one.named for one in differing)
    click.echo(f"{holding} of the parents' examples hold, {len(differing)} no longer ({named} named)", nl=not absent)
    if absent:
        click.echo(f", {absent} for other numbers of players")
    if differing and not found.lists:
        everything = [one.example for one in found.examples]
        click.echo("to name them, in its file of examples:\n\nno_longer:")
        for one in differing:
            click.echo(f"  - {json.dumps(testing.short_name(one.example, everything), ensure_ascii=False)}")


def _run(places: list[Path], matching: str, *, shows_progress: bool = False) -> Iterator[testing.Outcome]:
    """Run the examples of files that have changed since all of them passed; what the others came to is kept."""
    asked = matching.casefold()
    files = [recall_outcomes(path) or read_tests(path) for path in list_test_files(places)]
    outcomes = (
        outcome
        for file in files
        for outcome in (run_and_keep(file, matching) if isinstance(file, testing.TestFile) else file)
        if isinstance(file, testing.TestFile) or asked in outcome.name.casefold()
    )
    if not shows_progress or not any(isinstance(file, testing.TestFile) for file in files):
        yield from outcomes
        return
    from rich.progress import track

    examples = (each for file in files for each in (file.examples if isinstance(file, testing.TestFile) else file))
    waiting = sum(asked in example.name.casefold() for example in examples)
    yield from track(outcomes, description="examples", total=waiting, transient=True)


def _mark(text: str, color: str) -> str:
    return click.style(text, fg=color) if wants_color() else text


def _find_place(name: str) -> Path:
    """Resolve the name of a file, a folder or a shipped game to a path."""
    path = Path(name)
    return path if path.is_file() or means_folder(name) else find_game_file(name)

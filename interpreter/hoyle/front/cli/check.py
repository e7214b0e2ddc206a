"""`hoyle check`: diagnostics of rule files.

In: files, folders or names of shipped games. Out: diagnostics and a summary line; exit 1 for errors.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import hoyle
from hoyle.authoring.interval_lints import review
from hoyle.authoring.trial_matches import try_out
from hoyle.base.diagnostics.render import escape, render_json, render_text, shown_path
from hoyle.base.diagnostics.report import Diagnostic, Report, identity
from hoyle.base.shipped import game_name, house_rules_under
from hoyle.base.source import Span
from hoyle.front.cli.common import count, find_game_files, means_folder, paths_argument
from hoyle.front.cli.failures import wants_color
from hoyle.language.compile import Checked, check_game
from hoyle.language.document.reading import read_nodes, read_source
from hoyle.language.family import list_variants
from hoyle.language.library import find_errors
from hoyle.language.variants.variant_lints import check_file_name

if TYPE_CHECKING:
    from hoyle.front.cli.junit import Case


@click.command("check", epilog="Example: hoyle check my-game.game.yaml games/")
@paths_argument
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--format", "style", type=click.Choice(["text", "json", "sarif", "junit"]), default="text",
              help="How to show what is found.")  # fmt: skip
@click.option("--json", "style", flag_value="json", help="As --format json.")
@click.option("--trial/--no-trial", default=True, show_default=True,
              help="Whether to play a few random matches of every number of players.")  # fmt: skip
@click.option("--fix", "mend", is_flag=True, help="Carry out every fix that needs no answer from you.")
@click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would do, and change nothing.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    strict: bool,
    style: str,
    trial: bool,
    mend: bool,
    show_diff: bool,
) -> None:
    """Check rule files and show everything that is wrong in them.

    PATH is a rule file, a folder of them, or the name of a shipped game.
    """
    files = find_game_files(paths)
    files += [module for path in paths if means_folder(path) for module in house_rules_under(Path(path))]
    if show_diff:
        for file in files:
            click.echo(_diff(file), nl=False)
        return
    if mend:
        for file in files:
            _mend(file, quiet=style != "text")
    by_file = share_out({file: find_all(file, trial)[0] for file in files})
    diagnostics = [diagnostic for each in by_file.values() for diagnostic in each]
    broken = {} if any(one.severity == "error" for one in diagnostics) else find_broken(files)
    everything = [*diagnostics, *broken.values()]
    if style == "json":
        click.echo(render_json(everything))
    elif style == "sarif":
        from hoyle.base.diagnostics.sarif import render_sarif

        click.echo(render_sarif(everything, hoyle.__version__))
    elif style == "junit":
        from hoyle.front.cli.junit import render_junit

        cases = [_judge(file, each, strict) for file, each in by_file.items()]
        cases += [_judge(file, [one], strict) for file, one in broken.items()]
        click.echo(render_junit([("hoyle check", cases)]))
    else:
        if diagnostics:
            click.echo(render_text(diagnostics, color=wants_color()))
        click.echo(sum_up(diagnostics, len(files)))
        if broken:
            click.echo(f"\n{render_text(broken.values(), color=wants_color())}".rstrip())
    if any(counts(diagnostic, strict) for diagnostic in everything):
        ctx.exit(1)


def find_all(file: Path, trial: bool) -> tuple[list[Diagnostic], Checked]:
    """Check a file, statically and optionally by trial matches; return all diagnostics and the checked file."""
    checked = check_game(file)
    if checked.file is not None:
        check_file_name(checked.file, checked.report)
    review(checked)
    if trial:
        try_out(checked)
    return checked.report.ordered(), checked


def find_broken(files: list[Path]) -> dict[Path, Diagnostic]:
    """Find variants beside the checked files that were not checked themselves and no longer compile, perhaps because of
    a change of their parent. The diagnostic is located at their `extends`."""
    known = {file.resolve() for file in files}
    broken: dict[Path, Diagnostic] = {}
    for file in files:
        for variant in list_variants(file):
            if variant.resolve() in known:
                continue
            known.add(variant.resolve())
            errors = sum(one.severity == "error" for one in find_errors(variant).diagnostics)
            if errors:
                name, own = shown_path(variant), Report()
                message = f"`{game_name(variant)}` extends it and has {count(errors, 'error')}"
                own.error("variant-breaks", message, _find_extends(variant), hint=f"`hoyle check {name}` tells which")
                broken[variant] = own.diagnostics[0]
    return broken


def _find_extends(path: Path) -> Span | None:
    """Return the span of a variant's `extends`."""
    source = read_source(path, Report())
    root = read_nodes(source, Report()) if source is not None else None
    entry = root.entry("extends") if root is not None else None
    return entry.key.span.to(entry.value.span) if entry is not None else None


def _mend(file: Path, quiet: bool) -> None:
    """Apply the fixes to a file, and print the changes."""
    from hoyle.authoring.fixing import fix_file
    from hoyle.front.cli.fmt import rewrite

    fixed = fix_file(file)
    if not fixed.done:
        return
    rewrite(file, fixed.text)
    for one in fixed.done if not quiet else ():
        click.echo(f"{shown_path(file)}:{one.line}: {escape(one.old)}")
        click.echo(f"  now: {escape(one.new)}")


def _diff(file: Path) -> str:
    import difflib

    from hoyle.authoring.fixing import fix_file

    fixed = fix_file(file)
    if fixed.source is None:
        return ""
    old, new = (text.splitlines(keepends=True) for text in (fixed.source.text, fixed.text))
    return "".join(difflib.unified_diff(old, new, fixed.source.name, fixed.source.name))


def share_out(reports: dict[Path, list[Diagnostic]]) -> dict[Path, list[Diagnostic]]:
    """Deduplicate the diagnostics of all files: an error in a parent is reported once, not for each of its variants,
    and preferably in the form that has a fix."""
    best: dict[object, tuple[Path, Diagnostic]] = {}
    for file, found in reports.items():
        for one in found:
            if identity(one) not in best or one.fix is not None or one.suggestions:
                best[identity(one)] = (file, one)
    kept = list(best.values())
    return {file: [one for owner, one in kept if owner == file] for file in reports}


def counts(found: Diagnostic, strict: bool) -> bool:
    """Whether a diagnostic makes the check fail."""
    return strict or found.severity == "error"


def _judge(file: Path, found: list[Diagnostic], strict: bool) -> Case:
    """Convert the result of a file to a JUnit case."""
    from hoyle.front.cli.junit import Case

    name = shown_path(file)
    return Case(name, name, render_text(each for each in found if counts(each, strict)))


def sum_up(found: list[Diagnostic], files: int) -> str:
    """Format the summary line: `3 errors, 1 warning in 2 files`, `2 files, no problems`."""
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    warnings = len(found) - errors
    if not found:
        return f"{count(files, 'file')}, no problems"
    parts = [count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    return f"{', '.join(parts)} in {count(files, 'file')}"

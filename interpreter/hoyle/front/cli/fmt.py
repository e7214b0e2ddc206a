"""`hoyle fmt`: formats rule files and examples.

In: files or folders. Out: the files, rewritten; with --check or --diff, a report of what would change. Only layout
changes.
"""

from __future__ import annotations

import codecs
import difflib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

import hoyle
from hoyle.authoring.formatting import Formatted, format_source
from hoyle.base.diagnostics.render import as_data, render_text
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import list_files
from hoyle.base.source import Source
from hoyle.front.cli.common import count, json_option, paths_argument
from hoyle.front.cli.failures import Problem, wants_color
from hoyle.language.document.reading import decode_source, read_source

SUFFIXES = (".game.yaml", ".module.yaml", ".test.yaml", ".format.yaml")
RULES = "rules.yaml"


@click.command("fmt", epilog="Example: hoyle fmt my-game.game.yaml --diff")
@paths_argument
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit with 1 if a file would be changed.")
@click.option("--diff", "show_diff", is_flag=True, help="Change nothing; show what would be changed.")
@json_option
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], only_check: bool, show_diff: bool, as_json: bool) -> None:
    """Lay out rule files, their examples and their numbered rules in one way. Comments and values stay as they are.

    PATH is a file, or a folder whose files are all laid out; `-` takes the text from standard input and writes it to
    standard output.
    """
    if paths == ("-",):
        _format_input(only_check)
        return
    told: list[dict[str, object]] = []
    changed, broken, total = 0, False, 0
    for path in _find_files(paths):
        total += 1
        report = Report()
        source = read_source(path, report)
        found = format_source(source, report) if source is not None else None
        is_changed = found is not None and found.changed
        told.append({"file": str(path), "changed": is_changed, "problems": list(map(as_data, report.ordered()))})
        if source is None or found is None:
            if not as_json:
                click.echo(render_text(report.ordered(), color=wants_color()))
            broken = True
            continue
        if not found.changed:
            continue
        changed += 1
        said = "laid out anew"
        if show_diff:
            told[-1]["diff"] = said = _diff(source, found)
        elif only_check:
            said = "not in the layout of `hoyle fmt`"
        else:
            rewrite(path, found.text)
        if not as_json:
            click.echo(said if show_diff else f"{source.name}: {said}", nl=not show_diff)
    if as_json:
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        click.echo(_sum_up(total, changed, only_check or show_diff), err=show_diff)
    if broken or (only_check and changed):
        ctx.exit(1)


def _format_input(only_check: bool) -> None:
    report = Report()
    raw = sys.stdin.buffer.read() if sys.stdin is not None else b""
    source = decode_source("<stdin>", raw, report)
    found = format_source(source, report) if source is not None else None
    if found is None:
        raise hoyle.RuleFileError(report)
    if only_check and found.changed:
        raise Problem("the text is not in the layout of `hoyle fmt`")
    if not only_check:
        click.echo(found.text, nl=False)


def _find_files(paths: tuple[str, ...]) -> Iterator[Path]:
    """Resolve paths to files, without duplicates."""
    seen: set[Path] = set()
    for written in paths:
        path = Path(written)
        if path.is_dir():
            under = [each for each in list_files(path, ".yaml") if is_ours(each)]
            if not under:
                raise Problem(f"no rule files (*.game.yaml) under {written}")
        elif path.is_file():
            under = [path]
        else:
            raise Problem(f"no file {written}")
        for each in under:
            if each.resolve() not in seen:
                seen.add(each.resolve())
                yield each


def is_ours(path: Path) -> bool:
    """Whether a file found in a folder is of a kind that is formatted."""
    return path.is_file() and (path.name.endswith(SUFFIXES) or path.name == RULES)


def rewrite(path: Path, text: str) -> None:
    """Write a file atomically, keeping its line endings and byte order mark."""
    target = path.resolve()
    old = target.read_bytes()
    new = text.encode("utf-8")
    if b"\r\n" in old:
        new = new.replace(b"\n", b"\r\n")
    if old.startswith(codecs.BOM_UTF8):
        new = codecs.BOM_UTF8 + new
    handle, passing = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new)
        Path(passing).chmod(target.stat().st_mode & 0o7777)
        Path(passing).replace(target)
    except BaseException:
        Path(passing).unlink(missing_ok=True)
        raise


def _diff(source: Source, found: Formatted) -> str:
    lines = difflib.unified_diff(
        source.text.splitlines(keepends=True), found.text.splitlines(keepends=True), source.name, source.name
    )
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _sum_up(total: int, changed: int, only_told: bool) -> str:
    done = "would be laid out anew" if only_told else "laid out anew"
    kept = total - changed
    return f"{count(changed, 'file')} {done}, {kept} left as {'it was' if kept == 1 else 'they were'}"

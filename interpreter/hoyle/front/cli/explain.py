"""`hoyle explain`: explains diagnostic codes.

In: a code, or nothing. Out: its meaning with a wrong and a corrected example; or a list of all codes.
"""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import asdict

import click

from hoyle.base.columns import in_columns
from hoyle.base.diagnostics.codes import CODES
from hoyle.base.diagnostics.render import escape
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.common import json_option, screen_width
from hoyle.front.cli.failures import Problem


@click.command("explain", epilog="Example: hoyle explain unknown-name")
@click.argument("code", required=False)
@json_option
def command(code: str | None, as_json: bool) -> None:
    """Tell what a diagnostic code means, with an example of the fault and of the cure.

    Without CODE, list the codes.
    """
    if as_json:
        codes = sorted(CODES) if code is None else [_find_slug(code)]
        told = [asdict(CODES[slug]) for slug in codes]
        click.echo(json.dumps(told if code is None else told[0], ensure_ascii=False, indent=2))
    elif code is None:
        rows = [(slug, _first_sentence(CODES[slug].meaning)) for slug in sorted(CODES)]
        click.echo("\n".join(in_columns(rows, screen_width())))
    else:
        click.echo(explain_code(code))


def _find_slug(written: str) -> str:
    """A code, given as such or as in a message: `error[slug]`."""
    slug = written.partition("[")[2].rstrip("]:") if "[" in written else written
    if slug not in CODES:
        near = nearest(slug, CODES)
        meant = f"did you mean `{near}`?" if near else "`hoyle explain` lists those there are"
        raise Problem(f"no diagnostic code `{slug}`; {meant}")
    return slug


def explain_code(written: str) -> str:
    """Format the explanation of a code."""
    code = CODES[_find_slug(written)]
    width = min(100, shutil.get_terminal_size((88, 24)).columns)
    parts = [f"{code.severity}[{code.slug}]", textwrap.fill(code.meaning, width)]
    parts += [
        "\n".join([f"{title}:", "", *(f"    {escape(line)}" for line in example.split("\n"))])
        for title, example in (("Wrong", code.wrong), ("Right", code.right))
        if example
    ]
    return "\n\n".join(parts)


def _first_sentence(meaning: str) -> str:
    return " ".join(meaning.split()).partition(". ")[0].rstrip(".")

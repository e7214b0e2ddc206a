"""`hoyle schema`: prints the JSON Schemas of the files that Hoyle reads and writes.

In: the name of a schema or its `$id`, or nothing. Out: the schema; or a list of all.
"""

from __future__ import annotations

import json

import click

from hoyle.base.columns import in_columns
from hoyle.base.diagnostics.report import did_you_mean
from hoyle.base.shipped import list_schemas, schema_text
from hoyle.front.cli.common import screen_width
from hoyle.front.cli.failures import Problem


@click.command("schema", epilog="Example: hoyle schema game > game.schema.json")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema of a kind of file: NAME, or an `$id` such as urn:hoyle:schema:game:1.

    Without NAME, list the schemas.
    """
    schemas = {each: json.loads(schema_text(each)) for each in list_schemas()}
    if name is None:
        rows = [(each, schema["$id"], schema.get("description", schema["title"])) for each, schema in schemas.items()]
        click.echo("\n".join(in_columns(rows, screen_width())))
        return
    wanted = next((each for each, schema in schemas.items() if name in (each, schema["$id"])), None)
    if wanted is None:
        known = [*schemas, *(schema["$id"] for schema in schemas.values())]
        hint = "".join(f"; {each}" for each in did_you_mean(name, known)) or f"; there are {', '.join(schemas)}"
        raise Problem(f"there is no schema `{name}`{hint}")
    click.echo(schema_text(wanted).rstrip("\n"))

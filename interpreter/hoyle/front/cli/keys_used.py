"""Lists the schema keys that the rule files of a game use.

In: the roots of its own files. Out: their keys in file order, each prefixed with its section, with their descriptions
from the schema. Names chosen by authors are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from hoyle.base.shipped import schema_text
from hoyle.language.document.nodes import Mapping, Node, Sequence

Schema = dict[str, Any]
_PLAIN = ("game", "title", "text", "cite")  # self-explanatory


def list_keys(roots: Iterable[Mapping]) -> Iterator[tuple[str, str]]:
    """Yield the distinct keys of some files, such as `players.usual`, with their descriptions."""
    told: dict[str, str] = {}
    for root in roots:
        for path, meaning in _walk(root, [_load_schema()], ()):
            told.setdefault(".".join(path), meaning)
    yield from told.items()


@cache
def _load_schema() -> Schema:
    found: Schema = json.loads(schema_text("game"))
    return found


def _walk(node: Node, schemas: list[Schema], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    ways = [each for schema in schemas for each in _resolve(schema)]
    if isinstance(node, Sequence):
        for item in node:
            yield from _walk(item, [way["items"] for way in ways if isinstance(way.get("items"), dict)], path)
    if not isinstance(node, Mapping):
        return
    for entry in node:
        known = [way["properties"][entry.name] for way in ways if entry.name in way.get("properties", {})]
        if known:
            meaning = next((found for each in known if (found := _say(each))), "")
            if meaning and entry.name not in _PLAIN:
                yield (*path, entry.name), meaning
            yield from _walk(entry.value, known, (*path, entry.name))
        else:
            named = [way[key] for way in ways for key in ("additionalProperties",) if isinstance(way.get(key), dict)]
            named += [each for way in ways for each in way.get("patternProperties", {}).values()]
            yield from _walk(entry.value, named, path)


def _resolve(schema: Schema) -> Iterator[Schema]:
    """Yield a schema, and recursively its references and alternatives."""
    yield schema
    if (name := schema.get("$ref")) is not None:
        yield from _resolve(_load_schema()["definitions"][name.removeprefix("#/definitions/")])
    for key in ("allOf", "anyOf", "oneOf"):
        for each in schema.get(key, ()):
            yield from _resolve(each)


def _say(schema: Schema) -> str:
    return str(schema.get("description", ""))

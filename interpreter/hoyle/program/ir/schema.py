"""The JSON Schema of programs, generated from the node classes.

In: the dataclasses of `hoyle.program.ir.nodes`. Out: the contents of schema/ir.schema.json, printed by `python -m
hoyle.program.ir.schema`; a test fails when the file is stale.
"""

from __future__ import annotations

import json
import types
import typing
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type
from hoyle.program.model.runtime_values import Value

Schema = dict[str, object]

_PLAIN: dict[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}
_VALUES = [part for part in get_args(Value) if get_origin(part) is None]
_FAMILIES = (ir.Expr, ir.Instruction)


def list_node_classes() -> list[type]:
    """Every class whose instances occur in a program."""
    found: list[type] = [getattr(ir, name) for name in sorted(ir.__all__)]
    return [each for each in found if is_dataclass(each) and each not in _FAMILIES] + [Type]


def build_schema() -> Schema:
    """The schema of a whole program."""
    classes = list_node_classes()
    definitions = {each.__name__: _describe_class(each) for each in classes}
    for family in _FAMILIES:
        members = [each for each in classes if issubclass(each, family)]
        definitions[family.__name__] = _describe_family(family, members)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:hoyle:schema:ir:1",
        "title": "Program",
        "description": "A game compiled for a number of players and a set of options, as `hoyle ir --json` prints it.",
        "$ref": "#/definitions/Program",
        "definitions": dict(sorted(definitions.items())),
    }


def _describe_class(node: type) -> Schema:
    hints = typing.get_type_hints(node)
    names = [part.name for part in fields(node)]
    described: Schema = {
        "type": "object",
        "properties": {"node": {"const": node.__name__}, **{name: _describe_type(hints[name]) for name in names}},
        "required": ["node", *names],
        "additionalProperties": False,
    }
    if node.__doc__ and not node.__doc__.startswith(f"{node.__name__}("):
        described["description"] = " ".join(node.__doc__.split())
    return described


def _describe_family(family: type, members: list[type]) -> Schema:
    """A sum type: the variant is selected by `node`, so that validation errors concern that variant alone."""
    names = [each.__name__ for each in members]
    return {
        "description": " ".join((family.__doc__ or "").split()),
        "type": "object",
        "properties": {"node": {"enum": names}},
        "required": ["node"],
        "allOf": [
            {"if": {"properties": {"node": {"const": name}}}, "then": {"$ref": f"#/definitions/{name}"}}
            for name in names
        ],
    }


def _describe_type(hint: object) -> Schema:
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (types.UnionType, typing.Union):
        if set(_VALUES) <= set(parts):
            return {}  # any value
        return {"anyOf": [_describe_type(part) for part in parts]}
    if origin is tuple:
        return {"type": "array", "items": _describe_type(parts[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _describe_type(parts[1])}
    return {"$ref": f"#/definitions/{getattr(hint, '__name__', hint)}"}


if __name__ == "__main__":
    print(json.dumps(build_schema(), indent=2))

"""The rules of a JSON Schema: where plain data departs from it.

In: data and a schema, of which the keywords below are understood. Out: violations, in the order of its keywords.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import Any

from hoyle.base.dataclass import dataclass

Path = tuple[str | int, ...]
Schema = dict[str, Any]

_NOTES = frozenset(
    ("$schema", "$id", "title", "description", "patternErrorMessage", "definitions", "then", "else")
)  # keywords that demand nothing by themselves
_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: not isinstance(value, bool)
    and (isinstance(value, int) or (isinstance(value, float) and value.is_integer())),
}


_SIMPLE: dict[str, Callable[[Any, Any], bool]] = {  # what looks at no part of a value
    "type": lambda value, wanted: any(_TYPES[kind](value) for kind in ([wanted], wanted)[isinstance(wanted, list)]),
    "enum": lambda value, wanted: value in wanted,
    "pattern": lambda value, wanted: not isinstance(value, str) or re.search(wanted, value) is not None,
    "minLength": lambda value, wanted: not isinstance(value, str) or len(value) >= wanted,
    "maxLength": lambda value, wanted: not isinstance(value, str) or len(value) <= wanted,
    "minimum": lambda value, wanted: not _TYPES["number"](value) or value >= wanted,
    "maximum": lambda value, wanted: not _TYPES["number"](value) or value <= wanted,
    "minItems": lambda value, wanted: not isinstance(value, list) or len(value) >= wanted,
    "maxItems": lambda value, wanted: not isinstance(value, list) or len(value) <= wanted,
    "minProperties": lambda value, wanted: not isinstance(value, dict) or len(value) >= wanted,
    "required": lambda value, wanted: not isinstance(value, dict) or all(name in value for name in wanted),
}


@dataclass(frozen=True, slots=True)
class Violation:
    """A demand of a schema that a value does not meet. `of_name`: the value is a name in the mapping at `path`."""

    rule: str
    wanted: Any
    value: Any
    schema: Schema
    path: Path
    of_name: bool


def find_violations(value: Any, schema: Schema) -> list[Violation]:
    """Where a value departs from a schema whose references are to its own definitions."""
    search = _Search(schema.get("definitions", {}))
    search.look(value, schema, ())
    return search.found


@dataclass(slots=True)
class _Search:
    definitions: Schema
    found: list[Violation] = field(default_factory=list)
    of_name: bool = False

    def look(self, value: Any, schema: Schema, path: Path) -> None:
        while (reference := schema.get("$ref")) is not None:
            schema = self.definitions[reference.removeprefix("#/definitions/")]
        for rule, wanted in schema.items():
            if rule in _NOTES:
                continue
            simple = _SIMPLE.get(rule)
            holds = simple(value, wanted) if simple else getattr(self, f"_{rule}")(value, wanted, schema, path)
            if not holds:
                self.found.append(Violation(rule, wanted, value, schema, path, self.of_name))

    def _holds(self, value: Any, schema: Schema) -> bool:
        search = _Search(self.definitions)
        search.look(value, schema, ())
        return not search.found

    # ------------------------------------------------------------------------------------------- keywords of parts
    def _items(self, value: Any, wanted: Schema, schema: Schema, path: Path) -> bool:
        if isinstance(value, list):
            for index, item in enumerate(value):
                self.look(item, wanted, (*path, index))
        return True

    def _properties(self, value: Any, wanted: Schema, schema: Schema, path: Path) -> bool:
        if isinstance(value, dict):
            for name, inner in wanted.items():
                if name in value:
                    self.look(value[name], inner, (*path, name))
        return True

    def _patternProperties(self, value: Any, wanted: Schema, schema: Schema, path: Path) -> bool:  # noqa: N802
        if isinstance(value, dict):
            for pattern, inner in wanted.items():
                for name, each in value.items():
                    if re.search(pattern, name):
                        self.look(each, inner, (*path, name))
        return True

    def _additionalProperties(self, value: Any, wanted: Any, schema: Schema, path: Path) -> bool:  # noqa: N802
        if not isinstance(value, dict):
            return True
        known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        others = [name for name in value if name not in known and not any(re.search(one, name) for one in patterns)]
        if not isinstance(wanted, dict):
            return wanted or not others
        for name in others:
            self.look(value[name], wanted, (*path, name))
        return True

    def _propertyNames(self, value: Any, wanted: Schema, schema: Schema, path: Path) -> bool:  # noqa: N802
        if isinstance(value, dict):
            outer, self.of_name = self.of_name, True
            for name in value:
                self.look(name, wanted, path)
            self.of_name = outer
        return True

    def _allOf(self, value: Any, wanted: list[Schema], schema: Schema, path: Path) -> bool:  # noqa: N802
        for each in wanted:
            self.look(value, each, path)
        return True

    def _anyOf(self, value: Any, wanted: list[Schema], schema: Schema, path: Path) -> bool:  # noqa: N802
        return any(self._holds(value, each) for each in wanted)

    def _not(self, value: Any, wanted: Schema, schema: Schema, path: Path) -> bool:
        return not self._holds(value, wanted)

    def _if(self, value: Any, wanted: Schema, schema: Schema, path: Path) -> bool:
        self.look(value, schema.get("then" if self._holds(value, wanted) else "else", {}), path)
        return True

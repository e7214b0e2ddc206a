"""Enumerations of an environment: options with values, attributes, kinds.

In: names and values. Out: the enumeration, its values findable by name.
"""

from __future__ import annotations

from hoyle.elaborate.environment import Environment, Value
from hoyle.ir import nodes as ir
from hoyle.ir.types import enum


def add_enum(env: Environment, name: str, values: tuple[str, ...], shorts: tuple[str, ...]) -> None:
    env.enums[name] = ir.Enum(name=name, values=values, shorts=shorts)
    for index, value in enumerate(values):
        env.values.setdefault(value, []).append(Value(enum(name), index))

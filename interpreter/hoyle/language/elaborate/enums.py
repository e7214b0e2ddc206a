"""Types with named values: options, attributes, kinds.

In: names and values. Out: the enumeration or scale, registered with its values for lookup by name.
"""

from __future__ import annotations

from hoyle.language.elaborate.environment import Environment, Value
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import enum, number_on


def add_enum(env: Environment, name: str, values: tuple[str, ...], shorts: tuple[str, ...]) -> None:
    env.enums[name] = ir.Enum(name=name, values=values, shorts=shorts)
    for index, value in enumerate(values):
        env.values.setdefault(value, []).append(Value(enum(name), index))


def add_scale(env: Environment, name: str, low: int, high: int, names: dict[str, str]) -> None:
    env.scales[name] = ir.Scale(name=name, low=low, high=high, names=names)
    for number, short in names.items():
        env.values.setdefault(short, []).append(Value(number_on(name), int(number)))

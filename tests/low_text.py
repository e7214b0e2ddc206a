"""Values of the low form as text to be read.

In: a value. Out: its operations as calls; constants as themselves, tables and rows by their letter and number,
variables of binders as `$` and their number.
"""

from __future__ import annotations

from hoyle.codegen.low.values import BINDERS, Rows, Table, Value


def spell_value(value: Value) -> str:
    """A value on one line."""
    if value.constant is not None or value.constants is not None:
        return str(value.data[0])
    if value.op == "var":
        return f"${value.number}"
    if value.op == "register":
        return f"r{value.number}"
    parts = [spell_value(arg) for arg in value.args]
    if value.op in BINDERS:
        parts.insert(1, f"${value.number}:")
        return f"{value.op}({parts[0]}, {parts[1]} {', '.join(parts[2:])})"
    return f"{value.op}{''.join(map(_spell_data, value.data))}({', '.join(parts)})"


def _spell_data(each: object) -> str:
    match each:
        case Table():
            return f" T{each.number}"
        case Rows():
            return f" R{each.number}"
        case tuple():
            return f" of {len(set(each))}"  # classes of all cards
    return f" {each}"

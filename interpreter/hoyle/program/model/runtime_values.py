"""The representation of values at run time.

Numbers, and everything numbered (cards, seats, zones, values of an enumeration), are `int`; truth values are `bool`;
lists and keys are tuples; none is `None`.
"""

from __future__ import annotations

from typing import TypeAlias, Union

Value: TypeAlias = Union[int, str, tuple["Value", ...], None]  # noqa: UP007 - it is recursive

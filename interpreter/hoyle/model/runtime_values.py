"""Values as programs work with them while a game is played.

Numbers, and everything that is numbered (cards, seats, zones, values of an enumeration), are whole numbers; truths are
`True` and `False`; lists and keys are tuples; none is `None`.
"""

from __future__ import annotations

from typing import TypeAlias, Union

Value: TypeAlias = Union[int, str, tuple["Value", ...], None]  # noqa: UP007 - it speaks of itself

"""Writing of texts as YAML values.

In: a text. Out: the YAML, plain where that has the same value.
"""

from __future__ import annotations

import re

from hoyle.language.document.nodes import resolve_scalar

_UNSAFE_START = re.compile(r"[\s,\[\]{}#&*!|>'\"%@`]|[-?:](\s|$)|---|\.\.\.")
_UNSAFE = re.compile(r":(\s|$)|\s#|[\n\t]|^\s|\s$")


def quote(text: str, flow: bool = False) -> str:
    """A text as a YAML value, plain if possible.

    >>> quote("two words"), quote("yes: no"), quote("12"), quote("a, b", flow=True)
    ('two words', "'yes: no'", "'12'", "'a, b'")
    """
    plain = bool(text) and not _UNSAFE_START.match(text) and not _UNSAFE.search(text)
    plain = plain and not (flow and re.search(r"[,\[\]{}]", text)) and isinstance(resolve_scalar(text), str)
    return text if plain else "'" + text.replace("'", "''") + "'"

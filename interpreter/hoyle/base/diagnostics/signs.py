"""Deceptive characters: invisible ones, and those that change the direction of text.

In: a text from outside. Out: the same with such characters escaped.
"""

from __future__ import annotations

import unicodedata


def spell_out(text: str, keep: frozenset[str] = frozenset()) -> str:
    """The text with invisible characters escaped as in JSON.

    >>> print(spell_out("a\\u202eb\\x1b[31m\\U000e0041"))
    a\\u202eb\\u001b[31m\\udb40\\udc41
    """
    return "".join(sign if sign in keep or _can_be_seen(sign) else _write_out(sign) for sign in text)


def _can_be_seen(sign: str) -> bool:
    return unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _write_out(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))

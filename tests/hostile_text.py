"""A text full of spoofing characters (invisible, bidirectional, control), and a search for them in output."""

from __future__ import annotations

import unicodedata

EVIL = "\x1b[31mred\x1b]0;x\x07\u202egnp\u200b\U000e0041\u2028\x9b1m"


def find_hidden(text: str) -> set[str]:
    return {sign for sign in text if unicodedata.category(sign)[0] == "C" and sign not in "\n\t"} | (
        {"\u2028", "\u2029"} & set(text)
    )

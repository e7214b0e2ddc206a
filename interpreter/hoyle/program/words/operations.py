"""Operations: the semantics of words, for code that treats some of them specially.

The grammar requests an operation, such as that of `+`; a code generator with its own implementation of addition asks
whether a word has that operation. Neither depends on the name of the word: the word declares its operation, and any
word that declares it is treated alike. A word without an operation runs as it is declared.
"""

from __future__ import annotations

from enum import Enum, auto


class Op(Enum):
    """The operation of a word."""

    ADD = auto()
    SUBTRACT = auto()
    MULTIPLY = auto()
    DIVIDE = auto()
    MODULO = auto()
    NEGATE = auto()
    SPAN = auto()
    JOIN = auto()
    WITHOUT = auto()
    LIST = auto()
    KEY = auto()
    ELEMENT = auto()
    CONCATENATE = auto()
    EQUAL = auto()
    DIFFER = auto()
    LESS = auto()
    AT_MOST = auto()
    GREATER = auto()
    AT_LEAST = auto()
    IS_NONE = auto()
    IS_IN = auto()
    IS_EMPTY = auto()
    COUNT = auto()
    SUM = auto()
    HIGHEST = auto()
    LOWEST = auto()
    DISTINCT = auto()
    DESCENDING = auto()
    FIRST = auto()
    LAST = auto()
    PLACE_IN = auto()
    LAST_FEW = auto()
    FIRST_FEW = auto()
    ALL_BUT_LAST = auto()
    ALL_BUT_FIRST = auto()
    SUBSETS = auto()
    PAIRS = auto()
    TAILS = auto()
    JOINED = auto()
    SEATS = auto()
    LEFT = auto()
    RIGHT = auto()
    AROUND = auto()
    SCORE = auto()
    ROUNDS_PLAYED = auto()
    CARDS = auto()
    SIZE = auto()
    NO_CARDS = auto()
    TOP = auto()
    BOTTOM = auto()
    FACE_UP = auto()
    LAID_OPEN = auto()
    LAST_HOLDER = auto()
    PLACE = auto()
    ZONE = auto()
    LINES = auto()
    ROUND = auto()
    OWNER = auto()
    ENTRY = auto()
    MARKED = auto()
    COLUMN = auto()
    OFFENDER = auto()

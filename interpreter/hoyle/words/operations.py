"""What words do, for whoever treats some of them in a manner of its own.

A form of the grammar asks for an operation, such as that of `+`; a generator that writes the addition of two numbers in
a way of its own asks whether a word is that operation. Neither knows what the word is called: the word says it in its
declaration, and a word of another name that says the same is treated alike. A word that says nothing is taken all the
same: it is run as it is declared.
"""

from __future__ import annotations

from enum import Enum, auto


class Op(Enum):
    """What a word does."""

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

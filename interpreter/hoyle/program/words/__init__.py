"""The built-in words of the language, each declared once."""

from hoyle.program.words import lists, operators, table
from hoyle.program.words.operations import Op
from hoyle.program.words.registry import SIGNED, SYNONYMS, WORDS, Cost, Word, applies, op_named, op_of, word_of

__all__ = [
    "SIGNED", "SYNONYMS", "WORDS", "Cost", "Op", "Word", "applies", "lists", "op_named", "op_of", "operators",
    "table", "word_of",
]  # fmt: skip

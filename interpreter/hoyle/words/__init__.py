"""The built-in words of the language, each declared once."""

from hoyle.words import lists, operators, table
from hoyle.words.registry import WORDS, Word

__all__ = ["WORDS", "Word", "lists", "operators", "table"]

"""The built-in words of the language, each declared once."""

from hoyle.words import lists, operators, table
from hoyle.words.registry import WORDS, Cost, Unique, Word

__all__ = ["WORDS", "Cost", "Unique", "Word", "lists", "operators", "table"]

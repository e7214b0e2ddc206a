"""Generates the rulebook of a game from its file: `hoyle rules`.

In: a rule file. Out: a `Book` of chapters, rendered as text, Markdown or HTML. It combines the descriptions of clauses
with a verbalization of the rules that are actually executed, so that a change of a rule always shows in the book.
"""

from hoyle.authoring.rulebook.book import Book, Chapter, Point
from hoyle.authoring.rulebook.chapters import write_book
from hoyle.authoring.rulebook.page import render_html
from hoyle.authoring.rulebook.text_page import list_points, render_markdown, render_text

__all__ = ["Book", "Chapter", "Point", "list_points", "render_html", "render_markdown", "render_text", "write_book"]

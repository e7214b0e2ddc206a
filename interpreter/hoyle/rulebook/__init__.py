"""The rulebook of a game, written from its file: `hoyle rules`.

In: a rule file. Out: a `Book` of chapters, and that as text, Markdown or a page of HTML. Sentences are those of the
clauses, and beside them the rule itself as it is played, spoken in words; so that a rule that changes changes the book.
"""

from hoyle.rulebook.book import Book, Chapter, Point
from hoyle.rulebook.chapters import write_book
from hoyle.rulebook.page import render_html
from hoyle.rulebook.plain import render_markdown, render_text

__all__ = ["Book", "Chapter", "Point", "render_html", "render_markdown", "render_text", "write_book"]

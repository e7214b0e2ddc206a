"""Text formatting for a terminal: cards with glyphs and colours, and a fallback to ASCII.

In: a legend, and whether the terminal shows Unicode. Out: `rich` texts, and strings that the terminal can show.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence

from rich.text import Text

from hoyle.play.table.model import Legend, News

_COLOURS = {
    "red": "red", "green": "green", "blue": "bright_blue", "yellow": "yellow", "magenta": "magenta",
    "orange": "dark_orange", "pink": "bright_magenta", "white": "bright_white", "black": "default",
}  # fmt: skip
_ASCII = {
    "→": "->", "·": "|", "…": "...", "─": "-", "│": "|", "—": "-", "«": '"', "»": '"', "œ": "oe", "Œ": "OE",
    "\u2019": "'", "\u2013": "-", "\u00d7": "x", "●": "*", "▸": ">", "\u00a0": " ", "\u202f": " ",
}  # fmt: skip


def can_show_unicode() -> bool:
    """Whether the terminal can be assumed to show Unicode. Outside Windows, the locale must name UTF-8 too: Python
    alone reports UTF-8 even where no locale is set."""
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    if encoding != "utf8":
        return False
    if os.name == "nt":
        return True
    named = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    return "utf8" in named.lower().replace("-", "")


def to_ascii(text: str) -> str:
    """Reduce a text to ASCII: drop accents, replace known symbols.

    >>> to_ascii("à vous → main de Geai · ♥ cœur")
    'a vous -> main de Geai |  coeur'
    """
    spelled = "".join(_ASCII.get(sign, sign) for sign in text)
    return unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()


def fold(text: str) -> str:
    """Normalize a word for comparison: without case and accents."""
    spelled = text.replace("œ", "oe").replace("Œ", "oe").casefold()
    return "".join(sign for sign in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(sign))


class Pen:
    """Formats text of one game for one terminal."""

    def __init__(self, legend: Legend, *, unicode: bool) -> None:
        self.legend = legend
        self.unicode = unicode

    def plain(self, text: str) -> str:
        """Convert a text to what the terminal can show."""
        return text if self.unicode else to_ascii(text)

    def text(self, text: str, style: str = "") -> Text:
        """Make a styled text; text appended to it does not inherit the style."""
        made = Text(self.plain(text))
        if style:
            made.stylize(style)
        return made

    def card(self, code: str | None, style: str = "") -> Text:
        """Format a card in its colour: its code, with the glyph in place of the suit's letter if the terminal shows
        Unicode."""
        if code is None:
            return self.text("▒▒" if self.unicode else "??", "dim")
        face = self.legend.faces[code]
        suit = next((each for each in face.prints if each.glyph), None) if self.unicode else None
        text = face.text if suit is None else face.text.removesuffix(suit.short) + suit.glyph
        return self.text(text, f"{self.colour(code)} {style}".strip())

    def colour(self, code: str) -> str:
        prints = self.legend.faces[code].prints
        named = next((each.colour for each in prints if each.colour), "")
        return _COLOURS.get(named, "bold" if not prints else "")

    def cards(self, codes: Iterable[str | None], legal: Sequence[bool] | None = None) -> Text:
        """Format cards in a row, highlighting the legal ones."""
        line = Text()
        for number, code in enumerate(codes):
            if number:
                line.append(" ")
            style = "" if legal is None else "bold underline" if legal[number] else "dim"
            line.append_text(self.card(code, style))
        return line

    def news(self, news: News) -> Text:
        """Format a sentence of the event log, with the cards it mentions in their colours."""
        line = self.text(news.text, _STYLES.get(news.kind, ""))
        for code in news.cards:
            written = re.escape(self.plain(self.legend.faces[code].text))
            style = f"bold {self.colour(code)}".strip()
            line.highlight_regex(rf"(?<![\w]){written}(?![\w])", style)
        return line


_STYLES = {"round_began": "bold", "match_ended": "bold", "scored": "green", "marked": "green", "paid": "yellow",
           "gained": "yellow"}  # fmt: skip

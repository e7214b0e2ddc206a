"""How things are written on a terminal: cards with their glyphs and colours, and text the terminal can show.

In: a legend, and what the terminal can. Out: `rich` texts, and strings without characters that it lacks.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence

from rich.text import Text

from hoyle.table.model import Legend, News

_COLOURS = {
    "red": "red", "green": "green", "blue": "bright_blue", "yellow": "yellow", "magenta": "magenta",
    "orange": "dark_orange", "pink": "bright_magenta", "white": "bright_white", "black": "default",
}  # fmt: skip
_ASCII = {
    "→": "->", "·": "|", "…": "...", "─": "-", "│": "|", "—": "-", "«": '"', "»": '"', "œ": "oe", "Œ": "OE",
    "\u2019": "'", "\u2013": "-", "\u00d7": "x", "●": "*", "▸": ">", "\u00a0": " ", "\u202f": " ",
}  # fmt: skip


def can_show_unicode() -> bool:
    """Whether the terminal is known to show more than ASCII: both Python and the locale must say so, because Python
    takes the locale of a machine that names none for UTF-8."""
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    if encoding != "utf8":
        return False
    if os.name == "nt":
        return True
    named = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    return "utf8" in named.lower().replace("-", "")


def to_ascii(text: str) -> str:
    """The text with nothing but ASCII: accents dropped, signs spelled out.

    >>> to_ascii("à vous → main de Geai · ♥ cœur")
    'a vous -> main de Geai |  coeur'
    """
    spelled = "".join(_ASCII.get(sign, sign) for sign in text)
    return unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()


def fold(text: str) -> str:
    """A word without case and accents, as it is compared."""
    spelled = text.replace("œ", "oe").replace("Œ", "oe").casefold()
    return "".join(sign for sign in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(sign))


class Pen:
    """Writes for one game on one terminal."""

    def __init__(self, legend: Legend, *, unicode: bool) -> None:
        self.legend = legend
        self.unicode = unicode

    def plain(self, text: str) -> str:
        """A text as the terminal can show it."""
        return text if self.unicode else to_ascii(text)

    def text(self, text: str, style: str = "") -> Text:
        """A text in a style, which what is appended to it does not take on."""
        made = Text(self.plain(text))
        if style:
            made.stylize(style)
        return made

    def card(self, code: str | None, style: str = "") -> Text:
        """A card: its letters always, its glyph where the terminal can, in its colour."""
        if code is None:
            return self.text("▒▒" if self.unicode else "??", "dim")
        face = self.legend.faces[code]
        glyph = next((each.glyph for each in face.prints if each.glyph), "") if self.unicode else ""
        return self.text(face.text + glyph, f"{self.colour(code)} {style}".strip())

    def colour(self, code: str) -> str:
        prints = self.legend.faces[code].prints
        named = next((each.colour for each in prints if each.colour), "")
        return _COLOURS.get(named, "bold" if not prints else "")

    def cards(self, codes: Iterable[str | None], legal: Sequence[bool] | None = None) -> Text:
        """Cards one after another; those that can be picked stand out."""
        line = Text()
        for number, code in enumerate(codes):
            if number:
                line.append(" ")
            style = "" if legal is None else "bold underline" if legal[number] else "dim"
            line.append_text(self.card(code, style))
        return line

    def news(self, news: News) -> Text:
        """A sentence with the cards it names in their colours."""
        line = self.text(news.text, _STYLES.get(news.kind, ""))
        for code in news.cards:
            written = re.escape(self.plain(self.legend.faces[code].text))
            style = f"bold {self.colour(code)}".strip()
            line.highlight_regex(rf"(?<![\w]){written}(?![\w])", style)
        return line


_STYLES = {"round_began": "bold", "match_ended": "bold", "scored": "green", "marked": "green", "paid": "yellow"}

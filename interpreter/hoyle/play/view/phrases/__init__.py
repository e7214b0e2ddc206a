"""Phrase templates that fit any game: one table per display language.

In: nothing. Out: `PHRASES[language][phrase]`, templates with the same placeholders in every language. A new language is
one more table here; the names of a game are translated in its rule file, under `labels:`.
"""

from __future__ import annotations

from hoyle.play.view.phrases.english import ENGLISH
from hoyle.play.view.phrases.french import FRENCH

DEFAULT = "en"
PHRASES: dict[str, dict[str, str]] = {"en": ENGLISH, "fr": FRENCH}

__all__ = ["DEFAULT", "ENGLISH", "FRENCH", "PHRASES"]

"""What is said of any game, in each language there is: one table of phrases per language.

In: nothing. Out: `PHRASES[language][phrase]`, templates with the same places in every language. A translator who adds a
language adds one table here; the names of a game are translated in its rule file, under `labels:`.
"""

from __future__ import annotations

from hoyle.view.phrases.english import ENGLISH
from hoyle.view.phrases.french import FRENCH

DEFAULT = "en"
PHRASES: dict[str, dict[str, str]] = {"en": ENGLISH, "fr": FRENCH}

__all__ = ["DEFAULT", "ENGLISH", "FRENCH", "PHRASES"]

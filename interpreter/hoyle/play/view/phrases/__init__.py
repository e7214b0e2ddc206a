"""Phrase templates that fit any game: one file per display language.

In: nothing. Out: `PHRASES[language][phrase]`, templates with the same placeholders in every language. A new language is
one more file here, with what it calls itself under `language`, and another with the page's own texts, `words.de.json`;
the names of a game are translated in its rule file, under `labels:`. Words such as `play|plays` have a form for the
second person and one for the third.
"""

from __future__ import annotations

import json
from pathlib import Path

DEFAULT = "en"
PHRASES: dict[str, dict[str, str]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(__file__).parent.glob("*.json"))
}

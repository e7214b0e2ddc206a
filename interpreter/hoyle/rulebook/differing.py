"""The chapter on what a variant changes.

In: a document that extends others. Out: points, one for every clause that differs from a direct parent.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from hoyle.diagnostics.report import Report
from hoyle.document.merging import Document, put_together
from hoyle.rulebook.book import Point
from hoyle.rulebook.speaking import Speech, sentence
from hoyle.variants.differences import Difference, compare
from hoyle.view.locale import Locale

_BESIDE = ("cite", "labels", "table", "quiet")
_CLAUSE = {"text", "cite", "label", "call", "is", "when", "value", "score", "for_each", "offer"}


def tell_differences(document: Document, locale: Locale, speech: Speech) -> Iterator[Point]:
    """Yield the differences from each direct parent; none for a game without parents."""
    for parent in document.files[-1].parents:
        old = put_together(parent, Report())
        if old is None:
            continue
        for found in compare(old, document):
            if found.path[-1] not in _BESIDE and found.path[0] not in _BESIDE:
                yield _tell(found, locale, speech)


def _tell(found: Difference, locale: Locale, speech: Speech) -> Point:
    name = found.name.replace(".", ": ").replace("_", " ")
    if found.lines:
        below = tuple(
            Point(locale.say("book_added" if line[0] == "+" else "book_removed", what=_say(line[1:], speech)))
            for line in found.lines
        )
        return Point("", name, below=below)
    if found.kind == "changed":
        old, new = (text if text in ("true", "false") else _say(text, speech) for text in (found.old, found.new))
        return Point(locale.say("book_changed", old=old, new=new), name)
    if found.kind == "moved":
        return Point(locale.say("book_moved", new=found.new.replace("_", " ")), name)
    phrase = "book_added" if found.kind == "added" else "book_removed"
    return Point(locale.say(phrase, what=_say(found.new or found.old, speech)), name)


def _say(text: str, speech: Speech) -> str:
    plain = text.strip()
    if plain.startswith("{"):
        return _say_clause(plain, speech)
    return plain if plain.endswith(".") or not plain else sentence(speech.say(plain)).rstrip(".")


def _say_clause(written: str, speech: Speech) -> str:
    """Verbalize a clause in flow style: its description, then each of its rules."""
    try:
        parts = yaml.safe_load(written)
    except yaml.YAMLError:
        return written.strip("{}")
    if not isinstance(parts, dict) or not _CLAUSE.issuperset(parts):
        return written.strip("{}")  # several clauses at once, with descriptions among them
    own = parts.pop("text", "")
    parts.pop("cite", None)
    rules = [sentence(speech.say(str(part))) if key == "is" else f"{key.replace('_', ' ')}: {speech.say(str(part))}."
             for key, part in parts.items()]  # fmt: skip
    return " ".join([sentence(str(own)), *rules]).strip().rstrip(".")

"""The chapter on what a variant changes.

In: a document that extends others. Out: points, one for every clause that differs from a direct parent.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from hoyle.authoring.rulebook.book import Point
from hoyle.authoring.rulebook.course import Course
from hoyle.authoring.rulebook.english import sentence
from hoyle.authoring.rulebook.phrasing import Phrasing
from hoyle.base.diagnostics.report import Report
from hoyle.language.document.merging import Document, put_together
from hoyle.language.queries import text_span
from hoyle.language.syntax.parse import parse
from hoyle.language.variants.differences import Difference, compare
from hoyle.play.view.locale import Locale

_BESIDE = ("cite", "labels", "table", "quiet")
_CLAUSE = {"text", "cite", "label", "call", "is", "when", "value", "score", "for_each", "offer"}


def tell_differences(document: Document, locale: Locale, phrasing: Phrasing) -> Iterator[Point]:
    """Yield the differences from each direct parent; none for a game without parents."""
    for parent in document.files[-1].parents:
        old = put_together(parent, Report())
        if old is None:
            continue
        for found in compare(old, document):
            if found.path[-1] not in _BESIDE and found.path[0] not in _BESIDE:
                yield _tell(found, locale, phrasing)


def _tell(found: Difference, locale: Locale, phrasing: Phrasing) -> Point:
    name = found.name.replace(".", ": ").replace("_", " ")
    if found.lines:
        below = tuple(
            Point(locale.say("book_added" if line[0] == "+" else "book_removed", what=_say(line[1:], phrasing)))
            for line in found.lines
        )
        return Point("", name, below=below)
    if found.kind == "changed":
        old, new = (text if text in ("true", "false") else _say(text, phrasing) for text in (found.old, found.new))
        return Point(locale.say("book_changed", old=old, new=new), name)
    if found.kind == "moved":
        return Point(locale.say("book_moved", new=found.new.replace("_", " ")), name)
    phrase = "book_added" if found.kind == "added" else "book_removed"
    return Point(locale.say(phrase, what=_say(found.new or found.old, phrasing)), name)


def _say(text: str, phrasing: Phrasing) -> str:
    plain = text.strip()
    if plain.startswith("{"):
        return _say_clause(plain, phrasing)
    return plain if plain.endswith(".") or not plain else sentence(say_text(plain, phrasing)).rstrip(".")


def say_text(text: str, phrasing: Phrasing) -> str:
    """Say a rule that is given as a text: statements, or an expression; what cannot be read, as it is."""
    span, report = text_span(text), Report()
    expression = parse("expr", span, report, relations=phrasing.relations)
    if expression is not None and not report.failed:
        return phrasing.name(expression)
    report = Report()
    block = parse("steps", span, report, relations=phrasing.relations)
    told = Course(phrasing).tell(block) if block and not report.failed else ()
    return "; ".join(point.text.rstrip(".:") for point in told) or text.replace("_", " ")


def _say_clause(written: str, phrasing: Phrasing) -> str:
    """Verbalize a clause in flow style: its description, then each of its rules."""
    try:
        parts = yaml.safe_load(written)
    except yaml.YAMLError:
        return written.strip("{}")
    if not isinstance(parts, dict) or not _CLAUSE.issuperset(parts):
        return written.strip("{}")  # several clauses at once, with descriptions among them
    own = parts.pop("text", "")
    parts.pop("cite", None)
    told = {key: say_text(str(part), phrasing) for key, part in parts.items()}
    rules = [sentence(said) if key == "is" else f"{key.replace('_', ' ')}: {said}." for key, said in told.items()]
    return " ".join([sentence(str(own)), *rules]).strip().rstrip(".")

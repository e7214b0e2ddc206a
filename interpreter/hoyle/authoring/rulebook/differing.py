"""The chapter on what a variant changes.

In: a document that extends others. Out: points, one for every clause that differs from a direct parent: its sentence,
or, where it has none, its rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.authoring.rulebook.book import Point
from hoyle.authoring.rulebook.course import Course
from hoyle.authoring.rulebook.english import in_words, sentence
from hoyle.authoring.rulebook.phrasing import Phrasing
from hoyle.base.diagnostics.report import Report
from hoyle.language.document.clauses import Path
from hoyle.language.document.merging import Document, put_together
from hoyle.language.document.nodes import Mapping, Node, Scalar
from hoyle.language.queries import text_span
from hoyle.language.syntax.parse import parse
from hoyle.language.variants.differences import Difference, compare
from hoyle.play.view.locale import Locale

_TOLD = ("options", "zones", "definitions", "actions", "choices", "steps", "scores", "ends", "winners")
_PARTS = ("allowed", "possible", "forbidden", "cases", "values", "choose", "is")  # of a clause, not names of the game
_BESIDE = ("cite", "quiet", "keep", "range", "values", "type")


def tell_differences(document: Document, locale: Locale, phrasing: Phrasing) -> Iterator[Point]:
    """Yield the differences from each direct parent; none for a game without parents."""
    for parent in document.files[-1].parents:
        old = put_together(parent, Report())
        told: set[Path] = set()
        for found in compare(old, document) if old is not None else ():
            if old is None or found.path[0] not in _TOLD or found.path[-1] in _BESIDE:
                continue
            root = old.root if found.kind == "removed" else document.root
            for clause, text in _list_texts(root, found.path):
                if clause not in told and (text or found.path[0] != "definitions" or found.new.isdecimal()):
                    told.add(clause)
                    yield from _tell(found, clause, text, locale, phrasing)


def list_changed_options(document: Document) -> set[str]:
    """The options that a variant sets otherwise than any game it goes back to."""
    older = [old for file in document.files[:-1] if (old := put_together(file, Report())) is not None]
    found = (each for old in older for each in compare(old, document))
    return {each.path[1] for each in found if each.path[0] == "options" and each.path[2:] == ("default",)}


def _list_texts(root: Mapping, path: Path) -> Iterator[tuple[Path, str]]:
    """The clauses that a difference is about, each with its sentence: those within, or the nearest around it."""
    node: Node | None = root
    nearest = path, ""
    for depth, name in enumerate(path):
        node = next((each.value for each in node if each.name == name), None) if isinstance(node, Mapping) else None
        if isinstance(node, Mapping) and isinstance(said := node.get("text"), Scalar):
            nearest = path[: depth + 1], " ".join(said.text.split())
    within = [] if nearest[0] == path or not isinstance(node, Mapping) else list(node)
    named = [found for entry in within for found in _list_texts(root, (*path, entry.name)) if len(found[0]) > len(path)]
    yield from named or [nearest]


def _tell(found: Difference, clause: Path, text: str, locale: Locale, phrasing: Phrasing) -> Iterator[Point]:
    name = _name(clause, locale)
    gone_or_new = {"added": "book_added", "removed": "book_removed"}.get(found.kind if clause == found.path else "")
    if found.kind == "changed" and _is_plain(found.new) and (clause[0] != "options" or found.path[-1] == "default"):
        new, old = _say_value(found.new), _say_value(found.old) if _is_plain(found.old) else ""
        said = locale.say("book_changed", old=old, new=new) if old else new
        yield Point(f"{sentence(said)} {text}".rstrip(), name)
    elif text and clause[0] == "options" and not gone_or_new:
        return  # the sentence or the bounds of an option: the chapter on options has them
    elif text:
        yield Point(locale.say(gone_or_new, what=text) if gone_or_new else text, name)
    elif found.lines:
        for line in found.lines:
            phrase = "book_added" if line[0] == "+" else "book_removed"
            yield Point(locale.say(phrase, what=_say(line[1:], phrasing)), name)
    elif found.kind == "changed":
        said = locale.say("book_changed", old=_say(found.old, phrasing), new=_say(found.new, phrasing))
        yield Point(sentence(said), name)
    elif found.kind == "moved":
        yield Point(locale.say("book_moved", new=in_words(found.new)), name)
    else:
        phrase = "book_added" if found.kind == "added" else "book_removed"
        yield Point(locale.say(phrase, what=_say(found.new or found.old, phrasing)), name)


def _name(clause: Path, locale: Locale) -> str:
    section, *parts = clause
    if section == "actions" and parts:
        return locale.action(parts[0])
    return ": ".join(in_words(part.partition(" of ")[0]) for part in parts or [section] if part not in _PARTS)


def _is_plain(value: str) -> bool:
    return value.isdecimal() or value.isidentifier()


def _say_value(value: str) -> str:
    return {"true": "yes", "false": "no"}.get(value) or in_words(value)


def _say(text: str, phrasing: Phrasing) -> str:
    """Say a rule that is given as a text: an expression, or statements; what cannot be read, as it is."""
    span, report = text_span(text.strip()), Report()
    expression = parse("expr", span, report, relations=phrasing.relations)
    if expression is not None and not report.failed:
        return sentence(phrasing.name(expression)).rstrip(".")
    report = Report()
    block = parse("steps", span, report, relations=phrasing.relations)
    told = Course(phrasing).tell(block) if block and not report.failed else ()
    return "; ".join(point.text.rstrip(".:") for point in told) or in_words(text.strip("{}"))

"""What decides play: the sections of a game that a stored match depends on, each as a digest.

In: declarations. Out: section -> digest. Titles, texts, labels, citations, the look of the table and hints for bots are
left out, so that a match outlives their changes.
"""

from __future__ import annotations

from hoyle.base.digest import digest_tree
from hoyle.language.declare.declarations import Declarations

_SECTIONS: dict[str, tuple[str, ...]] = {
    "options": ("options",),
    "deck": ("deck", "kinds"),
    "zones": ("zones",),
    "state": ("states", "pots"),
    "teams": ("team_size", "teams_if"),
    "definitions": ("definitions",),
    "score": ("scores", "most", "columns", "marks", "struck", "column_totals", "standing"),
    "actions": ("actions", "errors"),
    "choices": ("choices",),
    "steps": ("steps",),
    "ends": ("ends",),
    "winners": ("winners",),
}


def digest_sections(declared: Declarations) -> dict[str, str]:
    """The digest of every section that decides play."""
    if declared.deciding is None:
        found = {part: getattr(declared, part) for parts in _SECTIONS.values() for part in parts}
        found |= {"columns": tuple(declared.columns), "marks": tuple(declared.marks)}  # their labels are texts
        found["options"] = [
            (each.name, each.kind, each.low, each.high, each.or_none, each.values) for each in declared.options.values()
        ]  # not their defaults: a match has the values it was begun with
        declared.deciding = {
            section: digest_tree([found[part] for part in parts]) for section, parts in _SECTIONS.items()
        }
    return declared.deciding

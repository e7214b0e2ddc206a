"""Parts of what a room answers, as plain data.

In: sentences, reasons, choices, the program of a table. Out: their data; reasons with the rules that they come from;
the rules in force.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hoyle.base.diagnostics.report import Report
from hoyle.play.table import Host, Menu, News, Reason, find_way
from hoyle.play.table.why_not import tell_rule

if TYPE_CHECKING:
    from hoyle.authoring.rulebook import Point
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Decision
    from hoyle.program.ir.nodes import Program


def spell_news(news: News) -> dict[str, object]:
    moves = [{"cards": move.cards, "source": move.source, "target": move.target} for move in news.moves]
    return {"text": news.text, "kind": news.kind, "seat": news.seat, "cards": news.cards, "moves": moves}


def cite_rules(reason: Reason, host: Host) -> Reason:
    """Add to a reason without citations the rules cited by the nearest enclosing clause that has some."""
    cited = {clause.path: clause.cite for clause in host.program.clauses if clause.cite}
    path = reason.path
    while path and path not in cited:
        path = path.rpartition(".")[0]
    if reason.cite or not path:
        return reason
    speaker, rules = host.speak_to(None), host.program.rules
    told = tuple(tell_rule(rules[each], speaker) for each in cited[path] if each in rules)
    return replace(reason, cite=cited[path], rules=told)


def spell_choice(decision: Decision, menu: Menu | None, chosen: Action) -> dict[str, object]:
    """Return the index of an action among those offered, its number, and its way in the menu."""
    place = decision.place(chosen.choice)
    found = find_way(menu, place) if menu is not None else None
    number = chosen.choice[-1] if decision.actions[place].number is not None else None
    way = None if found is None else {"text": found[1].text, "picks": found[1].picks}
    return {"choice": place, "number": number, "way": way}


def tell_book(
    path: Path, report: Report, language: str, text: str | None, table: Program
) -> list[dict[str, object]] | None:
    """The chapters of the rules in force at a table; None after reporting errors of the file."""
    from hoyle.authoring.rulebook import write_book  # slow to import, and seldom asked for

    book = write_book(path, report, language, text=text, table=table)
    if book is None:
        return None
    return [{"title": each.title, "points": [_spell_point(point) for point in each.points]} for each in book.chapters]


def _spell_point(point: Point) -> dict[str, object]:
    below = [_spell_point(each) for each in point.below]
    return {"name": point.name, "text": point.text, "cite": point.cite, "below": below}

"""Reading of zones, states, pots and the ledger.

In: entries of `zones:`, `state:` and `pots:`, and `ledger:`. Out: their declarations.
"""

from __future__ import annotations

import re

from hoyle.base.diagnostics.report import Fix, respell
from hoyle.base.source import Span
from hoyle.language.declare.declarations import Declarations, PotDecl, StateDecl, ZoneDecl
from hoyle.language.declare.reader import Reader
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar
from hoyle.language.syntax import ast

SHOWN = ("nothing", "owner", "all_but_owner", "last_holder", "top_card", "face_up", "all")
SEEN_BY = {
    "top": "top_card", "topcard": "top_card", "everyone": "all", "everybody": "all", "everything": "all",
    "public": "all", "yes": "all", "true": "all", "cards": "all", "open": "all",
    "nobody": "nothing", "none": "nothing",
    "no": "nothing", "false": "nothing", "hidden": "nothing", "secret": "nothing", "face_down": "nothing",
    "no_one": "nothing", "own": "owner", "self": "owner", "private": "owner", "player": "owner", "seat": "owner",
    "owner_only": "owner", "others": "all_but_owner", "everybody_but_owner": "all_but_owner",
    "everyone_but_owner": "all_but_owner", "not_owner": "all_but_owner", "all_but_the_owner": "all_but_owner",
    "faceup": "face_up", "turned_up": "face_up", "holder": "last_holder", "giver": "last_holder",
}  # fmt: skip


def read_zone(reader: Reader, entry: Entry, declared: Declarations) -> None:
    line = reader.line(f"zones.{entry.key.text}", entry.key, entry.value)
    node = entry.value
    shows: ast.Expr | None = ast.Name(id="nothing", span=entry.key.span)
    family: tuple[ast.Word, ...] = ()
    quiet = remembered = False
    many: ast.Expr | None = None
    if isinstance(node, Mapping):
        said = node.get("shows")
        if said is None:
            likely = "owner" if node.get("of") is not None else "all"
            shows = ast.Name(id=likely, span=entry.key.span)
            reader.report.error(
                "who-sees",
                f"the zone `{entry.key.text}` does not say who sees its cards",
                entry.key.span,
                hint="add `shows: nothing`, `owner`, `last_holder`, `top_card` or `all`",
                fix=_say_who_sees(node, (likely, "nothing", "top_card")),
            )
        else:
            shows = _read_shows(reader, said)
        family = reader.family(node)
        quiet = reader.is_quiet(node)
        number = node.get("many")
        many = reader.expr(number) if number is not None else None
        remembered = reader.one_of(node.get("remembered"), "remembered", ("nothing", "all")) == "all"
    if shows is None:
        declared.lost.add(entry.key.text)
    else:
        declared.zones[entry.key.text] = ZoneDecl(entry.key.text, line, family, shows, quiet, many, remembered)


def _say_who_sees(node: Mapping, words: tuple[str, ...]) -> list[Fix]:
    """Fixes that add a visibility to a zone in flow style."""
    if not node.span.text.endswith("}") or not node.entries:
        return []
    end = Span(node.span.source, node.span.end - 1, node.span.end)
    return [Fix(end, f", shows: {word}}}", sure=False) for word in words]


def _read_shows(reader: Reader, node: Node) -> ast.Expr | None:
    """The visibility of a zone: a keyword, or an expression over keywords."""
    text = " ".join(node.text.split()) if isinstance(node, Scalar) else ""
    if not text or text in SHOWN or re.search(r"\bif\b|\botherwise\b", text):
        return reader.expr(node)
    plain = re.sub(r"^(?:only |the |a |its |to )+", "", text.lower()).replace("-", "_").replace(" ", "_")
    meant = SEEN_BY.get(plain, "")
    fixes = (Fix(node.span, meant),) if meant else respell(node.span, plain, SHOWN)
    reader.report.error(
        "bad-value",
        f"`shows` must be {', '.join(f'`{word}`' for word in SHOWN[:-1])} or `{SHOWN[-1]}`, not `{text[:60]}`",
        node.span,
        hint="or one of them if a condition holds, and another otherwise: `all if open otherwise owner`",
        fix=fixes,
    )
    return ast.Name(id=fixes[0].text if fixes else "nothing", span=node.span)


SEES = ("all", "owner", "nothing")


def read_state(reader: Reader, entry: Entry, declared: Declarations) -> None:
    line = reader.line(f"state.{entry.key.text}", entry.key, entry.value)
    node = entry.value
    name = entry.key.text
    if isinstance(node, Scalar):
        declared.states[name] = StateDecl(name, line, (), node.body, None, "all", "round")
        return
    if not isinstance(node, Mapping):
        return
    kind, start, shows, lasts = node.get("type"), node.get("start"), node.get("shows"), node.get("lasts")
    if not isinstance(kind, Scalar) and reader.report.may_lack(name):
        return
    if not isinstance(kind, Scalar):
        reader.report.error("missing-key", f"the state `{name}` has no `type:`", entry.key.span)
        declared.lost.add(name)
        return
    most = node.get("most")
    declared.states[name] = StateDecl(
        name,
        line,
        reader.family(node),
        kind.body,
        reader.expr(start) if start is not None else None,
        reader.one_of(shows, "shows", SEES),
        "match" if reader.one_of(lasts, "lasts", ("round", "match")) == "match" else "round",
        shows.span if shows is not None else None,
        reader.is_quiet(node),
        reader.expr(most) if most is not None else None,
    )


def read_pot(reader: Reader, entry: Entry, declared: Declarations) -> None:
    """Read one pot: its owners, its initial content, and whether it may be in debt."""
    name, node = entry.key.text, entry.value
    line = reader.line(f"pots.{name}", entry.key, node)
    if isinstance(node, Mapping):
        start, debt, shows = node.get("start"), node.get("debt"), node.get("shows")
        declared.pots[name] = PotDecl(
            name,
            line,
            reader.family(node),
            reader.expr(start) if start is not None else None,
            reader.expr(debt) if debt is not None else None,
            reader.one_of(shows, "shows", SEES),
            shows.span if shows is not None else None,
        )


def read_ledger(reader: Reader, entry: Entry, declared: Declarations) -> None:
    """Read the score sheet: columns, marks, struck lines and totals."""
    node = entry.value
    if not isinstance(node, Mapping):
        return
    reader.line("ledger", entry.key, node)
    most, track = node.get("at_most"), node.get("track")
    declared.most = reader.expr(most) if most is not None else None
    declared.track = reader.expr(track) if track is not None else None
    declared.columns = _labels(node.get("columns"))
    declared.marks = _labels(node.get("marks"))
    struck, standing = node.get("struck"), node.get("standing")
    declared.struck = reader.expr(struck) if struck is not None else None
    declared.standing = reader.expr(standing) if standing is not None else None
    totals = node.get("totals")
    for one in totals.entries if isinstance(totals, Mapping) else ():
        total = reader.expr(one.value)
        if total is not None:
            declared.column_totals[one.key.text] = (one.key.span, total)


def _labels(node: Node | None) -> dict[str, str]:
    """Names with their labels."""
    if not isinstance(node, Mapping):
        return {}
    return {e.key.text: e.value.text for e in node.entries if isinstance(e.value, Scalar)}

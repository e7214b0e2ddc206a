"""Edits of statements by a variant: insert, replace, remove, prepend, append.

In: a list of edits over a text of statements. Out: a `Block`, the text with its edits. The addressed statements are
resolved later, when texts are parsed.
"""

from __future__ import annotations

from typing import get_args

from hoyle.base.diagnostics.report import Label, Report
from hoyle.language.document.clauses import Path
from hoyle.language.document.nodes import Block, Edit, EditVerb, Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.paths import shown

VERBS: tuple[EditVerb, ...] = get_args(EditVerb)
_ENDS = ("first", "last")


def put_edits(base: Node | None, over: Sequence, path: Path, by: str, report: Report) -> Node:
    """The statements of `base` with the edits of `over`; a base without statements is reported."""
    edits = tuple(edit for item in over if (edit := _read_edit(item, by, report)) is not None)
    if isinstance(base, Mapping) and isinstance(found := base.get("do"), Scalar | Block):
        entries = tuple(
            Entry(one.key, _edited(found, edits), one.mark, one.touches) if one.name == "do" else one for one in base
        )
        return Mapping(entries, over.span)
    if isinstance(base, Scalar | Block):
        return _edited(base, edits)
    cases = base.entry("cases") if isinstance(base, Mapping) else None
    report.error(
        "edit-nothing",
        f"there are no statements in `{shown(path)}` to change",
        over.items[0].span if over.items else over.span,
        others=(Label(cases.key.span, "it has cases"),) if cases else (),
        hint="change one of its cases by name" if cases else "write what is done as a text or a `|` block",
    )
    return base if base is not None else over


def _edited(base: Scalar | Block, edits: tuple[Edit, ...]) -> Block:
    if isinstance(base, Block):
        return Block(base.text, (*base.edits, *edits))
    return Block(base, edits)


def _read_edit(item: Node, by: str, report: Report) -> Edit | None:
    verbs = [entry for entry in item if entry.name in VERBS] if isinstance(item, Mapping) else []
    if not isinstance(item, Mapping) or len(verbs) != 1:
        report.error(
            "bad-edit",
            "each item says one thing that is done with the statements",
            verbs[1].key.span if len(verbs) > 1 else item.span,
            "and this is another" if len(verbs) > 1 else "",
            hint="`{before: STATEMENT, do: …}`, `{after: STATEMENT, do: …}`, `{replace: STATEMENT, do: …}`, "
            "`{remove: STATEMENT}`, `{first: …}` or `{last: …}`",
        )
        return None
    said, do = verbs[0], item.entry("do")
    verb: EditVerb = said.name  # type: ignore[assignment]  # one of VERBS
    wants_do = verb in ("before", "after", "replace")
    if (do is not None) != wants_do:
        report.error(
            "bad-edit",
            f"`{verb}` does not say what is done there" if wants_do else f"`do` has no meaning beside `{verb}`",
            said.key.span if do is None else do.key.span,
            hint="add `do:` with the statements" if wants_do else "leave it out",
        )
        return None
    body = said.value if verb in _ENDS else do.value if do is not None else None
    anchor = None if verb in _ENDS else said.value
    if not isinstance(body, Scalar | None) or not isinstance(anchor, Scalar | Sequence | None):
        return None  # reported by schema validation
    return Edit(verb, anchor, body, by, said.key.span.to(said.value.span))

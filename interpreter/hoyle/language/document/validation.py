"""Schema validation: the nodes of a file against a JSON Schema.

In: the root of a file and the name of a schema. Out: diagnostics, each at the node it concerns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from hoyle.base.diagnostics.report import MOST_FINDINGS, Fix, Report, say_candidates
from hoyle.base.shipped import schema_text
from hoyle.base.source import Span
from hoyle.language.document.file_limits import is_full
from hoyle.language.document.guesses import (
    SAID_ELSEWHERE,
    guess_bounds,
    guess_entry,
    guess_key,
    guess_name,
    guess_value,
    names_in,
)
from hoyle.language.document.incremental import is_valid, keep_valid
from hoyle.language.document.merge_errors import MARKS, report_bare_mark
from hoyle.language.document.named_entries import find_statements, make_block, mark_block, name_items
from hoyle.language.document.nodes import Block, Edit, Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.schema_recovery import Changes, prune
from hoyle.language.document.schema_rules import Schema, Violation, find_violations
from hoyle.language.document.value_tables import is_table, make_cases

_KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "entries with names",
}


_KNOWN_KEYS = (
    "of", "shows", "type", "start", "default", "range", "values", "when", "do", "offer", "text", "is", "value",
)  # fmt: skip


_STATEMENT = re.compile(r"(?:if|otherwise|for each|repeat)\b")
_OF_MODULES = ("module", "arguments", "own", "inputs", "needs")


def validate(root: Mapping, schema_name: str, report: Report) -> Mapping:
    """Report all violations of the schema; returns the file without them, for further checks. Fixes of a rule file are
    verified later; for other files the most likely one is shown as a question."""
    if is_valid(root, schema_name):
        return root
    first = len(report.diagnostics)
    changes = Changes()
    for error in find_violations(plain(root), _read_schema(schema_name)):
        if is_full(report):
            break
        _report(error, root, report)
        _leave_out(error, root, changes)
    if schema_name != "game":
        report.diagnostics[first:] = [say_candidates(found) for found in report.diagnostics[first:]]
    for path in changes.dropped:
        known = 2 if path[0] == "actions" and len(path) > 2 else 0  # an action is there all the same
        report.lost |= {name for name in path[known:] if isinstance(name, str)}
        report.mentioned |= names_in(_Place(root, path).node, path)
    if len(report.diagnostics) == first:
        keep_valid(root, schema_name)
    return prune(root, changes) if changes != Changes() else root


def _leave_out(error: Violation, root: Mapping, changes: Changes) -> None:
    """Determine what a violation removes: a value of the wrong kind, or an unknown key, unless it can be renamed."""
    dropped, renamed = changes.dropped, changes.renamed
    path = error.path
    if error.rule == "required":
        return
    place = _Place(root, path)
    if error.rule == "additionalProperties" and isinstance(place.node, Mapping):
        known = tuple(error.schema.get("properties", {}))
        free = _list_free(known, place.node)
        unknown = [entry for entry in place.node if entry.name not in known]
        for number, entry in enumerate(unknown):
            meant = number < MOST_FINDINGS and not _is_case(entry, free)  # further ones are not reported
            guesses = guess_key(entry.key, free) if meant else []
            if guesses:
                renamed[*path, entry.name] = guesses[0].text
            else:
                dropped.add((*path, entry.name))
    elif error.of_name:
        name = str(error.value)
        named = place.node.entry(name) if isinstance(place.node, Mapping) else None
        guesses = guess_name(named.key) if named is not None else []
        if guesses:
            renamed[*path, name] = guesses[0].text
        else:
            dropped.add((*path, name))
    elif _is_one_of_a_list(error, place.node):
        changes.listed.add(path)
    elif path:
        dropped.add(find_statements(root, path) or path)


def _is_one_of_a_list(error: Violation, node: Node) -> bool:
    """Whether a single name stands where a list of names belongs."""
    is_listed = error.rule == "type" and error.wanted == "array"
    return is_listed and isinstance(node, Scalar) and node.text.isidentifier()


def _is_case(entry: Entry, free: Iterable[str]) -> bool:
    """Whether an entry is a case outside of `cases:`."""
    return "cases" in free and isinstance(entry.value, Mapping) and entry.value.entry("value") is not None


def _list_free(known: Iterable[str], node: Mapping) -> list[str]:
    """The keys that are valid in a place and not present yet."""
    taken = set(node.keys())
    return [name for name in known if name not in taken]


@cache
def _read_schema(name: str) -> Schema:
    found: Schema = json.loads(schema_text(name))
    return found


def plain(node: Node) -> Any:
    """A node as plain data; floats with integral values stay floats."""
    if isinstance(node, Mapping):
        return {entry.name: plain(entry.value) for entry in node}
    if isinstance(node, Sequence):
        return [plain(item) for item in node]
    if isinstance(node, Block):
        return {"text": node.text.text, "edits": [_plain_edit(edit) for edit in node.edits]}
    return node.value


def _plain_edit(edit: Edit) -> dict[str, object]:
    said = {edit.verb: plain(edit.anchor) if edit.anchor is not None else edit.do and edit.do.text}
    return said | ({"do": edit.do.text} if edit.do is not None and edit.anchor is not None else {})


def _report(error: Violation, root: Mapping, report: Report) -> None:
    rule = error.rule
    statements = find_statements(root, error.path)
    place = _Place(root, statements or error.path)
    if statements is not None and isinstance(place.node, Sequence):
        fixes = make_block(place.node, sure=root.entry("extends") is None)
        hint = "several statements stand in a `|` block, each on a line of its own"
        report.error("wrong-kind", f"`{place.path}` must be statements", place.value_span, "this is a list", hint=hint,
                     fix=fixes)  # fmt: skip
    elif rule == "not":
        what = "a module" if root.entry("module") else "a game"
        report.error("unknown-key", f"`{place.path}` has no place in {what}", place.key_span, hint="remove it")
    elif error.of_name:
        _report_name(error, place, report)
    elif rule == "additionalProperties":
        _report_unknown(error, place, root, report)
    elif rule == "required":
        _report_missing(error, place, report)
    elif error.value is None:
        report.error(
            "empty-value",
            f"`{place.path}` has a name but no value",
            place.key_span,
            "nothing stands behind it",
            hint=f"here stands {_kinds(error)}, or the line is left out",
            fix=guess_entry(place.entry.key, place.siblings) if place.entry is not None else (),
        )
    elif rule == "type":
        message = f"`{place.path}` must be {_kinds(error)}" if place.path else f"{_kinds(error)} wanted"
        label = f"this is {_kind_of(error.value)}"
        fixes = [*guess_value(place.path, place.node), *name_items(place.node)]
        wanted: Any = error.wanted
        if "array" in (wanted if isinstance(wanted, list) else [wanted]) and isinstance(place.node, Scalar):
            fixes.append(Fix(place.node.span, f"[{place.node.span.text.strip()}]"))
        if place.entry is not None and place.entry.name == "values":
            fixes.append(Fix(place.entry.key.span, "range"))
        report.error("wrong-kind", message, place.value_span, label, hint=_about(error.schema), fix=fixes)
    else:
        fixes = guess_value(place.path, place.node)
        report.error("bad-value", _sentence(error, place), place.value_span, hint=_about(error.schema), fix=fixes)
    if error.path and error.path[0] == "use" and not _is_one_of_a_list(error, place.node):
        report.incomplete = True  # the declarations of the modules are unknown


class _Place:
    """The node of a validation error, and the entry that contains it."""

    def __init__(self, root: Mapping, path: Iterable[str | int]) -> None:
        self.node: Node = root
        self.entry: Entry | None = None
        self.siblings: tuple[str, ...] = ()
        self.path = ""
        for step in path:
            if isinstance(self.node, Mapping):
                self.siblings = _KNOWN_KEYS
                self.entry = self.node.entry(str(step))
                assert self.entry is not None
                self.node = self.entry.value
                self.path += f".{step}" if self.path else str(step)
            elif isinstance(self.node, Sequence) and isinstance(step, int):
                self.node = self.node.items[step]
                self.entry = None
                self.path += f"[{step + 1}]"

    @property
    def key_span(self) -> Span:
        """The key of the entry; without one, the first line of the value."""
        return self.entry.key.span if self.entry else self.node.span.first_line

    @property
    def value_span(self) -> Span:
        """The value if it begins on the line of its key, else the key."""
        span = self.node.span.first_line
        return self.entry.key.span if self.entry and self.entry.key.span.line != span.line else span



def _report_unknown(error: Violation, place: _Place, root: Mapping, report: Report) -> None:
    assert isinstance(place.node, Mapping)
    known = tuple(error.schema.get("properties", {}))
    free = _list_free(known, place.node)
    if not place.path and place.node.entry("game") is not None:
        free = [name for name in free if name not in _OF_MODULES]
    where = f"in `{place.path}`" if place.path else "at the top of a file"
    unknown = [entry for entry in place.node if entry.name not in known]
    if place.entry is not None and place.path.startswith("definitions.") and is_table(unknown):
        named = ", ".join(f"`{entry.name}`" for entry in unknown[:3]) + (" and others" if len(unknown) > 3 else "")
        report.error("unknown-key", f"{named} have no meaning {where}", unknown[0].key.span,
                     hint="a table of values is said by `cases:`, each with a name, a `when` and a `value`",
                     fix=make_cases(place.entry.key, unknown, root))  # fmt: skip
        return
    bounds = guess_bounds(unknown) if "range" in free else []
    if bounds:
        named = _listed([entry.name for entry in unknown])
        report.error("unknown-key", f"{named} have no meaning {where}", bounds[0].span,
                     hint="from where to where it goes is said by `range`", fix=bounds)  # fmt: skip
        return
    for entry in unknown:
        if is_full(report):
            break
        fixes = [*guess_key(entry.key, free), *guess_entry(entry.key, known)]
        if place.path in ("players",):
            fixes += guess_value(place.path, place.node)
        hints = () if fixes or not free else (f"what may stand here: {_listed(free)}",)
        if not place.path and entry.name in SAID_ELSEWHERE:
            hints = (SAID_ELSEWHERE[entry.name],)
        if place.entry and place.path.startswith(("steps.", "actions.")) and _STATEMENT.match(entry.name):
            fixes, hints = mark_block(place.entry.key, entry.key), ("statements stand in a `|` block",)
        if _is_case(entry, free):
            fixes, hints = [], ("cases have names, and stand together under `cases:`",)
        if entry.name in MARKS:
            report_bare_mark(report, entry)
            continue
        report.error("unknown-key", f"`{entry.name}` has no meaning {where}", entry.key.span, hint=hints, fix=fixes)
        if place.path == "players" and fixes:
            return  # one range says all of it


def _report_missing(error: Violation, place: _Place, report: Report) -> None:
    wanted: Any = error.wanted
    assert isinstance(place.node, Mapping)
    known = tuple(_read_schema("game")["properties"]) if not place.path else tuple(error.schema.get("properties", {}))
    free = _list_free(known, place.node)
    misspelt = {fix.text for entry in place.node if entry.name not in known for fix in guess_key(entry.key, free)[:1]}
    lacking = (name for name in wanted if place.node.entry(name) is None and name not in misspelt)
    missing = [name for name in lacking if not report.may_lack(name)]
    if not missing:
        return
    if not place.path:
        message = f"the file has no {_listed(missing)}"
        span = place.node.entries[0].key.span if place.node.entries else place.key_span
    else:
        message, span = f"`{place.path}` has no {_listed(missing)}", place.key_span
    properties = error.schema.get("properties", {})
    hints = [f"`{name}`: {about}" for name in missing for about in _about(properties.get(name, {}))]
    report.error("missing-key", message, span, hint=hints)


def _report_name(error: Violation, place: _Place, report: Report) -> None:
    """Report an invalid name; the error has the name but not its location."""
    assert isinstance(place.node, Mapping)
    entry = place.node.entry(str(error.value))
    span = entry.key.span if entry else place.key_span
    fixes = guess_name(entry.key) if entry else []
    message = f"`{error.value}` cannot be a name here"
    report.error("bad-value", message, span, hint=_pattern_message(error), fix=fixes)


def _sentence(error: Violation, place: _Place) -> str:
    rule = error.rule
    wanted: Any = error.wanted
    if rule == "pattern":
        return f"`{place.path}` cannot be `{_short(error.value)}`: {_pattern_message(error)}"
    if rule == "enum":
        return f"`{place.path}` must be one of {_listed(wanted)}"
    if rule == "minimum":
        return f"`{place.path}` must be at least {wanted}"
    if rule == "maxItems":
        return f"`{place.path}` has more than {wanted} items"
    if rule in ("minItems", "minProperties"):
        return f"`{place.path}` is empty"
    return f"`{place.path}` cannot be `{_short(error.value)}`"


def _pattern_message(error: Violation) -> str:
    return str(error.schema.get("patternErrorMessage", "it is not written as it should be"))


def _about(schema: dict[str, object]) -> tuple[str, ...]:
    """The description in the schema, as a hint."""
    text = str(schema.get("description", "")).removesuffix(".")
    return (text[0].lower() + text[1:],) if text else ()


def _kinds(error: Violation) -> str:
    if error.rule != "type":
        return "a value"
    wanted: Any = error.wanted
    names = [_KINDS[kind] for kind in (wanted if isinstance(wanted, list) else [wanted])]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def _kind_of(value: object) -> str:
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int):
        return "a number"
    if isinstance(value, float):
        return "a fraction"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "a mapping"


def _listed(names: Iterable[object]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."

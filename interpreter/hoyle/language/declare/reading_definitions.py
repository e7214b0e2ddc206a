"""Reading of conditions and definitions in all their forms.

In: entries of `definitions:`, and the conditions of actions and options. Out: their declarations.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.language.declare.declarations import (
    AnyCondition,
    Body,
    Case,
    Condition,
    ConditionGroup,
    DefinitionDecl,
    Line,
)
from hoyle.language.declare.reader import Reader
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar

FORMS = ("any", "all", "none")
NOT_CONDITIONS = {"is", "text", "cite", "after", "before"}


def read_conditions(
    reader: Reader, path: str, key: Scalar, node: Node, *, negated: bool = False
) -> tuple[AnyCondition, ...]:
    """The value of `possible:`, `allowed:` or `forbidden:`: a text, `never`, named conditions, or `any:`, `all:`,
    `none:` of these. A variant may have added named conditions to an unnamed one, or to a group."""
    has_own = not isinstance(node, Mapping) or node.entry("is") is not None
    own = _read_condition(reader, path, key, node, negated=negated) if has_own else None
    members = tuple(_members(reader, path, node, negated=negated)) if isinstance(node, Mapping) else ()
    return (own, *members) if own is not None else members


def _members(reader: Reader, path: str, node: Mapping, *, negated: bool) -> Iterator[AnyCondition]:
    for entry in node.entries:
        name = entry.key.text
        if name in NOT_CONDITIONS:
            continue
        if name in FORMS:
            if isinstance(entry.value, Mapping):
                if negated:
                    reader.report.error(
                        "forbidden-group",
                        f"`forbidden` already means that any of its lines forbids; `{name}:` cannot stand under it",
                        entry.key.span,
                        hint="write the lines directly under `forbidden:`, or join them with `and`",
                    )
                yield _read_group(reader, path, Line(path, entry.key.span), name, entry.value)
            continue
        found = _read_condition(reader, f"{path}.{name}", entry.key, entry.value, negated=negated)
        if found:
            yield found


def _read_group(
    reader: Reader, path: str, line: Line, form: str, node: Mapping, *, negated: bool = False
) -> ConditionGroup:
    """Conditions under `any`, `all` or `none`; none of them holds if all do not, and where a group is forbidden, it is
    the same the other way round."""
    parts = tuple(_members(reader, path, node, negated=(form == "none") is not negated))
    return ConditionGroup("any" if (form == "any") is not negated else "all", line, parts)


def _read_condition(reader: Reader, path: str, key: Scalar, node: Node, *, negated: bool) -> AnyCondition | None:
    line = reader.line(path, key, node)
    body = node.get("is") if isinstance(node, Mapping) else node
    if body is None:
        assert isinstance(node, Mapping)
        form, inner = next(((form, node.get(form)) for form in FORMS if node.get(form) is not None), ("", None))
        return _read_group(reader, path, line, form, inner, negated=negated) if isinstance(inner, Mapping) else None
    if isinstance(body, Scalar) and body.text.strip() == "never":
        return Condition(line, None, negated)
    test = reader.expr(body)
    if isinstance(body, Scalar) and body.value is True:
        reader.report.error("always-true", "this condition always holds", body.span, hint="leave it out")
    return Condition(line, test, negated) if test is not None else None


def read_body(reader: Reader, path: str, key: Scalar, node: Node) -> Body | None:
    if isinstance(node, Scalar):
        expr = reader.expr(node)
        return Body(expr=expr) if expr is not None else None
    if not isinstance(node, Mapping):
        return None
    form = next((name for name in ("is", "cases", *FORMS) if node.get(name) is not None), "")
    inner = node.get(form)
    if inner is None:
        return None  # reported as a missing key by schema validation
    if form == "is":
        expr = reader.expr(inner)
        return Body(expr=expr) if expr is not None else None
    if not isinstance(inner, Mapping):
        return None
    if form == "cases":
        cases = tuple(_read_cases(reader, path, inner))
        return Body(cases=cases) if cases else None
    group = _read_group(reader, path, Line(path, key.span), form, inner)
    return Body(condition=group) if group.parts else None


def _read_cases(reader: Reader, path: str, node: Mapping) -> Iterator[Case]:
    for i, entry in enumerate(node.entries):
        last = i == len(node.entries) - 1
        line = reader.line(f"{path}.{entry.key.text}", entry.key, entry.value)
        when_node: Node | None = None
        value_node: Node | None
        if isinstance(entry.value, Scalar):
            value_node = entry.value
        elif isinstance(entry.value, Mapping):
            when_node, value_node = entry.value.get("when"), entry.value.get("value")
        else:
            continue
        if value_node is None:
            reader.report.error("missing-key", f"the case `{entry.key.text}` has no `value:`", entry.key.span)
            continue
        if (when_node is None) != last:
            reader.report.error(
                "case-order",
                "the last case has no `when:`, all others have one"
                if last
                else f"the case `{entry.key.text}` has no `when:`, so the cases below it are never reached",
                entry.key.span,
                hint="the last case says what holds otherwise: give it a `value:` alone",
            )
        when = reader.expr(when_node) if when_node is not None else None
        value = reader.expr(value_node)
        if value is not None and (when is not None or when_node is None):
            yield Case(line, when, value)


def read_definition(reader: Reader, entry: Entry, section: str) -> DefinitionDecl | None:
    pattern = reader.pattern(entry.key)
    if pattern is None:
        return None
    name = pattern.name.name
    path = f"{section}.{name}"
    line = reader.line(path, entry.key, entry.value)
    body = read_body(reader, path, entry.key, entry.value)
    if body is None:
        return None
    return DefinitionDecl(
        name,
        line,
        pattern,
        reader.owned(entry.value),
        read_takes(entry.value) if isinstance(entry.value, Mapping) else {},
        body,
    )


def read_takes(node: Mapping) -> dict[str, str]:
    """The types of parameters that are not named by their type."""
    takes = node.get("takes")
    if not isinstance(takes, Mapping):
        return {}
    return {e.key.text: e.value.text for e in takes.entries if isinstance(e.value, Scalar)}

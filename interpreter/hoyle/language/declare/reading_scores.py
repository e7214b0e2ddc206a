"""Reading of score tables: named rows with citations, added up.

In: an entry of `scores:`. Out: definitions for the rows and for their sum, and the declaration of the table.
"""

from __future__ import annotations

from hoyle.language.declare.declarations import Body, Declarations, DefinitionDecl, Line, RowDecl, ScoreDecl
from hoyle.language.declare.reader import Reader
from hoyle.language.declare.reading_definitions import read_body, read_takes
from hoyle.language.document.nodes import Entry, Mapping, Scalar
from hoyle.language.syntax import ast

NOT_ROWS = {"text", "cite", "of", "takes"}


def read_scores(reader: Reader, entry: Entry, declared: Declarations) -> None:
    """Read one table: each row becomes a definition, and so does their sum."""
    pattern = reader.pattern(entry.key)
    node = entry.value
    if pattern is None or not isinstance(node, Mapping):
        return
    name = pattern.name.span.source.renames.get(pattern.name.id, pattern.name.id)
    line = reader.line(f"scores.{name}", entry.key, node)
    owned, takes = reader.owned(node), read_takes(node)
    rows = []

    def define(path: str, at: Line, body: Body) -> None:
        declared.definitions[path] = DefinitionDecl(path, at, pattern, owned, takes, body)

    for one in node.entries:
        if one.key.text in NOT_ROWS:
            continue
        path = f"{name}.{one.key.text}"
        at = reader.line(f"scores.{path}", one.key, one.value)
        bodies = read_row(reader, at, one)
        if bodies is None:
            continue
        for suffix, body in bodies.items():
            define(path + suffix, at, body)
        label = one.value.get("label") if isinstance(one.value, Mapping) else None
        said = label.text if isinstance(label, Scalar) else one.key.text.replace("_", " ")
        call = one.value.get("call") if isinstance(one.value, Mapping) else None
        called = call.text if isinstance(call, Scalar) else said
        rows.append(RowDecl(one.key.text, said, called, at, len(bodies) > 1))
    define(name, line, Body(rows=tuple(f"{name}.{row.name}" for row in rows)))
    declared.scores[name] = ScoreDecl(name, line, tuple(rows))


def read_row(reader: Reader, line: Line, entry: Entry) -> dict[str, Body] | None:
    """The definitions of a row, by suffix: a value, or an amount for each element of a list."""
    node = entry.value
    each = node.get("for_each") if isinstance(node, Mapping) else None
    if each is None or not isinstance(node, Mapping):
        body = read_body(reader, line.path, entry.key, node)
        return {"": body} if body else None
    amount = node.get("score")
    if amount is None:
        reader.report.error(
            "missing-key",
            f"the row `{entry.key.text}` does not say what each scores",
            entry.key.span,
            hint="add `score:` with the points for each",
        )
        return None
    value = reader.expr(amount)
    binding: ast.Those | None = reader.parse("each_row", each)
    if value is None or binding is None:
        return None
    return {
        "": Body(expr=value, each=binding, wants="total"),
        ".parts": Body(expr=value, each=binding, wants="parts"),
        ".groups": Body(expr=value, each=binding, wants="groups"),
    }

"""Exports a graph to Mermaid and Graphviz.

In: a graph. Out: its source text; all text of the rule file is escaped, so that none of it is interpreted as notation.
"""

from __future__ import annotations

from hoyle.authoring.graph.model import Graph, Node

_MERMAID = {
    "start": ("((", "))"),
    "step": ("[", "]"),
    "decision": ("{{", "}}"),
    "action": ("(", ")"),
    "end": ("([", "])"),
    "over": ("((", "))"),
}
_DOT = {
    "start": "circle",
    "step": "box",
    "decision": "hexagon",
    "action": "box, style=rounded",
    "end": "octagon",
    "over": "doublecircle",
}


def write_mermaid(graph: Graph) -> str:
    """Format the graph as a Mermaid flowchart."""
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["flowchart TD"]
    for node in graph.nodes:
        opening, closing = _MERMAID[node.kind]
        text = "<br>".join(_escape(part) for part in (node.title, *node.lines))
        lines.append(f'  {names[node.id]}{opening}"{text}"{closing}')
    for edge in graph.edges:
        label = f'|"{_escape(edge.label)}"|' if edge.label else ""
        lines.append(f"  {names[edge.source]} -->{label} {names[edge.target]}")
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    """Escape the special characters of Mermaid and HTML."""
    for sign, name in (("&", "amp"), ('"', "quot"), ("<", "lt"), (">", "gt")):
        text = text.replace(sign, f"&{name};")
    return text


def write_dot(graph: Graph) -> str:
    """Format the graph in Graphviz's DOT language."""
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = [f"digraph {_quote(graph.title)} {{", '  node [fontname="sans-serif"]', '  edge [fontname="sans-serif"]']
    lines += [f"  {names[node.id]} [label={_quote(_label(node))}, shape={_DOT[node.kind]}]" for node in graph.nodes]
    for edge in graph.edges:
        label = f" [label={_quote(edge.label)}]" if edge.label else ""
        lines.append(f"  {names[edge.source]} -> {names[edge.target]}{label}")
    return "\n".join([*lines, "}"]) + "\n"


def _label(node: Node) -> str:
    return "\n".join((node.title, *node.lines))


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'

"""Renders a graph as a self-contained SVG image, without external fonts or network access.

In: a graph. Out: the SVG text, which follows the light or dark colour scheme of the viewer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable
from itertools import pairwise
from xml.sax.saxutils import escape

from hoyle.authoring.graph.layered_drawing import Point, place
from hoyle.authoring.graph.model import Edge, Graph, Node

FONT = 14.0
SMALL = 11.5
LINE = 17.0
PAD = 14.0
MARGIN = 24.0
TITLE = 34.0

_STYLE = """\
  svg { background: #ffffff; color: #1f2328 }
  text { font-family: "DejaVu Sans", Verdana, sans-serif; fill: currentColor; text-anchor: middle }
  .title { font-size: 18px; font-weight: bold; text-anchor: start }
  .name { font-size: 14px } .said { font-size: 11.5px; fill: #57606a } .label { font-size: 11.5px; fill: #57606a }
  .halo { stroke: #ffffff; stroke-width: 4px; paint-order: stroke; stroke-linejoin: round }
  .step { fill: #dbe9ff; stroke: #3869b3 } .decision { fill: #fff2cc; stroke: #b38600 }
  .action { fill: #e0f3df; stroke: #3f8a3c } .end { fill: #fde2e0; stroke: #b3423a }
  .start, .over { fill: #e6e6e6; stroke: #6e7781 }
  path { fill: none; stroke: #6e7781; stroke-width: 1.3 }
  marker path { fill: #6e7781; stroke: none }
  @media (prefers-color-scheme: dark) {
    svg { background: #15181c; color: #e6edf3 } .said, .label { fill: #9da7b1 } .halo { stroke: #15181c }
    .step { fill: #1c3353 } .decision { fill: #463a12 } .action { fill: #1d3a1c } .end { fill: #4a1f1c }
    .start, .over { fill: #30363d }
  }"""


def write_svg(graph: Graph) -> str:
    """Render a graph."""
    sizes: dict[Hashable, tuple[float, float]] = {node.id: measure(node) for node in graph.nodes}
    pieces: list[tuple[Hashable, Hashable]] = []
    for edge in graph.edges:  # labels are laid out as nodes, so that they do not overlap anything
        if edge.label:
            sizes[edge] = (text_width(edge.label, SMALL) + 8, SMALL + 2)
            pieces += [(edge.source, edge), (edge, edge.target)]
        else:
            pieces.append((edge.source, edge.target))
    placed = place(sizes, pieces)
    routes = iter(placed.routes)
    width = max(placed.width, text_width(graph.title, 18.0)) + 2 * MARGIN
    height = placed.height + 2 * MARGIN + TITLE
    body: list[list[str]] = []
    for edge in graph.edges:
        route = next(routes) + (next(routes)[1:] if edge.label else [])
        body.append(_draw_edge(edge, route, sizes[edge.source], sizes[edge.target]))
    body += [_draw_label(edge.label, placed.centres[edge]) for edge in graph.edges if edge.label]
    body += [_draw_node(node, placed.centres[node.id], sizes[node.id]) for node in graph.nodes]
    inner = "\n".join(f"    {line}" for part in body for line in part)
    title = escape(graph.title, {'"': "&quot;"})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label="{title}: the course of the game">\n'
        f"  <style>\n{_STYLE}\n  </style>\n"
        '  <defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0,0 L10,5 L0,10 z"/></marker></defs>\n'
        f'  <text class="title" x="{MARGIN:.0f}" y="{MARGIN + 10:.0f}">{title}</text>\n'
        f'  <g transform="translate({MARGIN:.0f} {MARGIN + TITLE:.0f})">\n{inner}\n  </g>\n</svg>\n'
    )


def measure(node: Node) -> tuple[float, float]:
    """Return the width and height of a node."""
    widest = max([text_width(node.title, FONT), *(text_width(line, SMALL) for line in node.lines)])
    slant = 16.0 if node.kind == "decision" else 0.0
    return widest + 2 * PAD + slant, LINE * (1 + len(node.lines)) + 14.0


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text; the actual font is unknown."""
    return sum(_sign_width(sign) for sign in text) * size


def _sign_width(sign: str) -> float:
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.0
    if sign in "iljtf.,:;'|!()[] ":
        return 0.38
    return 0.86 if sign in "mwMW@" or sign.isupper() else 0.63


def _draw_node(node: Node, centre: Point, size: tuple[float, float]) -> list[str]:
    (x, y), (width, height) = centre, size
    left, top = x - width / 2, y - height / 2
    if node.kind == "decision":
        cut = 12.0
        points = [
            (left + cut, top), (left + width - cut, top), (left + width, y), (left + width - cut, top + height),
            (left + cut, top + height), (left, y),
        ]  # fmt: skip
        shape = f'<polygon class="decision" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'
    else:
        radius = {"action": 10.0, "step": 3.0}.get(node.kind, height / 2)
        shape = (
            f'<rect class="{node.kind}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'rx="{radius:.1f}"/>'
        )
    first = y - (len(node.lines) * LINE) / 2 + 5
    lines = [shape, f'<text class="name" x="{x:.1f}" y="{first:.1f}">{escape(node.title)}</text>']
    for number, line in enumerate(node.lines, 1):
        lines.append(f'<text class="said" x="{x:.1f}" y="{first + number * LINE:.1f}">{escape(line)}</text>')
    return lines


def _draw_edge(
    edge: Edge, route: list[Point], source: tuple[float, float], target: tuple[float, float]
) -> list[str]:
    downwards = route[-1][1] > route[0][1]
    points = [_leave(route[0], source, downwards), *route[1:-1], _leave(route[-1], target, not downwards)]
    return [f'<path d="{_curve(points)}" marker-end="url(#tip)"/>']


def _draw_label(text: str, centre: Point) -> list[str]:
    return [f'<text class="label halo" x="{centre[0]:.1f}" y="{centre[1] + 4:.1f}">{escape(text)}</text>']


def _leave(point: Point, size: tuple[float, float], below: bool) -> Point:
    """Return the midpoint of the lower or upper side of a node."""
    return point[0], point[1] + (size[1] / 2 if below else -size[1] / 2)


def _curve(points: list[Point]) -> str:
    """Return an SVG path through points, with vertical tangents at each."""
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (ax, ay), (bx, by) in pairwise(points):
        middle = (ay + by) / 2
        path += f" C{ax:.1f},{middle:.1f} {bx:.1f},{middle:.1f} {bx:.1f},{by:.1f}"
    return path

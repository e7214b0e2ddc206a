"""Renders bar charts as lines of text, and as a self-contained HTML page without scripts, fonts or network access.

In: charts, and tables of text. Out: lines, or HTML with all text escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from hoyle.lab.sim.distribution import Chart

WIDEST = 40  # length of the longest bar in characters
COLOURS = ("#2f6db3", "#d9822b", "#3a9d5d", "#b5495b", "#7b5ea7", "#8a7f2d", "#3b9aa8", "#7d7d7d")
_STYLE = """\
:root { --paper: #fff; --ink: #1f2328; --soft: #57606a; --line: #d0d7de }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6edf3; --soft: #9da7b1; --line: #30363d } }
body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto;
  max-width: 900px; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse } td, th { padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top }
td + td, th + th { text-align: right; font-variant-numeric: tabular-nums }
svg { display: block; max-width: 100%; height: auto } svg text { fill: var(--ink); font: 12px system-ui, sans-serif }
svg line { stroke: var(--line) } .key span { margin-right: 1rem }
.key i { display: inline-block; height: .8em; margin-right: .3em; width: .8em }"""


def draw_text(chart: Chart, width: int | None = None) -> list[str]:
    """Render a chart as lines of at most some width; several series one below the other."""
    lines = []
    for series, bars in enumerate(chart.series):
        name = f", {chart.names[series]}" if series < len(chart.names) else ""
        lines.append(f"{chart.title}{name}")
        highest = max((bar.height for bar in bars), default=0) or 1
        margin = max((len(bar.label) for bar in bars), default=0)
        shown = [f"{bar.height:,.1f}".removesuffix(".0") for bar in bars]
        room = WIDEST if width is None else width - margin - 5 - max(map(len, shown), default=0)
        for bar, number in zip(bars, shown, strict=True):
            length = round(min(WIDEST, max(1, room)) * bar.height / highest)
            lines.append(f"  {bar.label:>{margin}}  {'█' * length}{' ' if length else ''}{number}")
        lines.append("")
    return lines[:-1]


def draw_svg(chart: Chart) -> str:
    """Render a chart as SVG, the bars of several series side by side."""
    labels = [bar.label for bar in chart.series[0]] if chart.series else []
    if not labels:
        return "<p>nothing to show</p>"
    width, height, left, below = 860, 220, 10, 42
    room = (width - 2 * left) / len(labels)
    highest = max(bar.height for bars in chart.series for bar in bars) or 1
    thick = room * 0.8 / len(chart.series)
    parts = [f'<svg viewBox="0 0 {width} {height + below}" role="img" aria-label="{escape(chart.title, quote=True)}">']
    for number, bars in enumerate(chart.series):
        colour = COLOURS[number % len(COLOURS)]
        for at, bar in enumerate(bars):
            tall = (height - 20) * bar.height / highest
            x = left + at * room + room * 0.1 + number * thick
            name = f"{chart.names[number]}, " if number < len(chart.names) else ""
            told = escape(f"{name}{bar.label}: {bar.height:,.4g}")
            parts.append(
                f'<rect x="{x:.1f}" y="{height - tall:.1f}" width="{thick:.1f}" height="{tall:.1f}" fill="{colour}">'
                f"<title>{told}</title></rect>"
            )
    parts.append(f'<line x1="{left}" y1="{height}" x2="{width - left}" y2="{height}"/>')
    every = max(1, -(-len(labels) * max(map(len, labels)) * 7 // (width - 2 * left)))
    for at in range(0, len(labels), every):
        x = left + (at + 0.5) * room
        parts.append(f'<text x="{x:.1f}" y="{height + 18}" text-anchor="middle">{escape(labels[at])}</text>')
    return "".join([*parts, "</svg>"])


def write_page(
    title: str, texts: Sequence[str], tables: Sequence[Sequence[Sequence[str]]], charts: Sequence[Chart]
) -> str:
    """Render a page: sentences, tables (the first row is the header), charts."""
    parts = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(text)}</p>" for text in texts)]
    for rows in tables:
        head, *body = rows
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        parts.append(f"<table><thead><tr>{cells}</tr></thead><tbody>")
        parts += ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in body]
        parts.append("</tbody></table>")
    for chart in charts:
        parts.append(f"<h2>{escape(chart.title)}</h2>")
        if chart.names:
            named = "".join(
                f'<span><i style="background:{COLOURS[number % len(COLOURS)]}"></i>{escape(name)}</span>'
                for number, name in enumerate(chart.names)
            )
            parts.append(f'<p class="key">{named}</p>')
        parts.append(draw_svg(chart))
    body_text = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n{body_text}\n</body>\n</html>\n"
    )

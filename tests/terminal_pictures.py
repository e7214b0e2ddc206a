"""Renders the screen of a `terminals.Terminal` as SVG, independent of fonts."""

from __future__ import annotations

from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from terminals import Terminal

WIDE, HIGH, EDGE = 9.0, 20.0, 14.0  # cell width, cell height, margin
PAPER, INK = "#14181b", "#d9dee2"
COLOURS = {
    "default": INK, "black": "#5c6670", "red": "#ff7b72", "green": "#7ee787", "brown": "#e3b341", "yellow": "#e3b341",
    "blue": "#79c0ff", "brightblue": "#79c0ff", "magenta": "#d2a8ff", "cyan": "#76e3ea", "white": "#f0f6fc",
    "brightblack": "#7d8590", "brightmagenta": "#ffa8d9", "brightwhite": "#ffffff",
}  # fmt: skip


def draw_screen(terminal: Terminal, title: str) -> str:
    """Render the current screen; words are positioned and stretched to their cells, whatever the font."""
    columns, lines = terminal.screen.columns, terminal.screen.lines
    width, height = columns * WIDE + 2 * EDGE, lines * HIGH + 2 * EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f"aria-label={quoteattr(title)}>",
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="{PAPER}"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace" font-size="15">',
    ]
    for number in range(lines):
        row = terminal.screen.buffer[number]
        cells = [(at, row[at]) for at in range(columns)]
        for (fore, back, bold, reverse), group in groupby(cells, key=lambda cell: _style(cell[1])):
            run = list(group)
            text = "".join(cell.data for _, cell in run)
            x, y = EDGE + run[0][0] * WIDE, EDGE + number * HIGH
            ink, paper = COLOURS.get(fore, f"#{fore}"), COLOURS.get(back, f"#{back}") if back != "default" else PAPER
            if reverse:
                ink, paper = paper, ink
            if paper != PAPER:
                width = len(run) * WIDE
                parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{HIGH:g}" fill="{paper}"/>')
            parts += _write_words(text, x, y, ink, bold=bold)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _style(cell: object) -> tuple[str, str, bool, bool]:
    fields = cell._asdict()  # type: ignore[attr-defined]
    return fields["fg"], fields["bg"], fields["bold"], fields["reverse"]


def _write_words(text: str, x: float, y: float, ink: str, *, bold: bool) -> list[str]:
    """Render a run of cells of one style, word by word."""
    weight = ' font-weight="700"' if bold else ""
    found = []
    at = 0
    for word in text.split(" "):
        if word:
            place = f'x="{x + at * WIDE:g}" y="{y + 15:g}" textLength="{len(word) * WIDE:g}"'
            found.append(f'<text {place} fill="{ink}"{weight}>{escape(word)}</text>')
        at += len(word) + 1
    return found

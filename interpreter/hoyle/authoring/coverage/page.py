"""Renders coverage as an HTML page: the source files, each line with its counts.

In: a verdict. Out: a self-contained page without scripts, fonts or network access; all text of the files is escaped.
"""

from __future__ import annotations

from html import escape

from hoyle.authoring.coverage.measure import Measured
from hoyle.authoring.coverage.verdict import Line, Verdict, say_share
from hoyle.authoring.coverage.verdict_text import count_kinds, describe_runs, say_counts, sum_up
from hoyle.base.source import Source

_WORST = ("unreached", "partly", "excused", "reached")
_STYLE = """\
:root { --paper: #fff; --ink: #1f2328; --soft: #57606a; --line: #d0d7de;
  --reached: #dff3e0; --partly: #fff2cc; --unreached: #ffd8d3; --excused: #e7e9ec }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6edf3; --soft: #9da7b1; --line: #30363d;
  --reached: #17331b; --partly: #43360e; --unreached: #4f1d18; --excused: #2a2f36 } }
body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto;
  max-width: 1100px; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse } td, th { padding: .15rem .8rem .15rem 0; text-align: left; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums }
a { color: inherit }
pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-x: auto; border: 1px solid var(--line) }
pre span.row { display: block; padding: 0 .5rem; white-space: pre }
pre i { color: var(--soft); display: inline-block; font-style: normal; margin-right: 1rem; min-width: 2.6rem;
  text-align: right; user-select: none }
pre b { color: var(--soft); float: right; font-weight: normal; margin-left: 2rem }
.reached { background: var(--reached) } .partly { background: var(--partly) }
.unreached { background: var(--unreached) } .excused { background: var(--excused) }
.key span { padding: .1rem .5rem; margin-right: .5rem }
@media print { pre { overflow: visible } pre span.row { white-space: pre-wrap } }"""


def write_page(verdict: Verdict, measured: Measured) -> str:
    """Render the page of a verdict."""
    title = escape(measured.declared.title)
    sources = dict.fromkeys(line.item.span.source for line in verdict.lines)
    anchors = {source: f"f{number}" for number, source in enumerate(sources)}
    parts = [
        f"<h1>{title}: clauses reached</h1>",
        f"<p>{escape(describe_runs(measured))}. <strong>{escape(sum_up(verdict))}.</strong></p>",
        _write_kinds(verdict),
        '<p class="key"><span class="reached">reached</span><span class="partly">in part</span>'
        '<span class="unreached">not reached</span><span class="excused">excused by the file</span></p>',
    ]
    if verdict.missing:
        parts += ["<h2>Not reached</h2>", _write_missing(verdict.missing, anchors)]
    for source, anchor in anchors.items():
        parts += [f"<h2>{escape(source.name)}</h2>", _write_source(source, anchor, verdict)]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}: clauses reached, {say_share(verdict.share)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _write_kinds(verdict: Verdict) -> str:
    rows = "".join(
        f'<tr><td>{escape(name)}</td><td class="number">{reached}</td><td>of {total}</td></tr>'
        for name, reached, total in count_kinds(verdict)
    )
    return f"<table>{rows}</table>"


def _write_missing(lines: list[Line], anchors: dict[Source, str]) -> str:
    rows = "".join(
        f'<tr><td><a href="#{anchors[line.item.span.source]}-{line.item.span.line}">line {line.item.span.line}</a></td>'
        f"<td>{escape(line.item.name)}</td><td>{escape(line.complaint)}</td></tr>"
        for line in lines
    )
    return f"<table>{rows}</table>"


def _write_source(source: Source, anchor: str, verdict: Verdict) -> str:
    by_line: dict[int, list[Line]] = {}
    for line in verdict.lines:
        if line.item.span.source is source:
            by_line.setdefault(line.item.span.line, []).append(line)
    rows = []
    for number in range(1, source.line_count + 1):
        own = by_line.get(number, [])
        text = escape(source.line_text(number))
        state = next((each for each in _WORST if any(line.state == each for line in own)), "")
        title = escape("\n".join(f"{line.item.name}: {say_counts(line)}" for line in own), quote=True)
        said = escape("; ".join(say_counts(line) for line in own[:2])) + (" …" if len(own) > 2 else "")
        shown = f'<b title="{title}">{said}</b>' if own else ""
        rows.append(f'<span class="row {state}" id="{anchor}-{number}">{shown}<i>{number}</i>{text}</span>')
    return f"<pre>{''.join(rows)}</pre>"

"""Renders a rulebook as a printable HTML page.

In: a book. Out: a self-contained page without scripts, fonts or network access; all text of the file is escaped.
"""

from __future__ import annotations

from html import escape

from hoyle.authoring.rulebook.book import Book, Point
from hoyle.play.table.model import Face

_STYLE = """\
:root { --paper: #fffdf8; --ink: #1f1d1a; --soft: #6b645a; --line: #d9d2c5; --red: #b3261e }
@media (prefers-color-scheme: dark) { :root { --paper: #171614; --ink: #ece7de; --soft: #a59d90; --line: #3a362f;
  --red: #ff8a80 } }
body { background: var(--paper); color: var(--ink); font: 17px/1.5 Georgia, "Times New Roman", serif;
  margin: 2.5rem auto; max-width: 46rem; padding: 0 1.2rem }
h1 { font-size: 2.2rem; margin-bottom: 0 } h2 { border-bottom: 1px solid var(--line); margin-top: 2.2rem }
.soft, .exact { color: var(--soft) } .exact { display: block; font-size: .87em; font-style: italic }
.cite { color: var(--soft); font: .72em/1 system-ui, sans-serif; white-space: nowrap }
.cite a { color: inherit }
ul { padding-left: 1.3rem } li { margin: .3rem 0 } section > ul { list-style: none; padding-left: 0 }
.faces { display: flex; flex-wrap: wrap; gap: .25rem; margin: .3rem 0 }
.face { background: #fff; border: 1px solid #999; border-radius: .25rem; color: #111; display: inline-flex;
  flex-direction: column; font: 700 .8rem/1.1 system-ui, sans-serif; align-items: center; justify-content: center;
  min-width: 1.9rem; height: 2.6rem; padding: 0 .2rem }
.face.red { color: #b3261e } .face.blue { color: #1c4f9c } .face.green { color: #1b6e36 }
.face.yellow { color: #8a6100 } .face.magenta { color: #8b2286 } .face.orange { color: #a34700 }
nav ul { columns: 2; list-style: none; padding: 0 } nav li { margin: 0; padding: .15rem 0; break-inside: avoid }
a { color: inherit }
@page { margin: 18mm }
@media print { body { font-size: 11pt; margin: 0; max-width: none } nav { display: none } h2 { break-after: avoid }
  li, .faces { break-inside: avoid } }"""


def render_html(book: Book) -> str:
    """Render a book as HTML."""
    rules = {point.name for chapter in book.chapters for point in chapter.points if _is_rule(point)}
    title = escape(book.title)
    parts = [f"<header><h1>{title}</h1>"]
    parts += [f'<p class="soft">{escape(book.subtitle)}</p>'] if book.subtitle else []
    parts += ["</header>", "<nav><ul>"]
    parts += [f'<li><a href="#c{n}">{escape(each.title)}</a></li>' for n, each in enumerate(book.chapters)]
    parts.append("</ul></nav>")
    for number, chapter in enumerate(book.chapters):
        parts.append(f'<section id="c{number}"><h2>{escape(chapter.title)}</h2><ul>')
        parts += [_write(point, rules, top=True) for point in chapter.points]
        parts.append("</ul></section>")
    parts.append(f'<footer><p class="soft">{escape(book.note)}</p></footer>')
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{escape(book.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _is_rule(point: Point) -> bool:
    """Whether a point is a numbered rule, the target of citations."""
    return point.name.isupper() and "-" in point.name


def _write(point: Point, rules: set[str], *, top: bool = False) -> str:
    place = f' id="{escape(point.name)}"' if top and _is_rule(point) else ""
    said = f"<b>{escape(point.name)}</b>" if point.name else ""
    said += (": " if said and point.text else "") + escape(point.text)
    if point.cite:
        links = ", ".join(f'<a href="#{escape(c)}">{escape(c)}</a>' if c in rules else escape(c) for c in point.cite)
        said += f' <span class="cite">[{links}]</span>'
    if point.exact:
        said += f'<span class="exact">{escape(point.exact)}</span>'
    if point.faces:
        said += '<div class="faces">' + "".join(map(_draw, point.faces)) + "</div>"
    if point.below:
        said += "<ul>" + "".join(_write(below, rules) for below in point.below) + "</ul>"
    return f"<li{place}>{said}</li>"


def _draw(face: Face) -> str:
    """Render a card as a small picture with its other attributes and the glyph of its suit."""
    glyph = next((each for each in face.prints if each.glyph), None)
    colour = next((each.colour for each in face.prints if each.colour), "")
    rest = " ".join(each.short for each in face.prints if each is not glyph) or face.name or face.text
    mark = f"<span>{escape(glyph.glyph)}</span>" if glyph is not None else ""
    return f'<span class="face {escape(colour)}" title="{escape(face.text)}"><span>{escape(rest)}</span>{mark}</span>'

"""The documentation as pages of a site; whole rule files on them open in the playground.

In: the Markdown pages that come with Hoyle. Out: a folder of pages and their pictures.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt  # comes with Rich
from markdown_it.token import Token

from hoyle.base.shipped import GAME_SUFFIX, documentation_folder

CONTENTS = "README.md"  # the page that lists the others
PLAYABLE = ("game", "slip", "build")  # the blocks of YAML that are whole rule files, or grow into one along a page
_SECTION = re.compile(r"([a-z]+):")


def write_documentation(made: Path, policy: str) -> None:
    """Write the pages into the folder `docs` of a site; nothing where Hoyle came without them."""
    source, target = documentation_folder(), made / "docs"
    if not (source / CONTENTS).is_file():
        return
    target.mkdir()
    pages = {path.name for path in source.glob("*.md")}
    for name in sorted(pages):
        text = _render((source / name).read_text(encoding="utf-8"), pages, policy)
        (target / _address(name)).write_text(text, encoding="utf-8")
    for pictures in ("pictures/*", "*.svg"):
        for path in source.glob(pictures):
            (target / path.relative_to(source)).parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target / path.relative_to(source))


def _address(name: str) -> str:
    return "index.html" if name == CONTENTS else f"{Path(name).stem}.html"


def _render(text: str, pages: set[str], policy: str) -> str:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    title = next((tokens[at + 1].content for at, each in enumerate(tokens) if each.type == "heading_open"), "Hoyle")
    growing = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", name_anchor(tokens[at + 1].content))
        elif token.type == "inline":
            token.children = list(_follow_links(token.children or [], pages))
        elif token.type == "fence":
            kind = token.info.split()
            growing = put_sections(growing, token.content) if kind[1:2] == ["build"] else growing
            rules = growing if kind[1:2] == ["build"] else token.content
            token.meta["rules"] = rules if kind[:1] == ["yaml"] and kind[1:2] and kind[1] in PLAYABLE else None
    markdown.add_render_rule("fence", _draw_block)
    body = markdown.renderer.render(tokens, markdown.options, {})
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{escape(title)} · Hoyle</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="../static/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="../pages.css">'
        f'</head><body><main><p><a href="../">Hoyle</a> · <a href="index.html">Documentation</a></p>\n{body}</main>'
        "</body></html>\n"
    )


def name_anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub names it.

    >>> name_anchor("game, title, `rulebook`")
    'game-title-rulebook'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _follow_links(tokens: Sequence[Token], pages: set[str]) -> Iterator[Token]:
    """The same text, with links that lead somewhere on the site, and without the others."""
    dropped = False
    for token in tokens:
        if token.type == "link_open":
            address = find_address(str(token.attrGet("href")), pages)
            dropped = address is None
            token.attrSet("href", address or "")
        if not (dropped and token.type in ("link_open", "link_close")):
            yield token


def find_address(link: str, pages: set[str]) -> str | None:
    """Where a link of a page leads on the site; None if that is not part of it."""
    place, sign, anchor = link.partition("#")
    if "://" in link or not place:
        return link
    if place in pages:
        return _address(place) + sign + anchor
    if place.startswith("../games/") and place.endswith(GAME_SUFFIX):
        return f"../#edit={Path(place).name.removesuffix(GAME_SUFFIX)}"
    return "../" if place in ("../games", "../games/") else None


def _draw_block(_renderer: object, tokens: Sequence[Token], at: int, _options: object, _known: object) -> str:
    token = tokens[at]
    rules = token.meta["rules"]
    opened = f'<p><a class="open" href="../#rules={write_link({"text": rules})}">Open in the playground</a></p>\n'
    return f"<pre><code>{escape(token.content)}</code></pre>\n{opened if rules is not None else ''}"


def write_link(data: object) -> str:
    """What an address carries, as `links.js` reads it."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(data, ensure_ascii=False).encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


# ------------------------------------------------------------------------------------------------ growing files
def put_sections(text: str, more: str) -> str:
    """Replace top-level sections of a rule file by those of `more`, or append them."""
    return "".join((_split_sections(text) | _split_sections(more)).values())


def _split_sections(text: str) -> dict[str, str]:
    """Split a YAML text into its top-level sections, by name."""
    sections: dict[str, str] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        found = _SECTION.match(line)
        name = found[1] if found else name
        sections[name] = sections.get(name, "") + line
    return sections

"""The page of licences of a site: Hoyle's own and those of everything that is shipped with it.

In: installed packages. Out: a page.
"""

from __future__ import annotations

from html import escape
from importlib import metadata
from pathlib import Path

from hoyle.base.shipped import shipped_folder
from hoyle.front.site.pyodide import VERSION

PYODIDE = (
    f"Pyodide {VERSION}, under the Mozilla Public License 2.0, as published on npm and unmodified. Its source is at "
    f"https://github.com/pyodide/pyodide/tree/{VERSION}, the licence at https://mozilla.org/MPL/2.0/. It contains "
    "CPython, under the Python Software Foundation License 2 (https://docs.python.org/3/license.html), and what "
    "Emscripten, under the MIT licence, has compiled."
)
PACKAGES = {"lark": "MIT", "pyyaml": "MIT"}


def write_licences(made: Path) -> None:
    parts = [f"<h2>Pyodide</h2><p>{escape(PYODIDE)}</p>"]
    own = shipped_folder() / "LICENSE"
    if own.is_file():
        parts.insert(0, f"<h2>Hoyle</h2><pre>{escape(own.read_text(encoding='utf-8'))}</pre>")
    for name, kind in PACKAGES.items():
        text = _find_text(name)
        shown = f"<pre>{escape(text)}</pre>" if text else ""
        parts.append(f"<h2>{name}</h2><p>Under the {kind} licence.</p>{shown}")
    (made / "licences.html").write_text(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Licences of Hoyle</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="pages.css"></head><body><main>'
        f'<p><a href="./">Hoyle</a></p><h1>Licences</h1>{"".join(parts)}</main></body></html>\n',
        encoding="utf-8",
    )


def _find_text(name: str) -> str:
    """The text of the licence of an installed package; empty if it is not installed."""
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:
        return ""
    found = next((file for file in files if file.name.startswith(("LICENSE", "COPYING"))), None)
    return found.read_text(encoding="utf-8") if found is not None else ""

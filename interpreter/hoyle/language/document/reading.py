"""Reading of a file: bytes to text, text to nodes with exact locations.

In: a path, or a `Source`. Out: the `Source`; the root `Mapping`. Errors are reported, never raised. A byte order mark
and CR LF line breaks are accepted; the text of a source has neither.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from pathlib import Path

from hoyle.base.diagnostics.render import escape, shown_path
from hoyle.base.diagnostics.report import Fix, Report
from hoyle.base.effort import spend
from hoyle.base.shipped import stays_inside
from hoyle.base.source import Source, Span
from hoyle.language.document.composing import HIDDEN, compose
from hoyle.language.document.file_limits import MAX_BYTES
from hoyle.language.document.incremental import find_root, keep_root, same_source
from hoyle.language.document.nodes import Mapping, Sequence

CHARACTERS_IN_STEP = 400  # scanned characters that count as one step
_TAB_INDENT = re.compile(r"^ *\t[\t ]*", re.MULTILINE)


def read_source(path: Path, report: Report, named: tuple[Path, Span | None] | None = None) -> Source | None:
    """The text of a file, or None, after an error. `named`: the file is referenced by another file in this folder, at
    this location; then it must lie in the folder too."""
    name = shown_path(path)
    if named is not None and not stays_inside(path, named[0]):
        report.error(
            "parent-outside",
            f"`{escape(path.name)}` is a link that leads outside the folder",
            named[1],
            hint="copy what it leads to into the folder",
        )
        return None
    raw, why = b"", ""
    try:
        if path.is_file():
            with path.open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
            report.files[str(path.absolute())] = hashlib.sha256(raw).hexdigest()
        else:  # reading anything but a regular file, such as a pipe, might never end
            why = "it is a folder" if path.is_dir() else "there is no such file"
    except PermissionError:
        why = "it may not be opened"
    except (OSError, ValueError):
        why = "the system does not open it"
    if why:
        report.error("unreadable-file", f"cannot read `{name}`: {why}", None)
        return None
    return decode_source(name, raw, report)


def decode_source(name: str, raw: bytes, report: Report) -> Source | None:
    """The text of a file from its bytes."""
    if len(raw) > MAX_BYTES:
        report.error(
            "file-too-large", f"`{name}` is larger than one megabyte", None, hint="is it a rule file at all?"
        )
        return None
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = raw[: problem.start].decode("utf-8", errors="replace").replace("\r\n", "\n")
        shown = Source(name, before + "\N{REPLACEMENT CHARACTER}")
        report.error(
            "not-utf8",
            f"`{name}` is not UTF-8 text: byte {raw[problem.start]:#04x} cannot stand here",
            Span(shown, len(before), len(before) + 1),
            "cannot be read as text",
            hint="save the file again in the encoding UTF-8",
        )
        return None
    return same_source(Source(name, text.replace("\r\n", "\n")))


def read_nodes(source: Source, report: Report) -> Mapping | None:
    """The root of a file, or None, after an error; smaller errors are reported, and the parts omitted."""
    known = find_root(source)
    if known is not None:
        return known
    before = len(report.diagnostics)
    spend(len(source.text) // CHARACTERS_IN_STEP)
    if _has_hidden_signs(source, report) or _has_tab_indent(source, report):
        return None
    root = compose(source, report)
    if root is None:
        return None
    if not isinstance(root, Mapping):
        report.error(
            "not-a-mapping",
            "a rule file is made of sections, each with a name and a colon",
            root.span.first_line,
            "this is a list" if isinstance(root, Sequence) else "this is a single value",
            hint="begin with `game: my-game`",
        )
        return None
    if len(report.diagnostics) == before:
        keep_root(source, root)
    return root



def _has_hidden_signs(source: Source, report: Report) -> bool:
    found = list(HIDDEN.finditer(source.text))
    if found:
        place = found[0]
        more = len(found) - 1
        report.error(
            "control-character",
            f"the file holds a character that cannot be seen, U+{ord(place.group()):04X}",
            Span(source, place.start(), place.end()),
            "delete it",
            hint=f"such characters in this file, besides this one: {more}" if more else (),
        )
    return bool(found)


def _has_tab_indent(source: Source, report: Report) -> bool:
    found = list(_TAB_INDENT.finditer(source.text))
    if found:
        place = found[0]
        more = len(found) - 1
        tab = source.text.index("\t", place.start())
        hints = ["indent with two spaces for each level"]
        if more:
            hints.append(f"lines of this file that are indented with tabs, besides this one: {more}")
        report.error(
            "tab-indentation",
            "this line is indented with a tab",
            Span(source, tab, place.end()),
            "a tab",
            hint=hints,
            fix=_fix_tabs(source, place.start(), found[-1].end()),
        )
    return bool(found)


def _fix_tabs(source: Source, start: int, end: int) -> Fix:
    """Two spaces for every tab of the indentation, one level each."""
    spaced = _TAB_INDENT.sub(lambda indent: indent.group().replace("\t", "  "), source.text[start:end])
    return Fix(Span(source, start, end), spaced)

"""The version of the rule language that a file is written in: `hoyle: 1` among its sections.

In: the root of a file. Out: the root without this section; or nothing, after the error that the file is written in a
later version than this Hoyle reads. Then nothing else is said about the file: its words may mean something else.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.base.diagnostics.report import Report
from hoyle.base.version import LANGUAGE, __version__
from hoyle.language.document.nodes import Mapping, Scalar

KEY = "hoyle"


def take_version(root: Mapping, report: Report) -> Mapping | None:
    """The file without its version; what is no version is left for the schema to refuse."""
    entry = root.entry(KEY)
    if entry is None or not isinstance(entry.value, Scalar):
        return root
    version = entry.value.value
    if type(version) is not int or version < 1:
        return root
    if version > LANGUAGE:
        report.error(
            "newer-language",
            f"this file is written in version {entry.value.text[:20]} of the rule language; "
            f"this Hoyle, {__version__}, reads version {LANGUAGE}",
            entry.value.span,
            hint=f"a later Hoyle reads it; if the file needs nothing new, write `hoyle: {LANGUAGE}`",
        )
        return None
    return replace(root, entries=tuple(each for each in root.entries if each is not entry))

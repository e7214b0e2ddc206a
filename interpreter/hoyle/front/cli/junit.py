"""Formats results as JUnit XML, for CI servers.

In: suites of cases. Out: the XML text; characters that XML does not allow are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import escape as write_out


@dataclass(frozen=True, slots=True)
class Case:
    """One test case; `message` is the full report of a failure, empty if it passed."""

    name: str
    place: str
    message: str = ""
    line: int | None = None


def render_junit(suites: Iterable[tuple[str, Sequence[Case]]]) -> str:
    """Render suites, given as names and cases."""
    listed = list(suites)
    cases = [case for _, each in listed for case in each]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="hoyle" {_count(cases)}>']
    for name, each in listed:
        lines.append(f"  <testsuite name={_attribute(name)} {_count(each)}>")
        for case in each:
            lines += _show(case)
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"])


def _count(cases: Sequence[Case]) -> str:
    return f'tests="{len(cases)}" failures="{sum(bool(case.message) for case in cases)}" errors="0"'


def _show(case: Case) -> list[str]:
    line = f' line="{case.line}"' if case.line is not None else ""
    place = _attribute(case.place)
    opening = f"    <testcase name={_attribute(case.name)} classname={place} file={place}{line}"
    if not case.message:
        return [f"{opening}/>"]
    first = _attribute(case.message.strip().split("\n", 1)[0])
    return [f"{opening}>", f"      <failure message={first}>{_text(case.message)}</failure>", "    </testcase>"]


def _attribute(text: str) -> str:
    return f'"{escape(write_out(text))}"'


def _text(text: str) -> str:
    return escape("\n".join(write_out(line) for line in text.split("\n")), quote=False)

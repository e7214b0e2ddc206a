"""Diagnostics as SARIF 2.1.0, a format for code hosts and editors.

In: diagnostics. Out: one log as JSON text. Lines and columns count from 1, columns in characters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import quote

from hoyle.base.diagnostics.codes import CODES
from hoyle.base.diagnostics.report import Diagnostic, Fix
from hoyle.base.source import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(diagnostics: Iterable[Diagnostic], version: str) -> str:
    """The diagnostics as the results of one run."""
    found = list(diagnostics)
    codes = list(dict.fromkeys(each.code for each in found))
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code].meaning.partition(". ")[0].rstrip(".") + "."},
            "fullDescription": {"text": CODES[code].meaning},
            "defaultConfiguration": {"level": CODES[code].severity},
        }
        for code in codes
    ]
    driver = {"name": "hoyle", "version": version, "rules": rules}
    results = [_result(each, codes.index(each.code)) for each in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _result(found: Diagnostic, rule: int) -> dict[str, object]:
    said = ". ".join([found.message, *(f"hint: {hint}" for hint in found.hints)])
    result: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": found.severity,
        "message": {"text": said},
        "locations": [_location(found.primary.span, found.primary.text)] if found.primary else [],
    }
    if found.others:
        result["relatedLocations"] = [_location(label.span, label.text) for label in found.others]
    fixes = (found.fix,) if found.fix is not None else found.suggestions
    if fixes:
        result["fixes"] = [_fix(fix) for fix in fixes]
    return result


def _location(span: Span, text: str) -> dict[str, object]:
    location: dict[str, object] = {
        "physicalLocation": {"artifactLocation": _artifact(span), "region": _region(span)},
    }
    if text:
        location["message"] = {"text": text}
    return location


def _artifact(span: Span) -> dict[str, str]:
    return {"uri": quote(span.source.name)}


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(fix: Fix) -> dict[str, object]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.text}}
    return {
        "description": {"text": f"write `{fix.text}`"},
        "artifactChanges": [{"artifactLocation": _artifact(fix.span), "replacements": [replacement]}],
    }

"""The table of diagnostic codes: slug, severity, meaning, an example that triggers it and its correction.

In: the tables of the layers. Out: `CODES`, used by `hoyle explain` and by the tests.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code
from hoyle.base.diagnostics.codes_document import DOCUMENT_CODES
from hoyle.base.diagnostics.codes_review import REVIEW_CODES
from hoyle.base.diagnostics.codes_rules import RULE_CODES
from hoyle.base.diagnostics.codes_syntax import SYNTAX_CODES
from hoyle.base.diagnostics.codes_testing import TESTING_CODES
from hoyle.base.diagnostics.codes_tournament import TOURNAMENT_CODES
from hoyle.base.diagnostics.codes_variants import VARIANT_CODES

__all__ = ["CODES", "Code"]

_TABLES = (
    DOCUMENT_CODES, RULE_CODES, SYNTAX_CODES, REVIEW_CODES, TESTING_CODES, TOURNAMENT_CODES, VARIANT_CODES,
)  # fmt: skip
CODES: dict[str, Code] = {code.slug: code for table in _TABLES for code in table}

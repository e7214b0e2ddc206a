"""Codes of the rule language: what can be wrong with the sentences of a rule file and with what they mean.

In: nothing. Out: `RULE_CODES`, merged into `CODES`.
"""

from __future__ import annotations

from hoyle.diagnostics.code import Code

RULE_CODES: tuple[Code, ...] = ()

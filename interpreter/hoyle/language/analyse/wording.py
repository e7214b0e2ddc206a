"""Style checks: one way to say each thing.

In: an environment with all rules elaborated. Out: warnings, each with the preferred spelling.
"""

from __future__ import annotations

from hoyle.language.elaborate.environment import Environment


def check_wording(env: Environment) -> None:
    """Report comparisons with named values that use a sign instead of `is`. Skipped if there are errors."""
    if env.report.failed:
        return
    for span, (name, fix) in env.equated.items():
        message = f"`{name}` is the name of a value: it is asked for with `is`, not with a sign"
        env.report.error("equals-before-name", message, span, fix=fix)

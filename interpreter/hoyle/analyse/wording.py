"""What has two ways to be said is said in one.

In: an environment in which all rules have been read. Out: warnings, each with the line as it is said elsewhere.
"""

from __future__ import annotations

from hoyle.elaborate.environment import Environment


def check_wording(env: Environment) -> None:
    """A value that is said by its name is asked for with `is`. Where something is wrong, that is told alone."""
    if env.report.failed:
        return
    for span, (name, fix) in env.equated.items():
        message = f"`{name}` is the name of a value: it is asked for with `is`, not with a sign"
        env.report.error("equals-before-name", message, span, fix=fix)

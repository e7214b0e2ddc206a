"""Faults: run-time errors of the rules.

In: what went wrong. Out: `Fault`, the only exception that executors raise for an error in a rule file.
"""

from __future__ import annotations

from hoyle.base.errors import HoyleError

SECRET = "secret"  # the code of a fault: a rule looks at what a seat does not know


class Fault(HoyleError):  # noqa: N818 - the word of the project for a rule that fails at run time
    """A run-time error of a rule.

    `clause` is the number of the failing clause, `steps` the names of the active steps, outermost first, and `place`
    the location `file:line: path`, filled in by a caller that has the program.
    """

    def __init__(self, code: str, message: str, clause: int | None = None, steps: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.clause = clause
        self.steps = steps
        self.place = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle support: an exception that cannot be unpickled would break a process pool."""
        return Fault, (self.code, self.message, self.clause, self.steps), {"place": self.place}

    def __str__(self) -> str:
        where = f" ({self.place})" if self.place else ""
        running = f"; running: {', '.join(self.steps)}" if self.steps else ""
        return f"{self.message}{where}{running}"

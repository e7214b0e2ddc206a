"""Faults: mistakes of the rules that show only while a game runs.

In: what went wrong. Out: `Fault`, the only exception the executors raise for a mistake in a rule file.
"""

from __future__ import annotations


class Fault(Exception):  # noqa: N818 - the word of the project for a rule that fails at run time
    """A rule that cannot be carried out.

    `clause` is the number of the clause that failed, `steps` the names of the steps that were running, outermost
    first, and `place` its `file:line`, once somebody who has the program has filled it in.
    """

    def __init__(self, code: str, message: str, clause: int | None = None, steps: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.clause = clause
        self.steps = steps
        self.place = ""

    def __reduce__(self) -> tuple[object, ...]:
        """What another process makes the same fault from: one that cannot be made again would stop a pool of them."""
        return Fault, (self.code, self.message, self.clause, self.steps), {"place": self.place}

    def __str__(self) -> str:
        where = f" ({self.place})" if self.place else ""
        running = f"; running: {', '.join(self.steps)}" if self.steps else ""
        return f"{self.message}{where}{running}"

"""The work done for a program, by which executors decide whether generating code pays: counted, so that the same calls
generate the same code on every machine.

In: evaluation steps and decisions. Out: their sum, as if the reference had played all.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass

WORTH_WRITING = 300_000  # evaluation steps of the reference that take about as long as generating code
STEPS_TO_LIST = 50  # overhead of listing choices once, in evaluation steps


@dataclass(slots=True)
class Tally:
    """The work done for a program so far, in evaluation steps as the reference takes them: counted while it plays, and
    estimated by the decision when code does."""

    steps: int = 0
    counted: int = 0  # of these, those of the reference
    decisions: int = 0  # decisions after which the reference went on

    def note(self, steps: int) -> None:
        self.steps += steps
        self.counted += steps

    def note_decisions(self, made: int) -> None:
        """Account for decisions that were played by code."""
        self.steps += made * (self.counted // max(self.decisions, 1))

"""The state of a running example.

In: a table. Out: `Scene`, which holds the match, the vocabulary of the game, and the failures found.
"""

from __future__ import annotations

from dataclasses import field

from hoyle.authoring.testing.tables import Table
from hoyle.authoring.testing.vocabulary import Vocabulary
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.base.source import Span
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game, Match
from hoyle.program.model.position import Position


@dataclass(slots=True)
class Scene:
    """A match and the failures found in it. `heard` is the number of events before the current stage, `log` the choices
    made in it, `stopped` whether the last of them reached the step of `until`, `note` a hint at a likely oversight,
    shown with failures; `given` is the position in which the stage begins, after `heard_given` events."""

    table: Table
    match: Match
    report: Report = field(default_factory=Report)
    details: dict[Diagnostic, str] = field(default_factory=dict)
    heard: int = 0
    heard_given: int = 0
    given: Position | None = None
    given_scores: list[int] = field(default_factory=list)
    log: list[LoggedChoice] = field(default_factory=list)
    stopped: bool = False
    note: str = ""
    words: Vocabulary = field(init=False)

    def __post_init__(self) -> None:
        self.words = Vocabulary(self.game.program, self.game.names, self.report)

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def failed(self) -> bool:
        return self.report.failed

    def fail(
        self, code: str, message: str, span: Span, label: str = "", *, detail: str = "", hint: tuple[str, ...] = ()
    ) -> None:
        """Report a failure; `detail` is shown below it."""
        before = len(self.report.diagnostics)
        self.report.error(code, message, span, label, hint=hint)
        if detail and len(self.report.diagnostics) > before:
            self.details[self.report.diagnostics[-1]] = detail

    def fail_by_fault(self, fault: Fault, span: Span) -> None:
        self.fail("game-fault", str(self.game.locate(fault)), span, "while this was tried")

    def merge(self, other: Report) -> bool:
        """Add the errors of another report; return whether it failed."""
        self.report.diagnostics.extend(each for each in other.diagnostics if each.severity == "error")
        return other.failed


@dataclass(frozen=True, slots=True)
class LoggedChoice:
    """A choice made, and the cards that came into zones of the seat by it."""

    seat: int
    text: str
    got: tuple[str, ...]

    @property
    def short(self) -> str:
        return f"{self.seat} {self.text}"

    def __str__(self) -> str:
        return self.short + (f" gets {' '.join(self.got)}" if self.got else "")

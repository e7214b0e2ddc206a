"""The whole program: a game compiled for a number of players and a set of options.

In: everything it is made of. Out: `Program`, which is all that executors, views and bots are given.
"""

from __future__ import annotations

from typing import Any

from hoyle.dataclass import dataclass
from hoyle.ir.actions import Action, Decision, Step
from hoyle.ir.blocks import Block, BlockId
from hoyle.ir.declared import (
    Card,
    CardAttribute,
    Clause,
    Definition,
    Enum,
    Local,
    Rule,
    Scale,
    ScoreTable,
    State,
    TableLooks,
    Utility,
    Zone,
)
from hoyle.ir.expressions import Expr
from hoyle.ir.visibility import has_faces


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """How a game is shown in a language: its title, how each card is written, and labels of actions, zones, states and
    pots, values (of enumerations, and named numbers) and texts of the rule file; `written[attribute][card]` is how an
    attribute stands in a card's code, `told` is how an action is told, with its picks in braces and both forms of a
    verb, `play|plays {card}`, or how it is told that cards come to lie in a zone. What is left out is shown as the file
    writes it."""

    language: str
    title: str
    cards: tuple[str, ...]
    actions: dict[str, str]
    zones: dict[str, str]
    states: dict[str, str]
    values: dict[str, str]
    messages: dict[str, str]
    told: dict[str, str]
    written: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A game compiled for a number of players and a set of options.

    `teams[seat]` is the number of the seat's team (its own where there are none). `keeps_lines`: positions keep the
    lines of the score sheet, because a rule or a mark needs them. `most` is what no total goes beyond, if there is a
    limit. `track` is the number of holes of the board the totals are pegged on, if there is one. `struck` (over a
    frame that begins with a line) says which lines of the score sheet are struck out, `column_totals` and `standing`
    (over a frame that begins with a seat) what stands below each column, and what the seat's score is; without them
    no line is struck, and the totals of the columns, or of the first, stand for themselves. `keeps_holders`:
    positions remember the last seat in whose zone each card lay, because a rule asks for it. `called`: everything
    possible is offered, and what was not allowed is an offence on record, for others to call. `table` is what the file
    says about how it looks, if anything; `utility` what a result is worth to a seat, if it is not winning; `hints` how
    a seat stands, for its bots (both over a frame that begins with a seat); `judged` are the actions of which they
    judge by the hints."""

    game: str
    title: str
    players: int
    options: dict[str, Any]
    enums: tuple[Enum, ...]
    scales: tuple[Scale, ...]
    cards: tuple[Card, ...]
    attributes: tuple[CardAttribute, ...]
    zones: tuple[Zone, ...]
    start_zone: int
    states: tuple[State, ...]
    columns: tuple[str, ...]
    column_labels: tuple[str, ...]
    marks: tuple[str, ...]
    mark_labels: tuple[str, ...]
    keeps_lines: bool
    teams: tuple[int, ...]
    most: int | None
    slots: tuple[Local, ...]
    definitions: tuple[Definition, ...]
    scores: tuple[ScoreTable, ...]
    keeps_holders: bool
    actions: tuple[Action, ...]
    decisions: tuple[Decision, ...]
    steps: tuple[Step, ...]
    blocks: tuple[Block, ...]
    entry: BlockId
    frame: int
    winners: Expr
    clauses: tuple[Clause, ...]
    rules: dict[str, Rule]
    track: int | None = None
    struck: Expr | None = None
    column_totals: tuple[Expr, ...] = ()
    standing: Expr | None = None
    called: bool = False
    language: str = "en"
    labels: tuple[Labels, ...] = ()
    table: TableLooks | None = None
    utility: Utility | None = None
    hints: Expr | None = None
    judged: tuple[int, ...] = ()

    @property
    def keeps_faces(self) -> bool:
        """Whether positions remember which cards lie with their faces up, because a zone shows those."""
        return any(has_faces(zone) for zone in self.zones)

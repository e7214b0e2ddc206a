"""The whole program: a game compiled for a number of players and a set of options.

In: all its parts. Out: `Program`, the only input of executors, views and bots.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.actions import Action, Decision, Step
from hoyle.program.ir.blocks import Block, BlockId
from hoyle.program.ir.declared import (
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
from hoyle.program.ir.expressions import Expr
from hoyle.program.ir.visibility import has_faces


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Translations into one language: the title, how each card is written, and labels of actions, zones, states and
    pots, values (of enumerations, and named numbers) and texts of the rule file. `written[attribute][card]` is the
    abbreviation of an attribute in a card's code. `told` are message templates, for actions, with picks in braces and
    both forms of a verb (`play|plays {card}`), and for cards that arrive in a zone. Whatever is missing is shown as in
    the rule file."""

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


@dataclass(frozen=True, slots=True)
class Untold:
    """What a seat need not know: by block of a decision, local values that the seat which decides there need not know,
    and, of cards, which of those in their zone they are; and the states that nobody sees and not all know."""

    slots: dict[BlockId, tuple[int, ...]]
    states: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A game compiled for a number of players and a set of options.

    `teams[seat]` is the number of the seat's team (its own without teams). `keeps_lines`: positions store the lines of
    the score sheet, because a rule or a mark needs them. `most` is the maximum of a total, if there is one. `track` is
    the number of holes of the board on which totals are pegged, if there is one. `struck` (over a frame that begins
    with a line) tells which lines of the score sheet are struck out; `column_totals` and `standing` (over a frame that
    begins with a seat) give the displayed total of each column and the seat's score. Without them no line is struck
    out, the totals of columns are their sums, and the score is the total of the first column. `keeps_holders`:
    positions store the last seat in whose zone each card lay, because a rule reads it. `called`: everything possible is
    offered, and a choice that is not allowed becomes an offence on record, for others to call. `saves`: an offence, or
    the beginning of a step, may be on record, to be taken back. `table` is the declared
    layout, if any; `utility` the utility of a result for a seat, if it is not winning; `hints` an evaluation of a
    seat's standing, for bots (both over a frame that begins with a seat); `judged` are the actions at whose decisions
    bots use `hints`, all if empty. `digests` are hashes of the rules by section, as far as they decide play, by which a
    stored match knows whether it is continued under the same ones. `untold` is what a
    seat need not know where it decides; None where that has not been worked out."""

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
    saves: bool = False
    language: str = "en"
    labels: tuple[Labels, ...] = ()
    table: TableLooks | None = None
    utility: Utility | None = None
    hints: Expr | None = None
    judged: tuple[int, ...] = ()
    digests: dict[str, str] = field(default_factory=dict)
    untold: Untold | None = field(default=None, repr=False, compare=False)

    @property
    def keeps_faces(self) -> bool:
        """Whether positions store which cards lie face up, because the visibility of a zone depends on it."""
        return any(has_faces(zone) for zone in self.zones)

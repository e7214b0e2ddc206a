"""What a game file declares, parsed but not yet bound or typed.

In: nothing. Out: the plain records that `reading` fills from the document and the later passes read.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from hoyle.dataclass import dataclass
from hoyle.diagnostics.report import Diagnostic
from hoyle.ir.declared import TableForm, TablePlace
from hoyle.ir.nodes import Program, Rule
from hoyle.ir.parts import Regions
from hoyle.source import Span
from hoyle.syntax import ast
from hoyle.syntax.grammar import Start
from hoyle.syntax.vocabulary import EMPTY, Vocabulary


@dataclass(frozen=True, slots=True)
class Line:
    """A clause: its path in the file, where it stands, its sentence and what it cites."""

    path: str
    span: Span
    text: str = ""
    cite: tuple[ast.Word, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleText:
    """A stretch of the file that was parsed, and as what; `lines` says that it is a `|` block."""

    start: Start
    span: Span
    lines: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """A leaf of `possible`, `allowed`, `forbidden`, `any`, `all`: one named test. `test` None is `never`."""

    line: Line
    test: ast.Expr | None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ConditionGroup:
    """`any:` or `all:` of named conditions."""

    op: Literal["any", "all"]
    line: Line
    parts: tuple[Condition | ConditionGroup, ...]


AnyCondition = Condition | ConditionGroup


@dataclass(frozen=True, slots=True)
class Case:
    """One line of `cases:`; the first whose `when` holds gives its value."""

    line: Line
    when: ast.Expr | None
    value: ast.Expr


@dataclass(frozen=True, slots=True)
class Body:
    """What a definition is: an expression, cases, named conditions; or, in score tables, the sum of `expr` over `each`
    (or its parts, or just the groups), or the sum of other rows."""

    expr: ast.Expr | None = None
    cases: tuple[Case, ...] = ()
    condition: ConditionGroup | None = None
    each: ast.Those | None = None
    wants: Literal["total", "parts", "groups"] = "total"
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """`kind`: a truth, a number with bounds, or one of `values`; `places` says where each value stands."""

    name: str
    line: Line
    kind: Literal["truth", "number", "enum"]
    default: ast.Expr
    low: int = 0
    high: int = 0
    or_none: bool = False
    values: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    require: tuple[Condition, ...] = ()
    places: dict[str, Span] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AttributeDecl:
    """`values` None: a number from `low` to `high`; `shorts` maps a value to how a card code writes it. Those of a
    `plain` list have no short forms, and are left out of codes where the cards can be told apart without them."""

    name: str
    line: Line
    values: tuple[str, ...] | None
    shorts: dict[str, str]
    low: int = 0
    high: int = 0
    places: dict[str, Span] = field(default_factory=dict)
    plain: bool = False


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of the deck: every combination of the attribute values, so many copies, if the condition holds. `places`
    says where each value of each attribute stands, `name_at` where the name does."""

    span: Span
    attributes: tuple[tuple[str, tuple[str | int, ...]], ...]
    name: str
    short: str
    copies: ast.Expr | None
    condition: ast.Expr | None
    places: tuple[tuple[Span, ...], ...]
    name_at: Span


@dataclass(frozen=True, slots=True)
class DeckDecl:
    line: Line
    starts_in: ast.Word | None
    attributes: tuple[AttributeDecl, ...]
    rows: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True)
class ZoneDecl:
    """`of` names what there is one for each of."""

    name: str
    line: Line
    of: tuple[ast.Word, ...]
    shows: ast.Expr
    quiet: bool = False
    many: ast.Expr | None = None
    remembered: bool = False


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """What a value of a kind has in a column: one thing, or a list of them."""

    exprs: tuple[ast.Expr, ...]
    listed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class KindDecl:
    """A type of the game's own: an enumeration, where `columns[column][value]` is what the value has there; or, with
    `values` None, the numbers from `low` to `high`, some of which have names."""

    name: str
    line: Line
    values: tuple[str, ...] | None
    places: dict[str, Span]
    columns: dict[str, dict[str, ColumnValue]]
    low: int = 0
    high: int = 0
    names: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PotDecl:
    name: str
    line: Line
    of: tuple[ast.Word, ...]
    start: ast.Expr | None
    debt: ast.Expr | None


@dataclass(frozen=True, slots=True)
class StateDecl:
    """`of` names what there is one for each of; `most` is how long a list may become."""

    name: str
    line: Line
    of: tuple[ast.Word, ...]
    type: Span
    start: ast.Expr | None
    shows: str
    lasts: Literal["round", "match"]
    shows_at: Span | None = None
    quiet: bool = False
    most: ast.Expr | None = None


@dataclass(frozen=True, slots=True)
class DefinitionDecl:
    """`takes` gives the types of parameters that are not named by their type."""

    name: str
    line: Line
    pattern: ast.Pattern
    owned: bool
    takes: dict[str, str]
    body: Body


@dataclass(frozen=True, slots=True)
class RowDecl:
    """A row of a score table; its definitions bear the names `TABLE.ROW`, `TABLE.ROW.parts`, `TABLE.ROW.groups`."""

    name: str
    label: str
    call: str
    line: Line
    grouped: bool


@dataclass(frozen=True, slots=True)
class ScoreDecl:
    name: str
    line: Line
    rows: tuple[RowDecl, ...]


@dataclass(frozen=True, slots=True)
class PickDecl:
    """`pick` None could not be read, and that has been told."""

    name: ast.Word
    line: Line
    pick: ast.Pick | None


@dataclass(frozen=True, slots=True)
class ActionDecl:
    name: str
    line: Line
    picks: tuple[PickDecl, ...]
    possible: tuple[AnyCondition, ...]
    allowed: tuple[AnyCondition, ...]
    do: tuple[ast.Statement, ...]


@dataclass(frozen=True, slots=True)
class TierDecl:
    name: str
    line: Line
    when: ast.Expr | None
    offer: ast.Menu


@dataclass(frozen=True, slots=True)
class ChoiceDecl:
    name: str
    line: Line
    tiers: tuple[TierDecl, ...]


@dataclass(frozen=True, slots=True)
class EndDecl:
    """`waits_for` are what must be finished before the condition is looked at; None if that is not said."""

    step: ast.Word
    line: Line
    when: ast.Expr
    waits_for: tuple[ast.Word, ...] | None = None


@dataclass(frozen=True, slots=True)
class StepDecl:
    """`is_action`: it is what the action of this name does, as a step, because a step does it; what the action chooses
    is what it is done of."""

    name: str
    line: Line
    pattern: ast.Pattern
    owned: bool
    takes: dict[str, str]
    do: tuple[ast.Statement, ...]
    is_action: bool = False


@dataclass(frozen=True, slots=True)
class LabelsDecl:
    """The labels of one language. `said[section][name]` is a label and where it stands; `codes` are the short forms of
    values by attribute, `options` the sentences of options and of their values."""

    title: str
    said: dict[str, dict[str, tuple[str, Span]]]
    codes: dict[str, tuple[dict[str, tuple[str, Span]], Span]]
    options: dict[str, tuple[dict[str, tuple[str, Span]], Span]]


@dataclass(frozen=True, slots=True)
class SortKey:
    """An attribute by which cards are sorted, lowest first unless `highest`."""

    attribute: ast.Word
    highest: bool


@dataclass(frozen=True, slots=True)
class ZoneLookDecl:
    """Where a zone lies, under which, and how it is drawn; empty or None where the file does not say. `marks` are the
    states that are shown on its cards."""

    zone: ast.Word
    at: TablePlace
    form: TableForm
    sort: tuple[SortKey, ...] | None
    under: ast.Word | None
    marks: tuple[ast.Word, ...]


@dataclass(frozen=True, slots=True)
class CountDecl:
    """A running count, of the table or of each seat, under the label it is shown with."""

    label: str
    line: Line
    of_seat: bool
    value: ast.Expr


@dataclass(frozen=True, slots=True)
class TableDecl:
    """How the game looks on the table; `states` are those that matter, None if the file does not say."""

    zones: tuple[ZoneLookDecl, ...]
    counts: tuple[CountDecl, ...]
    states: tuple[ast.Word, ...] | None


@dataclass(frozen=True, slots=True)
class UtilityDecl:
    """What a result is worth to a seat; `bounds` are the least and the most it can be, `sum` what it is to all seats
    together, where the file says so."""

    value: DefinitionDecl
    bounds: tuple[int, int] | None
    sum: int | None


@dataclass(frozen=True, slots=True)
class HintsDecl:
    """How a seat stands, for its bots; `judges` are the actions of which they judge by that alone."""

    value: DefinitionDecl
    judges: tuple[ast.Word, ...]


Settings = tuple[int, tuple[tuple[str, str], ...]]  # players, and options by name
Written = dict[tuple[int, ...], tuple[tuple[ast.Statement, ...], Regions]]  # by the identity of statements, and those


@dataclass(slots=True)
class Declarations:
    """A game file as read: everything later passes need, for any number of players and any options. `lost` are names
    whose declaration could not be read, which has been told: what is said with them is not looked at again."""

    name: str = ""
    title: str = ""
    family: str = ""
    also: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    line: Line | None = None
    usual: tuple[int, int] = (2, 2)
    allowed: tuple[int, int] = (2, 2)
    players_line: Line | None = None
    options: dict[str, OptionDecl] = field(default_factory=dict)
    deck: DeckDecl | None = None
    zones: dict[str, ZoneDecl] = field(default_factory=dict)
    most: ast.Expr | None = None
    columns: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    struck: ast.Expr | None = None
    column_totals: dict[str, tuple[Span, ast.Expr]] = field(default_factory=dict)
    standing: ast.Expr | None = None
    team_size: ast.Expr | None = None
    errors: ast.Expr | None = None
    teams_if: ast.Expr | None = None
    teams_line: Line | None = None
    track: ast.Expr | None = None
    kinds: dict[str, KindDecl] = field(default_factory=dict)
    states: dict[str, StateDecl] = field(default_factory=dict)
    pots: dict[str, PotDecl] = field(default_factory=dict)
    definitions: dict[str, DefinitionDecl] = field(default_factory=dict)
    scores: dict[str, ScoreDecl] = field(default_factory=dict)
    actions: dict[str, ActionDecl] = field(default_factory=dict)
    choices: dict[str, ChoiceDecl] = field(default_factory=dict)
    ends: list[EndDecl] = field(default_factory=list)
    steps: dict[str, StepDecl] = field(default_factory=dict)
    winners: DefinitionDecl | None = None
    utility: UtilityDecl | None = None
    hints: HintsDecl | None = None
    needs: dict[str, Line] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    rules_known: bool = False
    cited: list[ast.Word] = field(default_factory=list)
    language: str = "en"
    labels: dict[str, LabelsDecl] = field(default_factory=dict)
    table: TableDecl | None = None
    vocabulary: Vocabulary = EMPTY
    texts: list[RuleText] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    advice: list[Diagnostic] | None = field(default=None, init=False, compare=False)  # found without players or options
    # Outlines without a finding, and with which players and options nothing was found; each with the steps that took.
    sound: dict[int, tuple[Program, int]] = field(default_factory=dict, init=False, compare=False)
    examined: dict[Settings, int] = field(default_factory=dict, init=False, compare=False)
    written: dict[object, Written] = field(default_factory=dict, init=False, compare=False)  # by the states there are

    def units(self) -> list[StepDecl | ActionDecl]:
        """Everything that holds statements, each once."""
        return [*(step for step in self.steps.values() if not step.is_action), *self.actions.values()]

    def refuse_players(self, count: int) -> str:
        """What is told to so many as cannot play."""
        low, high = self.allowed
        return f"`{self.name}` is for {low if low == high else f'{low} to {high}'} players, not {count}"

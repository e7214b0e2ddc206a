"""Declarations of a game file, parsed but not yet bound or typed.

In: nothing. Out: the plain records that `sections` fills from the document and that later passes read.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.source import Span
from hoyle.language.syntax import ast
from hoyle.language.syntax.grammar import Start
from hoyle.language.syntax.vocabulary import EMPTY, Vocabulary
from hoyle.program.ir.declared import TableForm, TablePlace
from hoyle.program.ir.nodes import Rule
from hoyle.program.ir.parts import Regions


@dataclass(frozen=True, slots=True)
class Line:
    """A clause: its path in the file, its location, its text and its citations."""

    path: str
    span: Span
    text: str = ""
    cite: tuple[ast.Word, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleText:
    """A parsed stretch of the file, with its start symbol; `lines`: it is a `|` block."""

    start: Start
    span: Span
    lines: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """A leaf of `possible`, `allowed`, `forbidden`, `any`, `all`: one named test; `test` is None for `never`."""

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
    """One line of `cases:`; the first whose `when` holds determines the value."""

    line: Line
    when: ast.Expr | None
    value: ast.Expr


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a definition: an expression, cases, or named conditions; in score tables the sum of `expr` over
    `each` (or the list of its parts, or of the groups), or the sum of other rows."""

    expr: ast.Expr | None = None
    cases: tuple[Case, ...] = ()
    condition: ConditionGroup | None = None
    each: ast.Those | None = None
    wants: Literal["total", "parts", "groups"] = "total"
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """`kind`: a truth value, a number with bounds, or one of `values`; `places` are the locations of the values."""

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
    """`values` None: a number from `low` to `high`. `shorts` maps a value to its abbreviation in card codes. The values
    of a `plain` list have no abbreviations, and are omitted from codes where these are unique without them."""

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
    """A row of the deck: every combination of the attribute values, in so many copies, if the condition holds. `places`
    are the locations of the values of each attribute, `name_at` that of the name; `text` says what the cards do."""

    span: Span
    attributes: tuple[tuple[str, tuple[str | int, ...]], ...]
    name: str
    short: str
    copies: ast.Expr | None
    condition: ast.Expr | None
    places: tuple[tuple[Span, ...], ...]
    name_at: Span
    text: str = ""
    cite: tuple[ast.Word, ...] = ()


@dataclass(frozen=True, slots=True)
class DeckDecl:
    line: Line
    starts_in: ast.Word | None
    attributes: tuple[AttributeDecl, ...]
    rows: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True)
class ZoneDecl:
    """`of` names the dimensions of a family."""

    name: str
    line: Line
    of: tuple[ast.Word, ...]
    shows: ast.Expr
    quiet: bool = False
    many: ast.Expr | None = None
    remembered: bool = False


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """The cell of a value in a column of its kind: a single value, or a list."""

    exprs: tuple[ast.Expr, ...]
    listed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class KindDecl:
    """A type declared by the game: an enumeration, with `columns[column][value]`; or, if `values` is None, the numbers
    from `low` to `high`, some of which have names."""

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
    shows: str = "all"
    shows_at: Span | None = None


@dataclass(frozen=True, slots=True)
class StateDecl:
    """`of` names the dimensions of a family; `most` is the maximal length of a list."""

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
    """`takes` are the types of parameters that are not named by their type."""

    name: str
    line: Line
    pattern: ast.Pattern
    owned: bool
    takes: dict[str, str]
    body: Body


@dataclass(frozen=True, slots=True)
class RowDecl:
    """A row of a score table; its definitions are named `TABLE.ROW`, `TABLE.ROW.parts` and `TABLE.ROW.groups`."""

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
    """`pick` is None after a syntax error, which has been reported."""

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
    """`waits_for` names what must have finished before the condition is tested; None if it is not declared."""

    step: ast.Word
    line: Line
    when: ast.Expr
    waits_for: tuple[ast.Word, ...] | None = None


@dataclass(frozen=True, slots=True)
class StepDecl:
    """`is_action`: a step derived from the effects of the action of this name, because a statement does it directly;
    its parameters are the action's picks."""

    name: str
    line: Line
    pattern: ast.Pattern
    owned: bool
    takes: dict[str, str]
    do: tuple[ast.Statement, ...]
    is_action: bool = False


@dataclass(frozen=True, slots=True)
class LabelsDecl:
    """The labels of one language. `said[section][name]` is a label with its location; `codes` are abbreviations of
    values by attribute, `options` the texts of options and of their values."""

    title: str
    said: dict[str, dict[str, tuple[str, Span]]]
    codes: dict[str, tuple[dict[str, tuple[str, Span]], Span]]
    options: dict[str, tuple[dict[str, tuple[str, Span]], Span]]


@dataclass(frozen=True, slots=True)
class SortKey:
    """An attribute by which cards are sorted, ascending unless `highest`."""

    attribute: ast.Word
    highest: bool


@dataclass(frozen=True, slots=True)
class ZoneLookDecl:
    """Layout of a zone: its place, the zone above it, and its form; empty or None if not declared. `marks` are the
    states displayed on its cards, `places` is how many it has in the end, 0 if not declared."""

    zone: ast.Word
    at: TablePlace
    form: TableForm
    sort: tuple[SortKey, ...] | None
    under: ast.Word | None
    marks: tuple[ast.Word, ...]
    places: int


@dataclass(frozen=True, slots=True)
class CountDecl:
    """A displayed count, of the table or of each seat, with its label."""

    label: str
    line: Line
    of_seat: bool
    value: ast.Expr


@dataclass(frozen=True, slots=True)
class TableDecl:
    """Layout of the table; `states` are those to display, None if not declared."""

    zones: tuple[ZoneLookDecl, ...]
    counts: tuple[CountDecl, ...]
    states: tuple[ast.Word, ...] | None


@dataclass(frozen=True, slots=True)
class UtilityDecl:
    """The utility of a result for a seat; `bounds` are its least and greatest value, `sum` the constant sum over all
    seats, where declared."""

    value: DefinitionDecl
    bounds: tuple[int, int] | None
    sum: int | None


@dataclass(frozen=True, slots=True)
class HintsDecl:
    """The evaluation of a seat's standing for bots; `judges` are the actions at whose decisions bots use it."""

    value: DefinitionDecl
    judges: tuple[ast.Word, ...]


Written = dict[tuple[int, ...], tuple[tuple[ast.Statement, ...], Regions]]  # by identity of statements, kept alive here


@dataclass(slots=True)
class Declarations:
    """The declarations of a game file: the input of later passes for any number of players and any options. `lost` are
    names whose declaration is erroneous and has been reported; uses of these are not diagnosed again."""

    name: str = ""
    title: str = ""
    family: str = ""
    also: tuple[str, ...] = ()
    about: str = ""
    goal: str = ""
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
    general: Any = field(default=None, init=False, compare=False)  # the program for all tables, once it is made
    written: dict[object, Written] = field(default_factory=dict, init=False, compare=False)  # by the declared states
    deciding: dict[str, str] | None = field(default=None, init=False, compare=False)  # digests by section

    def units(self) -> list[StepDecl | ActionDecl]:
        """All steps and actions, that is, everything that contains statements, without duplicates."""
        return [*(step for step in self.steps.values() if not step.is_action), *self.actions.values()]

    def refuse_players(self, count: int) -> str:
        """The message for an unsupported number of players."""
        low, high = self.allowed
        return f"`{self.name}` is for {low if low == high else f'{low} to {high}'} players, not {count}"

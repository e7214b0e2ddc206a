"""The symbol table of a game at one number of players and one set of options.

In: declarations. Out: `Environment`, with lookup of names: options as constants, the deck as tables, zones and states
as indices into the position. It also numbers the clauses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any, TypedDict

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Fix, Label, Report, respell
from hoyle.base.source import Span
from hoyle.language.declare.declarations import ActionDecl, Declarations, DefinitionDecl, Line
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import LINE, NUMBER, SEAT, SEATS, TEAM, TRUTH, Type, maybe
from hoyle.program.words import WORDS

MOST_SIMILAR = 50


@dataclass(frozen=True, slots=True)
class Value:
    """A named value as a constant: of an enumeration, or a number of a scale."""

    type: Type
    index: int


@dataclass(slots=True)
class DefinitionInfo:
    """A definition under elaboration: `result` is None until its body has been typed."""

    decl: DefinitionDecl
    params: tuple[ir.Local, ...]
    index: int
    result: ir.Definition | None = None
    running: bool = False


class Similar(TypedDict):
    """Parts of a diagnostic about an unknown name."""

    others: tuple[Label, ...]
    hint: tuple[str, ...]
    fix: tuple[Fix, ...]


@dataclass(slots=True)
class Environment:
    """The names of a game and their meanings. `is_general`: it stands for all tables, so that options, the number of
    players and what follows from them are not yet known; what is said of these then holds at one of them. `reported`
    are names with reported errors, whose uses are not diagnosed again. `coded` are the attributes of which card codes
    consist. `called`: offences are possible, and others may call them. `decided` are conditional clauses decided at
    compile time, with their outcome. `equated` are comparisons by sign with a named value: the name, and the fix."""

    declared: Declarations
    players: int
    report: Report
    options: dict[str, ir.Const] = field(default_factory=dict)
    enums: dict[str, ir.Enum] = field(default_factory=dict)
    scales: dict[str, ir.Scale] = field(default_factory=dict)
    values: dict[str, list[Value]] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)
    attribute_list: list[ir.CardAttribute] = field(default_factory=list)
    gaps: set[str] = field(default_factory=set)
    coded: frozenset[str] = frozenset()
    teams: tuple[int, ...] = ()
    cards: list[ir.Card] = field(default_factory=list)
    card_names: dict[str, tuple[int, ...]] = field(default_factory=dict)
    card_codes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    zones: dict[str, int] = field(default_factory=dict)
    zone_list: list[ir.Zone] = field(default_factory=list)
    kind_columns: dict[str, dict[str, ir.Const]] = field(default_factory=dict)
    states: dict[str, int] = field(default_factory=dict)
    state_list: list[ir.State] = field(default_factory=list)
    definitions: dict[str, DefinitionInfo] = field(default_factory=dict)
    actions: dict[str, int] = field(default_factory=dict)
    clauses: list[ir.Clause] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    clause_ids: dict[tuple[str, str, int], int] = field(default_factory=dict)
    decided: dict[int, bool] = field(default_factory=dict)
    equated: dict[Span, tuple[str, Fix]] = field(default_factory=dict)
    asked_options: set[str] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    most: int | None = None  # of a total
    track: int | None = None
    called: bool = False
    is_general: bool = False
    seeing: bool = False  # the visibility of zones is being elaborated
    lacks_cards: bool = False  # a row of the deck was erroneous, so that valid codes may be missing

    def clause(self, line: Line) -> int:
        """The number of a clause."""
        key = (line.path, line.span.source.name, line.span.start)
        if key not in self.clause_ids:
            row, column = line.span.source.line_and_column(line.span.start)
            self.clause_ids[key] = len(self.clauses)
            self.lines.append(line)
            self.clauses.append(
                ir.Clause(
                    path=line.path,
                    file=line.span.source.name,
                    line=row,
                    column=column,
                    text=line.text,
                    cite=tuple(word.id for word in line.cite),
                )
            )
        return self.clause_ids[key]

    def action(self, name: str) -> ActionDecl | None:
        return self.declared.actions.get(name)

    def enum_values(self, kind: Type) -> tuple[str, ...]:
        return self.enums[kind.name].values if kind.kind == "enum" else ()

    def domain_of(self, name: str) -> tuple[Type, range] | None:
        """The type and the values of an enumeration or scale; None for anything else."""
        if name in self.enums:
            return Type("enum", name), range(len(self.enums[name].values))
        if name in self.scales:
            return Type("number", name), range(self.scales[name].low, self.scales[name].high + 1)
        return None

    def is_spoken_kind(self, name: str) -> bool:
        """Whether rules may iterate over a type by its name: `for each suit`. Options are excluded: their values are
        settings."""
        return (name in self.attributes or name in self.declared.kinds) and self.domain_of(name) is not None

    def type_named(self, word: str) -> Type | None:
        """The type that a word denotes in a type position."""
        plain = word.removesuffix(" or none")
        domain = self.domain_of(plain)
        found = TYPE_WORDS.get(plain) or (domain[0] if domain else None)
        return maybe(found) if found is not None and plain != word else found

    def names(self) -> Iterable[str]:
        """All names that may occur in an expression, for did-you-mean suggestions."""
        yield from (w.name for w in WORDS.values() if w.spoken)
        yield from ("players", "deck", "none", "dealer", "team", "teams", "partner", *self.declared.columns)
        for table in (
            self.options,
            self.attributes,
            self.kind_columns,
            self.zones,
            self.states,
            self.definitions,
            self.card_names,
            self.values,
        ):
            yield from table

    def place_of(self, name: str) -> Span | None:
        """Where a name is declared."""
        d = self.declared
        for table in (
            d.options, d.kinds, d.zones, d.states, d.pots, d.definitions, d.actions, d.steps, d.choices
        ):  # fmt: skip
            if name in table:
                found: Span = table[name].line.span
                return found
        if d.deck:
            for attribute in d.deck.attributes:
                if attribute.name == name:
                    return attribute.line.span
            for row in d.deck.rows:
                if row.name == name:
                    return row.name_at
        return None

    def find_action(self, word: ast.Word) -> int | None:
        """The number of an action by name; None, after an error, if there is none."""
        name = word.name
        if name not in self.actions and not self.is_told(name, word.span):
            similar = self.similar(name, self.actions, word.span, "actions")
            self.report.error(
                "unknown-action", f"no action named `{name}`", word.span, "not declared under `actions:`", **similar
            )
        return self.actions.get(name)

    def is_told(self, name: str, span: Span) -> bool:
        """Whether the fault of a name that is not known has been told; the rule at the place that says it is then not
        looked at."""
        if name in self.reported:
            self.report.unchecked.append(span)
        return name in self.reported

    def is_lost(self, name: str, span: Span) -> bool:
        """Whether what a name means in an expression cannot be told, since it could not be read or may stand in what
        could not; the rule at the place that says it is then not looked at."""
        if name not in self.reported:
            return False
        only_mentioned = name in self.report.mentioned - self.declared.lost - self.report.lost
        return not (only_mentioned and name in set(self.names())) and self.is_told(name, span)

    def similar(self, name: str, known: Iterable[str], span: Span, kind: str = "") -> Similar:
        """The parts of a diagnostic about an unknown name: where the most similar one is declared, and fixes; if none
        is similar, a list of the known ones, called `kind`."""
        names = list(known)
        if len(self.report.diagnostics) > MOST_SIMILAR:
            return {"others": (), "hint": (), "fix": ()}  # the search is slow, and nobody reads that many
        fixes = respell(span, name, names)
        if not fixes:
            listed = ", ".join(f"`{one}`" for one in names[:12])
            hints = (f"the {kind} are {listed}" if names else f"there are no {kind} yet",) if kind else ()
            return {"others": (), "hint": hints, "fix": ()}
        place = self.place_of(fixes[0].text)
        labels = (Label(place, "a similar name"),) if place else ()
        return {"others": labels, "hint": (), "fix": fixes}


TYPE_WORDS: dict[str, Type] = {
    "number": NUMBER,
    "numbers": Type("list", "", NUMBER),
    "truth": TRUTH,
    "text": Type("text"),
    "card": Type("card"),
    "cards": Type("list", "", Type("card")),
    "seat": SEAT,
    "seats": SEATS,
    "team": TEAM,
    "teams": Type("list", "", TEAM),
    "pile": Type("zone"),
    "zone": Type("zone"),
    "line": LINE,
}


def give_value(env: Environment, value: Any, kind: Type) -> bool | int | str | None:
    """The value of an option as Python has it; one of a list by its name."""
    named = value is not None and kind.kind == "enum"
    found: bool | int | str | None = env.enums[kind.name].values[value] if named else value
    return found


def display(env: Environment, value: Any, kind: Type) -> str:
    """A constant in source notation."""
    if value is None:
        return "none"
    if kind.kind == "enum":
        return str(env.enums[kind.name].values[value])
    if kind == TRUTH:
        return "true" if value else "false"
    if kind.kind == "card":
        return str(env.cards[value].code)
    if kind.kind == "number" and kind.name in env.scales:
        return env.scales[kind.name].names.get(str(value), str(value))
    return str(value)

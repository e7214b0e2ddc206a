"""Reading of all sections of the merged document as declarations.

In: a `Document`. Out: `Declarations`; erroneous parts are reported and omitted.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.base.diagnostics.report import Report
from hoyle.language.declare.declarations import Declarations, Line
from hoyle.language.declare.declared_names import MOST_ENTRIES, declared_name, entries_of, read_vocabulary
from hoyle.language.declare.reader import Reader, keep
from hoyle.language.declare.reading_definitions import read_definition
from hoyle.language.declare.reading_kinds import read_kind
from hoyle.language.declare.reading_labels import read_labels
from hoyle.language.declare.reading_parts import name_cards, read_deck, read_option, read_players, read_rules
from hoyle.language.declare.reading_places import read_ledger, read_pot, read_state, read_zone
from hoyle.language.declare.reading_play import add_done_actions, read_action, read_choice, read_ends, read_step
from hoyle.language.declare.reading_results import read_hints, read_result, read_utility
from hoyle.language.declare.reading_scores import read_scores
from hoyle.language.declare.reading_table import read_table
from hoyle.language.document.merging import Document
from hoyle.language.document.nodes import Entry, Mapping, Scalar, Sequence
from hoyle.language.syntax import ast
from hoyle.program.ir.nodes import Rule


def read_declarations(document: Document, report: Report) -> Declarations:
    """All sections of a document, parsed."""
    root = document.root
    vocabulary = read_vocabulary(root)
    reader = Reader(report, vocabulary)
    _check_sizes(root, report)
    declared = Declarations(
        parents=document.parents, vocabulary=vocabulary, texts=reader.texts, lost=reader.lost
    )
    _read_head(reader, root, declared)
    for entry in entries_of(root, "options"):
        option = read_option(reader, entry)
        if option:
            declared.options[option.name] = option
        else:
            declared.lost.add(entry.name)
    declared.deck = read_deck(reader, root.entry("deck"))
    for entry in entries_of(root, "zones"):
        read_zone(reader, entry, declared)
    ledger = root.entry("ledger")
    if ledger is not None:
        read_ledger(reader, ledger, declared)
    table = root.entry("table")
    if table is not None:
        read_table(reader, table, declared)
    for section, read in _SECTIONS.items():
        for entry in entries_of(root, section):
            read(reader, entry, declared)
    add_done_actions(declared)
    winners, utility, hints = (root.entry(name) for name in ("winners", "utility", "hints"))
    declared.winners = read_result(reader, winners) if winners is not None else None
    declared.utility = read_utility(reader, utility) if utility is not None else None
    declared.hints = read_hints(reader, hints) if hints is not None else None
    for entry in entries_of(root, "needs"):
        pattern = reader.pattern(entry.key)
        if pattern:
            declared.needs[pattern.name.name] = Line(f"needs.{entry.key.text}", entry.key.span)
    read_rules(document.rules, declared, report)
    for entry in entries_of(root, "rulings"):
        _read_ruling(reader, entry, declared, document.files[0].name)
    declared.cited = reader.cited
    name_cards(declared)
    return declared


def _read_head(reader: Reader, root: Mapping, declared: Declarations) -> None:
    """Read name, title, players and teams, and whether offences are possible."""
    named = root.entry("game") or root.entry("module")
    if named is not None and isinstance(named.value, Scalar):
        declared.name = named.value.text
        declared.line = Line("game", named.value.span)
    title = root.get("title")
    declared.title = title.text if isinstance(title, Scalar) else declared.name
    family, also = root.get("family"), root.get("also")
    declared.family = family.text if isinstance(family, Scalar) else ""
    declared.also = tuple(name.text for name in also if isinstance(name, Scalar)) if isinstance(also, Sequence) else ()
    declared.about, declared.goal = _read_sentence(root, "text"), _read_sentence(root, "goal")
    read_labels(reader, root, declared)
    read_players(reader, root.entry("players"), declared)
    teams = root.entry("teams")
    if teams is not None and isinstance(teams.value, Mapping):
        declared.teams_line = reader.line("teams", teams.key, teams.value)
        size, condition = teams.value.get("size"), teams.value.get("if")
        declared.team_size = reader.expr(size) if size is not None else None
        declared.teams_if = reader.expr(condition) if condition is not None else None
    errors = root.entry("errors")
    if errors is not None:
        reader.line("errors", errors.key, errors.value)
        said = errors.value.get("is") if isinstance(errors.value, Mapping) else errors.value
        declared.errors = reader.expr(said) if said is not None else None


def _read_sentence(root: Mapping, name: str) -> str:
    said = root.get(name)
    return " ".join(said.text.split()) if isinstance(said, Scalar) else ""


def _read_ruling(reader: Reader, entry: Entry, declared: Declarations, game: str) -> None:
    """Read a ruling by the author. In a variant it replaces the text of a rule, or is a rule of its own."""
    name, said = entry.key.text, entry.value
    is_of_variant = bool(entry.touches) and entry.touches[-1].by != game
    if is_of_variant and isinstance(said, Scalar):
        known = declared.rules.get(name)
        text = " ".join(said.text.split())
        declared.rules[name] = Rule(id=name, text=text, place=known.place if known else "", status="ruling")
    else:
        reader.cited.append(ast.Word(name, entry.key.span))


def _read_definition(reader: Reader, entry: Entry, declared: Declarations) -> None:
    definition = read_definition(reader, entry, "definitions")
    if definition:
        keep(declared.definitions, definition.name, definition, reader.report)
    else:
        declared.lost.add(declared_name(entry.name))


# The order matters: states and pots may be indexed by kinds.
_SECTIONS: dict[str, Callable[[Reader, Entry, Declarations], None]] = {
    "kinds": read_kind,
    "state": read_state,
    "pots": read_pot,
    "definitions": _read_definition,
    "scores": read_scores,
    "actions": read_action,
    "choices": read_choice,
    "ends": read_ends,
    "steps": read_step,
}


def _check_sizes(root: Mapping, report: Report) -> None:
    """Report sections with too many entries; those beyond the limit are ignored, to bound the effort."""
    for section in root:
        if isinstance(section.value, Mapping) and len(section.value.entries) > MOST_ENTRIES:
            report.error(
                "too-many-values",
                f"`{section.name}` has {len(section.value.entries):,} entries; at most {MOST_ENTRIES:,} are read",
                section.value.entries[MOST_ENTRIES].key.span,
                "the first that is too many",
                hint="look for what was written out by mistake",
            )

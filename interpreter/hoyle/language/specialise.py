"""Specialisation: the general program of a game, and from it the program for a table.

In: declarations; then players and options. Out: the checked `Program`, or None, after errors.

Names and types are resolved once, in an environment that stands for all tables. For a table only what its settings
decide is worked out (`lay_out`: the deck, teams, the sizes of families) and put into the general program (`settle`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from dataclasses import field, replace
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic, Label, Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.base.effort import TooMuchWork, bounded
from hoyle.base.source import Span
from hoyle.language.analyse.cut_short import report_cut_short
from hoyle.language.analyse.empties import find_empties
from hoyle.language.analyse.findings import Finding
from hoyle.language.analyse.leaks import find_leaks
from hoyle.language.analyse.lints import check_citations, check_deals, check_names, check_unused
from hoyle.language.analyse.overwritten import report_overwritten
from hoyle.language.analyse.unforced import report_unforced
from hoyle.language.analyse.unset import find_unset
from hoyle.language.analyse.wording import check_wording
from hoyle.language.declare.calls import Calls
from hoyle.language.declare.declarations import DeckDecl, Declarations
from hoyle.language.elaborate.bounds import find_bounds
from hoyle.language.elaborate.constants import fixed_number
from hoyle.language.elaborate.deck import fill_deck
from hoyle.language.elaborate.definitions import Definitions, name_clause
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.expressions import build_elaborator
from hoyle.language.elaborate.kinds import fill_columns, fill_kinds
from hoyle.language.elaborate.labels import build_labels
from hoyle.language.elaborate.name_resolution import report_no_card
from hoyle.language.elaborate.options import check_requirements, fill_errors, fill_options
from hoyle.language.elaborate.payoffs import read_worth
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.score_sheet import read_sheet
from hoyle.language.elaborate.states import Bounds, fill_pots, fill_states
from hoyle.language.elaborate.table_layout import read_looks
from hoyle.language.elaborate.team_values import seats_of
from hoyle.language.elaborate.teams import fill_teams
from hoyle.language.elaborate.typing_rules import is_unknown, unknown
from hoyle.language.elaborate.zone_visibility import check_others, fill_visibility
from hoyle.language.elaborate.zones import fill_zones
from hoyle.language.irgen.assemble import assemble, note_kept
from hoyle.language.irgen.decisions import Menus
from hoyle.language.irgen.ends import read_ends
from hoyle.language.irgen.generation import Lowering
from hoyle.language.irgen.open_nodes import Open
from hoyle.language.irgen.settling import Missing, leave_open, settle
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given
from hoyle.program.ir.types import NUMBER, SEATS, TEAM, certain, maybe
from hoyle.program.ir.walk import walk, walk_into

MOST_WORK = 300_000  # steps to check a file, at all tables together


@dataclass(slots=True)
class General:
    """The program of a game that stands for all tables, with what is needed to elaborate further expressions. `doubts`
    are what the analyses find in it with the settings left open, which may hold at some tables or at none: by whether
    there are teams, and whether offences are possible."""

    program: ir.Program
    elaborator: Elaborator
    menus: Menus
    open: Open
    told: list[Diagnostic]  # warnings
    counted: frozenset[str]  # options that can make a table fail: they decide how many cards or zones there are
    doubts: dict[tuple[bool, bool], list[Finding]] = field(default_factory=dict)

    @property
    def env(self) -> Environment:
        return self.elaborator.env


@dataclass(slots=True)
class Specialised:
    """A program, with what is needed to elaborate further expressions and menus for it. `decided` are the clauses that
    the settings of the table decide, with their outcome."""

    program: ir.Program
    general: General
    env: Environment
    decided: dict[int, bool]
    _elaborator: Elaborator | None = None
    _menus: Menus | None = None

    @property
    def recording(self) -> ir.Program:
        """The program for positions that remember whatever an expression from outside may ask for."""
        return replace(self.program, keeps_holders=True, keeps_lines=True)

    @property
    def elaborator(self) -> Elaborator:
        if self._elaborator is None:
            self._elaborator = build_elaborator(self.env)
            self._elaborator.definitions = self.general.elaborator.definitions
        return self._elaborator

    @property
    def menus(self) -> Menus:
        if self._menus is None:
            self._menus = copy(self.general.menus)
            self._menus.env, self._menus.elaborator = self.env, self.elaborator
            self._menus.decisions, self._menus.named = list(self.program.decisions), dict(self._menus.named)
        return self._menus


def specialise(declared: Declarations, players: int, options: dict[str, Any], report: Report) -> Specialised | None:
    """All passes after reading, within the budget of effort."""
    try:
        with bounded(MOST_WORK):
            general = generalise(declared, report)
            return None if general is None else make_table(general, players, options, report)
    except TooMuchWork:
        report_too_much(declared.line.span if declared.line else None, report)
        return None


def report_too_much(span: Span | None, report: Report) -> None:
    """Report that the check exceeds its budget."""
    report.error(
        "too-much-to-check",
        f"checking these rules takes more than {MOST_WORK:,} steps",
        span,
        hint="shorten what is long, split the game into variants, or allow fewer players or values of options",
    )


# ---------------------------------------------------------------------------------------------- the general program
def generalise(declared: Declarations, report: Report) -> General | None:
    """The program for all tables; None after errors."""
    if declared.general is None:
        before = len(report.diagnostics)
        made = _generalise(declared, report)
        if made is not None:
            made.told = report.diagnostics[before:]
            declared.general = made
        return made
    general: General = declared.general
    for found in general.told:
        report.add(found)
    return general


def _generalise(declared: Declarations, report: Report) -> General | None:
    report_missing(declared, report)
    if not declared.zones and declared.deck is not None and not report.failed:
        report_no_zones(declared.deck, report)
    if not declared.steps or not declared.zones:
        return None
    elaborator = lay_out(declared, declared.usual[0], {}, report)
    env = elaborator.env
    laid = set(env.asked_options)
    env.is_general, env.called = True, declared.errors is not None
    check_names(env)
    definitions = Definitions(elaborator)
    fill_visibility(elaborator, definitions)
    menus = Menus(elaborator, definitions)
    menus.conditions()
    calls = Calls(declared)
    rings = calls.report_rings(report)  # perhaps only by way of what an unreadable line is supposed to mean
    lowering = Lowering(elaborator, calls, menus)
    lowering.declare_units()
    lowering.flow.ends = read_ends(elaborator, lowering.flow, lowering.effects)
    for name, step in declared.steps.items():
        lowering.lower_unit(f"steps.{name}", step.do)
    for name, action in declared.actions.items():
        lowering.lower_unit(f"actions.{name}", action.do)
    winners_frame = Frame()
    winners = read_winners(definitions, winners_frame)
    utility, hints, judged, worth_frame = read_worth(definitions)
    sheet = read_sheet(elaborator)
    looks, looks_frame = read_looks(elaborator)
    finished = definitions.finish()
    build_labels(env)
    check_unused(env)
    if not rings:
        report_cut_short(declared, calls, report)
        report_overwritten(declared, calls, report)
        report_unforced(declared, calls, report)
    check_citations(env)
    check_wording(env)
    if rings or (report.failed and not _is_whole(env)):
        return None
    program = assemble(env, menus, lowering.flow, finished, winners, winners_frame, sheet)
    program = replace(program, table=looks, utility=utility, hints=hints, judged=judged)
    program = note_kept(replace(program, frame=max(program.frame, looks_frame, worth_frame)))
    open_nodes = Open(program)
    counted = set(declared.options) if _may_fail(env, program, open_nodes) else laid | _list_dealt(program)
    general = General(program, elaborator, menus, open_nodes, [], frozenset(counted))
    if report.failed:  # the leak check needs a program without errors
        if report.latent is not None:
            report.latent += _find_latent(general, env)
        return None
    return general


def _list_dealt(program: ir.Program) -> set[str]:
    """The options that say how many cards are dealt, or who sees a zone."""
    deals = (one for block in program.blocks for one in block.instructions if isinstance(one, ir.Deal))
    read = [each for deal in deals for each in (deal.count, deal.packet) if each is not None]
    read += [case.when for zone in program.zones for case in zone.cases]
    given = (node for each in read for node in walk_into(program, each) if isinstance(node, Given))
    return {node.name for node in given if node.what == "option"}


def _is_within(env: Environment, held: ir.State, value: ir.Expr) -> bool:
    """Whether a value is within the bounds of a state at all tables."""
    if held.low is None or held.high is None:
        return True
    found = find_bounds(env, value)
    return found.low is not None and found.high is not None and held.low <= found.low and found.high <= held.high


def _may_fail(env: Environment, program: ir.Program, open_nodes: Open) -> bool:
    """Whether any option can make a table fail, because rules set a state to a setting, or name cards of a deck that
    settings change."""
    changes = [one for block in program.blocks for one in block.instructions if isinstance(one, ir.SetState | ir.AddTo)]
    kept = [(program.states[one.state], one.value) for one in changes if one.value is not None]
    if any(value in open_nodes and not _is_within(env, held, value) for held, value in kept):
        return True
    rows = env.declared.deck.rows if env.declared.deck is not None else ()
    parts = (*program.definitions, *program.actions, *program.decisions, *program.blocks, program.winners)
    return any(row.condition is not None or row.copies is not None for row in rows) and any(
        isinstance(node, Given) and node.what == "card" for part in parts for node in walk(part)
    )


def lay_out(
    declared: Declarations, players: int, options: dict[str, Any], report: Report, like: Environment | None = None
) -> Elaborator:
    """What the settings of a table decide: the deck, the teams, zones and states with their places. `like` is an
    environment whose clauses have the same numbers."""
    env = Environment(declared, players, report, reported=declared.lost | report.lost | report.mentioned)
    if like is not None:
        env.clauses, env.lines, env.clause_ids, env.coded = like.clauses, like.lines, like.clause_ids, like.coded
    elaborator = build_elaborator(env)
    fill_options(elaborator, options)
    fill_errors(elaborator)
    fill_kinds(elaborator)
    fill_deck(elaborator)
    fill_columns(elaborator)
    fill_teams(elaborator)
    fill_zones(elaborator)
    fill_states(elaborator)
    fill_pots(elaborator)
    if declared.most is not None:
        env.most = fixed_number(elaborator, declared.most, maybe(NUMBER), "the most a total can be")
    if declared.track is not None:
        env.track = fixed_number(elaborator, declared.track, maybe(NUMBER), "the length of the track")
    check_requirements(elaborator)
    return elaborator


# ---------------------------------------------------------------------------------------------- the program for a table
def make_table(general: General, players: int, options: dict[str, Any], report: Report) -> Specialised | None:
    """The program for a table; None after errors."""
    declared = general.env.declared
    env = lay_out(declared, players, options, report, general.env).env
    if report.failed:
        return None
    env.definitions, env.actions = general.env.definitions, general.env.actions
    settled = settle(general.program, general.open, env)
    program = replace(settled.program, labels=build_labels(env))
    env.zone_list = list(program.zones)
    report_missing_cards(settled.missing, env)
    check_others(env)
    check_deals(program, env)
    check_settings(program, env)
    if not report.failed:
        analyse(general, program, env)
    return None if report.failed else Specialised(program, general, env, settled.decided)


def report_missing_cards(missing: Iterable[Missing], env: Environment) -> None:
    """Report cards that rules name although they are not in the deck of this table."""
    result = env.declared.winners.line.span if env.declared.winners is not None else None
    for card in missing:
        span = env.lines[card.clause].span if card.clause is not None else result
        place = re.search(rf"(?<!\w){re.escape(card.name)}(?!\w)", span.text) if span is not None else None
        if place is not None and span is not None:
            span = Span(span.source, span.start + place.start(), span.start + place.end())
        if card.copies:
            env.report.error(
                "several-cards",
                f"the deck holds {card.copies} cards `{card.name}`; which one is meant cannot be told",
                span,
                hint=f"`card is {card.name}` tests whether a card is one of them",
            )
        else:
            report_no_card(env, card.name, span)


def check_settings(program: ir.Program, env: Environment) -> None:
    """Report constants that are out of the bounds of the state they are kept in."""
    for block in program.blocks:
        for one in block.instructions:
            if not isinstance(one, ir.SetState | ir.AddTo) or not isinstance(one.value, ir.Const):
                continue
            held = program.states[one.state]
            if not Bounds(held.low, held.high, held.most).allow(one.value.value):
                env.report.error(
                    "out-of-range",
                    f"`{held.name}` goes from {held.low} to {held.high}, so it cannot be {one.value.value}",
                    env.lines[one.clause].span,
                    hint="set it to a number in its range, or widen the range",
                )


def analyse(general: General, program: ir.Program, env: Environment) -> None:
    """Run the analyses on a finished program: leaks, definite assignment, empty zones. They are run once on a program
    that stands for all tables, with teams or without; only if that has findings, on the program of the table."""
    key = (env.teams != tuple(range(env.players)), env.called)
    if key not in general.doubts:
        general.doubts[key] = _find_mistakes(leave_open(general.program, general.open, env))
    if general.doubts[key]:
        report_findings(_find_mistakes(program), env, env.report)


def _find_mistakes(program: ir.Program) -> list[Finding]:
    with bounded(MOST_WORK):
        return [*find_leaks(program), *find_unset(program), *find_empties(program)]


# Exceptions that analyses may raise on an incomplete program.
WANTED = (LookupError, AttributeError, TypeError, ValueError, AssertionError)


def _find_latent(general: General, env: Environment) -> list[Diagnostic]:
    """The findings in a program without its erroneous parts, as far as they can be determined."""
    own = Report()
    try:
        program = leave_open(general.program, general.open, env)
        report_findings([*find_leaks(program), *find_unset(program), *find_empties(program)], env, own)
    except WANTED:
        return []  # caused by the missing parts, whose errors have been reported
    return own.diagnostics


def report_doubts(general: General, report: Report) -> None:
    """Tell what has been shown for each option alone, but not for all together."""
    told = {found.code: found for found in next(iter(filter(None, general.doubts.values())), [])}
    for found in told.values():
        span = general.env.lines[found.clause].span if found.clause is not None else None
        report.error(
            "options-together",
            f"not shown for all options together: {found.message}",
            span,
            hint="each option alone has been tried; put what one option decides under one test of it",
        )


def report_findings(findings: Iterable[Finding], env: Environment, report: Report) -> None:
    """Report the findings in a program at their locations in the file."""
    declared = env.declared
    parts = {"ledger.standing": declared.standing, "ledger.struck": declared.struck}
    for found in findings:
        node = parts.get(found.part)
        winners = declared.winners.line.span if declared.winners else None
        span = env.lines[found.clause].span if found.clause is not None else node.span if node else winners
        if found.part == "ledger.totals" and declared.column_totals:
            span = next(iter(declared.column_totals.values()))[1].span
        others = tuple(Label(env.lines[clause].span, text) for clause, text in found.others)
        report.error(found.code, found.message, span, found.label, others=others, hint=found.hint, trail=found.trail)


def _is_whole(env: Environment) -> bool:
    """Whether a game with errors can be assembled nevertheless, for checks of the whole program."""
    deck = env.declared.deck
    starts = deck.starts_in.id if deck is not None and deck.starts_in is not None else ""
    rings = {"definition-ring", "action-ring", "too-deep"} & {one.code for one in env.report.diagnostics}
    return bool(env.cards) and "match" in env.declared.steps and (not starts or starts in env.zones) and not rings


def read_winners(definitions: Definitions, frame: Frame) -> ir.Expr:
    """The rule for winners: a list of seats."""
    env = definitions.env
    declared = env.declared.winners
    if declared is None:
        return unknown()
    winners = definitions.body(declared.body, Scope(frame))
    if TEAM in (certain(winners.type), winners.type.of):
        winners = seats_of(env, winners)
    if certain(winners.type) != SEATS and not is_unknown(winners.type):
        env.report.error(
            "wrong-type",
            f"`winners` must be seats; this is {winners.type}",
            declared.body.expr.span if declared.body.expr is not None else declared.line.span,
            hint="a list of seats: `(seat in seats with highest score of seat)`",
        )
    if not isinstance(winners, ir.Named):
        winners = name_clause(env.clause(declared.line), winners)
    return winners


def report_no_zones(deck: DeckDecl, report: Report) -> None:
    report.error(
        "incomplete-game",
        "the game has no zones, so its cards have no place",
        deck.line.span,
        hint="add `zones:` with a place for them, for example `pack: {shows: nothing}`",
    )


def report_missing(declared: Declarations, report: Report) -> None:
    span = declared.line.span if declared.line else None
    near = nearest("match", declared.steps)
    for there, what, hint in (
        (declared.deck, "no deck", "add `deck:` with its cards"),
        (
            declared.steps.get("match"),
            "no step `match`",
            f"rename `{near}`, if that is what happens from beginning to end"
            if near
            else "add `match:` under `steps:`: what happens from beginning to end",
        ),
        (declared.winners, "no winners", "add `winners:`, for example `(seat in seats with highest score of seat)`"),
    ):
        if there is None and not report.failed:
            report.error("incomplete-game", f"the game has {what}", span, hint=hint)

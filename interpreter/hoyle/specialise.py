"""Specialisation: a game compiled for a number of players and a set of options.

In: declarations, players, options. Out: the checked `Program`, or None, after errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hoyle.analyse.cut_short import report_cut_short
from hoyle.analyse.leaks import Finding, find_leaks
from hoyle.analyse.lints import check_citations, check_deals, check_names, check_unused
from hoyle.analyse.outline import draw_outline
from hoyle.analyse.overwritten import report_overwritten
from hoyle.analyse.unset import find_unset
from hoyle.analyse.wording import check_wording
from hoyle.dataclass import dataclass
from hoyle.declare.calls import Calls
from hoyle.declare.declarations import DeckDecl, Declarations, Settings
from hoyle.diagnostics.report import Diagnostic, Label, Report
from hoyle.diagnostics.spelling import nearest
from hoyle.effort import TooMuchWork, bounded, spend
from hoyle.elaborate.constants import fixed_number
from hoyle.elaborate.deck import fill_deck
from hoyle.elaborate.definitions import Definitions, name_clause
from hoyle.elaborate.elaborator import Elaborator
from hoyle.elaborate.environment import Environment
from hoyle.elaborate.expressions import build_elaborator
from hoyle.elaborate.kinds import fill_columns, fill_kinds
from hoyle.elaborate.labels import build_labels
from hoyle.elaborate.options import check_requirements, fill_errors, fill_options
from hoyle.elaborate.scope import Frame, Scope
from hoyle.elaborate.sheet import read_sheet
from hoyle.elaborate.states import fill_pots, fill_states
from hoyle.elaborate.table import read_looks
from hoyle.elaborate.team_values import seats_of
from hoyle.elaborate.teams import fill_teams
from hoyle.elaborate.typing_rules import is_unknown, unknown
from hoyle.elaborate.who_sees import fill_visibility
from hoyle.elaborate.worth import read_worth
from hoyle.elaborate.zones import fill_zones
from hoyle.ir import nodes as ir
from hoyle.ir.types import NUMBER, SEATS, TEAM, certain, maybe
from hoyle.lower.assemble import assemble
from hoyle.lower.ends import read_ends
from hoyle.lower.lowering import Lowering
from hoyle.lower.menus import Menus
from hoyle.source import Span

MOST_COMPARED, MOST_REMEMBERED = 100, 40  # cached outlines of programs without findings: per file, across files
MOST_WORK = 300_000  # steps to check a file, at all numbers of players together


@dataclass(frozen=True, slots=True)
class Specialised:
    """A program, with what is needed to elaborate further expressions and menus for it."""

    program: ir.Program
    elaborator: Elaborator
    menus: Menus


def specialise(declared: Declarations, players: int, options: dict[str, Any], report: Report) -> Specialised | None:
    """All passes after reading, within the budget of effort."""
    try:
        with bounded(MOST_WORK):
            return _specialise(declared, players, options, report)
    except TooMuchWork:
        report_too_much(declared.line.span if declared.line else None, report)
        return None


def report_too_much(span: Span | None, report: Report) -> None:
    """Report that the check exceeds its budget."""
    report.error(
        "too-much-to-check",
        f"checking these rules takes more than {MOST_WORK:,} steps",
        span,
        hint="shorten what is long, split the game into variants, or allow fewer numbers of players",
    )


def _specialise(declared: Declarations, players: int, options: dict[str, Any], report: Report) -> Specialised | None:
    """All passes after reading, in order."""
    report_missing(declared, report)
    if not declared.zones and declared.deck is not None and not report.failed:
        report_no_zones(declared.deck, report)
    if not declared.steps or not declared.zones:
        return None
    env = Environment(declared, players, report, reported=declared.lost | report.lost | report.mentioned)
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
    check_names(env)
    most = fixed_number(elaborator, declared.most, maybe(NUMBER), "the most a total can be") if declared.most else None
    length = "the length of the track"
    track = fixed_number(elaborator, declared.track, maybe(NUMBER), length) if declared.track else None
    definitions = Definitions(elaborator)
    fill_visibility(elaborator, definitions)
    check_requirements(elaborator)
    menus = Menus(elaborator, definitions)
    menus.conditions()
    calls = Calls(declared)
    calls.report_rings(report)
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
    labels = build_labels(env)
    check_unused(env)
    report_advice(declared, calls, report)
    check_citations(env)
    check_wording(env)
    if report.failed and not _is_whole(env):
        return None
    program = assemble(env, menus, lowering.flow, finished, winners, winners_frame, most, track, sheet, labels)
    program = replace(program, table=looks, utility=utility, hints=hints, judged=judged)
    program = replace(program, frame=max(program.frame, looks_frame, worth_frame))
    check_deals(program, env)
    if report.failed:  # the leak check needs a program without errors
        if report.latent is not None:
            report.latent += _find_latent(program, env)
        return None
    analyse(program, env, (players, tuple(sorted((name, str(value)) for name, value in options.items()))))
    return None if report.failed else Specialised(program, elaborator, menus)


def analyse(program: ir.Program, env: Environment, settings: Settings) -> None:
    """Run the analyses on a finished program: leaks and definite assignment. Most programs of one file, for other
    players or options, have equal outlines: one without findings has none in the others either."""
    declared = env.declared
    if settings in declared.examined:
        spend(declared.examined[settings])
        return
    outline, mark = draw_outline(program), hash((program.blocks, program.definitions, program.actions))
    known = declared.sound.get(mark)
    if known is not None and known[0] == outline:
        declared.examined[settings] = known[1]
        return
    findings, steps = _find_mistakes(program, mark, outline)
    report_findings(findings, env, env.report)
    if not findings and len(declared.sound) < MOST_COMPARED:
        declared.sound[mark] = outline, steps
        declared.examined[settings] = steps


# Outlines without findings of files checked before, with their effort, which is charged again: the result of a check
# must not depend on what was checked before.
_SOUND: dict[int, tuple[ir.Program, int]] = {}


def _find_mistakes(program: ir.Program, mark: int, outline: ir.Program) -> tuple[list[Finding], int]:
    """The findings in a program, and the effort it took to find them."""
    known = _SOUND.get(mark)
    if known is not None and known[0] == outline:
        spend(known[1])
        return [], known[1]
    with bounded(MOST_WORK) as effort:
        before = effort.left
        findings = [*find_leaks(program), *find_unset(program)]
        steps = before - effort.left
    if not findings:
        _SOUND[mark] = (outline, steps)
        while len(_SOUND) > MOST_REMEMBERED:
            del _SOUND[next(iter(_SOUND))]
    return findings, steps


def report_advice(declared: Declarations, calls: Calls, report: Report) -> None:
    """Warn of skipped and overwritten statements. Independent of players and options, so it is computed once."""
    if declared.advice is None:
        own = Report(incomplete=report.incomplete)
        report_cut_short(declared, calls, own)
        report_overwritten(declared, calls, own)
        declared.advice = own.diagnostics
    for found in declared.advice:
        report.add(found)


# Exceptions that analyses may raise on an incomplete program.
WANTED = (LookupError, AttributeError, TypeError, ValueError, AssertionError)


def _find_latent(program: ir.Program, env: Environment) -> list[Diagnostic]:
    """The findings in a program without its erroneous parts, as far as they can be determined."""
    own = Report()
    try:
        report_findings([*find_leaks(program), *find_unset(program)], env, own)
    except WANTED:
        return []  # caused by the missing parts, whose errors have been reported
    return own.diagnostics


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
        report.error(
            found.code, found.message, span, found.label, others=others, hint=found.hint, trail=found.trail
        )


def _is_whole(env: Environment) -> bool:
    """Whether a game with errors can be assembled nevertheless, for checks of the whole program."""
    deck = env.declared.deck
    starts = deck.starts_in.id if deck is not None and deck.starts_in is not None else ""
    rings = {"definition-ring", "action-ring", "step-ring", "too-deep"} & {one.code for one in env.report.diagnostics}
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

"""The compiler driver: all passes from a rule file to a program, in order.

In: a path or the name of a shipped game. Out: a checked `Program`, or a report with errors.

    1. read      text → YAML nodes with locations      hoyle.language.document.reading
    2. validate  nodes against schema/game.schema.json hoyle.language.document.validation
    3. merge     `use` and `extends`                   hoyle.language.document.merging
    4. declare   rule texts → AST, declarations        hoyle.language.declare, hoyle.language.syntax
    then, once for all tables (hoyle.language.specialise):
    5. elaborate names and types of expressions        hoyle.language.elaborate
    6. lower     actions, statements, ends → blocks    hoyle.language.irgen
    7. analyse   citations, leaks, unused              hoyle.language.analyse
    and for a table, that is, a number of players and a set of options:
    8. lay out   the deck, teams, zones, state         hoyle.language.elaborate
    9. settle    its constants put into the program    hoyle.language.irgen.settling
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.base.effort import TooMuchWork, bounded
from hoyle.base.shipped import find_game
from hoyle.base.source import Source, Span
from hoyle.language.analyse.unused import check_purpose
from hoyle.language.declare.declarations import Declarations, LabelsDecl, OptionDecl
from hoyle.language.declare.sections import read_declarations
from hoyle.language.document.files import GameFile, in_order
from hoyle.language.document.merging import Document, load_file, put_together
from hoyle.language.settings import Setting, list_settings, list_tables, list_together, say_setting
from hoyle.language.specialise import (
    MOST_WORK,
    Specialised,
    generalise,
    make_table,
    report_doubts,
    report_too_much,
    specialise,
)
from hoyle.language.syntax.ast import Expr
from hoyle.language.syntax.repair.rewording import reword
from hoyle.language.variants.variant_lints import check_variant
from hoyle.program.info import GameInfo, OptionInfo
from hoyle.program.ir.nodes import Program

Made = TypeVar("Made")
MOST_TRIED = 100_000  # steps to verify fixes and to attribute errors to their causes


def read_game(path: Path | str, report: Report) -> Declarations | None:
    """Passes 1 to 4, which are independent of the number of players and of options. None after an error; the errors of
    later passes are then reported too."""
    own = Report()
    with bounded(MOST_WORK):
        file = load(path, own)
        declared = declare(file, own) if file is not None else None
        if own.failed and declared is not None:
            specialise_safely(declared, declared.usual[0], {}, own)

    def check_again(file: GameFile, report: Report) -> None:
        again = declare(file, report)
        if again is not None:
            specialise_safely(again, again.usual[0], {}, report)

    _tell(path, file, own, report, check_again)
    return None if own.failed else declared


def load(path: Path | str, report: Report, text: str | None = None) -> GameFile | None:
    """Passes 1 and 2: a file and those it references."""
    try:
        return load_file(path, report, text=text)
    except TooMuchWork:
        report_too_much(None, report)
        return None


def declare(file: GameFile, report: Report, documents: list[Document] | None = None) -> Declarations | None:
    """Passes 3 and 4: the declarations of a file, with error recovery. `documents` collects what it was put together
    to."""
    try:
        with bounded(MOST_WORK):
            document = put_together(file, report)
            if document is None:
                return None
            if documents is not None:
                documents.append(document)
            declared = read_declarations(document, report)
    except TooMuchWork:
        report_too_much(named.key.span if (named := file.root.entry("game")) else None, report)
        return None
    except Exception as error:
        _stumble(error, report)
        return None
    texts = [(text.start, text.span, text.lines) for text in declared.texts]
    report.reword = partial(reword, texts, declared.vocabulary)
    return declared


def _tell(
    path: Path | str,
    file: GameFile | None,
    found: Report,
    report: Report,
    check: Callable[[GameFile, Report], object],
    mends: Callable[[], bool] = lambda: True,
) -> None:
    """Add diagnostics to a report, after verifying fixes and attributing errors to the files that caused them. `check`
    repeats the passes with another file, or with another text of this one. `mends` is polled before each trial; false
    stops them."""

    report.files.update(found.files)
    report.stumbled += found.stumbled
    if not found.diagnostics:
        return
    from hoyle.language.attribution import blame
    from hoyle.language.fix_verification import try_candidates

    def check_text(text: str) -> Report:
        if not mends():
            raise TooMuchWork
        again = Report()
        other = load(find_game(path) or path, again, text)
        if other is not None:
            check(other, again)
        return again

    def find(other: GameFile) -> list[Diagnostic]:
        again = Report()
        check(other, again)
        return again.diagnostics

    def suppose() -> list[Diagnostic]:
        again = Report(latent=[])
        if file is not None:
            check(file, again)
        return again.latent or []

    with bounded(MOST_TRIED, apart=True):
        try_candidates(found, path, check_text, suppose)
        if file is not None and found.failed:
            found.diagnostics = blame(file, found.diagnostics, find)
    report.diagnostics += [one for one in found.diagnostics if one not in report.diagnostics]


def compile_game(
    path: Path | str,
    players: int | None = None,
    options: dict[str, object] | None = None,
    report: Report | None = None,
    text: str | None = None,
) -> tuple[Program | None, Report]:
    """Compile a game for a number of players (by default the fewest usual one) and options (by default theirs). `text`
    replaces the contents of the file."""
    report = report if report is not None else Report()
    own = Report()
    with bounded(MOST_WORK):
        file = load(path if text is None else find_game(path) or path, own, text)

        def compile_one(file: GameFile, report: Report) -> Program | None:
            declared = declare(file, report)
            return _compile(declared, players, options or {}, report) if declared is not None else None

        program = compile_one(file, own) if file is not None else None
    _tell(path, file, own, report, compile_one)
    return program, report


def _compile(declared: Declarations, players: int | None, options: dict[str, object], report: Report) -> Program | None:
    count = declared.usual[0] if players is None else players
    if not declared.allowed[0] <= count <= declared.allowed[1]:
        low, high = declared.allowed
        report.error(
            "player-count",
            declared.refuse_players(count),
            declared.players_line.span if declared.players_line else None,
            hint=f"choose a number from {low} to {high}" if low < high else f"it is played by {low}",
        )
        return None
    found = specialise_safely(declared, count, options, report)
    return found.program if found else None


def specialise_safely(
    declared: Declarations, players: int, options: dict[str, object], report: Report
) -> Specialised | None:
    """The passes after reading, for a table."""
    return safely(declared, report, partial(specialise, declared, players, options))


def safely(declared: Declarations, report: Report, work: Callable[[Report], Made | None]) -> Made | None:
    """The result of a pass. Too much work, and nesting too deep for Python's stack, are reported, not raised."""
    span = declared.line.span if declared.line else None
    try:
        return work(report)
    except TooMuchWork:
        report_too_much(span, report)
    except RecursionError:
        hint = "give their parts names under `definitions:`, and fewer of them inside one another"
        report.error("too-deep", "the rules of this game are nested too deeply", span, hint=hint)
    except Exception as error:
        _stumble(error, report)
    return None


def _stumble(error: Exception, report: Report) -> None:
    """Handle an exception of a pass: after a reported error it is a consequence of the missing parts and is only
    recorded, for tests of error recovery; otherwise it is raised."""
    if not report.failed:
        raise error
    report.stumbled.append(error)


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked file: its diagnostics, declarations, and, without errors, its program at every number of players.
    `partial` are the declarations as far as they could be read, in spite of errors; `document` is what they were read
    from."""

    path: Path | str
    report: Report
    file: GameFile | None
    declared: Declarations | None
    programs: tuple[Program, ...]
    partial: Declarations | None = None
    document: Document | None = None

    @property
    def sources(self) -> list[Source]:
        """The source texts of the game."""
        files = in_order(self.file) if self.file is not None else []
        return [source for file in files for source in (file.source, *(used.source for used in file.modules))]


def check_file(path: Path | str, text: str | None = None) -> Report:
    """The diagnostics of a file at any number of players it allows, without repetitions. `text` replaces the contents
    of the file."""
    return check_game(path, text).report


def check_game(
    path: Path | str,
    text: str | None = None,
    *,
    quick: bool = False,
    types: dict[Span, str] | None = None,
    mends: Callable[[], bool] = lambda: True,
) -> Checked:
    """A file checked for all its tables. `quick`: only for the usual one, and without warnings for variants and unused
    names. `types` collects the types of expressions; `mends` is polled before each verification of a fix."""
    report, own = Report(), Report(types=types)
    found = _Tables()
    documents: list[Document] = []
    with bounded(MOST_WORK):
        file = load(path if text is None else find_game(path) or path, own, text)
        declared = declare(file, own, documents) if file is not None else None
        if declared is not None:
            found = _check_tables(declared, own, list_tables(declared)[:1] if quick else None)
        if file is not None and declared is not None and not own.failed and not quick:
            _check_variant(file, documents[0], declared, own)
            check_purpose(declared, own)

    def check_again(file: GameFile, report: Report) -> None:
        again = declare(file, report)
        if again is not None:
            _check_tables(again, report, found.refused or list_tables(again)[:1])

    _tell(path, file, own, report, check_again, mends)
    sound = declared if not own.failed else None
    return Checked(path, report, file, sound, tuple(found.programs), declared, next(iter(documents), None))


@dataclass(slots=True)
class _Tables:
    """The programs for every number of players, and the settings whose tables are refused."""

    programs: list[Program] = field(default_factory=list)
    refused: list[Setting] = field(default_factory=list)


def _check_tables(declared: Declarations, report: Report, settings: list[Setting] | None = None) -> _Tables:
    """The game at several settings, by default all that tell whether it holds at any. A diagnostic that depends on the
    setting says with which; one of several settings is reported once. Settings that a `require` rules out are passed
    over, except for the default options."""
    found = _Tables()
    before = len(report.diagnostics)
    general = safely(declared, report, partial(generalise, declared))
    if general is None or report.failed:
        found.refused = list_tables(declared)[:1]
        return found
    waiting = list_tables(declared) if settings is None else list(settings)
    told = {(one.code, one.primary.span if one.primary else None) for one in report.diagnostics[before:]}
    while waiting:
        setting = waiting.pop(0)
        own = replace(report, diagnostics=[], stumbled=[])
        made = safely(declared, own, partial(make_table, general, setting.players, dict(setting.options)))
        if settings is None and not waiting and not setting.options:  # the tables of default options have been tried
            doubts = {each.code for doubts in general.doubts.values() for each in doubts}
            is_doubtful = not doubts <= {one.code for one in (*report.diagnostics, *own.diagnostics)}
            options = [name for name in declared.options if is_doubtful or name in general.counted]
            waiting = [each for each in list_settings(declared, options) if each.options]
            together = list_together(declared) if is_doubtful else ()
            if together is None:
                report_doubts(general, report)
            waiting += together or ()
        if setting.options and any(one.code == "option-requires" for one in own.diagnostics):
            continue
        if made is not None and not setting.options:
            found.programs.append(made.program)
        new = [one for one in own.diagnostics if (one.code, one.primary.span if one.primary else None) not in told]
        report.diagnostics += [_say_with(one, say_setting(declared, setting)) for one in new]
        report.stumbled += own.stumbled
        told |= {(one.code, one.primary.span if one.primary else None) for one in new}
        found.refused += [setting] if new else []
        if any(one.code == "too-much-to-check" for one in new):
            break
    return found


def _say_with(found: Diagnostic, said: list[str]) -> Diagnostic:
    """A diagnostic that says with which setting it holds, as far as its message does not."""
    missing = [part for part in said if part not in found.message]
    if not missing or found.code == "too-much-to-check":
        return found
    return replace(found, message=f"{found.message}, with {' and '.join(missing)}")


def _check_variant(file: GameFile, document: Document, declared: Declarations, report: Report) -> None:
    try:
        check_variant(file, document, declared, _read_whole, report)
    except TooMuchWork:
        report_too_much(declared.line.span if declared.line else None, report)


def _read_whole(file: GameFile) -> Declarations | None:
    """The declarations of a file; None if it has errors."""
    report = Report()
    declared = declare(file, report)
    return None if report.failed else declared


def compile_file(
    file: GameFile, players: int | None, report: Report, options: dict[str, object] | None = None
) -> Program | None:
    """Compile a loaded file for a number of players (the fewest usual one if None) and options."""
    declared = declare(file, report)
    return _compile(declared, players, options or {}, report) if declared is not None else None


def describe_game(path: Path | str, language: str | None = None) -> tuple[GameInfo | None, Report]:
    """The metadata of a game file, in a language for which it has labels, else in its own."""
    report = Report()
    declared = read_game(path, report)
    if declared is None:
        return None, report
    labels = declared.labels.get(language or declared.language)
    options = tuple(_option_info(option, labels) for option in declared.options.values())
    title = labels.title if labels and labels.title else declared.title
    messages = labels.said.get("messages", {}) if labels else {}
    about, goal = (messages.get(text, (text, None))[0] for text in (declared.about, declared.goal))
    return GameInfo(
        declared.name,
        title,
        Path(path),
        declared.usual,
        declared.allowed,
        options,
        declared.parents,
        declared.family,
        declared.also,
        _list_kinds(declared),
        about,
        goal,
    ), report


def _list_kinds(declared: Declarations) -> tuple[str, ...]:
    """Tags derived from the sections of a game."""
    alone = declared.allowed[0] == 1
    found = {"partners": declared.team_size is not None, "chips": bool(declared.pots), "alone": alone}
    return tuple(kind for kind, holds in found.items() if holds)


def _option_info(option: OptionDecl, labels: LabelsDecl | None) -> OptionInfo:
    said = {name: text for name, (text, _) in labels.options.get(option.name, ({}, None))[0].items()} if labels else {}
    named = zip(option.values, option.sentences, strict=True)
    values = tuple((value, said.get(value, sentence)) for value, sentence in named)
    return OptionInfo(
        option.name,
        said.get("text", option.line.text),
        option.kind,
        _written(option.default),
        values,
        option.low,
        option.high,
        option.or_none,
    )


def _written(expr: Expr) -> str:
    return " ".join(expr.span.text.split())

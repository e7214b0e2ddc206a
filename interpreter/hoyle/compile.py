"""The compiler driver: all passes from a rule file to a program, in order.

In: a path or the name of a shipped game. Out: a checked `Program`, or a report with errors.

    1. read      text → YAML nodes with locations      hoyle.document.reading
    2. validate  nodes against schema/game.schema.json hoyle.document.validation
    3. merge     `use` and `extends`                   hoyle.document.merging
    4. declare   rule texts → AST, declarations        hoyle.declare, hoyle.syntax
    then, for a number of players and a set of options (hoyle.specialise):
    5. elaborate options, deck, zones, state; names and types of expressions   hoyle.elaborate
    6. lower     actions, statements, ends → blocks    hoyle.lower
    7. analyse   citations, deals, leaks, unused       hoyle.analyse
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from hoyle.analyse.unused import check_purpose
from hoyle.blaming import blame
from hoyle.dataclass import dataclass
from hoyle.declare.declarations import Declarations, LabelsDecl, OptionDecl
from hoyle.declare.reading import read_declarations
from hoyle.diagnostics.report import Diagnostic, Report
from hoyle.document.files import GameFile, in_order
from hoyle.document.merging import load_file, put_together
from hoyle.effort import Effort, TooMuchWork, bounded
from hoyle.info import GameInfo, OptionInfo
from hoyle.ir.nodes import Program
from hoyle.remedies import try_candidates
from hoyle.shipped import find_game
from hoyle.source import Source, Span
from hoyle.specialise import MOST_WORK, Specialised, report_too_much, specialise
from hoyle.syntax.ast import Expr
from hoyle.syntax.repair.rewording import reword
from hoyle.variants.lints import check_variant

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
    _tell(path, file, own, report, _check)
    return None if own.failed else declared


def load(path: Path | str, report: Report, text: str | None = None) -> GameFile | None:
    """Passes 1 and 2: a file and those it references."""
    try:
        return load_file(path, report, text=text)
    except TooMuchWork:
        report_too_much(None, report)
        return None


def declare(file: GameFile, report: Report) -> Declarations | None:
    """Passes 3 and 4: the declarations of a file, with error recovery."""
    try:
        with bounded(MOST_WORK):
            document = put_together(file, report)
            if document is None:
                return None
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
    report.files.update(found.files)
    report.stumbled += found.stumbled


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
    """Passes 5 to 7. Nesting too deep for Python's stack is reported, not raised."""
    try:
        return specialise(declared, players, options, report)
    except RecursionError:
        hint = "give their parts names under `definitions:`, and fewer of them inside one another"
        span = declared.line.span if declared.line else None
        report.error("too-deep", "the rules of this game are nested too deeply", span, hint=hint)
        return None
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
    `partial` are the declarations as far as they could be read, in spite of errors."""

    path: Path | str
    report: Report
    file: GameFile | None
    declared: Declarations | None
    programs: tuple[Program, ...]
    partial: Declarations | None = None

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
    """A file checked at every number of players it allows. `quick`: only at the fewest usual one, and without warnings
    for variants and unused names. `types` collects the types of expressions; `mends` is polled before each verification
    of a fix."""
    report, own = Report(), Report(types=types)
    found: list[Specialised] = []
    with bounded(MOST_WORK) as effort:
        file = load(path if text is None else find_game(path) or path, own, text)
        declared = declare(file, own) if file is not None else None
        if declared is not None:
            found = (
                specialise_at(declared, [declared.usual[0]], {}, own)
                if quick
                else _specialise_all(declared, effort, own)
            )
        if file is not None and declared is not None and not own.failed and not quick:
            _check_variant(file, declared, own)
            check_purpose(declared, own)
    _tell(path, file, own, report, _check_fewest if quick else _check, mends)
    programs = tuple(one.program for one in found)
    return Checked(path, report, file, declared if not own.failed else None, programs, declared)


def _specialise_all(declared: Declarations, effort: Effort, report: Report) -> list[Specialised]:
    """The game at every number of players. If rules do not depend on that number, and there is not enough budget for
    all, only the least, the greatest and some in between are checked: the rules are the same, and quantities that grow
    with the players (cards dealt, zones) are extreme at the greatest."""
    low, high = declared.allowed
    before = effort.left
    found = specialise_at(declared, [low], {}, report)
    rest = range(low + 1, high + 1)
    affordable = effort.left // max(1, before - effort.left)
    if len(rest) > affordable and found and not found[0].elaborator.env.asked_players and declared.team_size is None:
        step = max(1, -(-len(rest) // max(1, affordable // 2)))
        rest = range(high, low, -step)[::-1]
    return found + specialise_at(declared, rest, {}, report)


def _check_variant(file: GameFile, declared: Declarations, report: Report) -> None:
    document = put_together(file, Report())
    assert document is not None
    try:
        check_variant(file, document, declared, _read_whole, report)
    except TooMuchWork:
        report_too_much(declared.line.span if declared.line else None, report)


def _read_whole(file: GameFile) -> Declarations | None:
    """The declarations of a file; None if it has errors."""
    report = Report()
    declared = declare(file, report)
    return None if report.failed else declared


def _check(file: GameFile, report: Report) -> None:
    """Check a file at the fewest usual and at the most players."""
    declared = declare(file, report)
    if declared is not None:
        specialise_at(declared, dict.fromkeys((declared.usual[0], declared.allowed[1])), {}, report)


def _check_fewest(file: GameFile, report: Report) -> None:
    """Check a file at the fewest usual number of players."""
    declared = declare(file, report)
    if declared is not None:
        specialise_safely(declared, declared.usual[0], {}, report)


def specialise_at(
    declared: Declarations, counts: Iterable[int], options: dict[str, object], report: Report
) -> list[Specialised]:
    """The game at several numbers of players, where it has no errors. Diagnostics that differ only in the number of
    players are reported once."""
    found = []
    for players in counts:
        own = replace(report, diagnostics=list(report.diagnostics), stumbled=[])
        one = specialise_safely(declared, players, options, own)
        told = {(each.code, each.primary.span if each.primary else None) for each in report.diagnostics}
        report.diagnostics += [
            each for each in own.diagnostics if (each.code, each.primary.span if each.primary else None) not in told
        ]
        report.stumbled += own.stumbled
        if one is not None:
            found.append(one)
    return found


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

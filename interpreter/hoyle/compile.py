"""From a rule file to a program: all passes, in order.

In: a path or the name of a shipped game. Out: a checked `Program`, or the report of what is wrong.

    1. read      text → YAML nodes with places         hoyle.document.reading
    2. validate  nodes against schema/game.schema.json hoyle.document.validation
    3. merge     `use` and `extends`                   hoyle.document.merging
    4. declare   rule texts → AST, declarations        hoyle.declare, hoyle.syntax
    then, for a number of players and a set of options (hoyle.specialise):
    5. elaborate options, deck, zones, state; names and types of expressions   hoyle.elaborate
    6. lower     actions, statements, ends → blocks    hoyle.lower
    7. analyse   citations, deals, leaks, unused       hoyle.analyse
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hoyle.blaming import blame
from hoyle.declare.declarations import Declarations, LabelsDecl, OptionDecl
from hoyle.declare.reading import read_declarations
from hoyle.diagnostics.report import Diagnostic, Report
from hoyle.document.files import GameFile, in_order
from hoyle.document.merging import load_file, put_together
from hoyle.info import GameInfo, OptionInfo
from hoyle.ir.nodes import Program
from hoyle.source import Source
from hoyle.specialise import Specialised, specialise
from hoyle.syntax.ast import Expr
from hoyle.variants.lints import check_variant


def read_game(path: Path | str, report: Report) -> Declarations | None:
    """Passes 1 to 4: what does not depend on the number of players or on options."""
    own = Report()
    file = load_file(path, own)
    declared = _read(file, own) if file is not None else None
    _tell(file, own, report, lambda other, again: _read(other, again))
    return None if own.failed else declared


def _read(file: GameFile, report: Report) -> Declarations | None:
    """Passes 3 and 4."""
    document = put_together(file, report)
    if document is None:
        return None
    declared = read_declarations(document, report)
    return None if report.failed else declared


def _tell(
    file: GameFile | None, found: Report, report: Report, check: Callable[[GameFile, Report], object]
) -> None:
    """Hand on what was found, told of the file that caused it; `check` repeats what led to it with another file."""

    def find(other: GameFile) -> list[Diagnostic]:
        again = Report()
        check(other, again)
        return again.diagnostics

    if file is not None and found.failed:
        found.diagnostics = blame(file, found.diagnostics, find)
    report.diagnostics += [one for one in found.diagnostics if one not in report.diagnostics]
    report.files.update(found.files)


def compile_game(
    path: Path | str, players: int | None = None, options: dict[str, Any] | None = None, report: Report | None = None
) -> tuple[Program | None, Report]:
    """A game for a number of players (the fewest usual ones unless given) and options (their defaults)."""
    report = report if report is not None else Report()
    own = Report()
    file = load_file(path, own)

    def compile_one(file: GameFile, report: Report) -> Program | None:
        declared = _read(file, report)
        return _compile(declared, players, options or {}, report) if declared is not None else None

    program = compile_one(file, own) if file is not None else None
    _tell(file, own, report, compile_one)
    return program, report


def _compile(declared: Declarations, players: int | None, options: dict[str, Any], report: Report) -> Program | None:
    count = declared.usual[0] if players is None else players
    if not declared.allowed[0] <= count <= declared.allowed[1]:
        low, high = declared.allowed
        report.error(
            "player-count",
            f"`{declared.name}` is for {low} to {high} players, not {count}",
            declared.players_line.span if declared.players_line else None,
            hint=f"choose a number from {low} to {high}" if low < high else f"it is played by {low}",
        )
        return None
    found = specialise_safely(declared, count, options, report)
    return found.program if found else None


def specialise_safely(
    declared: Declarations, players: int, options: dict[str, Any], report: Report
) -> Specialised | None:
    """Passes 5 to 7. Rules that lean on one another deeper than Python can follow are told, not raised."""
    try:
        return specialise(declared, players, options, report)
    except RecursionError:
        hint = "give their parts names under `definitions:`, and fewer of them inside one another"
        span = declared.line.span if declared.line else None
        report.error("too-deep", "the rules of this game are nested too deeply", span, hint=hint)
        return None


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was checked: what was found, what it declares, and its program at every number of players, as far as
    there was nothing wrong."""

    path: Path | str
    report: Report
    file: GameFile | None
    declared: Declarations | None
    programs: tuple[Program, ...]

    @property
    def sources(self) -> list[Source]:
        """The texts the game was put together from."""
        files = in_order(self.file) if self.file is not None else []
        return [source for file in files for source in (file.source, *(used.source for used in file.modules))]


def check_file(path: Path | str) -> Report:
    """What is wrong with a file, at any number of players it allows; a finding shown once is not shown again."""
    return check_game(path).report


def check_game(path: Path | str) -> Checked:
    """A file checked at every number of players it allows."""
    report, own = Report(), Report()
    file = load_file(path, own)
    declared, programs = _check(file, own) if file is not None else (None, ())
    if file is not None and declared is not None and not own.failed:
        document = put_together(file, Report())
        assert document is not None
        check_variant(file, document, declared, lambda other: _read(other, Report()), own)
    _tell(file, own, report, _check)
    return Checked(path, report, file, declared, programs)


def _check(file: GameFile, report: Report) -> tuple[Declarations | None, tuple[Program, ...]]:
    declared = _read(file, report)
    programs = []
    for players in range(declared.allowed[0], declared.allowed[1] + 1) if declared is not None else ():
        assert declared is not None
        found = specialise_safely(declared, players, {}, report)
        if found is None or report.failed:
            break
        programs.append(found.program)
    return declared, tuple(programs)


def compile_file(
    file: GameFile, players: int, report: Report, options: dict[str, Any] | None = None
) -> Program | None:
    """A file that has been read, for a number of players and options."""
    declared = _read(file, report)
    return _compile(declared, players, options or {}, report) if declared is not None else None


def describe_game(path: Path | str, language: str | None = None) -> tuple[GameInfo | None, Report]:
    """What a game file says of itself, in a language it has labels in or else in its own."""
    report = Report()
    declared = read_game(path, report)
    if declared is None:
        return None, report
    labels = declared.labels.get(language or declared.language)
    options = tuple(_option_info(option, labels) for option in declared.options.values())
    title = labels.title if labels and labels.title else declared.title
    usual, allowed, parents = declared.usual, declared.allowed, declared.parents
    return GameInfo(declared.name, title, Path(path), usual, allowed, options, parents), report


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

"""What the page that edits a rule file can ask of its text besides whether it is right: its tests, a simulation, its
rulebook, its graph, the value of a line.

In: the path that the text belongs to, the text. Out: plain data that the page draws.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hoyle.authoring.evaluating import set_position, work_out
from hoyle.authoring.graph import build_graph, write_svg
from hoyle.authoring.rulebook import render_text, write_book
from hoyle.authoring.testing import TEST_SUFFIX, run_files
from hoyle.base.diagnostics.render import render_text as render_problems
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import GAME_SUFFIX, MODULE_SUFFIX, game_name
from hoyle.front.web.lobby import Refused
from hoyle.front.web.simulating import simulate_text
from hoyle.language.compile import read_game
from hoyle.language.specialise import specialise

MOST_TOLD = 20  # examples that fail
RULE_FILES = (GAME_SUFFIX, MODULE_SUFFIX, TEST_SUFFIX, "rules.yaml")


def inquire(path: Path, text: str, what: str, games: int) -> dict[str, object]:
    """Answer one question about a text; refused if the text has errors."""
    ask = QUESTIONS.get(what)
    if ask is None:
        raise Refused("bad_message", "there is no such question")
    return ask(path, text, games)


def _test(path: Path, text: str, games: int) -> dict[str, object]:
    with _lay_out(path, text) as place:
        outcomes = list(run_files([place]))
    failed = [{"name": each.name, "message": each.message} for each in outcomes if not each.passed]
    return {"passed": sum(each.passed for each in outcomes), "failed": len(failed), "told": failed[:MOST_TOLD]}


def _write_rules(path: Path, text: str, games: int) -> dict[str, object]:
    book = write_book(path, Report(), text=text)
    if book is None:
        raise Refused("has_errors")
    return {"text": render_text(book, 72)}


def _draw_graph(path: Path, text: str, games: int) -> dict[str, object]:
    with _lay_out(path, text) as place:
        declared = read_game(place, Report())
    if declared is None or "match" not in declared.steps:
        raise Refused("has_errors")
    return {"svg": write_svg(build_graph(declared))}


QUESTIONS: dict[str, Callable[[Path, str, int], dict[str, object]]] = {
    "simulate": simulate_text, "test": _test, "rules": _write_rules, "graph": _draw_graph,
}  # fmt: skip


def try_line(
    table: tuple[Path, str, dict[str, str], int], line: str, seed: int, moves: Sequence[str], seat: int
) -> dict[str, object]:
    """The value of an expression at a table, as a seat there means it; or why it has none."""
    path, text, options, players = table
    report = Report()
    with _lay_out(path, text) as place:
        declared = read_game(place, report)
    rules = specialise(declared, players, dict(options), report) if declared is not None else None
    if rules is None:
        raise Refused("has_errors")
    match = set_position(rules, seed, None, moves, report)
    lines = [] if match is None else work_out(rules, match, line, seat, report)
    return {"value": lines, "why": "" if lines else render_problems(report.ordered())}


@contextmanager
def _lay_out(path: Path, text: str) -> Iterator[Path]:
    """A folder with the text as a file, and with the rule files that lie beside its path."""
    with tempfile.TemporaryDirectory(prefix="hoyle-") as folder:
        beside = path.parent.iterdir() if path.parent.is_dir() else ()
        for each in beside:
            if each.is_file() and each.name.endswith(RULE_FILES):
                shutil.copyfile(each, Path(folder) / each.name)
        place = Path(folder) / f"{game_name(path)}{GAME_SUFFIX}"
        place.write_text(text, encoding="utf-8")
        yield place

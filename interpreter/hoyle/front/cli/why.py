"""`hoyle why`: explains the legality of an action, the scores, or the current decision.

In: a game and a position of it. Out: the deciding clauses, with locations, citations and values.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path

import click

import hoyle
from hoyle.authoring import testing
from hoyle.authoring.coverage.measure import find_tests
from hoyle.authoring.testing.placing import place
from hoyle.authoring.testing.running import stand_at
from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.tables import Table, Tables
from hoyle.authoring.why import (
    explain_action,
    explain_moment,
    explain_scores,
    render_answer,
    render_moment,
    render_scores,
)
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.base.shipped import find_game, game_name
from hoyle.base.source import Source
from hoyle.front.cli.common import (
    ExistingFile,
    find_game_file,
    game_argument,
    json_option,
    players_option,
    settings_option,
)
from hoyle.front.cli.failures import Problem
from hoyle.front.terminal.saving import LARGEST, BadRecord, read_record
from hoyle.front.terminal.starting import replay as replay_record
from hoyle.language.compile import read_game, specialise_safely
from hoyle.language.document.reading import read_nodes
from hoyle.language.specialise import Specialised
from hoyle.play.engine.game import Game, IllegalAction, Match
from hoyle.play.engine.origin import OtherRules, check_rules
from hoyle.play.transcript import TranscriptMismatch, replay
from hoyle.play.view.locale import Locale
from hoyle.program.ir.declared import Clause

SCORE = "score"


@click.command("why", epilog='Example: hoyle why my-game.game.yaml "play C7" --seed 4 --choices "take; play T9"')
@game_argument
@click.argument("action", nargs=-1, metavar="[ACTION… | score [SEAT]]")
@players_option
@settings_option
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The match that S deals.")
@click.option("--choices", metavar="TEXT", help="The choices made so far, divided by `;`, or @FILE with one on a line.")
@click.option("--given", metavar="POSITION", help="What lies where, as in examples, divided by `;`.")
@click.option("--example", metavar="NAME", help="The position of an example whose name holds NAME.")
@click.option("--after", is_flag=True, help="With --example, the position after its choices.")
@click.option("--save", "saved", type=ExistingFile(), metavar="FILE",
              help="A match that was saved, or its transcript.")  # fmt: skip
@click.option("--full", is_flag=True, help="Show everything that was looked at, not only what decided.")
@json_option
def command(
    game: str,
    action: tuple[str, ...],
    players: int | None,
    settings: dict[str, str],
    seed: int,
    choices: str | None,
    given: str | None,
    example: str | None,
    after: bool,
    saved: Path | None,
    full: bool,
    as_json: bool,
) -> None:
    """Tell why ACTION is allowed or not at a position of GAME, and what would have to differ.

    With `score` tell how the scores came about, entry by entry. Without ACTION tell what is happening: which steps are
    running, who is to choose, and by which rule.
    """
    path = find_game_file(game)
    if sum(each is not None for each in (example, saved, given)) > 1:
        raise Problem("one position at a time: --example, --save or --given")
    if saved is not None:
        match = _open_saved(path, saved)
    elif example is not None:
        match = _stand_at_example(path, example, after=after)
    else:
        match = _stand_at(path, players, settings, seed, given)
    for choice in _read_choices(choices):
        try:
            match.apply(_read_shown(match, choice))
        except IllegalAction as illegal:
            raise Problem(f"`{choice}` among the choices: {illegal}") from None
    known, lines = _answer(match, list(action), full)
    click.echo(json.dumps(known, default=_write_value, ensure_ascii=False, indent=2) if as_json else "\n".join(lines))


def _answer(match: Match, words: list[str], full: bool) -> tuple[object, list[str]]:
    """The answer as data, and as lines."""
    if not words:
        moment = explain_moment(match)
        return moment, render_moment(moment, full=full)
    text = " ".join(words)
    if text.split()[0] == SCORE and SCORE not in [action.name for action in match.game.program.actions]:
        entries = explain_scores(match, _read_seat(text.split()[1:], match))
        return entries, render_scores(entries, match.scores)
    if match.is_over:
        raise Problem("the match is over: nothing can be chosen any more")
    try:
        answer = explain_action(match, _read_shown(match, text))
    except IllegalAction as illegal:
        raise Problem(str(illegal)) from None
    return answer, render_answer(answer, full=full)


def _write_value(value: object) -> object:
    """A clause by what it says and where it stands; anything else of the answer by its fields."""
    if isinstance(value, Clause):
        return {"path": value.path, "file": value.file, "line": value.line, "rules": list(value.cite)}
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    return str(value)


def _read_shown(match: Match, text: str) -> str:
    """Translate an action written as tables show it, `lay away 5C 2D`, to its name in the file, `lay_away 5C 2D`."""
    program = match.game.program
    names = [action.name for action in program.actions]
    if text.split(" ")[0].casefold() in [name.casefold() for name in names]:
        return text
    locale = Locale(program)
    folded = f"{text.casefold()} "
    shown = [name for name in names if folded.startswith(f"{locale.action(name).casefold()} ")]
    if not shown:
        return locale.unspell(text)
    name = max(shown, key=lambda each: len(locale.action(each)))
    label = locale.action(name)
    return locale.unspell(text) if name in locale.labels.actions else name + text[len(label) :]


def _read_seat(words: list[str], match: Match) -> int | None:
    if not words:
        return None
    if len(words) == 1 and words[0].isdecimal() and int(words[0]) < match.game.players:
        return int(words[0])
    raise Problem(f"no seat `{' '.join(words)}`; the seats are 0 to {match.game.players - 1}")


# ------------------------------------------------------------------------------------------------ positions
def _load(path: Path, players: int | None, options: dict[str, object]) -> Specialised:
    report = Report()
    declared = read_game(path, report)
    if declared is None:
        raise hoyle.RuleFileError(report)
    low, high = declared.allowed
    if players is not None and not low <= players <= high:
        raise Problem(declared.refuse_players(players))
    rules = specialise_safely(declared, declared.usual[0] if players is None else players, options, report)
    if rules is None:
        raise hoyle.RuleFileError(report)
    return rules


def _stand_at(path: Path, players: int | None, settings: dict[str, str], seed: int, given: str | None) -> Match:
    rules = _load(path, players, dict(settings))
    game = Game(rules.program)
    if given is None:
        return game.new(seed)
    table = Table(rules, game)
    match = Match(game, game.executor.start(seed), seed=seed)
    report = Report()
    root = read_nodes(Source("POSITION", "\n".join(part.strip() for part in given.split(";"))), report)
    if root is None:
        raise hoyle.RuleFileError(report)
    scene = Scene(table, match)
    place(scene, root)
    if scene.failed:
        raise hoyle.RuleFileError(scene.report)
    return scene.match


def _stand_at_example(path: Path, name: str, *, after: bool) -> Match:
    """Set up the position of the only example whose name contains a text."""
    files = find_tests(path)
    for tests in files:
        if tests.report.failed:
            raise hoyle.RuleFileError(tests.report)
    found = [(t, e) for t in files for e in t.examples if name.casefold() in e.name.casefold()]
    exact = [(t, e) for t, e in found if e.name.casefold() == name.casefold()]
    found = exact or found
    if not found:
        near = nearest(name, [example.name for tests in files for example in tests.examples])
        raise Problem(f"no example whose name holds `{name}`" + (f"; did you mean `{near}`?" if near else ""))
    if len(found) > 1:
        listed = "".join(f"\n  {example.name}" for _, example in found[:10])
        raise Problem(f"{len(found)} examples have a name that holds `{name}`:{listed}")
    tests, example = found[0]
    assert tests.game is not None
    problem: testing.Outcome | None = testing.find_problem(tests)
    if problem is not None:
        raise Problem(problem.message)
    scene, message = stand_at(tests, example, Tables(tests.game), after=after)
    if scene is None:
        raise Problem(message)
    return scene.match


def _open_saved(path: Path, saved: Path) -> Match:
    """Open a saved match: from `hoyle play`, a transcript, or `Match.to_json`."""
    text = _read_text(saved)
    try:
        begins = json.loads(text.split("\n", 1)[0])
    except (ValueError, RecursionError):
        begins = None  # possibly JSON on several lines
    if isinstance(begins, dict) and "people" in begins:
        return _open_played(path, saved)
    try:
        data = json.loads(text)
        named, players, options = data["game"], data["players"], data["options"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Problem(f"{saved}: not a saved match") from None
    _refuse_another_game(path, saved, named)
    rules = _load(path, players if isinstance(players, int) else None, options if isinstance(options, dict) else {})
    game = Game(rules.program)
    try:
        if "choices" in data:
            return replay(game, data)
        return Match.from_json(game, data)
    except TranscriptMismatch as mismatch:
        raise Problem(f"{saved}: {mismatch}") from None
    except (ValueError, KeyError, TypeError, IndexError) as wrong:
        raise Problem(f"{_say_foreign(saved)}: {wrong}") from None


def _open_played(path: Path, saved: Path) -> Match:
    """Replay a match saved by `hoyle play` to its last choice."""
    try:
        record = read_record(saved)
    except BadRecord as bad:
        raise Problem(f"{saved}: holds no match: {bad}") from None
    setup = record.setup
    _refuse_another_game(path, saved, game_name(find_game(setup.game) or Path(setup.game)))
    try:
        game = Game(_load(path, setup.players, setup.options).program)
        check_rules(game.program, asdict(setup), str(saved))
        return replay_record(game, record)
    except OtherRules as other:
        raise Problem(str(other)) from None
    except BadRecord as bad:
        raise Problem(f"{_say_foreign(saved)}: {bad}") from None


def _say_foreign(saved: Path) -> str:
    return f"{saved}: does not belong to this game as the file has it now"


def _refuse_another_game(path: Path, saved: Path, named: object) -> None:
    if named != game_name(path):
        raise Problem(f"{saved}: a match of `{named}`, not of `{game_name(path)}`")


def _read_text(path: Path) -> str:
    """Read a text file up to a size limit, since it could be an endless device."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise Problem(f"{path}: it is too large")
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Problem(f"{path}: it is no text") from None


def _read_choices(written: str | None) -> list[str]:
    if written is None:
        return []
    if written.startswith("@"):
        lines = _read_text(Path(written[1:])).splitlines()
        return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return [part.strip() for part in written.split(";") if part.strip()]


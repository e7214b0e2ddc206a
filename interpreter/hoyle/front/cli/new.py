"""`hoyle new`: creates a game from a skeleton or as a variant.

In: a name, and a family or parent; on a terminal, missing settings are asked for. Out: a rule file without errors and
its examples, which pass. Existing files are not overwritten.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

import hoyle
from hoyle.authoring.skeletons import BLANK, TEST_SUFFIX, Draft, draft_game, draft_variant, list_families
from hoyle.base import shipped
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.common import find_game_file, settings_option
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem
from hoyle.language.compile import compile_file
from hoyle.language.document.merging import load_file
from hoyle.language.library import describe
from hoyle.program.info import GameInfo, OptionInfo

Answer = TypeVar("Answer")
_NAME = re.compile(r"[a-z][a-z0-9-]*")
LONGEST_NAME = 60
_TRUTHS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}


@click.command("new", epilog="Example: hoyle new my-variant --from my-game --set deals=5")
@click.argument("name", required=False)
@click.option("--from", "parent", metavar="GAME", shell_complete=complete_game,
              help="Make a variant of this game: a shipped one, or a file in the same folder.")  # fmt: skip
@click.option("--like", "family", type=click.Choice(list(list_families())),
              help="Make a game of its own, of this family.")  # fmt: skip
@click.option("--title", metavar="TITLE", help="What players call it; when not given, made from the name.")
@settings_option
def command(
    name: str | None, parent: str | None, family: str | None, title: str | None, settings: dict[str, str]
) -> None:
    """Make NAME.game.yaml and NAME.test.yaml, ready to be played, tested and changed.

    NAME may have a folder before it. Without --from and --like it is a small game of its own; on a terminal you are
    asked.
    """
    if parent is not None and family is not None:
        raise click.UsageError("--from makes a variant and --like a game of its own; give one of them")
    if settings and parent is None:
        raise click.UsageError("--set sets options of a parent; say which with --from")
    asks = sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty()
    if name is None and not asks:
        raise click.UsageError("say what the game is called: hoyle new my-game")
    path = _place(name) if name is not None else _ask("What is it called (small letters, digits, hyphens)", _place)
    if asks and parent is None and family is None:
        parent, family = _ask_kind()
    own = shipped.game_name(path)
    title = (title if title is not None else own.replace("-", " ").title()).strip()
    if not title or not title.isprintable():
        raise Problem("the title must be text that can be read")
    if parent is not None:
        info = _find_parent(parent, path)
        draft = draft_variant(own, title, info, _read_settings(info, settings))
    else:
        draft = draft_game(own, title, family or BLANK)
    _write(path, draft)
    shown = shown_path(path)
    click.echo(f"made {shown} and {shown_path(path.with_name(own + TEST_SUFFIX))}; now:")
    for verb, use in (("play", "play it"), ("check", "see what is wrong after a change"), ("test", "run its examples")):
        click.echo(f"  hoyle {verb} {shown}".ljust(14 + len(shown)) + f"  to {use}")


def _place(name: str) -> Path:
    """Return the path of the rule file; a `Problem` if the name is invalid or the file exists."""
    given = Path(name)
    own = given.name.removesuffix(shipped.GAME_SUFFIX)
    if not _NAME.fullmatch(own) or len(own) > LONGEST_NAME:
        meant = re.sub(r"[^a-z0-9]+", "-", own.lower()).strip("-0123456789") if own.isascii() else ""
        raise Problem(
            f"`{own}` cannot be the name of a game; it is written with small letters, digits and hyphens"
            + (f", as in `{meant[:LONGEST_NAME]}`" if meant and meant != own else "")
        )
    if any(shipped.game_name(path) == own for path in shipped.all_games()):
        raise Problem(f"there is a shipped game named `{own}`; give yours another name")
    if not given.parent.is_dir():
        raise Problem(f"no folder {given.parent.as_posix()}")
    path = given.with_name(own + shipped.GAME_SUFFIX)
    for there in (path, path.with_name(own + TEST_SUFFIX)):
        if there.exists() or there.is_symlink():
            raise Problem(f"{shown_path(there)} is there already; nothing was changed")
    return path


def _ask(question: str, read: Callable[[str], Answer]) -> Answer:
    """Ask a question until the answer is valid."""

    def try_to_read(text: str) -> Answer:
        try:
            return read(text.strip())
        except Problem as problem:
            raise click.UsageError(problem.message) from None

    answer: Answer = click.prompt(question, value_proc=try_to_read)
    return answer


def _ask_kind() -> tuple[str | None, str | None]:
    """Ask for the family or the parent."""
    families = list_families()
    click.echo("What is it like?")
    kinds = [*families.items(), ("variant", "A game that is there, with something changed.")]
    width = max(40, min(shutil.get_terminal_size().columns, 100))
    for number, (name, sentence) in enumerate(kinds, 1):
        head = f"  {number}  {name.ljust(10)} "
        click.echo(textwrap.fill(sentence, width, initial_indent=head, subsequent_indent=" " * len(head)))
    chosen = click.prompt("Choose", type=click.IntRange(1, len(families) + 1), default=1)
    if chosen <= len(families):
        return None, list(families)[chosen - 1]
    return _ask("Of which game (`hoyle list` shows the shipped ones)", _find_name), None


def _find_name(game: str) -> str:
    """Validate that a game exists; return its name as given."""
    find_game_file(game)
    return game


def _find_parent(parent: str, path: Path) -> GameInfo:
    """Describe the parent, which must be resolvable from the folder of the variant."""
    file = find_game_file(parent)
    name = shipped.game_name(file)
    beside = path.with_name(name + shipped.GAME_SUFFIX)
    is_shipped = any(file.resolve() == each.resolve() for each in shipped.all_games())
    if not is_shipped and not (beside.is_file() and beside.resolve() == file.resolve()):
        folder = file.parent.as_posix()
        raise Problem(f"a variant lies in the folder of its parent: hoyle new {folder}/{path.name} --from {parent}")
    if is_shipped and beside.is_file() and beside.resolve() != file.resolve():
        raise Problem(f"`{name}` would be taken for {shown_path(beside)}, which lies in the same folder")
    info, report = describe(file)
    if info is None:
        raise hoyle.RuleFileError(report)
    if info.name != name:
        wanted = info.name + shipped.GAME_SUFFIX
        raise Problem(f"{shown_path(file)} holds the game `{info.name}`; call the file {wanted}")
    return info


def _read_settings(info: GameInfo, settings: dict[str, str]) -> dict[str, str]:
    """Validate option settings and format them for a rule file, omitting those equal to the parent's."""
    options = {option.name: option for option in info.options}
    read = {}
    for name, value in settings.items():
        if name not in options:
            near = nearest(name, options)
            meant = f"did you mean `{near}`?" if near else f"`hoyle list {info.name}` shows those there are"
            raise Problem(f"`{info.name}` has no option `{name}`; {meant}")
        written = _read_value(options[name], value)
        if written != options[name].default:
            read[name] = written
    return read


def _read_value(option: OptionInfo, value: str) -> str:
    values = [name for name, _ in option.values]
    if option.kind == "truth" and value.lower() in _TRUTHS:
        return _TRUTHS[value.lower()]
    if option.kind == "number":
        if option.or_none and value == "none":
            return value
        if re.fullmatch(r"-?\d{1,9}", value) and option.low <= int(value) <= option.high:
            return str(int(value))
        wanted = f"a number from {option.low} to {option.high}{' or none' if option.or_none else ''}"
    elif value in values:
        return value
    else:
        near = nearest(value, values)
        wanted = "true or false" if option.kind == "truth" else "one of " + ", ".join(values)
        wanted += f"; did you mean `{near}`?" if near else ""
    raise Problem(f"`{option.name}` cannot be `{value[:60]}`; it is {wanted}")


def _write(path: Path, draft: Draft) -> None:
    """Write both files or none, without overwriting. A draft with errors is reported and not written."""
    report = Report()
    file = load_file(path, report, text=draft.game)
    if file is None or compile_file(file, None, report) is None:
        raise hoyle.RuleFileError(report)
    tests = path.with_name(shipped.game_name(path) + TEST_SUFFIX)
    made: list[Path] = []
    try:
        for place, text in ((path, draft.game), (tests, draft.tests)):
            with place.open("x", encoding="utf-8", newline="\n") as opened:
                made.append(place)
                opened.write(text)
    except BaseException:
        for place in made:
            place.unlink(missing_ok=True)
        raise

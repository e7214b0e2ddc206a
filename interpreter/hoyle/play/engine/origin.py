"""The head of every stored match: who wrote it, and under which rules it was played.

In: a program, or a head from outside. Out: the head as JSON data; or `OtherRules`, which says what differs from the
rules at hand and how to go on.

Transcripts, files of matches and tables of a server begin with the same fields, and saved matches have them in their
first line (`hoyle.front.terminal.saving`):

| field     | what it holds                                                                            |
|-----------|------------------------------------------------------------------------------------------|
| `format`  | the number of the format, `FORMAT`                                                       |
| `hoyle`   | the version of Hoyle that wrote it                                                       |
| `game`    | the name of the game, or the path of its file                                            |
| `players` | how many play                                                                            |
| `options` | the value of every option                                                                |
| `rules`   | digests of the sections of the rules that decide play, by name; none where not known     |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hoyle.base.version import __version__
from hoyle.program.info import write_option
from hoyle.program.ir.nodes import Program
from hoyle.program.model.records import RecordError, check_fields, refuse

FORMAT = 2  # raise it together with a reader of the number before: matches that are stored stay readable
HEAD: dict[str, object] = {
    "format": int, "hoyle": str, "game": str, "players": int, "options": dict, "rules": dict,
}  # fmt: skip
MOST_TOLD = 8  # options and sections named in a refusal
LONGEST = 40  # characters quoted of a value


class OtherRules(RecordError):  # noqa: N818 - a finding about a record, not a program error
    """A match was stored under other rules than those it is to be continued under."""


def make_head(program: Program) -> dict[str, Any]:
    """The head of a match of this program."""
    return {
        "format": FORMAT,
        "hoyle": __version__,
        "game": program.game,
        "players": program.players,
        "options": dict(program.options),
        "rules": dict(program.digests),
    }


def take_head(data: Any, where: str) -> dict[str, Any]:
    """The fields of the head; raises `RecordError` if they are malformed, or of a format that is not known."""
    found = data.get("format") if isinstance(data, dict) else None
    if type(found) is int and found > FORMAT:
        wrote = str(data.get("hoyle"))[:LONGEST]
        raise refuse(where, f"it is of format {found}, and this Hoyle, {__version__}, reads formats up to "
                     f"{FORMAT}; go on with the newer Hoyle that wrote it ({wrote})")  # fmt: skip
    head = {name: data[name] for name in HEAD if name in data} if isinstance(data, dict) else data
    check_fields(head, HEAD, where)
    if head["format"] != FORMAT:
        raise refuse(where, f"it is of format {found}, which no Hoyle wrote")
    for place, part in head["rules"].items():
        if type(part) is not str:
            raise refuse(f"{where}.rules.{place[:LONGEST]}", "must be a text")
    return head


def check_origin(program: Program, head: Mapping[str, Any], where: str, remedy: str = "") -> None:
    """Raise `OtherRules` for a match that was stored for another game, other players or options, or under other rules.
    `remedy` is another way to go on that the caller offers if only the rules differ."""
    players, options = head["players"], head["options"]
    settings = []
    if head["game"] != program.game:
        settings.append(f"it is of `{str(head['game'])[:LONGEST]}`, and this is `{program.game}`")
    if players != program.players:
        settings.append(f"it has {players} players, and here are {program.players}")
    for name in [*program.options, *(name for name in options if name not in program.options)][: 100 * MOST_TOLD]:
        then, now = options.get(name, "not there"), program.options.get(name, "not there")
        if (type(then), then) != (type(now), now):
            settings.append(f"`{name[:LONGEST]}` was {_quote(then)}, and is {_quote(now)}")
    if settings:
        raise OtherRules(f"{where}: {_list(settings)}; load the game with what it was stored with")
    check_rules(program, head, where, remedy)


def check_rules(program: Program, head: Mapping[str, Any], where: str, remedy: str = "") -> None:
    """The same for the rules alone: where the game was loaded by what the match says of it."""
    changed = find_changed(program, head["rules"])
    if changed:
        written = f" by Hoyle {str(head['hoyle'])[:LONGEST]}" if head["hoyle"] != __version__ else ""
        raise OtherRules(f"{where}: it was stored{written} under other rules: {_list(changed)} "
                         f"{'have' if len(changed) > 1 else 'has'} changed since; "
                         f"put back the rules it was begun with{f', or {remedy}' if remedy else ''}")  # fmt: skip


def find_changed(program: Program, rules: Mapping[str, str]) -> list[str]:
    """The sections whose rules differ; none if the record does not say under which rules it was played."""
    if not rules:
        return []
    now = program.digests
    return [f"`{name[:LONGEST]}`" for name in {**now, **rules} if now.get(name) != rules.get(name)]


def _quote(value: object) -> str:
    return write_option(value)[:LONGEST]


def _list(found: list[str]) -> str:
    more = f" and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else ""
    return ", ".join(found[:MOST_TOLD]) + more

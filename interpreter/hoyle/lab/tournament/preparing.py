"""Prepares a tournament from what is wished for: finds the format, settles how many play at how many tables.

In: the file of a game, a `Wish`. Out: `Setup` and `Plan`; or diagnostics, or `NoTournament`, which says what cannot be.
"""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.base.errors import HoyleError
from hoyle.lab.tournament.format import Amount, Format, find_format, list_formats, name_format, read_format
from hoyle.lab.tournament.running import Plan
from hoyle.lab.tournament.setup import Setup, set_up
from hoyle.language.family import find_parents


class NoTournament(HoyleError):  # noqa: N818 - told to who wished for it
    """What is wished for cannot be played."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is said of a tournament; what is None or empty is as the format has it. `players` is the number of those who
    take part in all."""

    form: str | None = None
    tables: int | None = None
    seats: int | None = None
    players: int | None = None
    games: int | None = None
    tie: str = ""
    names: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    bot: str = "random"
    errors: float = 0.0


def prepare(path: Path, wish: Wish, report: Report) -> tuple[Setup, Plan] | None:
    """Compile the game and its format for what is wished for; None after reporting errors."""
    form = _read_format(wish.form, path, report)
    if form is None:
        return None
    tables = _count_tables(form, wish)
    some = wish.players % tables if wish.players is not None else 0
    seats = _settle(form.seats, wish.players // tables if wish.players is not None else wish.seats, "seats")
    setup = set_up(form, path, seats, dict(wish.settings), report)
    if setup is not None and some:
        more = _settle(form.seats, seats + setup.game.players // setup.sides, "seats")
        larger = set_up(form, path, more, dict(wish.settings), report)
        setup = None if larger is None else replace(setup, larger=larger)
    if setup is None:
        return None
    size = setup.game.players // setup.sides
    entrants = (wish.players or 0) // size
    room = entrants or setup.sides * tables
    if len(wish.names) > room:
        raise NoTournament(f"{len(wish.names)} people, and only {room} can take part")
    if len(set(wish.names)) < len(wish.names):
        raise NoTournament("two people have the same name")
    if wish.tie == "cut" and not setup.ranks:
        raise NoTournament(f"the format `{form.name}` does not say what a card counts in a cut")
    number = wish.games if wish.games is not None else form.games.usual
    games = None if number is None else _settle(form.games, number, "games")
    called = tuple(name if size == 1 else f"{name}'s side" for name in wish.names)
    return setup, Plan(tables, games, wish.seed, wish.bot, wish.errors, wish.tie, entrants, called)


def _count_tables(form: Format, wish: Wish) -> int:
    """How many tables there are: as said, or as many as that number of players fills."""
    if wish.tables is not None or wish.players is None:
        return _settle(form.tables, wish.tables, "tables")
    if wish.seats is not None and wish.players % wish.seats:
        raise NoTournament(
            f"{wish.players} players cannot sit at tables of {wish.seats}; say --tables, and some have one more"
        )
    usual = _settle(form.seats, wish.seats, "seats")
    return _settle(form.tables, max(form.tables.low, round(wish.players / usual)), "tables")


def _list_lineage(game: Path) -> list[Path]:
    """List a game and its ancestors, whose formats apply to it as well."""
    found: dict[Path, None] = {game: None}
    waiting = [game]
    while waiting:
        new = [parent for parent in find_parents(waiting.pop()) if parent not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return list(found)


def _read_format(name: str | None, game: Path, report: Report) -> Format | None:
    folders = list(dict.fromkeys(each.parent for each in _list_lineage(game)))
    path = next((beside for folder in folders if (beside := find_format(name, folder)) is not None), None)
    if path is not None:
        return read_format(path, report)
    known = list(dict.fromkeys(name_format(each) for folder in folders for each in list_formats(folder)))
    near = nearest(name or "", known)
    listed = ", ".join(known)
    raise NoTournament(
        f"no format named `{name}`; " + (f"did you mean `{near}`?" if near else f"there are {listed}")
        if name
        else f"the game has no format of its own; choose one with --format: {listed}"
    )


def _settle(amount: Amount, given: int | None, name: str) -> int:
    number = given if given is not None else amount.usual
    assert number is not None
    if not amount.low <= number <= amount.high:
        raise NoTournament(f"{number} {name}: the format is for {amount.low} to {amount.high}")
    return number

"""What a table gives to the rules: options, the number of players, cards, teams, members of families.

In: an environment. Out: in the general one, which stands for all tables, a `Given`; in that of a table its value, as a
constant. The rules are elaborated once, in the general environment.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.base.errors import HoyleError
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import constant
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given
from hoyle.program.ir.layout import count_members, list_members
from hoyle.program.ir.types import Type
from hoyle.program.model.runtime_values import Value

ONLY = -1  # the place of a card of which there must be one


def give(env: Environment, what: str, kind: Type, text: str, name: str = "", place: int = 0) -> ir.Expr:
    """A constant of the table."""
    if env.is_general:
        return Given(type=kind, what=what, name=name, place=place, text=text)
    return constant(find_given(env, what, name, place), kind, text)


def find_given(env: Environment, what: str, name: str = "", place: int = 0) -> Value:
    """The value of a constant of a table."""
    return _VALUES[what](env, name, place)


class NoSuchCard(HoyleError, LookupError):  # noqa: N818 - of the rules, not of the program
    """A card is named that is not in the deck of a table, or is there several times."""

    def __init__(self, name: str, copies: int) -> None:
        super().__init__(name)
        self.name, self.copies = name, copies


def find_copies(env: Environment, name: str) -> tuple[int, ...]:
    """The cards of the deck with a name or code."""
    return env.card_names.get(name) or env.card_codes.get(name, ())


def _find_card(env: Environment, name: str, place: int) -> Value:
    cards = find_copies(env, name)
    if not cards or (place == ONLY and len(cards) > 1):
        raise NoSuchCard(name, len(cards))
    return cards[max(place, 0)]


def count_teams(env: Environment) -> int:
    return max(env.teams) + 1


def list_members_of(env: Environment, team: int) -> tuple[int, ...]:
    """The seats of a team, in seat order."""
    return tuple(seat for seat, own in enumerate(env.teams) if own == team)


def _list_partners(env: Environment, name: str, place: int) -> Value:
    mates = [list_members_of(env, team) for team in env.teams]
    return tuple(next((mate for mate in mates[own] if mate != own), None) for own in range(env.players))


def _list_indices(env: Environment, name: str, place: int) -> Value:
    """For each zone of the position up to those of a family, the family's index there in one dimension."""
    zone = env.zone_list[env.zones[name]]
    values = [member[place] for member in list_members(zone.of) for _ in range(zone.many or 1)]
    return (zone.of[place].low,) * zone.base + tuple(values)


def _list_piles(env: Environment, name: str, place: int) -> Value:
    zone = env.zone_list[env.zones[name]]
    return tuple(range(zone.base, zone.base + zone.size))


_VALUES: dict[str, Callable[[Environment, str, int], Value]] = {
    "option": lambda env, name, place: env.options[name].value,
    "players": lambda env, name, place: env.players,
    "deck": lambda env, name, place: tuple(range(len(env.cards))),
    "card": _find_card,
    "cards": lambda env, name, place: find_copies(env, name),
    "teams": lambda env, name, place: tuple(range(count_teams(env))),
    "team": lambda env, name, place: env.teams,
    "members": lambda env, name, place: tuple(list_members_of(env, team) for team in range(count_teams(env))),
    "mates": lambda env, name, place: tuple(list_members_of(env, team) for team in env.teams),
    "firsts": lambda env, name, place: tuple(list_members_of(env, team)[0] for team in range(count_teams(env))),
    "partners": _list_partners,
    "numbers": lambda env, name, place: tuple(range(count_members(env.zone_list[env.zones[name]].of))),
    "column": lambda env, name, place: env.kind_columns[name][list(env.declared.kinds)[place]].value,
    "index": _list_indices,
    "piles": _list_piles,
}

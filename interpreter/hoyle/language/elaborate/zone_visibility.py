"""Visibility of zones: constant, or conditional on public information.

In: declarations of zones, once definitions are known. Out: zones with their visibility. A condition is evaluated
separately for each member of a family, so it becomes a definition with the family's indices as parameters.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from hoyle.base.source import Span
from hoyle.language.declare.declarations import ZoneDecl
from hoyle.language.elaborate.constants import fixed_number
from hoyle.language.elaborate.definitions import Definitions
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import constant, truth_of
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.typing_rules import is_unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.declared import Visibility
from hoyle.program.ir.layout import find_owning, list_members, list_owners
from hoyle.program.ir.types import TRUTH, enum
from hoyle.program.ir.visibility import SHOWS

VISIBLE = tuple(SHOWS)
KIND = enum("who sees a zone")


def fill_visibility(elaborator: Elaborator, definitions: Definitions) -> None:
    """Elaborate the visibility of each zone."""
    env = elaborator.env
    env.enums[KIND.name] = ir.Enum(name=KIND.name, values=VISIBLE, shorts=VISIBLE)
    env.seeing = True
    for zone in env.declared.zones.values():
        _Reading(elaborator, definitions, zone).read()
    env.seeing = False
    del env.enums[KIND.name]


def check_others(env: Environment) -> None:
    """Report zones shown to others at a table where there are none."""
    for zone in env.zone_list:
        if find_owning(zone.of) is None or not any(SHOWS[each].others for each in (zone.shows, *_shown_when(zone))):
            continue
        players = env.players
        if any(len(list_owners(zone.of, values, env.teams)) == players for values in list_members(zone.of)):
            env.report.error(
                "shown-to-nobody",
                f"with {players} player{'s' if players > 1 else ''} `{zone.name}` has no others who could see its "
                "cards",
                env.declared.zones[zone.name].shows.span,
                hint="say `nothing` if that is meant, or let more people play",
            )


def _shown_when(zone: ir.Zone) -> list[Visibility]:
    return [case.shows for case in zone.cases]


class _Reading:
    """Elaborates the visibility of one zone."""

    def __init__(self, elaborator: Elaborator, definitions: Definitions, decl: ZoneDecl) -> None:
        self.elaborator, self.definitions, self.decl = elaborator, definitions, decl
        self.env: Environment = elaborator.env
        self.zone = self.env.zone_list[self.env.zones[decl.name]]

    def read(self) -> None:
        cases: list[ir.ShownWhen] = []
        rest = _bare(self.decl.shows)
        while isinstance(rest, ast.Choice):
            condition = self._condition(rest.test)
            known = truth_of(condition)
            if known is None and not is_unknown(condition.type):
                cases.append(ir.ShownWhen(when=condition, shows=self._word(rest.yes)))
            rest = _bare(rest.yes if known else rest.no)
        done = replace(self.zone, shows=self._word(rest), cases=tuple(cases))
        self.env.zone_list[self.env.zones[self.decl.name]] = done

    def _word(self, node: ast.Expr) -> Visibility:
        visible: dict[str, ir.Expr] = {name: constant(index, KIND, name) for index, name in enumerate(VISIBLE)}
        number = fixed_number(self.elaborator, node, KIND, f"who sees `{self.decl.name}`", Scope(Frame(), visible))
        shows = cast(Visibility, VISIBLE[number]) if number is not None else "nothing"
        if SHOWS[shows].owner or SHOWS[shows].others:
            self._check_owner(shows, node.span)
        return shows

    def _check_owner(self, shows: str, span: Span) -> None:
        """Report visibility by owner for zones without one, and visibility to others where there are none."""
        name, of = self.decl.name, self.zone.of
        if find_owning(of) is None:
            self.env.report.error(
                "no-owner",
                f"`{name}` belongs to nobody, so no owner can see it"
                if shows == "owner"
                else f"`{name}` belongs to nobody, so there is no owner who does not see it",
                span,
                hint="add `of: seat` or `of: team`, or say `nothing`, `last_holder`, `top_card` or `all`",
            )

    def _condition(self, node: ast.Expr) -> ir.Expr:
        """The condition as a call of a definition over the indices of the zone."""
        frame = Frame()
        scope = Scope(frame, where="definition")
        params: list[ir.Var] = []
        for dimension in self.zone.of:
            scope, var = scope.variable(dimension.name, dimension.type)
            params.append(var)
        test = self.elaborator.truth(node, scope)
        if truth_of(test) is not None or is_unknown(test.type):
            return test
        names = tuple(ir.Local(name=var.name, type=var.type) for var in params)
        number = self.definitions.add(f"{self.decl.name}.shows", names, test, frame, self.zone.clause)
        return ir.Call(type=TRUTH, definition=number, args=tuple(params), text=written(node))


def _bare(node: ast.Expr) -> ast.Expr:
    return _bare(node.body) if isinstance(node, ast.Group) else node

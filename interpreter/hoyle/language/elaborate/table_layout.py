"""The layout of the table, checked against the declarations.

In: the declaration of the section `table:`. Out: `TableLooks`, and the frame size of its counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.base.diagnostics.report import Label, respell
from hoyle.language.declare.declarations import CountDecl, ZoneLookDecl
from hoyle.language.declare.usage import names_in
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, SEAT, maybe


def read_looks(elaborator: Elaborator) -> tuple[ir.TableLooks | None, int]:
    """The declared layout, if there is one."""
    env = elaborator.env
    decl = env.declared.table
    if decl is None:
        return None, 1
    frames: list[Frame] = []
    zones = tuple(look for each in decl.zones if (look := _look(env, each)) is not None)
    counts = tuple(_count(elaborator, each, frames) for each in decl.counts)
    states = decl.states if decl.states is not None else ()
    known = tuple(word.id for word in states if _is_known(env, word, env.states, "states"))
    looks = ir.TableLooks(zones=zones, counts=counts, states=known if decl.states is not None else None)
    return looks, max((frame.size for frame in frames), default=1)


def _look(env: Environment, decl: ZoneLookDecl) -> ir.ZoneLook | None:
    sort = decl.sort or ()
    if not _is_known(env, decl.zone, env.zones, "zones"):
        return None
    attributes = tuple(
        (f"-{key.attribute.id}" if key.highest else key.attribute.id)
        for key in sort
        if _is_known(env, key.attribute, env.attributes, "attributes")
    )
    zone = env.zone_list[env.zones[decl.zone.id]]
    if decl.at == "away":
        _check_away(env, decl.zone)
    return ir.ZoneLook(
        zone=env.zones[decl.zone.id],
        at=decl.at,
        form=decl.form,
        sort=None if decl.sort is None else attributes,
        under=_find_above(env, zone, decl.under) if decl.under is not None else None,
        marks=tuple(env.states[word.id] for word in decl.marks if _is_mark(env, zone, word)),
        places=decl.places,
    )


def _check_away(env: Environment, zone: ast.Word) -> None:
    """Report a zone from which players choose cards, but which is not shown to them."""
    for action in env.declared.actions.values():
        for pick in action.picks:
            source = pick.pick.source if pick.pick is not None else None
            if ("word", zone.id) in set(names_in(source)):
                env.report.error(
                    "unknown-look",
                    f"`{zone.id}` is not on the table, but players choose from it: `{pick.name.id}` of `{action.name}`",
                    zone.span,
                    others=(Label(pick.line.span, "chosen from it"),),
                    hint="`at: side` is the place for what matters little; `away` is neither shown nor told of",
                )
                return


def _find_above(env: Environment, zone: ir.Zone, word: ast.Word) -> int | None:
    """The zone under which another is placed: of the same family, so that members correspond."""
    if not _is_known(env, word, env.zones, "zones"):
        return None
    above = env.zone_list[env.zones[word.id]]
    if above.of == zone.of and above.name != zone.name and not above.many and not zone.many:
        return env.zones[word.id]
    env.report.error(
        "unknown-look",
        f"`{zone.name}` cannot lie under `{above.name}`",
        word.span,
        hint=("a zone lies under another that there is for each of the same",),
    )
    return None


def _is_mark(env: Environment, zone: ir.Zone, word: ast.Word) -> bool:
    """Whether a state is indexed by positions in a zone: by the zone's dimensions, and then a numeric kind."""
    if not _is_known(env, word, env.states, "states"):
        return False
    state = env.state_list[env.states[word.id]]
    if state.of[:-1] == zone.of and state.of and state.of[-1].kind == "number" and not zone.many:
        return True
    env.report.error(
        "unknown-look",
        f"`{word.id}` is not kept for each place of `{zone.name}`",
        word.span,
        hint=(f"it is `of` what `{zone.name}` is of, and last of a kind of numbers: the places, counted from the top",),
    )
    return False


def _count(elaborator: Elaborator, decl: CountDecl, frames: list[Frame]) -> ir.TableCount:
    frames.append(Frame())
    scope = Scope(frames[-1], where="definition")
    if decl.of_seat:
        scope, _ = scope.variable("seat", SEAT)
    value = elaborator.typed(decl.value, scope, maybe(NUMBER), "what is counted")
    clause = elaborator.env.clause(decl.line)
    return ir.TableCount(label=decl.label, owner="seat" if decl.of_seat else "", value=value, clause=clause)


def _is_known(env: Environment, word: ast.Word, known: Iterable[str], what: str) -> bool:
    names = list(known)
    if word.id in names:
        return True
    home = env.declared.line.span.source if env.declared.line else None
    if word.span.source is home:  # a parent may refer to what a variant removes
        listed = ", ".join(f"`{one}`" for one in names[:12])
        env.report.error(
            "unknown-look",
            f"there is no `{word.id}` among the {what} that could be shown",
            word.span,
            hint=(f"there are {listed}",) if names else (),
            fix=respell(word.span, word.id, names),
        )
    return False

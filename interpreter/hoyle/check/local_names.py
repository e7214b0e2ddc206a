"""New local names: what they may be called, and what they run over when no list is named.

In: the word that is bound, and the scope. Out: the list it runs over; names that are taken are reported.
"""

from __future__ import annotations

from hoyle.check.folding import apply, constant
from hoyle.check.naming import CONSTANTS
from hoyle.check.places import each_zone
from hoyle.check.scope import Scope
from hoyle.check.typing_rules import unknown
from hoyle.check.wording import renamed
from hoyle.check.world import TYPE_WORDS, World
from hoyle.diagnostics.report import Label
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEATS, enum, list_of
from hoyle.syntax import ast
from hoyle.words import WORDS


def check_free(world: World, word: ast.Word, scope: Scope) -> None:
    """A new local name may not hide another (S33)."""
    name = word.id
    if name in scope.names:
        hint = "use another name" if name != "seat" else "use another name: `for each rival in seats`"
        world.report.error("name-taken", f"`{name}` already stands for something here", word.span, hint=hint)
        return
    known = renamed(word)
    declared = (
        known in world.options
        or known in world.states
        or known in world.zones
        or known in world.definitions
        or known in world.card_names
        or known in CONSTANTS
        or (known in WORDS and WORDS[known].spoken)
    )
    if known in TYPE_WORDS and known not in world.zones:
        return
    if declared:
        place = world.place_of(known)
        world.report.error(
            "name-taken",
            f"`{name}` is already the name of something else",
            word.span,
            others=(Label(place, "declared here"),) if place else (),
            hint="use another name",
        )


def find_domain(world: World, word: ast.Word, scope: Scope) -> ir.Expr:
    """What `for each X` or `some X` runs over when no list is named."""
    name = renamed(word)
    if name == "seat":
        return apply("seats", (), SEATS, "seats")
    if name in world.zones and world.zone_list[world.zones[name]].owner:
        return each_zone(world, word, scope)
    if name in world.enums and (name in world.attributes or name in world.declared.kinds):
        return all_values(world, name)
    near = "hand" if name == "card" else None
    world.report.error(
        "no-domain",
        f"`{name}` of what? it does not say what it runs over",
        word.span,
        hint=f"name a list: `{name} in {near or '…'}`",
    )
    return unknown()


def all_values(world: World, name: str) -> ir.Expr:
    """The values of an enumeration, in order."""
    kind = enum(name)
    return constant(tuple(range(len(world.enums[name].values))), list_of(kind), f"any {name}")

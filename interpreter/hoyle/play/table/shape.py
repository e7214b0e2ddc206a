"""The shape of the rules: what places on the table are for, told from the moves between them.

In: a program. Out: the zones to which the seats play in turn and which are then taken whole, as in tricks; what is
named with a card that is played to a pile; what stands as an offer; whether all win or lose together.
"""

from __future__ import annotations

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import Deal, Move, SetState
from hoyle.program.ir.walk import list_variables, walk


def find_rings(program: ir.Program) -> dict[int, frozenset[int]]:
    """Map each zone of tricks to the zones that its cards are taken to: it lies open and belongs to nobody, cards come
    to it from hands by choices alone, and they leave it all together, to a zone of whoever takes them."""
    found: dict[int, frozenset[int]] = {}
    moves = [each for block in program.blocks for each in block.instructions if isinstance(each, Move)]
    dealt = {number for block in program.blocks for each in block.instructions if isinstance(each, Deal)
             for number in _list_zones(each.targets)}  # fmt: skip
    for number, zone in enumerate(program.zones):
        if zone.of or zone.many or zone.shows != "all" or number in dealt:
            continue
        comes = [each for each in moves if _find_zone(each.zone) == number]
        leaves = [each for each in moves if number in _list_zones(each.cards)]
        taken = [_find_zone(each.zone) for each in leaves if _is_whole(each.cards)]
        if not comes or not leaves or len(taken) < len(leaves) or not all(_is_played(program, each) for each in comes):
            continue
        owned = {at for at in taken if at is not None and program.zones[at].of}
        if owned and all(at in owned or at is not None for at in taken):
            found[number] = frozenset(owned)
    return found


def find_named(program: ir.Program) -> dict[int, int]:
    """Map each state that a player names with the card he plays to the shared zone to which the card goes: an action
    moves cards there and sets the state to what was picked, such as a suit."""
    found: dict[int, int] = {}
    done = [each for block in program.blocks for each in block.instructions]
    piles = {
        _find_action(program, each.clause): zone
        for each in done
        if isinstance(each, Move) and (zone := _find_zone(each.zone)) is not None and not program.zones[zone].of
    }
    for each in done:
        if not isinstance(each, SetState) or not isinstance(each.value, ir.Slot):
            continue
        action = _find_action(program, each.clause)
        if action and action in piles and each.value.type.kind not in ("seat", "card"):
            found[each.state] = piles[action]
    return found


def find_offered(program: ir.Program) -> dict[int, int]:
    """Map each state that is a term of an offer to the state that names the seat which makes it: an action sets both
    to what was picked and to whoever takes it, and another action comes back to that seat, as whoever accepts does."""
    found: dict[int, int] = {}
    by_action: dict[str, list[SetState]] = {}
    for each in (each for block in program.blocks for each in block.instructions):
        if isinstance(each, SetState) and each.value is not None and (action := _find_action(program, each.clause)):
            by_action.setdefault(action, []).append(each)
    for action, done in by_action.items():
        others = [each for other, those in by_action.items() if other != action for each in those]
        answered = {part.state for each in others for part in walk(each.value) if isinstance(part, ir.StateRef)}
        slots = [(each.state, each.value.type.kind) for each in done if isinstance(each.value, ir.Slot)]
        makers = [state for state, kind in slots if kind == "seat" and state in answered]
        if makers:
            found |= {state: makers[0] for state, kind in slots if kind != "seat"}
    return found


def _find_action(program: ir.Program, clause: int) -> str:
    """The action that a clause is part of, if any."""
    parts = program.clauses[clause].path.split(".")
    return parts[1] if parts[0] == "actions" else ""


def is_cooperative(program: ir.Program) -> bool:
    """Whether all win together or nobody does: what selects the winners is not about any one of them."""
    those: ir.Expr = program.winners
    while isinstance(those, ir.Named):
        those = those.body
    if program.players < 2 or not isinstance(those, ir.Those) or those.where is None or those.orders:
        return False
    return those.value is None and those.var not in list_variables(those.where)


def _is_played(program: ir.Program, move: Move) -> bool:
    """Whether an action moves a single card that its player picked."""
    picked = isinstance(move.cards, ir.Apply) and len(move.cards.args) == 1 and isinstance(move.cards.args[0], ir.Slot)
    return picked and program.clauses[move.clause].path.startswith("actions.")


def _is_whole(cards: ir.Expr) -> bool:
    return isinstance(cards, ir.Apply) and len(cards.args) == 1 and isinstance(cards.args[0], ir.ZoneRef)


def _find_zone(expr: ir.Expr) -> int | None:
    return expr.zone if isinstance(expr, ir.ZoneRef) else None


def _list_zones(expr: ir.Expr) -> set[int]:
    return {each.zone for each in walk(expr) if isinstance(each, ir.ZoneRef)}

"""Groups that players choose from, in generated code: one function for each condition, which keeps what it has found.

In: tests of a group as it is put together and when it is complete. Out: as much of them as follows from the cards
alone, whatever their order; a function that lists the groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hoyle.engine.generate.facts import Facts, free_vars, substitute
from hoyle.engine.generate.seen import find_seen
from hoyle.engine.generate.support import Stop
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import atom
from hoyle.engine.limits import MOST_CHOICES
from hoyle.ir import nodes as ir
from hoyle.ir.types import TRUTH
from hoyle.model.surveys import MOST_SURVEYED, Cards, Surveyor, TooManyCards

ALWAYS = ir.Const(type=TRUTH, value=True)


def close(facts: Facts, test: ir.Expr, var: ir.Var, given: ir.Var) -> ir.Expr:
    """What a test of the group `var` says of its cards alone, said of `given`; what else it asks is taken to hold."""
    if isinstance(test, ir.Logic) and test.op in ("and", "or"):
        parts = [close(facts, part, var, given) for part in test.parts]
        if test.op == "or" and ALWAYS in parts:
            return ALWAYS
        parts = [part for part in parts if part != ALWAYS]
        if len(parts) < 2:
            return parts[0] if parts else ALWAYS
        return ir.Logic(type=test.type, op=test.op, parts=tuple(parts))
    if free_vars(test) != {var.index} or facts.reads_position(test):
        return ALWAYS
    seen = find_seen(facts, test, [var])
    if seen is None or not seen.any_order:
        return ALWAYS
    known: dict[ir.Expr, ir.Expr] = {var: given}
    return substitute(test, known.get)


def make_find_groups(
    fits: Callable[[Cards], bool] | None, grows: Callable[[Cards], bool]
) -> Callable[[Sequence[int], int, int], Sequence[Cards]]:
    """What lists the groups of so many cards, by size and then by the places of their cards."""
    surveyor = Surveyor(grows if fits is None else fits, grows)

    def find_groups(cards: Sequence[int], least: int, most: int) -> Sequence[Cards]:
        if len(cards) > MOST_SURVEYED:
            return grow_groups(grows, cards, least, most)
        held = 0
        for card in cards:
            held |= 1 << card
        try:
            groups = surveyor.survey(held).groups
        except TooManyCards:
            return grow_groups(grows, cards, least, most)
        found = []
        for group in groups:
            if not group & ~held and least <= (size := group.bit_count()) <= most:
                found.append((size, [place for place, card in enumerate(cards) if group >> card & 1]))
        found.sort()
        return [tuple([cards[place] for place in places]) for _, places in found]

    return find_groups


def grow_groups(grows: Callable[[Cards], bool], cards: Sequence[int], least: int, most: int) -> list[Cards]:
    """The same, put together card by card."""
    found: list[Cards] = []
    level: list[tuple[Cards, int]] = [((), 0)]
    for size in range(1, min(most, len(cards)) + 1):
        level = [
            (made, place + 1)
            for group, start in level
            for place in range(start, len(cards))
            if grows(made := (*group, cards[place]))
        ]
        if len(level) > MOST_CHOICES:
            raise Stop
        if size >= least:
            found += [group for group, _ in level]
    return found


def grow_groups_in_place(
    values: Values,
    var: ir.Var,
    elements: str,
    keys: str,
    bounds: tuple[str, str],
    keeps: tuple[ir.Expr, ...],
    inner: Callable[[], None],
) -> None:
    """Code that puts groups together card by card, without those that fail a test on the way."""
    writer = values.writer
    names = ("level", "size", "larger", "group", "last", "place", "made", "twins")
    level, size, larger, group, last, place, made, twins = (writer.fresh(name) for name in names)
    values.hoist(keeps, var.index)
    if keys != "None":
        writer.add(f"{twins} = find_twins({keys})")
    writer.add(f"{level} = [((), -1)]")
    writer.add(f"for {size} in range(min({bounds[1]}, len({elements})) + 1):")
    with values.scope(), writer.indented():
        writer.add(f"if {size}:")
        with values.scope(), writer.indented():
            writer.add(f"{larger} = []")
            writer.add(f"for {group}, {last} in {level}:")
            with writer.indented():
                writer.add(f"for {place} in range({last} + 1, len({elements})):")
                with values.scope(), writer.indented():
                    if keys != "None":
                        twin = f"{twins}[{place}]"
                        writer.add(f"if {twin} is not None and {elements}[{twin}] not in {group}:")
                        with writer.indented():
                            writer.add("continue")
                    writer.add(f"{made} = (*{group}, {elements}[{place}])")
                    values.names[var.index] = atom(made)
                    for test in keeps:
                        writer.add(f"if not ({values.test(test).text}):")
                        with writer.indented():
                            writer.add("continue")
                    writer.add(f"{larger}.append(({made}, {place}))")
            values.stop_if(f"len({larger}) > {MOST_CHOICES}")
            writer.add(f"{level} = {larger}")
        writer.add(f"if {size} >= {bounds[0]}:")
        with values.scope(), writer.indented():
            writer.add(f"for {made}, _ in {level}:")
            with values.scope(), writer.indented():
                values.names[var.index] = atom(made)
                inner()

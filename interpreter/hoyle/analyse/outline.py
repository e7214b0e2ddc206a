"""A program reduced to what the analyses read, so that equal outlines need be analysed only once.

In: a program. Out: its outline, without what varies with the number of players or the options and is read by no
analysis: sizes, initial values, cards, names and labels.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.ir import nodes as ir


def draw_outline(program: ir.Program) -> ir.Program:
    """The program as far as `find_leaks` and `find_unset` read it when they find nothing. The default of one team per
    seat is dropped: where teams matter, the table of teams occurs in the expressions."""
    own = program.teams != tuple(range(program.players))
    return replace(
        program,
        players=0,
        options={},
        enums=(),
        scales=(),
        cards=(),
        attributes=(),
        zones=tuple(replace(zone, base=0, size=0, of=_outline_all(zone.of)) for zone in program.zones),
        states=tuple(_outline_state(state) for state in program.states),
        teams=program.teams if own else (),
        labels=(),
        clauses=(),
        rules={},
    )


def _outline_state(state: ir.State) -> ir.State:
    start = None if state.start is None else 0
    return replace(
        state, base=0, size=0, of=_outline_all(state.of), start=start, low=None, high=None, debt=False, most=None
    )


def _outline_all(dimensions: tuple[ir.Dimension, ...]) -> tuple[ir.Dimension, ...]:
    return tuple(replace(one, low=0, size=0) for one in dimensions)

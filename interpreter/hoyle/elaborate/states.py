"""State and pots of an environment: what is remembered, of which type, and where it begins.

In: declarations of states and pots. Out: states with their place in a position.
"""

from __future__ import annotations

import re
from typing import Any

from hoyle.declare.declarations import StateDecl
from hoyle.diagnostics.report import did_you_mean
from hoyle.elaborate.constants import fixed
from hoyle.elaborate.elaborator import Elaborator
from hoyle.elaborate.environment import Environment, display
from hoyle.elaborate.families import read_family
from hoyle.elaborate.typing_rules import described
from hoyle.ir import nodes as ir
from hoyle.ir.layout import count_members, find_owning
from hoyle.ir.types import CARD, NUMBER, SEAT, TRUTH, ZONE, Type, certain, maybe
from hoyle.source import Span

MOST_STATES = 2_000


def fill_states(elaborator: Elaborator) -> None:
    env = elaborator.env
    base = 0
    if "dealer" not in env.declared.states:
        env.states["dealer"] = 0
        line = env.declared.line
        env.state_list.append(
            ir.State(
                name="dealer",
                of=(),
                base=0,
                size=1,
                type=SEAT,
                start=0,
                low=None,
                high=None,
                shows="all",
                lasts="match",
                clause=env.clause(line) if line else 0,
            )
        )
        base = 1
    for state in env.declared.states.values():
        base = _add_state(elaborator, state, base)


def _add_state(elaborator: Elaborator, state: StateDecl, base: int) -> int:
    env = elaborator.env
    kind, low, high = _state_type(env, state)
    start: Any = None
    if state.start is not None:
        start = fixed(elaborator, state.start, kind, f"the start of `{state.name}`")
        if start is not None and low is not None and high is not None and not low <= start <= high:
            env.report.error(
                "out-of-range",
                f"`{state.name}` starts at {start}, outside {low}..{high}",
                state.start.span,
                hint="let it start in its range, or widen the range",
            )
    elif kind == NUMBER:
        start = max(low, min(0, high)) if low is not None and high is not None else 0
    elif kind == TRUTH:
        start = False
    elif kind.kind == "list":
        start = ()
    elif kind.kind in ("enum", "number"):
        domain = env.domain_of(kind.name)
        first = display(env, domain[1][0], kind) if domain else "…"
        env.report.error(
            "no-start",
            f"the state `{state.name}` does not say what it is at first",
            state.line.span,
            hint=f"add `start: {first}`, or let it be `{kind} or none`",
        )
    of = read_family(env, state.of, f"state `{state.name}`", MOST_STATES)
    size = count_members(of)
    if state.shows == "owner" and find_owning(of) is None:
        env.report.error(
            "no-owner",
            f"`{state.name}` belongs to nobody, so no owner can see it",
            state.shows_at or state.line.span,
            hint="add `of: seat` or `of: team`, or say `nothing` or `all`",
        )
    env.states[state.name] = len(env.state_list)
    env.state_list.append(
        ir.State(
            name=state.name,
            of=of,
            base=base,
            size=size,
            type=kind,
            start=start,
            low=low,
            high=high,
            shows="owner" if state.shows == "owner" else "nothing" if state.shows == "nothing" else "all",
            lasts=state.lasts,
            clause=env.clause(state.line),
            quiet=state.quiet,
        )
    )
    return base + size


def _state_type(env: Environment, state: StateDecl) -> tuple[Type, int | None, int | None]:
    text = " ".join(state.type.text.split())
    plain = text.removesuffix(" or none")
    if plain in env.zones and env.zone_list[env.zones[plain]].many:
        return _pile_type(env, state, plain, text), None, None
    found = re.fullmatch(r"(-?\d{1,9}) ?\.\. ?(-?\d{1,9})", plain)
    if found:
        kind: Type | None = NUMBER
        low, high = int(found.group(1)), int(found.group(2))
        if low > high:
            env.report.error(
                "bad-range",
                f"the range of `{state.name}` begins at {low} and ends below it, at {high}",
                state.type,
                hint=f"did you mean `{high}..{low}`?",
            )
            low, high = high, low
    else:
        low = high = None  # type: ignore[assignment]  # only numbers have bounds
        kind = env.type_named(plain)
        if kind is not None and kind.kind == "number" and kind.name:
            low, high = env.scales[kind.name].low, env.scales[kind.name].high
    listed = kind.of if kind is not None and kind.kind == "list" else None
    if kind is None or kind.kind in ("zone", "text") or (listed is not None and certain(listed) not in (SEAT, CARD)):
        what = f"{described(kind)} cannot be kept in state" if kind is not None else f"no type is called `{plain}`"
        env.report.error(
            "unknown-type",
            what,
            Span(state.type.source, state.type.start, state.type.start + len(plain))
            if state.type.text.startswith(plain)
            else state.type,
            hint=did_you_mean(plain, [*env.enums, *env.scales, "number", "truth", "seat", "seats", "card"])
            or ("a state is a number, `0..31`, truth, seat, seats, card or an attribute, perhaps `or none`",),
        )
        kind = Type("unknown")
    return (maybe(kind) if text.endswith(" or none") else kind), low, high


def _pile_type(env: Environment, state: StateDecl, family: str, text: str) -> Type:
    """A state that names a pile of a family names nothing when the pile is gone."""
    env.used.add(f"zone:{family}")
    if text == family:
        env.report.error(
            "unknown-type",
            f"a pile of `{family}` can vanish, so the state `{state.name}` may be none",
            state.type,
            hint=f"write `{family} or none`",
        )
    return maybe(ZONE)


def fill_pots(elaborator: Elaborator) -> None:
    """The pots of an environment, after its states."""
    env = elaborator.env
    base = sum(state.size for state in env.state_list)
    for pot in env.declared.pots.values():
        start = fixed(elaborator, pot.start, NUMBER, f"the start of `{pot.name}`") if pot.start else 0
        debt = fixed(elaborator, pot.debt, TRUTH, f"whether `{pot.name}` may be in debt") if pot.debt else False
        if start is not None and start < 0 and not debt:
            env.report.error(
                "out-of-range",
                f"`{pot.name}` starts at {start}, but a pot holds nothing less than nothing",
                pot.start.span if pot.start else pot.line.span,
                hint="let it start at 0 or more, or say `debt: true`",
            )
        of = read_family(env, pot.of, f"pot `{pot.name}`", MOST_STATES)
        size = count_members(of)
        env.states[pot.name] = len(env.state_list)
        env.state_list.append(
            ir.State(
                name=pot.name,
                of=of,
                base=base,
                size=size,
                type=NUMBER,
                start=start or 0,
                low=None if debt else 0,
                high=None,
                shows="all",
                lasts="match",
                clause=env.clause(pot.line),
                pot=True,
                debt=bool(debt),
            )
        )
        base += size

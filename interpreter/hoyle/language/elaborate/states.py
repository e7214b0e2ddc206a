"""States and pots of an environment: types, bounds and initial values.

In: declarations of states and pots. Out: states with their index in the position.
"""

from __future__ import annotations

import re
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Fix
from hoyle.base.diagnostics.spelling import near_names
from hoyle.base.source import Span
from hoyle.language.declare.declarations import PotDecl, StateDecl
from hoyle.language.elaborate.constants import fixed, fixed_number
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment, display
from hoyle.language.elaborate.families import read_family
from hoyle.language.elaborate.giving import count_teams
from hoyle.language.elaborate.typing_rules import described
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.declared import Dimension
from hoyle.program.ir.layout import count_members, find_owning
from hoyle.program.ir.types import CARD, NUMBER, SEAT, TRUTH, ZONE, Type, certain, list_of, maybe
from hoyle.program.model.runtime_values import Value

MOST_STATES = 2_000
MOST_LISTED = 1_000
_LIST = re.compile(r"list +of +")
KEPT_TYPES = ("number", "truth", "seat", "team", "seats", "card", "cards")
SAID_TYPES = {
    "player": "seat", "players": "seats", "boolean": "truth", "bool": "truth", "flag": "truth", "yes/no": "truth",
    "true/false": "truth", "integer": "number", "int": "number", "numbers": "number", "count": "number",
}  # fmt: skip


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
    most = _read_most(elaborator, state, kind)
    start = _read_start(elaborator, state, kind, Bounds(low, high, most))
    of = read_family(env, state.of, f"state `{state.name}`", MOST_STATES)
    if any(word.name in env.zones for word in state.of):
        env.reported.add(state.name)  # its dimensions are unknown, so uses cannot be checked
    size = count_members(of)
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
            shows=_who_sees(env, state, of),
            lasts=state.lasts,
            clause=env.clause(state.line),
            quiet=state.quiet,
            most=most,
        )
    )
    return base + size


def _who_sees(
    env: Environment, kept: StateDecl | PotDecl, of: tuple[Dimension, ...]
) -> Literal["owner", "all", "nothing"]:
    """Who sees a state, or what a pot holds."""
    if kept.shows == "owner" and find_owning(of) is None:
        env.report.error(
            "no-owner",
            f"`{kept.name}` belongs to nobody, so no owner can see it",
            kept.shows_at or kept.line.span,
            hint="add `of: seat` or `of: team`, or say `nothing` or `all`",
        )
    return "owner" if kept.shows == "owner" else "nothing" if kept.shows == "nothing" else "all"


def _read_start(elaborator: Elaborator, state: StateDecl, kind: Type, bounds: Bounds) -> Value:
    """The initial value of a state."""
    env = elaborator.env
    if state.start is not None:
        start = fixed(elaborator, state.start, kind, f"the start of `{state.name}`")
        if not bounds.allow(start):
            env.report.error(
                "out-of-range",
                f"`{state.name}` starts at {display(env, start, kind)}, outside {bounds}",
                state.start.span,
                hint="let it start in its range, or widen the range",
            )
        return start
    if kind == NUMBER:
        low, high = bounds.low, bounds.high
        return max(low, min(0, high)) if low is not None and high is not None else 0
    if kind == TRUTH:
        return False
    if kind.kind == "list":
        return ()
    if kind.kind in ("enum", "number", "team"):
        env.report.error(
            "no-start",
            f"the state `{state.name}` does not say what it is at first",
            state.line.span,
            hint="it begins with one of its values, or as none",
            fix=_begin(env, state, kind),
        )
    return None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The admissible values of a state: a range of numbers, a maximal length of lists."""

    low: int | None
    high: int | None
    most: int | None

    def allow(self, value: object) -> bool:
        if isinstance(value, tuple):
            return (self.most is None or len(value) <= self.most) and all(self.allow(part) for part in value)
        if self.low is None or self.high is None or not isinstance(value, int):
            return True
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}" if self.most is None else f"lists of at most {self.most}"


def _read_most(elaborator: Elaborator, state: StateDecl, kind: Type) -> int | None:
    """The maximal length of a list: declared, or the number of seats, teams or cards."""
    env = elaborator.env
    ordered = _LIST.match(state.type.text.strip()) is not None
    if state.most is not None and not ordered:
        env.report.error(
            "bad-value",
            f"`most` says how long a list may become; `{state.name}` is no list",
            state.most.span,
            hint="write `type: list of …`, or leave `most:` out",
        )
    if not ordered or kind.of is None:
        return None
    if state.most is None:
        natural = {"seat": env.players, "team": count_teams(env), "card": len(env.cards)}.get(kind.of.kind)
        if natural is None:
            env.report.error(
                "no-bound",
                f"the list `{state.name}` does not say how long it may become",
                state.type,
                hint="add `most:`, for example `most: 20`",
            )
        return natural or 0
    most = fixed_number(elaborator, state.most, NUMBER, f"how long `{state.name}` may become")
    if most is not None and not 1 <= most <= MOST_LISTED:
        env.report.error(
            "out-of-range",
            f"`{state.name}` would be a list of up to {most}; it can be of 1 to {MOST_LISTED:,}",
            state.most.span,
            hint="say how many there can be at the most",
        )
    return most or 0


def _state_type(env: Environment, state: StateDecl) -> tuple[Type, int | None, int | None]:
    """The type of a state, and the bounds of its numbers."""
    text = " ".join(state.type.text.split())
    plain = text.removesuffix(" or none")
    listed = _LIST.match(plain)
    if listed:
        plain = plain[listed.end() :]
    if plain in env.zones and env.zone_list[env.zones[plain]].many:
        return _pile_type(env, state, plain, text), None, None
    kind, low, high = _element_type(env, state, plain)
    known = kind is not None and (kind.kind not in ("zone", "text", "line") and (kind.kind != "list" or not listed))
    sets = kind is not None and kind.kind == "list" and kind.of is not None and certain(kind.of) not in (SEAT, CARD)
    if kind is None or not known or sets or (listed and text.endswith(" or none")):
        _report_type(env, state, plain, kind, listed is not None)
        return Type("unknown"), low, high
    if listed:
        return list_of(kind), low, high
    return (maybe(kind) if text.endswith(" or none") else kind), low, high


def _report_type(env: Environment, state: StateDecl, plain: str, kind: Type | None, listed: bool) -> None:
    what = f"{described(kind)} cannot be kept in state" if kind is not None else f"no type is called `{plain}`"
    hint = ""
    fixes = _mend_type(env, state, " ".join(state.type.text.split())) if kind is None else []
    singular = plain.removesuffix("s")
    plural = listed and singular != plain and env.type_named(singular) is not None
    if listed and kind is not None and kind.kind not in ("zone", "text", "line", "list"):
        what, hint = "a list is never none: one that holds nothing is `empty`", "leave `or none` out"
        fixes = [Fix(state.type, state.type.text.removesuffix(" or none"))]
        plain = f"{plain} or none"
    elif listed and kind is not None and kind.kind != "list":
        what = f"a list in state cannot hold {described(kind)}"
    elif kind is not None and kind.kind == "list" and kind.of is not None:
        hint = f"in order, and with a bound, it is a list: `type: list of {certain(kind.of)}` and `most: …`"
        fixes = [Fix(state.type, str(certain(kind.of)), sure=False)]
    if plural:
        what = f"a list is `of` one kind of thing, not of `{plain}`"
        both = env.type_named(plain) is not None  # the plural is a set, `list of` an ordered list with duplicates
        fixes = [Fix(state.type, f"list of {singular}", sure=not both)]
        fixes += [Fix(state.type, plain, sure=False)] if both else []
    at = state.type.text.find(plain)
    env.report.error(
        "unknown-type",
        what,
        Span(state.type.source, state.type.start + at, state.type.start + at + len(plain)) if at >= 0 else state.type,
        hint=hint
        or "a state is a number, `0..31`, truth, seat, team, seats, card, cards, or a value of an attribute or kind, "
        "perhaps `or none`; or a list of one of them",
        fix=fixes,
    )


def _element_type(env: Environment, state: StateDecl, plain: str) -> tuple[Type | None, int | None, int | None]:
    """The type denoted by a text, and the bounds of a number."""
    found = re.fullmatch(r"(-?\d{1,9}) ?\.\. ?(-?\d{1,9})", plain)
    if found is None:
        kind = env.type_named(plain)
        scale = env.scales.get(kind.name) if kind is not None and kind.kind == "number" else None
        return kind, scale.low if scale else None, scale.high if scale else None
    low, high = int(found.group(1)), int(found.group(2))
    if low > high:
        env.report.error(
            "bad-range",
            f"the range of `{state.name}` begins at {low} and ends below it, at {high}",
            state.type,
            fix=Fix(state.type, state.type.text.replace(plain, f"{high}..{low}"), sure=False),
        )
        low, high = high, low
    return NUMBER, low, high


def _begin(env: Environment, state: StateDecl, kind: Type) -> list[Fix]:
    """Fixes for a missing initial value: the first value of the type, or none."""
    text, end = state.type.source.text, state.type.end
    line = text[text.rfind("\n", 0, end) + 1 : end]
    if "{" not in line:
        return [Fix(state.type, f"{kind} or none", sure=False)]
    domain = env.domain_of(kind.name)
    starts = (f"{kind}, start: {display(env, domain[1][0], kind)}",) if domain else ()
    return [Fix(state.type, said, sure=False) for said in (*starts, f"{kind} or none")]


def _mend_type(env: Environment, state: StateDecl, text: str) -> list[Fix]:
    """Fixes for an unknown type: another word for it, or a range."""
    text = " ".join(text.split())
    none = " or none" if re.search(r"\bor (?:none|nobody|nothing|null)\Z", text) else ""
    plain = re.sub(r" or (?:none|nobody|nothing|null)\Z", "", text)
    begun = re.fullmatch(r"(.+?),? ?(?:=|:=|start:?) ?([\w-]+)", plain)  # `boolean = false`: a type, and how it begins
    if begun:
        kind = SAID_TYPES.get(begun[1], begun[1])
        as_usual = begun[2] in ("false", "0", "none") and kind in ("truth", "number")
        return [Fix(state.type, kind if as_usual else f"{{type: {kind}, start: {begun[2]}}}")]
    listed = "list of " if _LIST.match(plain) else ""
    plain = re.sub(r"\A(?:an?|the|list of|set of|number) +", "", plain)
    found: list[tuple[str, bool]] = []
    range_ = re.fullmatch(r"(\d+) ?(?:\.{1,3}|-|\u2013|to) ?(\d+)", plain)
    if range_:
        found.append((f"{range_[1]}..{range_[2]}", True))
    if plain in SAID_TYPES:
        found.append((SAID_TYPES[plain], True))
    found += near_names(plain, [*env.enums, *env.scales, *KEPT_TYPES])
    return [Fix(state.type, listed + kind + none, sure) for kind, sure in found]


def _pile_type(env: Environment, state: StateDecl, family: str, text: str) -> Type:
    """The type of a state that refers to a pile: none once the pile is gone."""
    if text == family:
        env.report.error(
            "unknown-type",
            f"a pile of `{family}` can vanish, so the state `{state.name}` may be none",
            state.type,
            fix=Fix(state.type, f"{family} or none"),
        )
    return maybe(ZONE)


def fill_pots(elaborator: Elaborator) -> None:
    """Add the pots to an environment, after its states."""
    env = elaborator.env
    base = sum(state.size for state in env.state_list)
    for pot in env.declared.pots.values():
        start = fixed_number(elaborator, pot.start, NUMBER, f"the start of `{pot.name}`") if pot.start else 0
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
                shows=_who_sees(env, pot, of),
                lasts="match",
                clause=env.clause(pot.line),
                pot=True,
                debt=bool(debt),
            )
        )
        base += size

"""Formats the results of an arena as text or as data.

In: an `Arena`. Out: lines of text, or data for JSON.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from hoyle.base.columns import fold_table, wrap_line
from hoyle.lab.arena.rating import Arena, Pairing
from hoyle.lab.sim.intervals import Interval


def describe_arena(arena: Arena, bots: Sequence[str], width: int | None = None) -> list[str]:
    """Format ratings, then every pair, in lines of at most some width."""
    if not arena.matches:
        return ["no match was played to its end"]
    lines = [*wrap_line(f"{arena.matches:,} matches, {arena.length:.0f} decisions each on average", width), ""]
    rows: list[tuple[str, ...]] = [("bot", "rating", "95 %", "wins", "matches", "a move")]
    for each in arena.ratings:
        rows.append(
            (each.bot, f"{each.rating:.0f}", _say_interval(each.interval), f"{each.share:.1%}", str(each.matches),
             _say_time(each.seconds))
        )  # fmt: skip
    lines += [*fold_table(rows, width), ""]
    by_points = any(pairing.margin is not None for pairing in arena.pairings)
    rows = [("pair", "first wins", "95 %", "matches", *(("ahead by", "95 %") if by_points else ()))]
    for pairing in arena.pairings:
        one, other = (bots[who] for who in pairing.pair)
        low, high = pairing.interval
        row = (f"{one} : {other}", f"{pairing.share:.1%}", f"{low:.1%} to {high:.1%}", str(pairing.matches))
        rows.append((*row, *_say_margin(pairing)) if by_points else row)
    lines += fold_table(rows, width)
    if arena.problems:
        stopped = "match was" if len(arena.problems) == 1 else "matches were"
        lines += ["", f"{len(arena.problems)} {stopped} stopped; the first: {arena.problems[0]}"]
    return lines


def arena_data(arena: Arena, bots: Sequence[str]) -> dict[str, object]:
    """Convert the results to plain data."""
    return {
        "matches": arena.matches,
        "decisions": arena.length,
        "ratings": [
            {
                "bot": each.bot,
                "rating": each.rating,
                "interval": [None if math.isinf(bound) else bound for bound in each.interval],
                "share": each.share,
                "matches": each.matches,
                "seconds_a_move": each.seconds,
            }
            for each in arena.ratings
        ],
        "pairs": [
            {
                "bots": [bots[who] for who in pairing.pair],
                "share": pairing.share,
                "interval": list(pairing.interval),
                "matches": pairing.matches,
                "margin": pairing.margin,
                "margin_interval": None if pairing.margin_interval is None else list(pairing.margin_interval),
            }
            for pairing in arena.pairings
        ],
        "problems": list(arena.problems),
    }


def _say_interval(interval: Interval) -> str:
    return "unknown" if math.isinf(interval[0]) else f"{interval[0]:.0f} to {interval[1]:.0f}"


def _say_margin(pairing: Pairing) -> tuple[str, str]:
    interval = pairing.margin_interval
    mean = "" if pairing.margin is None else f"{pairing.margin:+.1f}"
    return mean, "unknown" if interval is None else f"{interval[0]:+.1f} to {interval[1]:+.1f}"


def _say_time(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"

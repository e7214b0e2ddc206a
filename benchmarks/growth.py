"""Scaling benchmark: the time per decision as a function of hand size, number of seats and deck size.

In: the rule file beside this module, at many sizes. Out: curves, as a table and as a plot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hoyle
from benchmarks.measure import take_sample
from benchmarks.table import write_rows

RULES = Path(__file__).parent / "growth.game.yaml"


@dataclass(frozen=True, slots=True)
class Point:
    """A measured point: the size, microseconds per decision, and the mean number of choices."""

    size: int
    microseconds: float
    offered: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The measurements for one varied size, all others fixed."""

    name: str
    points: tuple[Point, ...]

    @property
    def exponents(self) -> list[float]:
        """Local scaling exponents between adjacent points: 1 is linear, 2 quadratic."""
        return [
            math.log(b.microseconds / a.microseconds) / math.log(b.size / a.size)
            for a, b in zip(self.points, self.points[1:], strict=False)
        ]

    def data(self) -> dict[str, Any]:
        points = [{"size": p.size, "microseconds": p.microseconds, "offered": p.offered} for p in self.points]
        return {"name": self.name, "points": points, "exponents": self.exponents}


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes of a curve, and the function from a size to players and options."""

    name: str
    sizes: tuple[int, ...]
    table: Callable[[int], tuple[int, dict[str, int | bool]]]


PLANS = (
    Plan("cards in hand, one played at a time", (4, 8, 16, 32, 64), lambda n: (2, {"hand_size": n})),
    Plan("cards in hand, two played at a time", (4, 8, 16, 32, 64), lambda n: (2, {"hand_size": n, "at_once": 2})),
    Plan("cards in hand, sets counted", (4, 6, 8, 10, 12), lambda n: (2, {"hand_size": n, "counted": True})),
    Plan("seats", (2, 4, 8, 16), lambda n: (n, {})),
    Plan("cards in the deck", (52, 104, 208, 416, 832, 1664), lambda n: (2, {"packs": n // 52})),
)


def measure_growth(seconds: float, tell: Callable[[str], None]) -> list[Curve]:
    """Measure all curves with generated code."""
    curves = []
    for plan in PLANS:
        tell(plan.name)
        curves.append(Curve(plan.name, tuple(_measure(plan, size, seconds) for size in plan.sizes)))
    return curves


def _measure(plan: Plan, size: int, seconds: float) -> Point:
    players, options = plan.table(size)
    game = hoyle.load(RULES, players, options, executor="generated")
    offered = decisions = 0

    def play(number: int) -> int:
        nonlocal offered, decisions
        result = game.playout(number)
        offered += result.offered
        decisions += result.decisions
        return result.decisions

    take_sample(play, seconds / 2)
    sample = take_sample(play, seconds, 1_000_000)
    return Point(size, 1e6 / sample.decisions_per_second, offered / decisions)


# ------------------------------------------------------------------------------------------------ text
def write_growth(curves: Sequence[Curve]) -> str:
    """Format a table of all points."""
    rows = [("made larger", "size", "µs a decision", "choices offered", "grows with the power")]
    for curve in curves:
        for place, point in enumerate(curve.points):
            power = f"{curve.exponents[place - 1]:.2f}" if place else ""
            name = curve.name if not place else ""
            rows.append((name, str(point.size), f"{point.microseconds:.2f}", f"{point.offered:.1f}", power))
    return "\n".join(write_rows(rows, right={1, 2, 3, 4}))


# ------------------------------------------------------------------------------------------------ plot
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 440, 70, 50, 20, 270
COLOURS = ("#1b6ca8", "#c0392b", "#8e44ad", "#1e8449", "#b9770e")


def write_plot(curves: Sequence[Curve]) -> str:
    """Plot all curves as SVG with logarithmic axes, where a slope of one is linear growth. Sizes are relative to the
    smallest of a curve."""
    most_right = max(curve.points[-1].size / curve.points[0].size for curve in curves)
    times = [point.microseconds for curve in curves for point in curve.points]
    low, high = 10 ** math.floor(math.log10(min(times))), 10 ** math.ceil(math.log10(max(times)))

    def x(factor: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(factor) / math.log(most_right)

    def y(time: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * math.log(time / low) / math.log(high / low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    factor = 1
    while factor <= most_right:
        parts.append(_line(x(factor), TOP, x(factor), HEIGHT - BOTTOM, "#dddddd"))
        parts.append(_text(x(factor), HEIGHT - BOTTOM + 18, f"{factor}", "middle"))
        factor *= 2
    tick = low
    while tick <= high:
        parts.append(_line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "#dddddd"))
        parts.append(_text(LEFT - 8, y(tick) + 4, f"{tick:g} µs", "end"))
        tick *= 10
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "size, as a multiple of the smallest", "middle"))
    for place, (curve, colour) in enumerate(zip(curves, COLOURS, strict=True)):
        first = curve.points[0].size
        line = " ".join(f"{x(p.size / first):.1f},{y(p.microseconds):.1f}" for p in curve.points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x(p.size / first):.1f}" cy="{y(p.microseconds):.1f}" r="3" fill="{colour}"/>'
            for p in curve.points
        ]
        height = TOP + 20 + 22 * place
        parts.append(_line(WIDTH - RIGHT + 15, height - 4, WIDTH - RIGHT + 35, height - 4, colour))
        parts.append(_text(WIDTH - RIGHT + 42, height, f"{curve.name}, from {first}", "start"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'

"""Formats the results of a race as text or as data.

In: measurements, ratios and the machine. Out: tables in Markdown, or data for JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.measure import Measurement
from benchmarks.race import Ratio


def write_race(machine: dict[str, Any], measured: Sequence[Measurement], ratios: Sequence[Ratio]) -> str:
    return "\n".join([*write_machine(machine), "", *write_measured(measured), "", *write_ratios(ratios)])


def write_machine(machine: dict[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    load = "" if machine["load"] is None else f", load {machine['load']} before"
    return [
        f"{machine['date']}, {machine['processor']}, {machine['cores']} cores, {machine['system']}{load}",
        versions,
    ]


def write_measured(measured: Sequence[Measurement]) -> list[str]:
    rows: list[tuple[str, ...]] = []
    rows += [("who", "game", "players", "games/s", "decisions/s", "spread", "decisions/game", "cold", "start", "note")]
    for each in measured:
        rows.append((each.who, each.game, str(each.players), *_write_rates(each)))
    return write_rows(rows, right={2, 3, 4, 5, 6, 7, 8})


def _write_rates(each: Measurement) -> tuple[str, ...]:
    if not each.samples:
        return "missing", "", "", "", "", "", each.missing
    return (
        write_number(each.games_per_second),
        write_number(each.decisions_per_second),
        f"{each.spread:.0%}",
        write_number(each.decisions_per_game),
        write_number(each.cold.games_per_second) if each.cold else "",
        f"{each.start_seconds:.2f} s" if each.start_seconds is not None else "",
        each.note,
    )


def write_ratios(ratios: Sequence[Ratio]) -> list[str]:
    rows = [("Hoyle", "ratio", "wanted", "")]
    for ratio in ratios:
        value = "" if ratio.value is None else f"{ratio.value:.2f}"
        rows.append((ratio.name, value, "" if ratio.wanted is None else f"{ratio.wanted:g}", ratio.verdict))
    return write_rows(rows, right={1, 2})


def write_rows(rows: Sequence[tuple[str, ...]], right: set[int]) -> list[str]:
    """Format rows of cells as a Markdown table; the first row is its header.

    >>> write_rows([("a", "bb"), ("ccc", "1")], {1})
    ['| a   | bb |', '|-----|---:|', '| ccc |  1 |']
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [f"| {' | '.join(_fill(cell, widths[i], i in right) for i, cell in enumerate(row))} |" for row in rows]
    rule = "|".join("-" * (width + 1) + (":" if i in right else "-") for i, width in enumerate(widths))
    return [lines[0], f"|{rule}|", *lines[1:]]


def _fill(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)


def write_number(number: float) -> str:
    """Format a number with three significant digits.

    >>> [write_number(each) for each in (0.1234, 12.34, 1234.5, 41396812.0)]
    ['0.123', '12.3', '1,230', '41,400,000']
    """
    if number >= 100:
        figures = len(str(int(number))) - 3
        return f"{round(number / 10**figures) * 10**figures:,}"
    return f"{number:.3g}"


def race_data(machine: dict[str, Any], measured: Sequence[Measurement], ratios: Sequence[Ratio]) -> dict[str, Any]:
    """Convert the results to plain data."""
    return {
        "machine": machine,
        "measurements": [_measurement_data(each) for each in measured],
        "ratios": [asdict(ratio) | {"verdict": ratio.verdict} for ratio in ratios],
    }


def _measurement_data(each: Measurement) -> dict[str, Any]:
    data = {"who": each.who, "game": each.game, "players": each.players, "note": each.note}
    if not each.samples:
        return data | {"missing": each.missing}
    return data | {
        "games_per_second": each.games_per_second,
        "decisions_per_second": each.decisions_per_second,
        "decisions_per_game": each.decisions_per_game,
        "spread": each.spread,
        "cold_games_per_second": each.cold and each.cold.games_per_second,
        "start_seconds": each.start_seconds,
        "samples": [asdict(sample) for sample in each.samples],
    }

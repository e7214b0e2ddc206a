"""A summary for people and for programs.

In: a `Summary` and the time it took. Out: lines of text, or data for JSON.
"""

from __future__ import annotations

from typing import Any

from hoyle.sim.summary import Summary, Tally, wilson_interval


def describe_summary(summary: Summary, seconds: float) -> str:
    """The summary as text."""
    lines = [f"{_count(summary.games, 'game')} in {seconds:.1f} s, {_rate(summary.games, seconds)} games a second"]
    if summary.games:
        lines += ["", *_seat_lines(summary), "", *_length_lines(summary)]
        if summary.undecided:
            lines.append(f"no winner    {_count(summary.undecided, 'game')}")
    if summary.first_fault:
        failure = summary.first_fault
        lines += ["", f"{_count(summary.faults, 'game')} stopped by a fault; the first with seed {failure.seed}:"]
        lines += [f"  {line}" for line in failure.message.splitlines()]
    return "\n".join(lines)


def _seat_lines(summary: Summary) -> list[str]:
    rows = [("seat", "wins", "share", "95% interval", "mean score", "sd", "min", "max")]
    for seat, (wins, scores) in enumerate(zip(summary.wins, summary.scores, strict=True)):
        low, high = wilson_interval(float(wins), summary.games)
        rows.append(
            (
                str(seat),
                f"{float(wins):.1f}".removesuffix(".0"),
                f"{float(wins) / summary.games:.1%}",
                f"{low:.1%} to {high:.1%}",
                f"{scores.mean:.2f}",
                f"{scores.deviation:.2f}",
                str(scores.low),
                str(scores.high),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _length_lines(summary: Summary) -> list[str]:
    decisions, rounds = summary.decisions, summary.rounds
    return [
        f"decisions    {decisions.mean:.1f} a game, {decisions.low} to {decisions.high}",
        f"branching    {summary.branching:.2f} actions a decision, at most {summary.widest}",
        f"rounds       {rounds.mean:.1f} a game, {rounds.low} to {rounds.high}",
    ]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _rate(games: int, seconds: float) -> str:
    rate = games / seconds if seconds > 0 else 0.0
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def summary_data(summary: Summary) -> dict[str, Any]:
    """The summary as data; the same for the same plan on every machine."""
    failure = summary.first_fault
    return {
        "games": summary.games,
        "faults": summary.faults,
        "first_fault": failure and {"game": failure.index, "seed": failure.seed, "message": failure.message},
        "without_winner": summary.undecided,
        "seats": [_seat_data(summary, seat) for seat in range(summary.players)],
        "decisions": _tally_data(summary.decisions),
        "branching": {"mean": summary.branching, "max": summary.widest},
        "rounds": _tally_data(summary.rounds),
    }


def _seat_data(summary: Summary, seat: int) -> dict[str, Any]:
    wins = float(summary.wins[seat])
    low, high = wilson_interval(wins, summary.games)
    return {
        "seat": seat,
        "wins": wins,
        "share": wins / summary.games if summary.games else 0.0,
        "interval": [low, high],
        "score": _tally_data(summary.scores[seat]),
    }


def _tally_data(tally: Tally) -> dict[str, float]:
    return {"mean": tally.mean, "sd": tally.deviation, "min": tally.low, "max": tally.high}

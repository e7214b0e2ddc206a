"""A summary for people and for programs.

In: a `Summary` and the time it took. Out: lines of text, or data for JSON.
"""

from __future__ import annotations

from typing import Any

from hoyle.sim.summary import Summary, Tally, wilson_interval
from hoyle.view.locale import say_in


def describe_summary(summary: Summary, seconds: float, language: str | None = None) -> str:
    """The summary as text, in a language."""
    games = _count_games(summary.games, language)
    lines = [
        say_in(language, "sim_speed", games=games, seconds=f"{seconds:.1f}", rate=_rate(summary.games, seconds))
    ]
    if summary.games:
        lines += ["", *_seat_lines(summary, language), "", *_length_lines(summary, language)]
        if summary.undecided:
            lines.append(say_in(language, "sim_undecided", games=_count_games(summary.undecided, language)))
    if summary.first_fault:
        failure = summary.first_fault
        stopped = _count_games(summary.faults, language)
        lines += ["", say_in(language, "sim_faults", games=stopped, seed=failure.seed)]
        lines += [f"  {line}" for line in failure.message.splitlines()]
    return "\n".join(lines)


def _seat_lines(summary: Summary, language: str | None) -> list[str]:
    rows = list_seats(summary, language)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def list_seats(summary: Summary, language: str | None) -> list[tuple[str, ...]]:
    """Wins and scores of every seat, below a heading."""
    rows = [tuple(say_in(language, "sim_columns").split("|"))]
    for seat, (wins, scores) in enumerate(zip(summary.wins, summary.scores, strict=True)):
        low, high = wilson_interval(float(wins), summary.games)
        rows.append(
            (
                str(seat),
                f"{float(wins):.1f}".removesuffix(".0"),
                f"{float(wins) / summary.games:.1%}",
                say_in(language, "sim_interval", low=f"{low:.1%}", high=f"{high:.1%}"),
                f"{scores.mean:.2f}",
                f"{scores.deviation:.2f}",
                str(scores.low),
                str(scores.high),
            )
        )
    return rows


def _length_lines(summary: Summary, language: str | None) -> list[str]:
    decisions, rounds = summary.decisions, summary.rounds
    mean, most = f"{summary.branching:.2f}", summary.widest
    return [
        say_in(language, "sim_decisions", mean=f"{decisions.mean:.1f}", low=decisions.low, high=decisions.high),
        say_in(language, "sim_branching", mean=mean, most=most),
        say_in(language, "sim_rounds", mean=f"{rounds.mean:.1f}", low=rounds.low, high=rounds.high),
    ]


def _count_games(number: int, language: str | None) -> str:
    return say_in(language, "sim_game" if number == 1 else "sim_games", number=f"{number:,}")


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

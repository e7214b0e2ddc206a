"""Formats a summary as text or as data.

In: a `Summary` and the time it took. Out: lines of text, or data for JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.base.columns import fold_table, wrap_line, wrap_lines
from hoyle.lab.sim.event_counts import Asked, Counted
from hoyle.lab.sim.intervals import wilson_interval
from hoyle.lab.sim.summary import Failure, Summary, Tally
from hoyle.play.view.locale import say_in

Teams = Sequence[Sequence[int]]  # the seats of each


def list_teams(teams: Sequence[int]) -> list[list[int]]:
    """List the seats of each team; empty if every team has just one."""
    found = [[seat for seat, team in enumerate(teams) if team == each] for each in sorted(set(teams))]
    return found if len(found) < len(teams) else []


def describe_summary(
    summary: Summary, seconds: float, language: str | None = None, teams: Teams = (), width: int | None = None
) -> str:
    """Format the summary as text in a language, in lines of at most some width."""
    games = _count_games(summary.games, language)
    speed = say_in(language, "sim_speed", games=games, seconds=f"{seconds:.1f}", rate=_rate(summary.games, seconds))
    lines = wrap_line(speed, width)
    if summary.games:
        lines += ["", *_align(list_seats(summary, language, teams), width)]
        lines += ["", *_align(list_team_wins(summary, teams, language), width)] if teams else []
        lines += ["", *wrap_lines(_length_lines(summary, language), width)]
        if summary.undecided:
            undecided = say_in(language, "sim_undecided", games=_count_games(summary.undecided, language))
            lines += wrap_line(undecided, width)
    if summary.first_unended:
        lines += ["", *wrap_line(_say_unended(summary, summary.first_unended, language), width)]
    if summary.first_fault:
        failure = summary.first_fault
        stopped = _count_games(summary.faults, language)
        lines += ["", *wrap_line(say_in(language, "sim_faults", games=stopped, seed=failure.seed), width)]
        lines += [f"  {line}" for line in failure.message.splitlines()]
    return "\n".join(lines)


def _say_unended(summary: Summary, first: Failure, language: str | None) -> str:
    trend = say_in(language, f"sim_scores_{first.trend}") if first.trend else ""
    return say_in(
        language, "sim_unended", number=f"{summary.unended:,}", games=_count_games(summary.played, language),
        decisions=f"{first.decisions:,}", trend=trend, seed=first.seed,
    )  # fmt: skip


def _align(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    return fold_table(rows, width, range(len(rows[0])))


def find_team_scores(summary: Summary, teams: Teams) -> list[Tally]:
    """The scores of the teams, if they are scored as such: one seat of each keeps them, and the others have none."""
    kept = [[summary.scores[seat] for seat in seats if summary.scores[seat].squares] for seats in teams]
    if any(len(scores) > 1 for scores in kept) or not any(kept):
        return []
    return [scores[0] if scores else summary.scores[seats[0]] for scores, seats in zip(kept, teams, strict=True)]


def list_team_wins(summary: Summary, teams: Teams, language: str | None) -> list[tuple[str, ...]]:
    """Build a table of the wins of every team, with a header; a team is named by its seats."""
    scores = find_team_scores(summary, teams)
    of_scores = say_in(language, "sim_columns").split("|")[-4:] if scores else []
    rows = [(*say_in(language, "sim_team_columns").split("|"), *of_scores)]
    for number, seats in enumerate(teams):
        wins = float(summary.share_of(seats))
        low, high = wilson_interval(wins, summary.games)
        interval = say_in(language, "sim_interval", low=f"{low:.1%}", high=f"{high:.1%}")
        shown = f"{wins:.1f}".removesuffix(".0")
        share = f"{wins / summary.games:.1%}"
        scored = _say_scores(scores[number]) if scores else ()
        rows.append((" + ".join(map(str, seats)), shown, share, interval, *scored))
    return rows


def list_seats(summary: Summary, language: str | None, teams: Teams = ()) -> list[tuple[str, ...]]:
    """Build a table of the wins and scores of every seat, with a header; what teams have scored is said of them."""
    by_team = bool(find_team_scores(summary, teams))
    columns = say_in(language, "sim_columns").split("|")
    rows = [tuple(columns[:-4] if by_team else columns)]
    for seat, (wins, scores) in enumerate(zip(summary.wins, summary.scores, strict=True)):
        low, high = wilson_interval(float(wins), summary.games)
        rows.append(
            (
                str(seat),
                f"{float(wins):.1f}".removesuffix(".0"),
                f"{float(wins) / summary.games:.1%}",
                say_in(language, "sim_interval", low=f"{low:.1%}", high=f"{high:.1%}"),
                *(() if by_team else _say_scores(scores)),
            )
        )
    return rows


def _say_scores(scores: Tally) -> tuple[str, ...]:
    return f"{scores.mean:.2f}", f"{scores.deviation:.2f}", str(scores.low), str(scores.high)


def _length_lines(summary: Summary, language: str | None) -> list[str]:
    decisions, rounds = summary.decisions, summary.rounds
    mean, most = f"{summary.branching:.2f}", summary.widest
    return [
        say_in(language, "sim_decisions", mean=f"{decisions.mean:.1f}", low=decisions.low, high=decisions.high),
        say_in(language, "sim_branching", mean=mean, most=most),
        say_in(language, "sim_rounds", mean=f"{rounds.mean:.1f}", low=rounds.low, high=rounds.high),
    ]


def describe_counts(counted: Counted, language: str | None = None, width: int | None = None) -> list[str]:
    """Format counts as tables: actions in turns and in windows, ends, caps."""
    lines: list[str] = []
    for key, asked in (("sim_actions", counted.turns), ("sim_windows", counted.windows)):
        if asked.offered:
            head = tuple(say_in(language, key, number=f"{asked.decisions:,}").split("|"))
            lines += ["", *fold_table([head, *(_action_row(asked, name) for name in asked.offered)], width)]
    for key, counts in (("sim_ends", counted.ends), ("sim_caps", counted.caps)):
        if counts:
            head = tuple(say_in(language, key).split("|"))
            lines += ["", *fold_table([head, *((name, f"{often:,}") for name, often in counts.items())], width)]
    return lines[1:]


def _action_row(asked: Asked, name: str) -> tuple[str, ...]:
    offered, chosen = asked.offered[name], asked.chosen[name]
    return name, f"{offered:,}", f"{chosen:,}", f"{chosen / offered:.1%}" if offered else "-"


def _count_games(number: int, language: str | None) -> str:
    return say_in(language, "sim_game" if number == 1 else "sim_games", number=f"{number:,}")


def _rate(games: int, seconds: float) -> str:
    rate = games / seconds if seconds > 0 else 0.0
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def summary_data(summary: Summary, teams: Teams = ()) -> dict[str, object]:
    """Convert the summary to plain data; the same plan yields the same data on every machine."""
    failure, unended = summary.first_fault, summary.first_unended
    counted = {} if summary.counted is None else {"counts": counts_data(summary.counted)}
    return {
        "games": summary.games,
        "faults": summary.faults,
        "first_fault": failure and {"game": failure.index, "seed": failure.seed, "message": failure.message},
        "unended": summary.unended,
        "first_unended": unended and {"game": unended.index, "seed": unended.seed, "decisions": unended.decisions,
                                      "scores": unended.trend or None},
        "without_winner": summary.undecided,
        "seats": [_seat_data(summary, seat) for seat in range(summary.players)],
        "teams": _list_team_data(summary, teams),
        "decisions": _tally_data(summary.decisions),
        "branching": {"mean": summary.branching, "max": summary.widest},
        "rounds": _tally_data(summary.rounds),
        **counted,
    }


def counts_data(counted: Counted) -> dict[str, object]:
    """Convert counts to plain data."""
    return {
        "actions": _asked_data(counted.turns),
        "windows": _asked_data(counted.windows),
        "ends": dict(counted.ends),
        "caps": dict(counted.caps),
    }


def _asked_data(asked: Asked) -> dict[str, object]:
    actions = {name: {"offered": offered, "chosen": asked.chosen[name]} for name, offered in asked.offered.items()}
    return {"decisions": asked.decisions, "by_action": actions}


def _list_team_data(summary: Summary, teams: Teams) -> list[dict[str, object]]:
    scores = find_team_scores(summary, teams)
    told = [{"score": _tally_data(tally)} for tally in scores] or [{}] * len(teams)
    return [_team_data(summary, seats) | of for seats, of in zip(teams, told, strict=True)]


def _team_data(summary: Summary, seats: Sequence[int]) -> dict[str, object]:
    wins = float(summary.share_of(seats))
    interval = list(wilson_interval(wins, summary.games))
    return {"seats": list(seats), "wins": wins, "share": wins / summary.games if summary.games else 0.0,
            "interval": interval}  # fmt: skip


def _seat_data(summary: Summary, seat: int) -> dict[str, object]:
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

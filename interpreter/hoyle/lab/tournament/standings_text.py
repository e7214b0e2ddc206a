"""Formats a tournament as text or as data.

In: an `Outcome`, or one of its games. Out: lines of text, or data for JSON.
"""

from __future__ import annotations

from hoyle.lab.tournament.cutting import Cut
from hoyle.lab.tournament.format import Format
from hoyle.lab.tournament.running import GameResult, Outcome, Plan, TableResult
from hoyle.lab.tournament.setup import Setup


def name_side(setup: Setup, plan: Plan, side: int) -> str:
    """Name a side: a person by name, others with their 1-based number as a player, a pair or a team."""
    if side < len(plan.names):
        return plan.names[side]
    return f"{name_kind(setup)} {side + 1}"


def name_kind(setup: Setup) -> str:
    """What plays against what: a player, a pair or a team."""
    return {1: "player", 2: "pair"}.get(setup.game.players // setup.sides, "team")


def describe_heading(setup: Setup, plan: Plan) -> str:
    form = setup.format
    entrants = plan.entrants or setup.sides * plan.tables
    seats = str(setup.game.players)
    if setup.larger is not None:
        seats += f" or {setup.larger.game.players}"
    return (
        f"{form.title}, {setup.game.title}: {entrants} {name_kind(setup)}s at {plan.tables} tables of {seats}, "
        f"bot {plan.bot}, seed {plan.seed}"
    )


def describe_game(setup: Setup, plan: Plan, number: int, game: GameResult) -> list[str]:
    """Format a game: which table stopped it, and who got the award at each table."""
    stopped = f", stopped by table {game.stopped_by + 1}" if game.stopped_by is not None else ""
    lines = [f"game {number}{stopped}"]
    for place, table in enumerate(game.tables, start=1):
        lines.append(f"  table {place}: {_describe_award(setup, plan, table)}")
    return lines


def _describe_award(setup: Setup, plan: Plan, table: TableResult) -> str:
    if not table.awarded:
        return "nobody"
    names = " and ".join(name_side(setup, plan, side) for side in table.awarded)
    cut = f" after a cut ({_describe_cut(setup, plan, table.cut)})" if table.cut else ""
    return f"{names}{cut}"


def _describe_cut(setup: Setup, plan: Plan, cut: Cut) -> str:
    name = setup.game.names.name_card
    rounds = (", ".join(f"{name_side(setup, plan, side)}: {name(card)}" for side, card in each) for each in cut.rounds)
    return "; again: ".join(rounds)


def count_called(form: Format) -> str:
    """What is counted, as the heading of a column."""
    return form.called if form.called.endswith("s") else f"{form.called}{'es' if form.called.endswith('ch') else 's'}"


def describe_standings(outcome: Outcome) -> list[str]:
    """Format the standings as a table."""
    setup, plan, form = outcome.setup, outcome.plan, outcome.setup.format
    with_opponents = "opponents" in form.ties
    rows = [("", "", count_called(form), *(("opponents",) if with_opponents else ()))]
    for each in outcome.standings:
        row = (str(each.rank), name_side(setup, plan, each.side), str(each.points))
        rows.append((*row, str(each.opponents)) if with_opponents else row)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) if column == 1 else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]  # fmt: skip
    if outcome.last_cut is not None:
        lines += ["", f"the cut for the first place: {_describe_cut(setup, plan, outcome.last_cut)}"]
    winners = [name_side(setup, plan, each.side) for each in outcome.standings if each.rank == 1]
    return [*lines, "", f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win together'}"]


def outcome_data(outcome: Outcome) -> dict[str, object]:
    """Convert the tournament to plain data; the same plan yields the same data on every machine."""
    setup, plan = outcome.setup, outcome.plan
    return {
        "format": setup.format.name,
        "game": setup.game.name,
        "options": dict(setup.game.options),
        "tables": plan.tables,
        "seats": setup.game.players,
        "entrants": plan.entrants or setup.sides * plan.tables,
        "seed": plan.seed,
        "bot": plan.bot,
        "games": [
            {
                "stopped_by": game.stopped_by,
                "tables": [
                    {
                        "sides": list(table.sides),
                        "equal": list(table.equal),
                        "awarded": list(table.awarded),
                        "moves": table.mover,
                        "decisions": table.decisions,
                        "over": table.over,
                    }
                    for table in game.tables
                ],
            }
            for game in outcome.games
        ],
        "standings": [
            {"rank": each.rank, "side": each.side, "points": each.points, "opponents": each.opponents}
            for each in outcome.standings
        ],
    }

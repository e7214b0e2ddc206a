"""A simulation of the rule file that is edited in a page, as data for its charts.

In: the path that a text belongs to, the text, a number of games. Out: what happened in them.
"""

from __future__ import annotations

import time
from pathlib import Path

from hoyle.front.web.lobby import Refused
from hoyle.front.web.messages import BadMessage
from hoyle.lab.sim.distribution import Distribution
from hoyle.lab.sim.report import list_seats
from hoyle.lab.sim.run import Plan, simulate
from hoyle.language.compile import compile_game
from hoyle.play.engine.game import Game

MOST_GAMES = 10_000
MOST_SECONDS = 8.0


def simulate_text(path: Path, text: str, games: int) -> dict[str, object]:
    """Play games by random bots, for a few seconds at most; refused if the text has errors."""
    if games < 1:
        raise BadMessage("at least one game is to be played")
    program, report = compile_game(path, None, {}, text=text)
    if program is None or report.failed:
        raise Refused("has_errors")
    game = Game(program)
    counts = Distribution(game.players)
    began = time.monotonic()
    plan = Plan(min(games, MOST_GAMES), executor="auto")
    summary = simulate(game, plan, lambda: time.monotonic() - began > MOST_SECONDS, keep=counts.add)
    charts = [
        {
            "title": chart.title,
            "names": chart.names,
            "series": [[[bar.label, bar.height] for bar in bars] for bars in chart.series],
        }
        for chart in counts.list_charts()
    ]
    return {
        "games": summary.games,
        "seconds": round(time.monotonic() - began, 2),
        "faults": [summary.first_fault.message] if summary.first_fault is not None else [],
        "seats": list_seats(summary, None) if summary.games else [],
        "charts": charts,
    }

"""Renders the scores: the board, the sheet, or a total for each team.

In: a table. Out: lines.
"""

from __future__ import annotations

from rich.text import Text

from hoyle.front.terminal.board import draw_board
from hoyle.front.terminal.pen import Pen
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Table
from hoyle.play.view.score_sheet_view import render_sheet


def draw_scores(table: Table, speaker: Speaker, pen: Pen, width: int = 80) -> list[Text]:
    """Render the board, if the game has one, and then the sheet or else the score of each team, best first."""
    locale = speaker.locale
    lines = [pen.text(row) for row in draw_board(table.scores, speaker, width)]
    if lines:
        lines.append(Text())
    if table.scores.sheet is not None:
        names = [speaker.who(player.seat) for player in table.players]
        lines += [pen.text(row) for row in render_sheet(table.scores.sheet, names, width, locale).split("\n")]
        return lines
    sides = list(table.scores.sides)
    if table.scores.best:
        sides.sort(key=lambda side: side.score, reverse=table.scores.best == "highest")
    widest = max((len(side.name) for side in sides), default=0)
    lines += [pen.text(f"  {side.name:<{widest}}  {locale.write_number(side.score):>6}") for side in sides]
    if table.scores.best and table.result is None:
        best = speaker.say(f"{table.scores.best}_wins", what=speaker.say("score"))
        lines += [Text(), pen.text(f"  {speaker.begin(best)}", "dim")]
    return lines

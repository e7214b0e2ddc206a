"""Codes of tournaments: errors in a `*.format.yaml` file and in its parameters.

In: nothing. Out: `TOURNAMENT_CODES`, merged into `CODES`.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code, declare

TOURNAMENT_CODES: tuple[Code, ...] = (
    declare("format-number", """A number of tables, seats or games is outside the range the format allows, or is no
        number at all. `everybody` stands for as many games as let everybody meet everybody, and only a round robin can
        say so.""",
        wrong="games: {default: 0}", right="games: {default: 10, range: 1..50}"),
    declare("format-sides", """A round robin pairs two sides at a table: two players, or two teams in a game of
        partners.""",
        wrong="seats: {default: 3}   # with `then: round_robin`", right="seats: {default: 2}"),
    declare("format-cut", """Something is settled by a cut, but the format does not say what a card counts in it.""",
        wrong="ranking: {ties: [cut]}", right="ranking: {ties: [cut]}\ncut: {rank: number of card or else 0}"),
)  # fmt: skip

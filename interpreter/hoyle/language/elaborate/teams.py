"""Teams: seats that win together.

In: the size of a team. Out: the team of each seat.
"""

from __future__ import annotations

from hoyle.language.elaborate.constants import fixed, fixed_number
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.program.ir.types import NUMBER, TRUTH


def fill_teams(elaborator: Elaborator) -> None:
    """Assign teams; partners sit opposite each other, so that teams alternate round the table."""
    env = elaborator.env
    declared = env.declared
    env.teams = tuple(range(env.players))
    if declared.team_size is None:
        return
    if declared.teams_if is not None and not fixed(elaborator, declared.teams_if, TRUTH, "whether there are teams"):
        return
    size = fixed_number(elaborator, declared.team_size, NUMBER, "the size of a team")
    if size is None:
        return
    if size < 1 or env.players % size:
        env.report.error(
            "bad-teams",
            f"{env.players} players cannot sit in teams of {size}",
            declared.team_size.span,
            hint="allow only numbers of players that the size of a team divides",
        )
        return
    count = env.players // size
    env.teams = tuple(seat % count for seat in range(env.players))

"""Tournaments: a game played at many tables, in a format that is declared as data.

In: a `*.format.yaml` file, a game, a seed. Out: an `Outcome`: every game, who moved, and the standings.
"""

from hoyle.lab.tournament.format import FORMAT_SUFFIX, Format, find_format, list_formats, read_format
from hoyle.lab.tournament.preparing import NoTournament, Wish, prepare
from hoyle.lab.tournament.running import Outcome, Plan, run_tournament
from hoyle.lab.tournament.setup import Setup, set_up

__all__ = [
    "FORMAT_SUFFIX", "Format", "NoTournament", "Outcome", "Plan", "Setup", "Wish", "find_format", "list_formats",
    "prepare", "read_format", "run_tournament", "set_up",
]  # fmt: skip

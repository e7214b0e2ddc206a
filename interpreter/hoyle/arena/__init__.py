"""Bots against each other: every pair at every seat with the same deals, and what their results say.

In: a game, bots by name, how many matches. Out: an `Arena`: shares of wins and ratings, with intervals.
"""

from hoyle.arena.playing import Plan, run_arena
from hoyle.arena.rating import Arena, Pairing, Rating, sum_up

__all__ = ["Arena", "Pairing", "Plan", "Rating", "run_arena", "sum_up"]

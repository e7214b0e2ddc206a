"""Bot tournaments for ratings: every pair plays the same deals from all seats.

In: a game, bots by name, how many matches. Out: an `Arena`: win shares and ratings, with confidence intervals.
"""

from hoyle.lab.arena.playing import Plan, run_arena
from hoyle.lab.arena.rating import Arena, Pairing, Rating, sum_up

__all__ = ["Arena", "Pairing", "Plan", "Rating", "run_arena", "sum_up"]

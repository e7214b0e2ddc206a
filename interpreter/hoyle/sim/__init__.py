"""Many games played by bots, and what they amount to.

In: a game, a bot and a seed. Out: a `Summary` that grows no larger with the number of games.
"""

from hoyle.sim.run import Plan, simulate
from hoyle.sim.summary import Summary

__all__ = ["Plan", "Summary", "simulate"]

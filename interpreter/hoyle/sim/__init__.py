"""Many games played by bots, and what they amount to.

In: a game, a bot and a seed. Out: a `Summary` that grows no larger with the number of games, and a
row for each game in a file if asked for.
"""

from hoyle.sim.run import Plan, simulate
from hoyle.sim.storage import Row, Setting, StorageError, open_store
from hoyle.sim.summary import Summary

__all__ = ["Plan", "Row", "Setting", "StorageError", "Summary", "open_store", "simulate"]

"""Simulation: many games played by bots, and their statistics.

In: a game, a bot and a seed. Out: a `Summary` whose size does not depend on the number of games, and optionally a file
with a row for each game.
"""

from hoyle.lab.sim.run import Plan, simulate
from hoyle.lab.sim.storage import Row, Setting, StorageError, open_store
from hoyle.lab.sim.summary import Summary

__all__ = ["Plan", "Row", "Setting", "StorageError", "Summary", "open_store", "simulate"]

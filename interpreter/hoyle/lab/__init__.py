"""Lab: what researchers use.

In: games and seeds. Out: choices of bots, statistics of many matches, environments for learning.

Rooms, lowest first: `bots` choose, by search from what their seat knows; `learning` is what learners observe
and what they learnt; `sim` plays many matches; `arena` rates bots against each other; `tournament` plays in formats
with many tables; `train` learns by self-play; `adapters` are the interfaces of other libraries.

Internal: programs that use Hoyle import from `hoyle` alone.
"""

"""How fast games are played, here and elsewhere.

In: the shipped games, and what else is installed. Out: tables of games and decisions a second; see docs/performance.md.
"""

"""Performance benchmarks of Hoyle and comparable programs.

In: the shipped games, and other installed libraries. Out: tables of games and decisions per second; see
docs/dev/performance.md.
"""

"""Analysis of variants: the merged file with the origin of every line, and the differences between two games.

In: documents. Out: lines for people, data for programs.
"""

"""What a variant is: the merged file with where everything comes from, and what differs between two games.

In: documents. Out: lines for people, data for programs.
"""

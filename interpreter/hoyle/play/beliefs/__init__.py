"""Beliefs: what a seat can conclude from what it saw, and samples of what it did not see.

In: the standpoint of a seat. Out: cards it knows, cards others cannot or must hold, and complete positions that it
cannot tell from the real one (`determinization`).
"""

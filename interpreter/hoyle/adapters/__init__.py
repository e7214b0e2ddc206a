"""Hoyle's games in the interfaces of other libraries, which are installed as extras.

In: a game. Out: an environment of PettingZoo, a game of OpenSpiel; both choose by the tokens of `encoding`.
"""

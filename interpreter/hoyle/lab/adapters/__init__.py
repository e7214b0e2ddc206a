"""Adapters of Hoyle's games to the interfaces of other libraries, which are installed as extras.

In: a game. Out: a PettingZoo environment, an OpenSpiel game, or a vector environment; their actions are the tokens of
`encoding`.
"""

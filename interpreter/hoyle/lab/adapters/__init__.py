"""Adapters of Hoyle's games to the interfaces of other libraries, which are installed as extras.

In: a game. Out: a PettingZoo environment or an OpenSpiel game; their actions are the tokens of
`encoding`.
"""

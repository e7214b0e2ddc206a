"""Python source from the IR: the generated executor's code.

In: a program. Out: source text, in three parts that are made when they are needed: `choices` (what may be chosen, who
chooses, who has won), `plain` (what happens, as fast as can be) and `recorded` (what happens, with its events).
"""

"""The version of Hoyle, and of the rule language.

In: nothing. Out: numbers that stored matches and rule files carry.
"""

__version__ = "0.1.0"
LANGUAGE = 1  # of rule files, as `hoyle: 1` says

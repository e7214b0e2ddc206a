"""Program: what a game is, once compiled. It is all that executors, bots and tables read.

In: nothing; `hoyle.language` builds these values. Out: the typed IR of a game, and the values it works on.

Rooms, lowest first: `model` has positions, events, chance and groups of cards; `ir` the nodes of a program, its text
and its JSON; `words` the built-in words, each declared once; `effects` tells what instructions read and write; `info`
is what a list of games shows; `cache_format` stores all of these as data that cannot run.

Internal: programs that use Hoyle import from `hoyle` alone.
"""

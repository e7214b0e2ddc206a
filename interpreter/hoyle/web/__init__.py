"""A table in the browser: a small server that keeps matches, shows each seat what it may see, and takes its choices.

In: HTTP requests and messages over WebSockets. Out: pages, tables as `hoyle.table` describes them, rows in SQLite.
Nothing here works out what a table shows, and nothing here knows a game: both come from the rule file.
"""

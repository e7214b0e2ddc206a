"""The web server: stores matches, sends each seat the table as it may see it, and receives its choices.

In: HTTP requests and WebSocket messages. Out: pages, tables in the data model of `hoyle.play.table`, rows in SQLite.
Nothing here computes what a table shows, and nothing here knows a game: both come from the rule file.
"""

"""Front: what people touch.

In: command lines, keys, requests of browsers. Out: text, screens, pages.

Rooms: `command` is the entry point and loads nothing but the command asked for; `cli` has a file for each command;
`site` builds pages that need no server; `terminal` plays on a terminal; `web` serves tables to browsers and keeps them.

Internal: programs that use Hoyle import from `hoyle` alone.
"""
